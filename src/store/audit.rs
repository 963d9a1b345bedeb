//! Appending to the audit chain, always inside the transaction of the act it records.

mod look;

use super::error::StoreError;
use super::newest::follow;
use super::open::{meta, set_meta, signed, unsigned};
use crate::id::ProjectId;
use crate::trust::{Act, AuditHead, AuditRow, Seal, Trust, TrustError, effective_now};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Params, Row, Transaction};
use serde_json::Value;

/// What every record is read by.
const COLUMNS: &str = "SELECT seq, prev, at, act, project, subjects, details, mac FROM audit";

/// An act, before it has its place in the chain.
pub(super) struct Note<'a> {
    pub act: Act,
    pub project: Option<&'a ProjectId>,
    pub subjects: Vec<&'a str>,
    pub details: Value,
}

/// Whether the newest act of this kind on a fingerprint says `what` of it.
pub(super) fn is_said(
    tx: &Transaction<'_>,
    act: Act,
    fingerprint: &str,
    what: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT details FROM audit WHERE act = ?1 AND subjects = ?2
               ORDER BY seq DESC LIMIT 1";
    let mut query = tx.prepare_cached(sql)?;
    let details: Option<String> = query
        .query_row([act.name(), fingerprint], |row| row.get(0))
        .optional()?;
    Ok(details.is_some_and(|d| says(&d, what)))
}

/// Whether an act's details say so.
pub(super) fn says(details: &str, what: &str) -> bool {
    let details: Value = serde_json::from_str(details).unwrap_or_default();
    details.get(what).and_then(Value::as_bool) == Some(true)
}

/// Appends a record and moves the head.
pub(super) fn append(
    tx: &Transaction<'_>,
    trust: &Trust,
    note: Note<'_>,
    now: Timestamp,
) -> Result<AuditHead, StoreError> {
    bind_key(tx, trust)?;
    let head = head(tx)?.unwrap_or_default();
    if !can_follow(tx, trust, &head)? {
        let what = "the head of the audit chain".to_owned();
        return Err(StoreError::Tampered { what });
    }
    let head = match head.seq {
        0 => AuditHead {
            seq: trust.begins_after(),
            ..head
        },
        _ => head,
    };
    let newest = newest(tx)?;
    let mut details = note.details;
    // A clock set back is kept in the record, and does not turn the chain's time back.
    if let (Some(map), true) = (details.as_object_mut(), newest.is_some_and(|t| t > now)) {
        map.insert("clock".to_owned(), Value::String(now.to_string()));
    }
    let row = AuditRow {
        seq: head.seq + 1,
        at: effective_now(now, newest).to_string(),
        act: note.act.name().to_owned(),
        project: note.project.map(ToString::to_string).unwrap_or_default(),
        subjects: note.subjects.join(" "),
        details: details.to_string(),
        ..AuditRow::default()
    };
    let mut head = head;
    follow(tx, trust, &mut head, &row)?;
    let (row, head) = trust.append(&head, row);
    insert(tx, &row)?;
    set_head(tx, &head)?;
    Ok(head)
}

/// Whether a record can follow this head. One that was put back would fork the chain. A cut tail does
/// not: going on leaves a gap, which shows for ever.
fn can_follow(tx: &Transaction<'_>, trust: &Trust, head: &AuditHead) -> Result<bool, StoreError> {
    let last: u64 = tx
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM audit")?
        .query_row([], |row| unsigned(row, 0))?;
    Ok((head.seq == 0 || trust.is_head(head)) && last <= head.seq)
}

/// The first seal binds the database to its key.
fn bind_key(tx: &Transaction<'_>, trust: &Trust) -> Result<(), StoreError> {
    match meta(tx, "key")? {
        None => set_meta(tx, "key", trust.key_id()),
        Some(id) if id == trust.key_id() => Ok(()),
        Some(_) => Err(not_whole(tx, trust, String::new())?),
    }
}

/// Why something that is sealed does not hold: this memd has a key that was rotated since, or it was
/// changed.
pub(super) fn not_whole(
    tx: &Transaction<'_>,
    trust: &Trust,
    what: String,
) -> Result<StoreError, StoreError> {
    Ok(match meta(tx, "key")? {
        Some(sealed) if sealed != trust.key_id() => TrustError::RotatedMeanwhile {
            began: trust.key_id().to_owned(),
            sealed: sealed.chars().take(16).collect(),
        }
        .into(),
        _ => StoreError::Tampered { what },
    })
}

/// The head with the seal of the next key, where it has the seal of this one.
pub(super) fn reseal_head(
    tx: &Transaction<'_>,
    old: &Trust,
    new: &Trust,
) -> Result<(), StoreError> {
    match head(tx)?.filter(|head| old.is_head(head)) {
        Some(head) => set_head(tx, &new.reseal_head(head)),
        None => Err(StoreError::Tampered {
            what: "the head of the audit chain".to_owned(),
        }),
    }
}

fn set_head(tx: &Transaction<'_>, head: &AuditHead) -> Result<(), StoreError> {
    let AuditHead { seq, mac, seal, .. } = head;
    let value = match &head.newest {
        Some(newest) => format!("{seq} {mac} {seal} {newest}"),
        None => format!("{seq} {mac} {seal}"),
    };
    set_meta(tx, "audit", &value)
}

