//! What one event did, in full.

mod commit;

pub(super) use commit::bare;
pub use commit::find_commit;

use super::acts::{decided, numbers};
use super::event::{Chars, Event};
use super::{BrowseError, Sight};
use crate::git::Repo;
use crate::id::{EntryId, ProposalId};
use crate::memory::{MemoryFile, title};
use crate::proposal::{Change, Decision, Op, Origin, Verdict};
use crate::store::{Journal, Project};
use crate::trust::Act;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// What one event did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// The event.
    pub event: Event,
    /// Changes to entries: of an act those it settled, of a bare commit those its files show.
    pub changes: Vec<ChangeDetail>,
    /// Of a bare commit: files that changed otherwise, or besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileDetail>,
    /// The sessions that the changes rest on.
    pub sessions: Vec<String>,
    /// The commit's message; a reviewer's note, of what was returned. Foreign text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why the loss guard was overridden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub despite: Option<String>,
    /// What could not be told, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// One change to an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeDetail {
    /// Its number in its proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// What it did, or would have done.
    pub op: Op,
    /// The file.
    pub file: MemoryFile,
    /// The section, as [`crate::memory::Entry::section`].
    pub section: String,
    /// The entry's first line without markup.
    pub title: String,
    /// The entry before; none: it came.
    pub before: Option<String>,
    /// The entry after; none: it went.
    pub after: Option<String>,
    /// What was decided; none: nothing was, the files were just changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// Why it archives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What the guardrails said when it was staged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Verdict>,
    /// The entry it edited or archived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
}

impl ChangeDetail {
    /// Whether it went in.
    #[must_use]
    pub fn went_in(&self) -> bool {
        self.decision != Some("rejected")
    }
}

/// One file of a bare commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileDetail {
    /// Its path in the memory folder. Foreign text.
    pub path: String,
    /// Its text before; none: it came.
    pub before: Option<String>,
    /// Its text after; none: it went.
    pub after: Option<String>,
    /// Why its text is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

impl Details {
    /// Titles of what was rejected.
    pub fn rejected(&self) -> impl Iterator<Item = &str> {
        let rejected = self.changes.iter().filter(|c| !c.went_in());
        rejected.map(|c| c.title.as_str())
    }

    /// Characters that came and went.
    #[must_use]
    pub fn chars(&self) -> Chars {
        let mut chars = Chars::default();
        for change in self.changes.iter().filter(|c| c.went_in()) {
            let of = |text: &Option<String>| text.clone().unwrap_or_default();
            chars += Chars::between(&of(&change.before), &of(&change.after));
        }
        for file in &self.files {
            let of = |text: &Option<String>| text.clone().unwrap_or_default();
            chars += Chars::between(&of(&file.before), &of(&file.after));
        }
        chars
    }
}

/// What an event did.
///
/// # Errors
/// When the database or the history cannot be read. A proposal that was changed since is a problem
/// of the details, not an error.
pub fn details(sight: Sight<'_>, project: &Project, event: &Event) -> Result<Details, BrowseError> {
    let mut details = Details {
        event: event.clone(),
        changes: Vec::new(),
        files: Vec::new(),
        sessions: Vec::new(),
        message: None,
        despite: None,
        problem: None,
    };
    match (&event.proposal, &event.commit) {
        (Some(id), _) => of_proposal(sight, id, &mut details)?,
        (None, Some(commit)) => commit::fill(sight, project, commit, &mut details)?,
        (None, None) => of_entries(sight, project, &mut details)?,
    }
    if let (Some(_), Some(commit)) = (&event.proposal, &event.commit) {
        details.message = message(sight, project, commit);
    }
    Ok(details)
}

fn message(sight: Sight<'_>, project: &Project, id: &str) -> Option<String> {
    let repo = Repo::open(&project.memory()).ok()?;
    let message = repo.commit(id).ok()?.message;
    Some(sight.redactor.shown(message.text().trim_end()))
}

fn of_proposal(
    sight: Sight<'_>,
    id: &ProposalId,
    details: &mut Details,
) -> Result<(), BrowseError> {
    let read = sight.decided(id);
    let (proposal, journal) = match read {
        Ok(read) => read,
        Err(error) => {
            details.problem = Some(error.to_string());
            return Ok(());
        }
    };
    let (settled, despite) = settled_by(sight, id, &journal, details.event.audit)?;
    details.despite = despite;
    details.message = sight.store.status(id, sight.now)?.note;
    let of_event = |c: &&Change| settled.as_ref().is_none_or(|all| all.contains(&c.n));
    let changes: Vec<&Change> = proposal.changes.iter().filter(of_event).collect();
    let lines = changes.iter().flat_map(|c| &c.evidence);
    let mut sessions: Vec<String> = Vec::new();
    for line in lines.filter_map(|n| proposal.lines.iter().find(|l| l.n == *n)) {
        if !sessions.contains(&line.session) {
            sessions.push(line.session.clone());
        }
    }
    details.sessions = sessions;
    let change = |c: &&Change| change(sight, &journal, c);
    details.changes = changes.iter().map(change).collect();
    Ok(())
}

