//! What a person's git committed, or took out of history: marks of a conflict, and a purge.

use super::said;
use crate::attacks::lost::accepted;
use crate::world::git;

#[test]
fn marks_of_a_conflict_that_were_committed_are_named_by_status_and_doctor_until_they_are_out() {
    let scene = accepted();
    let memory = scene.root.join(".memory");
    let state = memory.join("state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    let fact = "- The API listens on port 9090.\n";
    let marked =
        format!("<<<<<<< HEAD\n{fact}=======\n- The API listens on port 7070.\n>>>>>>> theirs\n");
    std::fs::write(&state, text.replace(fact, &marked)).unwrap();
    git(&memory, &["commit", "-qam", "both"]);
    for command in ["status", "doctor"] {
        let told = said(&scene, &[command]);
        assert!(
            told.contains(
                "state.md holds git's marks of a merge conflict, the first of them \"<<<<<<< HEAD\""
            ) && told.contains("take the marks out"),
            "{command}: {told}"
        );
    }
    std::fs::write(&state, text).unwrap();
    for command in ["status", "doctor"] {
        assert!(
            !said(&scene, &[command]).contains("merge conflict"),
            "{command}"
        );
    }
}

#[test]
fn a_commit_that_was_purged_is_named_as_gone() {
    let scene = accepted();
    let memory = scene.root.join(".memory");
    let log = scene.says(&["log"]);
    let id = log.split_whitespace().nth(3).unwrap().to_owned();
    let told = scene.says(&["show", &id]);
    assert!(
        told.contains(", commit ") && !told.contains("not in the history"),
        "{told}"
    );
    let commit = git(&memory, &["rev-parse", "HEAD"]);
    git(
        &memory,
        &["commit", "-q", "--amend", "--allow-empty", "-m", "purged"],
    );
    git(&memory, &["reflog", "expire", "--expire=now", "--all"]);
    git(&memory, &["gc", "-q", "--prune=now"]);
    let told = scene.says(&["show", &id]);
    assert!(
        told.contains("which is not in the history any more"),
        "{told}"
    );
    let told = said(&scene, &["restore", "--all", "--at", &commit[..8]]);
    assert!(
        told.contains("there is no commit") && told.contains("memd log"),
        "{told}"
    );
}
