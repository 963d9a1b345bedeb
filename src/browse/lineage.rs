//! One entry as a graph: its versions, and beside them what was offered for it and not taken.
//!
//! A version takes the place of another only by the entry's id, so versions are one line; what was
//! rejected, given back, left to expire or still waits branches off from the version it was made
//! for, and a version that says again what an earlier one said closes a circle.

use super::history::{Version, versions};
use super::look::Look;
use super::stand::{Stand, stand};
use super::{BrowseError, Sight};
use crate::id::{EntryId, ProposalId};
use crate::proposal::{Change, Decision, Kind, Op, Proposal, State};
use crate::store::{Journal, Project};
use crate::trust::{Act, Record, RecordState};
use jiff::Timestamp;
use serde::Serialize;

/// One entry with all that became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lineage {
    /// The entry.
    pub entry: EntryId,
    /// Where it is in its life.
    pub state: RecordState,
    /// From when on no agent is given it; none: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lapses: Option<Timestamp>,
    /// Whether it stands on disk as the newest version says.
    pub on_disk: Stand,
    /// Its versions, newest first.
    pub versions: Vec<Version>,
    /// What was offered for it and is no version, newest first.
    pub branches: Vec<Branch>,
    /// Proposals that are not as they were sealed: what they offered is not told.
    pub unread: usize,
}

/// A change that was offered for an entry and is no version of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// The version it was made for; none: it fits none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    /// When it was staged.
    pub at: Timestamp,
    /// What proposed it.
    pub kind: Kind,
    /// What it would have done.
    pub op: Op,
    /// The text that the entry would have got; none: it would have gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why it would have gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What became of it.
    pub end: End,
    /// The proposal.
    pub proposal: ProposalId,
    /// Its number there.
    pub n: u32,
}

/// What became of a change that is no version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// A person rejected it.
    Rejected,
    /// A person said no to what a hand had done: what was accepted was put back.
    PutBack,
    /// A person said no to what a hand had done: it was taken out of its file.
    TakenOut,
    /// A person said no to what a policy had let in.
    TakenBack,
    /// memd offered something newer in its place.
    Replaced,
    /// A person looked and decided nothing.
    Left,
    /// Its material was given back to the curator.
    GivenBack,
    /// It left the queue by its age.
    Expired,
    /// Nobody has decided yet.
    Waits,
}

impl End {
    /// For people.
    #[must_use]
    pub fn said(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::PutBack => "put back",
            Self::TakenOut => "taken out",
            Self::TakenBack => "taken back",
            Self::Replaced => "replaced by a newer look",
            Self::Left => "left undecided",
            Self::GivenBack => "given back",
            Self::Expired => "expired undecided",
            Self::Waits => "waits for a decision",
        }
    }
}

impl Lineage {
    /// What branches off from a version, newest first; from none: what fits no version.
    pub fn branches_of(&self, version: Option<u32>) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(move |b| b.of == version)
    }
}

/// All that became of an entry; none: there is no such entry.
///
/// # Errors
/// When the records are not those that were sealed, or the database cannot be read.
pub fn lineage(
    sight: Sight<'_>,
    project: &Project,
    entry: &EntryId,
) -> Result<Option<Lineage>, BrowseError> {
    let all = sight.store.all_records(sight.trust, &project.id)?;
    let records: Vec<&Record> = all.iter().filter(|r| r.entry == *entry).collect();
    let Some(newest) = records.last() else {
        return Ok(None);
    };
    let mut lineage = Lineage {
        entry: entry.clone(),
        state: newest.state,
        lapses: newest.lapses,
        on_disk: stand(sight, &Look::at(sight.store, project, sight.now)?, newest),
        versions: versions(sight, &records),
        branches: Vec::new(),
        unread: 0,
    };
    for any in sight.store.all_proposals(&project.id)? {
        let read = sight.decided(&any.id);
        let Ok((proposal, journal)) = read else {
            lineage.unread += 1;
            continue;
        };
        let state = sight.store.status(&any.id, sight.now)?.state;
        let fate = Fate {
            journal: &journal,
            state,
            is_withdrawn: proposal.kind.is_on_disk() && is_withdrawn(sight, &any.id)?,
        };
        let branches = branches(&proposal, &fate, &records);
        lineage.branches.extend(branches.map(|mut branch| {
            let hide = |text: &mut Option<String>| {
                *text = text.take().map(|t| sight.redactor.shown(&t));
            };
            hide(&mut branch.text);
            hide(&mut branch.reason);
            branch
        }));
    }
    lineage.branches.reverse();
    Ok(Some(lineage))
}