/// Acts that let changes of a proposal in.
const APPLIES: [Act; 5] = [
    Act::Apply,
    Act::Adopt,
    Act::Revert,
    Act::Restore,
    Act::Tombstone,
];

/// Numbers of the changes that an act settled, where it settled any, and why it overrode the loss
/// guard. None: all changes of the proposal.
type Settled = (Option<BTreeSet<u32>>, Option<String>);

fn settled_by(
    sight: Sight<'_>,
    id: &ProposalId,
    journal: &Journal,
    audit: Option<u64>,
) -> Result<Settled, BrowseError> {
    let mut before = BTreeSet::new();
    for row in sight.store.acts_on(id, &APPLIES)? {
        let told: Value = serde_json::from_str(&row.details).unwrap_or_default();
        let of = |key| numbers(&told, key).numbers;
        let here: BTreeSet<u32> = of("applied").into_iter().chain(of("rejected")).collect();
        if Some(row.seq) == audit {
            let despite = told.get("despite").and_then(Value::as_str);
            return Ok((Some(here), despite.map(str::to_owned)));
        }
        before.extend(here);
    }
    let row = audit.map(|seq| sight.store.audit_row(seq)).transpose()?;
    let is_discard = row.flatten().is_some_and(|r| r.act == Act::Discard.name());
    let rejected = |n: &&u32| journal.settled_as.get(n) == Some(&Decision::Rejected);
    let of_discard = journal
        .settled
        .difference(&before)
        .filter(rejected)
        .copied();
    Ok((is_discard.then(|| of_discard.collect()), None))
}

fn change(sight: Sight<'_>, journal: &Journal, change: &Change) -> ChangeDetail {
    let shown = |text: &str| sight.redactor.shown(text);
    let decision = journal.settled_as.get(&change.n);
    let decision = decision.or(journal.decisions.get(&change.n));
    let after = match change.op {
        Op::Archive | Op::Tombstone => None,
        Op::Add | Op::Edit => Some(decided(journal, change.n).unwrap_or(&change.text)),
    };
    let before = change.target.as_ref().map(|t| t.text.as_str());
    let of_proposal = |v: &Verdict| Verdict {
        reason: shown(&v.reason),
        ..v.clone()
    };
    ChangeDetail {
        n: Some(change.n),
        op: change.op,
        file: change.file,
        section: shown(&change.section),
        title: title(&shown(after.or(before).unwrap_or_default())),
        before: before.map(shown),
        after: after.map(shown),
        decision: Some(match decision {
            _ if journal.unattended.contains(&change.n) => "unreviewed",
            None | Some(Decision::Undecided) => "undecided",
            Some(Decision::Accepted) => "accepted",
            Some(Decision::Edited(_)) => "edited",
            Some(Decision::Rejected) => "rejected",
        }),
        reason: change.reason.as_deref().map(shown),
        origin: Some(change.origin),
        checks: change.verdicts.iter().map(of_proposal).collect(),
        entry: change.target.as_ref().and_then(|t| t.entry.clone()),
    }
}

/// Of an act on entries alone: their texts.
fn of_entries(
    sight: Sight<'_>,
    project: &Project,
    details: &mut Details,
) -> Result<(), BrowseError> {
    let records = match sight.store.all_records(sight.trust, &project.id) {
        Ok(records) => records,
        Err(error) => {
            details.problem = Some(error.to_string());
            return Ok(());
        }
    };
    let at = details.event.at;
    for entry in &details.event.entries {
        // The version that the act made, or the one that stood then.
        let then = records.iter().filter(|r| r.entry == *entry && r.at <= at);
        let Some(record) = then.max_by_key(|r| r.version) else {
            continue;
        };
        let text = sight.redactor.shown(&record.text);
        details.changes.push(ChangeDetail {
            n: None,
            op: Op::Edit,
            file: record.file,
            section: sight.redactor.shown(&record.section),
            title: title(&text),
            before: Some(text.clone()),
            after: Some(text),
            decision: None,
            reason: None,
            origin: Some(record.origin),
            checks: Vec::new(),
            entry: Some(entry.clone()),
        });
    }
    Ok(())
}

/// The characters that an event brought and took: as it says, or counted from its commit.
///
/// # Errors
/// As [`details`].
pub fn measure(sight: Sight<'_>, project: &Project, event: &Event) -> Result<Chars, BrowseError> {
    match event.chars {
        Some(chars) => Ok(chars),
        None if event.proposal.is_some() => Ok(Chars::default()),
        None => Ok(details(sight, project, event)?.chars()),
    }
}
