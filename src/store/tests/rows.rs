//! Columns that no seal covers, each set to nonsense: no list stops, verify names the place, and after
//! the way back all is well and nothing that is sealed has changed.

use super::*;
use crate::store::rows;
use crate::trust::BreakKind;
use rusqlite::Connection;
use rusqlite::types::Value;

/// A database with a row in each table that has such columns.
fn sample() -> Case {
    let case = rotate::full();
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let waits = case.stage(4, &["- four"]);
    case.decide(&waits, 1, Decision::Accepted);
    for _ in 0..3 {
        let material = [span("/t/parked", 0, 9)];
        store
            .distill_failed(trust, project, &material, "no reply", day(0))
            .unwrap();
    }
    let failing = [span("/t/failing", 0, 9)];
    store
        .distill_failed(trust, project, &failing, "no reply", day(0))
        .unwrap();
    store.count_call(10, None, day(0)).unwrap();
    let tool = crate::source::Tool::Claude;
    store.note_root(tool, Path::new("/tool"), day(0)).unwrap();
    store
        .move_project(trust, project, Path::new("/moved"), day(0))
        .unwrap();
    let other = Path::new("/other");
    store.ensure_project(trust, other, "other", day(0)).unwrap();
    assert_eq!(case.breaks(), []);
    case
}

/// Runs SQL against the database as somebody who may write the file. How many rows it changed.
fn attack(case: &Case, sql: &str, to: &Value) -> usize {
    let conn = Connection::open(case.store.path()).unwrap();
    conn.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        .unwrap();
    // What the types of the schema do not allow is no attack.
    conn.execute(sql, [to]).unwrap_or(0)
}

/// Every list that a command shows or goes by.
fn lists(case: &Case) -> Result<(), StoreError> {
    let (store, trust, now) = (&case.store, &case.trust, day(1));
    for project in store.projects()? {
        let id = &project.id;
        store.queue(Some(id), now)?;
        store.expired(Some(id), now)?;
        store.commits_owed(Some(id))?;
        store.tombstones(id)?;
        store.notes(id)?;
        store.notes_for_curator(id)?;
        store.parked(id)?;
        store.failing(id)?;
        store.seen(id)?;
        store.distilled(id)?;
        store.other_folders(id)?;
        store.cost_of_accepted(id)?;
        store.undecided(id)?;
        for source in store.sources(id)? {
            store.spans(id, &source)?;
        }
    }
    store.forgotten_roots()?;
    store.roots()?;
    store.spent(now)?;
    store.count_call(1, None, day(0))?;
    store.expire(trust, now)?;
    store.unsound(trust, None, false)?;
    Ok(())
}

/// As a person who is asked and says yes.
fn mend(case: &Case) {
    let found = case.store.stray_values(&case.trust, None).unwrap();
    let done = case.store.mend_values(&case.trust, &found, None, day(1));
    assert!(done.unwrap().is_some());
}

/// Values, and as what they are set.
fn nonsense() -> Vec<(Value, &'static str)> {
    let bytes = Value::Blob(vec![0xff, 0xfe]);
    vec![
        (Value::Text("garbage".into()), "?1"),
        (Value::Integer(-1), "?1"),
        (Value::Integer(i64::MAX), "?1"),
        (Value::Integer(i64::MIN), "?1"),
        (bytes.clone(), "?1"),
        (bytes, "CAST(?1 AS TEXT)"),
    ]
}

#[test]
fn nonsense_in_a_column_that_no_seal_covers_stops_nothing_is_named_and_mended() {
    let whole = sample();
    let bytes = whole.whole_database();
    let mut unnamed = Vec::new();
    for (table, column) in rows::columns() {
        let mut named = 0;
        for (to, of) in nonsense() {
            let sql = format!("UPDATE OR IGNORE {table} SET {column} = {of}");
            let told = format!("{sql}: {to:?}");
            let case = whole.copy(&bytes);
            if attack(&case, &sql, &to) == 0 {
                continue;
            }
            named += usize::from(case.breaks().contains(&BreakKind::StrayValue));
            lists(&case).unwrap_or_else(|e| panic!("{told}: {e}"));
            // Some are as they should be with the next act.
            if case.breaks().is_empty() {
                continue;
            }
            mend(&case);
            assert_eq!(case.breaks(), [], "{told}");
            lists(&case).unwrap_or_else(|e| panic!("{told}: {e}"));
            let queue = |case: &Case| case.store.queue(None, day(0)).unwrap();
            assert_eq!(queue(&case), queue(&whole), "{told}");
        }
        if named == 0 {
            unnamed.push(format!("{table}.{column}"));
        }
    }
    // Any bytes are a path.
    assert_eq!(unnamed, ["aliases.path", "roots.path"]);
}

