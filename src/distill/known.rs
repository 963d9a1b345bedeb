//! The entries of memory with what their records say.

use super::{DistillError, Tools};
use crate::curator::PromptEntry;
use crate::id::ProjectId;
use crate::memory::Memory;
use crate::proposal::KnownEntry;
use crate::trust::{SealedEntry, match_entries};

/// The entries that have a record. Only the sealed ones reach a prompt.
#[derive(Debug)]
pub struct Known {
    /// In file order.
    pub entries: Vec<KnownEntry>,
}

impl Known {
    /// Matches memory with the records of its project.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn load(tools: &Tools, project: &ProjectId, memory: &Memory) -> Result<Self, DistillError> {
        let records = tools.store.records(tools.trust, project)?;
        let matched = match_entries(memory.entries(), &records, tools.trust, tools.now);
        let sealed = matched.sealed.iter().map(|s| known(s, true));
        let others = matched
            .lapsed
            .iter()
            .chain(&matched.withheld)
            .map(|s| known(s, false));
        Ok(Self {
            entries: sealed.chain(others).collect(),
        })
    }

    /// What a prompt shows: sealed entries that still stand.
    #[must_use]
    pub fn prompt_entries(&self, memory: &Memory) -> Vec<PromptEntry> {
        let sealed = self
            .entries
            .iter()
            .filter(|k| k.sealed && k.standing(memory).is_some());
        sealed
            .map(|k| PromptEntry {
                id: k.id.clone(),
                file: k.file,
                section: k.section.clone(),
                text: k.text.clone(),
            })
            .collect()
    }
}

fn known(sealed: &SealedEntry, is_sealed: bool) -> KnownEntry {
    KnownEntry {
        id: sealed.record.entry.clone(),
        file: sealed.entry.file,
        section: sealed.entry.section.clone(),
        text: sealed.entry.text.clone(),
        ordinal: sealed.entry.ordinal,
        confirmed: sealed.record.confirmed.is_some(),
        sealed: is_sealed,
        accepted: sealed.record.accepted,
    }
}
