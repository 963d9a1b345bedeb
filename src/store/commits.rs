//! Commits that are owed: decided and written, not yet in the memory's repository.

use super::apply::Intent;
use super::audit::{Note, append};
use super::error::StoreError;
use super::lenient::{self, count, maybe_text, text};
use super::open::{Store, signed};
use crate::id::{ProjectId, ProposalId};
use crate::trust::{Act, AuditHead, AuditRow, Manifest, Trust};
use jiff::Timestamp;
use rusqlite::{Row, Transaction};
use serde_json::json;

/// A commit that is still to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwedCommit {
    /// The proposal it makes durable.
    pub proposal: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// What it says, trailers not included.
    pub message: String,
    /// The manifest's sequence, for the trailer.
    pub sequence: u64,
    /// The audit chain's head, `number:MAC`, for the trailer.
    pub audit: String,
    /// When it was decided.
    pub at: Timestamp,
    /// How often it was tried in vain.
    pub tries: u32,
    /// Why it failed last.
    pub error: Option<String>,
}

pub(super) fn owe(
    tx: &Transaction<'_>,
    intent: &Intent,
    message: &str,
    manifest: &Manifest,
    audit: &AuditHead,
    now: Timestamp,
) -> Result<(), StoreError> {
    // A rest that is applied while the first commit is still owed goes into one commit with it.
    let sql = "INSERT INTO commits_owed (proposal, project, message, sequence, audit, at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (proposal) DO UPDATE SET message = excluded.message,
                   sequence = excluded.sequence, audit = excluded.audit, at = excluded.at";
    tx.prepare_cached(sql)?.execute((
        intent.proposal.as_str(),
        intent.project.as_str(),
        message,
        signed(manifest.sequence),
        format!("{}:{}", audit.seq, audit.mac),
        now.to_string(),
    ))?;
    Ok(())
}

/// A row; `None` where what the commit has to say of itself is not what was written: it would stand in
/// the history for ever.
fn read(tx: &Transaction<'_>, row: &Row<'_>) -> Result<Option<OwedCommit>, StoreError> {
    let (Ok(proposal), Ok(project)) = (text(row, 0)?.parse(), text(row, 1)?.parse()) else {
        return Ok(None);
    };
    let (audit, sequence) = (text(row, 4)?, row.get::<_, i64>(3)?);
    let Ok(sequence) = u64::try_from(sequence) else {
        return Ok(None);
    };
    if !is_of_chain(tx, &audit)? {
        return Ok(None);
    }
    Ok(Some(OwedCommit {
        message: text(row, 2)?,
        sequence,
        audit,
        at: lenient::created(tx, &proposal, &text(row, 5)?)?,
        tries: count(row, 6)?,
        error: maybe_text(row, 7)?,
        proposal,
        project,
    }))
}

/// Whether this is a record of the chain, `number:MAC`, as far as the chain still has that number.
pub(super) fn is_of_chain(tx: &Transaction<'_>, audit: &str) -> Result<bool, StoreError> {
    let named = audit.split_once(':');
    let Some((seq, mac)) = named.and_then(|(seq, mac)| Some((seq.parse::<i64>().ok()?, mac)))
    else {
        return Ok(false);
    };
    let is_mac = mac.len() == 64 && mac.bytes().all(|b| b.is_ascii_hexdigit());
    let sql = "SELECT ?1 BETWEEN 1 AND (SELECT max(seq) FROM audit)
                   AND NOT EXISTS (SELECT 1 FROM audit WHERE seq = ?1 AND mac <> ?2)";
    let fits = tx
        .prepare_cached(sql)?
        .query_row((seq, mac), |row| row.get::<_, Option<bool>>(0))?;
    Ok(is_mac && fits == Some(true))
}

impl Store {
    /// Commits that are owed, oldest first. One that cannot be made as it was decided is not among them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn commits_owed(&self, project: Option<&ProjectId>) -> Result<Vec<OwedCommit>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT proposal, project, message, sequence, audit, at, tries, error
                       FROM commits_owed WHERE ?1 IS NULL OR project = ?1 ORDER BY id";
            let mut query = tx.prepare_cached(sql)?;
            let mut rows = query.query([project.map(ProjectId::as_str)])?;
            let mut owed = Vec::new();
            while let Some(row) = rows.next()? {
                owed.extend(read(tx, row)?);
            }
            Ok(owed)
        })
    }

    /// The commits of a project that the audit chain saw made, oldest first. A record that is not as it
    /// was written says nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn commits_seen(
        &self,
        trust: &Trust,
        project: &ProjectId,
    ) -> Result<Vec<String>, StoreError> {
        let which = "WHERE project = ?1 AND act = ?2 ORDER BY seq";
        let params = (project.as_str(), Act::Commit.name());
        let rows = self.read(|tx| super::audit::select(tx, which, params))?;
        let written = rows.iter().filter(|row| trust.is_written(row));
        Ok(written.filter_map(AuditRow::commit).collect())
    }

    /// The commit is made; it is owed no more. `commit` is its id; `None`: there was nothing to
    /// commit, since it had been made before.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn commit_made(
        &self,
        trust: &Trust,
        proposal: &ProposalId,
        commit: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "DELETE FROM commits_owed WHERE proposal = ?1";
            let owed = tx.execute(sql, [proposal.as_str()])?;
            let sql = "UPDATE proposals SET committed = coalesce(?2, committed) WHERE id = ?1";
            tx.execute(sql, (proposal.as_str(), commit))?;
            if owed == 0 {
                return Ok(());
            }
            let project = super::queue::status(tx, proposal)?.project;
            let note = Note {
                act: Act::Commit,
                project: Some(&project),
                subjects: vec![proposal.as_str()],
                details: json!({ "commit": commit }),
            };
            append(tx, trust, note, now).map(drop)
        })
    }

    /// The commit failed; it stays owed, with the reason for status.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn commit_failed(&self, proposal: &ProposalId, why: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "UPDATE commits_owed SET tries = tries + 1, error = ?2 WHERE proposal = ?1";
            tx.execute(sql, [proposal.as_str(), why])?;
            Ok(())
        })
    }
}
