//! From a record of the audit chain to an event.

use super::event::{ACTS, Chars, Curator, Event, What, Who};
use super::{BrowseError, Sight, words};
use crate::apply::TRAILER_AUDIT;
use crate::git::{Commit, GitError, Repo};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{Back, Decision, Kind, Op, Proposal};
use crate::store::{Journal, Project};
use crate::trust::{Act, AuditRow};
use serde_json::Value;

/// What became of a proposal, oldest first.
///
/// # Errors
/// When the database cannot be read.
pub fn events_of(sight: Sight<'_>, id: &ProposalId) -> Result<Vec<Event>, BrowseError> {
    let among: Vec<Act> = ACTS.into_iter().chain([Act::Commit]).collect();
    let mut events: Vec<Event> = Vec::new();
    for row in sight.store.acts_on(id, &among)? {
        if row.act != Act::Commit.name() {
            events.extend(act(sight, None, &row, None));
            continue;
        }
        // Two applies may be in one commit.
        let commit = commit_of(&row);
        for event in events.iter_mut().filter(|e| e.what.is_apply()) {
            event.commit = event.commit.take().or_else(|| commit.clone());
        }
    }
    name_gone(sight, id, &mut events)?;
    Ok(events)
}

/// Tells which of the commits are not there any more: where a history was purged, the chain still names
/// them by the ids that they had. Of a history that cannot be read nothing is known.
fn name_gone(sight: Sight<'_>, id: &ProposalId, events: &mut [Event]) -> Result<(), BrowseError> {
    if events.iter().all(|e| e.commit.is_none()) {
        return Ok(());
    }
    let project = sight.store.status(id, sight.now)?.project;
    let memory = sight.store.project(&project)?.memory();
    let repo = match Repo::open(&memory) {
        Ok(repo) => Some(repo),
        Err(GitError::Missing { .. }) if memory.is_dir() => None,
        Err(_) => return Ok(()),
    };
    let is_there = |commit: &str| {
        repo.as_ref()
            .is_some_and(|repo| repo.commit(commit).is_ok())
    };
    for event in events {
        event.commit_gone = event.commit.as_deref().is_some_and(|c| !is_there(c));
    }
    Ok(())
}

/// The act that made a commit: its trailer names a record that stands in the chain, and the chain
/// names the commit. Whoever makes a commit can copy the trailer of another one.
pub(super) fn made_by(
    sight: Sight<'_>,
    project: &Project,
    commit: &Commit,
) -> Result<Option<AuditRow>, BrowseError> {
    let Some((seq, mac)) = commit
        .trailer(TRAILER_AUDIT)
        .and_then(|t| t.split_once(':'))
    else {
        return Ok(None);
    };
    let Ok(seq) = seq.parse() else {
        return Ok(None);
    };
    let row = sight.store.audit_row(seq)?;
    let is_it = |r: &AuditRow| r.mac.as_str() == mac && r.project == project.id.as_str();
    let Some(row) = row.filter(is_it) else {
        return Ok(None);
    };
    let Ok(id) = row.subjects.parse() else {
        return Ok(None);
    };
    let noted = sight.store.acts_on(&id, &[Act::Commit])?;
    let mut noted = noted.iter().filter(|n| n.seq > seq).peekable();
    // Just made, and not noted yet.
    let is_new = noted.peek().is_none();
    let is_named = noted.any(|n| commit_of(n).as_deref() == Some(&commit.id));
    Ok((is_new || is_named).then_some(row))
}

/// The commit that an audit record of one names.
fn commit_of(row: &AuditRow) -> Option<String> {
    let details: Value = serde_json::from_str(&row.details).ok()?;
    Some(details.get("commit")?.as_str()?.to_owned())
}

