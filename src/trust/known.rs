//! Matched entries as the earlier rooms know them: for prompt, guardrails and plan.

use super::{Matched, SealedEntry};
use crate::proposal::KnownEntry;

impl Matched {
    /// The entries that have a record and stand; sealed is what an agent is given.
    #[must_use]
    pub fn known(&self) -> Vec<KnownEntry> {
        let sealed = self.sealed.iter().map(|s| known(s, true));
        let others = self.lapsed.iter().chain(&self.withheld);
        sealed.chain(others.map(|s| known(s, false))).collect()
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
