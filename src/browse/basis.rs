//! From an accepted entry to what it rests on: the proposal with its digest lines.

use super::{BrowseError, Sight};
use crate::id::{EntryId, ProposalId};
use crate::proposal::{Change, Decision, Op, Proposal};
use crate::redact::Redactor;
use crate::review::Item;
use crate::store::Journal;
use crate::trust::{Record, RecordState};
use std::collections::{BTreeMap, BTreeSet};

/// Which change of a proposal is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of<'a> {
    /// The one with this number.
    Change(u32),
    /// The one that made this entry what it became with the proposal.
    Entry(&'a EntryId),
}

/// A proposal with all its changes, and the one that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    /// The proposal, settled changes included, with what was decided on each.
    pub item: Item,
    /// The change's number.
    pub n: u32,
}

/// A proposal with all its changes, settled ones too, and what was decided on each. For reading:
/// what stands on disk may be in it word for word, and is without its secrets here.
///
/// # Errors
/// When there is none, or it or a decision on it was changed outside memd.
pub fn item(sight: Sight<'_>, id: &ProposalId) -> Result<Item, BrowseError> {
    let mut item = exact(sight, id)?;
    hide(&mut item, sight.redactor);
    Ok(item)
}

fn exact(sight: Sight<'_>, id: &ProposalId) -> Result<Item, BrowseError> {
    let (proposal, journal) = sight.decided(id)?;
    let project = sight.store.project(&proposal.project)?;
    let (none, decisions) = (BTreeSet::new(), decisions(&journal));
    Ok(Item::new(proposal, project.name, &none, decisions))
}

fn hide(item: &mut Item, redactor: &Redactor) {
    let hide = |text: &mut String| *text = redactor.shown(text);
    for change in &mut item.proposal.changes {
        hide(&mut change.section);
        hide(&mut change.text);
        if let Some(target) = &mut change.target {
            hide(&mut target.text);
        }
        if let Some(reason) = &mut change.reason {
            hide(reason);
        }
    }
    for decision in item.decisions.values_mut() {
        if let Decision::Edited(text) = decision {
            hide(text);
        }
    }
}

fn decisions(journal: &Journal) -> BTreeMap<u32, Decision> {
    let mut all = journal.settled_as.clone();
    all.extend(journal.decisions.clone());
    all
}

/// What a change of a proposal rests on.
///
/// # Errors
/// As [`item`], and when the proposal holds no such change.
pub fn basis(sight: Sight<'_>, id: &ProposalId, of: Of<'_>) -> Result<Basis, BrowseError> {
    let mut item = exact(sight, id)?;
    let found = match of {
        Of::Change(n) => item.proposal.changes.iter().find(|c| c.n == n),
        Of::Entry(entry) => {
            let records = sight
                .store
                .all_records(sight.trust, &item.proposal.project)?;
            let made = |r: &&Record| r.entry == *entry && r.proposal.as_ref() == Some(id);
            let made = records.iter().rfind(made);
            made.and_then(|record| change_of(&item.proposal, &item.decisions, record))
        }
    };
    let what = || match of {
        Of::Change(n) => format!("number {n}"),
        Of::Entry(entry) => format!("entry {entry}"),
    };
    let Some(n) = found.map(|c| c.n) else {
        let (proposal, what) = (id.clone(), what());
        return Err(BrowseError::NoChange { proposal, what });
    };
    hide(&mut item, sight.redactor);
    Ok(Basis { item, n })
}

/// The change that made a record version.
pub(super) fn change_of<'a>(
    proposal: &'a Proposal,
    decisions: &BTreeMap<u32, Decision>,
    record: &Record,
) -> Option<&'a Change> {
    let did = |op: Op| match record.state {
        RecordState::Live => matches!(op, Op::Add | Op::Edit),
        RecordState::Archived => op == Op::Archive,
        RecordState::Tombstoned => op == Op::Tombstone,
    };
    let all = || {
        let fits = move |c: &&Change| c.file == record.file && did(c.op);
        proposal.changes.iter().filter(fits)
    };
    let is_target = |c: &&Change| {
        let target = c.target.as_ref().and_then(|t| t.entry.as_ref());
        let earlier = c.earlier.as_ref().map(|e| &e.entry);
        target.or(earlier) == Some(&record.entry)
    };
    let says = |c: &&Change| {
        let text = match decisions.get(&c.n) {
            Some(Decision::Edited(text)) => text,
            _ if c.op.takes_away() => c.target.as_ref().map_or("", |t| t.text.as_str()),
            _ => &c.text,
        };
        text.trim() == record.text.trim()
    };
    let went_in = |c: &&Change| decisions.get(&c.n) != Some(&Decision::Rejected);
    all()
        .find(is_target)
        .or_else(|| all().filter(went_in).find(says))
        .or_else(|| all().find(says))
}
