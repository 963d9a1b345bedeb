//! A state or configuration folder that the environment puts into a project.

use super::{Path, PathBuf, run};
use crate::attacks::lost::accepted;
use crate::support::Home;
use assert_cmd::Command;

const ALL: [&[&str]; 12] = [
    &["status"],
    &["brief"],
    &["verify"],
    &["review"],
    &["doctor"],
    &["doctor", "--json"],
    &["log"],
    &["audit"],
    &["key"],
    &["distill"],
    &["note", "-m", "a word"],
    &["redact"],
];

/// A command of somebody whose environment says so.
fn with(home: &Home, cwd: &Path, variable: &str, place: &Path, args: &[&str]) -> Command {
    let mut command = home.memd(cwd);
    command.args(args).env(variable, place);
    command
}

/// The state of this home, as a project of `app` could bring it.
fn brought(app: &Path, state: &Path) -> PathBuf {
    let place = app.join(".x");
    std::fs::create_dir_all(place.join("memd")).unwrap();
    for name in ["key", "memd.db"] {
        std::fs::copy(state.join(name), place.join("memd").join(name)).unwrap();
    }
    place
}

#[test]
fn a_state_folder_that_a_project_brings_seals_nothing_and_is_named_by_all() {
    let scene = accepted();
    let app = &scene.root;
    std::fs::create_dir_all(app.join(".git")).unwrap();
    let given = scene.brief();
    assert!(!given.is_empty());
    let place = brought(app, &scene.home.state());
    for args in ALL {
        for cwd in [app.clone(), scene.home.path()] {
            let out = with(&scene.home, &cwd, "XDG_STATE_HOME", &place, args);
            let out = { out }.output().unwrap();
            let said = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
            assert!(!out.status.success(), "{args:?}: {said}");
            let what = "XDG_STATE_HOME puts memd's state into a project";
            assert!(said.contains(what), "{args:?}: {said}");
        }
    }
    // The session that is given it otherwise is told, in no words of the project's.
    let payload = serde_json::json!({ "cwd": app, "hook_event_name": "SessionStart" });
    let mut hook = with(
        &scene.home,
        &scene.home.path(),
        "XDG_STATE_HOME",
        &place,
        &["hook", "session-start"],
    );
    let out = hook.write_stdin(payload.to_string()).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && said.contains("you are given no memory"));
    assert!(!said.contains(".x") && !said.contains("\\n| "), "{said}");
    assert_eq!(scene.brief(), given);
}

#[test]
fn a_configuration_that_a_project_brings_runs_nothing() {
    let home = Home::new();
    let app = home.folder("work/app");
    std::fs::create_dir_all(app.join(".git")).unwrap();
    let (place, canary) = (app.join(".x"), home.path().join("canary"));
    std::fs::create_dir_all(place.join("memd")).unwrap();
    let config = serde_json::json!({ "curator_cmd": ["touch", &canary] });
    std::fs::write(place.join("memd/config.json"), config.to_string()).unwrap();
    assert_eq!(run(&home, &app, &["init"]).0, Some(0));
    super::session(&home, &app, "word");
    for args in [&["distill"][..], &["sweep"], &["work"], &["status"]] {
        let mut command = with(&home, &app, "XDG_CONFIG_HOME", &place, args);
        let out = command.output().unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("XDG_CONFIG_HOME"), "{args:?}: {said}");
    }
    for event in ["session-start", "session-end"] {
        let payload = serde_json::json!({ "cwd": app, "session_id": "word" });
        let (from, args) = (home.path(), ["hook", event]);
        let mut hook = with(&home, &from, "XDG_CONFIG_HOME", &place, &args);
        hook.write_stdin(payload.to_string()).assert().success();
        assert!(!home.state().join("jobs").exists());
    }
    assert!(!canary.exists());
}

#[test]
fn a_home_works_and_one_that_is_a_project_or_lies_in_one_does_not() {
    let home = Home::new();
    for repository in [".config/.git", "work/app/.git"] {
        home.folder(repository);
    }
    let app = home.path().join("work/app");
    let defaults = |home_is: &Path, args: &[&str]| {
        let mut command = home.memd(&app);
        command.env_remove("XDG_STATE_HOME");
        command.env_remove("XDG_CONFIG_HOME").env("HOME", home_is);
        command.args(args).output().unwrap()
    };
    for args in [&["init"][..], &["status"], &["verify"], &["brief"]] {
        let out = defaults(&home.path(), args);
        assert!(out.status.success(), "{args:?}: {out:?}");
    }
    assert!(home.path().join(".local/state/memd/memd.db").exists());
    // As the fixtures of all tests: moved, and below the home.
    assert_eq!(run(&home, &home.path(), &["status"]).0, Some(0));
    let out = defaults(&home.folder("work/app/.h"), &["status"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    assert!(String::from_utf8(out.stderr).unwrap().contains("HOME puts"));
    // The system knows another home for whoever runs this.
    home.folder("brought/.git");
    let brought = home.folder("brought");
    for args in [&["status"][..], &["brief"], &["verify"], &["distill"]] {
        let out = defaults(&brought, args);
        assert_eq!(out.status.code(), Some(2), "{args:?} {out:?}");
        assert!(String::from_utf8(out.stderr).unwrap().contains("HOME puts"));
    }
}
