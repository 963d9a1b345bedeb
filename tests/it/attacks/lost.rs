//! What is lost or damaged beneath memd: each command says so, and what to do.

use super::scene::{Scene, add, both};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A project in which a person accepted an entry of state.md and one of todo.md.
pub fn accepted() -> Scene {
    let scene = Scene::new();
    scene.user(
        "s",
        "Decision: the API listens on port 9090. Retries come next.",
    );
    scene.staged(&json!([
        add("state.md", "- The API listens on port 9090."),
        add("todo.md", "- [ ] Retries")
    ]));
    scene.review(&["a", "a"]);
    assert!(scene.brief().contains("| - The API listens on port 9090."));
    scene
}

fn memory(scene: &Scene) -> PathBuf {
    scene.root.join(".memory")
}

fn session_start(scene: &Scene) -> String {
    let mut memd = scene.home.memd(&scene.root);
    let run = memd.args(["hook", "session-start"]).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    let text = &json["hookSpecificOutput"]["additionalContext"];
    crate::support::without_nonce(text.as_str().unwrap())
}

#[test]
fn a_memory_that_is_gone_is_named_by_all_and_comes_back() {
    let scene = accepted();
    for gone in ["files", "folder"] {
        match gone {
            "folder" => std::fs::remove_dir_all(memory(&scene)).unwrap(),
            _ => {
                for name in ["state", "decisions", "mistakes", "todo"] {
                    std::fs::remove_file(memory(&scene).join(name).with_extension("md")).unwrap();
                }
            }
        }
        scene.user("s", "Decision: the queue is SQLite.");
        scene.script("touch \"$1/asked\"; exit 1");
        for said in [
            scene.says(&["status"]),
            scene.brief(),
            session_start(&scene),
            both(&scene.memd(&["distill"])),
            both(&scene.memd(&["distill", "--dry-run"])),
        ] {
            assert!(said.contains("is gone or holds none"), "{gone}: {said}");
            assert!(said.contains("memd init"), "{gone}: {said}");
            assert!(
                !said.contains("1970") && !said.contains("nothing new"),
                "{said}"
            );
        }
        assert_eq!(scene.memd(&["distill"]).status.code(), Some(1));
        assert!(
            !scene.home.path().join("asked").exists(),
            "no curator is asked"
        );
        assert_eq!(
            memory(&scene).exists(),
            gone == "files",
            "looking makes nothing"
        );
        let doctor = both(&scene.memd(&["doctor"]));
        assert!(doctor.contains("WRONG memory    app: "), "{doctor}");
        let init = scene.says(&["init"]);
        assert!(
            init.contains("2 entries that were let in are not there any more")
                && !init.contains("stand"),
            "{init}"
        );
        let status = scene.says(&["status"]);
        assert!(
            status.contains("2 entries that were let in, not on disk any more: memd review")
                && !status.contains("not accepted"),
            "{status}"
        );
        let brief = scene.brief();
        assert!(
            brief.contains("Gone from disk: 2 entries that were let in;")
                && !brief.contains("nobody"),
            "{brief}"
        );
        // What was accepted is offered as taken out; a no puts it back.
        scene.review(&["r", "r"]);
        assert!(
            scene.brief().contains("| - The API listens on port 9090."),
            "{gone}"
        );
    }
}

#[test]
fn one_missing_file_has_no_date() {
    let scene = accepted();
    std::fs::remove_file(memory(&scene).join("state.md")).unwrap();
    let brief = scene.brief();
    assert!(
        brief.contains("Retries") && !brief.contains("1970"),
        "{brief}"
    );
}

#[test]
fn one_unreadable_file_does_not_keep_the_others_from_an_agent() {
    let scene = accepted();
    std::fs::write(memory(&scene).join("todo.md"), b"- \xff\n").unwrap();
    for brief in [scene.brief(), session_start(&scene)] {
        assert!(
            brief.contains("| - The API listens on port 9090."),
            "{brief}"
        );
        assert!(
            brief.contains("Left out, tell the user: todo.md: "),
            "{brief}"
        );
        assert!(brief.contains("is not UTF-8"), "{brief}");
        assert!(!brief.contains("nobody accepted"), "{brief}");
    }
    let status = scene.says(&["status"]);
    assert!(status.contains("is not UTF-8"), "{status}");
    let shown = scene.shown(&["review", "--plain"]);
    assert!(shown.contains("is not UTF-8"), "{shown}");
    assert!(!shown.contains("nothing to review"), "{shown}");
}

#[test]
fn a_database_that_was_lost_or_emptied_is_not_nothing_to_verify() {
    let scene = accepted();
    let database = scene.home.state().join("memd.db");
    let wreck = |what: &str| match what {
        "emptied" => std::fs::write(&database, "").unwrap(),
        "lost with its key" => std::fs::remove_dir_all(scene.home.state()).unwrap(),
        _ => std::fs::remove_file(&database).unwrap(),
    };
    for what in ["emptied", "lost", "lost with its key"] {
        for beside in ["memd.db-wal", "memd.db-shm"] {
            let _ = std::fs::remove_file(scene.home.state().join(beside));
        }
        wreck(what);
        for args in [
            &["status"][..],
            &["brief"],
            &["review"],
            &["log"],
            &["key"],
            &["audit"],
            &["doctor"],
            &["distill"],
            &["sweep"],
            &["show", "0a"],
            &["history", "port"],
            &["restore", "state.md", "--at", "0a"],
        ] {
            let run = scene.memd(args);
            let said = both(&run);
            assert_eq!(run.status.code(), Some(1), "{what} {args:?}: {said}");
            assert!(
                said.contains("the database was lost or emptied") && said.contains("memd init"),
                "{what} {args:?}: {said}"
            );
        }
        let told = session_start(&scene);
        assert!(told.contains("the database was lost or emptied"), "{told}");
        let run = scene.memd(&["verify"]);
        let said = both(&run);
        assert_eq!(run.status.code(), Some(1), "{what}: {said}");
        assert!(
            said.contains("lost or emptied") && said.contains("memd init"),
            "{said}"
        );
        let run = scene.memd(&["verify", "--json"]);
        let json: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(json["ok"], false);
        assert_eq!(json["breaks"][0]["kind"], "database-lost");
    }
    assert!(scene.memd(&["init"]).status.success());
    let status = scene.says(&["status"]);
    assert!(status.contains("2 entries on disk"), "{status}");
}

