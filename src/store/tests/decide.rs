//! Decisions: undo, redo, two reviewers, and what was changed between stage and accept.

use super::*;
use crate::store::{HiddenValue, Seq, Shown};

#[test]
fn undo_and_redo_survive_a_restart() {
    let case = Case::new();
    let id = case.stage(1, &["- one", "- two"]);
    case.decide(&id, 1, Decision::Accepted);
    case.decide(&id, 1, Decision::Edited("- mine".into()));
    case.decide(&id, 2, Decision::Rejected);
    let turn = |redo: bool| {
        let store = Store::open_existing(&case.places()).unwrap().unwrap();
        let last = store.decisions(&case.trust, &id).unwrap().last;
        let turned = if redo {
            store.redo(&case.trust, &id, last, day(0))
        } else {
            store.undo(&case.trust, &id, last, day(0))
        };
        turned.unwrap().map(|s| (s.n, s.decision))
    };
    assert_eq!(turn(false), Some((2, Decision::Undecided)));
    assert_eq!(turn(false), Some((1, Decision::Accepted)));
    assert_eq!(turn(true), Some((1, Decision::Edited("- mine".into()))));
    assert_eq!(turn(false), Some((1, Decision::Accepted)));
    assert_eq!(turn(false), Some((1, Decision::Undecided)));
    assert_eq!(turn(false), None);
    assert_eq!(turn(true), Some((1, Decision::Accepted)));
    // A new decision forgets what was undone.
    case.decide(&id, 2, Decision::Accepted);
    assert_eq!(turn(true), None);
    let queue = case.store.queue(None, day(0)).unwrap();
    assert_eq!((queue[0].accepted, queue[0].undecided), (2, 0));
}

#[test]
fn the_second_of_two_reviewers_is_told() {
    let case = Case::new();
    let id = case.stage(1, &["- one"]);
    let other = Store::open(&case.places()).unwrap();
    other
        .decide(&case.trust, &id, 1, Decision::Rejected, 0, day(0))
        .unwrap();
    let late = case
        .store
        .decide(&case.trust, &id, 1, Decision::Accepted, 0, day(0));
    assert!(matches!(
        late,
        Err(StoreError::ChangedMeanwhile { now: 1, .. })
    ));
    let late = case.store.undo(&case.trust, &id, 0, day(0));
    assert!(matches!(late, Err(StoreError::ChangedMeanwhile { .. })));
    // So is one who applies a sheet that is no longer what was decided.
    let mut sheet = case.intent(&id, &[1], &[]);
    sheet.decided = 0;
    let late = case.store.begin_apply(&case.trust, &sheet, day(0));
    assert!(matches!(late, Err(StoreError::ChangedMeanwhile { .. })));
}

#[test]
fn what_was_changed_between_stage_and_accept_is_refused() {
    let attacks = [
        "UPDATE proposals SET body = replace(body, '- one', '- evil')",
        "UPDATE proposals SET seal = ''",
        "UPDATE proposals SET kind = 'changed_on_disk'",
    ];
    for attack in attacks {
        let case = Case::new();
        let id = case.stage(1, &["- one"]);
        case.attack(attack);
        let read = case.store.proposal(&case.trust, &id);
        assert!(matches!(read, Err(StoreError::Tampered { .. })), "{attack}");
        let accept = case
            .store
            .decide(&case.trust, &id, 1, Decision::Accepted, 0, day(0));
        assert!(
            matches!(accept, Err(StoreError::Tampered { .. })),
            "{attack}"
        );
        let sheet = case.intent(&id, &[1], &[]);
        assert!(
            case.store.begin_apply(&case.trust, &sheet, day(0)).is_err(),
            "{attack}"
        );
        assert_eq!(case.breaks(), [crate::trust::BreakKind::ProposalSeal]);
    }
}

