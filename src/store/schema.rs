//! The schema and its migrations: one SQL text a version, run in one transaction each.
//!
//! A text that was released is never changed; what is new is the next text.

use super::error::StoreError;
use crate::text;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::collections::BTreeSet;
use std::path::Path;

/// The texts; the n-th brings a database from version n to n + 1.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("schema/001.sql"),
    include_str!("schema/002.sql"),
    include_str!("schema/003.sql"),
    include_str!("schema/004.sql"),
    include_str!("schema/005.sql"),
];

/// The version of a database.
pub(super) fn version(conn: &Connection) -> rusqlite::Result<usize> {
    conn.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))
        .map(|v| usize::try_from(v).unwrap_or(usize::MAX))
}

/// Brings a database up to this memd's version; one that is newer is refused.
pub(super) fn migrate(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    loop {
        let have = version(conn)?;
        if have > MIGRATIONS.len() {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found: have,
                known: MIGRATIONS.len(),
            });
        }
        if have == MIGRATIONS.len() {
            return Ok(());
        }
        step(conn)?;
    }
}

/// The oldest version that can be read as it is: what is new since is left out.
const READABLE: usize = 1;

/// Whether a database can be read as it is; one that is older would have to be written first.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let have = version(conn)?;
    if (READABLE..=MIGRATIONS.len()).contains(&have) {
        return Ok(());
    }
    Err(StoreError::Unreadable {
        what: format!("schema version {have} of {path:?}"),
        why: format!("this memd reads version {}", MIGRATIONS.len()),
    })
}

/// A database of this memd's version that holds nothing.
pub(super) fn own() -> rusqlite::Result<Connection> {
    let own = Connection::open_in_memory()?;
    MIGRATIONS
        .iter()
        .try_for_each(|sql| own.execute_batch(sql))?;
    own.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    Ok(own)
}

/// The tables of a database.
pub(super) fn tables(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
    let mut query = conn.prepare(sql)?;
    query.query_map([], |row| row.get(0))?.collect()
}

/// More than anybody reads.
const NAMED: usize = 100;

/// What is in a database and no memd has made: kind and name of tables, indexes, triggers and views,
/// as people are told of them.
/// One of memd's that says something else is one too.
pub(super) fn foreign(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let own: BTreeSet<_> = objects(&own()?, usize::MAX)?.into_iter().collect();
    let foreign = objects(conn, own.len() + NAMED)?.into_iter();
    let foreign = foreign.filter(|object| !own.contains(object));
    Ok(foreign
        .map(|(kind, name, _)| format!("{kind} {}", text::quoted(&name, 60)))
        .collect())
}

/// Something that a schema holds.
pub(super) struct Object {
    /// `table`, `index`, `trigger` or `view`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What makes it.
    pub sql: String,
}

/// What memd makes and this database, of this memd's version, does not hold.
pub(super) fn missing(conn: &Connection) -> rusqlite::Result<Vec<Object>> {
    let own = own()?;
    let here: BTreeSet<_> = objects(conn, usize::MAX)?
        .into_iter()
        .map(|(kind, name, _)| (kind, name))
        .collect();
    let sql = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL";
    let mut query = own.prepare(sql)?;
    let rows = query.query_map([], |row| {
        Ok(Object {
            kind: row.get(0)?,
            name: row.get(1)?,
            sql: row.get(2)?,
        })
    })?;
    let mut missing = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    missing.retain(|of| !here.contains(&(of.kind.clone(), of.name.clone())));
    Ok(missing)
}

/// Kind, name and text of what the schema holds, without what SQLite makes itself.
fn objects(conn: &Connection, most: usize) -> rusqlite::Result<Vec<(String, String, String)>> {
    let sql = "SELECT type, name, ifnull(sql, '') FROM sqlite_master
               WHERE type IN ('trigger', 'view') OR substr(name, 1, 7) <> 'sqlite_' LIMIT ?1";
    let mut query = conn.prepare(sql)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = query.query_map([most], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// One migration. Reads the version again inside: another process may have been faster.
fn step(conn: &Connection) -> rusqlite::Result<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let have = version(&tx)?;
    if let Some(sql) = MIGRATIONS.get(have) {
        tx.execute_batch(sql)?;
        tx.pragma_update(None, "user_version", (have + 1) as i64)?;
    }
    tx.commit()
}
