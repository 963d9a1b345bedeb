//! The audit chain: every act on memory, in one sequence, each record bound to the one before.
//!
//! A record's MAC covers every column as it is stored, and the MAC of the record before: nothing is
//! parsed to verify, so nothing is reported that was not changed. The sealed head says which record
//! is the last one, so that a cut tail shows. Pure; the database appends.

mod act;
mod breaks;

pub use act::Act;
pub(super) use breaks::at;

use super::key::{Purpose, Trust};
use super::seal::{Fields, Seal, check};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One record of the chain, every column as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditRow {
    /// From 1, without gaps, over all projects.
    pub seq: u64,
    /// The MAC of the record before; empty for the first.
    pub prev: String,
    /// When, RFC 3339.
    pub at: String,
    /// The act's name.
    pub act: String,
    /// The project's id; empty when it concerns none.
    pub project: String,
    /// Ids of what it concerns, separated by spaces.
    pub subjects: String,
    /// A JSON object.
    pub details: String,
    /// The keyed MAC over all of the above.
    pub mac: Seal,
}

/// The last record of the chain, as sealed beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditHead {
    /// Its number; 0 when the chain is empty.
    pub seq: u64,
    /// Its MAC.
    pub mac: Seal,
    /// The hash of [`super::Newest`]; `None`: of a memd that did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<String>,
    /// The keyed seal over all of the above.
    pub seal: Seal,
}

impl AuditHead {
    fn fields(&self) -> Fields {
        let fields = Fields::new("audit head").shown(&self.seq).shown(&self.mac);
        match &self.newest {
            Some(newest) => fields.text(newest),
            None => fields,
        }
    }
}

impl AuditRow {
    fn fields(&self, seq: u64) -> Fields {
        Fields::new("audit")
            .shown(&seq)
            .text(&self.prev)
            .text(&self.at)
            .text(&self.act)
            .text(&self.project)
            .text(&self.subjects)
            .text(&self.details)
    }

    /// By which date people know the act: that of the machine's clock then, which history, proposals and
    /// commits have too. [`AuditRow::time`], by which ages are counted, is later where an act before it
    /// was dated later.
    #[must_use]
    pub fn dated(&self) -> Option<Timestamp> {
        let details: serde_json::Value = serde_json::from_str(&self.details).unwrap_or_default();
        let clock = details.get("clock").and_then(serde_json::Value::as_str);
        clock.and_then(|at| at.parse().ok()).or_else(|| self.time())
    }

    /// When it was made, where that can be read.
    #[must_use]
    pub fn time(&self) -> Option<Timestamp> {
        self.at.parse().ok()
    }
}

impl Trust {
    /// Numbers, links and seals a record that follows `head`, and gives the new head: sealed with the
    /// hash of what stands that `head` has by now.
    #[must_use]
    pub fn append(&self, head: &AuditHead, mut row: AuditRow) -> (AuditRow, AuditHead) {
        row.seq = head.seq + 1;
        head.mac.as_str().clone_into(&mut row.prev);
        row.mac = self.tag(Purpose::Audit, &row.fields(row.seq));
        let mut head = AuditHead {
            seq: row.seq,
            mac: row.mac.clone(),
            newest: head.newest.clone(),
            seal: Seal::default(),
        };
        head.seal = self.tag(Purpose::Audit, &head.fields());
        (row, head)
    }

    /// Whether a head is the one that was sealed.
    #[must_use]
    pub fn is_head(&self, head: &AuditHead) -> bool {
        self.check(Purpose::Audit, &head.fields(), &head.seal)
            .is_ok()
    }

    /// Whether a record is as it was written. Whether it is in its place, only the whole chain
    /// tells.
    #[must_use]
    pub fn is_written(&self, row: &AuditRow) -> bool {
        self.was_number(row, row.seq)
    }

    /// Whether a record was written with this number.
    fn was_number(&self, row: &AuditRow, seq: u64) -> bool {
        check(self.audit_key(seq), &row.fields(seq), &row.mac).is_ok()
    }

    /// Seals a head anew with this key, where it was the one that ended the chain.
    #[must_use]
    pub fn reseal_head(&self, mut head: AuditHead) -> AuditHead {
        head.seal = self.tag(Purpose::Audit, &head.fields());
        head
    }
}

#[cfg(test)]
mod tests;
