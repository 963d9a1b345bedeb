//! That a memory file was refused, as the audit chain has it: once for each state, however often it is
//! looked at.

use super::audit::{self, Note};
use super::error::StoreError;
use super::open::Store;
use crate::id::ProjectId;
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::{Value, json};

impl Store {
    /// Puts on record that a file of a project's memory was refused, and why, unless that is its newest
    /// word since the last apply, which had read it. Whether it was put there now.
    ///
    /// # Errors
    /// When the database cannot be read or written, or its chain does not hold.
    pub fn refuse_file(
        &self,
        trust: &Trust,
        project: &ProjectId,
        (file, why): (&str, &str),
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if self.read(|tx| is_known(tx, trust, project, (file, why)))? {
            return Ok(false);
        }
        self.write(|tx| {
            // Another memd may have looked at the same time.
            if is_known(tx, trust, project, (file, why))? {
                return Ok(false);
            }
            let note = Note {
                act: Act::Refuse,
                project: Some(project),
                subjects: vec![file],
                details: json!({ "what": "memory file", "why": why }),
            };
            audit::append(tx, trust, note, now).map(|_| true)
        })
    }
}

/// Whether the newest record on the file says so.
fn is_known(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
    (file, why): (&str, &str),
) -> Result<bool, StoreError> {
    let which = "WHERE project = ?1 AND (act = ?2 AND subjects = ?3 OR act = ?4)
                 ORDER BY seq DESC LIMIT 1";
    let (refuse, apply) = (Act::Refuse.name(), Act::Apply.name());
    let newest = audit::select(tx, which, [project.as_str(), refuse, file, apply])?.pop();
    Ok(newest.is_some_and(|row| {
        let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
        row.act == refuse && details["why"] == why && trust.is_written(&row)
    }))
}
