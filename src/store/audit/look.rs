//! The chain as others read it, and records that change nothing else.

use super::super::error::StoreError;
use super::super::open::{Store, signed};
use super::{Note, append, can_follow, head, newest, rows, select};
use crate::id::{ProjectId, ProposalId};
use crate::trust::{Act, AuditHead, AuditRow, Export, Trust, effective_now};
use jiff::Timestamp;
use serde_json::Value;

impl Store {
    /// Records an act that changes nothing else: a curator call, a refusal, a recall.
    ///
    /// # Errors
    /// When it cannot be recorded; then the act is not to be done.
    pub fn audit(
        &self,
        trust: &Trust,
        act: Act,
        project: Option<&ProjectId>,
        subjects: &[&str],
        details: Value,
        now: Timestamp,
    ) -> Result<AuditHead, StoreError> {
        let subjects = subjects.to_vec();
        let note = Note {
            act,
            project,
            subjects,
            details,
        };
        self.write(|tx| append(tx, trust, note, now))
    }

    /// The whole audit chain, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn audit_rows(&self) -> Result<Vec<AuditRow>, StoreError> {
        self.read(rows)
    }

    /// The newest records, at most `max`, oldest first; of one project, if one is named.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn last_acts(
        &self,
        project: Option<&ProjectId>,
        max: usize,
    ) -> Result<Vec<AuditRow>, StoreError> {
        self.read(|tx| {
            let which = "WHERE ?1 IS NULL OR project = ?1 ORDER BY seq DESC LIMIT ?2";
            let max = i64::try_from(max).unwrap_or(i64::MAX);
            let mut rows = select(tx, which, (project.map(ProjectId::as_str), max))?;
            rows.reverse();
            Ok(rows)
        })
    }

    /// The records behind this number, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn acts_after(&self, seq: u64) -> Result<Vec<AuditRow>, StoreError> {
        self.read(|tx| select(tx, "WHERE seq > ?1 ORDER BY seq", [signed(seq)]))
    }

    /// The acts of a project among these, newest first, at most `max`; with `before`, only those
    /// with a smaller number; `wide`: also those that are about no project.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn acts(
        &self,
        project: &ProjectId,
        wide: bool,
        among: &[Act],
        before: Option<u64>,
        max: usize,
    ) -> Result<Vec<AuditRow>, StoreError> {
        let names: Vec<&str> = among.iter().map(|a| a.name()).collect();
        self.read(|tx| {
            let which = "WHERE (project = ?1 OR ?5 AND project = '') AND seq < ?2
                           AND act IN (SELECT value FROM json_each(?3))
                         ORDER BY seq DESC LIMIT ?4";
            let before = before.map_or(i64::MAX, signed);
            let names = Value::from(names).to_string();
            let max = i64::try_from(max).unwrap_or(i64::MAX);
            select(tx, which, (project.as_str(), before, names, max, wide))
        })
    }

    /// The acts on a proposal among these, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn acts_on(&self, id: &ProposalId, among: &[Act]) -> Result<Vec<AuditRow>, StoreError> {
        let names: Vec<&str> = among.iter().map(|a| a.name()).collect();
        self.read(|tx| {
            let which = "WHERE subjects = ?1 AND act IN (SELECT value FROM json_each(?2))
                         ORDER BY seq";
            select(tx, which, (id.as_str(), Value::from(names).to_string()))
        })
    }

    /// The record of the audit chain with this number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn audit_row(&self, seq: u64) -> Result<Option<AuditRow>, StoreError> {
        self.read(|tx| Ok(select(tx, "WHERE seq = ?1", [signed(seq)])?.pop()))
    }

    /// When the chain began here; none where it has no record.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn began(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|tx| {
            let first = select(tx, "ORDER BY seq LIMIT 1", [])?.pop();
            Ok(first.and_then(|row| row.time()))
        })
    }

    /// The whole chain with its head, as of one moment; whose key it is of, whoever has it says.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn chain(&self) -> Result<Export, StoreError> {
        self.read(|tx| {
            Ok(Export {
                rows: rows(tx)?,
                head: head(tx)?,
                key: None,
            })
        })
    }

    /// The head of the audit chain; `None` when nothing was ever done.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn audit_head(&self) -> Result<Option<AuditHead>, StoreError> {
        self.read(head)
    }

    /// Whether the audit chain can be gone on with: its head is the one that was sealed. Else nothing
    /// is written any more, with whatever key.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn can_go_on(&self, trust: &Trust) -> Result<bool, StoreError> {
        self.read(|tx| can_follow(tx, trust, &head(tx)?.unwrap_or_default()))
    }

    /// A number that changes when another process has written to the database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn version(&self) -> Result<u64, StoreError> {
        self.read(|tx| {
            let version: i64 = tx.query_row("PRAGMA data_version", [], |row| row.get(0))?;
            Ok(u64::try_from(version).unwrap_or(0))
        })
    }

    /// The moment to count lapsing and expiry with: `now`, or the newest act when the clock was
    /// set back.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn clock(&self, now: Timestamp) -> Result<Timestamp, StoreError> {
        self.read(|tx| Ok(effective_now(now, newest(tx)?)))
    }
}
