//! What became of one entry, version by version.

use super::basis::change_of;
use super::{BrowseError, Sight, is_unreviewed};
use crate::id::{EntryId, ProposalId};
use crate::memory::MemoryFile;
use crate::proposal::{Kind, Origin, Proposal};
use crate::store::{Journal, Project};
use crate::trust::{Record, RecordState};
use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// One version of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Version {
    /// From 1.
    pub version: u32,
    /// When it was let in.
    pub at: Timestamp,
    /// The file it stood in.
    pub file: MemoryFile,
    /// The section it stood in.
    pub section: String,
    /// Its text.
    pub text: String,
    /// Who said it.
    pub origin: Origin,
    /// What was done to the entry.
    pub what: Became,
    /// The earlier version whose text it has again, when that is not the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<u32>,
    /// The other entry that it took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<EntryId>,
    /// The proposal that did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// The session its evidence stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Whether its seal holds.
    pub holds: bool,
}

/// What was done to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Became {
    /// A person let it in.
    Accepted,
    /// A policy let it in.
    Unreviewed,
    /// It stood on disk, and a person let it in as it was.
    Adopted,
    /// It got another text.
    Edited,
    /// It went to another place.
    Moved,
    /// A person confirmed it.
    Confirmed,
    /// It went to the archive.
    Archived,
    /// A person took it back.
    Tombstoned,
    /// It came back from the archive, or is given to agents again.
    Back,
    /// It got an earlier text again.
    PutBack,
}

impl Became {
    /// For people.
    #[must_use]
    pub fn said(self) -> &'static str {
        match self {
            Became::Accepted => "accepted",
            Became::Unreviewed => "let in by a policy",
            Became::Adopted => "adopted from disk",
            Became::Edited => "edited",
            Became::Moved => "moved",
            Became::Confirmed => "confirmed",
            Became::Archived => "archived",
            Became::Tombstoned => "taken back",
            Became::Back => "brought back",
            Became::PutBack => "put back as before",
        }
    }
}

/// The versions of an entry, newest first; empty when there is no such entry.
///
/// # Errors
/// When the records are not those that were sealed.
pub fn history(
    sight: Sight<'_>,
    project: &Project,
    entry: &EntryId,
) -> Result<Vec<Version>, BrowseError> {
    let all = sight.store.all_records(sight.trust, &project.id)?;
    let records: Vec<&Record> = all.iter().filter(|r| r.entry == *entry).collect();
    Ok(versions(sight, &records))
}

/// The versions that the records of one entry make, newest first.
pub(super) fn versions(sight: Sight<'_>, records: &[&Record]) -> Vec<Version> {
    let mut proposals = Proposals::default();
    let mut versions: Vec<Version> = (0..records.len())
        .map(|n| version(sight, &records[..n], records[n], &mut proposals))
        .collect();
    versions.reverse();
    versions
}

/// Proposals that versions name, each read once. One that does not verify says nothing.
#[derive(Default)]
struct Proposals(BTreeMap<ProposalId, Option<(Proposal, Journal)>>);

impl Proposals {
    fn get(&mut self, sight: Sight<'_>, id: &ProposalId) -> Option<&(Proposal, Journal)> {
        let read = || sight.decided(id).ok();
        let known = self.0.entry(id.clone()).or_insert_with(read);
        known.as_ref()
    }
}

fn version(
    sight: Sight<'_>,
    earlier: &[&Record],
    record: &Record,
    proposals: &mut Proposals,
) -> Version {
    let proposal = record.proposal.clone();
    let known = proposal.as_ref().and_then(|id| proposals.get(sight, id));
    let edited = match known.map(|(p, _)| p.kind) {
        Some(Kind::ChangedOnDisk) => Became::Adopted,
        Some(Kind::Revert | Kind::Restore) => Became::PutBack,
        Some(Kind::Unreviewed) if record.origin != Origin::HumanEdit => Became::PutBack,
        Some(Kind::Distill | Kind::Own | Kind::Unreviewed) | None => Became::Edited,
    };
    let adopted = edited == Became::Adopted;
    let session = known.and_then(|(p, journal)| session(p, journal, record));
    let first = match () {
        () if adopted || (proposal.is_none() && record.origin == Origin::Import) => Became::Adopted,
        () if is_unreviewed(record) => Became::Unreviewed,
        () => Became::Accepted,
    };
    let what = match earlier.last().and_then(|before| became(before, record)) {
        Some(Became::Edited) => edited,
        Some(what) => what,
        None => first,
    };
    Version {
        version: record.version,
        at: record.at,
        file: record.file,
        section: sight.redactor.shown(&record.section),
        text: sight.redactor.shown(&record.text),
        origin: record.origin,
        what,
        again: again(earlier, record),
        supersedes: record.supersedes.clone(),
        session,
        holds: sight.trust.verify(record).is_ok(),
        proposal,
    }
}

/// The newest version before the last that had this text, where the last had another.
fn again(earlier: &[&Record], now: &Record) -> Option<u32> {
    let (last, before) = earlier.split_last()?;
    if last.text == now.text {
        return None;
    }
    before
        .iter()
        .rfind(|r| r.text == now.text)
        .map(|r| r.version)
}

/// What tells a version from the one before; none: it was let in once more as it was.
fn became(before: &Record, now: &Record) -> Option<Became> {
    use RecordState::{Archived, Live, Tombstoned};
    Some(match (before.state, now.state) {
        (Live | Tombstoned, Archived) => Became::Archived,
        (Live | Archived, Tombstoned) => Became::Tombstoned,
        (Archived | Tombstoned, Live) => Became::Back,
        _ if now.confirmations > before.confirmations => Became::Confirmed,
        _ if now.text != before.text => Became::Edited,
        _ if (now.file, &now.section) != (before.file, &before.section) => Became::Moved,
        _ => return None,
    })
}

/// The session of the first line that the version's change rests on.
fn session(proposal: &Proposal, journal: &Journal, record: &Record) -> Option<String> {
    let change = change_of(proposal, &journal.settled_as, record)?;
    let first = change.evidence.first()?;
    let line = proposal.lines.iter().find(|l| l.n == *first)?;
    Some(line.session.clone())
}
