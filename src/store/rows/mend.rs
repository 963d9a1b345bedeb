//! The way back: what is sealed says a value again, or its row is taken out. What a row that is gone kept
//! from being read is read again, unless a sealed proposal that waits or was applied holds it.

use super::super::audit::{self, Note, append};
use super::super::error::StoreError;
use super::super::projects::{self, by_id, to_json};
use super::super::queue::state_from;
use super::super::spans::{self, SpanState};
use super::super::{lenient, notes, refusals};
use super::against::{self, Told};
use super::{MendedValues, StrayValue, tables};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{State, Tombstone};
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Transaction, params_from_iter};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn all(
    tx: &Transaction<'_>,
    trust: &Trust,
    strays: &[StrayValue],
    now: Timestamp,
) -> Result<MendedValues, StoreError> {
    let mut mended = MendedValues::default();
    for stray in strays {
        if is_computed(tx, trust, stray, now)? {
            mended.computed += 1;
        } else {
            mended.taken_out += take_out(tx, stray)?;
        }
    }
    for project in touched(tx, strays, &["spans", "notes"])? {
        material(tx, trust, &project)?;
    }
    for project in touched(tx, strays, &["tombstones"])? {
        tombstones(tx, trust, &project)?;
    }
    let mut columns: BTreeMap<String, usize> = BTreeMap::new();
    for stray in strays {
        *columns
            .entry(format!("{}.{}", stray.table, stray.column))
            .or_default() += 1;
    }
    let note = Note {
        act: Act::Mend,
        project: None,
        subjects: vec![],
        details: json!({
            "what": "rows",
            "computed": mended.computed,
            "taken_out": mended.taken_out,
            "columns": columns,
        }),
    };
    append(tx, trust, note, now)?;
    Ok(mended)
}

/// Projects of which a row of these tables is gone: all, where it does not say of which.
fn touched(
    tx: &Transaction<'_>,
    strays: &[StrayValue],
    tables: &[&str],
) -> Result<BTreeSet<ProjectId>, StoreError> {
    let of = strays.iter().filter(|stray| tables.contains(&stray.table));
    let of: Option<BTreeSet<_>> = of.map(|stray| stray.project.clone()).collect();
    Ok(match of {
        Some(of) => of,
        None => projects::ever(tx)?.into_iter().map(|p| p.id).collect(),
    })
}

/// Sets a value as what is sealed says it; false: nothing says it.
fn is_computed(
    tx: &Transaction<'_>,
    trust: &Trust,
    stray: &StrayValue,
    now: Timestamp,
) -> Result<bool, StoreError> {
    match stray.table {
        "proposals" => of_proposal(tx, trust, stray),
        "projects" => of_project(tx, trust, stray, now),
        "commits_owed" => of_commit(tx, trust, stray),
        _ => Ok(false),
    }
}

/// The rows of a table that a key is of.
fn of_key(stray: &StrayValue) -> String {
    let each = tables::key(stray.table).iter().zip(1..);
    let each: Vec<_> = each
        .map(|(c, n)| format!("CAST({c} AS BLOB) = ?{n}"))
        .collect();
    each.join(" AND ")
}

fn take_out(tx: &Transaction<'_>, stray: &StrayValue) -> Result<usize, StoreError> {
    // Their rows name what is sealed; they stay for whoever looks into it.
    if matches!(stray.table, "proposals" | "projects") {
        return Ok(0);
    }
    let sql = format!("DELETE FROM {} WHERE {}", stray.table, of_key(stray));
    Ok(tx.execute(&sql, params_from_iter(&stray.key))?)
}

fn set(tx: &Transaction<'_>, stray: &StrayValue, to: Value) -> Result<bool, StoreError> {
    let values = stray.key.iter().cloned().map(Value::Blob).chain([to]);
    let (table, column, last) = (stray.table, stray.column, stray.key.len() + 1);
    let sql = format!(
        "UPDATE {table} SET {column} = ?{last} WHERE {}",
        of_key(stray)
    );
    Ok(tx.execute(&sql, params_from_iter(values))? > 0)
}

