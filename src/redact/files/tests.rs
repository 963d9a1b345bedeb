//! Which values go where files of secrets and stores are shown, by tool, command and text.

use super::*;
use crate::redact::Redactor;
use crate::source::{Raw, ToolContext};

fn seen(command: &str, text: &str) -> String {
    let tool = ToolContext {
        command: Some(command.to_owned()),
        ..ToolContext::default()
    };
    let part = Part {
        tool: Some(&tool),
        call: text.is_empty(),
    };
    let text = if text.is_empty() { command } else { text };
    let redactor = Redactor::new(&[], &[7; 32]).0;
    redactor
        .redact(&Raw::new(text), &part)
        .0
        .as_str()
        .to_owned()
}

#[test]
fn what_a_command_shows_of_secrets_is_hidden() {
    for command in [
        "cat a.txt .env b.txt",
        "cat .env | grep HOST",
        "grep -n HOST .env.local",
        "Get-Content .env",
        "docker compose exec web cat /app/.env",
        "vault kv get secret/x",
        "aws ssm get-parameter --name a --with-decryption",
        "kubectl get secret x -o yaml",
        "sops -d x.yaml",
    ] {
        assert!(
            !seen(command, "STALL=kranich-haus").contains("kranich"),
            "{command}"
        );
    }
    for command in [
        "pass show x",
        "op read op://a/b/c",
        "gh auth token",
        "kubectl get secret x -o jsonpath='{.data.pw}' | base64 -d",
    ] {
        assert!(
            !seen(command, "kranich-haus\n").contains("kranich"),
            "{command}"
        );
    }
    assert!(!seen("printenv", "A=b\nAPP_PASSWORD=kranich-haus\n").contains("kranich"));
    assert_eq!(
        seen("env", "SHELL=/bin/bash\nUSER=kranich\n"),
        "SHELL=/bin/bash\nUSER=kranich\n"
    );
    let settings = "LOG_LEVEL=debug\nNODE_ENV=production\nPORT=8080\nTLS=false\n";
    assert_eq!(seen("cat .env", settings), settings);
    assert!(!seen("cat .env", "ADMIN_PASSWORD=production\n").contains("production"));
    assert!(!seen("cat > .env <<EOF\nPW=kranich\nEOF", "").contains("kranich"));
    for (command, text) in [
        ("cat .env.example", "STALL=kranich-haus"),
        ("ls -la .env", "STALL=kranich-haus"),
        ("cat src/env.rs", "STALL=kranich-haus"),
        ("cat .env && cargo test", "test result: passed well"),
        ("git commit -m 'cat .env'", "branch main: kranich"),
        ("kubectl get pods", "kranich-haus-7f"),
        ("env FOO=1 make all", "make: kranich"),
    ] {
        assert_eq!(seen(command, text), text, "{command}");
    }
}

#[test]
fn a_search_says_which_file_each_line_is_of() {
    let found = "src/a.rs:3:STALL=kranich\n.env:12:STALL=storch\n/app/.env:NEST=reiher";
    for (name, command) in [("Grep", None), ("Bash", Some("grep -rn x ."))] {
        let tool = ToolContext {
            name: name.to_owned(),
            command: command.map(str::to_owned),
            ..ToolContext::default()
        };
        let part = Part {
            tool: Some(&tool),
            call: false,
        };
        let redactor = Redactor::new(&[], &[7; 32]).0;
        let (shown, _) = redactor.redact(&Raw::new(found), &part);
        let has = |word: &str| shown.as_str().contains(word);
        assert!(
            has("kranich") && !has("storch") && !has("reiher"),
            "{shown}"
        );
    }
}

#[test]
fn a_patch_and_a_diff_say_which_file_they_are_of() {
    let patch =
        "*** Begin Patch\n*** Add File: .env\n+STALL=kranich\n*** Add File: a.md\n+Note: kranich";
    let part = Part::default();
    let redactor = Redactor::new(&[], &[7; 32]).0;
    let (shown, _) = redactor.redact(&Raw::new(patch), &part);
    assert_eq!(shown.as_str().matches("kranich").count(), 1, "{shown}");
    let over = "diff --git a/.env b/.env\nindex 1..2 100644\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-STALL=storch\n+STALL=reiher\n\nAll done.\nSTALL=kranich";
    let listed =
        "==> .env <==\n# hosts\nSTALL=storch\n\nexport STALL=reiher\nThat was all.\nSTALL=kranich";
    for text in [over, listed] {
        let (shown, _) = redactor.redact(&Raw::new(text), &part);
        let has = |word: &str| shown.as_str().contains(word);
        assert!(
            has("kranich") && !has("storch") && !has("reiher"),
            "{shown}"
        );
    }
    let hidden = seen("cat .env", "==> a.md <==\nSTALL=kranich");
    assert!(!hidden.contains("kranich"), "{hidden}");
}

