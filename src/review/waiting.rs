//! One proposal of the queue, as a list needs it: its changes may not have been read yet.

use super::Item;
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{Kind, Level};
use jiff::Timestamp;

/// A proposal that waits. What its list row says comes from the loaded item where there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// Its identity.
    pub id: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// Its project's name. Foreign text.
    pub name: String,
    /// Where it comes from.
    pub kind: Kind,
    /// When it was staged.
    pub created: Timestamp,
    /// What started it.
    pub trigger: String,
    /// Open changes, as stored.
    pub open: u32,
    /// Open changes nobody has decided on, as stored.
    pub undecided: u32,
    /// Changes flagged when it was staged.
    pub flagged: u32,
    /// Its changes, once they were read.
    pub item: Option<Item>,
}

impl Waiting {
    /// Open changes.
    #[must_use]
    pub fn open(&self) -> usize {
        self.item
            .as_ref()
            .map_or(self.open as usize, |item| item.order.len())
    }

    /// Open changes that are decided on.
    #[must_use]
    pub fn decided(&self) -> usize {
        match &self.item {
            Some(item) => item.order.len() - item.undecided().len(),
            None => self.open.saturating_sub(self.undecided) as usize,
        }
    }

    /// Whether anything in it is flagged.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        match &self.item {
            Some(item) => item.is_flagged(),
            None => self.flagged > 0,
        }
    }

    /// The worst that the guardrails say of it; of an unread one at most a warning is known.
    #[must_use]
    pub fn level(&self) -> Level {
        match &self.item {
            Some(item) => item
                .order
                .iter()
                .map(|&n| item.level(n))
                .max()
                .unwrap_or(Level::Pass),
            None if self.flagged > 0 => Level::Warn,
            None => Level::Pass,
        }
    }

    /// What it is sorted by: what waits first, flagged ones before others, the oldest first; then
    /// what was let in unattended, the newest first.
    #[must_use]
    pub(super) fn rank(&self) -> (bool, bool, i64) {
        match self.kind {
            Kind::Unreviewed => (true, false, -self.created.as_millisecond()),
            _ => (false, !self.is_flagged(), self.created.as_millisecond()),
        }
    }

    /// Whether a target of its changes is known to have moved on.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        let stale = |item: &Item| item.order.iter().any(|&n| item.standing(n).is_some());
        self.item.as_ref().is_some_and(stale)
    }
}

impl From<Item> for Waiting {
    fn from(item: Item) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            id: item.proposal.id.clone(),
            project: item.proposal.project.clone(),
            name: item.project.clone(),
            kind: item.proposal.kind,
            created: item.proposal.created,
            trigger: item.proposal.trigger.clone(),
            open: count(item.order.len()),
            undecided: count(item.undecided().len()),
            flagged: count(
                item.order
                    .iter()
                    .filter(|&&n| item.level(n) > Level::Pass)
                    .count(),
            ),
            item: Some(item),
        }
    }
}
