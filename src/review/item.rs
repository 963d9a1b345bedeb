//! One proposal in review: its changes, what is decided on them, what the guardrails say now.

use crate::id::ProposalId;
use crate::memory::{self, MemoryFile};
use crate::proposal::{Change, Decision, Kind, Level, Op, Proposal, Verdict};
use crate::text::hidden;
use std::collections::{BTreeMap, BTreeSet};

/// A change, wherever it stands in the queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeRef {
    /// Its proposal.
    pub proposal: ProposalId,
    /// Its number in it.
    pub n: u32,
}

/// What the guardrails say of the changes as they are chosen now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// By change number.
    pub changes: BTreeMap<u32, Vec<Verdict>>,
    /// By file, on what was accepted so far.
    pub files: BTreeMap<MemoryFile, Vec<Verdict>>,
    /// How large each file is.
    pub sizes: BTreeMap<MemoryFile, Size>,
    /// Changes whose target is not as it was, by number.
    pub standing: BTreeMap<u32, Standing>,
    /// Changes that were let in unattended and have lapsed, by number.
    pub lapsed: BTreeSet<u32>,
}

/// How large a memory file is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Characters of its body.
    pub chars: usize,
    /// Characters it may hold.
    pub budget: usize,
}

/// How a change's target stands now, against what it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The target has another text now.
    Changed {
        /// That text.
        now: String,
    },
    /// The target is no longer there.
    Gone,
    /// What it adds stands there already.
    AlreadyThere,
}

/// What stands together on a screen: the changes to one file, or what leaves for the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Changes to a file.
    File(MemoryFile),
    /// Entries that move to the archive.
    Archive,
}

impl Group {
    /// The group of a change.
    #[must_use]
    pub fn of(change: &Change) -> Self {
        match change.op {
            Op::Archive => Group::Archive,
            _ => Group::File(change.file),
        }
    }
}

/// One proposal in review.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The proposal as staged.
    pub proposal: Proposal,
    /// Its project's name.
    pub project: String,
    /// Numbers of the changes still to be written or dropped, in the order they are shown: by
    /// group, groups with something flagged first, in each the flagged ones first. The order stays
    /// while the review runs.
    pub order: Vec<u32>,
    /// Decisions so far; a missing number is undecided.
    pub decisions: BTreeMap<u32, Decision>,
    /// What the guardrails say, and how the targets stand.
    pub judged: Judged,
    /// Places in the proposed texts that a reader would not see.
    pub hidden: usize,
    /// Edited texts that a guardrail blocked: they decide nothing, and the next edit goes on from
    /// them.
    pub drafts: BTreeMap<u32, String>,
}

impl Item {
    /// A proposal as it comes from the queue. `settled` are the changes an earlier apply took.
    #[must_use]
    pub fn new(
        proposal: Proposal,
        project: String,
        settled: &BTreeSet<u32>,
        decisions: BTreeMap<u32, Decision>,
    ) -> Self {
        let judged = Judged {
            changes: proposal
                .changes
                .iter()
                .map(|c| (c.n, c.verdicts.clone()))
                .collect(),
            ..Judged::default()
        };
        let mut item = Self {
            order: proposal
                .changes
                .iter()
                .map(|c| c.n)
                .filter(|n| !settled.contains(n))
                .collect(),
            hidden: proposal.changes.iter().map(|c| hidden(&c.text).len()).sum(),
            proposal,
            project,
            decisions,
            judged,
            drafts: BTreeMap::new(),
        };
        item.order = item.ordered();
        item
    }

    /// Whether a person reads the same in both, whatever is decided.
    pub(super) fn reads_like(&self, other: &Self) -> bool {
        self.proposal == other.proposal && self.order.len() == other.order.len()
    }

    fn ordered(&self) -> Vec<u32> {
        let is_flagged = |n: u32| self.level(n) > Level::Pass;
        let group = |n: u32| self.change(n).map(Group::of);
        let flagged: BTreeSet<Option<Group>> = self
            .order
            .iter()
            .filter(|&&n| is_flagged(n))
            .map(|&n| group(n))
            .collect();
        let mut order = self.order.clone();
        order.sort_by_key(|&n| (!flagged.contains(&group(n)), group(n), !is_flagged(n), n));
        order
    }

    /// The change with this number, if it is still open.
    #[must_use]
    pub fn change(&self, n: u32) -> Option<&Change> {
        self.proposal
            .changes
            .iter()
            .find(|c| c.n == n && self.order.contains(&n))
    }

