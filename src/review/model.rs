//! What a review knows. Plain data.

use super::{ChangeRef, Item, Sheet};
use crate::id::ProposalId;
use std::collections::{BTreeMap, BTreeSet};

/// Where a change was last painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The first frame it was on.
    pub frame: u64,
    /// Whether its end has been on a frame.
    pub whole: bool,
}

/// A question that waits for a `y`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Accept these changes.
    AcceptAll {
        /// Of which proposal.
        proposal: ProposalId,
        /// Their numbers.
        numbers: Vec<u32>,
        /// What they are called.
        titles: Vec<String>,
        /// Titles of flagged ones that are passed over, with what flags them.
        passed_over: Vec<(String, String)>,
    },
    /// Discard this proposal.
    Discard(ProposalId),
    /// Return this proposal with a note.
    Return(ProposalId, String),
    /// Apply what the sheet shows.
    Apply {
        /// Of which proposal.
        proposal: ProposalId,
        /// What would be written.
        sheet: Box<Sheet>,
        /// Why the loss guard is overridden.
        because: Option<String>,
    },
}

/// A review under way.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Proposals: flagged ones first, then the oldest.
    pub queue: Vec<Item>,
    /// The change that is decided on; none at the end of a proposal.
    pub current: Option<ChangeRef>,
    /// The proposal that is reviewed.
    pub open: Option<ProposalId>,
    /// What waits for a `y`, and the frame it was painted on.
    pub ask: Option<(Ask, Option<u64>)>,
    /// The last thing to say.
    pub notice: Option<String>,
    pub(super) seen: BTreeMap<ChangeRef, Place>,
    pub(super) skipped: BTreeSet<ChangeRef>,
    /// How many journal entries each act made, newest last, by proposal.
    pub(super) done: BTreeMap<ProposalId, Vec<usize>>,
    pub(super) undone: BTreeMap<ProposalId, Vec<usize>>,
}

impl Model {
    /// A review of these proposals, at the first undecided change.
    #[must_use]
    pub fn new(queue: Vec<Item>) -> Self {
        let mut model = Self::default();
        model.load(queue);
        model
    }

    pub(super) fn load(&mut self, mut queue: Vec<Item>) {
        let key = |item: &Item| {
            (
                !item.is_flagged(),
                item.proposal.created,
                item.proposal.id.clone(),
            )
        };
        queue.sort_by_key(key);
        // What is already on screen keeps its place; what is new comes after it.
        let place = |item: &Item| self.position(&item.proposal.id).unwrap_or(usize::MAX);
        queue.sort_by_key(place);
        self.queue = queue;
        if self.open.as_ref().is_none_or(|id| self.item(id).is_none()) {
            let first = self.queue.first().map(|i| i.proposal.id.clone());
            self.enter(first);
        }
    }

    fn position(&self, id: &ProposalId) -> Option<usize> {
        self.queue.iter().position(|i| i.proposal.id == *id)
    }

    /// A proposal in the queue.
    #[must_use]
    pub fn item(&self, id: &ProposalId) -> Option<&Item> {
        self.queue.iter().find(|i| i.proposal.id == *id)
    }

    pub(super) fn item_mut(&mut self, id: &ProposalId) -> Option<&mut Item> {
        self.queue.iter_mut().find(|i| i.proposal.id == *id)
    }

    /// The proposal that is reviewed.
    #[must_use]
    pub fn current_item(&self) -> Option<&Item> {
        self.item(self.open.as_ref()?)
    }

    /// Opens a proposal at its first undecided change.
    pub(super) fn enter(&mut self, id: Option<ProposalId>) {
        self.open = id;
        self.current = None;
        self.advance();
    }

    /// On to the next undecided change that was not skipped: after the current one, else from the
    /// top; none when there is none.
    pub(super) fn advance(&mut self) {
        let Some(item) = self.current_item() else {
            self.current = None;
            return;
        };
        let id = item.proposal.id.clone();
        let at = self.current.as_ref().map(|c| c.n);
        let from = at
            .and_then(|n| item.order.iter().position(|&o| o == n))
            .map_or(0, |i| i + 1);
        let open = item.undecided();
        let (before, after) = item.order.split_at(from.min(item.order.len()));
        let next = after
            .iter()
            .chain(before)
            .map(|&n| ChangeRef {
                proposal: id.clone(),
                n,
            })
            .find(|c| open.contains(&c.n) && !self.skipped.contains(c));
        self.current = next;
    }

    /// Steps over the changes in order, decided or not; past the last there is none.
    pub(super) fn step(&mut self, by: isize) {
        let Some(item) = self.current_item() else {
            return;
        };
        let at = match &self.current {
            Some(c) => item.order.iter().position(|&n| n == c.n).unwrap_or(0),
            None => item.order.len(),
        };
        let to = at.saturating_add_signed(by);
        let next = item.order.get(to).map(|&n| ChangeRef {
            proposal: item.proposal.id.clone(),
            n,
        });
        self.current = next;
    }

    /// The proposal after the open one, around the end.
    pub(super) fn next_proposal(&self) -> Option<ProposalId> {
        let at = self.open.as_ref().and_then(|id| self.position(id));
        let next = at.map_or(0, |i| (i + 1) % self.queue.len().max(1));
        self.queue.get(next).map(|i| i.proposal.id.clone())
    }

    /// Whether the open proposal is the last of the queue.
    pub(super) fn is_at_last(&self) -> bool {
        let last = self.queue.last().map(|i| &i.proposal.id);
        self.open.as_ref() == last
    }

    /// Whether a change has been painted as it stands now, in part at least.
    #[must_use]
    pub fn is_shown(&self, change: &ChangeRef) -> bool {
        self.seen.contains_key(change)
    }

    /// Whether a change has been painted to its end.
    #[must_use]
    pub fn is_seen(&self, change: &ChangeRef) -> bool {
        self.seen.get(change).is_some_and(|p| p.whole)
    }
}
