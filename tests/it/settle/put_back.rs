//! An older memory, database or state folder was put back, or history was purged or begun anew.

use super::{
    PORT, QUEUE, accept, accepted, adopt_all, copy, kinds, last_act, memory, rotates, settle,
    verify,
};
use crate::attacks::scene::{Scene, add, both};
use crate::world::git;
use serde_json::json;
use std::path::Path;
use std::process::Command;

#[test]
fn an_older_memory_put_back_is_reviewed_and_its_missing_commits_are_settled() {
    let scene = accepted();
    let backup = scene.home.path().join("backup");
    copy(&memory(&scene), &backup);
    accept(&scene, "two", QUEUE);
    copy(&backup, &memory(&scene));
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("an older .memory/ was put back") && said.contains("memd verify --settle"),
        "{said}"
    );
    assert!(
        said.contains("entry that is gone: `memd review` offers"),
        "{said}"
    );
    assert_eq!(kinds(&scene).0, ["commit-gone", "entry-missing"]);
    // What stands on disk is decided in a review, and settles nothing else.
    scene.review(&["r"]);
    assert!(scene.brief().contains(QUEUE));
    assert_eq!(kinds(&scene).0, ["commit-gone"]);
    let (code, said) = settle(&scene, "put back yesterday's backup");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("made for proposal"), "{said}");
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("settled by you (1)")
            && said.contains("put back yesterday's backup")
            && said.contains("all good but for what you settled (1)"),
        "{said}"
    );
    assert_eq!(kinds(&scene), (vec![], vec!["commit-gone".to_owned()]));
    let (act, details) = last_act(&scene);
    assert_eq!(act, "settle");
    assert_eq!(details["settled"][0]["ids"].as_array().unwrap().len(), 1);
    // Another commit that goes is another break.
    copy(&memory(&scene), &backup);
    accept(&scene, "three", "- Retries are 3.");
    copy(&backup, &memory(&scene));
    let (breaks, settled) = kinds(&scene);
    assert_eq!(breaks, ["commit-gone", "entry-missing"]);
    assert_eq!(settled, ["commit-gone"]);
    scene.review(&["r"]);
    assert_eq!(settle(&scene, "again").0, 0);
    assert_eq!(kinds(&scene).1, ["commit-gone", "commit-gone"]);
    assert!(rotates(&scene));
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("settled by you (2)"), "{said}");
}

#[test]
fn an_older_database_put_back_is_reviewed_and_the_lost_end_of_the_chain_is_settled() {
    let scene = accepted();
    let state = scene.home.state();
    let backup = scene.home.path().join("backup");
    copy(&state, &backup);
    accept(&scene, "two", QUEUE);
    let late = scene.home.path().join("late.jsonl");
    assert!(
        scene
            .memd(&["audit", "--export", late.to_str().unwrap()])
            .status
            .success()
    );
    copy(&backup, &state);
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("the database was put back to an older state")
            && said.contains("memd verify --settle"),
        "{said}"
    );
    assert_eq!(kinds(&scene).0, ["chain-against-commits", "entry-unsealed"]);
    assert!(!scene.brief().contains(QUEUE), "the proof of it is gone");
    let (code, said) = settle(&scene, "the disk died; database of noon");
    assert_eq!(code, 1, "an entry on disk is left: {said}");
    assert!(
        said.contains("1 break left") && said.contains("memd review"),
        "{said}"
    );
    adopt_all(&scene);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(scene.brief().contains(QUEUE));
    // What was read since the backup is read again, so the line that it rests on is another.
    scene.user("three", "Decision: retries are 3.");
    scene.staged(&json!([add("state.md", "- Retries are 3.")]));
    scene.review(&["a", "a"]);
    assert_eq!(
        kinds(&scene),
        (vec![], vec!["chain-against-commits".to_owned()])
    );
    assert!(rotates(&scene));
    assert_eq!(verify(&scene).0, 0);
    // A copy of the chain from the time that is gone goes on saying so.
    let run = scene.memd(&["verify", "--file", late.to_str().unwrap()]);
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    assert!(both(&run).contains("audit chain and its export disagree"));
}

#[test]
fn a_state_from_before_a_rotation_is_told_from_a_colleagues() {
    let scene = accepted();
    let state = scene.home.state();
    let backup = scene.home.path().join("backup");
    copy(&state, &backup);
    assert!(rotates(&scene));
    accept(&scene, "two", QUEUE);
    assert!(
        scene
            .says(&["scan", "--history"])
            .contains("no secret found")
    );
    copy(&backup, &state);
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("took the place of the one here")
            && said.contains("a state folder from before that rotation was put back"),
        "{said}"
    );
    assert_eq!(kinds(&scene).0, ["chain-against-commits", "entry-unsealed"]);
    adopt_all(&scene);
    let (code, said) = settle(&scene, "the newer folder is lost, with its key");
    assert_eq!(code, 0, "{said}");
    assert!(scene.brief().contains(QUEUE));
    assert!(rotates(&scene));
}

