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

#[test]
fn commits_that_another_branch_or_none_leads_to_are_told_from_those_that_are_gone() {
    let scene = accepted();
    let memory = scene.root.join(".memory");
    let remark = || said(&scene, &["verify"]);
    git(&memory, &["switch", "-q", "-c", "exp", "HEAD~1"]);
    let told = remark();
    assert!(
        told.contains("1 of the commits that are gone stands on the branch \"main\"")
            && told.contains(" switch main` goes back there"),
        "{told}"
    );
    git(&memory, &["switch", "-q", "main"]);
    assert!(remark().starts_with("all good"));
    let commit = git(&memory, &["rev-parse", "HEAD"]);
    git(&memory, &["reset", "-q", "--hard", "HEAD~1"]);
    let told = remark();
    let way_back = format!(" merge {}` brings the last one back", &commit[..10]);
    assert!(
        told.contains("stands on no branch") && told.contains(&way_back),
        "{told}"
    );
    git(&memory, &["merge", "-q", commit.trim()]);
    assert!(remark().starts_with("all good"));
}

#[test]
fn in_the_middle_of_a_merge_nobody_is_sent_to_a_review() {
    let scene = accepted();
    let memory = scene.root.join(".memory");
    let state = memory.join("state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    git(&memory, &["switch", "-q", "-c", "theirs"]);
    std::fs::write(&state, text.replace("9090", "1111")).unwrap();
    git(&memory, &["commit", "-qam", "theirs"]);
    git(&memory, &["switch", "-q", "main"]);
    std::fs::write(&state, text.replace("9090", "2222")).unwrap();
    git(&memory, &["commit", "-qam", "ours"]);
    git(&memory, &["merge", "theirs"]);
    let told = said(&scene, &["verify"]);
    assert!(
        told.contains("finish or abort what your git has begun there")
            && !told.contains("adopt or restore it"),
        "{told}"
    );
    for command in ["status", "doctor", "verify", "review"] {
        let told = said(&scene, &[command]);
        assert!(told.contains("a merge is under way"), "{command}: {told}");
        assert!(
            told.contains("changes none of its files"),
            "{command}: {told}"
        );
    }
    // A note is no file of git's, and waits.
    let before = git(&memory, &["status", "--porcelain"]);
    scene.says(&["note", "-m", "the queue is SQLite"]);
    assert_eq!(git(&memory, &["status", "--porcelain"]), before);
    assert!(scene.says(&["status"]).contains("1 note"));
}
