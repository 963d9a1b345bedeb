//! What stands on disk and was not let in: adopted in parts, restored, put back or let go.

use super::{decide_on_disk, filled, state_of};
use crate::world::{World, edit, git};
use memd::apply::{self, adopt};
use memd::id::{EntryId, ProposalId};
use memd::memory::MemoryFile::State as StateFile;
use memd::proposal::{Decision, State};

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
