//! What a person called no secret counts only with its seal and the newest word on it.

use super::*;
use crate::store::HiddenValue;
use crate::trust::BreakKind;

const VALUE: HiddenValue<'_> = HiddenValue {
    fingerprint: "0123456789abcdef0123456789abcdef",
    rule: "assignment",
    length: "8-15",
};

fn allowed(case: &Case) -> usize {
    case.store.not_secret(&case.trust).unwrap().values.len()
}

#[test]
fn a_word_is_kept_and_can_be_taken_back() {
    let case = Case::new();
    let set = |value| case.store.set_not_secret(&case.trust, value, day(1));
    let unset = || {
        let store = &case.store;
        store.unset_not_secret(&case.trust, VALUE.fingerprint, day(2))
    };
    unset().unwrap();
    set(VALUE).unwrap();
    set(VALUE).unwrap();
    let all = case.store.not_secret(&case.trust).unwrap();
    assert_eq!((all.values.len(), all.values[0].at), (1, day(1)));
    assert!(all.fingerprints().contains(VALUE.fingerprint));
    unset().unwrap();
    unset().unwrap();
    assert_eq!(allowed(&case), 0);
    let acts = case.acts();
    assert_eq!(acts.iter().filter(|a| *a == "not-secret").count(), 3);
    assert_eq!(case.breaks(), []);
    for bad in ["", "xyz", crate::redact::NO_FINGERPRINT, &"g".repeat(32)] {
        let refused = set(HiddenValue {
            fingerprint: bad,
            ..VALUE
        });
        assert!(
            matches!(refused, Err(StoreError::NoFingerprint(_))),
            "{bad}"
        );
    }
}

#[test]
fn a_row_that_was_changed_made_up_or_put_back_counts_for_nothing() {
    let other = "f".repeat(32);
    for attack in [
        format!("UPDATE not_secret SET fingerprint = '{other}'"),
        "UPDATE not_secret SET at = '2020-01-01T00:00:00Z'".to_owned(),
        "UPDATE not_secret SET at = 'x'".to_owned(),
        "UPDATE not_secret SET seal = ''".to_owned(),
        format!(
            "INSERT INTO not_secret SELECT '{other}', format, rule, length, at, key, seal FROM not_secret"
        ),
    ] {
        let case = Case::new();
        case.store
            .set_not_secret(&case.trust, VALUE, day(1))
            .unwrap();
        let before = allowed(&case);
        case.attack(&attack);
        assert_eq!(case.breaks(), [BreakKind::NotSecret], "{attack}");
        let expected = if attack.starts_with("INSERT") {
            before
        } else {
            0
        };
        assert_eq!(allowed(&case), expected, "{attack}");
    }
    // What was taken back is put there again; also when it was hidden while that was done.
    for hide in [false, true] {
        let case = Case::new();
        let (store, trust) = (&case.store, &case.trust);
        store.set_not_secret(trust, VALUE, day(1)).unwrap();
        let kept = store.not_secret(trust).unwrap().values.remove(0);
        if hide {
            case.attack("DELETE FROM not_secret");
        }
        store
            .unset_not_secret(trust, VALUE.fingerprint, day(2))
            .unwrap();
        put_back(&case, &kept);
        let found = (allowed(&case), case.breaks());
        assert_eq!(found, (0, vec![BreakKind::NotSecret]));
    }
}

/// Puts a row where it stood, as it was.
fn put_back(case: &Case, kept: &crate::trust::NotSecret) {
    case.attack(&format!(
        "INSERT OR REPLACE INTO not_secret VALUES ('{}', {}, '{}', '{}', '{}', '{}', '{}')",
        kept.value.fingerprint,
        kept.format,
        kept.value.rule,
        kept.value.length,
        kept.at,
        kept.key,
        kept.seal
    ));
}

#[test]
fn a_word_that_was_taken_back_does_not_come_back_by_a_cut_or_forged_chain() {
    for attack in [
        // The record that took it back is cut out, or the chain is cut off there.
        "DELETE FROM audit WHERE act = 'not-secret' AND json_extract(details, '$.not_secret') = 0",
        "DELETE FROM audit WHERE seq >= (SELECT max(seq) FROM audit WHERE act = 'not-secret')",
        // It is made to say otherwise, or another says so after it.
        "UPDATE audit SET details = replace(details, 'false', 'true') WHERE act = 'not-secret'",
        "INSERT INTO audit SELECT seq + 10, mac, at, act, project, subjects, details, mac FROM audit
         WHERE act = 'not-secret' ORDER BY seq LIMIT 1",
    ] {
        let case = Case::new();
        let (store, trust) = (&case.store, &case.trust);
        store.set_not_secret(trust, VALUE, day(1)).unwrap();
        let kept = store.not_secret(trust).unwrap().values.remove(0);
        store
            .unset_not_secret(trust, VALUE.fingerprint, day(2))
            .unwrap();
        store
            .stage(trust, &case.make(7, &[]), &[], day(3))
            .unwrap();
        case.attack(attack);
        put_back(&case, &kept);
        assert_eq!(allowed(&case), 0, "{attack}");
        assert!(!case.breaks().is_empty(), "{attack}");
    }
}

#[test]
fn a_word_outlasts_a_gap_and_lapses_where_what_took_it_back_is_gone() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let say = |n| store.set_not_secret(trust, VALUE, day(n)).unwrap();
    let words = || {
        let all = store.not_secret(trust).unwrap();
        (all.values.len(), all.lapsed.len())
    };
    say(1);
    store.stage(trust, &case.make(7, &[]), &[], day(2)).unwrap();
    store.stage(trust, &case.make(8, &[]), &[], day(3)).unwrap();
    // A record that a bad disk lost takes nothing back: the sealed head says what stands.
    case.attack("DELETE FROM audit WHERE seq = (SELECT max(seq) - 1 FROM audit)");
    assert_eq!(words(), (1, 0));
    let kept = store.not_secret(trust).unwrap().values.remove(0);
    store
        .unset_not_secret(trust, VALUE.fingerprint, day(4))
        .unwrap();
    store.stage(trust, &case.make(9, &[]), &[], day(5)).unwrap();
    case.attack("DELETE FROM audit WHERE seq = (SELECT max(seq) - 1 FROM audit)");
    put_back(&case, &kept);
    assert_eq!(words(), (0, 1));
    // The chain is named; the word itself is only hidden again.
    assert!(!case.breaks().contains(&BreakKind::NotSecret));
    say(6);
    assert_eq!(words(), (1, 0));
}
