//! What memd wrote into the settings of tools, as the audit chain has it.

use super::audit;
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
            let which = "WHERE act = ?1 ORDER BY seq DESC LIMIT 200";
            let rows = audit::select(tx, which, [Act::Hooks.name()])?;
            let written = rows.iter().filter(|row| trust.is_written(row));
            Ok(written
                .filter_map(|row| serde_json::from_str(&row.details).ok())
                .collect())
        })
    }
}
