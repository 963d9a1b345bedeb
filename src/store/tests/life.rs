//! The life of a proposal: staged, applied, discarded, returned, expired, revived.

use super::*;
use crate::store::{NoteState, SpanState};
use std::collections::BTreeMap;

#[test]
fn a_proposal_is_staged_decided_applied_and_its_commit_owed() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- one", "- two", "- three"]);
    assert_eq!(
        store.proposal(trust, &id).unwrap(),
        case.make(1, &["- one", "- two", "- three"])
    );
    assert_eq!(case.span_states(1), [SpanState::Staged]);
    assert!(store.seen(&case.project.id).unwrap().has("message 1"));
    assert!(!store.seen(&case.project.id).unwrap().has("message 2"));
    case.decide(&id, 1, Decision::Accepted);
    case.decide(&id, 2, Decision::Rejected);
    let intent = case.intent(&id, &[1], &[2]);
    store.begin_apply(trust, &intent, day(1)).unwrap();
    assert_eq!(case.state(&id, day(1)), State::Applying);
    let again = store.begin_apply(trust, &intent, day(1)).unwrap_err();
    assert!(matches!(again, StoreError::ApplyPending(_)));
    // Until the second transaction nothing is let in.
    assert!(store.records(trust, &case.project.id).unwrap().is_empty());
    let pending = store.pending_apply(trust, &case.project.id).unwrap();
    assert_eq!(pending, Some(intent));
    let applied = store.finish_apply(trust, &id, day(1)).unwrap();
    assert!(applied.rest);
    assert_eq!(applied.manifest.sequence, 1);
    assert_eq!(store.pending_apply(trust, &case.project.id).unwrap(), None);
    assert_eq!(case.state(&id, day(1)), State::Applied);
    assert_eq!(case.span_states(1), [SpanState::Consumed]);
    assert_eq!(
        store.notes(&case.project.id).unwrap()["1.md"],
        NoteState::Consumed
    );
    let records = store.records(trust, &case.project.id).unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(trust.verify(&records[0]), Ok(()));
    assert_eq!(store.tombstones(&case.project.id).unwrap()[0].text, "- two");
    let owed = store.commits_owed(None).unwrap();
    assert_eq!((owed.len(), owed[0].sequence), (1, 1));
    assert!(
        owed[0]
            .audit
            .starts_with(&format!("{}:", applied.audit.seq))
    );
    store.commit_failed(&id, "no space").unwrap();
    assert_eq!(store.commits_owed(None).unwrap()[0].tries, 1);
    store.commit_made(trust, &id, Some("abc"), day(1)).unwrap();
    assert!(store.commits_owed(None).unwrap().is_empty());
    assert_eq!(
        store.status(&id, day(1)).unwrap().commit.as_deref(),
        Some("abc")
    );
    let acts = [
        "register",
        "stage",
        "decide",
        "decide",
        "begin-apply",
        "apply",
        "commit",
    ];
    assert_eq!(case.acts(), acts);
    assert_eq!(case.breaks(), []);
}

#[test]
fn a_rest_can_be_decided_or_discarded_but_not_returned() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- one", "- two", "- three"]);
    case.decide(&id, 1, Decision::Accepted);
    store
        .begin_apply(trust, &case.intent(&id, &[1], &[]), day(0))
        .unwrap();
    store.finish_apply(trust, &id, day(0)).unwrap();
    let queue = store.queue(None, day(0)).unwrap();
    assert!(queue[0].is_rest());
    assert_eq!((queue[0].open, queue[0].undecided), (2, 2));
    let refused = store.return_(trust, &id, "no", day(0)).unwrap_err();
    assert!(matches!(refused, StoreError::Rest(_)));
    // What was applied is settled: no decision on it, and nothing to undo.
    let last = store.decisions(trust, &id).unwrap().last;
    let settled = store.decide(trust, &id, 1, Decision::Rejected, last, day(0));
    assert!(matches!(settled, Err(StoreError::NoChange { n: 1, .. })));
    assert_eq!(store.undo(trust, &id, last, day(0)).unwrap(), None);
    case.decide(&id, 2, Decision::Accepted);
    store
        .begin_apply(trust, &case.intent(&id, &[2], &[]), day(0))
        .unwrap();
    store.finish_apply(trust, &id, day(0)).unwrap();
    // Rests do not age out.
    assert_eq!(store.queue(None, day(100)).unwrap().len(), 1);
    store.discard(trust, &id, day(0)).unwrap();
    assert!(store.queue(None, day(0)).unwrap().is_empty());
    assert_eq!(case.state(&id, day(0)), State::Applied);
    assert_eq!(
        store.tombstones(&case.project.id).unwrap()[0].text,
        "- three"
    );
    assert!(store.discard(trust, &id, day(0)).is_err());
}

