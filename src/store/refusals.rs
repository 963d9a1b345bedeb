//! What a person refused in a project, as sealed decisions, proposals and records say it: for whoever
//! applies without a person, as the table of tombstones has no seal. Reads only.

use super::error::{StoreError, tampered};
use super::journal::Journal;
use super::open::{Store, unsigned};
use super::projects::parse;
use super::{apply, audit, journal, lives, records, stage, tombstones};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{Decision, Kind, Proposal, Tombstone};
use crate::text;
use crate::trust::{Act, Record, RecordState, Trust};
use rusqlite::{OptionalExtension, Transaction};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;

impl Store {
    /// What was rejected or taken back in a project, whatever became of its tombstones, and these.
    ///
    /// # Errors
    /// When what was decided before does not verify, or the database cannot be read.
    pub fn refusals(
        &self,
        trust: &Trust,
        project: &ProjectId,
    ) -> Result<Vec<Tombstone>, StoreError> {
        let mut all = self.read(|tx| sealed(tx, trust, project))?;
        all.extend(self.tombstones(project)?);
        Ok(all)
    }
}

/// As what is sealed says it, whatever the table of tombstones holds.
pub(super) fn sealed(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Vec<Tombstone>, StoreError> {
    if let Some(first) = lives::first_astray(tx, trust, project)? {
        return Err(tampered(first));
    }
    let forgotten = forgotten(tx, trust, project)?;
    let mut all = Vec::new();
    let given_up = lives::given_up(tx, trust, project)?;
    let decided = decided(tx, project)?;
    let kept = |id: &ProposalId| !given_up.contains(id.as_str());
    for id in decided.into_iter().filter(kept) {
        let journal = journal::load(tx, trust, &id)?;
        if !journal
            .settled_as
            .values()
            .any(|d| *d == Decision::Rejected)
        {
            continue;
        }
        let proposal = stage::load(tx, trust, &id)?;
        if proposal.kind.is_curated() || proposal.kind == Kind::Unreviewed {
            all.extend(rejected(tx, trust, &proposal, &journal, &forgotten)?);
        }
    }
    let (records, _) = records::checked(tx, trust, project)?;
    all.extend(taken_back(&records)?);
    Ok(all)
}

/// Proposals of which something was settled.
fn decided(tx: &Transaction<'_>, project: &ProjectId) -> Result<Vec<ProposalId>, StoreError> {
    let sql = "SELECT id FROM proposals WHERE project = ?1
               AND EXISTS (SELECT 1 FROM journal WHERE proposal = id AND step = 'settle')";
    let mut query = tx.prepare_cached(sql)?;
    let ids = query.query_map([project.as_str()], |row| row.get::<_, String>(0))?;
    ids.map(|id| parse("proposal id", &id?)).collect()
}

/// The audit records by which forgetting a project ended what waited: no person's no to any of it.
/// They stand right before the one that says how many.
fn forgotten(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Vec<Range<u64>>, StoreError> {
    let which = "WHERE project = ?1 AND act = ?2 ORDER BY seq";
    let acts = audit::select(tx, which, [project.as_str(), Act::ForgetProject.name()])?;
    let acts = acts.into_iter().filter(|row| trust.is_written(row));
    let ended = acts.map(|row| {
        let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
        let count = details.get("discarded").and_then(Value::as_u64);
        row.seq.saturating_sub(count.unwrap_or_default())..row.seq
    });
    Ok(ended.collect())
}

fn rejected(
    tx: &Transaction<'_>,
    trust: &Trust,
    proposal: &Proposal,
    journal: &Journal,
    forgotten: &[Range<u64>],
) -> Result<Vec<Tombstone>, StoreError> {
    let discarded = discarded(tx, &proposal.id)?;
    let by_person = proposal.kind.is_curated()
        && !discarded.is_some_and(|seq| forgotten.iter().any(|ended| ended.contains(&seq)));
    let is_no = |n: &u32| {
        journal.settled_as.get(n) == Some(&Decision::Rejected)
            && (by_person || !journal.discarded.contains(n))
    };
    let material = apply::with_material(tx, trust, proposal);
    let sources = material.spans.iter().map(|s| s.source.clone());
    let sources: Vec<String> = sources.chain(material.notes.iter().cloned()).collect();
    let noes = proposal.changes.iter();
    let noes = noes.filter(|c| tombstones::is_no(proposal, c) && is_no(&c.n));
    Ok(noes
        .map(|change| Tombstone {
            file: change.file,
            statement: text::statement(change.said()),
            text: change.said().to_owned(),
            sources: sources.clone(),
            proposal: proposal.id.clone(),
            at: proposal.created,
        })
        .collect())
}

/// The number of the record that ended what was open of a proposal.
fn discarded(tx: &Transaction<'_>, id: &ProposalId) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT seq FROM audit WHERE subjects = ?1 AND act = ?2 ORDER BY seq DESC LIMIT 1";
    let mut query = tx.prepare_cached(sql)?;
    let found = query.query_row([id.as_str(), Act::Discard.name()], |row| unsigned(row, 0));
    Ok(found.optional()?)
}

/// Entries whose newest version was taken back, and that stand nowhere else.
fn taken_back(records: &[Record]) -> Result<Vec<Tombstone>, StoreError> {
    // Sorted by entry and version.
    let newest = records.chunk_by(|a, b| a.entry == b.entry);
    let newest: Vec<&Record> = newest.filter_map(<[Record]>::last).collect();
    let statement = |record: &Record| (record.file, text::statement(&record.text));
    let live = newest.iter().filter(|r| r.state == RecordState::Live);
    let live: BTreeSet<_> = live.map(|r| statement(r)).collect();
    let gone = newest.iter().filter(|r| r.state == RecordState::Tombstoned);
    let gone = gone.filter(|r| !live.contains(&statement(r)));
    gone.map(|record| {
        Ok(Tombstone {
            file: record.file,
            statement: text::statement(&record.text),
            text: record.text.clone(),
            sources: vec![Tombstone::EVERY.to_owned()],
            proposal: match &record.proposal {
                Some(id) => id.clone(),
                None => parse("proposal id", "00000000")?,
            },
            at: record.at,
        })
    })
    .collect()
}
