//! What became of one entry, version by version.

use super::basis::change_of;
use super::{BrowseError, Sight, is_unreviewed};
use crate::id::{EntryId, ProposalId};
use crate::memory::MemoryFile;
use crate::proposal::{Kind, Origin, Proposal};
use crate::store::{Journal, Project};
use crate::trust::{Record, RecordState};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// One version of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The proposal that did it.
    pub proposal: Option<ProposalId>,
    /// The session its evidence stands in.
    pub session: Option<String>,
    /// Whether its seal holds.
    pub holds: bool,
}

/// What was done to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    let mut proposals = Proposals::default();
    let before = [None].into_iter().chain(records.iter().copied().map(Some));
    let versions = before.zip(&records);
    let mut versions: Vec<Version> = versions
        .map(|(before, record)| version(sight, before, record, &mut proposals))
        .collect();
    versions.reverse();
    Ok(versions)
}

/// Proposals that versions name, each read once. One that does not verify says nothing.
#[derive(Default)]
struct Proposals(BTreeMap<ProposalId, Option<(Proposal, Journal)>>);

impl Proposals {
    fn get(&mut self, sight: Sight<'_>, id: &ProposalId) -> Option<&(Proposal, Journal)> {
        let read = || {
            let proposal = sight.store.proposal(sight.trust, id).ok()?;
            Some((proposal, sight.store.decisions(sight.trust, id).ok()?))
        };
        let known = self.0.entry(id.clone()).or_insert_with(read);
        known.as_ref()
    }
}

fn version(
    sight: Sight<'_>,
    before: Option<&Record>,
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
    let what = match before.and_then(|b| became(b, record)) {
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
        session,
        holds: sight.trust.verify(record).is_ok(),
        proposal,
    }
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
