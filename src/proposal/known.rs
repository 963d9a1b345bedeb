//! Entries of memory as a proposal knows them: with their record, and as the target of a change.

use crate::id::{EntryId, ProposalId};
use crate::memory::{Entry, Memory, MemoryFile};
use crate::text::TextHash;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// An entry of memory with what its record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEntry {
    /// Its identity.
    pub id: EntryId,
    /// Its file.
    pub file: MemoryFile,
    /// Its section, as [`Entry::section`].
    pub section: String,
    /// Its text.
    pub text: String,
    /// Which of equal twins it is.
    pub ordinal: u32,
    /// A person has confirmed it.
    pub confirmed: bool,
    /// Its seal is valid and it has not lapsed.
    pub sealed: bool,
    /// When it was accepted.
    pub accepted: Option<Timestamp>,
    /// The proposal that brought its text.
    pub proposal: Option<ProposalId>,
}

impl KnownEntry {
    /// Whether it is this entry of a file.
    #[must_use]
    pub fn is(&self, entry: &Entry) -> bool {
        self.file == entry.file
            && self.ordinal == entry.ordinal
            && self.section == entry.section
            && self.text == entry.text
    }

    /// The entry of memory that it is, where it still stands.
    #[must_use]
    pub fn standing<'a>(&self, memory: &'a Memory) -> Option<&'a Entry> {
        memory.doc(self.file).entries().iter().find(|e| self.is(e))
    }

    /// As the target of a change.
    #[must_use]
    pub fn target(&self) -> Target {
        Target {
            entry: Some(self.id.clone()),
            text: self.text.clone(),
            hash: TextHash::of(&self.text),
            ordinal: self.ordinal,
        }
    }
}

/// The entry that a change edits or archives, as it stood when the change was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its id, when it has a record.
    pub entry: Option<EntryId>,
    /// Its text.
    pub text: String,
    /// The hash of its text.
    pub hash: TextHash,
    /// Which of equal twins it is.
    pub ordinal: u32,
}

impl Target {
    /// An entry as a target.
    #[must_use]
    pub fn of(entry: &Entry, id: Option<EntryId>) -> Self {
        Self {
            entry: id,
            text: entry.text.clone(),
            hash: entry.hash(),
            ordinal: entry.ordinal,
        }
    }
}
