//! Folders of AI tools that hooks were called from, and that the environment of a timer does not
//! name.

use super::error::StoreError;
use super::lenient::text;
use super::open::{Store, has_table};
use crate::source::Tool;
use jiff::Timestamp;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// So many are kept, the newest.
const KEPT: u32 = 32;

impl Store {
    /// Folders that hooks were called from, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn roots(&self) -> Result<Vec<(Tool, PathBuf)>, StoreError> {
        self.read(|tx| {
            if !has_table(tx, "roots")? {
                return Ok(Vec::new());
            }
            let mut query =
                tx.prepare_cached("SELECT tool, path FROM roots ORDER BY at DESC, path")?;
            let rows = query.query_map([], |row| {
                let (tool, path): (String, Vec<u8>) = (text(row, 0)?, row.get(1)?);
                Ok((tool, PathBuf::from(OsString::from_vec(path))))
            })?;
            let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
            // One that only a newer memd knows is none here.
            let known = |(tool, path): (String, _)| Some((Tool::from_name(&tool)?, path));
            Ok(rows.into_iter().filter_map(known).collect())
        })
    }

    /// Notes that a hook was called from there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn note_root(&self, tool: Tool, path: &Path, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "INSERT INTO roots (path, tool, at) VALUES (?1, ?2, ?3)
                       ON CONFLICT (path) DO UPDATE SET tool = excluded.tool, at = excluded.at";
            let key = (path.as_os_str().as_bytes(), tool.name(), now.to_string());
            tx.prepare_cached(sql)?.execute(key)?;
            let sql = "DELETE FROM roots WHERE path NOT IN
                       (SELECT path FROM roots ORDER BY at DESC, path LIMIT ?1)";
            tx.prepare_cached(sql)?.execute([KEPT])?;
            Ok(())
        })
    }
}