#[test]
fn discarding_consumes_and_leaves_tombstones() {
    let case = Case::new();
    let id = case.stage(1, &["- **Use** SQLite."]);
    case.store.discard(&case.trust, &id, day(0)).unwrap();
    assert_eq!(case.state(&id, day(0)), State::Discarded);
    assert_eq!(case.span_states(1), [SpanState::Consumed]);
    let tombstone = case.store.tombstones(&case.project.id).unwrap().remove(0);
    assert_eq!(tombstone.statement, "use sqlite");
    assert_eq!(tombstone.sources, ["/t/1", "1.md"]);
    assert!(case.store.queue(None, day(0)).unwrap().is_empty());
}

#[test]
fn returning_frees_everything_and_tells_the_next_curator() {
    let case = Case::new();
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let first = case.stage(1, &["- one"]);
    store
        .return_(trust, &first, "leave the port out", day(0))
        .unwrap();
    assert!(case.span_states(1).is_empty() && store.notes(project).unwrap().is_empty());
    assert!(!store.seen(project).unwrap().has("message 1"));
    assert_eq!(
        store.notes_for_curator(project).unwrap(),
        ["leave the port out"]
    );
    // The next distill of the same material takes the note along; returned too, it comes back.
    let mut next = case.make(2, &["- one"]);
    next.spans = vec![span("/t/1", 0, 100)];
    store
        .stage(trust, &next, &["message 1".into()], day(0))
        .unwrap();
    assert!(store.notes_for_curator(project).unwrap().is_empty());
    store.return_(trust, &next.id, "", day(0)).unwrap();
    assert_eq!(
        store.notes_for_curator(project).unwrap(),
        ["leave the port out"]
    );
}

#[test]
fn a_proposal_expires_at_14_days_without_a_sweep_and_frees_nothing() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- one"]);
    let waits = |n| store.queue(None, day(n)).unwrap().len();
    assert_eq!([waits(13), waits(14), waits(15)], [1, 0, 0]);
    assert_eq!(case.state(&id, day(14)), State::Expired);
    let late = store.decide(trust, &id, 1, Decision::Accepted, 0, day(14));
    assert!(matches!(
        late,
        Err(StoreError::NotOpen {
            state: State::Expired,
            ..
        })
    ));
    assert!(store.expire(trust, day(13)).unwrap().is_empty());
    assert_eq!(store.expired(None, day(14)).unwrap().len(), 1);
    assert_eq!(
        store.expire(trust, day(14)).unwrap(),
        std::slice::from_ref(&id)
    );
    assert!(store.expire(trust, day(15)).unwrap().is_empty());
    assert_eq!(case.span_states(1), [SpanState::Staged]);
    assert!(store.seen(&case.project.id).unwrap().has("message 1"));
    // A clock that is set back does not bring it back; a person does.
    assert!(store.queue(None, day(1)).unwrap().is_empty());
    store.revive(trust, &id, day(20)).unwrap();
    let waits = |n| store.queue(None, day(n)).unwrap().len();
    assert_eq!([waits(33), waits(34)], [1, 0]);
    store.return_(trust, &id, "", day(40)).unwrap();
    assert!(case.span_states(1).is_empty());
}

