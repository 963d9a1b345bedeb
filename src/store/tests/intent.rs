//! What an apply is about to do, put back by somebody who cannot seal but kept a row.

use super::*;
use rusqlite::types::Value;

fn rows(case: &Case) -> Vec<Vec<Value>> {
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    let mut query = conn.prepare("SELECT * FROM intents").unwrap();
    let rows = query.query_map([], |row| (0..5).map(|n| row.get(n)).collect());
    rows.unwrap().map(Result::unwrap).collect()
}

/// Puts the row of a begun apply back in the place of whatever is there.
fn put_back(case: &Case, kept: &[Vec<Value>]) {
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    conn.execute("DELETE FROM intents", []).unwrap();
    let sql = "INSERT INTO intents VALUES (?1, ?2, ?3, ?4, ?5)";
    let row = rusqlite::params_from_iter(&kept[0]);
    assert_eq!(conn.execute(sql, row).unwrap(), 1);
    conn.execute("UPDATE proposals SET state = 'applying'", [])
        .unwrap();
}

#[test]
fn what_an_apply_was_about_to_do_does_not_come_back_once_it_was_given_up() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let id = case.stage(1, &["- one", "- two"]);
    case.decide(&id, 1, Decision::Accepted);
    let mut intent = case.intent(&id, &[1], &[]);
    intent.decided = store.decisions(trust, &id).unwrap().last;
    store.begin_apply(trust, &intent, day(0)).unwrap();
    let kept = rows(&case);
    store
        .abort_apply(trust, &id, "state.md was changed by hand", day(0))
        .unwrap();
    put_back(&case, &kept);
    let refused = |what: &str| {
        let pending = store.pending_apply(trust, &case.project.id);
        assert!(
            matches!(pending, Err(StoreError::Tampered { .. })),
            "{what}: {pending:?}"
        );
        assert!(store.finish_apply(trust, &id, day(0)).is_err(), "{what}");
        assert_ne!(case.breaks(), [], "{what}");
    };
    refused("given up");

    // Nor while another apply of the same proposal is under way.
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    conn.execute_batch("DELETE FROM intents; UPDATE proposals SET state = 'staged'")
        .unwrap();
    case.decide(&id, 1, Decision::Rejected);
    let later = case.intent(&id, &[], &[1]);
    store.begin_apply(trust, &later, day(0)).unwrap();
    assert!(store.pending_apply(trust, &case.project.id).is_ok());
    put_back(&case, &kept);
    refused("another one is under way");
}
