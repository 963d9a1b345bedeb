//! Material that a curator fails on: tried three times, then parked with its reason.

use super::audit::{Note, append};
use super::error::StoreError;
use super::lenient::{size, text};
use super::open::{Store, signed};
use super::spans::{self, SpanState};
use crate::id::ProjectId;
use crate::proposal::Span;
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::json;

/// After so many failed tries material is parked.
const LIMIT: u32 = 3;

/// How it stands with material after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    /// Failed tries so far.
    pub count: u32,
    /// Whether it is parked now.
    pub parked: bool,
}

/// Material that is not tried any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    /// The source.
    pub source: String,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// Why, as the last failure said.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// Counts a failed try on a span, and says how many there were.
fn count(
    tx: &Transaction<'_>,
    project: &ProjectId,
    span: &Span,
    reason: &str,
    now: Timestamp,
) -> Result<u32, StoreError> {
    let sql = "INSERT INTO tries (project, source, start, stop, count, reason, at)
               VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6)
               ON CONFLICT (project, source, start) DO UPDATE
               SET stop = excluded.stop, count = max(0, min(count, 100)) + 1, reason = excluded.reason, at = excluded.at
               RETURNING count";
    let key = (
        project.as_str(),
        &span.source,
        signed(span.start),
        signed(span.end),
        reason,
        now.to_string(),
    );
    Ok(tx.prepare_cached(sql)?.query_row(key, |row| row.get(0))?)
}

impl Store {
    /// Notes that a distill of this material failed; what failed for the third time is parked, so
    /// that later material goes on. `reason` is redacted text for people.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn distill_failed(
        &self,
        trust: &Trust,
        project: &ProjectId,
        material: &[Span],
        reason: &str,
        now: Timestamp,
    ) -> Result<Tries, StoreError> {
        self.write(|tx| {
            let (mut most, mut spent) = (0, Vec::new());
            for span in material {
                let tries = count(tx, project, span, reason, now)?;
                most = most.max(tries);
                if tries >= LIMIT {
                    spans::insert(tx, project, span, SpanState::Parked, None)?;
                    spent.push(&span.source);
                }
            }
            let parked = !spent.is_empty();
            let act = if parked {
                Act::Park
            } else {
                Act::CuratorFailed
            };
            let sources = if parked {
                spent
            } else {
                material.iter().map(|s| &s.source).collect()
            };
            let note = Note {
                act,
                project: Some(project),
                subjects: vec![],
                details: json!({ "tries": most, "reason": reason, "sources": sources }),
            };
            append(tx, trust, note, now)?;
            Ok(Tries {
                count: most,
                parked,
            })
        })
    }

    /// Where material begins on which one more failure is the last: source and first byte.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn failing(&self, project: &ProjectId) -> Result<Vec<(String, u64)>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT source, start FROM tries WHERE project = ?1 AND count >= ?2
                       ORDER BY at, source, start";
            let mut query = tx.prepare_cached(sql)?;
            let key = (project.as_str(), LIMIT - 1);
            let rows = query.query_map(key, |row| Ok((text(row, 0)?, size(row, 1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Material that is parked.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn parked(&self, project: &ProjectId) -> Result<Vec<Parked>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT s.source, s.start, s.stop, t.reason, t.at FROM spans s
                       JOIN tries t ON t.project = s.project AND t.source = s.source AND t.start = s.start
                       WHERE s.project = ?1 AND s.state = 'parked' ORDER BY t.at, s.source, s.start";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([project.as_str()], |row| {
                Ok(Parked {
                    source: text(row, 0)?,
                    start: size(row, 1)?,
                    end: size(row, 2)?,
                    reason: text(row, 3)?,
                    // For the order alone.
                    at: text(row, 4)?.parse().unwrap_or_default(),
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Frees all parked material of a project for new tries.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn unpark(
        &self,
        trust: &Trust,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        self.write(|tx| {
            let sql = "DELETE FROM spans WHERE project = ?1 AND state = 'parked'";
            let freed = tx.execute(sql, [project.as_str()])?;
            tx.execute("DELETE FROM tries WHERE project = ?1", [project.as_str()])?;
            if freed > 0 {
                let note = Note {
                    act: Act::Unpark,
                    project: Some(project),
                    subjects: vec![],
                    details: json!({ "spans": freed }),
                };
                append(tx, trust, note, now)?;
            }
            Ok(freed)
        })
    }
}
