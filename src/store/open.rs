//! Opening the database, and the two ways to use it: [`Store::read`] and [`Store::write`].

mod failed;
mod file;

use failed::{is_busy, with_path};
use file::{beside, immutable, make_file, make_private, refuse_beside, refuse_link};

use super::error::StoreError;
use super::schema;
use crate::config::Places;
use crate::fs::{self, FsError};
use crate::trust::{Trust, TrustError};
use rusqlite::{
    Connection, MAIN_DB, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior,
};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long SQLite itself waits for a lock.
const WAIT: Duration = Duration::from_secs(5);
/// How long a writer tries again before it gives up.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// How long whoever keeps a session waiting tries.
const MOMENT: Duration = Duration::from_millis(100);

/// The open database.
pub struct Store {
    conn: Connection,
    path: PathBuf,
    places: Places,
    /// How long it waits for other processes.
    patience: Duration,
    /// The schema's number at which it was found to be memd's own.
    own: Cell<Option<i64>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Store({:?})", self.path)
    }
}

impl Store {
    /// Opens the database and makes it where there is none: 0600 in a 0700 folder.
    ///
    /// # Errors
    /// When it cannot be made, is damaged, or was made by a newer memd.
    pub fn open(places: &Places) -> Result<Self, StoreError> {
        fs::private_dir(&places.state)?;
        let path = places.database();
        make_file(&path)?;
        Self::connect(places, path, PATIENCE)
    }

    /// Opens the database if there is one; never makes it.
    ///
    /// # Errors
    /// When it is damaged, no plain file, or was made by a newer memd.
    pub fn open_existing(places: &Places) -> Result<Option<Self>, StoreError> {
        Self::existing(places, PATIENCE)
    }

    fn existing(places: &Places, patience: Duration) -> Result<Option<Self>, StoreError> {
        let path = places.database();
        match std::fs::symlink_metadata(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(FsError::io("open", &path)(e).into()),
            Ok(_) => Self::connect(places, path, patience).map(Some),
        }
    }

    /// As [`Store::open_existing`], for whoever only reads: where nothing can be written (a folder or
    /// disk that is read-only or full), the database is opened without writing a byte.
    ///
    /// # Errors
    /// As [`Store::open_existing`].
    pub fn open_to_look(places: &Places) -> Result<Option<Self>, StoreError> {
        match Self::existing(places, PATIENCE) {
            Err(error) if error.is_write_refused() => Self::looked(places, PATIENCE, error),
            opened => opened,
        }
    }

    /// As [`Store::open_to_look`], for a hook, which a session waits for: what other processes hold is
    /// given up on after a moment, and a database of an older version that cannot be brought up now
    /// is read as it is.
    ///
    /// # Errors
    /// As [`Store::open_existing`], and when another process holds the database.
    pub fn open_in_passing(places: &Places) -> Result<Option<Self>, StoreError> {
        match Self::existing(places, MOMENT) {
            Err(error) if error.is_write_refused() || matches!(error, StoreError::Busy { .. }) => {
                Self::looked(places, MOMENT, error)
            }
            opened => opened,
        }
    }

    /// A connection that cannot write, after one that can was refused: what was refused first says
    /// more than what was tried then.
    fn looked(
        places: &Places,
        patience: Duration,
        first: StoreError,
    ) -> Result<Option<Self>, StoreError> {
        let looked = Self::connect_to_look(places, places.database(), patience);
        looked.map(Some).map_err(|_| first)
    }

