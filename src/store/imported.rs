//! What memd 0.3 had noted of its projects, and that it was taken over.

use super::error::StoreError;
use super::open::{Store, meta, set_meta};
use super::projects::{from_json, to_json};
use crate::id::ProjectId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The value that says that it was done, and when.
const DONE: &str = "memd-0.3";

/// The last distill of a project by memd 0.3: for people, never for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// When it was.
    pub at: Timestamp,
    /// What started it; may be empty.
    pub trigger: String,
    /// The curator's model; may be empty.
    pub model: String,
    /// The curator's line; may be empty.
    pub summary: String,
}

fn name(project: &ProjectId) -> String {
    format!("{DONE}/{project}")
}

impl Store {
    /// Whether what memd 0.3 left was taken over.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_imported(&self) -> Result<bool, StoreError> {
        self.read(|tx| Ok(meta(tx, DONE)?.is_some()))
    }

    /// Says that it was taken over, with the last distills.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn set_imported(
        &self,
        before: &[(ProjectId, Before)],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            for (project, before) in before {
                set_meta(tx, &name(project), &to_json("last distill", before)?)?;
            }
            set_meta(tx, DONE, &now.to_string())
        })
    }

    /// The last distill by memd 0.3 of a project.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn before(&self, project: &ProjectId) -> Result<Option<Before>, StoreError> {
        self.read(|tx| {
            let text = meta(tx, &name(project))?;
            text.map(|text| from_json("last distill", &text))
                .transpose()
        })
    }
}
