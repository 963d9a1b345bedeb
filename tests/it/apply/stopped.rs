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
    let before = plan.files[0].before.clone().unwrap();
    let state = world.memory.join("state.md");
    assert_eq!(plan.files[0].path, "state.md");
    let refused = |why: &str| {
        let refused = world.execute(&plan, &mut apply::go_on).unwrap_err();
        assert!(refused.to_string().contains(why), "{refused}");
    };
    // What lies behind it is just what the plan was made for.
    let rc = home.path().join(".bashrc");
    std::fs::write(&rc, &before).unwrap();
    std::fs::remove_file(&state).unwrap();
    std::os::unix::fs::symlink(&rc, &state).unwrap();
    refused("is a symbolic link");
    std::fs::remove_file(&state).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(&state).status();
    assert!(pipe.unwrap().success());
    refused("pipe");
    std::fs::remove_file(&state).unwrap();
    std::fs::write(&state, &before).unwrap();

    let archive = world.memory.join("archive");
    assert!(plan.files.iter().any(|f| f.path.starts_with("archive/")));
    let elsewhere = home.path().join("elsewhere");
    std::fs::rename(&archive, &elsewhere).unwrap();
    let listed = || {
        let items = std::fs::read_dir(&elsewhere).unwrap();
        items.map(|i| i.unwrap().file_name()).collect::<Vec<_>>()
    };
    let there = listed();
    std::os::unix::fs::symlink(&elsewhere, &archive).unwrap();
    refused("is no folder of its own");
    assert_eq!(listed(), there);
    assert_eq!(std::fs::read_to_string(&rc).unwrap(), before);
    assert_eq!(state_of(&world, &id), State::Staged, "nothing had begun");
    // With a folder in its place again it is applied: nothing else was in the way.
    std::fs::remove_file(&archive).unwrap();
    std::fs::rename(&elsewhere, &archive).unwrap();
    world.execute(&plan, &mut apply::go_on).unwrap();
}