/// The only part of a key as an id.
fn id_of<T: std::str::FromStr>(stray: &StrayValue) -> Option<T> {
    let bytes = stray.key.first()?;
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

fn of_proposal(
    tx: &Transaction<'_>,
    trust: &Trust,
    stray: &StrayValue,
) -> Result<bool, StoreError> {
    let Some(id) = id_of::<ProposalId>(stray) else {
        return Ok(false);
    };
    let sealed = against::loaded(tx, trust, &id)?;
    let to = match (stray.column, &sealed) {
        ("queued", _) => Value::Text(lenient::queued(tx, &id, "")?.to_string()),
        ("committed", _) => commit(tx, &id)?.map_or(Value::Null, Value::Text),
        ("note" | "told", _) => Value::Null,
        (column, Some((proposal, journal))) => against::listed(proposal, journal, column),
        // Nothing of it is read: it was given up, or is to be.
        ("created", None) => Value::Text(lenient::created(tx, &id, "")?.to_string()),
        ("source" | "summary", None) => Value::Text(String::new()),
        (_, None) => Value::Integer(0),
    };
    set(tx, stray, to)
}

/// The commit that a proposal was made durable with, as the chain says.
fn commit(tx: &Transaction<'_>, id: &ProposalId) -> Result<Option<String>, StoreError> {
    let which = "WHERE subjects = ?1 AND act = ?2 ORDER BY seq DESC LIMIT 1";
    let rows = audit::select(tx, which, [id.as_str(), Act::Commit.name()])?;
    let told = rows
        .first()
        .map(|row| row.details.as_str())
        .unwrap_or_default();
    let details: serde_json::Value = serde_json::from_str(told).unwrap_or_default();
    Ok(details["commit"].as_str().map(str::to_owned))
}

fn of_project(
    tx: &Transaction<'_>,
    trust: &Trust,
    stray: &StrayValue,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(id) = id_of::<ProjectId>(stray) else {
        return named_again(tx, trust, stray);
    };
    let told = Told::of(tx, trust, id.as_str())?;
    let to = match stray.column {
        "created" => Value::Text(told.created.unwrap_or_else(|| now.to_string())),
        "forgotten" => told.forgotten.flatten().map_or(Value::Null, Value::Text),
        "name" => Value::Text(name(tx, &id)?),
        // A path that is no text is not on record as it is.
        "root" => match told.root.filter(|root| !root.contains('\u{fffd}')) {
            Some(root) if !is_taken(tx, &id, &root)? => Value::Blob(root.into_bytes()),
            _ => return Ok(false),
        },
        _ => return Ok(false),
    };
    set(tx, stray, to)
}

/// The last part of its path.
fn name(tx: &Transaction<'_>, id: &ProjectId) -> Result<String, StoreError> {
    let root = by_id(tx, id)?.root;
    let name = root.file_name().map(|name| name.to_string_lossy());
    Ok(name.unwrap_or_default().into_owned())
}

fn is_taken(tx: &Transaction<'_>, id: &ProjectId, root: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM projects WHERE root = ?1 AND id <> ?2";
    Ok(tx
        .prepare_cached(sql)?
        .exists((root.as_bytes(), id.as_str()))?)
}

/// A row whose id is none is of the project that the chain has there, where that has no row.
fn named_again(
    tx: &Transaction<'_>,
    trust: &Trust,
    stray: &StrayValue,
) -> Result<bool, StoreError> {
    if stray.column != "id" {
        return Ok(false);
    }
    let sql = format!("SELECT root FROM projects WHERE {}", of_key(stray));
    let root: Option<Vec<u8>> = tx
        .query_row(&sql, params_from_iter(&stray.key), |row| row.get(0))
        .optional()?;
    let root = root.unwrap_or_default();
    let sql = "SELECT DISTINCT project FROM audit WHERE act = ?1
               AND project NOT IN (SELECT id FROM projects)";
    let mut query = tx.prepare_cached(sql)?;
    let gone = query.query_map([Act::Register.name()], |row| lenient::text(row, 0))?;
    for id in gone.collect::<rusqlite::Result<Vec<_>>>()? {
        let told = Told::of(tx, trust, &id)?;
        if told.root.is_some_and(|there| there.as_bytes() == root)
            && id.parse::<ProjectId>().is_ok()
        {
            return set(tx, stray, Value::Text(id));
        }
    }
    Ok(false)
}

/// A commit that is owed says what the record of its apply does.
fn of_commit(tx: &Transaction<'_>, trust: &Trust, stray: &StrayValue) -> Result<bool, StoreError> {
    if !matches!(
        stray.column,
        "sequence" | "audit" | "at" | "tries" | "error"
    ) {
        return Ok(false);
    }
    let sql = format!("SELECT proposal FROM commits_owed WHERE {}", of_key(stray));
    let proposal = tx
        .query_row(&sql, params_from_iter(&stray.key), |row| {
            lenient::text(row, 0)
        })
        .optional()?;
    let which = "WHERE subjects = ?1 ORDER BY seq DESC";
    let rows = audit::select(tx, which, [proposal.unwrap_or_default()])?;
    let sequence = |details: &str| {
        let details: serde_json::Value = serde_json::from_str(details).unwrap_or_default();
        details["sequence"].as_i64()
    };
    let applied = rows.iter().filter(|row| trust.is_written(row));
    let mut applied = applied.filter_map(|row| Some((row, sequence(&row.details)?)));
    let Some((row, sequence)) = applied.next() else {
        return Ok(false);
    };
    let to = match stray.column {
        "sequence" => Value::Integer(sequence),
        "audit" => Value::Text(format!("{}:{}", row.seq, row.mac)),
        "at" => Value::Text(row.at.clone()),
        "tries" => Value::Integer(0),
        _ => Value::Null,
    };
    set(tx, stray, to)
}

/// What sealed proposals hold that wait or were applied is taken again.
fn material(tx: &Transaction<'_>, trust: &Trust, project: &ProjectId) -> Result<(), StoreError> {
    for id in against::ids(tx, project)? {
        let Some((proposal, _)) = against::loaded(tx, trust, &id)? else {
            continue;
        };
        let sql = "SELECT state FROM proposals WHERE id = ?1";
        let state = tx.query_row(sql, [id.as_str()], |row| lenient::text(row, 0))?;
        let state = match state_from(&state)? {
            State::Staged | State::Applying | State::Expired => SpanState::Staged,
            State::Applied => SpanState::Consumed,
            State::Discarded | State::Returned => continue,
        };
        for span in &proposal.spans {
            match spans::insert(tx, project, span, state, Some(&id)) {
                Ok(()) | Err(StoreError::SpanTaken { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        if state == SpanState::Staged {
            notes::take(tx, project, &proposal.notes, &id)?;
        }
    }
    Ok(())
}

/// What was refused and has no row any more has one again. Where the decisions do not hold nothing says
/// what it was.
fn tombstones(tx: &Transaction<'_>, trust: &Trust, project: &ProjectId) -> Result<(), StoreError> {
    let refused = match refusals::sealed(tx, trust, project) {
        Ok(refused) => refused,
        Err(
            StoreError::Tampered { .. }
            | StoreError::Unreadable { .. }
            | StoreError::RecordsChanged { .. },
        ) => return Ok(()),
        Err(error) => return Err(error),
    };
    refused.iter().try_for_each(|no| put(tx, project, no))
}

fn put(tx: &Transaction<'_>, project: &ProjectId, no: &Tombstone) -> Result<(), StoreError> {
    let sources = to_json("sources", &no.sources)?;
    let sql = "SELECT 1 FROM tombstones WHERE project = ?1 AND file = ?2 AND statement = ?3 AND sources = ?4";
    let key = (project.as_str(), no.file.name(), &no.statement, &sources);
    let is_there = tx.prepare_cached(sql)?.exists(key)?;
    let sql = "SELECT 1 FROM proposals WHERE id = ?1";
    if is_there || !tx.prepare_cached(sql)?.exists([no.proposal.as_str()])? {
        return Ok(());
    }
    // The number only tells rows of a proposal apart: those of memd's own stay free.
    let sql = "INSERT INTO tombstones
                   (project, proposal, change, file, text, statement, sources, at)
               SELECT ?1, ?2, 1000 + count(*), ?3, ?4, ?5, ?6, ?7 FROM tombstones
               WHERE project = ?1 AND proposal = ?2";
    tx.prepare_cached(sql)?.execute((
        project.as_str(),
        no.proposal.as_str(),
        no.file.name(),
        &no.text,
        &no.statement,
        &sources,
        no.at.to_string(),
    ))?;
    Ok(())
}
