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
            let mut acts = Vec::new();
            for row in rows {
                let proven = trust.is_written(&row)
                    && (!trust.is_of_retired(row.seq) || audit::is_whole_from(tx, trust, row.seq)?);
                acts.extend(
                    proven
                        .then(|| serde_json::from_str(&row.details).ok())
                        .flatten(),
                );
            }
            Ok(acts)
        })
    }
}