#[test]
fn what_is_not_sealed_and_contradicts_what_is_is_named_and_mended() {
    let whole = sample();
    let bytes = whole.whole_database();
    for sql in [
        "UPDATE projects SET forgotten = '2026-01-01T00:00:00Z' WHERE name = 'p' OR ?1 IS NULL",
        "UPDATE projects SET root = CAST('/elsewhere' AS BLOB) WHERE name = 'p' OR ?1 IS NULL",
        "UPDATE proposals SET open = 0 WHERE state = 'staged' OR ?1 IS NULL",
        "UPDATE proposals SET open = 1 WHERE state = 'applied' OR ?1 IS NULL",
        "UPDATE proposals SET accepted = 9 WHERE ?1 IS NOT NULL",
        "UPDATE proposals SET created = '2020-01-01T00:00:00Z' WHERE ?1 IS NOT NULL",
    ] {
        let case = whole.copy(&bytes);
        assert!(attack(&case, sql, &Value::Integer(1)) > 0, "{sql}");
        assert!(case.breaks().contains(&BreakKind::StrayValue), "{sql}");
        mend(&case);
        assert_eq!(case.breaks(), [], "{sql}");
        let projects = |case: &Case| case.store.projects().unwrap();
        assert_eq!(projects(&case), projects(&whole), "{sql}");
    }
}

#[test]
fn what_is_computed_again_is_what_it_was_and_what_a_person_said_no_to_stays_refused() {
    let case = sample();
    let project = &case.project.id;
    let statements = |case: &Case| -> Vec<String> {
        let all = case.store.tombstones(project).unwrap();
        all.into_iter().map(|no| no.statement).collect()
    };
    let (refused, owed) = (statements(&case), case.store.commits_owed(None).unwrap());
    assert!(!refused.is_empty() && !owed.is_empty());
    for sql in [
        "UPDATE tombstones SET file = ?1",
        "UPDATE commits_owed SET at = ?1, audit = ?1",
        "UPDATE spans SET fingerprint = ?1 WHERE proposal = '00000004'",
    ] {
        assert!(attack(&case, sql, &Value::Text("x".into())) > 0, "{sql}");
    }
    assert_eq!(case.store.commits_owed(None).unwrap(), []);
    mend(&case);
    assert_eq!(case.breaks(), []);
    assert_eq!(statements(&case), refused);
    assert_eq!(case.store.commits_owed(None).unwrap(), owed);
    assert_eq!(case.span_states(4), [crate::store::SpanState::Staged]);
    assert!(case.acts().contains(&"mend".to_owned()));
}

#[test]
fn a_row_of_one_project_that_cannot_be_read_leaves_the_others_listed() {
    let case = sample();
    let sql = "UPDATE projects SET id = ?1 WHERE name = 'other'";
    assert_eq!(attack(&case, sql, &Value::Text("x".into())), 1);
    let names: Vec<_> = case
        .store
        .projects()
        .unwrap()
        .into_iter()
        .map(|p| p.name)
        .collect();
    assert_eq!(names, ["p"]);
    assert_eq!(case.breaks(), [BreakKind::StrayValue]);
    mend(&case);
    assert_eq!(case.breaks(), []);
    assert_eq!(case.store.projects().unwrap().len(), 2);
}

impl Case {
    /// The same home with a copy of a database.
    fn copy(&self, database: &[u8]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        std::fs::create_dir_all(&places.state).unwrap();
        std::fs::write(places.database(), database).unwrap();
        std::fs::copy(self.places().key(), places.key()).unwrap();
        let store = Store::open(&places).unwrap();
        let trust = store.trust().unwrap();
        Self {
            dir,
            store,
            trust,
            project: self.project.clone(),
        }
    }
}