#[test]
fn an_interrupted_apply_can_be_given_up() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- one"]);
    case.decide(&id, 1, Decision::Accepted);
    store
        .begin_apply(trust, &case.intent(&id, &[1], &[]), day(0))
        .unwrap();
    store
        .abort_apply(trust, &id, "state.md was changed by hand", day(0))
        .unwrap();
    assert_eq!(case.state(&id, day(0)), State::Staged);
    assert_eq!(case.span_states(1), [SpanState::Staged]);
    assert!(store.finish_apply(trust, &id, day(0)).is_err());
    assert_eq!(
        store.decisions(trust, &id).unwrap().decision(1),
        Decision::Accepted
    );
}

#[test]
fn a_change_whose_target_moved_on_is_decided_afresh() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- one", "- two"]);
    case.decide(&id, 1, Decision::Accepted);
    case.decide(&id, 2, Decision::Accepted);
    let mut intent = case.intent(&id, &[1], &[]);
    intent.reopened = vec![2];
    store.begin_apply(trust, &intent, day(0)).unwrap();
    assert!(store.finish_apply(trust, &id, day(0)).unwrap().rest);
    let journal = store.decisions(trust, &id).unwrap();
    assert!(journal.decisions.is_empty() && journal.settled.contains(&1));
    case.decide(&id, 2, Decision::Accepted);
    store.discard(trust, &id, day(0)).unwrap();
    let settled = store.decisions(trust, &id).unwrap().settled_as;
    let how = BTreeMap::from([(1, Decision::Accepted), (2, Decision::Rejected)]);
    assert_eq!(settled, how, "what was discarded counts as rejected");
}

#[test]
fn overlapping_spans_are_refused_and_leave_nothing() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    case.stage(1, &["- one"]);
    let mut second = case.make(2, &["- two"]);
    second.spans = vec![span("/t/2", 0, 10), span("/t/1", 99, 200)];
    let refused = store.stage(trust, &second, &["message 2".into()], day(0));
    assert!(matches!(
        refused,
        Err(StoreError::SpanTaken { start: 99, .. })
    ));
    // The aborted transaction left no row, no span, no message id, no audit record.
    assert!(matches!(
        store.proposal(trust, &second.id),
        Err(StoreError::NoProposal(_))
    ));
    assert!(case.span_states(2).is_empty());
    assert!(!store.seen(&case.project.id).unwrap().has("message 2"));
    assert_eq!(case.acts(), ["register", "stage"]);
    second.spans = vec![span("/t/1", 100, 200)];
    store.stage(trust, &second, &[], day(0)).unwrap();
}

#[test]
fn baselining_twice_and_forgetting_a_rewritten_source() {
    let case = Case::new();
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let spans = [span("/t/9", 0, 50), span("/t/8", 0, 0)];
    assert_eq!(
        store.baseline(trust, project, &spans, &[], day(0)).unwrap(),
        1
    );
    assert_eq!(
        store.baseline(trust, project, &spans, &[], day(0)).unwrap(),
        0
    );
    assert_eq!(case.span_states(9), [SpanState::Baseline]);
    assert_eq!(store.sources(project).unwrap(), ["/t/9"]);
    assert_eq!(
        store.forget_source(trust, project, "/t/9", day(0)).unwrap(),
        1
    );
    assert!(case.span_states(9).is_empty());
    case.stage(1, &["- one"]);
    assert_eq!(
        store.forget_source(trust, project, "/t/1", day(0)).unwrap(),
        0
    );
}

