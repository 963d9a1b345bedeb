//! The changes of one distill, staged for a person.

mod bodies;
mod build;
mod change;
mod conflicts;
mod drafts;
mod evidence;
mod heard;
mod hosts;
mod known;
mod life;
mod outcome;
mod overflow;
mod rebase;
mod shape;
mod support;
mod tombstone;
mod turned;

pub use build::{Built, MAX_CHANGES, build};
pub use change::{Change, Decision, Earlier, LetIn, Level, Op, Origin, Verdict, new_lines};
pub use evidence::{Substance, origin_of};
pub use heard::{Listener, is_assistants};
pub use hosts::hosts;
pub use known::{KnownEntry, Target};
pub use life::{Back, Kind, State};
pub use outcome::{Chosen, Outcome, outcome, outcome_on};
pub use rebase::{Rebased, rebase, rebase_all};
pub use support::{Contrary, contrary};
pub use tombstone::Tombstone;
pub(crate) use turned::{opposes, turned};

/// Parts of a proposal that earlier rooms make.
pub use crate::curator::Usage;
pub use crate::source::Fingerprint;

use crate::digest::{Coverage, Line};
use crate::id::{ProjectId, ProposalId};
use crate::redact::Hit;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The reason of an archive change that a budget made. Only code gives it.
pub const OVER_BUDGET: &str = "over budget";

/// The reason of an archive change for an entry that a whole-body reply left out without a word.
pub const LEFT_OUT: &str = "left out of the reply, which does not archive it";

/// The reason of an archive change for an entry of which a whole-body reply keeps another wording.
pub const COPY_DIFFERS: &str = "left out of the reply, whose archived copy does not match";

/// Reasons that no curator can give.
const RESERVED_REASONS: [&str; 3] = [OVER_BUDGET, LEFT_OUT, COPY_DIFFERS];

/// A byte range of a source that a proposal rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Absolute path of the source.
    pub source: String,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// What the source looked like: tells a rewritten file from a grown one.
    pub fingerprint: Fingerprint,
}

/// Something the curator proposed that is not in the proposal, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The title of what it was.
    pub what: String,
    /// Why, as a fragment for people.
    pub why: String,
}

/// The staged changes of one distill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its identity; also the distill's, once applied.
    pub id: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// Where it comes from.
    pub kind: Kind,
    /// What it goes back to, when it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<Back>,
    /// When it was staged.
    pub created: Timestamp,
    /// What started it: `manual`, `session-end`, ….
    pub trigger: String,
    /// The curator and its cost.
    pub usage: Usage,
    /// One line by the curator.
    pub summary: String,
    /// What is proposed.
    pub changes: Vec<Change>,
    /// What it consumes when applied or discarded.
    pub spans: Vec<Span>,
    /// Names of the inbox notes it consumes.
    pub notes: Vec<String>,
    /// The cited digest lines and their neighbours, by number.
    pub lines: Vec<Line>,
    /// What of the material was read.
    pub coverage: Vec<Coverage>,
    /// What was hidden.
    pub hits: Vec<Hit>,
    /// What was proposed but is not here.
    pub dropped: Vec<Dropped>,
}

impl Proposal {
    /// Whether it offers what was let in unattended and has lapsed, to leave for the archive.
    #[must_use]
    pub fn has_lapsed(&self) -> bool {
        self.kind == Kind::Unreviewed && self.changes.iter().all(Change::leaves)
    }

    /// Turns of the material that the curator was shown.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.coverage.iter().map(|c| c.used.total() as usize).sum()
    }
}

#[cfg(test)]
mod tests;
