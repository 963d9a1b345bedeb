//! The database that the tool keeps of a conversation, read without leaving a trace beside it.
//!
//! It is the user's and the tool may be writing to it: it is opened for reading only, its locks are
//! kept and waited for, but not for long, nothing in it is run, and everything is read in one
//! transaction.

use super::payload;
use super::step::{Step, What};
use crate::fs::open_plain;
use crate::source::{SourceError, Tool};
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long a lock of the tool's is waited for.
const WAIT: Duration = Duration::from_millis(800);
/// The largest payload that is read, in bytes.
const PAYLOAD: usize = 16 << 20;
/// How a database file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// An open database, in a transaction.
#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    connection: Connection,
    /// What the file was when it was opened without a lock.
    unlocked: Option<State>,
}

/// What tells that a file was written to.
#[derive(Debug, PartialEq, Eq)]
struct State {
    size: u64,
    modified: Option<SystemTime>,
    has_log: bool,
}

/// How a database must be opened so that nothing is left beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// As it is: what SQLite needs beside it is there, or is not needed.
    Plain,
    /// At rest, with all it holds in the file: SQLite would make a write-ahead log for it.
    AtRest,
    /// With a write-ahead log, but without the memory that its writers share: nobody is writing, and
    /// SQLite would make that memory for it.
    WithoutShared,
}

impl Database {
    /// Opens a database; `None` for an empty file, which the tool makes before it writes to it.
    ///
    /// # Errors
    /// When it is no database, none of the tool's, locked, or cannot be read.
    pub fn open(path: &Path) -> Result<Option<Database>, SourceError> {
        let Some(how) = how(path)? else {
            return Ok(None);
        };
        let unlocked = match how {
            How::Plain => None,
            How::AtRest | How::WithoutShared => Some(state(path)?),
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(uri(path, how), flags)
            .and_then(|connection| prepare(&connection, how).map(|()| connection))
            .map_err(|e| refused(path, &e))?;
        Ok(Some(Database {
            path: path.to_owned(),
            connection,
            unlocked,
        }))
    }

    /// Whether a file is a database, by how it begins.
    pub fn is_one(path: &Path) -> bool {
        matches!(how(path), Ok(Some(_)))
    }

    /// One past the last step that may be read: the payload of one that is not finished changes.
    ///
    /// # Errors
    /// When it is none of the tool's, locked, or damaged.
    pub fn size(&self) -> Result<u64, SourceError> {
        self.knows("steps")?;
        let open = "SELECT min(idx) FROM steps WHERE idx >= 0 AND (status IS NULL OR status NOT IN (3, 5, 7))";
        let last = "SELECT max(idx) FROM steps WHERE idx >= 0";
        let ask = |sql: &str| -> Result<Option<u64>, SourceError> {
            let row = self
                .connection
                .query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
            let number = row.map_err(|e| refused(&self.path, &e))?;
            Ok(number.and_then(|number| u64::try_from(number).ok()))
        };
        let size = match ask(open)? {
            Some(open) => open,
            None => ask(last)?.map_or(0, |last| last + 1),
        };
        self.is_untouched()?;
        Ok(size)
    }

    /// Hands on the steps from one index up to another, in order, until `take` has enough.
    ///
    /// # Errors
    /// When it is locked, damaged, or was written to meanwhile: then what was handed on may be wrong.
    pub fn each(
        &self,
        from: u64,
        to: u64,
        take: &mut dyn FnMut(Step) -> bool,
    ) -> Result<(), SourceError> {
        self.steps(from, to, take)
            .map_err(|e| refused(&self.path, &e))?;
        self.is_untouched()
    }

    fn steps(
        &self,
        from: u64,
        to: u64,
        take: &mut dyn FnMut(Step) -> bool,
    ) -> rusqlite::Result<()> {
        let sql = "SELECT idx, step_type, status, iif(length(step_payload) <= ?3, step_payload, NULL), length(step_payload)
                   FROM steps WHERE idx >= ?1 AND idx < ?2 ORDER BY idx";
        let limit = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let mut query = self.connection.prepare(sql)?;
        let most = limit(PAYLOAD as u64);
        let mut rows = query.query((limit(from), limit(to), most))?;
        while let Some(row) = rows.next()? {
            if !take(step(row)?) {
                break;
            }
        }
        Ok(())
    }

    /// The workspace as the tool wrote it when the conversation began.
    ///
    /// # Errors
    /// When it is locked or damaged.
    pub fn workspace(&self) -> Result<Option<PathBuf>, SourceError> {
        if !self.is_table("trajectory_metadata_blob")? {
            return Ok(None);
        }
        let sql = "SELECT data FROM trajectory_metadata_blob WHERE id = 'main' AND length(data) < 1000000";
        let data = self
            .connection
            .query_row(sql, [], |row| Ok(bytes(row.get_ref(0)?).to_vec()))
            .optional()
            .map_err(|e| refused(&self.path, &e))?;
        self.is_untouched()?;
        Ok(data.and_then(|data| payload::workspace(&data)))
    }

    /// Rows of two texts each, bounded: what the tool's own index of conversations says.
    ///
    /// # Errors
    /// When it is locked or damaged.
    pub fn pairs(&self, table: &str, sql: &str) -> Result<Vec<(String, String)>, SourceError> {
        if !self.is_table(table)? {
            return Ok(Vec::new());
        }
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut query = self.connection.prepare(sql)?;
            let word = |row: &Row<'_>, at| -> rusqlite::Result<String> {
                Ok(String::from_utf8_lossy(bytes(row.get_ref(at)?)).into_owned())
            };
            let rows = query.query_map([], |row| Ok((word(row, 0)?, word(row, 1)?)))?;
            rows.collect()
        };
        let pairs = read().map_err(|e| refused(&self.path, &e))?;
        self.is_untouched()?;
        Ok(pairs)
    }

    fn knows(&self, table: &str) -> Result<(), SourceError> {
        if self.is_table(table)? {
            return Ok(());
        }
        Err(SourceError::UnknownFormat {
            path: self.path.clone(),
            tool: Tool::Antigravity,
            format: format!("a database without {table}"),
        })
    }

    /// Whether it is a plain table: a view or a virtual table is code, which is not run.
    fn is_table(&self, name: &str) -> Result<bool, SourceError> {
        let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?1 AND sql LIKE 'CREATE TABLE%'";
        let count = self
            .connection
            .query_row(sql, [name], |row| row.get::<_, i64>(0));
        Ok(count.map_err(|e| refused(&self.path, &e))? > 0)
    }

    /// What was read without a lock counts only if nobody wrote meanwhile.
    fn is_untouched(&self) -> Result<(), SourceError> {
        match &self.unlocked {
            Some(before) if *before != state(&self.path)? => Err(SourceError::Locked {
                path: self.path.clone(),
            }),
            _ => Ok(()),
        }
    }
}

