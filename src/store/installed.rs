//! What memd wrote into the settings of tools, as the audit chain has it.

use super::audit::read_row;
use super::error::StoreError;
use super::open::Store;
use crate::trust::{Act, Trust};
use serde_json::Value;

impl Store {
    /// The newest acts on settings of tools, newest first: the details of each record that is as it
    /// was written. One that is not counts for nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn hooks_acts(&self, trust: &Trust) -> Result<Vec<Value>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT seq, prev, at, act, project, subjects, details, mac FROM audit
                       WHERE act = ?1 ORDER BY seq DESC LIMIT 200";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([Act::Hooks.name()], read_row)?;
            let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
            let written = rows.iter().filter(|row| trust.is_written(row));
            Ok(written
                .filter_map(|row| serde_json::from_str(&row.details).ok())
                .collect())
        })
    }
}