/// What became of a proposal.
struct Fate<'a> {
    journal: &'a Journal,
    state: State,
    /// The last that memd did with it was to offer another in its place.
    is_withdrawn: bool,
}

/// Whether an offer of what stands on disk gave way to a newer one: no person returns such.
fn is_withdrawn(sight: Sight<'_>, id: &ProposalId) -> Result<bool, BrowseError> {
    let ends = sight.store.acts_on(id, &[Act::Return, Act::Discard])?;
    Ok(ends.last().is_some_and(|r| r.act == Act::Return.name()))
}

/// The changes of a proposal that were made for this entry and did not go in.
fn branches<'a>(
    proposal: &'a Proposal,
    fate: &'a Fate<'a>,
    records: &'a [&'a Record],
) -> impl Iterator<Item = Branch> + 'a {
    proposal.changes.iter().filter_map(move |change| {
        let of = made_for(change, proposal.created, records)?;
        Some(Branch {
            of: of.map(|r| r.version),
            at: proposal.created,
            kind: proposal.kind,
            op: change.op,
            text: (!change.op.takes_away()).then(|| change.text.clone()),
            reason: change.reason.clone(),
            end: end(change.n, proposal.kind, of, fate)?,
            proposal: proposal.id.clone(),
            n: change.n,
        })
    })
}

/// The version that a change was made for, if it is about this entry at all.
fn made_for<'a>(
    change: &Change,
    created: Timestamp,
    records: &[&'a Record],
) -> Option<Option<&'a Record>> {
    let entry = &records.first()?.entry;
    let stood = || records.iter().copied().filter(|r| r.at <= created);
    if let Some(earlier) = change.earlier.as_ref().filter(|e| e.entry == *entry) {
        return Some(
            records
                .iter()
                .copied()
                .find(|r| r.version == earlier.version),
        );
    }
    let target = change.target.as_ref()?;
    let says = |r: &&Record| r.text == target.text && r.file == change.file;
    match &target.entry {
        Some(id) if id == entry => Some(stood().rfind(says).or(stood().next_back())),
        Some(_) => None,
        None => stood().rfind(says).map(Some),
    }
}

/// What became of a change; none: it went in.
fn end(n: u32, kind: Kind, of: Option<&Record>, fate: &Fate<'_>) -> Option<End> {
    let left = match fate.is_withdrawn {
        true => End::Replaced,
        false => End::Left,
    };
    if fate.journal.settled.contains(&n) {
        return match fate.journal.settled_as.get(&n) {
            Some(Decision::Rejected) if !fate.journal.discarded.contains(&n) => {
                Some(refused(kind, of))
            }
            // It is offered again: nothing was decided.
            Some(Decision::Rejected) if kind.is_on_disk() => Some(left),
            Some(Decision::Rejected) => Some(End::Rejected),
            _ => None,
        };
    }
    Some(match fate.state {
        State::Staged | State::Applying | State::Applied => End::Waits,
        State::Discarded if kind.is_on_disk() => End::Left,
        State::Discarded => End::Rejected,
        State::Returned if kind.is_curated() => End::GivenBack,
        State::Returned => left,
        State::Expired => End::Expired,
    })
}

/// What a person's no came to.
fn refused(kind: Kind, of: Option<&Record>) -> End {
    let stood = of.is_some_and(|r| r.state == RecordState::Live);
    match kind {
        Kind::ChangedOnDisk if stood => End::PutBack,
        Kind::ChangedOnDisk => End::TakenOut,
        Kind::Unreviewed => End::TakenBack,
        Kind::Distill | Kind::Own | Kind::Revert | Kind::Restore => End::Rejected,
    }
}
