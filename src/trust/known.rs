//! Matched entries as the earlier rooms know them: for prompt, guardrails and plan.

use super::{Matched, Record, SealedEntry};
use crate::proposal::KnownEntry;

impl Matched {
    /// What guardrails go by: [`Matched::known`], and what was let in and reads otherwise by now or
    /// is gone, as it was let in.
    #[must_use]
    pub fn known_ever(&self) -> Vec<KnownEntry> {
        let displaced = self.broken.iter().filter(|b| b.is_displaced());
        let records = displaced.map(|b| &b.record).chain(&self.missing);
        let mut all = self.known();
        all.extend(records.map(of_record));
        all
    }

    /// The entries that have a record and stand; sealed is what an agent is given.
    #[must_use]
    pub fn known(&self) -> Vec<KnownEntry> {
        let sealed = self.sealed.iter().map(|s| known(s, true));
        let others = self.lapsed.iter().chain(&self.withheld);
        sealed.chain(others.map(|s| known(s, false))).collect()
    }
}

fn of_record(record: &Record) -> KnownEntry {
    KnownEntry {
        id: record.entry.clone(),
        file: record.file,
        section: record.section.clone(),
        text: record.text.clone(),
        ordinal: 0,
        confirmed: record.confirmed.is_some(),
        sealed: false,
        accepted: record.accepted,
        proposal: record.proposal.clone(),
    }
}

fn known(of: &SealedEntry, sealed: bool) -> KnownEntry {
    KnownEntry {
        id: of.record.entry.clone(),
        file: of.entry.file,
        section: of.entry.section.clone(),
        text: of.entry.text.clone(),
        ordinal: of.entry.ordinal,
        confirmed: of.record.confirmed.is_some(),
        sealed,
        accepted: of.record.accepted,
        proposal: of.record.proposal.clone(),
    }
}