#[test]
fn a_forged_decision_and_a_forged_apply_are_refused() {
    let case = Case::new();
    let id = case.stage(1, &["- one"]);
    case.decide(&id, 1, Decision::Accepted);
    case.store
        .begin_apply(&case.trust, &case.intent(&id, &[1], &[]), day(0))
        .unwrap();
    case.attack("UPDATE intents SET body = replace(body, '\"b\"', '\"evil\"')");
    let pending = case.store.pending_apply(&case.trust, &case.project.id);
    assert!(matches!(pending, Err(StoreError::Tampered { .. })));
    let finish = case.store.finish_apply(&case.trust, &id, day(0));
    assert!(matches!(finish, Err(StoreError::Tampered { .. })));
    for attack in [
        "UPDATE journal SET body = replace(body, 'accepted', 'rejected')",
        "UPDATE journal SET seq = 2",
        "UPDATE journal SET step = 'redo'",
        "UPDATE journal SET at = '2020-01-01T00:00:00Z'",
        "INSERT INTO journal SELECT proposal, 2, step, body, at, seal FROM journal",
    ] {
        let case = Case::new();
        let id = case.stage(1, &["- one"]);
        case.decide(&id, 1, Decision::Accepted);
        case.attack(attack);
        let read = case.store.decisions(&case.trust, &id);
        assert!(matches!(read, Err(StoreError::Tampered { .. })), "{attack}");
    }
}

#[test]
fn what_a_decision_was_made_over_is_kept_undone_and_settled_with_it() {
    let case = Case::new();
    let id = case.stage(1, &["- a", "- b"]);
    let (store, trust) = (&case.store, &case.trust);
    let over = |text: &str| Some(TextHash::of(text));
    let journal = || store.decisions(trust, &id).unwrap();
    let last = || journal().last;
    let now = |text| {
        store.decide_over(
            trust,
            &id,
            1,
            Decision::Accepted,
            over(text),
            last(),
            day(0),
        )
    };
    now("first").unwrap();
    now("second").unwrap();
    assert_eq!(journal().over.get(&1), over("second").as_ref());
    store.undo(trust, &id, last(), day(0)).unwrap();
    assert_eq!(journal().over.get(&1), over("first").as_ref());
    store.redo(trust, &id, last(), day(0)).unwrap();
    assert_eq!(journal().over.get(&1), over("second").as_ref());
    case.decide(&id, 1, Decision::Accepted);
    assert!(journal().over.is_empty(), "decided as it was made");
    now("third").unwrap();
    let intent = case.intent(&id, &[1], &[]);
    store.begin_apply(trust, &intent, day(0)).unwrap();
    store.finish_apply(trust, &id, day(0)).unwrap();
    assert!(journal().over.is_empty());
}

/// A decision over what a person was shown of a proposal.
fn over(case: &Case, id: &ProposalId, shown: &Shown) -> Result<Seq, StoreError> {
    let (store, trust) = (&case.store, &case.trust);
    store.decide(trust, id, 1, Decision::Accepted, shown.clone(), day(0))
}

#[test]
fn what_was_shown_otherwise_is_not_accepted_nor_applied() {
    use crate::redact::{NO_FINGERPRINT, Redactor};
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- seven blue geese", "- two"]);
    let shown = |id| store.opened(trust, id).unwrap().shown;
    let before = shown(&id);
    let stale = |got: Result<Seq, StoreError>| {
        assert!(matches!(got, Err(StoreError::NotAsShown { .. })), "{got:?}");
    };
    // A word takes it out of the text.
    let redactor = || Redactor::new(&[], trust.redaction_key()).0;
    let value = redactor().also("seven blue geese").unwrap();
    store
        .set_also_secret(trust, &value, redactor(), day(0))
        .unwrap();
    assert!(!before.is_same_text(&store.stands(&id, before.last).unwrap()));
    stale(over(&case, &id, &before));
    let mut with_words = before;
    with_words.take_words(&shown(&id));
    stale(over(&case, &id, &with_words));
    let last = over(&case, &id, &shown(&id)).unwrap();
    // A word about something else: what is judged may be another thing.
    let mut sheet = shown(&id);
    let hidden = HiddenValue {
        fingerprint: &"a".repeat(NO_FINGERPRINT.len()),
        rule: "assignment",
        length: "8-15",
    };
    store.set_not_secret(trust, hidden, day(0)).unwrap();
    let mut intent = case.intent(&id, &[1], &[]);
    intent.decided = last;
    let begun = store.begin_apply_of(trust, &intent, &sheet, day(0));
    assert!(matches!(begun, Err(StoreError::NotAsShown { .. })));
    assert!(
        store
            .pending_apply(trust, &case.project.id)
            .unwrap()
            .is_none()
    );
    sheet.take_words(&shown(&id));
    store
        .begin_apply_of(trust, &intent, &sheet, day(0))
        .unwrap();
}
