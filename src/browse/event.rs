//! One thing that happened to a memory.

use crate::id::{EntryId, ProjectId, ProposalId};
use crate::proposal::Usage;
use crate::trust::Act;
use jiff::Timestamp;
use serde::Serialize;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: What,
    /// Who decided.
    pub who: Who,
    /// Whose memory.
    pub project: ProjectId,
    /// The proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// The proposal that a revert takes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverts: Option<ProposalId>,
    /// The commit that a restore goes back to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restores: Option<String>,
    /// The entries it is about, where it is about entries alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryId>,
    /// The commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The commit is not in the memory's history any more: that was purged, or put back to an older state.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub commit_gone: bool,
    /// What started it: `manual`, `session-end`, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// One line. Foreign text.
    pub summary: String,
    /// Changes that went in.
    pub applied: usize,
    /// Changes that were rejected.
    pub rejected: usize,
    /// In how many parts its proposal was applied, where that was more than one: taking it back takes
    /// back all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// Characters that came and went; [`super::measure`] counts those of a bare commit.
    #[serde(flatten)]
    pub chars: Option<Chars>,
    /// Who proposed it, and its cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curator: Option<Curator>,
    /// The number of its audit record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<u64>,
    /// It is about every project.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub everywhere: bool,
    /// Its audit record, or the proposal that it is about, is not as it was written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Changes of a distill went in.
    Apply,
    /// What stood on disk was let in, or put back.
    Adopt,
    /// What had been let in unattended was reviewed: accepted, or taken back.
    AcceptedAfter,
    /// What had been let in unattended and lapsed went to the archive.
    Lapsed,
    /// All that was open of a proposal was rejected.
    Discard,
    /// A proposal's material was given back, with a note to the curator.
    Return,
    /// A proposal left the queue by its age.
    Expire,
    /// An expired proposal was put back into the queue.
    Revive,
    /// A person confirmed entries.
    Confirm,
    /// A person took an entry back.
    Tombstone,
    /// One apply was taken back.
    Revert,
    /// What stood at an earlier commit was put back.
    Restore,
    /// A person's own act on one entry.
    Own,
    /// What stood on disk and nobody had let in, kept in history before something was written.
    ByHand,
    /// A person's leave to apply without them was given, or taken back.
    Trust,
    /// The key was rotated.
    Key,
    /// A person called a hidden value no secret, or took that back.
    NotSecret,
    /// A person called a text a secret, or took that back.
    AlsoSecret,
    /// A person settled what had been a break for good.
    Settle,
    /// A person gave up what was changed outside memd.
    GiveUp,
    /// The first commit.
    Init,
    /// A commit that memd did not make.
    Commit,
}

impl What {
    /// Its stable name, for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            What::Apply => "apply",
            What::Adopt => "adopt",
            What::AcceptedAfter => "accepted-after",
            What::Lapsed => "lapsed",
            What::Discard => "discard",
            What::Return => "return",
            What::Expire => "expire",
            What::Revive => "revive",
            What::Confirm => "confirm",
            What::Tombstone => "tombstone",
            What::Revert => "revert",
            What::Restore => "restore",
            What::Own => "own",
            What::ByHand => "by-hand",
            What::Trust => "trust",
            What::Key => "key",
            What::NotSecret => "not-secret",
            What::AlsoSecret => "also-secret",
            What::Settle => "settle",
            What::GiveUp => "give-up",
            What::Init => "init",
            What::Commit => "commit",
        }
    }

    /// What became of changes that a person said no to.
    #[must_use]
    pub fn refused(self) -> &'static str {
        match self {
            What::Adopt => "restored or taken out",
            What::AcceptedAfter | What::Lapsed => "taken back",
            _ => "rejected",
        }
    }

    /// What an act is in a log; none: it is no event of its own.
    pub(super) fn of(act: Act) -> Option<Self> {
        Some(match act {
            Act::Apply => What::Apply,
            Act::Adopt => What::Adopt,
            Act::AcceptedAfter => What::AcceptedAfter,
            Act::Discard => What::Discard,
            Act::Return => What::Return,
            Act::Expire => What::Expire,
            Act::Revive => What::Revive,
            Act::Confirm => What::Confirm,
            Act::Tombstone => What::Tombstone,
            Act::Revert => What::Revert,
            Act::Restore => What::Restore,
            Act::Trust => What::Trust,
            Act::Key => What::Key,
            Act::NotSecret => What::NotSecret,
            Act::AlsoSecret => What::AlsoSecret,
            Act::Settle => What::Settle,
            Act::GiveUp => What::GiveUp,
            Act::Register
            | Act::MoveProject
            | Act::ForgetProject
            | Act::Baseline
            | Act::ForgetSource
            | Act::Stage
            | Act::CuratorCall
            | Act::CuratorFailed
            | Act::Park
            | Act::Unpark
            | Act::Decide
            | Act::Undo
            | Act::Redo
            | Act::BeginApply
            | Act::AbortApply
            | Act::Commit
            | Act::Override
            | Act::Recall
            | Act::Read
            | Act::Hooks
            | Act::Mend
            | Act::Refuse => return None,
        })
    }

    /// Whether it let changes of a proposal in.
    pub(super) fn is_apply(self) -> bool {
        matches!(
            self,
            What::Apply
                | What::Adopt
                | What::AcceptedAfter
                | What::Lapsed
                | What::Tombstone
                | What::Revert
                | What::Restore
                | What::Own
        )
    }
}

