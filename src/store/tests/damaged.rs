//! A database of which a page is damaged: made anew where its tables are enough for it, whatever it
//! is killed in, and left as it is where they are not.

use super::rotate::full;
use super::*;
use crate::store::integrity::anew::AnewStep;
use crate::store::{Integrity, MadeAnew};
use crate::trust::Act;
use rusqlite::Connection;
use std::os::unix::fs::FileExt;

const PAGE: u64 = 4096;

impl Case {
    /// Where the first page of a table or an index begins in the file.
    fn page_of(&self, name: &str) -> u64 {
        let sql = "SELECT (rootpage - 1) * 4096 FROM sqlite_master WHERE name = ?1";
        let at: i64 = self
            .store
            .raw()
            .query_row(sql, [name], |r| r.get(0))
            .unwrap();
        u64::try_from(at).unwrap()
    }

    /// Writes over a page with what no page begins with, as a bad disk does. Nobody has the file open.
    fn damage(mut self, name: &str) -> Self {
        self.whole_database();
        let at = self.page_of(name);
        let places = self.places();
        // The one that was open is closed by it.
        self.store = self.store.beside(Connection::open_in_memory().unwrap());
        let file = std::fs::File::options()
            .write(true)
            .open(places.database())
            .unwrap();
        file.write_all_at(&[0x55; PAGE as usize], at).unwrap();
        drop(file);
        self.store = Store::open(&places).unwrap();
        self
    }

    fn rows(&self) -> Vec<(String, i64)> {
        let count = |name: String| {
            let sql = format!("SELECT count(*) FROM {name}");
            let n = self.store.raw().query_row(&sql, [], |r| r.get(0)).unwrap();
            (name, n)
        };
        let tables = crate::store::schema::tables(self.store.raw()).unwrap();
        tables.into_iter().map(count).collect()
    }

    fn make_anew(&mut self) -> Result<MadeAnew, StoreError> {
        self.store.make_anew(&self.trust, day(2))
    }
}

#[test]
fn a_page_of_an_index_that_cannot_be_read_is_mended_from_the_tables() {
    for name in [
        "sqlite_autoindex_projects_2",
        "sqlite_autoindex_intents_2",
        "audit_by_project",
        "audit_by_subject",
        "spans_by_source",
        "seen_by_proposal",
        "proposals_by_state",
    ] {
        let case = full();
        let (rows, chain) = (case.rows(), case.store.audit_rows().unwrap());
        let mut case = case.damage(name);
        let found = case.store.mend().unwrap();
        assert!(
            matches!(found, Integrity::TablesOnly(_)),
            "{name}: {found:?}"
        );
        let made = case.make_anew().unwrap();
        assert_eq!(case.store.mend().unwrap(), Integrity::Whole, "{name}");
        assert_eq!(case.breaks(), [], "{name}");
        // All is there, and one record more, which names what was kept.
        let after = case.store.audit_rows().unwrap();
        assert_eq!(after[..chain.len()], chain, "{name}");
        let [record] = &after[chain.len()..] else {
            panic!("{name}: {after:?}");
        };
        assert_eq!(record.act, Act::Mend.name());
        let kept = made.kept.file_name().unwrap().to_str().unwrap();
        assert!(record.details.contains(kept), "{}", record.details);
        for ((table, before), (_, now)) in rows.iter().zip(case.rows()) {
            let more = i64::from(table == "audit");
            assert_eq!(now, before + more, "{name}: {table}");
        }
        // Others go on with it, and the kept one is as it was.
        let other = Store::open(&case.places()).unwrap();
        assert!(other.project_at(&case.project.root).unwrap().is_some());
        let kept = Connection::open(&made.kept).unwrap();
        assert!(kept.execute_batch("REINDEX").is_err(), "{name}");
    }
}

