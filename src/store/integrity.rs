//! Whether the database file is whole, and its indexes built anew where they are gone or do not fit
//! their tables: they hold nothing that those do not. A table is never touched.

use super::error::StoreError;
use super::open::Store;
use super::schema;
use rusqlite::{Connection, Transaction};

/// What there is to say of the database file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integrity {
    /// It is whole.
    Whole,
    /// It is whole again: what was built anew.
    Mended(String),
    /// It is not, and cannot be mended: what SQLite says.
    Damaged(String),
}

impl Store {
    /// Looks through the whole file, and builds anew what is gone or damaged and can be.
    ///
    /// # Errors
    /// When it cannot be read, or written where there is something to mend.
    pub fn mend(&self) -> Result<Integrity, StoreError> {
        let conn = self.connection();
        let missing = schema::missing(conn)?;
        if let Some(lost) = missing.iter().find(|object| object.kind == "table") {
            return Ok(Integrity::Damaged(format!("no such table: {}", lost.name)));
        }
        let Some(what) = first_fault(conn)? else {
            if missing.is_empty() {
                return Ok(Integrity::Whole);
            }
            self.write(|tx| made_anew(tx, &missing))?;
            let names: Vec<_> = missing.iter().map(|object| object.name.as_str()).collect();
            return Ok(Integrity::Mended(names.join(", ")));
        };
        let mended = self.write(|tx| {
            tx.execute_batch("REINDEX")?;
            made_anew(tx, &missing)?;
            // An error takes all of it back.
            match first_fault(tx)? {
                None => Ok(()),
                Some(_) => Err(rusqlite::Error::QueryReturnedNoRows.into()),
            }
        });
        Ok(match mended {
            Ok(()) => Integrity::Mended("every index".to_owned()),
            Err(StoreError::Busy { path }) => return Err(StoreError::Busy { path }),
            Err(_) => Integrity::Damaged(what),
        })
    }
}

fn made_anew(tx: &Transaction<'_>, missing: &[schema::Object]) -> Result<(), StoreError> {
    missing
        .iter()
        .try_for_each(|object| Ok(tx.execute_batch(&object.sql)?))
}

/// What SQLite finds first, if anything.
fn first_fault(conn: &Connection) -> Result<Option<String>, StoreError> {
    let told: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    let first = told.lines().find(|line| !line.starts_with("***"));
    Ok((told != "ok").then(|| first.unwrap_or(&told).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Places;
    use std::os::unix::fs::FileExt;

    fn places(home: &std::path::Path) -> Places {
        Places::from_env(|name| (name == "HOME").then(|| home.into())).unwrap()
    }

    /// Where a table or an index begins in the file, which is made to hold all.
    fn root(store: &Store, name: &str) -> u64 {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        store.raw().query_row(checkpoint, [], |_| Ok(())).unwrap();
        let sql = "SELECT (rootpage - 1) * 4096 FROM sqlite_master WHERE name = ?1";
        let at: i64 = store.raw().query_row(sql, [name], |r| r.get(0)).unwrap();
        u64::try_from(at).unwrap()
    }

    #[test]
    fn an_index_that_does_not_fit_is_built_anew_and_a_table_is_not() {
        for (name, mends) in [
            ("sqlite_autoindex_projects_2", true),
            ("projects", false),
            ("records", false),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let places = places(dir.path());
            let store = Store::open(&places).unwrap();
            let trust = store.trust().unwrap();
            let at = root(&store, name);
            let path = places.database();
            let mut page = [0x55; 4096];
            if mends {
                // As it was while it held nothing.
                let file = std::fs::File::open(&path).unwrap();
                file.read_exact_at(&mut page, at).unwrap();
            }
            let now = jiff::Timestamp::UNIX_EPOCH;
            let made = store.ensure_project(&trust, dir.path(), "app", now);
            made.unwrap();
            assert_eq!(store.mend().unwrap(), Integrity::Whole);
            root(&store, name);
            drop(store);
            let file = std::fs::File::options().write(true).open(&path);
            file.unwrap().write_all_at(&page, at).unwrap();
            let store = Store::open(&places).unwrap();
            let found = store.mend().unwrap();
            match mends {
                true => {
                    assert!(matches!(found, Integrity::Mended(_)), "{name}: {found:?}");
                    assert_eq!(store.mend().unwrap(), Integrity::Whole);
                    assert!(store.project_at(dir.path()).unwrap().is_some());
                }
                false => assert!(matches!(found, Integrity::Damaged(_)), "{name}: {found:?}"),
            }
        }
    }

    #[test]
    fn what_was_dropped_is_made_again_but_for_tables() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&places(dir.path())).unwrap();
        let batch = "DROP INDEX spans_by_source; DROP TRIGGER journal_no_update";
        store.raw().execute_batch(batch).unwrap();
        let Integrity::Mended(what) = store.mend().unwrap() else {
            panic!("it is not mended");
        };
        assert!(what.contains("spans_by_source") && what.contains("journal_no_update"));
        assert_eq!(store.mend().unwrap(), Integrity::Whole);
        store.raw().execute_batch("DROP TABLE spans").unwrap();
        let damaged = Integrity::Damaged("no such table: spans".to_owned());
        assert_eq!(store.mend().unwrap(), damaged);
    }
}