#[test]
fn what_an_environment_says_of_builds_and_machines_stays_and_is_not_known_elsewhere() {
    let told = "GIT_COMMIT=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\nIMAGE=app@sha256:9f86d081884c7d65\n\
        HOSTNAME=web-7d9f8b6c5d-x2x9z\nGPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D\n\
        PYTHON_SHA256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n\
        LOG_LEVEL=debug2\nAWS_REGION=eu-west-1\n";
    assert_eq!(seen("env", told), told);
    let redactor = Redactor::new(&[], &[7; 32]).0;
    let of = |command: &str, text: &str| {
        let tool = ToolContext {
            command: Some(command.to_owned()),
            ..ToolContext::default()
        };
        let part = Part {
            tool: Some(&tool),
            call: false,
        };
        redactor
            .redact(&Raw::new(text), &part)
            .0
            .as_str()
            .to_owned()
    };
    let hidden = of(
        "cat .env",
        "BUILD_REF=9f86d081884c7d659a2f\nAPP=web-7d9f8b6c5d-x2x9z\nDB_PASSWORD=x8Kq2mP!z7Rw\n",
    );
    assert_eq!(hidden.matches("[REDACTED:").count(), 3, "{hidden}");
    let later = of(
        "ls",
        "9f86d081884c7d659a2f web-7d9f8b6c5d-x2x9z x8Kq2mP!z7Rw",
    );
    assert!(
        later.starts_with("9f86d081884c7d659a2f web-7d9f8b6c5d-x2x9z [REDACTED:"),
        "{later}"
    );
}

/// The text as it stays where no tool says what it is.
fn told(text: &str) -> String {
    let redactor = Redactor::new(&[], &[7; 32]).0;
    let (shown, _) = redactor.redact(&Raw::new(text), &Part::default());
    shown.as_str().to_owned()
}

#[test]
fn what_a_prompt_s_command_shows_is_the_block_below_it() {
    for command in [
        "gh auth token",
        "secret-tool lookup a b",
        "argocd admin initial-password -n argocd",
        "echo \"$S3_SECRET_KEY\"",
        "cat auth.txt",
    ] {
        for after in [
            "cf-ray: c5bd0f1a2b3c4d5e-FRA",
            "https://h.local/oauth2/authorize?client_id=a1b2c3",
            "#2  0xf2de1c7a n/a (libpam.so.0 + 0x21a4)",
            "\"Key\": \"backups/a1b2c3d4\"",
            "nest = local.nests[\"cedar7\"]",
            "GOFLAGS: -mod=mod",
            "$ echo \"$S3_SECRET_KEY\"",
        ] {
            for between in [
                "",
                "\nDone. Next step:\n",
                "\n[INFO] up\n",
                "\n$ make check\n",
            ] {
                let text = format!("$ {command}\n{between}\n{after}\n");
                assert_eq!(told(&text), text);
                let text = format!("$ {command}\nkranich-haus-7x\n{between}\n{after}\n");
                let shown = told(&text);
                assert!(shown.ends_with(&format!("{between}\n{after}\n")), "{shown}");
                assert!(!shown.contains("kranich"), "{shown}");
            }
        }
    }
}

#[test]
fn an_answer_of_several_blocks_is_read_on() {
    for text in [
        "$ cat .env\nPORT=8080\n\n# nest\nSTALL=kranich-haus\n",
        "$ cat ~/.aws/credentials\n[a]\nx = storch-7x\n\n[b]\ny = kranich-haus\n",
        "$ vault kv get s/x\n== Path ==\ns/data/x\n\n== Data ==\nKey    Value\n---    -----\nstall  kranich-haus\n",
        "PS C:\\> vault kv get s/x\n\nKey            Value\n---            -----\nstall          kranich-haus\n",
        "$ gopass show a/b\nSecret: a/b\n\nkranich-haus-7x\n",
    ] {
        let shown = told(text);
        assert!(!shown.contains("kranich"), "{shown}");
    }
}

#[test]
fn a_manual_page_that_names_such_commands_stays() {
    for command in [
        "gcloud auth print\\-access\\-token",
        "gcloud secrets versions access 1",
    ] {
        let text = format!(
            ".RS 2m\n$ {command}\n.RE\n\n.RS 2m\n.TH \"GCLOUD_AUTH\" 1\n\\%PA_INT,\n.BR \"    unsigned int   is_short:1;\"\n"
        );
        assert_eq!(told(&text), text);
    }
}

#[test]
fn a_tunnel_s_dump_keeps_its_public_keys() {
    let own = "kP8Kq2mPz7Rw1kd9q83Jd02mzKq81LmZx7Tb4WvRc1Y=";
    let public = "Zq83Jd02mzKq81LmZx7Tb4WvRc1YsHd8NgJ6UkP8Kq2=";
    let text = format!(
        "$ wg show wg0 dump\n{own}\t{public}\t51820\toff\n{public}\t{own}\t1.2.3.4:51820\t10.0.0.2/32\t1700000000\t1\t2\t25\n"
    );
    let shown = told(&text);
    assert!(
        !shown.contains(own) && shown.matches(public).count() == 2,
        "{shown}"
    );
}
