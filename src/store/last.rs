//! The last distill that was applied, for status and the brief.

use super::error::StoreError;
use super::open::Store;
use super::projects::parse;
use crate::id::{ProjectId, ProposalId};
use crate::trust::Act;
use jiff::Timestamp;
use rusqlite::OptionalExtension;

/// The last applied distill of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastApplied {
    /// Its proposal.
    pub id: ProposalId,
    /// When it was applied.
    pub at: Timestamp,
    /// What started it.
    pub trigger: String,
    /// The curator's one line, not escaped.
    pub summary: String,
}

impl Store {
    /// The last distill of a project that was applied.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn last_applied(&self, project: &ProjectId) -> Result<Option<LastApplied>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT p.id, a.at, p.source, p.summary FROM audit a
                       JOIN proposals p ON p.id = a.subjects AND p.kind = 'distill'
                       WHERE a.project = ?1 AND a.act = ?2 ORDER BY a.seq DESC LIMIT 1";
            let mut query = tx.prepare_cached(sql)?;
            let text = |row: &rusqlite::Row<'_>, at| row.get::<_, String>(at);
            let row = query
                .query_row((project.as_str(), Act::Apply.name()), |row| {
                    Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?))
                })
                .optional()?;
            row.map(|(id, at, trigger, summary)| {
                Ok(LastApplied {
                    id: parse("proposal id", &id)?,
                    at: parse("time", &at)?,
                    trigger,
                    summary,
                })
            })
            .transpose()
        })
    }
}
