//! How often guardrails spoke of what curators proposed, and what a person then decided: a guardrail
//! that objects to honest changes teaches to click it away.

use super::{BrowseError, Sight};
use crate::guard::CONTENT;
use crate::id::ProjectId;
use crate::proposal::{Change, Decision, Kind, Level};
use crate::store::Journal;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a person decided on changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// Let in, edited or not.
    pub accepted: usize,
    /// Kept out.
    pub rejected: usize,
}

impl Decided {
    /// Both.
    #[must_use]
    pub fn total(self) -> usize {
        self.accepted + self.rejected
    }

    fn count(&mut self, is_in: bool) {
        match is_in {
            true => self.accepted += 1,
            false => self.rejected += 1,
        }
    }
}

/// What guardrails said of decided changes when they were staged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Flags {
    /// All changes that a curator proposed and a person decided on.
    pub all: Decided,
    /// Those with at least one flag.
    pub flagged: Decided,
    /// Those flagged for what their text says ([`CONTENT`]).
    pub content: Decided,
    /// By guardrail.
    pub guards: BTreeMap<String, Decided>,
    /// Proposals that are not as they were sealed: not counted.
    pub unread: usize,
}

impl Flags {
    /// Of accepted changes, the share that was flagged for what it says, in per cent; none: none
    /// was accepted. Each of them was a false alarm to the person who accepted it.
    #[must_use]
    pub fn false_alarms(&self) -> Option<f64> {
        let share = |n: usize, of: usize| 100.0 * n as f64 / of as f64;
        (self.all.accepted > 0).then(|| share(self.content.accepted, self.all.accepted))
    }

    fn count(&mut self, change: &Change, is_in: bool) {
        self.all.count(is_in);
        let spoke = change.verdicts.iter().filter(|v| v.level > Level::Pass);
        let guards: BTreeSet<&str> = spoke.map(|v| v.guard.as_str()).collect();
        if guards.is_empty() {
            return;
        }
        self.flagged.count(is_in);
        if guards.iter().any(|g| CONTENT.contains(g)) {
            self.content.count(is_in);
        }
        for guard in guards {
            self.guards
                .entry(guard.to_owned())
                .or_default()
                .count(is_in);
        }
    }
}

/// Counts over all distills of these projects.
///
/// # Errors
/// When the database cannot be read.
pub fn flags(sight: Sight<'_>, projects: &[ProjectId]) -> Result<Flags, BrowseError> {
    let mut flags = Flags::default();
    for project in projects {
        for any in sight.store.all_proposals(project)? {
            let read = sight.decided(&any.id);
            match read {
                Ok((proposal, journal)) if proposal.kind == Kind::Distill => {
                    let decided = proposal.changes.iter();
                    let decided = decided.filter_map(|c| Some((c, is_in(&journal, c.n)?)));
                    decided.for_each(|(change, is_in)| flags.count(change, is_in));
                }
                Ok(_) => {}
                Err(_) => flags.unread += 1,
            }
        }
    }
    Ok(flags)
}

/// What a person settled a change as; none: nobody has, or a policy did.
fn is_in(journal: &Journal, n: u32) -> Option<bool> {
    if !journal.settled.contains(&n) || journal.unattended.contains(&n) {
        return None;
    }
    Some(journal.settled_as.get(&n) != Some(&Decision::Rejected))
}
