//! Records and manifests as their tables keep them.

use super::super::error::StoreError;
use super::super::open::signed;
use super::super::projects::parse;
use crate::id::{EntryId, ProjectId};
use crate::memory::MemoryFile;
use crate::proposal::Origin;
use crate::trust::{Manifest, Record, RecordState, Seal};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction, params};

pub(super) fn read(row: &Row<'_>) -> Result<Record, StoreError> {
    let text = |n: usize| row.get::<_, String>(n);
    let time = |n: usize| parse::<Timestamp>("time", &text(n)?);
    let maybe = |n: usize| row.get::<_, Option<String>>(n);
    let maybe_time = |n: usize| maybe(n)?.map(|t| parse("time", &t)).transpose();
    let number = |n: usize| {
        u32::try_from(row.get::<_, i64>(n)?).map_err(|e| StoreError::Unreadable {
            what: "number".to_owned(),
            why: e.to_string(),
        })
    };
    Ok(Record {
        project: parse("project id", &text(0)?)?,
        entry: parse("entry id", &text(1)?)?,
        version: number(2)?,
        format: number(3)?,
        file: named("file", &text(4)?, MemoryFile::from_name)?,
        section: text(5)?,
        text: text(6)?,
        origin: named("origin", &text(7)?, origin)?,
        evidence: text(8)?,
        created: time(9)?,
        at: time(10)?,
        accepted: maybe_time(11)?,
        confirmed: maybe_time(12)?,
        confirmations: number(13)?,
        lapses: maybe_time(14)?,
        supersedes: maybe(15)?.map(|t| parse("entry id", &t)).transpose()?,
        state: named("state", &text(16)?, state)?,
        proposal: maybe(17)?.map(|t| parse("proposal id", &t)).transpose()?,
        key: text(18)?,
        seal: Seal::stored(text(19)?),
    })
}

pub(in super::super) fn named<T>(
    what: &str,
    name: &str,
    find: impl Fn(&str) -> Option<T>,
) -> Result<T, StoreError> {
    find(name).ok_or_else(|| StoreError::Unreadable {
        what: what.to_owned(),
        why: format!("{name:?} is none"),
    })
}

fn origin(name: &str) -> Option<Origin> {
    [
        Origin::HumanEdit,
        Origin::User,
        Origin::Inbox,
        Origin::Import,
        Origin::Assistant,
        Origin::Tool,
    ]
    .into_iter()
    .find(|o| o.name() == name)
}

fn state(name: &str) -> Option<RecordState> {
    [
        RecordState::Live,
        RecordState::Archived,
        RecordState::Tombstoned,
    ]
    .into_iter()
    .find(|s| s.name() == name)
}

pub(super) fn insert(tx: &Transaction<'_>, r: &Record) -> Result<(), StoreError> {
    insert_as(tx, "INSERT", r)
}

/// A guard of the table's stops changes; `INSERT OR REPLACE` puts a version in the place of itself
/// with another seal.
pub(super) fn insert_as(tx: &Transaction<'_>, insert: &str, r: &Record) -> Result<(), StoreError> {
    let sql = format!(
        "{insert} INTO records (project, entry, version, format, file, section, text, origin,
                   evidence, created, at, accepted, confirmed, confirmations, lapses, supersedes,
                   state, proposal, key, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                   ?18, ?19, ?20)"
    );
    let shown = |t: Option<Timestamp>| t.map(|t| t.to_string());
    tx.prepare_cached(&sql)?.execute(params![
        r.project.as_str(),
        r.entry.as_str(),
        r.version,
        r.format,
        r.file.name(),
        r.section,
        r.text,
        r.origin.name(),
        r.evidence,
        r.created.to_string(),
        r.at.to_string(),
        shown(r.accepted),
        shown(r.confirmed),
        r.confirmations,
        shown(r.lapses),
        r.supersedes.as_ref().map(EntryId::as_str),
        r.state.name(),
        r.proposal.as_ref().map(crate::id::ProposalId::as_str),
        r.key,
        r.seal.as_str(),
    ])?;
    Ok(())
}

pub(in super::super) fn manifest(
    tx: &Transaction<'_>,
    project: &ProjectId,
) -> Result<Option<Manifest>, StoreError> {
    let sql = "SELECT format, count, root, sequence, at, key, seal FROM manifests
               WHERE project = ?1";
    type Raw = (u32, i64, String, i64, String, String, String);
    let row: Option<Raw> = tx
        .prepare_cached(sql)?
        .query_row([project.as_str()], |row| row.try_into())
        .optional()?;
    row.map(|(format, count, root, sequence, at, key, seal)| {
        Ok(Manifest {
            format,
            project: project.clone(),
            count: count.try_into().unwrap_or(u64::MAX),
            root,
            sequence: sequence.try_into().unwrap_or(u64::MAX),
            at: parse("time", &at)?,
            key,
            seal: Seal::stored(seal),
        })
    })
    .transpose()
}

pub(in super::super) fn set_manifest(tx: &Transaction<'_>, m: &Manifest) -> Result<(), StoreError> {
    let sql =
        "INSERT OR REPLACE INTO manifests (project, format, count, root, sequence, at, key, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    tx.prepare_cached(sql)?.execute((
        m.project.as_str(),
        m.format,
        signed(m.count),
        &m.root,
        signed(m.sequence),
        m.at.to_string(),
        &m.key,
        m.seal.as_str(),
    ))?;
    Ok(())
}
