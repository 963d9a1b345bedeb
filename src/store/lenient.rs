//! Reading columns that no seal covers and that are for lists: what cannot be read there stops no
//! list, and is named by `memd verify` ([`super::rows`]).

use super::error::StoreError;
use crate::id::ProposalId;
use crate::trust::Act;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction, types::ValueRef};

/// More of anything than one proposal holds.
const MOST: i64 = 1_000_000;
/// More than anybody counts: sums of it stay within SQLite's numbers.
pub(super) const HUGE: i64 = 1 << 53;

/// A text; what is none of its bytes is replaced.
pub(super) fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(maybe_text(row, column)?.unwrap_or_default())
}

/// As [`text`], of a column that may be empty.
pub(super) fn maybe_text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    })
}

/// A count; one that no memd wrote is none.
pub(super) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u32> {
    let n: i64 = row.get(column)?;
    let written = u32::try_from(n).ok().filter(|_| is_count(n));
    Ok(written.unwrap_or_default())
}

/// A sum or an offset; one below none is none.
pub(super) fn size(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let n: i64 = row.get(column)?;
    Ok(u64::try_from(n.max(0)).unwrap_or_default())
}

/// Whether a number is a count that a memd may have written.
pub(super) fn is_count(n: i64) -> bool {
    (0..=MOST).contains(&n)
}

/// When a proposal was staged: as its row says, else as the audit chain does.
pub(super) fn created(
    tx: &Transaction<'_>,
    id: &ProposalId,
    text: &str,
) -> Result<Timestamp, StoreError> {
    text.parse()
        .or_else(|_| told(tx, id, [Act::Stage, Act::Stage]))
}

/// From when the age of a proposal counts: as its row says, else as the audit chain does.
pub(super) fn queued(
    tx: &Transaction<'_>,
    id: &ProposalId,
    text: &str,
) -> Result<Timestamp, StoreError> {
    text.parse()
        .or_else(|_| told(tx, id, [Act::Stage, Act::Revive]))
}

/// The time of the newest of these acts on a proposal. One that the chain does not know stands
/// elsewhere than it says, and is given up.
fn told(tx: &Transaction<'_>, id: &ProposalId, acts: [Act; 2]) -> Result<Timestamp, StoreError> {
    let sql = "SELECT at FROM audit WHERE subjects = ?1 AND act IN (?2, ?3)
               ORDER BY seq DESC LIMIT 1";
    let [one, other] = acts.map(Act::name);
    let mut query = tx.prepare_cached(sql)?;
    let at = query.query_row([id.as_str(), one, other], |row| text(row, 0));
    let at = at.optional()?.and_then(|at| at.parse().ok());
    Ok(at.unwrap_or_default())
}
