//! Applying: what was previewed lands, byte for byte, once; the rest waits.

use crate::world::{World, add, archive, edit, git};
use memd::apply::{self, ApplyError, adopt};
use memd::git::Repo;
use memd::id::{EntryId, ProposalId};
use memd::memory::MemoryFile::{Decisions, Mistakes, State as StateFile, Todo};
use memd::proposal::{Change, Decision, State};
use memd::store::SpanState;
use memd::trust::verify_all;
use std::ops::ControlFlow;

fn world() -> (tempfile::TempDir, World) {
    let home = tempfile::tempdir().unwrap();
    let world = World::at(home.path());
    (home, world)
}

/// Memory with something in it: two ports, two tasks.
fn filled() -> (tempfile::TempDir, World) {
    let (home, mut world) = world();
    let id = world.stage(vec![
        add(1, StateFile, "Ports", "- api: 8080"),
        add(2, StateFile, "Ports", "- web: 3000"),
        add(3, Todo, "", "- [ ] ship"),
        add(4, Todo, "", "- [ ] rest"),
    ]);
    world.accept(&id, 1..=4);
    world.apply(&id);
    world.later(1);
    (home, world)
}

/// One add, one edit, one move (archived here, added there), one archive.
fn mixed() -> Vec<Change> {
    vec![
        add(1, StateFile, "Ports", "- db: 5432"),
        edit(2, StateFile, "Ports", "- api: 8080", "- api: 9090"),
        archive(3, StateFile, "Ports", "- web: 3000"),
        add(4, Decisions, "", "## Web on 3000\n\nIt stays there."),
        archive(5, Todo, "", "- [ ] ship"),
    ]
}

fn state_of(world: &World, id: &ProposalId) -> State {
    world.store.status(id, world.now).unwrap().state
}

#[test]
fn exactly_what_was_accepted_lands_as_previewed() {
    let (_home, world) = filled();
    let before = world.snapshot();
    let id = world.stage(mixed());
    world.accept(&id, [2, 3, 4]);
    let plan = world.plan(&id).unwrap();
    let done = world.execute(&plan, &mut apply::go_on).unwrap();

    for write in &plan.files {
        assert_eq!(world.text(&write.path), write.after, "{}", write.path);
    }
    for (name, text) in before {
        if !plan.files.iter().any(|w| w.path == name) {
            assert_eq!(world.text(&name), text, "{name} was not to change");
        }
    }
    assert!(world.text("state.md").contains("## Ports\n\n- api: 9090\n"));
    assert!(world.text("archive/2026-11.md").ends_with("- web: 3000\n"));
    // One commit, by nobody, with just these files.
    let commit = done.commit.unwrap();
    let repo = Repo::open(&world.memory).unwrap();
    let changed: Vec<_> = repo.show(&commit).unwrap();
    let changed: Vec<_> = changed.iter().map(|c| c.path.as_str()).collect();
    assert_eq!(changed, ["archive/2026-11.md", "decisions.md", "state.md"]);
    assert_eq!(git(&world.memory, &["status", "--porcelain"]), "");
    assert_eq!(git(&world.memory, &["fsck", "--strict"]), "");
    let log = repo.log(1).unwrap();
    assert_eq!(log[0].trailer("Memd-Proposal"), Some(id.as_str()));
    assert_eq!(log[0].trailer("Memd-Manifest"), Some("2"));
    assert!(log[0].trailer("Memd-Audit").unwrap().contains(':'));

    assert!(world.matched().is_whole(), "every entry is sealed");
    let source = format!("/sessions/{id}.jsonl");
    let spans = world.store.spans(&world.project.id, &source).unwrap();
    assert_eq!(spans[0].state, SpanState::Consumed);
    assert!(!world.memory.join(format!("inbox/{id}.md")).exists());
}