/// The acts that are events.
pub(super) const ACTS: [Act; 17] = [
    Act::Apply,
    Act::Adopt,
    Act::AcceptedAfter,
    Act::Discard,
    Act::Return,
    Act::Expire,
    Act::Revive,
    Act::Confirm,
    Act::Tombstone,
    Act::Revert,
    Act::Restore,
    Act::Trust,
    Act::Key,
    Act::NotSecret,
    Act::AlsoSecret,
    Act::Settle,
    Act::GiveUp,
];

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// A person, on a terminal.
    Person,
    /// A policy that a person granted.
    Policy,
    /// Time alone.
    Memd,
    /// Whoever made the commit.
    Unknown,
}

/// Characters of entries that came and went. An edit counts its lines that changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Chars {
    /// Characters that came.
    #[serde(rename = "chars_added")]
    pub added: usize,
    /// Characters that went.
    #[serde(rename = "chars_removed")]
    pub removed: usize,
}

impl Chars {
    /// What a text and the one it replaces differ by, line by line.
    #[must_use]
    pub fn between(before: &str, after: &str) -> Self {
        let mut lines: std::collections::HashMap<&str, isize> = std::collections::HashMap::new();
        for line in before.lines() {
            *lines.entry(line.trim_end()).or_default() -= 1;
        }
        for line in after.lines() {
            *lines.entry(line.trim_end()).or_default() += 1;
        }
        let mut chars = Self::default();
        for (line, n) in lines {
            let of = |n: isize| usize::try_from(n).unwrap_or(0) * line.chars().count();
            chars.added += of(n);
            chars.removed += of(-n);
        }
        chars
    }
}

impl std::ops::AddAssign for Chars {
    fn add_assign(&mut self, more: Self) {
        self.added += more.added;
        self.removed += more.removed;
    }
}

/// The curator of a distill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curator {
    /// `claude`, `command` or `builtin`.
    pub backend: String,
    /// The model, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Characters of the prompt.
    pub prompt_chars: u64,
    /// US dollars, as the backend reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Curator {
    /// Who was asked; none: nobody was.
    pub(super) fn of(usage: &Usage) -> Option<Self> {
        (!usage.backend.is_empty()).then(|| Self {
            backend: usage.backend.clone(),
            model: usage.model.clone(),
            prompt_chars: usage.prompt_chars,
            cost_usd: usage.cost_usd,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_that_is_an_event_is_asked_for() {
        for act in ACTS {
            assert!(What::of(act).is_some_and(|w| w.name() == act.name()));
        }
    }

    #[test]
    fn characters_are_those_of_lines_that_changed() {
        let chars = |before, after| {
            let chars = Chars::between(before, after);
            (chars.added, chars.removed)
        };
        assert_eq!(chars("", "- a é\n- b"), (8, 0));
        assert_eq!(chars("- port 80\n- b", "- port 9090\n- b"), (11, 9));
        assert_eq!(chars("a\na", "a"), (0, 1));
        assert_eq!(chars("same", "same\n"), (0, 0));
    }
}
