//! What a review knows. Plain data.

use super::{ChangeRef, Effect, Item, Sheet, Waiting};
use crate::id::{ProjectId, ProposalId};
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
    /// Reject these changes: all of the proposal that are not rejected yet.
    RejectAll {
        /// Of which proposal.
        proposal: ProposalId,
        /// Their numbers.
        numbers: Vec<u32>,
        /// How many of them are decided on otherwise so far.
        decided: usize,
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

impl Ask {
    /// Whether it asks about this proposal.
    #[must_use]
    pub fn is_about(&self, id: &ProposalId) -> bool {
        match self {
            Ask::AcceptAll { proposal, .. }
            | Ask::RejectAll { proposal, .. }
            | Ask::Discard(proposal)
            | Ask::Return(proposal, _)
            | Ask::Apply { proposal, .. } => proposal == id,
        }
    }
}

/// A review under way.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Proposals, a project's together: flagged ones first, then the oldest.
    pub queue: Vec<Waiting>,
    /// The change that is decided on; none at the end of a proposal.
    pub current: Option<ChangeRef>,
    /// The proposal that is reviewed.
    pub open: Option<ProposalId>,
    /// What waits for a `y`, and the frame it was painted on.
    pub ask: Option<(Ask, Option<u64>)>,
    /// The last thing to say.
    pub notice: Option<String>,
    /// Of this proposal opening the sheet has decided what was read; unless it is applied, that is
    /// taken back.
    pub(super) meant: Option<ProposalId>,
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
        // What is given here is read already: there is nothing to ask for.
        let _ = model.load(queue.into_iter().map(Waiting::from).collect());
        model
    }

    /// Takes the queue as it stands now. What is on screen keeps its place and its changes; what
    /// is new comes after it, beside its project.
    pub(super) fn load(&mut self, mut queue: Vec<Waiting>) -> Vec<Effect> {
        for waiting in &mut queue {
            if waiting.item.is_none() {
                let known = self.waiting_mut(&waiting.id);
                waiting.item = known.and_then(|w| w.item.take());
            }
        }
        let mut effects = Vec::new();
        // Settled in part elsewhere: its changes are to be read again.
        let moved = |w: &Waiting| {
            w.item
                .as_ref()
                .is_some_and(|i| i.order.len() != w.open as usize)
        };
        effects.extend(
            queue
                .iter()
                .filter(|w| moved(w))
                .map(|w| Effect::Load(w.id.clone())),
        );
        queue.sort_by_cached_key(|w| (w.rank(), w.id.clone()));
        let place = |w: &Waiting| self.position(&w.id).unwrap_or(usize::MAX);
        queue.sort_by_cached_key(place);
        let mut projects: Vec<ProjectId> = Vec::new();
        for waiting in &queue {
            if !projects.contains(&waiting.project) {
                projects.push(waiting.project.clone());
            }
        }
        let ranks: BTreeMap<ProjectId, usize> = projects.into_iter().zip(0..).collect();
        queue.sort_by_key(|w| ranks.get(&w.project).copied());
        self.queue = queue;
        let stands = |id: &ProposalId| self.position(id).is_some();
        if self.open.as_ref().is_some_and(stands) {
            return effects;
        }
        if let Some(gone) = &self.open {
            self.notice = Some(format!(
                "{gone} left the queue: it was decided on elsewhere"
            ));
        }
        let first = self.queue.first().map(|w| w.id.clone());
        effects.extend(self.enter(first));
        effects
    }

    /// Takes a proposal's changes once they were read. What reads otherwise than it was painted is to
    /// be painted again; what a person has typed stays.
    pub(super) fn opened(&mut self, mut item: Item) -> Vec<Effect> {
        let id = item.proposal.id.clone();
        let Some(waiting) = self.waiting_mut(&id) else {
            return Vec::new();
        };
        let before = waiting.item.take();
        let mut turned: Vec<u32> = Vec::new();
        if let Some(before) = before {
            let all = item.order.iter().chain(&before.order).copied();
            let same = before.reads_like(&item);
            turned.extend(all.filter(|&n| !same || before.text(n) != item.text(n)));
            item.drafts.extend(before.drafts);
            if same {
                item.judged = before.judged;
            }
        }
        waiting.item = Some(item);
        self.unseen(&id, &turned);
        if self.open.as_ref() == Some(&id) {
            let current = self.current.as_ref().map(|c| c.n);
            let stands = |n| self.item(&id).is_some_and(|i| i.order.contains(&n));
            if !current.is_some_and(stands) {
                self.current = None;
                self.advance();
            }
        }
        vec![Effect::Judge(id)]
    }

    /// These changes do not count as painted any more, and no question about them as read.
    fn unseen(&mut self, id: &ProposalId, turned: &[u32]) {
        let stale = |c: &ChangeRef| c.proposal == *id && turned.contains(&c.n);
        self.seen.retain(|change, _| !stale(change));
        if !turned.is_empty() && self.ask.as_ref().is_some_and(|(ask, _)| ask.is_about(id)) {
            self.ask = None;
            self.notice =
                Some("what was asked about has changed meanwhile: look at it again".to_owned());
        }
    }

    /// Where a proposal stands in the queue, from 0.
    #[must_use]
    pub fn position(&self, id: &ProposalId) -> Option<usize> {
        self.queue.iter().position(|w| w.id == *id)
    }

    fn waiting_mut(&mut self, id: &ProposalId) -> Option<&mut Waiting> {
        self.queue.iter_mut().find(|w| w.id == *id)
    }

    /// A proposal's list row.
    #[must_use]
    pub fn waiting(&self, id: &ProposalId) -> Option<&Waiting> {
        self.queue.iter().find(|w| w.id == *id)
    }

    /// A proposal of the queue whose changes were read.
    #[must_use]
    pub fn item(&self, id: &ProposalId) -> Option<&Item> {
        self.waiting(id)?.item.as_ref()
    }

    pub(super) fn item_mut(&mut self, id: &ProposalId) -> Option<&mut Item> {
        self.waiting_mut(id)?.item.as_mut()
    }

    /// The proposal that is reviewed.
    #[must_use]
    pub fn current_item(&self) -> Option<&Item> {
        self.item(self.open.as_ref()?)
    }

    /// Opens a proposal at its first undecided change; asks for its changes when they were not
    /// read yet.
    pub(super) fn enter(&mut self, id: Option<ProposalId>) -> Vec<Effect> {
        self.open = id;
        self.current = None;
        self.advance();
        match &self.open {
            Some(id) if self.item(id).is_none() => vec![Effect::Load(id.clone())],
            _ => Vec::new(),
        }
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

    /// Selects a change of the open proposal; its numbers count from the top of what is shown.
    pub(super) fn select(&mut self, n: Option<u32>) {
        let proposal = self.open.clone();
        self.current = proposal
            .zip(n)
            .map(|(proposal, n)| ChangeRef { proposal, n });
    }

    /// The proposal so many after the open one, around the end.
    pub(super) fn neighbour(&self, by: isize) -> Option<ProposalId> {
        let len = isize::try_from(self.queue.len()).ok().filter(|l| *l > 0)?;
        let at = self.open.as_ref().and_then(|id| self.position(id));
        let to = at.map_or(0, |i| {
            (isize::try_from(i).unwrap_or(0) + by).rem_euclid(len)
        });
        let next = self.queue.get(usize::try_from(to).unwrap_or(0));
        next.map(|w| w.id.clone())
    }

    /// Whether the open proposal is the last of the queue.
    pub(super) fn is_at_last(&self) -> bool {
        let last = self.queue.last().map(|w| &w.id);
        self.open.as_ref() == last
    }

    /// Whether a change has been painted as it stands now, in part at least.
    #[must_use]
    pub fn is_shown(&self, change: &ChangeRef) -> bool {
        self.seen.contains_key(change)
    }

    /// The first frame that held a change as it stands now.
    #[must_use]
    pub fn shown_in(&self, change: &ChangeRef) -> Option<u64> {
        self.seen.get(change).map(|p| p.frame)
    }

    /// Of some changes of a proposal, those that have been painted to their end, and the others.
    #[must_use]
    pub fn by_seen(
        &self,
        proposal: &ProposalId,
        numbers: &[u32],
    ) -> (Vec<ChangeRef>, Vec<ChangeRef>) {
        let change = |&n: &u32| ChangeRef {
            proposal: proposal.clone(),
            n,
        };
        numbers.iter().map(change).partition(|c| self.is_seen(c))
    }

    /// Whether a change has been painted to its end.
    #[must_use]
    pub fn is_seen(&self, change: &ChangeRef) -> bool {
        self.seen.get(change).is_some_and(|p| p.whole)
    }
}