#[test]
fn what_is_undecided_stays_and_is_applied_once_later() {
    let (_home, mut world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [1]);
    world.decide(&id, 5, Decision::Rejected);
    let done = world.apply(&id);
    assert!(done.applied.rest);
    world.later(1);
    world.accept(&id, [2]);
    let plan = world.plan(&id).unwrap();
    assert_eq!(
        (plan.applied.as_slice(), plan.rest()),
        (&[2][..], vec![3, 4])
    );
    world.execute(&plan, &mut apply::go_on).unwrap();
    let state = world.text("state.md");
    assert_eq!(state.matches("- db: 5432").count(), 1);
    assert!(state.contains("- api: 9090"));
    assert!(
        world.text("todo.md").contains("- [ ] ship"),
        "it was rejected"
    );
    let repo = Repo::open(&world.memory).unwrap();
    let ours = repo.log(20).unwrap();
    let ours = ours
        .iter()
        .filter(|c| c.trailer("Memd-Proposal") == Some(id.as_str()));
    assert_eq!(ours.count(), 2);
}

#[test]
fn two_proposals_on_one_base_are_decided_in_any_order() {
    let (_home, mut world) = filled();
    let one = world.stage(vec![edit(1, StateFile, "Ports", "- api: 8080", "- api: 1")]);
    let two = world.stage(vec![
        edit(1, StateFile, "Ports", "- api: 8080", "- api: 2"),
        add(
            2,
            Mistakes,
            "",
            "### 2026-11-29 — a port clash\n\nTwo on 8080.",
        ),
    ]);
    world.accept(&one, [1]);
    world.accept(&two, [1, 2]);
    world.apply(&one);
    world.later(1);
    let plan = world.plan(&two).unwrap();
    assert_eq!(plan.applied, [2]);
    assert_eq!(plan.conflicts[0].now.as_deref(), Some("- api: 1"));
    let done = world.execute(&plan, &mut apply::go_on).unwrap();
    assert!(done.applied.rest, "the conflict is to be decided afresh");
    let journal = world.store.decisions(&world.trust, &two).unwrap();
    assert_eq!(journal.decision(1), Decision::Undecided);
    assert!(world.text("mistakes.md").contains("a port clash"));
    assert!(world.text("state.md").contains("- api: 1\n"));
}

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

#[test]
fn what_stands_on_disk_is_adopted_by_one_more_proposal() {
    let (_home, world) = filled();
    let text = world.text("state.md").replace("8080", "8081") + "\na new fact\n";
    std::fs::write(world.memory.join("state.md"), &text).unwrap();
    let project = &world.project.id;
    let id = ProposalId::random().unwrap();
    let proposal = adopt::adopt(project, id.clone(), &world.matched(), world.now).unwrap();
    world
        .store
        .stage(&world.trust, &proposal, &[], world.now)
        .unwrap();
    assert_eq!(proposal.changes.len(), 2);
    let was: Option<EntryId> = proposal.changes[0].target.as_ref().unwrap().entry.clone();
    world.accept(&id, [1, 2]);
    world.apply(&id);
    assert_eq!(world.text("state.md"), text, "adopting writes nothing");
    let matched = world.matched();
    assert!(matched.is_whole());
    let now = matched.find(&was.unwrap()).unwrap();
    assert_eq!(now.entry.text, "- api: 8081");
    assert_eq!(git(&world.memory, &["status", "--porcelain"]), "");
}

#[test]
fn an_apply_cut_short_before_a_byte_was_written_gives_way_to_a_hand_edit() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2]);
    let plan = world.plan(&id).unwrap();
    let stop = |step| match step {
        apply::Step::Begun => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    world.execute(&plan, &mut { stop }).unwrap_err();
    std::fs::write(world.memory.join("state.md"), "mine\n").unwrap();
    let recovered = world.recover().unwrap();
    assert_eq!(recovered.given_up, Some(id.clone()));
    assert_eq!(world.text("state.md"), "mine\n");
    assert_eq!(state_of(&world, &id), State::Staged);
}

