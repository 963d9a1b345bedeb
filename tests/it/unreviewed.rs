//! What was let in unattended: offered afterwards, accepted or taken back, and nothing in between.

use crate::world::{World, add, edit};
use memd::apply::{self, Step, unreviewed::unreviewed};
use memd::git::Repo;
use memd::id::ProposalId;
use memd::memory::MemoryFile::{Decisions, Mistakes, State as StateFile, Todo};
use memd::proposal::{Back, Change, Decision, Kind, Op, Proposal, State};
use memd::trust::Record;
use std::ops::ControlFlow;

fn newest(world: &World, text: &str) -> Record {
    let records = world.store.records(&world.trust, &world.project.id);
    let mut all = records.unwrap().into_iter();
    all.find(|r| r.text == text)
        .unwrap_or_else(|| panic!("no {text:?}"))
}

fn commits(world: &World) -> usize {
    let repo = Repo::open(&world.memory).unwrap();
    repo.log(1000).unwrap().len()
}

fn acts(world: &World, act: &str) -> usize {
    let rows = world.store.audit_rows().unwrap();
    rows.iter().filter(|row| row.act == act).count()
}

#[test]
fn each_unattended_apply_is_offered_as_it_was_and_accepting_it_makes_it_a_persons() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    assert!(world.offers().is_empty());
    let first = world.unattended(vec![
        add(1, StateFile, "Ports", "- the API listens on 8080."),
        add(2, Todo, "", "- [ ] ship it"),
    ]);
    world.later(60);
    let second = world.unattended(vec![edit(
        1,
        StateFile,
        "Ports",
        "- the API listens on 8080.",
        "- the API listens on 9090.",
    )]);
    let offers = world.offers();
    let told: Vec<_> = offers.iter().map(|o| (o.back.clone(), o.kind)).collect();
    let of = |id: &ProposalId| (Some(Back::Apply(id.clone())), Kind::Unreviewed);
    assert_eq!(told, [of(&second), of(&first)], "the newest first");
    let [newer, older] = offers.as_slice() else {
        panic!()
    };
    assert_eq!(older.changes.len(), 1, "its other entry was edited since");
    let change = &newer.changes[0];
    assert_eq!((change.op, change.file), (Op::Edit, StateFile));
    let before = change.target.as_ref().unwrap();
    assert_eq!(before.text, "- the API listens on 8080.");
    assert!(newer.spans.is_empty() && newer.notes.is_empty());
    // Looking again makes nothing new.
    let again: Vec<_> = world.offers().into_iter().map(|o| o.id).collect();
    assert_eq!(again, [newer.id.clone(), older.id.clone()]);

    let (made, disk) = (commits(&world), world.snapshot());
    world.accept(&newer.id, [1]);
    let plan = world.plan(&newer.id).unwrap();
    assert!(plan.is_quiet && plan.files.is_empty());
    let done = world.execute(&plan, &mut apply::go_on).unwrap();
    assert_eq!((done.commit, commits(&world)), (None, made));
    assert_eq!(world.snapshot(), disk);
    let record = newest(&world, "- the API listens on 9090.");
    assert_eq!((record.accepted, record.lapses), (Some(world.now), None));
    assert_eq!(acts(&world, "accepted-after"), 1);
    world.assert_verified();
    let left: Vec<_> = world.offers().into_iter().map(|o| o.id).collect();
    assert_eq!(left, std::slice::from_ref(&older.id));
    assert!(world.store.commits_owed(None).unwrap().is_empty());
}

#[test]
fn rejecting_takes_an_addition_out_and_keeps_it_from_being_proposed_again() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let apply = world.unattended(vec![
        add(1, StateFile, "Ports", "- the API listens on 8080."),
        add(2, Decisions, "", "### SQLite\n\nOne writer."),
    ]);
    let given = world.given();
    world.later(60);
    let offer = world.offers().remove(0);
    world.decide(&offer.id, 1, Decision::Rejected);
    let made = commits(&world);
    let plan = world.plan(&offer.id).unwrap();
    assert_eq!(
        (plan.taken_back.as_slice(), plan.rest()),
        (&[1][..], vec![2])
    );
    assert!(
        plan.message
            .subject
            .starts_with(&format!("review {apply}: 1 taken back"))
    );
    world.execute(&plan, &mut apply::go_on).unwrap();
    assert_eq!(commits(&world), made + 1);
    assert!(!world.text("state.md").contains("8080"));
    assert!(world.text("archive/2026-11.md").contains("8080"));
    assert_eq!(world.given().len(), given.len() - 1);
    let tombstone = world.store.tombstones(&world.project.id).unwrap().remove(0);
    assert!(tombstone.is_said_by("the API listens on 8080."));
    assert_eq!(tombstone.sources[0], format!("/sessions/{apply}.jsonl"));
    world.assert_verified();
    // What is left of it is a rest, and waits on.
    let rest = world.offers().remove(0);
    assert_eq!(rest.id, offer.id);
    world.accept(&rest.id, [2]);
    world.apply(&rest.id);
    assert!(world.offers().is_empty());
    world.assert_verified();
}

