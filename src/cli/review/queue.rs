//! From the database to what is reviewed: the queue, and single proposals.

use super::super::Failure;
use crate::id::{ProjectId, ProposalId};
use crate::review::Item;
use crate::store::Store;
use crate::trust::Trust;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// What can be decided on now: of one project, or of all.
pub(crate) fn open(
    store: &Store,
    trust: &Trust,
    project: Option<&ProjectId>,
    now: Timestamp,
) -> Result<Vec<Item>, Failure> {
    let queue = store.queue(project, now).map_err(Failure::known)?;
    queue.iter().map(|q| one(store, trust, &q.id)).collect()
}

/// A proposal with what is decided on its open changes.
pub(crate) fn one(store: &Store, trust: &Trust, id: &ProposalId) -> Result<Item, Failure> {
    let proposal = store.proposal(trust, id).map_err(Failure::known)?;
    let journal = store.decisions(trust, id).map_err(Failure::known)?;
    let project = store.project(&proposal.project).map_err(Failure::known)?;
    Ok(Item::new(
        proposal,
        project.name,
        &journal.settled,
        journal.decisions,
    ))
}

/// A proposal with all its changes, settled ones too.
pub(crate) fn whole(store: &Store, trust: &Trust, id: &ProposalId) -> Result<Item, Failure> {
    let proposal = store.proposal(trust, id).map_err(Failure::known)?;
    let journal = store.decisions(trust, id).map_err(Failure::known)?;
    let project = store.project(&proposal.project).map_err(Failure::known)?;
    Ok(Item::new(
        proposal,
        project.name,
        &BTreeSet::new(),
        journal.decisions,
    ))
}
