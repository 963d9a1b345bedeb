//! What remains of what a person rejected or took back: it is not proposed again.

use super::error::StoreError;
use super::lenient::text as stored;
use super::open::Store;
use super::projects::to_json;
use crate::id::ProjectId;
use crate::memory::MemoryFile;
use crate::proposal::{Change, Kind, Op, Proposal, Tombstone};
use crate::text;
use crate::trust::{Record, RecordState};
use jiff::Timestamp;
use rusqlite::{Row, Transaction};

/// Leaves a tombstone for each of these changes that has a text.
pub(super) fn bury(
    tx: &Transaction<'_>,
    proposal: &Proposal,
    rejected: &[u32],
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO tombstones
                   (project, proposal, change, file, text, statement, sources, at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let mut insert = tx.prepare_cached(sql)?;
    let sources = proposal.spans.iter().map(|s| &s.source);
    let sources: Vec<_> = sources.chain(&proposal.notes).collect();
    let sources = to_json("sources", &sources)?;
    let of_text = |c: &&Change| is_no(proposal, c) && rejected.contains(&c.n);
    for change in proposal.changes.iter().filter(of_text) {
        insert.execute((
            proposal.project.as_str(),
            proposal.id.as_str(),
            change.n,
            change.file.name(),
            change.said(),
            text::statement(change.said()),
            &sources,
            now.to_string(),
        ))?;
    }
    Ok(())
}

/// Whether rejecting a change is a no to a statement: to the text it would bring, or to one that
/// was let in unattended and has lapsed. A no to taking an entry away is none.
pub(super) fn is_no(proposal: &Proposal, change: &Change) -> bool {
    !change.op.takes_away() || proposal.kind == Kind::Unreviewed
}

/// What a person took back is not proposed again, whatever material says it; what stands again is
/// not kept from being proposed.
pub(super) fn bury_taken_back(
    tx: &Transaction<'_>,
    proposal: &Proposal,
    records: &[Record],
    now: Timestamp,
) -> Result<(), StoreError> {
    let every = to_json("sources", &[Tombstone::EVERY])?;
    let project = proposal.project.as_str();
    for record in records {
        let statement = text::statement(&record.text);
        let file = record.file.name();
        match record.state {
            RecordState::Archived => {}
            RecordState::Live => {
                let sql = "DELETE FROM tombstones
                           WHERE project = ?1 AND file = ?2 AND statement = ?3 AND sources = ?4";
                tx.prepare_cached(sql)?
                    .execute([project, file, &statement, &every])?;
            }
            RecordState::Tombstoned => {
                let of = |c: &&Change| {
                    let target = c.target.as_ref().and_then(|t| t.entry.as_ref());
                    c.op == Op::Tombstone && target == Some(&record.entry)
                };
                let change = proposal.changes.iter().find(of).map_or(0, |c| c.n);
                let sql = "INSERT OR REPLACE INTO tombstones
                               (project, proposal, change, file, text, statement, sources, at)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
                tx.prepare_cached(sql)?.execute((
                    project,
                    proposal.id.as_str(),
                    change,
                    file,
                    &record.text,
                    &statement,
                    &every,
                    now.to_string(),
                ))?;
            }
        }
    }
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Option<Tombstone>> {
    let [file, text, statement, sources, proposal, at] = [0, 1, 2, 3, 4, 5].map(|n| stored(row, n));
    let (file, sources) = (file?, sources?);
    let read = (
        MemoryFile::from_name(&file),
        serde_json::from_str(&sources),
        proposal?.parse(),
        at?.parse(),
    );
    let (Some(file), Ok(sources), Ok(proposal), Ok(at)) = read else {
        return Ok(None);
    };
    Ok(Some(Tombstone {
        file,
        text: text?,
        statement: statement?,
        sources,
        proposal,
        at,
    }))
}

impl Store {
    /// What was rejected in a project, newest first; rows that cannot be read left out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tombstones(&self, project: &ProjectId) -> Result<Vec<Tombstone>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT file, text, statement, sources, proposal, at FROM tombstones
                       WHERE project = ?1 ORDER BY at DESC, proposal, change";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([project.as_str()], read)?;
            let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }
}
