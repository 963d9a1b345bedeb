//! Inbox notes that a proposal holds, and reviewers' notes to the next curator.

use super::error::StoreError;
use super::lenient::text;
use super::open::Store;
use crate::id::{ProjectId, ProposalId};
use rusqlite::Transaction;
use std::collections::BTreeMap;

/// Where an inbox note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteState {
    /// In a proposal that waits.
    Staged,
    /// Decided on; its file may go.
    Consumed,
}

/// Takes inbox notes for a proposal.
pub(super) fn take(
    tx: &Transaction<'_>,
    project: &ProjectId,
    names: &[String],
    proposal: &ProposalId,
) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO notes (project, name, state, proposal)
               VALUES (?1, ?2, 'staged', ?3)";
    let mut insert = tx.prepare_cached(sql)?;
    for name in names {
        insert.execute([project.as_str(), name, proposal.as_str()])?;
    }
    Ok(())
}

impl Store {
    /// The inbox notes that are not free, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn notes(&self, project: &ProjectId) -> Result<BTreeMap<String, NoteState>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT name, state = 'staged' FROM notes WHERE project = ?1";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([project.as_str()], |row| {
                let staged = row.get(1)?;
                let state = if staged {
                    NoteState::Staged
                } else {
                    NoteState::Consumed
                };
                Ok((text(row, 0)?, state))
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Forgets a consumed note, once its file is gone.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn forget_note(&self, project: &ProjectId, name: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "DELETE FROM notes WHERE project = ?1 AND name = ?2 AND state = 'consumed'";
            tx.execute(sql, [project.as_str(), name])?;
            Ok(())
        })
    }

    /// What reviewers of returned proposals ask of the next curator, oldest first. Staging passes
    /// them on; returning that proposal brings them back.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn notes_for_curator(&self, project: &ProjectId) -> Result<Vec<String>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT note FROM proposals
                       WHERE project = ?1 AND state = 'returned' AND note <> '' AND told IS NULL
                       ORDER BY created, id";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([project.as_str()], |row| text(row, 0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