#[test]
fn rejecting_an_edit_brings_back_what_stood_before_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let (was, is) = ("- the API listens on 8080.", "- the API listens on 9090.");
    let first = world.unattended(vec![add(1, StateFile, "Ports", was)]);
    let before = newest(&world, was);
    world.later(60);
    world.unattended(vec![edit(1, StateFile, "Ports", was, is)]);
    world.later(60);
    let offer = world.offers().remove(0);
    world.decide(&offer.id, 1, Decision::Rejected);
    world.apply(&offer.id);
    let now = newest(&world, was);
    assert_eq!(now.version, 3);
    assert_eq!(
        (now.accepted, now.lapses, &now.evidence),
        (None, before.lapses, &before.evidence)
    );
    assert!(world.text("state.md").contains(was) && !world.text("state.md").contains(is));
    world.assert_verified();
    // It is what the first apply let in, and nobody has reviewed that.
    let offers = world.offers();
    assert_eq!(offers.len(), 1);
    assert_eq!(offers[0].back, Some(Back::Apply(first)));
}

#[test]
fn an_offer_goes_when_the_entry_is_confirmed_or_the_apply_reversed() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let (one, two) = ("- the API listens on 8080.", "- the admin UI on 8081.");
    let apply = world.unattended(vec![
        add(1, StateFile, "Ports", one),
        add(2, StateFile, "Ports", two),
    ]);
    let offer = world.offers().remove(0);
    world.accept(&offer.id, [2]);
    world.later(1);
    world.confirm(&world.entry(one)).unwrap();
    let record = newest(&world, one);
    assert_eq!((record.accepted, record.lapses), (Some(world.now), None));
    // Decided on all the same, before the offer was made anew: nothing is taken from a person.
    world.decide(&offer.id, 1, Decision::Rejected);
    let plan = world.plan(&offer.id).unwrap();
    assert_eq!((plan.conflicts.len(), plan.files.len()), (1, 0));
    let anew = world.offers().remove(0);
    assert_ne!(anew.id, offer.id);
    assert_eq!(anew.changes[0].text, two);
    let status = world.store.status(&offer.id, world.now).unwrap();
    assert_eq!(status.state, State::Returned);

    world.later(1);
    let staged = world.reverse(&apply);
    world.take(&staged);
    assert!(world.offers().is_empty());
    assert!(!world.text("state.md").contains("808"));
    world.assert_verified();
}

/// A world in which two entries were let in unattended and lapsed, and the offer of them.
fn lapsed(home: &std::path::Path) -> (World, Proposal) {
    let mut world = World::at(home);
    world.unattended(vec![
        add(1, StateFile, "Ports", "- the API listens on 8080."),
        add(2, Todo, "", "- [ ] ship it"),
        add(3, Mistakes, "", "### Old cache\n\n- **Fix:** clear it."),
    ]);
    let early = world.offers().remove(0);
    world.later(100 * 24 * 60);
    assert!(world.given().is_empty(), "it has lapsed");
    world.store.expire(&world.trust, world.now).unwrap();
    assert!(world.store.expired(None, world.now).unwrap().is_empty());
    let offer = world.offers().remove(0);
    assert_eq!(offer.back, early.back, "no age takes it away");
    (world, offer)
}

