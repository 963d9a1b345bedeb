//! The general rule: a secret's name near a value that is plainly random, in forms nobody
//! described; and what of that kind is none. In [`all_hidden`] `¤` stands for a token.

use super::apart::all_stay;
use super::redact;
use std::fmt::Write;

/// What generators make: long tokens, hex, passwords with marks.
const TOKEN: &str = "JjpEHOwiM0JfPBG5fREwXj9BUuT49S";
const HEX: &str = "f3b1324eb2e0681909245c28aa01c7d9";
const MARKED: &str = "Qu4rtz!wint3r72";

fn hidden(values: &[&str], texts: &[&str]) {
    let mut wrong = String::new();
    for text in texts {
        for value in values {
            let (head, tail) = text.split_once('¤').unwrap();
            let shown = redact(&format!("{head}{value}{tail}"));
            if !(shown.starts_with(head) && shown.ends_with(tail)) || shown.contains(&value[..6]) {
                let _ = writeln!(wrong, "{shown:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_random_value_near_a_secrets_name_is_hidden_whatever_stands_between() {
    hidden(
        &[TOKEN, MARKED],
        &[
            "db_password changed from 'old' to '¤'",
            "DB_PASSWORD rotated, new one \"¤\"",
            "env:\u{3a}var(\"DB_PASSWORD\").unwrap_or_else(|_| \"¤\".into())",
            "System.getenv(\"MAIL_PASSWORD\") ?: \"¤\"",
            "p.add_argument('--db-password', default='¤', help='x')",
            "param adminPassword string = '¤'",
            "<dt>Bind password</dt><dd>¤</dd>",
            "<wsse:Password Type=\"PasswordText\">¤</wsse:Password>",
            "\\newcommand{\\initialPassword}{¤} % old",
            "Client.builder().databasePassword(\"¤\").build()",
            "the passphrase of the backup on host atlas: ¤",
            "expected password [secret] but it said '¤'",
            "Your new root password is:\n¤\nStore it now.",
            "Password created. Copy it now:\n\n    ¤\n\nIt expires.",
            "## Password\n\n`¤`\n",
            "pgpassword\n  Input should be a number [type=int, input_value='¤', input_type=str]",
            "\"root_password\"\n  : \"¤\"\n, \"n\": 1",
            "keystore_password =\n    ¤\nport = 1",
        ],
    );
    hidden(
        &[TOKEN],
        &[
            "SERVICE_TOKEN ⇒ ¤",
            "api key ~> ¤ (rotate it)",
            "the bearer token, which I made yesterday, reads ¤",
            "client secret\t\t|\t¤",
        ],
    );
    hidden(
        &[HEX],
        &[
            "api_secret changed from 'old' to '¤'",
            "Please use this password to go on:\n\n¤\n\nIt is found in a file.",
            "\"x-api-key\": [\n  \"¤\"\n],",
        ],
    );
}

#[test]
fn what_is_near_a_secrets_name_and_no_secret_stays() {
    all_stay(&[
        "fix the token refresh (3b6ccba87999a1b2c3d4e5f6a7b8c9d0a1b2c3d4)",
        "csrf-token@1.0.2 sha512-q83Jd02mzKq81LmZq83Jd02mzKq81LmZ==",
        "password: ENC[AES256_GCM,data:IM/4p3QHW3XKp5Ek,iv:1izrYWFmZgDY8wLwlkoA98X8oLNWS0vPPGOqCbW4pgQ=,type:str]",
        "secret \"db\" has uid=\"2d3e9101-ec42-bb6f-826d-d0997b957cea\"",
        "the token id is q83Jd02mzKq81LmZx7Tb4WvRc1Ys",
        "getToken(user, { id: 'x81Kq02LmZq81LmQ0z' })",
        "the secret's path: /var/lib/app-2/data.v1/Key3.bin",
        "password for user admin2: see https://docs.local/a1B2c3D4e5F6g7H8",
        "let token = parse_v2(bytes, Utf8Mode::Strict1);",
        "Token count: 12345abc of 4096tokens",
        "Unexpected token at 'x81Kq02LmZq81LmQ0z' in JSON",
        "secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-1:123456789012:secret:Db2Main-a1B2c3",
        "password policy: Min12Chars_AndSymbols2",
        "$ git log --grep password\n3b6ccba87999a1b2c3d4e5f6a7b8c9d0a1b2c3d4",
        "Files: man/hu/man1/gpasswd.1\n       man/pt_BR/man1/*\n",
        "tokens:\n- kubernetes.io/v1beta2-Thing3\n",
    ]);
}

#[test]
fn both_of_two_values_are_hidden() {
    for text in [
        "~ password = \"¤\" -> \"§\"",
        "password: \"¤\" => \"§\" # forces replacement",
        "assert cfg.password == '¤' != '§'",
        "password: expected '¤' but got '§'",
        "expected password \"¤\", got \"§\"",
        "admin_password: [-¤-]{+§+}",
        "password changed from \"¤\" to \"§\"",
    ] {
        let shown = redact(
            &text
                .replace('¤', "quartz4133!x")
                .replace('§', "Nordic77?embers"),
        );
        assert!(
            !shown.contains("quartz41") && !shown.contains("Nordic77"),
            "{shown}"
        );
    }
}

#[test]
fn a_value_that_was_broken_into_lines_is_hidden_to_its_end() {
    for text in [
        "     ADMIN_TOKEN=6cd2b136996d8324b4523c5b1661b608\n     13086ae294aa6ac4012b22cfdeecaab5\n     next line",
        "│ REFRESH_TOKEN=aiSWAn0SWkypy8ao+jaxn8 │\n│ ZbTWruBAobzofoA9OP6jdO               │\n╰──╯ end",
        "export JWT_SECRET=\"8940f1049c5dc57d3d9b6ddcb8f4a101\\\n5f1f3c9859096f04bc155591d2b89b11\"\nrun",
        "license_secret = (\"3bce84349146c2163cbaf29983a1cfce\"\n    \"f276c76bbdb30c1cd16450e624ead9bc\")\nrun()",
        "   12 | DEPLOY_TOKEN=5276d1b25b0e1e5766eb8fe1984b8cd7a9df2045\n      | 16471643eeef09cfd35f1f38\n   13 | PORT=80",
        "client_secret: 6d5321f92fcebc0b6bcd7c1a4bacad78931d802a=\n5dda4725873de1224d028eab\n--mime",
        "token = '''\nJjpEHOwiM0JfPBG5fREwXj9BUuT49S'''\nport = 1",
        "service_key: |\n  q83Jd02mzKq81LmZx7Tb4WvRc1YsHd8N\n  gJ6Uq83Jd02mzKq81LmZ\nport: 80",
    ] {
        let shown = redact(text);
        let last = shown.lines().last().unwrap();
        assert!(text.ends_with(last), "{shown}");
        let leaks = shown
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|w| w.len() >= 16 && w.bytes().any(|b| b.is_ascii_digit()));
        // Only fingerprints are left.
        assert!(
            leaks
                .clone()
                .all(|w| w.len() == 16 || shown.contains(&format!("#{w}"))),
            "{shown}"
        );
    }
    for text in [
        "password: Qu4rtzwint3r72\nuser1name: bob",
        "SECRET=q83Jd02mzKq81LmZx7Tb4\nPORT1=80",
    ] {
        let kept = text.lines().last().unwrap();
        assert!(redact(text).ends_with(kept), "{text}");
    }
}

#[test]
fn a_sentence_says_what_is_the_password() {
    for text in [
        "x8Kq2mP!z7Rw is the root password there",
        "'x8Kq2mP!z7Rw' is my password",
        "log in as root, pass x8Kq2mP!z7Rw",
        "use x8Kq2mP!z7Rw as the password",
        "I set WIFI_PASSWORD to \"x8Kq2mP!z7Rw\" but it still fails",
        "{\"gpgPassphrase\": {\"S\": \"x8Kq2mP!z7Rw\"}, \"id\": {\"N\": \"7\"}}",
        "::set-output name=backup-passphrase::x8Kq2mP!z7Rw\n::endgroup::",
        "echo \"::add-mask::x8Kq2mP!z7Rw\"",
        "MONGO_PASSWORD:: x8Kq2mP!z7Rw\nMODE:: x",
    ] {
        assert!(!redact(text).contains("x8Kq2mP"), "{text}");
    }
    all_stay(&[
        "length is the password",
        "bcrypt2 is the password hasher we use",
        "pass Option1Value to the caller",
        "what is the password",
        "echo \"::add-mask::$TOKEN\"",
        "type Token :: Parser Value2",
    ]);
}

#[test]
fn notes_of_a_user_and_a_password_are_read() {
    for text in [
        "ID/PW:mira/¤",
        "ID/PW->mira/¤",
        "ID/PW(mira/¤)",
        "(ID&PWD):mira/¤",
        " ID / PW : db / ¤",
        "id/pass:mira,¤",
        "ID/Password for mira (mira/¤)",
        "10.0.0.7(ID:mira/PW:¤)",
        "id(mira)/pwd(¤)",
        "PASSWORD(¤)",
        "password for mira:¤",
    ] {
        for value in ["meadow703", "445xq1fhs8"] {
            let shown = redact(&text.replace('¤', value));
            assert!(!shown.contains(value), "{shown}");
        }
    }
    all_stay(&[
        "ID/PW: see wiki",
        "user/password pairs are kept",
        "id/password/token2 fields",
        "password(user1Name)",
        "the password is incorrect",
    ]);
}

#[test]
fn the_default_of_a_secrets_name_is_its_value() {
    for text in [
        "System.getenv(\"KS_PASSWORD\") ?: \"¤\"",
        "local p = os.getenv(\"PG_PASSWORD\") or \"¤\"",
        "$k = getenv('CRON_PASSWORD') ?: '¤';",
        "if SECRET := getenv(\"X\", \"¤\"):",
        "#[arg(long, env = \"DB_PASSWORD\", default_value = \"¤\")]",
        "pub static ILO_PASSWORD: Lazy<String> = Lazy::new(|| \"¤\".to_owned());",
        "public string JobSecret { get; set; } = \"¤\";",
        "const db_password: []const u8 = \"¤\";",
        "Const DB_PASSWORD As String = \"¤\"",
        "kibanaPassword = \"\", want \"¤\"",
        "~ DB_PASSWORD: \"\" => \"¤\"",
    ] {
        for value in ["meadow703", "Qu4rtz!wint3r72"] {
            let shown = redact(&text.replace('¤', value));
            assert!(!shown.contains(value), "{shown}");
        }
    }
    all_stay(&[
        "getenv(\"DB_PASSWORD\") or raise_error(\"no password given 2\")",
        "const password: string = \"password2\";",
        "System.getenv(\"TOKEN\") ?: \"token2\"",
    ]);
}

#[test]
fn what_an_id_calls_is_no_secret() {
    let id = "7dd21929-b0d2-4876-81cf-f086f1332a83";
    let sum = "10a5c92fa30ddb6cbb4286d7699b2b7a7e032b17";
    all_stay(&[
        &format!(
            "git config --local includeIf.gitdir:/w/.git.path /tmp/git-credentials-{id}.config"
        ),
        &format!("--file /tmp/git-credentials-{id}.config http.x.extraheader"),
        &format!(
            "fuzz/tls_private_key_parser_fuzzer.in/{sum}\nfuzz/tls_private_key_parser_fuzzer.in/{sum}"
        ),
        &format!("const QUuid KeePass2::CIPHER_AES256 = QUuid(\"{id}\");"),
        &format!("the same token in the following format: Console-CreateStack-{id}."),
        "\"documentation\":\"<p>This is the token's contract address.</p>\"",
        "private_key: PKCS7PrivateKeyTypes,",
        "0jlzCFfemQa0W50QBuHCApw+4w1IX2COPKpVJEZNZOUbWo6xbLQ0xQUHK\n0jlzCFfemQa0W50QBuHCAKi4HEoCChTQwUHK+4w1IX2COPKpVJEZNZOUbWo6xbLQ",
    ]);
    let shown = redact(&format!("url = 'api_key={sum}).join(sep)"));
    assert!(
        !shown.contains(sum) && shown.ends_with(").join(sep)"),
        "{shown}"
    );
}

#[test]
fn an_unsure_value_is_hidden_only_where_it_stands() {
    let word = format!("q83Jd02mz{}", "Kq81LmZx7");
    let shown = redact(&format!(
        "10.1.2.3 password - {word}\nsee build {word} here"
    ));
    assert!(
        shown.ends_with(&format!("see build {word} here")),
        "{shown}"
    );
}