#[test]
fn a_damaged_table_is_named_and_nothing_is_touched() {
    for name in ["projects", "records", "audit", "seen", "newest"] {
        let case = full().damage(name);
        let before = case.whole_database();
        let Integrity::Damaged(what) = case.store.mend().unwrap() else {
            panic!("{name}: it is not named");
        };
        assert!(what.contains(&format!("in whole: {name};")), "{what}");
        assert_eq!(case.whole_database(), before, "{name}");
    }
}

#[test]
fn what_the_chain_does_not_say_takes_no_place() {
    let case = full();
    let sql = "DROP TRIGGER records_no_delete; DELETE FROM records";
    case.store.raw().execute_batch(sql).unwrap();
    let mut case = case.damage("spans_by_source");
    let before = case.whole_database();
    let refused = case.make_anew().unwrap_err();
    assert!(matches!(refused, StoreError::Tampered { .. }), "{refused}");
    assert_eq!(case.whole_database(), before);
    assert_eq!(kept(&case), 0);
}

#[test]
fn while_another_has_it_open_it_is_not_made_anew() {
    let mut case = full().damage("spans_by_source");
    let other = Store::open(&case.places()).unwrap();
    other.key_id().unwrap();
    case.store.be_impatient();
    let refused = case.make_anew().unwrap_err();
    assert!(matches!(refused, StoreError::Busy { .. }), "{refused}");
    drop(other);
    case.make_anew().unwrap();
}

#[test]
fn killed_anywhere_it_leaves_the_old_or_the_new() {
    let case = full();
    // More than is written between two looks.
    let many = "INSERT INTO tries SELECT (SELECT id FROM projects), 'source', value, value + 1, 1,
                hex(zeroblob(1024)), '2026-01-01T12:00:00Z' FROM json_each(?1)";
    let numbers: Vec<u32> = (0..1000).collect();
    let numbers = serde_json::to_string(&numbers).unwrap();
    case.store.raw().execute(many, [numbers]).unwrap();
    let mut case = case.damage("audit_by_subject");
    let state = case.places().state;
    let left = tempfile::tempdir().unwrap();
    let mut seen: Vec<(AnewStep, std::path::PathBuf)> = Vec::new();
    let mut watch = |step| {
        let to = left.path().join(seen.len().to_string());
        std::fs::create_dir(&to).unwrap();
        for item in std::fs::read_dir(&state).unwrap().map(Result::unwrap) {
            if item.path().is_file() {
                std::fs::copy(item.path(), to.join(item.file_name())).unwrap();
            }
        }
        seen.push((step, to));
    };
    let anew = case
        .store
        .make_anew_watched(&case.trust, day(2), &mut watch);
    anew.unwrap();
    let steps: Vec<_> = seen.iter().map(|(step, _)| *step).collect();
    assert_eq!(steps.first(), Some(&AnewStep::Kept));
    assert!(steps.contains(&AnewStep::Written), "{steps:?}");
    assert_eq!(steps.last(), Some(&AnewStep::InPlace));
    for (step, dir) in seen {
        let home = tempfile::tempdir().unwrap();
        let places = places(home.path());
        std::fs::create_dir_all(places.state.parent().unwrap()).unwrap();
        std::fs::rename(&dir, &places.state).unwrap();
        let mut store = Store::open(&places).unwrap();
        let found = store.mend().unwrap();
        match step {
            AnewStep::InPlace => assert_eq!(found, Integrity::Whole),
            _ => {
                assert!(
                    matches!(found, Integrity::TablesOnly(_)),
                    "{step:?}: {found:?}"
                );
                store.make_anew(&case.trust, day(3)).unwrap();
            }
        }
        assert_eq!(store.mend().unwrap(), Integrity::Whole);
        assert_eq!(store.unsealed(&case.trust, day(3)).unwrap(), []);
    }
}

/// How many damaged ones are kept.
fn kept(case: &Case) -> usize {
    let items = std::fs::read_dir(case.places().state).unwrap();
    let names = items.map(|item| item.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("damaged-")).count()
}