#[test]
fn material_that_always_fails_is_parked_the_third_time() {
    let case = Case::new();
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let material = [span("/t/5", 0, 10)];
    for count in 1..=3 {
        let tries = store
            .distill_failed(trust, project, &material, "bad reply", day(0))
            .unwrap();
        assert_eq!((tries.count, tries.parked), (count, count == 3));
    }
    let parked = store.parked(project).unwrap();
    assert_eq!(
        (parked[0].source.as_str(), parked[0].reason.as_str()),
        ("/t/5", "bad reply")
    );
    assert_eq!(case.span_states(5), [SpanState::Parked]);
    assert_eq!(store.unpark(trust, project, day(0)).unwrap(), 1);
    assert!(store.parked(project).unwrap().is_empty() && case.span_states(5).is_empty());
    // A success in between starts the count anew.
    store
        .distill_failed(trust, project, &[span("/t/1", 0, 100)], "x", day(0))
        .unwrap();
    let id = case.stage(1, &["- one"]);
    store.return_(trust, &id, "", day(0)).unwrap();
    let tries = store.distill_failed(trust, project, &[span("/t/1", 0, 100)], "x", day(0));
    assert_eq!(tries.unwrap().count, 1);
}

#[test]
fn a_project_keeps_its_id_when_it_moves() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let other = store
        .ensure_project(trust, Path::new("/q"), "q", day(0))
        .unwrap();
    assert_ne!(other.id, case.project.id);
    let again = store
        .ensure_project(trust, Path::new("/p"), "new name", day(1))
        .unwrap();
    assert_eq!(
        (&again.id, again.name.as_str()),
        (&case.project.id, "new name")
    );
    let taken = store.move_project(trust, &other.id, Path::new("/p"), day(0));
    assert!(matches!(taken, Err(StoreError::RootTaken(_))));
    store
        .move_project(trust, &other.id, Path::new("/r"), day(0))
        .unwrap();
    assert_eq!(
        store.project_at(Path::new("/r")).unwrap().unwrap().id,
        other.id
    );
    assert_eq!(store.project_at(Path::new("/q")).unwrap(), None);
    assert_eq!(store.projects().unwrap().len(), 2);
    use std::os::unix::ffi::OsStrExt;
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"/o\xff\x1b\n"));
    let odd_id = store.ensure_project(trust, odd, "odd", day(0)).unwrap().id;
    assert_eq!(store.project_at(odd).unwrap().unwrap().id, odd_id);
}

#[test]
fn a_proposal_is_found_by_the_beginning_of_its_id() {
    let case = Case::new();
    let one = case.stage(0x1000_0001, &["- one"]);
    case.stage(0x1000_0002, &["- two"]);
    assert_eq!(case.store.find_proposal("10000001").unwrap(), one);
    assert!(matches!(
        case.store.find_proposal("1000"),
        Err(StoreError::Ambiguous(_))
    ));
    for none in ["f", "%", "1_"] {
        assert!(matches!(
            case.store.find_proposal(none),
            Err(StoreError::NoProposal(_))
        ));
    }
}

#[test]
fn what_could_not_be_finished_is_not_begun() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let (first, second) = (case.stage(1, &["- one"]), case.stage(2, &["- two"]));
    for id in [&first, &second] {
        case.decide(id, 1, Decision::Accepted);
    }
    // Both are planned over the same entry.
    let (sooner, later) = (
        case.intent(&first, &[1], &[]),
        case.intent(&second, &[1], &[]),
    );
    let mut twice = later.clone();
    twice.records.push(twice.records[0].clone());
    let refused = store.begin_apply(trust, &twice, day(0));
    assert!(matches!(refused, Err(StoreError::EntryMovedOn(_))));
    store.begin_apply(trust, &sooner, day(0)).unwrap();
    store.finish_apply(trust, &first, day(0)).unwrap();
    let refused = store.begin_apply(trust, &later, day(0));
    assert!(matches!(refused, Err(StoreError::EntryMovedOn(_))));
    assert!(!store.is_applying(&case.project.id).unwrap());
    assert_eq!(case.state(&second, day(0)), State::Staged);
    // Planned anew it follows.
    let mut anew = later;
    let stands = store.records(trust, &case.project.id).unwrap().remove(0);
    anew.records = vec![stands.next(day(0))];
    store.begin_apply(trust, &anew, day(0)).unwrap();
    store.finish_apply(trust, &second, day(0)).unwrap();
}