#[test]
fn an_apply_cut_short_in_the_middle_overwrites_nothing_it_does_not_know() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2, 5]);
    let plan = world.plan(&id).unwrap();
    let stop = |step| match step {
        apply::Step::Written(1) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    world.execute(&plan, &mut { stop }).unwrap_err();
    let mine = world.text("todo.md") + "- [ ] mine\n";
    std::fs::write(world.memory.join("todo.md"), &mine).unwrap();
    let recovered = world.recover().unwrap();
    assert_eq!(recovered.finished, Some(id.clone()));
    let said = recovered.warnings.join("\n");
    assert!(
        said.contains("todo.md was changed by hand in the middle of an apply")
            && said.contains("memd review"),
        "{said}"
    );
    assert_eq!(world.text("todo.md"), mine, "nothing of it is lost");
    assert!(world.recover().unwrap().is_nothing());
    assert_eq!(state_of(&world, &id), State::Applied);
    // What was accepted is in its record and in the commit, and the file is as any that is changed on
    // disk: kept in history, offered, and restored by a no.
    let committed = git(&world.memory, &["show", "HEAD:todo.md"]);
    assert!(!committed.contains("ship"), "{committed}");
    let offered = decide_on_disk(&world, &Decision::Rejected);
    let all: Vec<_> = offered.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(all, ["- [ ] ship", "- [ ] mine"]);
    assert!(world.matched().is_whole());
    assert!(!world.text("todo.md").contains("mine"));
    let kept = git(&world.memory, &["log", "-p", "--", "todo.md"]);
    assert!(kept.contains("+- [ ] mine"), "{kept}");
}

