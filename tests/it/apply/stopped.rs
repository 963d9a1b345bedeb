//! What stops an apply, and what only makes it wait: changes after the preview, links, a git that fails.

use super::{filled, mixed, state_of};
use crate::world::{World, add, git};
use memd::apply;
use memd::apply::ApplyError;
use memd::git::Repo;
use memd::memory::MemoryFile::Todo;
use memd::proposal::{Decision, State};

#[test]
fn a_hand_edit_is_committed_before_and_kept() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2]);
    let by_hand = world.text("state.md") + "\nwritten by hand\n";
    std::fs::write(world.memory.join("state.md"), by_hand).unwrap();
    let done = world.apply(&id);
    let state = world.text("state.md");
    assert!(state.contains("- api: 9090") && state.ends_with("\nwritten by hand\n"));
    let repo = Repo::open(&world.memory).unwrap();
    let shown = repo.show(&done.by_hand.unwrap()).unwrap();
    assert_eq!(shown.len(), 1);
    assert!(
        shown[0]
            .after
            .as_deref()
            .unwrap()
            .contains("written by hand")
    );
    let unsealed = world.matched().unsealed;
    assert_eq!(unsealed.len(), 1, "history holds it, trust does not");
}

#[test]
fn a_file_that_changes_after_the_preview_stops_the_apply() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2]);
    let plan = world.plan(&id).unwrap();
    std::fs::write(world.memory.join("state.md"), "other\n").unwrap();
    let refused = world.execute(&plan, &mut apply::go_on).unwrap_err();
    assert!(matches!(refused, ApplyError::Changed { .. }), "{refused}");
    assert_eq!(world.text("state.md"), "other\n");
    assert_eq!(state_of(&world, &id), State::Staged);
}

#[test]
fn a_decision_made_elsewhere_after_the_preview_stops_the_apply() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2]);
    let plan = world.plan(&id).unwrap();
    let seen = world.store.decisions(&world.trust, &id).unwrap().last;
    world.decide(&id, 2, Decision::Rejected);
    let refused = apply::execute(
        &plan,
        seen,
        world.ground(),
        &world.lock(),
        &mut apply::go_on,
    );
    assert!(matches!(refused, Err(ApplyError::Store(_))), "{refused:?}");
    assert!(world.text("state.md").contains("- api: 8080"));
}

#[test]
fn a_failing_git_owes_the_commit_and_the_decision_holds() {
    let (_home, mut world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2]);
    // A folder in the lock's place stops every owner, root too.
    let lock = world.memory.join(".git/refs/heads/main.lock");
    std::fs::create_dir(&lock).unwrap();
    let done = world.apply(&id);
    assert_eq!(done.commit, None);
    assert!(done.warnings[0].contains("owed"), "{:?}", done.warnings);
    assert_eq!(state_of(&world, &id), State::Applied);
    assert!(world.text("state.md").contains("- api: 9090"));
    assert!(world.matched().is_whole());
    let owed = world.store.commits_owed(Some(&world.project.id)).unwrap();
    assert_eq!(owed.len(), 1);

    std::fs::remove_dir(&lock).unwrap();
    world.later(1);
    let recovered = world.recover().unwrap();
    assert_eq!(recovered.commits.len(), 1);
    assert!(world.recover().unwrap().is_nothing());
    assert_eq!(git(&world.memory, &["status", "--porcelain"]), "");
}

#[test]
fn without_commits_everything_else_holds() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    std::fs::remove_dir_all(world.memory.join(".git")).unwrap();
    world.settings.git_commit = false;
    let id = world.stage(vec![add(1, Todo, "", "- [ ] ship")]);
    world.accept(&id, [1]);
    let done = world.apply(&id);
    assert_eq!((done.commit, done.warnings), (None, Vec::new()));
    assert!(world.matched().is_whole());
    assert!(!world.memory.join(".git").exists());
    assert!(!world.memory.join(format!("inbox/{id}.md")).exists());
    assert!(world.recover().unwrap().is_nothing());
}

#[test]
fn links_and_pipes_are_neither_read_nor_written_through() {
    let (home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2, 5]);
    let plan = world.plan(&id).unwrap();
    let rc = home.path().join(".bashrc");
    std::fs::write(&rc, "mine").unwrap();
    let state = world.memory.join("state.md");
    std::fs::remove_file(&state).unwrap();
    std::os::unix::fs::symlink(&rc, &state).unwrap();
    assert!(world.execute(&plan, &mut apply::go_on).is_err());
    std::fs::remove_file(&state).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&state)
            .status()
            .unwrap()
            .success()
    );
    assert!(world.execute(&plan, &mut apply::go_on).is_err());
    std::fs::remove_file(&state).unwrap();
    std::fs::write(&state, plan.files[0].before.as_ref().unwrap()).unwrap();

    let elsewhere = home.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let archive = world.memory.join("archive");
    std::fs::remove_dir_all(&archive).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &archive).unwrap();
    assert!(world.execute(&plan, &mut apply::go_on).is_err());
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    assert_eq!(std::fs::read_to_string(&rc).unwrap(), "mine");
    assert_eq!(state_of(&world, &id), State::Staged, "nothing had begun");
}
