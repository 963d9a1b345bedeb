//! What of each source is taken, and which messages were distilled already.

use super::audit::{Note, append};
use super::error::StoreError;
use super::lenient::{maybe_text, size, text};
use super::open::{Store, signed};
use super::projects::{by_id, to_json};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::Span;
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::{Row, Transaction};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Where a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanState {
    /// In a proposal that waits.
    Staged,
    /// Read, and decided on.
    Consumed,
    /// Older than the project's registration: not read unless asked.
    Baseline,
    /// The curator failed on it three times.
    Parked,
}

impl SpanState {
    pub(super) fn name(self) -> &'static str {
        match self {
            SpanState::Staged => "staged",
            SpanState::Consumed => "consumed",
            SpanState::Baseline => "baseline",
            SpanState::Parked => "parked",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Staged, Self::Consumed, Self::Baseline, Self::Parked]
            .into_iter()
            .find(|s| s.name() == name)
    }
}

/// A span that is not free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSpan {
    /// The range and what lay before its end.
    pub span: Span,
    /// Where it is.
    pub state: SpanState,
    /// The proposal that holds or consumed it.
    pub proposal: Option<ProposalId>,
}

type Raw = (String, u64, u64, String, Option<String>, String);

fn read(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok((
        text(row, 0)?,
        size(row, 1)?,
        size(row, 2)?,
        text(row, 3)?,
        maybe_text(row, 4)?,
        text(row, 5)?,
    ))
}

/// What cannot be read is taken, and of a source that reads otherwise by now: that frees what no
/// proposal holds.
fn stored((source, start, end, state, proposal, print): Raw) -> StoredSpan {
    StoredSpan {
        span: Span {
            source,
            start,
            end,
            fingerprint: serde_json::from_str(&print).unwrap_or_default(),
        },
        state: SpanState::from_name(&state).unwrap_or(SpanState::Consumed),
        proposal: proposal.and_then(|p| p.parse().ok()),
    }
}

const SELECT: &str = "SELECT source, start, stop, state, proposal, fingerprint FROM spans";

fn of_source(
    tx: &Transaction<'_>,
    project: &ProjectId,
    source: &str,
) -> Result<Vec<StoredSpan>, StoreError> {
    let sql = format!("{SELECT} WHERE project = ?1 AND source = ?2 ORDER BY start");
    let mut query = tx.prepare_cached(&sql)?;
    let rows = query.query_map([project.as_str(), source], read)?;
    rows.map(|raw| Ok(stored(raw?))).collect()
}

/// Inserts a span; an overlap with one that is taken is refused. What only counts as read since the
/// project's registration gives way to a proposal that read it after all.
pub(super) fn insert(
    tx: &Transaction<'_>,
    project: &ProjectId,
    span: &Span,
    state: SpanState,
    proposal: Option<&ProposalId>,
) -> Result<(), StoreError> {
    let (start, end) = (signed(span.start), signed(span.end));
    let key = (project.as_str(), &span.source, start, end);
    if state == SpanState::Staged {
        let sql = "DELETE FROM spans WHERE project = ?1 AND source = ?2 AND state = 'baseline'
                   AND start >= ?3 AND stop <= ?4";
        tx.prepare_cached(sql)?.execute(key)?;
    }
    let sql = "SELECT 1 FROM spans WHERE project = ?1 AND source = ?2 AND start < ?4 AND ?3 < stop";
    if tx.prepare_cached(sql)?.exists(key)? {
        return Err(StoreError::SpanTaken {
            source_path: span.source.clone(),
            start: span.start,
            end: span.end,
        });
    }
    let sql = "INSERT INTO spans (project, source, start, stop, state, proposal, fingerprint)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    tx.prepare_cached(sql)?.execute((
        project.as_str(),
        &span.source,
        start,
        end,
        state.name(),
        proposal.map(ProposalId::as_str),
        to_json("fingerprint", &span.fingerprint)?,
    ))?;
    Ok(())
}

/// Marks messages as distilled by a proposal. What only counts as read since the project's
/// registration is that proposal's from now on, and free again if it is returned.
pub(super) fn insert_seen(
    tx: &Transaction<'_>,
    project: &ProjectId,
    ids: &[String],
    proposal: Option<&ProposalId>,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO seen (project, id, proposal) VALUES (?1, ?2, ?3)
               ON CONFLICT (project, id) DO UPDATE SET proposal = excluded.proposal
               WHERE proposal IS NULL";
    let mut insert = tx.prepare_cached(sql)?;
    for id in ids {
        let proposal = proposal.map(ProposalId::as_str);
        insert.execute((project.as_str(), seen_hash(id), proposal))?;
    }
    Ok(())
}

