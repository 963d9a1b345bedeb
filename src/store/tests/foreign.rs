//! What is in the database besides what memd made: nothing is written by way of it, and a database
//! made anew from the rows leaves it behind.

use super::*;
use crate::store::Integrity;
use crate::trust::{Act, BreakKind};
use serde_json::json;

/// One record that a person let in.
fn case() -> Case {
    let case = Case::new();
    let id = case.stage(1, &["- one"]);
    case.decide(&id, 1, Decision::Accepted);
    case.apply(&case.intent(&id, &[1], &[]));
    assert_eq!(case.breaks(), []);
    case
}

/// The table of records as it is, but for a rule that takes other rows along.
const CASCADE: &str = "
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(sql, 'seal          TEXT    NOT NULL',
        'seal          TEXT    NOT NULL REFERENCES meta (value) ON DELETE CASCADE')
    WHERE type = 'table' AND name = 'records';
    PRAGMA writable_schema = RESET;";

#[test]
fn nothing_is_written_by_way_of_what_memd_did_not_make_and_doctor_leaves_it_behind() {
    for foreign in [
        "CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM tombstones; END",
        "CREATE VIEW v AS SELECT * FROM records",
        "CREATE TABLE more (a REFERENCES records (seal) ON DELETE CASCADE)",
        "DROP TRIGGER audit_no_delete;
         CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT 1; END",
        "ALTER TABLE proposals ADD COLUMN more TEXT",
        CASCADE,
    ] {
        let mut case = case();
        let conn = rusqlite::Connection::open(case.store.path()).unwrap();
        conn.execute_batch(foreign).unwrap();
        // A schema that is rewritten by hand is in force for whoever opens it from then on.
        case.store = Store::open(&case.places()).unwrap();
        assert_eq!(case.breaks(), [BreakKind::ForeignObject], "{foreign}");
        let acts = case.acts().len();
        let written = case
            .store
            .audit(&case.trust, Act::Refuse, None, &[], json!({}), day(1));
        assert!(
            matches!(written, Err(StoreError::Foreign { .. })),
            "{foreign}: {written:?}"
        );
        assert_eq!(case.acts().len(), acts, "{foreign}");
        drop(conn);
        let found = case.store.mend().unwrap();
        assert!(
            matches!(found, Integrity::Foreign(_)),
            "{foreign}: {found:?}"
        );
        case.store.make_anew(&case.trust, day(1)).unwrap();
        assert_eq!(case.breaks(), [], "{foreign}");
        assert_eq!(case.acts().last().map(String::as_str), Some("mend"));
        assert_eq!(case.store.mend().unwrap(), Integrity::Whole);
        let records = case.store.records(&case.trust, &case.project.id).unwrap();
        assert_eq!(records.len(), 1, "{foreign}");
    }
}
