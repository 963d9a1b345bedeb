//! A database made anew from the rows of the tables of one in which something else is damaged.
//!
//! It is made in memory and takes the place of the other in one transaction of SQLite's, once it is
//! seen to hold what the audit chain says. Nobody else has the file open meanwhile. What was there is
//! kept beside it, page by page as it was.

use super::super::error::StoreError;
use super::super::open::Store;
use super::super::schema;
use crate::fs::{self, FsError};
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::backup::{Backup, Progress, StepResult};
use rusqlite::{Connection, MAIN_DB, OptionalExtension, Row, params_from_iter, types::Value};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// So many pages are written between two looks.
const PAGES: i32 = 256;

/// What became of a database that was made anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeAnew {
    /// Where the damaged one is kept.
    pub kept: PathBuf,
    /// Rows that were carried over.
    pub rows: usize,
}

/// How far it has come; a crash may follow each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum AnewStep {
    /// The damaged one is kept beside.
    Kept,
    /// Some of the pages are written, and none is there yet.
    Written,
    /// The new one is in its place.
    InPlace,
}

impl Store {
    /// Puts a database made anew from the rows of the tables in the place of one of which an index
    /// can neither be read nor built anew ([`super::Integrity::TablesOnly`]).
    ///
    /// # Errors
    /// When somebody else has it open, a row cannot be carried over, or the tables are not what the
    /// audit chain says. Nothing was changed then.
    pub fn make_anew(&mut self, trust: &Trust, now: Timestamp) -> Result<MadeAnew, StoreError> {
        self.make_anew_watched(trust, now, &mut |_| {})
    }

    pub(in super::super) fn make_anew_watched(
        &mut self,
        trust: &Trust,
        now: Timestamp,
        watch: &mut dyn FnMut(AnewStep),
    ) -> Result<MadeAnew, StoreError> {
        self.alone()?;
        let made = self.put_anew(trust, now, watch);
        let shared = self.shared();
        let made = self.about(made)?;
        shared?;
        Ok(made)
    }

    /// Nobody else has the file open from then on: a row that they write would be lost.
    fn alone(&self) -> Result<(), StoreError> {
        let conn = self.connection();
        conn.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
        let begun = self.write_into_any(|_| Ok(()));
        if begun.is_err() {
            self.shared()?;
        }
        begun
    }

    fn shared(&self) -> Result<(), StoreError> {
        let conn = self.connection();
        conn.pragma_update_and_check(None, "locking_mode", "NORMAL", |_| Ok(()))?;
        // It lets go with the next look.
        self.key_id().map(drop)
    }

    fn put_anew(
        &mut self,
        trust: &Trust,
        now: Timestamp,
        watch: &mut dyn FnMut(AnewStep),
    ) -> Result<MadeAnew, StoreError> {
        let fresh = self.beside(schema::own()?);
        let rows = carry_over(self.connection(), fresh.connection())?;
        // Where nothing is damaged, the rows are what they were, and so is what verifies of them.
        if schema::foreign(self.connection())?.is_empty() {
            sound(&fresh, trust, now)?;
        }
        let next = fresh.audit_head()?.map_or(0, |head| head.seq) + 1;
        let name = format!("damaged-{next}.db");
        let details = json!({ "what": "database", "file": name, "rows": rows });
        fresh.audit(trust, Act::Mend, None, &[], details, now)?;
        let kept = self.places().state.join(name);
        keep(self.connection(), &kept)?;
        watch(AnewStep::Kept);
        self.overwrite(&fresh, watch)?;
        watch(AnewStep::InPlace);
        Ok(MadeAnew { kept, rows })
    }

    /// One transaction, whatever the number of steps.
    fn overwrite(
        &mut self,
        fresh: &Store,
        watch: &mut dyn FnMut(AnewStep),
    ) -> Result<(), StoreError> {
        let backup = Backup::new(fresh.connection(), self.connection_mut())?;
        loop {
            match backup.step(PAGES)? {
                StepResult::Done => return Ok(()),
                StepResult::More => watch(AnewStep::Written),
                // Nobody else has it open.
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

/// All rows of memd's tables, in a database that holds nothing yet.
fn carry_over(from: &Connection, to: &Connection) -> Result<usize, StoreError> {
    to.pragma_update(None, "foreign_keys", false)?;
    to.execute_batch("BEGIN")?;
    let mut rows = 0;
    for table in schema::tables(to)? {
        let columns = columns(to, &table)?;
        let places = vec!["?"; columns.len()].join(", ");
        let mut into = to.prepare(&format!("INSERT INTO {table} VALUES ({places})"))?;
        each_row(from, &table, &columns, &mut |row| {
            rows += into.execute(params_from_iter(row))?;
            Ok(())
        })?;
    }
    to.execute_batch("COMMIT")?;
    Ok(rows)
}

pub(super) fn columns(conn: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut query = conn.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
    query.query_map([table], |row| row.get(0))?.collect()
}

/// Reads these columns of a table from end to end, by itself and by no other index than the one it is kept in.
pub(super) fn each_row(
    conn: &Connection,
    table: &str,
    columns: &[String],
    take: &mut dyn FnMut(Vec<Value>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    // Of a table without row ids the index of its key is the table, and not in the schema.
    let sql = "SELECT name FROM pragma_index_list(?1) WHERE origin = 'pk'
               AND name NOT IN (SELECT name FROM sqlite_master)";
    let itself = conn.query_row(sql, [table], |row| row.get::<_, String>(0));
    let way = itself
        .optional()?
        .map_or("NOT INDEXED".to_owned(), |i| format!("INDEXED BY {i}"));
    let mut query = conn.prepare(&format!("SELECT {} FROM {table} {way}", columns.join(", ")))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        take(values(row, columns.len())?)?;
    }
    Ok(())
}

fn values(row: &Row<'_>, count: usize) -> rusqlite::Result<Vec<Value>> {
    (0..count).map(|n| row.get(n)).collect()
}

/// What it holds is what was sealed.
fn sound(fresh: &Store, trust: &Trust, now: Timestamp) -> Result<(), StoreError> {
    match fresh.unsealed(trust, now)?.first() {
        None => Ok(()),
        Some(first) => Err(StoreError::Tampered {
            what: format!("{}: {}", first.kind.title(), first.place),
        }),
    }
}

/// The pages as they are, all or nothing.
fn keep(conn: &Connection, path: &std::path::Path) -> Result<(), StoreError> {
    let dir = path.parent().unwrap_or(path);
    let temp = tempfile::Builder::new()
        .prefix(fs::TEMPORARY)
        .tempfile_in(dir);
    let temp = temp.map_err(FsError::io("write", path))?;
    conn.backup(MAIN_DB, temp.path(), None::<fn(Progress)>)?;
    let file = temp.as_file();
    file.sync_all().map_err(FsError::io("sync", path))?;
    temp.persist(path)
        .map_err(|e| FsError::io("rename", path)(e.error))?;
    Ok(fs::sync_dir(dir)?)
}