#[test]
fn what_lapsed_is_offered_however_late_for_the_archive_and_nobody_said_no() {
    let home = tempfile::tempdir().unwrap();
    let (world, offer) = lapsed(home.path());
    let told = unreviewed(&world.matched());
    assert_eq!((told[0].entries, told[0].lapsed), (3, 3));
    assert!(offer.has_lapsed());
    let plain = |c: &Change| c.op == Op::Archive && c.verdicts.is_empty();
    assert!(offer.changes.iter().all(plain), "{:?}", offer.changes);
    let again: Vec<_> = world.offers().into_iter().map(|o| o.id).collect();
    assert_eq!(
        again,
        std::slice::from_ref(&offer.id),
        "looking again makes nothing new"
    );
    let before = commits(&world);
    world.accept(&offer.id, [1, 2, 3]);
    world.apply(&offer.id);
    assert_eq!(commits(&world), before + 1);
    assert!(world.given().is_empty() && unreviewed(&world.matched()).is_empty());
    for (file, text) in [
        ("state.md", "8080"),
        ("todo.md", "ship"),
        ("mistakes.md", "cache"),
    ] {
        assert!(!world.text(file).contains(text), "{file}");
    }
    let archive = world.text(&apply::Plan::archive_path(world.now));
    assert!(
        archive.contains("the API listens on 8080.") && archive.contains("lapsed"),
        "{archive}"
    );
    let tombstones = world.store.tombstones(&world.project.id).unwrap();
    assert!(tombstones.is_empty(), "nobody rejected it");
    assert!(world.offers().is_empty());
    world.assert_verified();
}

#[test]
fn a_no_to_what_lapsed_is_remembered() {
    let home = tempfile::tempdir().unwrap();
    let (world, offer) = lapsed(home.path());
    world.decide(&offer.id, 1, Decision::Rejected);
    world.apply(&offer.id);
    assert!(!world.text("state.md").contains("8080") && world.text("todo.md").contains("ship"));
    let tombstones = world.store.tombstones(&world.project.id).unwrap();
    let texts: Vec<_> = tombstones.iter().map(|t| t.text.as_str()).collect();
    assert_eq!(texts, ["- the API listens on 8080."]);
    let refused = world.store.refusals(&world.trust, &world.project.id);
    assert_eq!(refused.unwrap().len(), 2, "the chain says so as well");
    world.assert_verified();
}

#[test]
fn what_lapsed_is_kept_by_confirming_it_alone() {
    let home = tempfile::tempdir().unwrap();
    let (world, _) = lapsed(home.path());
    let text = "- the API listens on 8080.";
    world.confirm(&world.entry(text)).unwrap();
    assert_eq!(world.given(), [text]);
    let rest = world.offers().remove(0);
    assert_eq!(rest.changes.len(), 2, "it drops out of the offer");
}

#[test]
fn a_stop_after_any_step_of_accepting_and_taking_back_is_finished() {
    let mut stop = 0;
    loop {
        let home = tempfile::tempdir().unwrap();
        let mut world = World::at(home.path());
        let (was, is) = ("- the API listens on 8080.", "- the API listens on 9090.");
        world.unattended(vec![add(1, StateFile, "Ports", was)]);
        world.unattended(vec![
            edit(1, StateFile, "Ports", was, is),
            add(2, Todo, "", "- [ ] ship it"),
            add(3, Decisions, "", "### SQLite\n\nOne writer."),
        ]);
        world.later(5);
        let mut offers = world.offers();
        let at = offers.iter().position(|o| o.changes.len() == 3).unwrap();
        let offer = offers.remove(at);
        for change in &offer.changes {
            let decision = match change.file {
                Decisions => Decision::Accepted,
                _ => Decision::Rejected,
            };
            world.decide(&offer.id, change.n, decision);
        }
        let plan = world.plan(&offer.id).unwrap();
        let mut steps = Vec::new();
        let stopped = world.execute(&plan, &mut |step| {
            steps.push(step);
            match steps.len() > stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let begun = steps.last() != Some(&Step::HandCommitted);
        if stopped.is_ok() {
            assert!(stop >= 7, "every step was stopped at: {steps:?}");
            return;
        }
        let world = World::at(home.path());
        world.recover().unwrap();
        assert!(world.recover().unwrap().is_nothing());
        let state = world.text("state.md");
        assert_eq!(state.contains(was), begun, "{steps:?}");
        assert_eq!(state.contains(is), !begun, "{steps:?}");
        assert_eq!(world.text("todo.md").contains("ship it"), !begun);
        let accepted = newest(&world, "### SQLite\n\nOne writer.").accepted;
        assert_eq!(accepted.is_some(), begun, "{steps:?}");
        world.assert_verified();
        stop += 1;
    }
}
