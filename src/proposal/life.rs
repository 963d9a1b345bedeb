//! Where a proposal comes from, what it goes back to, and where it is in its life.

use crate::id::ProposalId;
use serde::{Deserialize, Serialize};

/// Where a proposal is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for a person.
    Staged,
    /// Being written; rolled forward at the next start.
    Applying,
    /// Written; spans consumed. Undecided changes may remain as a rest.
    Applied,
    /// All rejected; spans consumed on purpose.
    Discarded,
    /// Spans free again, with a note to the curator.
    Returned,
    /// Out of the queue by age; nothing freed.
    Expired,
}

impl State {
    /// All of them, in the order of a life.
    pub const ALL: [Self; 6] = [
        Self::Staged,
        Self::Applying,
        Self::Applied,
        Self::Discarded,
        Self::Returned,
        Self::Expired,
    ];

    /// Its stable name, in the database and for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Applying => "applying",
            Self::Applied => "applied",
            Self::Discarded => "discarded",
            Self::Returned => "returned",
            Self::Expired => "expired",
        }
    }
}

/// Where a proposal comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A curator read sessions or notes.
    Distill,
    /// Memory on disk holds what nobody accepted here: adopt or restore.
    ChangedOnDisk,
    /// The reverse of one proposal that was applied.
    Revert,
    /// Memory as it stood in a commit.
    Restore,
    /// A person's own act on one entry.
    Own,
    /// What a policy let in and no person has reviewed: accept it, or take it back.
    Unreviewed,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Distill,
        Self::ChangedOnDisk,
        Self::Revert,
        Self::Restore,
        Self::Own,
        Self::Unreviewed,
    ];

    /// Its stable name, in the database and for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Distill => "distill",
            Self::ChangedOnDisk => "changed_on_disk",
            Self::Revert => "revert",
            Self::Restore => "restore",
            Self::Own => "own",
            Self::Unreviewed => "unreviewed",
        }
    }

    /// Whether a curator proposed it from material: only then evidence is asked for, and only then
    /// a rejected change leaves a tombstone.
    #[must_use]
    pub fn is_curated(self) -> bool {
        self == Self::Distill
    }

    /// Whether what it offers stands on disk already: accepting it writes nothing.
    #[must_use]
    pub fn is_on_disk(self) -> bool {
        matches!(self, Self::ChangedOnDisk | Self::Unreviewed)
    }

    /// Whether it makes memory stand as it did before.
    #[must_use]
    pub fn goes_back(self) -> bool {
        matches!(self, Self::Revert | Self::Restore)
    }

    /// Whether it leaves the queue by its age. What was let in already must be reviewed however
    /// long nobody looks.
    #[must_use]
    pub fn expires(self) -> bool {
        self != Self::Unreviewed
    }

    /// Whether its text is a curator's, whoever staged it: the guardrails look for evidence.
    #[must_use]
    pub fn is_by_curator(self) -> bool {
        matches!(self, Self::Distill | Self::Unreviewed)
    }
}

/// What a proposal goes back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is", content = "of")]
pub enum Back {
    /// To before the apply of this proposal; what came later stays.
    Apply(ProposalId),
    /// To what stood in this commit of the memory repository (40 hex digits).
    Commit(String),
}
