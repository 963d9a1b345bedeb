//! Whether the database file is whole, and what can be built anew from its tables where it is not:
//! indexes hold nothing that those do not. A table is never touched.

pub(super) mod anew;

pub use anew::MadeAnew;

use super::error::StoreError;
use super::open::Store;
use super::schema;
use rusqlite::{Connection, Transaction};
use std::collections::BTreeSet;

/// What there is to say of the database file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integrity {
    /// It is whole.
    Whole,
    /// It is whole again: what was built anew.
    Mended(String),
    /// Its tables can be read, and something else cannot be read or written over: what SQLite says.
    /// [`Store::make_anew`] makes it whole.
    TablesOnly(String),
    /// It holds something that memd did not make: what. [`Store::make_anew`] leaves that behind.
    Foreign(String),
    /// It is not, and cannot be mended: what SQLite says, and of which tables.
    Damaged(String),
}

impl Store {
    /// Looks through the whole file, and builds anew what is gone or damaged and can be in its place.
    ///
    /// # Errors
    /// When it cannot be read, or written where there is something to mend.
    pub fn mend(&self) -> Result<Integrity, StoreError> {
        self.about(self.mend_in_place())
    }

    fn mend_in_place(&self) -> Result<Integrity, StoreError> {
        let conn = self.connection();
        let missing = schema::missing(conn)?;
        if let Some(lost) = missing.iter().find(|object| object.kind == "table") {
            return Ok(Integrity::Damaged(format!("no such table: {}", lost.name)));
        }
        let faults = faults(conn)?;
        let Some(first) = faults.first().cloned() else {
            if let Some(object) = schema::foreign(conn)?.into_iter().next() {
                return Ok(Integrity::Foreign(object));
            }
            if missing.is_empty() {
                return Ok(Integrity::Whole);
            }
            self.write(|tx| made_anew(tx, &missing))?;
            let names: Vec<_> = missing.iter().map(|object| object.name.as_str()).collect();
            return Ok(Integrity::Mended(names.join(", ")));
        };
        match self.write_into_any(|tx| reindex(tx, &missing)) {
            Ok(()) => Ok(Integrity::Mended("every index".to_owned())),
            Err(error @ StoreError::Busy { .. }) => Err(error),
            Err(error) if error.is_write_refused() => Err(error),
            Err(_) => {
                let unread = unread(conn, &faults)?;
                Ok(match unread.is_empty() {
                    true => Integrity::TablesOnly(first),
                    false => Integrity::Damaged(format!("{first}; {}", of_tables(&unread))),
                })
            }
        }
    }
}

/// An error takes all of it back.
fn reindex(tx: &Transaction<'_>, missing: &[schema::Object]) -> Result<(), StoreError> {
    tx.execute_batch("REINDEX")?;
    made_anew(tx, missing)?;
    match faults(tx)?.is_empty() {
        true => Ok(()),
        false => Err(rusqlite::Error::QueryReturnedNoRows.into()),
    }
}

fn made_anew(tx: &Transaction<'_>, missing: &[schema::Object]) -> Result<(), StoreError> {
    missing
        .iter()
        .try_for_each(|object| Ok(tx.execute_batch(&object.sql)?))
}

/// What SQLite finds, as far as it comes. It may trip over what is damaged.
fn faults(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut query = conn.prepare("PRAGMA integrity_check")?;
    let mut told: Vec<String> = Vec::new();
    for row in query.query_map([], |row| row.get::<_, String>(0))? {
        match row {
            Ok(text) => told.extend(text.lines().map(str::to_owned)),
            Err(error) if is_damage(&error) => told.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    told.retain(|line| line != "ok" && !line.starts_with("***"));
    Ok(told)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt)
}

/// Tables of memd's that cannot be read from end to end, or whose pages SQLite has something to say of.
fn unread(conn: &Connection, faults: &[String]) -> Result<Vec<String>, StoreError> {
    let named: BTreeSet<i64> = faults.iter().filter_map(|line| tree(line)).collect();
    let sql = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?1";
    let mut unread = Vec::new();
    for name in schema::tables(&schema::own()?)? {
        let root = conn.query_row(sql, [&name], |row| row.get(0))?;
        if named.contains(&root) || !is_read(conn, &name)? {
            unread.push(name);
        }
    }
    Ok(unread)
}

fn is_read(conn: &Connection, table: &str) -> Result<bool, StoreError> {
    let columns = anew::columns(conn, table)?;
    match anew::each_row(conn, table, &columns, &mut |_| Ok(())) {
        Err(StoreError::Sql(error)) if is_damage(&error) => Ok(false),
        other => other.map(|()| true),
    }
}

/// The tree that SQLite names in `Tree 12 page 14: …`, by its first page.
fn tree(line: &str) -> Option<i64> {
    line.strip_prefix("Tree ")?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

fn of_tables(names: &[String]) -> String {
    let whole = "every other table can be read";
    format!("cannot be read in whole: {}; {whole}", names.join(", "))
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
