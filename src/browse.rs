//! What stands, what was archived, what happened, where something was said: plain values for the
//! screens and for `memd log` and `memd show`.
//!
//! Reads the database, the files, the history and the sources, and never writes, prints or asks a
//! clock. Whatever of it nobody let in (disk, git, transcripts) has passed the redactor; control
//! characters are left for the screen to show.

mod acts;
mod archive;
mod basis;
mod details;
mod drawer;
mod event;
mod flags;
mod history;
mod lineage;
mod log;
mod look;
mod memory;
mod search;
mod stand;
mod transcript;
mod words;

pub use acts::events_of;
pub use archive::{Archive, Difference, Differences, Differs, Month, Piece, archive, differences};
pub use basis::{Basis, Of, basis, item};
pub use details::{ChangeDetail, Details, FileDetail, details, find_commit, measure};
pub use drawer::{Covered, Redaction, also_said, coverage, mark, place_said, redactions};
pub use event::{Chars, Curator, Event, What, Who};
pub use flags::{Decided, Flags, flags};
pub use history::{Became, Version, history};
pub use lineage::{Branch, End, Lineage, lineage};
pub use log::{Log, Logs, log};
pub use look::{Look, is_unreviewed};
pub use memory::{EntryView, FileView, MemoryView, SealState, memory, text_of};
pub use search::{Hit, MOST_HITS, Search, Within};
pub use stand::{Stand, Stands};
pub use transcript::{Excerpt, Glass, Gone, Said, TURN_CHARS, WINDOW, hidden_at, transcript};

use crate::fs::FsError;
use crate::git::GitError;
use crate::id::ProposalId;
use crate::proposal::Proposal;
use crate::redact::Redactor;
use crate::store::{Journal, Store, StoreError};
use crate::trust::Trust;
use jiff::Timestamp;

/// What is looked with.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// The database.
    pub store: &'a Store,
    /// The key.
    pub trust: &'a Trust,
    /// Makes what nobody let in fit to be shown.
    pub redactor: &'a Redactor,
    /// The moment.
    pub now: Timestamp,
}

impl Sight<'_> {
    /// A proposal with what was decided on it.
    fn decided(&self, id: &ProposalId) -> Result<(Proposal, Journal), StoreError> {
        let proposal = self.store.proposal(self.trust, id)?;
        Ok((proposal, self.store.decisions(self.trust, id)?))
    }
}

/// What cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum BrowseError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The history.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// A memory file, as a sentence.
    #[error("{0}")]
    Unread(String),
    /// The proposal holds no such change.
    #[error("proposal {proposal} holds no change of {what}")]
    NoChange {
        /// The proposal.
        proposal: crate::id::ProposalId,
        /// What was asked for.
        what: String,
    },
    /// More than one commit begins like this.
    #[error("more than one commit begins with {0:?}; give more digits")]
    Ambiguous(String),
}