#[test]
fn a_key_that_only_a_redaction_made_is_no_lost_database() {
    let scene = Scene::bare("app");
    std::fs::create_dir_all(scene.home.state()).unwrap();
    std::fs::write(scene.home.state().join("key"), [7; 32]).unwrap();
    let said = scene.says(&["verify"]);
    assert!(said.starts_with("nothing to verify"), "{said}");
}

#[test]
fn a_state_folder_that_cannot_be_written_still_gives_the_brief() {
    let scene = accepted();
    let state = scene.home.state();
    // What memd 0.3 left was taken over, and stays where it is.
    std::fs::write(state.join("cursors.json"), "{}").unwrap();
    assert!(scene.memd(&["status"]).status.success());
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    };
    let database = state.join("memd.db");
    mode(&database, 0o400);
    mode(&state, 0o500);
    scene.home.bind();
    let written = scene.memd(&["init"]);
    assert_eq!(written.status.code(), Some(1), "{written:?}");
    let said = [scene.brief(), session_start(&scene)];
    let whole = [&["status"][..], &["log"], &["verify"]].map(|args| scene.memd(args));
    mode(&state, 0o700);
    mode(&database, 0o600);
    for brief in said {
        assert!(
            brief.contains("| - The API listens on port 9090."),
            "{brief}"
        );
    }
    for out in whole {
        assert!(out.status.success(), "{out:?}");
    }
}

#[test]
fn a_key_that_cannot_be_used_is_told_to_the_agent_as_such() {
    let scene = accepted();
    let key = scene.home.state().join("key");
    let mode = |mode| std::fs::set_permissions(&key, PermissionsExt::from_mode(mode)).unwrap();
    mode(0o644);
    for said in [scene.brief(), session_start(&scene)] {
        assert!(said.contains("nothing can be verified"), "{said}");
        assert!(!said.contains("nobody accepted"), "{said}");
        assert!(!said.contains("9090"), "{said}");
    }
    mode(0o600);
    assert!(scene.brief().contains("9090"));
}

#[test]
fn after_one_memory_is_begun_anew_the_loss_is_named_for_the_others() {
    let scene = accepted();
    let other = scene.home.folder("other");
    let forgotten = scene.home.folder("forgotten");
    let fresh = scene.home.folder("fresh");
    for dir in [&other, &forgotten] {
        let init = scene.home.memd(dir).arg("init").output().unwrap();
        assert!(init.status.success(), "{init:?}");
    }
    crate::recovering::stray::dated(&memory(&scene), "2001-01-01T00:00:00Z");
    for name in ["memd.db", "memd.db-wal", "memd.db-shm"] {
        let _ = std::fs::remove_file(scene.home.state().join(name));
    }
    for args in [&["init"][..], &["forget", "--yes", "."]] {
        let run = scene.home.memd(&forgotten).args(args).output().unwrap();
        assert!(run.status.success(), "{run:?}");
    }
    let init = scene.home.memd(&other).arg("init").output().unwrap();
    assert!(init.status.success(), "{init:?}");
    let said = "was let in with another database";
    let root = scene.root.display().to_string();
    let status = scene.says(&["status"]);
    assert!(
        status.contains(said) && status.contains(&root) && status.contains("memd init"),
        "{status}"
    );
    let json: Value = serde_json::from_str(&scene.says(&["status", "--json"])).unwrap();
    let told = json.as_array().unwrap().iter().find(|v| v["root"] == root);
    assert!(
        told.unwrap()["problems"][0]
            .as_str()
            .unwrap()
            .contains(said)
    );
    for args in [&["brief"][..], &["doctor"], &["review", "--project", "."]] {
        let run = scene.memd(args);
        assert_eq!(run.status.code(), Some(1), "{args:?} {run:?}");
        assert!(both(&run).contains(said), "{args:?} {run:?}");
    }
    assert!(session_start(&scene).contains(said));
    let verify = scene.memd(&["verify", "--json"]);
    let json: Value = serde_json::from_slice(&verify.stdout).unwrap();
    let lost = json["breaks"].as_array().unwrap();
    assert_eq!(lost.len(), 1, "{json}");
    assert_eq!(lost[0]["kind"], "memory-unknown");
    assert!(lost[0]["place"].as_str().unwrap().starts_with(&root));
    // Where no memory of ours stands there is nothing to say.
    std::fs::create_dir(fresh.join(".memory")).unwrap();
    assert!(!scene.says(&["status"]).contains("fresh"));
    assert!(scene.memd(&["init"]).status.success());
    assert!(!scene.says(&["status"]).contains(said));
    assert!(!both(&scene.memd(&["verify"])).contains("holds nothing of it"));
}
