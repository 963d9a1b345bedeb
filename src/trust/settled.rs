//! Breaks that nothing mends and that prove no forgery: something is gone, and stays gone. A person who
//! knows the cause says so once, on record, and they are told apart from then on.
//!
//! What is settled is known exactly: the id of each commit, the numbers and MACs around records that
//! are missing, where a proposal stands whose records are among them. Whatever else is gone, or goes later, breaks as before. Never settled is anything about
//! what a seal stands for: a record, an entry, a proposal, a word, a leave. How the archive reads can be:
//! no agent is given it, and what was accepted stays in the records.

mod lives;
mod missing;
mod word;

pub use lives::{Astray, Life};
pub(super) use missing::{gap, last_missing, tail};
pub(super) use word::Settlements;
pub use word::settling;

use super::verify::{Break, BreakKind};
use crate::id::ProjectId;
use crate::text;
use jiff::Timestamp;
use serde::Serialize;

/// Of what is settled at once at most so many pieces go into one record.
pub const AT_ONCE: usize = 5_000;

/// What is gone for good, of one kind and in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    /// What became of it.
    pub cause: Cause,
    /// The project it concerns.
    pub project: Option<ProjectId>,
    /// Where, for people.
    pub place: String,
    /// What is gone, each piece by itself; never empty.
    pub pieces: Vec<Piece>,
}

/// How something came to be gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Records before another one are missing.
    GapBefore,
    /// Records at the end of the chain are missing.
    EndCutOff,
    /// The history does not hold a commit that the chain saw made.
    NotInHistory,
    /// The chain does not hold the record that a commit names.
    NotInChain,
    /// A commit was sealed with a key that took the place of the one that is here.
    OfLaterKey,
    /// The chain saw another commit made for the record that a commit names.
    AnotherCommit,
    /// The chain lost records of what became of a proposal.
    LifeInGap,
    /// The archive reads otherwise than what was put there.
    ArchiveChanged,
    /// The archive does not hold what was put there.
    ArchiveGone,
    /// The archive holds what memd did not put there.
    ArchiveAdded,
}

impl Cause {
    /// The kind of break it is: one that [`BreakKind::can_be_settled`].
    #[must_use]
    pub fn kind(self) -> BreakKind {
        match self {
            Cause::GapBefore => BreakKind::AuditGap,
            Cause::EndCutOff => BreakKind::AuditTail,
            Cause::NotInHistory => BreakKind::CommitGone,
            Cause::NotInChain | Cause::OfLaterKey | Cause::AnotherCommit => {
                BreakKind::ChainAgainstCommits
            }
            Cause::LifeInGap => BreakKind::ProposalLife,
            Cause::ArchiveChanged => BreakKind::ArchiveChanged,
            Cause::ArchiveGone => BreakKind::ArchiveGone,
            Cause::ArchiveAdded => BreakKind::ArchiveAdded,
        }
    }

    /// What is wrong, and what it may come from.
    fn said(self, pieces: &[Piece]) -> String {
        let shown = pieces.first().map_or("", |p| p.shown.as_str());
        match self {
            Cause::GapBefore => format!("missing before it: {shown}"),
            Cause::EndCutOff => {
                format!("it was the last one, and the chain ends before it; missing: {shown}")
            }
            Cause::NotInHistory => format!(
                "{} that the audit chain saw made, and that the history does not hold any more: an older .memory/ was put back, its history was rewritten, or its .git was removed",
                counted(pieces, "the first is")
            ),
            Cause::NotInChain => format!(
                "{} of an audit record that the chain does not hold: the database was put back to an older state, or memd did not make it",
                counted(pieces, "the newest is")
            ),
            Cause::OfLaterKey => format!(
                "{} sealed with a key that took the place of the one here: a state folder from before that rotation was put back. Put the newer one back, key and database; where it is lost, `memd review` offers what was accepted since",
                counted(pieces, "the newest is")
            ),
            Cause::AnotherCommit => format!(
                "{} of an audit record for which the chain saw another commit made: history was rewritten, or memd did not make it",
                counted(pieces, "the newest is")
            ),
            Cause::ArchiveChanged | Cause::ArchiveGone | Cause::ArchiveAdded => shown.to_owned(),
            Cause::LifeInGap => format!(
                "it is {shown}, and records of the audit chain are missing that may have said so"
            ),
        }
    }
}

/// One thing that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What makes it this one and no other.
    pub id: String,
    /// The same for people.
    pub shown: String,
}

/// A break that a person has settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettledBreak {
    /// The break, as it would be told else.
    #[serde(flatten)]
    pub found: Break,
    /// When it was settled.
    pub at: Timestamp,
    /// Why, in the person's words.
    pub why: String,
    /// The number of the audit record that says so.
    pub record: u64,
}

impl BreakKind {
    /// Whether a person can settle it: something is gone, and nothing that is given to anybody rests
    /// on it.
    #[must_use]
    pub fn can_be_settled(self) -> bool {
        matches!(
            self,
            BreakKind::AuditGap
                | BreakKind::AuditTail
                | BreakKind::ChainAgainstCommits
                | BreakKind::CommitGone
                | BreakKind::ProposalLife
                | BreakKind::ArchiveChanged
                | BreakKind::ArchiveGone
                | BreakKind::ArchiveAdded
        )
    }
}

impl Loose {
    /// None where nothing is gone.
    #[must_use]
    pub fn new(
        cause: Cause,
        project: Option<ProjectId>,
        place: String,
        pieces: Vec<Piece>,
    ) -> Option<Self> {
        (!pieces.is_empty()).then_some(Self {
            cause,
            project,
            place,
            pieces,
        })
    }

    /// As a break.
    #[must_use]
    pub fn found(&self) -> Break {
        Break {
            kind: self.cause.kind(),
            project: self.project.clone(),
            place: self.place.clone(),
            what: self.cause.said(&self.pieces),
        }
    }

    /// The same with only these pieces.
    #[must_use]
    pub fn with(&self, pieces: Vec<Piece>) -> Option<Self> {
        let (project, place) = (self.project.clone(), self.place.clone());
        Self::new(self.cause, project, place, pieces)
    }
}

/// Such as `3 commits (the first is 0a1b2c3d4e)`.
fn counted(pieces: &[Piece], which: &str) -> String {
    let first = pieces.first().map_or("", |p| p.id.as_str());
    let first = text::first_chars(first, 10).0;
    match pieces.len() {
        1 => format!("commit {first}"),
        n => format!("{n} commits ({which} {first})"),
    }
}

#[cfg(test)]
mod tests;
