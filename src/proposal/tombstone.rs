//! What a person's no leaves behind, and what it is held against.

use crate::digest::Line;
use crate::id::ProposalId;
use crate::memory::MemoryFile;
use crate::text::shared_words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How many of its words a statement shares with a rejected one to resemble it.
const RESEMBLES: f64 = 0.8;

/// What remains of a change that a person rejected: the same statement from the same material is
/// not proposed again, a similar one is flagged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The file it was proposed for.
    pub file: MemoryFile,
    /// Its text, as it was proposed.
    pub text: String,
    /// Its normal form ([`crate::text::statement`]).
    pub statement: String,
    /// The sources of the proposal it stood in.
    pub sources: Vec<String>,
    /// The proposal it stood in.
    pub proposal: ProposalId,
    /// When it was rejected.
    pub at: Timestamp,
}

impl Tombstone {
    /// Stands among [`Tombstone::sources`] for every source there is: of what a person took back,
    /// only what is said later is news. No path reads like this.
    pub const EVERY: &str = "*";

    /// Whether a text says the same.
    #[must_use]
    pub fn is_said_by(&self, text: &str) -> bool {
        !self.statement.is_empty() && crate::text::statement(text) == self.statement
    }

    /// Whether a text says nearly the same.
    #[must_use]
    pub fn resembles(&self, text: &str) -> bool {
        !self.statement.is_empty()
            && shared_words(&self.text, text) >= RESEMBLES
            && shared_words(text, &self.text) >= RESEMBLES
    }

    /// Whether a line is material that the rejected change did not have: from another source, or
    /// later than the rejection.
    #[must_use]
    pub fn is_news(&self, line: &Line) -> bool {
        let is_known = |s: &String| *s == line.place.source || s == Self::EVERY;
        !self.sources.iter().any(is_known) || line.at.is_some_and(|at| at > self.at)
    }
}
