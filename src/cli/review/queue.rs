//! From the database to what is reviewed: the queue, and single proposals.

use super::super::Failure;
use crate::id::{ProjectId, ProposalId};
use crate::review::Item;
use crate::store::{Seq, Store};
use crate::trust::Trust;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What is reviewed, and the journal's last step of each proposal as it is shown.
pub(crate) type Open = (Vec<Item>, BTreeMap<ProposalId, Seq>);

/// What can be decided on now: of one project, or of all.
pub(crate) fn open(
    store: &Store,
    trust: &Trust,
    project: Option<&ProjectId>,
    now: Timestamp,
) -> Result<Open, Failure> {
    let queue = store.queue(project, now).map_err(Failure::known)?;
    let (mut items, mut shown) = (Vec::new(), BTreeMap::new());
    for waiting in &queue {
        let (item, last) = one(store, trust, &waiting.id)?;
        shown.insert(waiting.id.clone(), last);
        items.push(item);
    }
    Ok((items, shown))
}

/// A proposal with what is decided on its open changes, and the journal's last step.
fn one(store: &Store, trust: &Trust, id: &ProposalId) -> Result<(Item, Seq), Failure> {
    let proposal = store.proposal(trust, id).map_err(Failure::known)?;
    let journal = store.decisions(trust, id).map_err(Failure::known)?;
    let project = store.project(&proposal.project).map_err(Failure::known)?;
    let item = Item::new(proposal, project.name, &journal.settled, journal.decisions);
    Ok((item, journal.last))
}

/// A proposal with all its changes, settled ones too, and what was decided on each.
pub(crate) fn whole(store: &Store, trust: &Trust, id: &ProposalId) -> Result<Item, Failure> {
    let proposal = store.proposal(trust, id).map_err(Failure::known)?;
    let journal = store.decisions(trust, id).map_err(Failure::known)?;
    let project = store.project(&proposal.project).map_err(Failure::known)?;
    let mut decisions = journal.settled_as;
    decisions.extend(journal.decisions);
    let none = BTreeSet::new();
    Ok(Item::new(proposal, project.name, &none, decisions))
}