fn seen_hash(id: &str) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&Sha256::digest(id.as_bytes())[..16]);
    short
}

/// The messages of a project that were distilled already, for asking once a row.
#[derive(Debug)]
pub struct SeenIds(Vec<[u8; 16]>);

impl SeenIds {
    /// Whether this message is among them.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        !self.0.is_empty() && self.0.binary_search(&seen_hash(id)).is_ok()
    }
}

/// What of a span lies beyond all that is taken of its source already.
fn beyond(tx: &Transaction<'_>, project: &ProjectId, span: &Span) -> Result<Span, StoreError> {
    let sql = "SELECT max(stop) FROM spans WHERE project = ?1 AND source = ?2";
    let mut query = tx.prepare_cached(sql)?;
    let taken: Option<u64> = query.query_row([project.as_str(), &span.source], |row| {
        row.get::<_, Option<i64>>(0)
            .map(|at| at.and_then(|at| u64::try_from(at).ok()))
    })?;
    Ok(Span {
        start: span.start.max(taken.unwrap_or(0)),
        ..span.clone()
    })
}

impl Store {
    /// The spans of one source that are not free, by start.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn spans(&self, project: &ProjectId, source: &str) -> Result<Vec<StoredSpan>, StoreError> {
        self.read(|tx| of_source(tx, project, source))
    }

    /// All sources of a project that have a span, each once.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sources(&self, project: &ProjectId) -> Result<Vec<String>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT DISTINCT source FROM spans WHERE project = ?1 ORDER BY source";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([project.as_str()], |row| text(row, 0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Marks what is there as older than the project, and messages of it that have ids. A span that
    /// touches a taken one is left out, so that doing it twice does no harm.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn baseline(
        &self,
        trust: &Trust,
        project: &ProjectId,
        spans: &[Span],
        seen: &[String],
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        self.write(|tx| {
            by_id(tx, project)?;
            let mut taken = 0;
            for span in spans {
                let span = &beyond(tx, project, span)?;
                if span.start >= span.end {
                    continue;
                }
                match insert(tx, project, span, SpanState::Baseline, None) {
                    Ok(()) => taken += 1,
                    Err(StoreError::SpanTaken { .. }) => {}
                    Err(e) => return Err(e),
                }
            }
            insert_seen(tx, project, seen, None)?;
            if taken > 0 {
                let note = Note {
                    act: Act::Baseline,
                    project: Some(project),
                    subjects: vec![],
                    details: json!({ "spans": taken }),
                };
                append(tx, trust, note, now)?;
            }
            Ok(taken)
        })
    }

    /// Frees all spans of a source that was rewritten, but those of proposals that wait. What was
    /// read from it stays known by its message ids.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn forget_source(
        &self,
        trust: &Trust,
        project: &ProjectId,
        source: &str,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        self.write(|tx| {
            let sql = "DELETE FROM spans WHERE project = ?1 AND source = ?2 AND state <> 'staged'";
            let freed = tx.execute(sql, [project.as_str(), source])?;
            if freed > 0 {
                let note = Note {
                    act: Act::ForgetSource,
                    project: Some(project),
                    subjects: vec![],
                    details: json!({ "source": source, "spans": freed }),
                };
                append(tx, trust, note, now)?;
            }
            Ok(freed)
        })
    }

    /// The messages of a project that were distilled already, and those that count as read since its
    /// registration; 16 bytes each in memory.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn seen(&self, project: &ProjectId) -> Result<SeenIds, StoreError> {
        self.seen_where(project, "true")
    }

    /// The messages of a project that a proposal holds or consumed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn distilled(&self, project: &ProjectId) -> Result<SeenIds, StoreError> {
        self.seen_where(project, "proposal IS NOT NULL")
    }

    fn seen_where(&self, project: &ProjectId, which: &str) -> Result<SeenIds, StoreError> {
        self.read(|tx| {
            let sql = format!(
                "SELECT id FROM seen WHERE project = ?1 AND length(id) = 16 AND {which} ORDER BY id"
            );
            let mut query = tx.prepare_cached(&sql)?;
            let rows = query.query_map([project.as_str()], |row| row.get(0))?;
            Ok(SeenIds(rows.collect::<rusqlite::Result<_>>()?))
        })
    }
}
