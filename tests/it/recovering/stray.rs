//! An older state was put back, and projects are newer than it: one thing is said of each, by all.

use super::{kinds, said};
use crate::attacks::lost::accepted;
use crate::attacks::scene::{Scene, add};
use crate::load::copy;
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// Something accepted in another project of the same home.
fn accept_in(scene: &mut Scene, name: &str) {
    let other = scene.home.folder(name);
    let first = std::mem::replace(&mut scene.root, other);
    scene.says(&["init"]);
    scene.user("other", "The queue is SQLite.");
    scene.staged(&json!([add("state.md", "- The queue is SQLite.")]));
    scene.review(&["a"]);
    scene.root = first;
}

/// Gives the newest commit this date, in seconds of which a database may begin as well.
pub fn dated(memory: &Path, date: &str) {
    let run = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(["commit", "-q", "--amend", "--no-edit", "--allow-empty"])
        .current_dir(memory)
        .env("GIT_COMMITTER_DATE", date)
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
}

#[test]
fn a_project_that_is_newer_than_the_state_that_was_put_back_is_named_so_and_adopted() {
    let mut scene = accepted();
    let backup = scene.home.path().join("backup");
    copy(&scene.home.state(), &backup);
    accept_in(&mut scene, "newer");
    dated(
        &scene.home.path().join("newer/.memory"),
        "2099-01-01T00:00:00Z",
    );
    std::fs::remove_dir_all(scene.home.state()).unwrap();
    copy(&backup, &scene.home.state());

    let newer = scene.home.path().join("newer");
    let what = "is newer than the database, an older state of which was put back";
    for command in ["status", "doctor", "verify"] {
        let told = said(&scene, &[command]);
        assert!(
            told.contains(what)
                && told.contains("put a newer state back, or run `memd init` there"),
            "{command}: {told}"
        );
        assert!(!told.contains("lost or emptied"), "{command}: {told}");
    }
    assert_eq!(kinds(&scene), ["memory-unknown"]);
    scene.root = newer;
    assert!(said(&scene, &["brief"]).contains(what));
    assert!(said(&scene, &["review", "-p", "."]).contains(what));
    // As it is said.
    scene.says(&["init"]);
    scene.review(&["a"]);
    assert!(scene.brief().contains("The queue is SQLite."));
    assert!(!scene.says(&["status"]).contains(what));
}

#[test]
fn a_newer_project_in_which_nothing_was_let_in_yet_is_told_as_newer_too() {
    let mut scene = accepted();
    let backup = scene.home.path().join("backup");
    copy(&scene.home.state(), &backup);
    let first = scene.root.clone();
    scene.root = scene.home.folder("newer");
    scene.says(&["init"]);
    dated(&scene.root.join(".memory"), "2099-01-01T00:00:00Z");
    std::fs::remove_dir_all(scene.home.state()).unwrap();
    copy(&backup, &scene.home.state());
    let what = "is newer than the database, an older state of which was put back";
    for command in ["status", "brief"] {
        let told = said(&scene, &[command]);
        assert!(told.contains(what), "{command}: {told}");
    }
    // One from before the database began was let in with another.
    dated(&scene.root.join(".memory"), "2001-01-01T00:00:00Z");
    scene.root = first;
    let told = said(&scene, &["status"]);
    assert!(told.contains("was let in with another database"), "{told}");
}

#[test]
fn a_memory_that_moved_is_never_called_unknown() {
    let mut scene = accepted();
    let moved = scene.home.path().join("moved");
    std::fs::rename(&scene.root, &moved).unwrap();
    scene.root = moved;
    for command in ["brief", "review"] {
        let told = said(&scene, &[command]);
        assert!(
            told.contains("is that of app, which lay in ") && !told.contains("does not know here"),
            "{command}: {told}"
        );
    }
    assert!(said(&scene, &["doctor"]).contains("app: its folder "));
    scene.says(&["init"]);
    assert!(scene.says(&["verify"]).starts_with("all good"));
}