    /// The open changes in the order they are shown.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.order.iter().filter_map(|&n| self.change(n))
    }

    /// What is decided on a change.
    #[must_use]
    pub fn decision(&self, n: u32) -> &Decision {
        self.decisions.get(&n).unwrap_or(&Decision::Undecided)
    }

    /// The text a change would put in: the edited one, else the proposed one.
    #[must_use]
    pub fn text(&self, n: u32) -> &str {
        match (self.decision(n), self.change(n)) {
            (Decision::Edited(text), _) => text,
            (_, Some(change)) => &change.text,
            _ => "",
        }
    }

    /// What an edit of a change starts from: the text that was blocked, else the change's own.
    #[must_use]
    pub fn draft(&self, n: u32) -> &str {
        self.drafts
            .get(&n)
            .map_or_else(|| self.text(n), String::as_str)
    }

    /// What the guardrails say of a change, passes left out, worst first.
    #[must_use]
    pub fn flags(&self, n: u32) -> Vec<&Verdict> {
        let mut flags: Vec<_> = self
            .judged
            .changes
            .get(&n)
            .into_iter()
            .flatten()
            .filter(|v| v.level > Level::Pass)
            .collect();
        flags.sort_by_key(|v| std::cmp::Reverse(v.level));
        flags
    }

    /// The worst verdict on a change.
    #[must_use]
    pub fn level(&self, n: u32) -> Level {
        self.flags(n).first().map_or(Level::Pass, |v| v.level)
    }

    /// How a change's target stands, when not as it was.
    #[must_use]
    pub fn standing(&self, n: u32) -> Option<&Standing> {
        self.judged.standing.get(&n)
    }

    /// Whether it was let in unattended and has lapsed.
    #[must_use]
    pub fn is_lapsed(&self, n: u32) -> bool {
        self.judged.lapsed.contains(&n)
    }

    /// Whether nothing is flagged on a change and its target stands as it was.
    #[must_use]
    pub fn is_clean(&self, n: u32) -> bool {
        self.level(n) == Level::Pass && self.standing(n).is_none()
    }

    /// Whether anything in it is flagged.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        self.order.iter().any(|&n| self.level(n) > Level::Pass)
    }

    /// Numbers of the changes nothing is decided on, in the order shown.
    #[must_use]
    pub fn undecided(&self) -> Vec<u32> {
        let open = |n: &&u32| *self.decision(**n) == Decision::Undecided;
        self.order.iter().filter(open).copied().collect()
    }

    /// Numbers of the changes that go in, as they are or edited.
    #[must_use]
    pub fn chosen(&self) -> Vec<u32> {
        let goes_in =
            |n: &&u32| matches!(self.decision(**n), Decision::Accepted | Decision::Edited(_));
        self.order.iter().filter(goes_in).copied().collect()
    }

    /// Numbers of the changes nothing is decided on and nothing is flagged on, in the order shown.
    #[must_use]
    pub fn clean(&self) -> Vec<u32> {
        let mut open = self.undecided();
        open.retain(|&n| self.is_clean(n));
        open
    }

    /// What a change is called: the first line of what goes in, or of what it works on when nothing
    /// does; of what was changed on disk, of what stands there, and of what is put back, that.
    #[must_use]
    pub fn title(&self, n: u32) -> String {
        let Some(change) = self.change(n) else {
            return String::new();
        };
        let target = change.target.as_ref().map_or("", |t| t.text.as_str());
        let decision = self.decision(n);
        let goes_in = matches!(decision, Decision::Accepted | Decision::Edited(_));
        let text = self.text(n);
        let on_disk = self.proposal.kind == Kind::ChangedOnDisk && *decision != Decision::Rejected;
        let stands = goes_in || on_disk || self.proposal.kind.goes_back() || self.takes_back();
        let named_by_text = target.is_empty() || stands && !text.is_empty();
        memory::title(if named_by_text { text } else { target })
    }

    /// Whether rejecting a change puts back what was accepted, instead of leaving memory as it is.
    #[must_use]
    pub fn restores(&self, n: u32) -> bool {
        let on_disk = self.proposal.kind == Kind::ChangedOnDisk;
        on_disk && self.change(n).is_some_and(|c| c.target.is_some())
    }

    /// Whether rejecting a change takes out of its file what no review let in.
    #[must_use]
    pub fn takes_out(&self, n: u32) -> bool {
        let on_disk = self.proposal.kind == Kind::ChangedOnDisk;
        on_disk && self.change(n).is_some_and(|c| c.target.is_none())
    }

    /// Whether rejecting its changes takes back what was let in unattended.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        self.proposal.kind == Kind::Unreviewed
    }

    /// Why it cannot be given back with a note to the curator.
    #[must_use]
    pub fn why_not_given_back(&self) -> Option<&'static str> {
        match self.proposal.kind.is_curated() {
            false => Some("it was made from no material that could be read again; D discards it"),
            true if self.order.len() < self.proposal.changes.len() => {
                Some("a part of it was applied; what is left is decided, or discarded with D")
            }
            true => None,
        }
    }

    /// What rejecting a change comes to, where memory does not stay as it is.
    #[must_use]
    pub fn rejecting(&self, n: Option<u32>) -> Option<&'static str> {
        match (self.proposal.kind, n) {
            (Kind::ChangedOnDisk, Some(n)) if self.restores(n) => {
                Some("reject: what was accepted is restored")
            }
            (Kind::ChangedOnDisk, Some(_)) => Some("reject: it is taken out of its file"),
            (Kind::ChangedOnDisk, None) => Some(
                "reject: what was accepted is restored, what nobody let in is taken out of its file",
            ),
            (Kind::Unreviewed, _) => Some("reject: it is taken back"),
            _ => None,
        }
    }

    /// Why a change cannot be accepted as it is.
    #[must_use]
    pub fn block(&self, n: u32) -> Option<&Verdict> {
        self.flags(n).into_iter().find(|v| v.level == Level::Block)
    }
}
