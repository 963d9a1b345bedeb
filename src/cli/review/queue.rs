//! From the database to what is reviewed: the queue, and single proposals.

use crate::id::{ProjectId, ProposalId};
use crate::redact::Redactor;
use crate::review::{Item, Waiting};
use crate::store::{Opened, QueueItem, Shown, Store, StoreError};
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

/// A proposal with what is decided on its open changes, and what a decision on it hands back.
pub(crate) fn one(
    store: &Store,
    trust: &Trust,
    id: &ProposalId,
) -> Result<(Item, Shown), StoreError> {
    let Opened {
        proposal,
        journal,
        shown,
    } = store.opened(trust, id)?;
    let project = store.project(&proposal.project)?;
    let item = Item::new(proposal, project.name, &journal.settled, journal.decisions);
    Ok((item, shown))
}

/// Takes the secrets out of what changes replace or take away: that stands in memory word for word,
/// and a screen shows it.
pub(super) fn hide_targets(item: &mut Item, redactor: &Redactor) {
    let changes = item.proposal.changes.iter_mut();
    for target in changes.filter_map(|c| c.target.as_mut()) {
        target.text = redactor.shown(&target.text);
    }
}

/// An item as it was opened, with what its changes replace word for word: memory is searched for it.
pub(super) fn exact(store: &Store, trust: &Trust, item: &Item) -> Result<Item, StoreError> {
    let stored = store.proposal(trust, &item.proposal.id)?;
    let mut exact = item.clone();
    for change in &mut exact.proposal.changes {
        let same = stored.changes.iter().find(|c| c.n == change.n);
        change.target = same.and_then(|c| c.target.clone());
    }
    Ok(exact)
}