fn insert(tx: &Transaction<'_>, row: &AuditRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    tx.prepare_cached(sql)?.execute((
        signed(row.seq),
        &row.prev,
        &row.at,
        &row.act,
        &row.project,
        &row.subjects,
        &row.details,
        row.mac.as_str(),
    ))?;
    Ok(())
}

/// The head as stored; what cannot be read is a head that no seal fits.
pub(super) fn head(tx: &Transaction<'_>) -> Result<Option<AuditHead>, StoreError> {
    Ok(meta(tx, "audit")?.map(|text| {
        let mut parts = text.split(' ');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        AuditHead {
            seq: next().parse().unwrap_or(u64::MAX),
            mac: Seal::stored(next()),
            seal: Seal::stored(next()),
            newest: parts.next().map(str::to_owned),
        }
    }))
}

/// The time of the newest record.
fn newest(tx: &Transaction<'_>) -> Result<Option<Timestamp>, StoreError> {
    let sql = "SELECT at FROM audit ORDER BY seq DESC LIMIT 1";
    let at: Option<String> = tx
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(at.and_then(|at| at.parse().ok()))
}

/// Number and MAC of the newest record.
pub(super) fn last(tx: &Transaction<'_>) -> Result<Option<(u64, String)>, StoreError> {
    let sql = "SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1";
    let mut query = tx.prepare_cached(sql)?;
    let row = query.query_row([], |row| Ok((unsigned(row, 0)?, row.get(1)?)));
    Ok(row.optional()?)
}

/// Goes through all records, in order.
pub(super) fn each(tx: &Transaction<'_>, take: &mut dyn FnMut(AuditRow)) -> Result<(), StoreError> {
    let mut query = tx.prepare_cached(&format!("{COLUMNS} ORDER BY seq"))?;
    for row in query.query_map([], read_row)? {
        take(row?);
    }
    Ok(())
}

/// The first record from which the chain is whole to its end; one behind the end, where the end
/// itself is not.
pub(super) fn whole_from(
    tx: &Transaction<'_>,
    trust: &Trust,
    head: &AuditHead,
) -> Result<u64, StoreError> {
    let mut query = tx.prepare_cached(&format!("{COLUMNS} ORDER BY seq DESC"))?;
    let mut from = head.seq + 1;
    let mut mac = head.mac.as_str().to_owned();
    for row in query.query_map([], read_row)? {
        let row = row?;
        if row.seq + 1 != from || row.mac.as_str() != mac || !trust.is_written(&row) {
            break;
        }
        from = row.seq;
        mac = row.prev;
    }
    Ok(from)
}

/// Records, every column as it is stored; `which` says which, and in what order.
pub(super) fn select(
    tx: &Transaction<'_>,
    which: &str,
    params: impl Params,
) -> Result<Vec<AuditRow>, StoreError> {
    let sql = format!("{COLUMNS} {which}");
    let mut query = tx.prepare_cached(&sql)?;
    let rows = query.query_map(params, read_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn rows(tx: &Transaction<'_>) -> Result<Vec<AuditRow>, StoreError> {
    select(tx, "ORDER BY seq", [])
}

/// Whether the chain from this record to its end is as it was written: no record of it changed, and
/// none taken out or cut off.
pub(super) fn is_whole_from(
    tx: &Transaction<'_>,
    trust: &Trust,
    seq: u64,
) -> Result<bool, StoreError> {
    let Some(head) = head(tx)?.filter(|head| trust.is_head(head)) else {
        return Ok(false);
    };
    let sql = format!("{COLUMNS} WHERE seq >= ?1 ORDER BY seq");
    let mut query = tx.prepare_cached(&sql)?;
    let rows = query.query_map([signed(seq)], read_row)?;
    let mut last: Option<AuditRow> = None;
    for row in rows {
        let row = row?;
        let follows = match &last {
            None => row.seq == seq,
            Some(last) => row.seq == last.seq + 1 && row.prev == last.mac.as_str(),
        };
        if !follows || !trust.is_written(&row) {
            return Ok(false);
        }
        last = Some(row);
    }
    Ok(last.is_some_and(|last| (last.seq, &last.mac) == (head.seq, &head.mac)))
}

/// Goes through the records of a project, newest first, while `goes_on` says so.
pub(super) fn backwards(
    tx: &Transaction<'_>,
    project: &ProjectId,
    goes_on: &mut dyn FnMut(&AuditRow) -> bool,
) -> Result<(), StoreError> {
    let sql = format!("{COLUMNS} WHERE project = ?1 ORDER BY seq DESC");
    let mut query = tx.prepare_cached(&sql)?;
    for row in query.query_map([project.as_str()], read_row)? {
        if !goes_on(&row?) {
            break;
        }
    }
    Ok(())
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    Ok(AuditRow {
        seq: u64::try_from(row.get::<_, i64>(0)?).unwrap_or_default(),
        prev: row.get(1)?,
        at: row.get(2)?,
        act: row.get(3)?,
        project: row.get(4)?,
        subjects: row.get(5)?,
        details: row.get(6)?,
        mac: Seal::stored(row.get::<_, String>(7)?),
    })
}
