//! What a person gives up: proposals that were changed outside memd, and records of one project. All
//! verifies afterwards, the key rotates, and nothing that was not read becomes trusted.

use super::rotate::full;
use super::*;
use crate::id::ProjectId;
use crate::lock::Stillness;
use crate::store::SpanState;
use crate::trust::BreakKind;

fn rotates(case: &Case) -> bool {
    let still = Stillness::take(&case.places().locks(), [&case.project.id]).unwrap();
    let trust = case.store.trust().unwrap();
    case.store.rotate_key(still.key(), &trust, day(1)).is_ok()
}

fn give_up_all(case: &Case) -> usize {
    let found = case.store.unsound(&case.trust, None, false).unwrap();
    for of in &found {
        let done = case.store.give_up_proposal(&case.trust, of, day(0));
        assert!(done.unwrap(), "{of:?}");
    }
    found.len()
}

#[test]
fn a_proposal_that_was_changed_is_given_up_and_its_material_is_free() {
    let attacks = [
        "UPDATE proposals SET body = replace(body, 'four', 'five') WHERE id = '00000004'",
        "UPDATE proposals SET seal = '' WHERE id = '00000004'",
        "UPDATE proposals SET kind = 'own' WHERE id = '00000004'",
        "UPDATE proposals SET state = 'returned' WHERE id = '00000004'",
        "UPDATE proposals SET state = 'expired' WHERE id = '00000004'",
        "UPDATE journal SET body = replace(body, 'accepted', 'rejected') WHERE proposal = '00000004'",
        "DELETE FROM journal WHERE proposal = '00000004'",
        "DELETE FROM proposals WHERE id = '00000004'",
    ];
    for attack in attacks {
        let case = full();
        let id = case.stage(4, &["- four"]);
        case.decide(&id, 1, Decision::Accepted);
        let free = case.span_states(4);
        assert_eq!(free, [SpanState::Staged], "{attack}");
        assert_eq!(case.store.unsound(&case.trust, None, false).unwrap(), []);
        case.attack(attack);
        assert!(!case.breaks().is_empty(), "{attack}");
        assert_eq!(give_up_all(&case), 1, "{attack}");
        assert_eq!(case.breaks(), [], "{attack}");
        assert_eq!(case.span_states(4), [], "{attack}");
        assert!(case.acts().contains(&"give-up".to_owned()));
        let refused = case.store.refusals(&case.trust, &case.project.id);
        assert!(refused.is_ok(), "{attack}: {refused:?}");
        assert!(rotates(&case), "{attack}");
    }
}

#[test]
fn what_was_given_up_does_not_come_back() {
    let case = full();
    let id = case.stage(4, &["- four"]);
    case.attack("UPDATE proposals SET body = replace(body, 'four', 'five') WHERE id = '00000004'");
    give_up_all(&case);
    case.attack(
        "UPDATE proposals SET body = replace(body, 'five', 'four'), state = 'staged', open = 1
         WHERE id = '00000004'",
    );
    assert_eq!(case.breaks(), [BreakKind::ProposalSeal]);
    let found = case.store.unsound(&case.trust, None, true).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id, id);
    assert_eq!(give_up_all(&case), 1);
    assert_eq!(case.breaks(), []);
}

#[test]
fn what_holds_is_not_given_up() {
    let case = full();
    let id = case.stage(4, &["- four"]);
    let of = crate::store::Unsound {
        id: id.clone(),
        project: case.project.id.clone(),
        name: "app".into(),
        is_open: true,
    };
    assert!(
        !case
            .store
            .give_up_proposal(&case.trust, &of, day(0))
            .unwrap()
    );
    assert_eq!(case.state(&id, day(0)), State::Staged);
    let records = case
        .store
        .give_up_records(&case.trust, &case.project.id, day(0));
    assert_eq!(records.unwrap(), None);
}

/// Two entries of the project, and one of another.
fn two() -> (Case, ProjectId) {
    let case = full();
    let id = case.store.pending_apply(&case.trust, &case.project.id);
    let id = id.unwrap().unwrap().proposal;
    case.store.finish_apply(&case.trust, &id, day(0)).unwrap();
    let root = case.places().state.join("other");
    let other = case
        .store
        .ensure_project(&case.trust, &root, "other", day(0));
    let other = other.unwrap().id;
    let record = Record {
        project: other.clone(),
        ..case.record(7, "- seven")
    };
    let put = case.store.put_records(
        &case.trust,
        &other,
        crate::trust::Act::Adopt,
        vec![record],
        serde_json::json!({}),
        day(0),
    );
    put.unwrap();
    assert_eq!(case.breaks(), []);
    (case, other)
}

#[test]
fn records_that_do_not_hold_are_given_up_in_their_project_alone() {
    let attacks = [
        (
            "UPDATE records SET text = 'x' WHERE text = '- three'",
            false,
        ),
        ("UPDATE records SET seal = '' WHERE text = '- three'", true),
        (
            "UPDATE records SET state = 'gone' WHERE text = '- three'",
            true,
        ),
        ("DELETE FROM records WHERE text = '- three'", true),
        ("DELETE FROM manifests WHERE count = 2", true),
        (
            "UPDATE manifests SET sequence = 9223372036854775807 WHERE count = 2",
            true,
        ),
    ];
    for (attack, is_all) in attacks {
        let (case, other) = two();
        let before = case.store.records(&case.trust, &case.project.id).unwrap();
        case.attack(attack);
        assert!(!case.breaks().is_empty(), "{attack}");
        let gone = case
            .store
            .give_up_records(&case.trust, &case.project.id, day(0));
        let gone = gone.unwrap().unwrap();
        assert_eq!(gone.is_all, is_all, "{attack}");
        assert_eq!(case.breaks(), [], "{attack}");
        let kept = std::fs::read_to_string(&gone.file).unwrap();
        assert!(kept.lines().count() > gone.versions || attack.contains("FROM manifests"));
        let left = case.store.records(&case.trust, &case.project.id).unwrap();
        assert!(left.iter().all(|r| before.contains(r)), "{attack}");
        assert_eq!(left.len(), if is_all { 0 } else { 1 }, "{attack}");
        assert_eq!(case.store.records(&case.trust, &other).unwrap().len(), 1);
        // What was taken out does not count again when it is put back.
        assert!(rotates(&case), "{attack}");
    }
}