/// As git-filter-repo does it: every commit is written anew, with its dates and what it says of itself.
fn purge(memory: &Path) {
    let script = "git fast-export --all --signed-tags=strip | sed 's/9090/9999/' > ../stream &&
                  git fast-import --force --quiet < ../stream && git reset -q --hard &&
                  git reflog expire --expire=now --all && git gc -q --prune=now && rm ../stream";
    let done = Command::new("sh")
        .args(["-c", script])
        .current_dir(memory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn a_purged_history_is_settled_and_a_forged_commit_after_it_is_not() {
    let scene = accepted();
    accept(&scene, "two", QUEUE);
    purge(&memory(&scene));
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("history was rewritten"), "{said}");
    let (breaks, _) = kinds(&scene);
    assert_eq!(
        breaks,
        ["commit-gone", "chain-against-commits", "entry-edited"]
    );
    scene.review(&["a"]);
    assert_eq!(settle(&scene, "purged the port").0, 0);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("settled by you (2)"), "{said}");
    accept(&scene, "three", "- Retries are 3.");
    assert_eq!(verify(&scene).0, 0);
    assert!(scene.says(&["log"]).contains("apply"));
    // A trailer that was copied is told as before.
    let log = git(&memory(&scene), &["log", "-1", "--format=%B"]);
    git(
        &memory(&scene),
        &["commit", "-q", "--allow-empty", "-m", &log],
    );
    assert_eq!(kinds(&scene).0, ["chain-against-commits"]);
}

#[test]
fn a_history_that_was_begun_anew_is_settled() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    assert!(scene.memd(&["init"]).status.success());
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("its .git was removed"), "{said}");
    assert_eq!(kinds(&scene).0, ["commit-gone"]);
    assert_eq!(settle(&scene, "its history was not worth keeping").0, 0);
    accept(&scene, "two", QUEUE);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_a_colleagues_memd_committed_is_no_break_once_it_is_adopted() {
    let scene = accepted();
    let theirs = Scene::bare("app");
    copy(&memory(&scene), &memory(&theirs));
    assert!(theirs.memd(&["init"]).status.success());
    // Commits carry whole seconds, and those from before a registration are none of a chain's.
    adopt_all(&theirs);
    accept(&theirs, "theirs", QUEUE);
    let (code, said) = verify(&theirs);
    assert_eq!(code, 0, "{said}");
    let from = memory(&theirs);
    let pulled = ["pull", "-q", "--ff-only", from.to_str().unwrap(), "HEAD"];
    git(&memory(&scene), &pulled);
    assert_eq!(kinds(&scene).0, ["entry-unsealed"]);
    adopt_all(&scene);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("in its history") && said.contains("a memd with another key"),
        "{said}"
    );
    assert!(scene.brief().contains(QUEUE));
    assert!(rotates(&scene));
    // What says that it is of this chain, and is not in it, is told as before; of a retired key too.
    let ours = git(
        &memory(&scene),
        &["log", "--format=%H", "--grep=Memd-Audit"],
    );
    let ours = ours.lines().last().unwrap();
    let log = git(&memory(&scene), &["log", "-1", "--format=%B", ours]);
    let forged = log.replacen("Memd-Audit: ", "Memd-Audit: 9", 1);
    assert_ne!(forged, log);
    let commit = ["commit", "-q", "--allow-empty", "-m", &forged];
    git(&memory(&scene), &commit);
    assert_eq!(kinds(&scene).0, ["chain-against-commits"]);
}

#[test]
fn a_lost_database_is_begun_anew_and_leaves_no_break() {
    let scene = accepted();
    // Numbers of the chain that is lost are those of a key that is retired.
    assert!(rotates(&scene));
    for name in ["memd.db", "memd.db-wal", "memd.db-shm"] {
        let _ = std::fs::remove_file(scene.home.state().join(name));
    }
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("lost or emptied"), "{said}");
    // Commits carry whole seconds: those of the same second may be of either database.
    let made = git(&memory(&scene), &["log", "-1", "--format=%ct"]);
    let made: i64 = made.trim().parse().unwrap();
    while jiff::Timestamp::now().as_second() <= made {
        std::thread::yield_now();
    }
    assert!(scene.memd(&["init"]).status.success());
    assert_eq!(kinds(&scene).0, ["entry-unsealed"]);
    adopt_all(&scene);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(scene.brief().contains(PORT) && !said.contains("settled"));
    assert!(rotates(&scene));
    assert_eq!(verify(&scene).0, 0);
}
