//! Applying: what was previewed lands, byte for byte, once; the rest waits.

mod cut_short;
mod on_disk;
mod stopped;

use crate::world::{World, add, archive, edit, git};
use memd::apply::{self, adopt};
use memd::git::Repo;
use memd::id::ProposalId;
use memd::memory::MemoryFile::{Decisions, Mistakes, State as StateFile, Todo};
use memd::proposal::{Change, Decision, State};
use memd::store::SpanState;

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
