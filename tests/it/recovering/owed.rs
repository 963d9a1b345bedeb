//! git cannot read something, or its configuration: each command names just that, and the commit that is
//! owed meanwhile is made once it can.

use super::{kinds, said};
use crate::attacks::lost::accepted;
use crate::attacks::scene::{Scene, add};
use crate::world::git;
use serde_json::json;

/// Accepts a fact while git cannot commit; what the review said.
fn owing(scene: &Scene) -> String {
    scene.user("s", "The queue is SQLite.");
    scene.staged(&json!([add("state.md", "- The queue is SQLite.")]));
    let mut terminal = scene.terminal(&["review", "--plain"]);
    for key in ["a", "w"] {
        terminal.answer(key);
    }
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    let (_, bytes) = terminal.finish();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_history_that_cannot_be_read_is_named_as_that_and_the_owed_commit_is_made_by_doctor() {
    let scene = accepted();
    let head = scene.root.join(".memory/.git/HEAD");
    let config = scene.home.path().join(".gitconfig");
    let whole = std::fs::read(&head).unwrap();
    for (what, damaged) in [
        ("cannot read HEAD", &head),
        ("reads your git configuration first", &config),
    ] {
        std::fs::write(damaged, "[no such thing\n").unwrap();
        for command in ["status", "doctor", "verify"] {
            let told = said(&scene, &[command]);
            assert!(told.contains(what), "{command}: {told}");
            assert!(!told.contains("memory file that cannot be read"), "{told}");
        }
        assert_eq!(kinds(&scene), ["history-unreadable"], "{what}");
        if damaged == &head {
            let told = owing(&scene);
            assert!(told.contains("its commit is owed"), "{told}");
            assert!(!told.contains("by hand"), "{told}");
            let owed = "1 commit, made with the next review, distill or doctor";
            assert!(scene.says(&["status"]).contains(owed));
        }
        match damaged == &head {
            true => std::fs::write(damaged, &whole).unwrap(),
            false => std::fs::remove_file(damaged).unwrap(),
        }
        assert_eq!(kinds(&scene), [""; 0]);
    }
    let told = said(&scene, &["doctor"]);
    assert!(
        told.contains("1 commit was owed, and is made now"),
        "{told}"
    );
    assert!(!scene.says(&["status"]).contains("owed"));
    let log = git(&scene.root.join(".memory"), &["log", "-p", "-1"]);
    assert!(log.contains("+- The queue is SQLite."), "{log}");
}

#[test]
fn what_keeps_every_history_from_being_read_is_one_break() {
    let scene = accepted();
    let (other, forgotten) = (scene.home.folder("other"), scene.home.folder("forgotten"));
    for dir in [&other, &forgotten] {
        assert!(
            scene
                .home
                .memd(dir)
                .arg("init")
                .output()
                .unwrap()
                .status
                .success()
        );
    }
    scene.says(&["forget", "--yes", forgotten.to_str().unwrap()]);
    std::fs::write(scene.home.path().join(".gitconfig"), "[core\n").unwrap();
    assert_eq!(kinds(&scene), ["history-unreadable"]);
    std::fs::remove_file(scene.home.path().join(".gitconfig")).unwrap();
    // What is off the books is no project, and nobody offers what stands there.
    std::fs::write(forgotten.join(".memory/state.md"), "- By hand.\n").unwrap();
    let told = scene.says(&["verify"]);
    assert!(
        told.contains(" 2 projects,") && told.contains("taken off the books"),
        "{told}"
    );
}

#[test]
fn where_head_leads_nowhere_nothing_is_committed_beside_the_history() {
    let scene = accepted();
    let head = scene.root.join(".memory/.git/HEAD");
    let whole = std::fs::read(&head).unwrap();
    std::fs::write(&head, "ref: refs/heads/other\n").unwrap();
    let told = owing(&scene);
    assert!(
        told.contains("its commit is owed") && told.contains("symbolic-ref HEAD"),
        "{told}"
    );
    assert!(!scene.root.join(".memory/.git/refs/heads/other").exists());
    std::fs::write(&head, whole).unwrap();
    said(&scene, &["doctor"]);
    let log = git(&scene.root.join(".memory"), &["log", "--format=%s"]);
    assert_eq!(log.lines().count(), 3, "{log}");
    assert!(scene.says(&["verify"]).starts_with("all good"));
}
