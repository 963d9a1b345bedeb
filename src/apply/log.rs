//! What happened to a memory: applies, adoptions, discards and returns from the audit chain, and
//! the commits that no decision made.

use super::execute::{ApplyError, Ground};
use super::message::TRAILER_AUDIT;
use crate::git::{Commit, GitError, Repo};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{Kind, Proposal};
use crate::trust::{Act, AuditRow};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// How many commits more than asked for are looked at, to find those of the acts.
const MORE: usize = 200;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// `apply`, `adopt`, `discard`, `return`, `by-hand`, `init`, or `commit` (made without memd).
    pub what: String,
    /// Who decided: `person`; for commits made without memd: `unknown`.
    pub who: &'static str,
    /// The proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// The commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// One line. Foreign text.
    pub summary: String,
    /// Changes that went in.
    pub applied: usize,
    /// Changes that were rejected.
    pub rejected: usize,
    /// Who proposed it, and its cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curator: Option<Curator>,
}

/// The curator of a distill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curator {
    /// `claude`, `command` or `builtin`.
    pub backend: String,
    /// The model, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Characters of the prompt.
    pub prompt_chars: u64,
    /// US dollars, as the backend reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// What happened to a project's memory, newest first, at most `max`.
///
/// # Errors
/// When the database or the history cannot be read.
pub fn log(ground: Ground<'_>, project: &ProjectId, max: usize) -> Result<Vec<Event>, ApplyError> {
    let commits = match Repo::open(ground.memory) {
        Ok(repo) => repo.log(max.saturating_add(MORE))?,
        Err(GitError::Missing { .. }) => Vec::new(),
        Err(e) => return Err(e.into()),
    };
    let rows = ground.store.audit_rows()?;
    let ours = rows.iter().filter(|r| r.project == project.as_str());
    let mut events: Vec<Event> = ours.filter_map(|r| act(ground, r, &commits)).collect();
    let undecided = commits
        .iter()
        .filter(|c| c.trailer(TRAILER_AUDIT).is_none());
    events.extend(undecided.map(commit));
    events.sort_by_key(|e| std::cmp::Reverse(e.at));
    events.truncate(max);
    Ok(events)
}

fn act(ground: Ground<'_>, row: &AuditRow, commits: &[Commit]) -> Option<Event> {
    let what = [Act::Apply, Act::Adopt, Act::Discard, Act::Return]
        .into_iter()
        .map(Act::name)
        .find(|name| *name == row.act)?;
    let id: ProposalId = row.subjects.split(' ').next()?.parse().ok()?;
    let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
    let number = |key: &str| match details.get(key) {
        Some(Value::Array(all)) => all.len(),
        Some(n) => n.as_u64().map_or(0, |n| usize::try_from(n).unwrap_or(0)),
        None => 0,
    };
    // A proposal whose seal does not hold says nothing.
    let proposal = ground.store.proposal(ground.trust, &id).ok();
    // An offer of what stands on disk that gave way to a newer one is nobody's decision.
    let on_disk = |p: &Proposal| p.kind == Kind::ChangedOnDisk;
    if what == Act::Return.name() && proposal.as_ref().is_some_and(on_disk) {
        return None;
    }
    let made = format!("{}:", row.seq);
    let is_made = |c: &&Commit| {
        c.trailer(TRAILER_AUDIT)
            .is_some_and(|a| a.starts_with(&made))
    };
    let usage = proposal
        .as_ref()
        .map(|p| &p.usage)
        .filter(|u| !u.backend.is_empty());
    Some(Event {
        at: row.time()?,
        what: what.to_owned(),
        who: "person",
        commit: commits.iter().find(is_made).map(|c| c.id.clone()),
        summary: proposal
            .as_ref()
            .map_or_else(String::new, |p| p.summary.clone()),
        applied: number("applied"),
        rejected: number("rejected"),
        curator: usage.map(|usage| Curator {
            backend: usage.backend.clone(),
            model: usage.model.clone(),
            prompt_chars: usage.prompt_chars,
            cost_usd: usage.cost_usd,
        }),
        proposal: Some(id),
    })
}

/// A commit that no decision made.
fn commit(commit: &Commit) -> Event {
    let (what, who) = match commit.trailer("Memd-By") {
        Some("hand") => ("by-hand", "person"),
        Some("init") => ("init", "person"),
        _ => ("commit", "unknown"),
    };
    Event {
        at: commit.at,
        what: what.to_owned(),
        who,
        proposal: None,
        commit: Some(commit.id.clone()),
        summary: commit.message.subject.clone(),
        applied: 0,
        rejected: 0,
        curator: None,
    }
}
