//! `.memory/.git` is gone: a new history begins with what was accepted, by `memd init` or the next apply.

use super::{said, settle};
use crate::attacks::lost::accepted;
use crate::attacks::scene::{Scene, add};
use crate::world::git;
use serde_json::json;

fn without_history() -> Scene {
    let scene = accepted();
    std::fs::remove_dir_all(scene.root.join(".memory/.git")).unwrap();
    for command in ["status", "doctor"] {
        let told = said(&scene, &[command]);
        assert!(
            told.contains("its history is gone: ") && told.contains("memd init"),
            "{command}: {told}"
        );
    }
    scene
}

fn log(scene: &Scene) -> String {
    git(
        &scene.root.join(".memory"),
        &["log", "-p", "--reverse", "--format=commit %s"],
    )
}

/// What is in the first commit and what in the later ones.
fn first_and_rest(scene: &Scene) -> (String, String) {
    let log = log(scene);
    let mut parts = log.splitn(3, "commit ").skip(1);
    let first = parts.next().unwrap_or_default().to_owned();
    (first, parts.next().unwrap_or_default().to_owned())
}

#[test]
fn init_begins_a_history_with_what_was_accepted_and_says_so() {
    let scene = without_history();
    let told = scene.says(&["init"]);
    assert!(
        told.contains("began a new one with what was accepted, committed as ")
            && told.contains("memd verify --settle")
            && !told.contains("nothing was made"),
        "{told}"
    );
    let (first, rest) = first_and_rest(&scene);
    assert!(
        first.starts_with("a new history") && first.contains("+- The API listens on port 9090."),
        "{first}"
    );
    assert_eq!(rest, "");
    assert!(said(&scene, &["verify"]).contains("commits that are gone"));
    settle(&scene);
    assert!(scene.says(&["verify"]).contains("all good"));
    assert!(!scene.says(&["status"]).contains("problem"));
    assert!(scene.memd(&["doctor"]).status.code().is_some());
    // A second one has nothing to do.
    assert!(scene.says(&["init"]).contains("nothing was made"));
}

#[test]
fn what_nobody_accepted_is_not_in_the_first_commit() {
    let scene = without_history();
    let state = scene.root.join(".memory/state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    let by_hand = text.replace("9090", "6666") + "- By hand.\n";
    std::fs::write(&state, &by_hand).unwrap();
    scene.says(&["init"]);
    let (first, rest) = first_and_rest(&scene);
    assert!(
        first.contains("+- The API listens on port 9090.")
            && !first.contains("6666")
            && !first.contains("By hand."),
        "{first}"
    );
    assert_eq!(rest, "");
    assert_eq!(std::fs::read_to_string(&state).unwrap(), by_hand);
    scene.review(&["a", "a"]);
    let (_, rest) = first_and_rest(&scene);
    assert!(rest.starts_with("by hand, not adopted"), "{rest}");
    assert!(rest.contains("+- By hand."), "{rest}");
}

#[test]
fn the_next_apply_begins_it_too() {
    let scene = without_history();
    scene.user("s", "The queue is SQLite.");
    scene.staged(&json!([add("state.md", "- The queue is SQLite.")]));
    scene.review(&["a"]);
    let (first, rest) = first_and_rest(&scene);
    assert!(
        first.starts_with("a new history") && !first.contains("SQLite"),
        "{first}"
    );
    assert!(
        rest.starts_with("distill ") && rest.contains("+- The queue is SQLite."),
        "{rest}"
    );
    assert!(!log(&scene).contains("by hand"));
}

#[test]
fn a_memory_that_nobody_let_in_here_is_committed_as_by_hand() {
    let scene = Scene::bare("app");
    let memory = scene.root.join(".memory");
    std::fs::create_dir(&memory).unwrap();
    std::fs::write(memory.join("state.md"), "# State\n\n- Came with a copy.\n").unwrap();
    let told = scene.says(&["init"]);
    assert!(told.contains("(by hand, not adopted)"), "{told}");
    assert!(log(&scene).contains("commit by hand, not adopted"));
}