/// Nothing in the database is trusted, nothing is written to it, and what is read is of one moment.
fn prepare(connection: &Connection, how: How) -> rusqlite::Result<()> {
    connection.busy_timeout(WAIT)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    if how == How::WithoutShared {
        // The index of the write-ahead log is then kept in memory of our own.
        let mode = "PRAGMA locking_mode = EXCLUSIVE";
        connection.query_row(mode, [], |_| Ok(()))?;
    }
    connection.execute_batch("BEGIN")?;
    // The transaction begins with the first read, and so does the wait for a lock.
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))
}

/// How to open a file; `None` for an empty one.
fn how(path: &Path) -> Result<Option<How>, SourceError> {
    let io = |e| SourceError::io(path)(e);
    // Asked before it is opened: opening a pipe would wait for a writer.
    if !std::fs::metadata(path).map_err(io)?.is_file() {
        return Err(SourceError::NotAFile {
            path: path.to_owned(),
        });
    }
    let mut head = Vec::new();
    let file = open_plain(path).map_err(io)?;
    file.take(20).read_to_end(&mut head).map_err(io)?;
    if head.is_empty() {
        return Ok(None);
    }
    if !head.starts_with(MAGIC) {
        return Err(SourceError::UnknownFormat {
            path: path.to_owned(),
            tool: Tool::Antigravity,
            format: "no SQLite database".to_owned(),
        });
    }
    let has_wal_header = head.get(18..20) == Some(&[2, 2]);
    Ok(Some(
        match (has_wal_header, exists(path, "-wal"), exists(path, "-shm")) {
            (false, ..) | (true, true, true) => How::Plain,
            (true, false, _) => How::AtRest,
            (true, true, false) => How::WithoutShared,
        },
    ))
}

fn exists(path: &Path, end: &str) -> bool {
    let mut beside = path.to_owned().into_os_string();
    beside.push(end);
    std::fs::symlink_metadata(beside).is_ok()
}

fn state(path: &Path) -> Result<State, SourceError> {
    let meta = std::fs::metadata(path).map_err(SourceError::io(path))?;
    Ok(State {
        size: meta.len(),
        modified: meta.modified().ok(),
        has_log: exists(path, "-wal"),
    })
}

/// The name by which SQLite opens the file so.
fn uri(path: &Path, how: How) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(char::from(*byte));
            }
            byte => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri.push_str(match how {
        How::Plain => "?mode=ro&readonly_shm=1",
        How::AtRest => "?mode=ro&immutable=1",
        How::WithoutShared => "?mode=ro&vfs=unix-none",
    });
    uri
}

fn step(row: &Row<'_>) -> rusqlite::Result<Step> {
    let number = |at| -> rusqlite::Result<i64> {
        Ok(match row.get_ref(at)? {
            ValueRef::Integer(number) => number,
            _ => -1,
        })
    };
    let unsigned = |n: i64| u64::try_from(n).unwrap_or(0);
    let index = unsigned(number(0)?);
    let is_too_long = number(4)? > PAYLOAD as i64;
    if is_too_long {
        return Ok(Step {
            index,
            at: None,
            what: What::Damaged,
        });
    }
    let payload = bytes(row.get_ref(3)?);
    Ok(payload::step(
        index,
        unsigned(number(1)?),
        number(2)?,
        payload,
    ))
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
        _ => &[],
    }
}

fn refused(path: &Path, error: &rusqlite::Error) -> SourceError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => SourceError::Locked { path },
        _ => SourceError::Refused {
            path,
            why: match error {
                // Not the text that was asked.
                rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
                other => other.to_string(),
            },
        },
    }
}
