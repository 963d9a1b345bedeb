//! memd in the settings of tools, as a user has them: every byte that is not memd's stays, and what is
//! wrong is named.

use crate::attacks::scene::{Scene, both};
use crate::terminal::Terminal;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

const SETTINGS: &str = "{\n\t\"zeta\": 1,\n\t\"env\": {\"A\": \"\\u00e9\"},\n\t\"hooks\": {\n\t\t\"SessionEnd\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"python3 /old/memd.py hook session-end\"}, {\"type\": \"command\", \"command\": \"date\"}]}]\n\t},\n\t\"alpha\": []\n}";

fn settings(scene: &Scene) -> PathBuf {
    let path = scene.home.folder(".claude").join("settings.json");
    std::fs::write(&path, SETTINGS).unwrap();
    path
}

fn read(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn doctor(scene: &Scene) -> (bool, String) {
    let out = scene.memd(&["doctor"]);
    (out.status.success(), both(&out))
}

#[test]
fn hooks_go_in_and_out_and_the_bytes_come_back() {
    let scene = Scene::new();
    // Kept elsewhere, and linked.
    let path = settings(&scene);
    let real = scene.home.folder("dotfiles").join("claude.json");
    std::fs::rename(&path, &real).unwrap();
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    symlink(&real, &path).unwrap();
    let shown = scene.says(&["install-hooks", "--dry-run"]);
    assert!(
        shown.contains("+") && shown.contains("hook pre-compact"),
        "{shown}"
    );
    assert_eq!(read(&real), SETTINGS);
    // All on one line: what else stands there is not for a screen.
    std::fs::write(&real, r#"{"env": {"A_TOKEN": "the value of it"}, "x": 1}"#).unwrap();
    let shown = scene.says(&["install-hooks", "--dry-run"]);
    assert!(
        shown.contains("hook pre-compact") && shown.contains("A_TOKEN"),
        "{shown}"
    );
    assert!(!shown.contains("the value of it"), "{shown}");
    std::fs::write(&real, SETTINGS).unwrap();
    scene.says(&["install-hooks", "--yes"]);
    let after = read(&real);
    let memd = env!("CARGO_BIN_EXE_memd");
    for event in ["session-start", "session-end", "pre-compact", "stop"] {
        assert_eq!(
            after.matches(&format!("'{memd}' hook {event}")).count(),
            1,
            "{after}"
        );
    }
    assert!(!after.contains("/old/memd.py") && after.contains("\"command\": \"date\""));
    assert!(after.starts_with("{\n\t\"zeta\": 1,\n\t\"env\": {\"A\": \"\\u00e9\"},"));
    assert!(path.symlink_metadata().unwrap().is_symlink());
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(
        scene
            .says(&["install-hooks", "--yes"])
            .contains("are in place in")
    );
    assert_eq!(read(&real), after);
    let (_, said) = doctor(&scene);
    assert!(said.contains("Claude Code calls this memd"), "{said}");
    scene.says(&["uninstall-hooks", "--yes"]);
    assert_eq!(read(&real), SETTINGS);
    scene.says(&["verify"]);
}

#[test]
fn a_file_that_was_changed_since_loses_only_our_calls() {
    let scene = Scene::new();
    let path = settings(&scene);
    scene.says(&["install-hooks", "--yes"]);
    let changed = read(&path).replace("\"zeta\": 1", "\"zeta\": 2");
    std::fs::write(&path, changed).unwrap();
    scene.says(&["uninstall-hooks", "--yes"]);
    let left = read(&path);
    assert!(
        left.contains("\"zeta\": 2") && left.contains("date"),
        "{left}"
    );
    assert!(!left.contains("memd"), "{left}");
    // A file that memd made goes.
    std::fs::remove_file(&path).unwrap();
    scene.says(&["install-hooks", "--yes"]);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    scene.says(&["uninstall-hooks", "--yes"]);
    assert!(!path.exists());
    assert!(scene.memd(&["uninstall-hooks", "--yes"]).status.success());
}

#[test]
fn hooks_of_a_memd_that_moved_go_out_too_and_the_first_bytes_come_back() {
    let scene = Scene::new();
    let path = settings(&scene);
    let moved = scene.home.path().join("memd");
    std::fs::copy(env!("CARGO_BIN_EXE_memd"), &moved).unwrap();
    let install = || {
        let out = std::process::Command::new(&moved)
            .args(["install-hooks", "--claude", "--yes"])
            .env_clear()
            .envs(scene.home.env())
            .output();
        assert!(out.unwrap().status.success());
    };
    scene.says(&["install-hooks", "--yes"]);
    install();
    scene.says(&["uninstall-hooks", "--yes"]);
    assert_eq!(read(&path), SETTINGS);
    // Somebody wrote between the two: no call of memd's stays.
    scene.says(&["install-hooks", "--yes"]);
    let changed = read(&path).replace("\"zeta\": 1", "\"zeta\": 2");
    std::fs::write(&path, changed).unwrap();
    install();
    scene.says(&["uninstall-hooks", "--yes"]);
    let left = read(&path);
    assert!(
        !left.contains("memd") && left.contains("\"zeta\": 2"),
        "{left}"
    );
}

#[test]
fn only_a_yes_writes_and_what_cannot_be_read_is_left_alone() {
    let scene = Scene::new();
    let path = settings(&scene);
    let out = scene.memd(&["install-hooks"]);
    assert!(
        !out.status.success() && both(&out).contains("--yes"),
        "{out:?}"
    );
    let mut terminal = Terminal::start(&scene.home, &scene.root, &["install-hooks"], &[]);
    terminal.wait_for("write this into the settings of Claude Code? ");
    terminal.type_line("n");
    terminal.wait_for("nothing was changed");
    terminal.finish();
    assert_eq!(read(&path), SETTINGS);
    for bad in ["{\n  // mine\n}", "[1]", "{\"hooks\": []}"] {
        std::fs::write(&path, bad).unwrap();
        let out = scene.memd(&["install-hooks", "--yes"]);
        assert_eq!(out.status.code(), Some(1));
        assert!(both(&out).contains("settings.json\", line "), "{out:?}");
        assert_eq!(read(&path), bad);
        assert!(
            !scene.memd(&["uninstall-hooks", "--yes"]).status.success() || bad != "{\n  // mine\n}"
        );
    }
    // A secret that stands beside it is not shown.
    let secret = format!("{}{}", "gh", "p_16C7e42F292c6912E7710c838347Ae178B4a");
    std::fs::write(
        &path,
        format!("{{\n  \"env\": {{\"T\": \"{secret}\"}}\n}}\n"),
    )
    .unwrap();
    let shown = scene.says(&["install-hooks", "--dry-run"]);
    assert!(!shown.contains("16C7e42F"), "{shown}");
}

#[test]
fn other_tools_get_their_own_shape_where_they_are() {
    let scene = Scene::new();
    let home = scene.home.path();
    scene.says(&["install-hooks", "--yes"]);
    assert!(!home.join(".codex").exists() && !home.join(".gemini").exists());
    scene.home.folder(".codex");
    scene.home.folder(".gemini");
    let said = scene.says(&["install-hooks", "--yes"]);
    assert!(said.contains("Codex asks whether to trust"), "{said}");
    let codex = read(&home.join(".codex/hooks.json"));
    assert!(
        codex.contains("hook stop") && !codex.contains("session-end"),
        "{codex}"
    );
    let gemini = read(&home.join(".gemini/settings.json"));
    assert!(
        gemini.contains("PreCompress") && gemini.contains("\"timeout\": 10000"),
        "{gemini}"
    );
}

#[test]
fn doctor_names_a_key_of_the_config_that_nothing_reads_and_finds_nothing_wrong_in_it() {
    let scene = Scene::new();
    scene.says(&["install-hooks", "--yes"]);
    let config = std::fs::read_to_string(scene.home.config()).unwrap();
    let misspelled = config.replacen('{', "{\"quite_seconds\": 60,", 1);
    std::fs::write(scene.home.config(), misspelled).unwrap();
    let (well, said) = doctor(&scene);
    assert!(
        well && said.contains("memd knows no key \"quite_seconds\""),
        "{said}"
    );
}

#[test]
fn a_program_that_was_changed_in_its_place_is_named_until_it_is_installed_again() {
    let scene = Scene::new();
    let path = settings(&scene);
    let memd = scene.home.folder("bin").join("memd");
    // By a shell: what this process holds open to write cannot be run by another test's child.
    let shell = |script: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_memd")]);
        assert!(command.arg(&memd).status().unwrap().success());
    };
    shell("cp \"$1\" \"$2\"");
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new(&memd);
        let out = command.args(args).current_dir(&scene.root);
        let out = out.env_clear().envs(scene.home.env()).output().unwrap();
        both(&out)
    };
    run(&["install-hooks", "--claude", "--yes"]);
    let changed = "same version, other bytes";
    assert!(!run(&["doctor"]).contains(changed));
    // A byte behind what is loaded.
    shell("rm \"$2\" && cp \"$1\" \"$2\" && printf x >> \"$2\"");
    let told = run(&["doctor"]);
    let named = |l: &str| l.starts_with("WRONG hooks") && l.contains(changed);
    assert!(told.lines().any(named), "{told}");
    run(&["install-hooks", "--claude", "--dry-run"]);
    assert!(run(&["doctor"]).contains(changed), "nothing is recorded");
    let again = run(&["install-hooks", "--claude", "--yes"]);
    assert!(again.contains("on record"), "{again}");
    let again = run(&["install-hooks", "--claude", "--yes"]);
    assert!(!again.contains("on record"), "{again}");
    assert!(!run(&["doctor"]).contains(changed));
    // The former bytes come back all the same.
    run(&["uninstall-hooks", "--yes"]);
    assert_eq!(read(&path), SETTINGS);
}

