//! What does not verify is never sealed anew: a rotation refuses it, or leaves it out and says so.

use super::super::*;
use super::full;
use crate::lock::Stillness;

#[test]
fn what_does_not_verify_is_never_sealed_anew() {
    let attacks = [
        "UPDATE records SET text = 'x'",
        "UPDATE manifests SET sequence = 9",
        "UPDATE proposals SET body = replace(body, 'one', 'two') WHERE id = '00000001'",
        "UPDATE journal SET body = replace(body, '2', '1')",
        "UPDATE intents SET body = replace(body, 'three', 'four')",
        "UPDATE not_secret SET rule = 'x'",
        "UPDATE also_secret SET head = 255 - head",
        "UPDATE grants SET hooks = 0",
        "UPDATE audit SET act = 'x' WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 2",
        "UPDATE meta SET value = value || '0' WHERE name = 'audit'",
        "INSERT INTO records SELECT 'fedcba9876543210', entry, version, format, file, section, text, origin,
           evidence, created, at, accepted, confirmed, confirmations, lapses, supersedes, state, proposal, key, seal FROM records",
    ];
    for attack in attacks {
        let case = full();
        case.attack(attack);
        let (key, rows) = (case.bytes("key"), case.store.audit_rows().unwrap());
        let refused = case.rotate();
        assert!(
            matches!(refused, Err(StoreError::Tampered { .. })),
            "{attack}: {refused:?}"
        );
        assert_eq!(case.bytes("key"), key, "{attack}");
        assert_eq!(case.store.audit_rows().unwrap(), rows, "{attack}");
        assert!(!case.places().next_key().exists(), "{attack}");
        assert_eq!(
            case.store.trust().unwrap().key_id(),
            case.trust.key_id(),
            "{attack}"
        );
    }
}

#[test]
fn a_rotation_leaves_out_what_does_not_verify_and_says_so() {
    let attacks = [
        ("records", "UPDATE records SET text = 'x'"),
        ("manifests", "UPDATE manifests SET sequence = 9"),
        (
            "proposals",
            "UPDATE proposals SET body = replace(body, 'one', 'two') WHERE id = '00000001'",
        ),
        (
            "journal",
            "UPDATE journal SET body = replace(body, '2', '1') WHERE seq = 2",
        ),
        (
            "intents",
            "UPDATE intents SET body = replace(body, 'three', 'four')",
        ),
        ("not_secret", "UPDATE not_secret SET rule = 'x'"),
        ("grants", "UPDATE grants SET hooks = 0"),
        ("", "UPDATE audit SET details = '{}' WHERE seq = 2"),
        ("", "DELETE FROM audit WHERE seq = 2"),
    ];
    for (table, attack) in attacks {
        let case = full();
        case.attack(attack);
        let known = case.store.unsealed(&case.trust, day(1)).unwrap();
        assert!(!known.is_empty(), "{attack}");
        let broken: Vec<_> = known.iter().map(|b| b.kind).collect();
        let still = Stillness::take(&case.places().locks(), [&case.project.id]).unwrap();
        let rotate = |known: &[_]| {
            case.store
                .rotate_key_without(still.key(), &case.trust, known, day(1))
        };
        // Something else than a person was shown.
        assert!(rotate(&known[1..]).is_err(), "{attack}");
        let rotated = rotate(&known).unwrap();
        assert_eq!(rotated.left_out, known, "{attack}");
        let trust = case.store.trust().unwrap();
        assert_ne!(trust.key_id(), case.trust.key_id(), "{attack}");
        let after = case.breaks_with(&trust);
        assert!(
            broken.iter().all(|kind| after.contains(kind)),
            "{attack}: {broken:?} {after:?}"
        );
        let rows = case.store.audit_rows().unwrap();
        let record = rows.iter().rfind(|r| r.details.contains("\"rotated\""));
        assert!(record.unwrap().details.contains("left_out"), "{attack}");
        if matches!(table, "records" | "manifests" | "not_secret" | "grants") {
            let sql = format!("SELECT count(*) FROM {table} WHERE key = ?1");
            let anew: i64 = case
                .store
                .raw()
                .query_row(&sql, [trust.key_id()], |row| row.get(0))
                .unwrap();
            assert_eq!(anew, 0, "{attack}");
        }
        // Where it can be given up, all is whole again.
        for of in case.store.unsound(&trust, None, false).unwrap() {
            case.store.give_up_proposal(&trust, &of, day(1)).unwrap();
        }
        let given_up = case.store.give_up_records(&trust, &case.project.id, day(1));
        given_up.unwrap();
        let is_whole = case.breaks_with(&trust).is_empty();
        assert_eq!(
            is_whole,
            !matches!(table, "" | "not_secret" | "grants"),
            "{attack}"
        );
    }
}

#[test]
fn where_nobody_can_say_what_the_newest_acts_left_standing_the_key_is_rotated_and_nothing_counts() {
    let case = full();
    case.attack("DELETE FROM audit WHERE act = 'also-secret'");
    case.attack("UPDATE newest SET said = 'x'");
    let known = case.store.unsealed(&case.trust, day(1)).unwrap();
    assert!(case.store.can_go_on(&case.trust).unwrap());
    let still = Stillness::take(&case.places().locks(), [&case.project.id]).unwrap();
    let rotated = case
        .store
        .rotate_key_without(still.key(), &case.trust, &known, day(1));
    assert_eq!(rotated.unwrap().left_out, known);
    let trust = case.store.trust().unwrap();
    assert_ne!(trust.key_id(), case.trust.key_id());
    assert!(case.store.records(&trust, &case.project.id).is_err());
    let allowed = case.store.not_secret(&trust).unwrap();
    assert!(allowed.fingerprints().is_empty());
}

#[test]
fn from_a_head_that_was_not_sealed_nothing_goes_on() {
    for attack in [
        "UPDATE meta SET value = replace(value, substr(value, -130, 8), '00000000') WHERE name = 'audit'",
        "DELETE FROM meta WHERE name = 'audit'",
    ] {
        let case = full();
        assert!(case.store.can_go_on(&case.trust).unwrap());
        case.attack(attack);
        let known = case.store.unsealed(&case.trust, day(1)).unwrap();
        assert!(!case.store.can_go_on(&case.trust).unwrap(), "{attack}");
        let still = Stillness::take(&case.places().locks(), [&case.project.id]).unwrap();
        let rotated = case
            .store
            .rotate_key_without(still.key(), &case.trust, &known, day(1));
        assert!(rotated.is_err(), "{attack}");
        assert_eq!(case.store.trust().unwrap().key_id(), case.trust.key_id());
    }
}
