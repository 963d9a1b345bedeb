//! From the database to what is reviewed: the queue, and single proposals.

use crate::id::{ProjectId, ProposalId};
use crate::review::{Item, Waiting};
use crate::store::{QueueItem, Seq, Store, StoreError};
use crate::trust::Trust;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// What can be decided on now, unread: of one project, or of all.
pub(crate) fn waiting(
    store: &Store,
    project: Option<&ProjectId>,
    now: Timestamp,
) -> Result<Vec<Waiting>, StoreError> {
    let names: BTreeMap<ProjectId, String> = store
        .projects()?
        .into_iter()
        .map(|p| (p.id, p.name))
        .collect();
    let queue = store.queue(project, now)?;
    let row = |item: QueueItem| Waiting {
        name: names.get(&item.project).cloned().unwrap_or_default(),
        id: item.id,
        project: item.project,
        kind: item.kind,
        created: item.created,
        trigger: item.trigger,
        open: item.open,
        undecided: item.undecided,
        flagged: item.flagged,
        item: None,
    };
    Ok(queue.into_iter().map(row).collect())
}

/// A proposal with what is decided on its open changes, and the journal's last step.
pub(crate) fn one(
    store: &Store,
    trust: &Trust,
    id: &ProposalId,
) -> Result<(Item, Seq), StoreError> {
    let proposal = store.proposal(trust, id)?;
    let journal = store.decisions(trust, id)?;
    let project = store.project(&proposal.project)?;
    let item = Item::new(proposal, project.name, &journal.settled, journal.decisions);
    Ok((item, journal.last))
}