/// The event of an act; none where it is not worth telling.
pub(super) fn act(
    sight: Sight<'_>,
    here: Option<&ProjectId>,
    row: &AuditRow,
    commit: Option<&Commit>,
) -> Option<Event> {
    let what = ACTS
        .into_iter()
        .find(|act| act.name() == row.act)
        .and_then(What::of)?;
    if words::ACTS.iter().any(|act| act.name() == row.act) {
        return persons(sight, here, row, what);
    }
    let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
    let subjects: Vec<&str> = row.subjects.split(' ').collect();
    let id: Option<ProposalId> = subjects.first().and_then(|s| s.parse().ok());
    let proposal = id.as_ref().map(|id| sight.store.proposal(sight.trust, id));
    // A proposal whose seal does not hold says nothing.
    let broken = !sight.trust.is_written(row) || matches!(proposal, Some(Err(_)));
    let proposal = proposal.and_then(Result::ok);
    let on_disk = |p: &Proposal| p.kind.is_on_disk();
    // An offer of what stands on disk that gave way to a newer one is nobody's decision.
    if what == What::Return && proposal.as_ref().is_some_and(on_disk) {
        return None;
    }
    // So is a reverse that was looked at and left: no curator is told a word.
    let is_own = proposal.as_ref().is_some_and(|p| !p.kind.is_curated());
    let is_wordless = details.get("note_chars").and_then(Value::as_u64) == Some(0);
    if what == What::Return && is_own && is_wordless {
        return None;
    }
    let what = match proposal.as_ref().map(|p| p.kind) {
        Some(Kind::Own) if what == What::Apply => What::Own,
        Some(Kind::Unreviewed)
            if what == What::AcceptedAfter
                && proposal.as_ref().is_some_and(Proposal::has_lapsed) =>
        {
            What::Lapsed
        }
        Some(
            Kind::Distill
            | Kind::ChangedOnDisk
            | Kind::Revert
            | Kind::Restore
            | Kind::Own
            | Kind::Unreviewed,
        )
        | None => what,
    };
    let is_review = proposal
        .as_ref()
        .is_some_and(|p| p.kind == Kind::Unreviewed);
    let (reverts, restores) = match proposal.as_ref().and_then(|p| p.back.clone()) {
        Some(Back::Apply(_)) if is_review => (None, None),
        Some(Back::Apply(id)) => (Some(id), None),
        Some(Back::Commit(commit)) => (None, Some(commit)),
        None => (None, None),
    };
    let (applied, rejected) = (numbers(&details, "applied"), numbers(&details, "rejected"));
    let usage = proposal.as_ref().map(|p| &p.usage);
    let entries = match id {
        Some(_) => Vec::new(),
        None => subjects.iter().filter_map(|s| s.parse().ok()).collect(),
    };
    Some(Event {
        at: row.dated()?,
        what,
        who: who(what, &details),
        project: row.project.parse().ok()?,
        commit: commit.map(|c| c.id.clone()),
        commit_gone: false,
        trigger: proposal.as_ref().map(|p| p.trigger.clone()),
        summary: sight.redactor.shown(&summary(proposal.as_ref())),
        chars: proposal
            .as_ref()
            // What stood already stands as it did.
            .filter(|_| what.is_apply() && !matches!(what, What::AcceptedAfter | What::Lapsed))
            .and_then(|p| chars(sight, p, &applied.numbers)),
        applied: applied.count,
        rejected: match what == What::Discard && proposal.as_ref().is_some_and(on_disk) {
            // It is offered again: nothing was decided.
            true => 0,
            false => rejected.count,
        },
        curator: usage.and_then(Curator::of),
        reverts,
        restores,
        audit: Some(row.seq),
        parts: id
            .as_ref()
            .filter(|_| what.is_apply())
            .and_then(|id| parts(sight, id)),
        proposal: id,
        entries,
        everywhere: false,
        broken,
    })
}

/// In how many parts a proposal was applied, where that was more than one.
fn parts(sight: Sight<'_>, id: &ProposalId) -> Option<usize> {
    let parts = sight.store.acts_on(id, &[Act::Apply]).ok()?.len();
    (parts > 1).then_some(parts)
}

/// A person's act that is about no entry; `here` is whose log it is told in, where it is about every
/// project.
fn persons(
    sight: Sight<'_>,
    here: Option<&ProjectId>,
    row: &AuditRow,
    what: What,
) -> Option<Event> {
    let project = match row.project.as_str() {
        "" => here.cloned()?,
        of => of.parse().ok()?,
    };
    Some(Event {
        at: row.dated()?,
        what,
        who: Who::Person,
        project,
        proposal: None,
        reverts: None,
        restores: None,
        entries: Vec::new(),
        commit: None,
        commit_gone: false,
        trigger: None,
        summary: sight.redactor.shown(&words::said(row)?),
        applied: 0,
        rejected: 0,
        parts: None,
        chars: None,
        curator: None,
        audit: Some(row.seq),
        everywhere: row.project.is_empty(),
        broken: !sight.trust.is_written(row),
    })
}

fn who(what: What, details: &Value) -> Who {
    match (what, details.get("by").and_then(Value::as_str)) {
        (What::Expire, _) => Who::Memd,
        (_, Some("policy")) => Who::Policy,
        _ => Who::Person,
    }
}

fn summary(proposal: Option<&Proposal>) -> String {
    proposal.map_or_else(String::new, |p| p.summary.clone())
}

/// Changes that an audit record tells of: by number, or only how many.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub numbers: Vec<u32>,
    pub count: usize,
}

pub(super) fn numbers(details: &Value, key: &str) -> Told {
    match details.get(key) {
        Some(Value::Array(all)) => Told {
            numbers: all
                .iter()
                .filter_map(|n| u32::try_from(n.as_u64()?).ok())
                .collect(),
            count: all.len(),
        },
        Some(n) => Told {
            numbers: Vec::new(),
            count: n.as_u64().map_or(0, |n| usize::try_from(n).unwrap_or(0)),
        },
        None => Told::default(),
    }
}

/// Characters that the changes with these numbers brought and took.
fn chars(sight: Sight<'_>, proposal: &Proposal, numbers: &[u32]) -> Option<Chars> {
    let journal = sight.store.decisions(sight.trust, &proposal.id).ok()?;
    let mut chars = Chars::default();
    for change in proposal.changes.iter().filter(|c| numbers.contains(&c.n)) {
        let before = change.target.as_ref().map_or("", |t| t.text.as_str());
        let after = match change.op {
            Op::Archive | Op::Tombstone => "",
            Op::Add | Op::Edit => decided(&journal, change.n).unwrap_or(&change.text),
        };
        chars += Chars::between(before, after);
    }
    Some(chars)
}

/// The text that a person made of a change.
pub(super) fn decided(journal: &Journal, n: u32) -> Option<&str> {
    let settled = journal.settled_as.get(&n).or(journal.decisions.get(&n));
    match settled {
        Some(Decision::Edited(text)) => Some(text),
        _ => None,
    }
}
