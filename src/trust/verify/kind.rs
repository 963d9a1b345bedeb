//! Kinds of breaks.

use serde::{Deserialize, Serialize};

/// What kind of break it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "`BreakKind::title` says what each is")]
pub enum BreakKind {
    DatabaseLost,
    AuditGap,
    AuditEdited,
    AuditRenumbered,
    AuditRecomputed,
    AuditLink,
    AuditTail,
    AuditWiped,
    AuditHead,
    ChainAgainstExport,
    OtherKey,
    RecordSeal,
    RecordUnreadable,
    Manifest,
    ManifestAgainstChain,
    ChainAgainstCommits,
    CommitGone,
    ProposalSeal,
    ProposalLife,
    NotSecret,
    AlsoSecret,
    Grant,
    StrayValue,
    ForeignObject,
    GuardGone,
    EntryUnsealed,
    EntryEdited,
    EntryMoved,
    EntryDuplicated,
    EntryRolledBack,
    EntryCameBack,
    EntryMissing,
    ArchiveChanged,
    ArchiveGone,
    ArchiveAdded,
    FileUnreadable,
    HistoryUnreadable,
    MemoryUnknown,
}

impl BreakKind {
    /// Whether it is about what stands in the memory files, which a review offers.
    #[must_use]
    pub fn is_on_disk(self) -> bool {
        matches!(
            self,
            BreakKind::EntryUnsealed
                | BreakKind::EntryEdited
                | BreakKind::EntryMoved
                | BreakKind::EntryDuplicated
                | BreakKind::EntryRolledBack
                | BreakKind::EntryCameBack
                | BreakKind::EntryMissing
        )
    }

    /// Whether it is about what stands in the archive, which no agent is given.
    #[must_use]
    pub fn is_of_archive(self) -> bool {
        matches!(
            self,
            BreakKind::ArchiveChanged | BreakKind::ArchiveGone | BreakKind::ArchiveAdded
        )
    }

    /// Whether a person can give up what it is about: a proposal, the records of one project, or a
    /// value that no seal covers.
    #[must_use]
    pub fn can_be_given_up(self) -> bool {
        matches!(
            self,
            BreakKind::RecordSeal
                | BreakKind::RecordUnreadable
                | BreakKind::Manifest
                | BreakKind::ManifestAgainstChain
                | BreakKind::ProposalSeal
                | BreakKind::StrayValue
        )
    }

    /// What it is, for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            BreakKind::DatabaseLost => "database lost or emptied",
            BreakKind::AuditGap => "gap in the audit chain",
            BreakKind::AuditEdited => "edited audit record",
            BreakKind::AuditRenumbered => "renumbered audit record",
            BreakKind::AuditRecomputed => "audit chain rewritten without the key",
            BreakKind::AuditLink => "audit record out of place",
            BreakKind::AuditTail => "end of the audit chain cut off",
            BreakKind::AuditWiped => "audit chain wiped",
            BreakKind::AuditHead => "head of the audit chain not sealed",
            BreakKind::ChainAgainstExport => "audit chain and its export disagree",
            BreakKind::OtherKey => "copy made with another key",
            BreakKind::RecordSeal => "record whose seal does not hold",
            BreakKind::RecordUnreadable => "record that cannot be read",
            BreakKind::Manifest => "manifest",
            BreakKind::ManifestAgainstChain => "manifest and audit chain disagree",
            BreakKind::ChainAgainstCommits => "audit chain and commits disagree",
            BreakKind::CommitGone => "commits that are gone",
            BreakKind::ProposalSeal => "staged data changed",
            BreakKind::ProposalLife => "proposal whose records are missing",
            BreakKind::NotSecret => "value that nobody called no secret",
            BreakKind::AlsoSecret => "value whose keeping as a secret was tampered with",
            BreakKind::Grant => "trust that nobody granted",
            BreakKind::StrayValue => "value in the database that memd did not write",
            BreakKind::ForeignObject => "thing in the database that memd did not make",
            BreakKind::GuardGone => "guard of the database that is gone",
            BreakKind::EntryUnsealed => "entry that nobody accepted here",
            BreakKind::EntryEdited => "entry changed outside memd",
            BreakKind::EntryMoved => "entry moved outside memd",
            BreakKind::EntryDuplicated => "copied entry",
            BreakKind::EntryRolledBack => "entry put back to an older version",
            BreakKind::EntryCameBack => "archived entry that came back",
            BreakKind::EntryMissing => "entry that is gone",
            BreakKind::ArchiveChanged => "archived text changed outside memd",
            BreakKind::ArchiveGone => "archived text that is gone",
            BreakKind::ArchiveAdded => "text in the archive that memd did not put there",
            BreakKind::FileUnreadable => "memory file that cannot be read",
            BreakKind::HistoryUnreadable => "history that cannot be read",
            BreakKind::MemoryUnknown => "memory of which the database holds nothing",
        }
    }
}