#[test]
fn an_edit_at_the_moment_of_an_apply_is_neither_overwritten_nor_in_its_way() {
    for before in [true, false] {
        let (_home, world) = filled();
        let id = world.stage(mixed());
        world.accept(&id, [2, 5]);
        let plan = world.plan(&id).unwrap();
        let file = world.memory.join("todo.md");
        let mine = world.text("todo.md") + "- [ ] mine\n";
        let at = match before {
            true => apply::Step::Begun,
            false => apply::Step::Written(1),
        };
        let done = world.execute(&plan, &mut |step| {
            if step == at {
                std::fs::write(&file, &mine).unwrap();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(world.text("todo.md"), mine, "{at:?}");
        match before {
            // Nothing was written yet: it is looked at again.
            true => {
                assert!(matches!(done, Err(ApplyError::Changed { .. })), "{done:?}");
                assert_eq!(state_of(&world, &id), State::Staged);
                assert!(world.recover().unwrap().is_nothing());
                assert!(world.text("state.md").contains("8080"));
            }
            false => {
                let warnings = done.unwrap().warnings.join("\n");
                assert!(
                    warnings.contains("todo.md was changed by hand"),
                    "{warnings}"
                );
                assert_eq!(state_of(&world, &id), State::Applied);
                assert!(world.text("state.md").contains("9090"));
            }
        }
    }
}

#[test]
fn very_many_entries_on_disk_are_offered_in_parts() {
    let (_home, world) = filled();
    let offer = || {
        let limits = &world.settings.limits;
        adopt::offer(world.ground(), &world.lock(), limits, &|_| Vec::new()).unwrap()
    };
    let facts: String = (0..430).map(|n| format!("- fact {n} on disk\n")).collect();
    let text = world.text("state.md") + "\n" + &facts;
    std::fs::write(world.memory.join("state.md"), &text).unwrap();
    let (id, changes) = offer().unwrap();
    assert_eq!(changes, 400);
    let proposal = world.store.proposal(&world.trust, &id).unwrap();
    assert_eq!(proposal.dropped[0].what, "30 more entries");
    world.accept(&id, 1..=400);
    world.apply(&id);
    let (rest, changes) = offer().unwrap();
    assert_eq!(changes, 30);
    world.accept(&rest, 1..=30);
    world.apply(&rest);
    assert!(world.matched().is_whole());
    assert_eq!(world.text("state.md").matches("on disk").count(), 430);
}

#[test]
fn a_distill_finishes_what_was_begun_before_it_reads() {
    let (home, world) = filled();
    let mut config = memd::config::Config::load(&world.places).unwrap();
    config.register(&world.root, "app");
    config.save().unwrap();
    let memd = |args: &[&str]| {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear().env("HOME", &world.places.home);
        let args = memd.args(args).arg("--project").arg(&world.root);
        args.output().unwrap()
    };
    let distill = || memd(&["distill", "--curator", "builtin"]);
    let status_names_it = || {
        let said = String::from_utf8(memd(&["status"]).stdout).unwrap();
        said.contains("1 apply was cut short; the next memd review or distill finishes it")
    };
    assert!(!status_names_it());
    let id = world.stage(vec![add(1, StateFile, "Facts", "- begun.")]);
    world.accept(&id, [1]);
    let plan = world.plan(&id).unwrap();
    let stop = |at| {
        move |step| match step == at {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    world
        .execute(&plan, &mut stop(apply::Step::Written(1)))
        .unwrap_err();
    assert!(status_names_it());
    let run = distill();
    assert!(!status_names_it());
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.success() && err.contains("finished now"),
        "{err}"
    );
    assert_eq!(state_of(&world, &id), State::Applied);
    assert!(world.recover().unwrap().is_nothing());

    // What a hand wrote meanwhile stays, and it is said.
    let id = world.stage(vec![
        add(1, StateFile, "Facts", "- more."),
        add(2, Todo, "", "- [ ] more."),
    ]);
    world.accept(&id, [1, 2]);
    let plan = world.plan(&id).unwrap();
    world
        .execute(&plan, &mut stop(apply::Step::Written(1)))
        .unwrap_err();
    std::fs::write(world.memory.join("todo.md"), "mine\n").unwrap();
    let run = distill();
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.success() && err.contains("todo.md was changed by hand"),
        "{err}"
    );
    assert_eq!(world.text("todo.md"), "mine\n");
    drop(home);
}

/// Offers what stands on disk, decides all of it alike, and applies.
fn decide_on_disk(world: &World, decision: &Decision) -> Vec<Change> {
    let limits = &world.settings.limits;
    let offer = adopt::offer(world.ground(), &world.lock(), limits, &|_| Vec::new());
    let (id, _) = offer.unwrap().unwrap();
    let proposal = world.store.proposal(&world.trust, &id).unwrap();
    for change in &proposal.changes {
        world.decide(&id, change.n, decision.clone());
    }
    world.apply(&id);
    proposal.changes
}

/// The bodies of state.md and todo.md, and what of memory is given to agents.
fn given(world: &World) -> (String, Vec<String>) {
    let body = |file: &str| {
        let text = world.text(file);
        text.split("---\n").nth(2).unwrap().to_owned()
    };
    let mut sealed: Vec<String> = world
        .matched()
        .sealed
        .iter()
        .map(|s| {
            format!(
                "{} {} {}",
                s.entry.file.name(),
                s.entry.section,
                s.entry.text
            )
        })
        .collect();
    sealed.sort();
    (body("state.md") + &body("todo.md"), sealed)
}

#[test]
fn a_hand_edit_is_restored_when_it_is_rejected_and_stays_in_history() {
    let (_home, world) = filled();
    let before = given(&world);
    let edited = world.text("state.md").replace("8080", "6666");
    std::fs::write(world.memory.join("state.md"), &edited).unwrap();
    for _ in 0..2 {
        // The same edit made again is offered again.
        std::fs::write(world.memory.join("state.md"), &edited).unwrap();
        let changes = decide_on_disk(&world, &Decision::Rejected);
        assert_eq!(changes.len(), 1);
        assert_eq!(given(&world), before);
        assert!(world.matched().is_whole());
    }
    let history = git(&world.memory, &["log", "-p", "--format=%s%n%b"]);
    assert!(history.contains("+- api: 6666"), "{history}");
    assert!(history.contains("1 restored"), "{history}");
    assert_eq!(git(&world.memory, &["status", "--porcelain"]), "");
}

#[test]
fn what_was_taken_out_is_put_back_or_let_go() {
    let (_home, world) = filled();
    let before = given(&world);
    let whole = world.text("state.md");
    let without = whole.replace("- web: 3000\n", "");
    assert_ne!(whole, without);
    std::fs::write(world.memory.join("state.md"), &without).unwrap();
    decide_on_disk(&world, &Decision::Rejected);
    assert_eq!(given(&world), before);
    // All of its section.
    let start = whole.find("## Ports").unwrap();
    std::fs::write(world.memory.join("state.md"), &whole[..start]).unwrap();
    assert_eq!(decide_on_disk(&world, &Decision::Rejected).len(), 2);
    assert_eq!(given(&world).1, before.1);
    assert!(world.matched().is_whole());

    std::fs::write(world.memory.join("state.md"), &without).unwrap();
    decide_on_disk(&world, &Decision::Accepted);
    assert_eq!(
        world.text("state.md"),
        without,
        "letting go writes nothing there"
    );
    assert!(world.matched().is_whole());
    assert!(world.text("archive/2026-11.md").contains("web: 3000"));
}

#[test]
fn what_was_moved_or_put_back_to_an_older_version_is_restored() {
    let (_home, mut world) = filled();
    let older = world.text("state.md");
    let id = world.stage(vec![edit(
        1,
        StateFile,
        "Ports",
        "- api: 8080",
        "- api: 9090",
    )]);
    world.accept(&id, [1]);
    world.apply(&id);
    world.later(1);
    let before = given(&world);
    std::fs::write(world.memory.join("state.md"), &older).unwrap();
    let todo = world.text("todo.md").replace("- [ ] ship\n", "");
    std::fs::write(world.memory.join("todo.md"), todo).unwrap();
    let moved = older + "\n- [ ] ship\n";
    std::fs::write(world.memory.join("state.md"), &moved).unwrap();
    assert_eq!(decide_on_disk(&world, &Decision::Rejected).len(), 2);
    assert_eq!(given(&world).1, before.1);
    assert!(world.matched().is_whole());

    // Or adopted: the older text is a newer version of the same entry.
    let older = world.text("state.md").replace("9090", "8080");
    std::fs::write(world.memory.join("state.md"), &older).unwrap();
    decide_on_disk(&world, &Decision::Accepted);
    assert!(world.matched().is_whole());
    let matched = world.matched();
    let api = matched
        .sealed
        .iter()
        .find(|s| s.entry.text == "- api: 8080");
    assert_eq!(api.unwrap().record.version, 3);
}

#[test]
fn a_hand_edit_that_history_cannot_keep_is_not_restored_over() {
    let (_home, world) = filled();
    let edited = world.text("state.md").replace("8080", "6666");
    std::fs::write(world.memory.join("state.md"), &edited).unwrap();
    let limits = &world.settings.limits;
    let offer = adopt::offer(world.ground(), &world.lock(), limits, &|_| Vec::new());
    let (id, _) = offer.unwrap().unwrap();
    world.decide(&id, 1, Decision::Rejected);
    let plan = world.plan(&id).unwrap();
    let lock = world.memory.join(".git/index.lock");
    std::fs::write(&lock, "").unwrap();
    assert!(world.execute(&plan, &mut apply::go_on).is_err());
    assert_eq!(world.text("state.md"), edited);
    assert_eq!(state_of(&world, &id), State::Staged);
    std::fs::remove_file(&lock).unwrap();
    world.execute(&plan, &mut apply::go_on).unwrap();
    assert!(world.matched().is_whole());
}

#[test]
fn until_an_apply_is_finished_agents_are_given_what_was_sealed_before() {
    let (_home, world) = filled();
    let mut config = memd::config::Config::load(&world.places).unwrap();
    config.register(&world.root, "app");
    config.save().unwrap();
    let brief = || {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear().env("HOME", &world.places.home);
        let run = memd.arg("brief").arg(&world.root).output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        let mut lines: Vec<String> = text
            .lines()
            .filter(|l| l.starts_with("| "))
            .map(str::to_owned)
            .collect();
        lines.sort();
        (lines, text)
    };
    let (before, _) = brief();
    assert_eq!(before.len(), 4, "{before:?}");
    let id = world.stage(mixed());
    world.accept(&id, 1..=5);
    let plan = world.plan(&id).unwrap();
    let mut looked = 0;
    let done = world.execute(&plan, &mut |step| {
        let (now, text) = brief();
        match step {
            apply::Step::Begun | apply::Step::Written(_) => {
                assert_eq!(now, before, "{step:?}");
                assert!(!text.contains("nobody accepted"), "{step:?}: {text}");
                let mut evidence = world.store.evidence(&world.trust, None).unwrap();
                let memory = memd::memory::Memory::read(&world.memory).unwrap();
                evidence.projects[0].entries = Some(memory.entries().cloned().collect());
                let shown = &str::to_owned;
                let report = verify_all(&evidence, &world.trust, world.now, shown);
                assert_eq!(report.breaks, [], "{step:?}");
                looked += 1;
            }
            apply::Step::Finished => assert!(text.contains("api: 9090"), "{text}"),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    done.unwrap();
    assert!(looked >= 4);
    assert!(!brief().1.contains("web: 3000"));
}
