//! Folders of AI tools that hooks were called from, and that the environment of a timer does not
//! name.

use super::error::StoreError;
use super::open::Store;
use jiff::Timestamp;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// So many are kept, the newest.
const KEPT: u32 = 32;

/// A tool's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRoot {
    /// `claude`, `codex` or `gemini`.
    pub tool: String,
    /// As in the places: `~/.claude`, `~/.codex`, `~/.gemini`.
    pub path: PathBuf,
}

impl Store {
    /// Folders that hooks were called from, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn roots(&self) -> Result<Vec<ToolRoot>, StoreError> {
        self.read(|tx| {
            // A database that is only looked at may be of a version without it.
            let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'roots')";
            if !tx.query_row(sql, [], |row| row.get::<_, bool>(0))? {
                return Ok(Vec::new());
            }
            let mut query =
                tx.prepare_cached("SELECT tool, path FROM roots ORDER BY at DESC, path")?;
            let rows = query.query_map([], |row| {
                let path: Vec<u8> = row.get(1)?;
                let path = PathBuf::from(OsString::from_vec(path));
                Ok(ToolRoot {
                    tool: row.get(0)?,
                    path,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Notes that a hook was called from there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn note_root(&self, tool: &str, path: &Path, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "INSERT INTO roots (path, tool, at) VALUES (?1, ?2, ?3)
                       ON CONFLICT (path) DO UPDATE SET tool = excluded.tool, at = excluded.at";
            let key = (path.as_os_str().as_bytes(), tool, now.to_string());
            tx.prepare_cached(sql)?.execute(key)?;
            let sql = "DELETE FROM roots WHERE path NOT IN
                       (SELECT path FROM roots ORDER BY at DESC, path LIMIT ?1)";
            tx.prepare_cached(sql)?.execute([KEPT])?;
            Ok(())
        })
    }
}