    /// A connection that cannot write. Without a write-ahead log the file is all there is, and
    /// SQLite is told so: it would make the files beside it otherwise, even to read.
    pub(super) fn connect_to_look(
        places: &Places,
        path: PathBuf,
        patience: Duration,
    ) -> Result<Self, StoreError> {
        refuse_link(&path)?;
        refuse_beside(&path)?;
        let has_log = std::fs::metadata(beside(&path, "-wal")).is_ok_and(|m| m.len() > 0);
        let mut flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = if has_log {
            Connection::open_with_flags(&path, flags)
        } else {
            flags |= OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable(&path), flags)
        };
        let conn = conn.map_err(|e| with_path(e.into(), &path))?;
        patiently(&path, patience, || {
            conn.busy_timeout(WAIT.min(patience))?;
            conn.pragma_update(None, "trusted_schema", false)?;
            schema::check(&conn, &path)
        })?;
        let places = places.clone();
        Ok(Self {
            conn,
            path,
            places,
            patience,
            own: Cell::default(),
        })
    }

    fn connect(places: &Places, path: PathBuf, patience: Duration) -> Result<Self, StoreError> {
        make_private(&places.state, 0o700)?;
        refuse_link(&path)?;
        refuse_beside(&path)?;
        make_private(&path, 0o600)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn =
            Connection::open_with_flags(&path, flags).map_err(|e| with_path(e.into(), &path))?;
        patiently(&path, patience, || {
            prepare(&conn, WAIT.min(patience)).and_then(|()| schema::migrate(&conn, &path))
        })?;
        let places = places.clone();
        Ok(Self {
            conn,
            path,
            places,
            patience,
            own: Cell::default(),
        })
    }

    /// Whether nothing can be written: it was opened only to look, since its folder or disk takes nothing.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub fn is_only_looked_at(&self) -> Result<bool, StoreError> {
        Ok(self.conn.is_readonly(MAIN_DB)?)
    }

    /// Where the database is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The key that goes with this database; makes one when nothing was ever sealed.
    ///
    /// # Errors
    /// When the key is lost, exposed, damaged, or not the one that sealed this database.
    pub fn trust(&self) -> Result<Trust, StoreError> {
        let mut id = self.key_id()?;
        loop {
            let opened = match &id {
                Some(id) => Trust::open_sealed(&self.places, id),
                None => Trust::open(&self.places, self.has_sealed_data()?),
            };
            // A rotation may have come between the two looks.
            let now = match opened {
                Err(TrustError::Other { .. } | TrustError::Retired { .. }) => self.key_id()?,
                _ => id.clone(),
            };
            if now == id {
                return Ok(opened?);
            }
            id = now;
        }
    }

    /// The key for work that needs no database, such as redaction; never makes a database.
    ///
    /// # Errors
    /// As [`Store::trust`] and [`Store::open_existing`].
    pub fn trust_of(places: &Places) -> Result<Trust, StoreError> {
        match Self::open_to_look(places)? {
            Some(store) => store.trust(),
            None => Ok(Trust::open(places, false)?),
        }
    }

    /// Whether anything in here was ever sealed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_sealed_data(&self) -> Result<bool, StoreError> {
        self.read(|tx| {
            // The id of the key may have been taken out.
            let sql = "SELECT EXISTS (SELECT 1 FROM audit)";
            Ok(meta(tx, "key")?.is_some() || tx.query_row(sql, [], |row| row.get(0))?)
        })
    }

    pub(super) fn key_id(&self) -> Result<Option<String>, StoreError> {
        self.read(|tx| meta(tx, "key"))
    }

    /// Reads in one view of the database.
    pub(super) fn read<T>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)
            .map_err(StoreError::from);
        tx.and_then(|tx| f(&tx))
            .map_err(|e| with_path(e, &self.path))
    }

    /// Writes all or nothing. Waits for other writers.
    pub(super) fn write<T>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_into_any(|tx| {
            self.refuse_foreign(tx)?;
            f(tx)
        })
    }

    /// What memd did not make may change what it writes on the way.
    fn refuse_foreign(&self, tx: &Transaction<'_>) -> Result<(), StoreError> {
        let number = tx.pragma_query_value(None, "schema_version", |row| row.get(0))?;
        if self.own.get() == Some(number) {
            return Ok(());
        }
        if let Some(object) = schema::foreign(tx)?.into_iter().next() {
            return Err(StoreError::Foreign { object });
        }
        self.own.set(Some(number));
        Ok(())
    }

    /// As [`Store::write`], whatever is in the database besides what memd made.
    pub(super) fn write_into_any<T>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let begin = || {
            Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
                .map_err(StoreError::from)
        };
        let tx = patiently(&self.path, self.patience, begin)?;
        // An early return drops the transaction, which rolls it back.
        let value = f(&tx).map_err(|e| with_path(e, &self.path))?;
        tx.commit().map_err(|e| with_path(e.into(), &self.path))?;
        Ok(value)
    }

    /// Where its key lies.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// For what cannot be done within a transaction.
    pub(super) fn connection(&self) -> &Connection {
        &self.conn
    }

    /// As [`Store::connection`], for what takes all of it.
    pub(super) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.conn
    }

    /// Another database, of the same key.
    pub(super) fn beside(&self, conn: Connection) -> Self {
        Self {
            conn,
            path: self.path.clone(),
            places: self.places.clone(),
            patience: self.patience,
            own: Cell::default(),
        }
    }

    /// What was done without [`Store::read`] and [`Store::write`], with the file that an error is about.
    pub(super) fn about<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        done.map_err(|e| with_path(e, &self.path))
    }

    #[cfg(test)]
    pub(super) fn be_impatient(&mut self) {
        self.patience = Duration::ZERO;
        self.conn.busy_timeout(self.patience).unwrap();
    }

    #[cfg(test)]
    pub(super) fn raw(&self) -> &Connection {
        &self.conn
    }
}

/// Whether there is such a table: a database that is only looked at may be of a version without it.
pub(super) fn has_table(tx: &Transaction<'_>, name: &str) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)";
    Ok(tx
        .prepare_cached(sql)?
        .query_row([name], |row| row.get(0))?)
}

/// A value of the meta table.
pub(super) fn meta(tx: &Transaction<'_>, name: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM meta WHERE name = ?1";
    let mut query = tx.prepare_cached(sql)?;
    Ok(query.query_row([name], |row| row.get(0)).optional()?)
}

/// Sets a value of the meta table.
pub(super) fn set_meta(tx: &Transaction<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO meta (name, value) VALUES (?1, ?2)
               ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.prepare_cached(sql)?.execute([name, value])?;
    Ok(())
}

/// A count or offset as SQLite holds it; what no file can reach becomes the largest.
pub(super) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A stored count or offset.
pub(super) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let n: i64 = row.get(column)?;
    u64::try_from(n).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, n))
}

fn prepare(conn: &Connection, wait: Duration) -> Result<(), StoreError> {
    conn.busy_timeout(wait)?;
    conn.set_prepared_statement_cache_capacity(64);
    let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    }
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    // What is deleted or overwritten is gone, from free pages too: an intent holds whole files, with what a person put there.
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "trusted_schema", false)?;
    Ok(())
}

/// Tries again while another process holds the database.
fn patiently<T>(
    path: &Path,
    patience: Duration,
    mut f: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let deadline = Instant::now() + patience;
    loop {
        match f() {
            Err(StoreError::Sql(e)) if is_busy(&e) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result.map_err(|e| with_path(e, path)),
        }
    }
}