#[test]
fn doctor_names_what_is_wrong_and_what_to_do() {
    let scene = Scene::new();
    let path = settings(&scene);
    scene.says(&["install-hooks", "--yes"]);
    let (well, said) = doctor(&scene);
    assert!(well, "{said}");
    let good = read(&path);
    let memd = env!("CARGO_BIN_EXE_memd");
    let wrongs = [
        (
            good.replace(&format!("'{memd}' hook stop"), "'/gone/memd' hook stop"),
            "Stop: the program is gone",
        ),
        (
            good.replace(&format!("'{memd}' hook stop"), "memd hook stop"),
            "Stop: another command than",
        ),
        (
            good.replace("hook pre-compact", "brief"),
            "PreCompact: the hook that memd installed was changed or taken out",
        ),
        (
            good.replacen("\"zeta\": 1", "\"disableAllHooks\": true", 1),
            "turns every hook off",
        ),
        ("{}".to_owned(), "its hooks were changed or taken out"),
        ("{".to_owned(), "settings.json\", line 1"),
    ];
    for (text, what) in wrongs {
        std::fs::write(&path, text).unwrap();
        let (well, said) = doctor(&scene);
        assert!(!well && said.contains(what), "{what}: {said}");
    }
    std::fs::write(&path, &good).unwrap();
    let local = scene.root.join(".claude");
    std::fs::create_dir_all(&local).unwrap();
    std::fs::write(
        local.join("settings.local.json"),
        "{\"disableAllHooks\": true}",
    )
    .unwrap();
    assert!(doctor(&scene).1.contains("for sessions there"));
    std::fs::remove_dir_all(&local).unwrap();
    std::fs::set_permissions(
        scene.home.state().join("key"),
        PermissionsExt::from_mode(0o644),
    )
    .unwrap();
    let (well, said) = doctor(&scene);
    assert!(!well && said.contains("others can read"), "{said}");
    std::fs::set_permissions(
        scene.home.state().join("key"),
        PermissionsExt::from_mode(0o600),
    )
    .unwrap();
    let config = serde_json::json!({"claude_bin": "no-such-claude"});
    std::fs::write(scene.home.config(), config.to_string()).unwrap();
    let jobs = scene.home.folder("state/memd/jobs");
    std::fs::write(jobs.join("a.bad"), "").unwrap();
    std::fs::write(
        jobs.join("b.json"),
        r#"{"version":1,"kind":"sweep","at":"2026-10-01T10:00:00Z"}"#,
    )
    .unwrap();
    // As memd leaves them.
    for (path, mode) in [("", 0o700), ("a.bad", 0o600), ("b.json", 0o600)] {
        std::fs::set_permissions(jobs.join(path), PermissionsExt::from_mode(mode)).unwrap();
    }
    let out = scene.memd(&["doctor", "--json"]);
    assert_eq!(out.status.code(), Some(1));
    let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let all = all.as_array().unwrap();
    let wrong: Vec<_> = all
        .iter()
        .filter(|f| f["health"] == "wrong")
        .map(|f| f["area"].as_str().unwrap())
        .collect();
    assert_eq!(wrong, ["curator", "jobs", "jobs"], "{all:?}");
}
