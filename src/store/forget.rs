//! Taking a project off the books: nothing of it is listed, read or given any more. Its memory on
//! disk, its records and its part of the audit chain stay; a new registration brings it back.

use super::audit::{Note, append};
use super::error::StoreError;
use super::life::discard;
use super::open::Store;
use super::projects::{by_id, parse};
use crate::id::{ProjectId, ProposalId};
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde_json::json;

/// What went with a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgotten {
    /// Proposals that waited, or were too old to, and are discarded.
    pub discarded: usize,
    /// Whether memd was trusted to apply there without a person.
    pub was_trusted: bool,
}

/// Proposals of which something is undecided, whatever their age.
fn open(tx: &Transaction<'_>, project: &ProjectId) -> Result<Vec<ProposalId>, StoreError> {
    let sql = "SELECT id FROM proposals WHERE project = ?1
               AND (state IN ('staged', 'expired') OR state = 'applied' AND open > 0)
               ORDER BY created, id";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([project.as_str()], |row| row.get::<_, String>(0))?;
    rows.map(|id| parse("proposal id", &id?)).collect()
}

/// Frees the material of a proposal nothing of which was applied: no person has decided on it, so
/// notes and sessions are as if it had never been made.
fn release(tx: &Transaction<'_>, id: &ProposalId) -> Result<(), StoreError> {
    for table in ["spans", "seen", "notes"] {
        let sql = format!(
            "DELETE FROM {table} WHERE proposal = ?1 AND EXISTS
             (SELECT 1 FROM proposals WHERE id = ?1 AND state IN ('staged', 'expired'))"
        );
        tx.execute(&sql, [id.as_str()])?;
    }
    Ok(())
}

impl Store {
    /// Proposals of a project of which something is undecided, whatever their age.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn undecided(&self, id: &ProjectId) -> Result<Vec<ProposalId>, StoreError> {
        self.read(|tx| open(tx, id))
    }

    /// Takes a project off the books: discards what waits, revokes the trust in its folder. `by` says
    /// on record who did.
    ///
    /// # Errors
    /// When an apply of it was cut short, which is to be finished first, or what waits was changed
    /// outside memd.
    pub fn forget_project(
        &self,
        trust: &Trust,
        id: &ProjectId,
        by: &str,
        now: Timestamp,
    ) -> Result<Forgotten, StoreError> {
        self.write(|tx| {
            by_id(tx, id)?;
            let sql = "SELECT proposal FROM intents WHERE project = ?1";
            let unfinished: Option<String> = tx
                .query_row(sql, [id.as_str()], |row| row.get(0))
                .optional()?;
            if let Some(unfinished) = unfinished {
                return Err(StoreError::ApplyPending(parse("proposal id", &unfinished)?));
            }
            let proposals = open(tx, id)?;
            for proposal in &proposals {
                release(tx, proposal)?;
                discard(tx, trust, proposal, false, now)?;
            }
            let was_trusted = super::grants::remove(tx, id)?;
            let forgotten = Forgotten {
                discarded: proposals.len(),
                was_trusted,
            };
            let sql = "UPDATE projects SET forgotten = ?2 WHERE id = ?1";
            tx.execute(sql, (id.as_str(), now.to_string()))?;
            let note = Note {
                act: Act::ForgetProject,
                project: Some(id),
                subjects: vec![],
                details: json!({ "by": by, "discarded": proposals.len(), "was_trusted": was_trusted }),
            };
            append(tx, trust, note, now)?;
            Ok(forgotten)
        })
    }
}
