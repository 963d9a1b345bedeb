//! Records of one project that do not hold: taken out of the database and kept in a file, so that what
//! stands on disk is offered for adoption. Those of other projects are not touched.
//!
//! Where the set of records is still the one that was sealed, only entries go of which a version does
//! not hold, all versions of each: an older one would else count again.

use super::super::audit::{self, Note, append};
use super::super::error::{StoreError, tampered};
use super::super::newest::{Standing, standing};
use super::super::open::Store;
use super::super::projects::by_id;
use super::super::{apply, records};
use super::{applying, give_up};
use crate::fs;
use crate::id::{EntryId, ProjectId};
use crate::text::TextHash;
use crate::trust::{Act, Record, Trust};
use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Transaction};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What was given up of a project's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenUp {
    /// Versions of entries that were taken out.
    pub versions: usize,
    /// Whether all of them went.
    pub is_all: bool,
    /// Where they are kept.
    pub file: PathBuf,
}

/// Which of a project's records do not hold.
enum Broken {
    /// Which of them are missing, or were added, nobody knows.
    All,
    /// Those of these entries.
    Of(BTreeSet<EntryId>),
}

impl Store {
    /// Whether the records of a project do not hold: all of them, or those of single entries.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_broken_records(
        &self,
        trust: &Trust,
        project: &ProjectId,
    ) -> Result<bool, StoreError> {
        self.read(|tx| Ok(broken(tx, trust, project)?.is_some()))
    }

    /// Gives up the records of a project that do not hold: they are kept in a file beside the database,
    /// and the manifest is sealed over those that are left. `None`: all of them hold.
    ///
    /// # Errors
    /// When the file or the database cannot be written, or nothing sealed says any more which manifest
    /// was the newest one.
    pub fn give_up_records(
        &self,
        trust: &Trust,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<Option<GivenUp>, StoreError> {
        self.write(|tx| {
            by_id(tx, project)?;
            match broken(tx, trust, project)? {
                None => Ok(None),
                Some(broken) => self.take_out(tx, trust, project, &broken, now).map(Some),
            }
        })
    }

    fn take_out(
        &self,
        tx: &Transaction<'_>,
        trust: &Trust,
        project: &ProjectId,
        broken: &Broken,
        now: Timestamp,
    ) -> Result<GivenUp, StoreError> {
        let sequence = sequence(tx, trust, project)? + 1;
        unfinished(tx, trust, project, now)?;
        let rows = rows(tx, project, broken)?;
        let seq = audit::head(tx)?.map_or(0, |head| head.seq) + 1;
        let name = format!("given-up-{project}-{seq}.jsonl");
        let file = self.places().state.join(&name);
        let kept: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write_atomic(&file, kept.as_bytes(), 0o600)?;
        let mut left = records::all(tx, project)?.records;
        left.retain(|record| match broken {
            Broken::All => false,
            Broken::Of(entries) => !entries.contains(&record.entry),
        });
        delete(tx, project, broken)?;
        // Just those are sealed that stood there before: nothing came in or went along on the way.
        if records::all(tx, project)?.records != left {
            return Err(tampered("what is left of the records"));
        }
        let manifest = trust.manifest(project, &left, sequence, now);
        records::set_manifest(tx, &manifest)?;
        let versions = rows.len() - usize::from(rows.iter().any(|row| row["table"] == "manifests"));
        let is_all = matches!(broken, Broken::All);
        let more = json!({
            "what": "records",
            "all": is_all,
            "versions": versions,
            "file": name,
            "hash": TextHash::of(&kept).as_str(),
        });
        let note = Note {
            act: Act::GiveUp,
            project: Some(project),
            subjects: vec![],
            details: records::manifest_details(&manifest, more),
        };
        append(tx, trust, note, now)?;
        Ok(GivenUp {
            versions,
            is_all,
            file,
        })
    }
}

fn broken(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Option<Broken>, StoreError> {
    let records = match records::checked(tx, trust, project) {
        Ok((records, _)) => records,
        Err(StoreError::RecordsChanged { .. } | StoreError::Unreadable { .. }) => {
            return Ok(Some(Broken::All));
        }
        Err(error) => return Err(error),
    };
    let bad = |record: &&Record| trust.verify(record).is_err();
    let entries: BTreeSet<_> = records
        .iter()
        .filter(bad)
        .map(|r| r.entry.clone())
        .collect();
    Ok((!entries.is_empty()).then_some(Broken::Of(entries)))
}

/// The sequence of the newest manifest that was sealed, by what the head of the chain is sealed with.
fn sequence(tx: &Transaction<'_>, trust: &Trust, project: &ProjectId) -> Result<u64, StoreError> {
    match standing(tx, trust)? {
        Standing::Sealed(newest) => Ok(newest.sequence(project.as_str()).unwrap_or_default()),
        Standing::NotYet => {
            let mut newest = 0;
            audit::backwards(tx, project, &mut |row| {
                let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
                newest = newest.max(details["sequence"].as_u64().unwrap_or_default());
                true
            })?;
            Ok(newest)
        }
        Standing::Broken => Err(tampered("what the head of the audit chain is sealed with")),
    }
}

/// What an apply was about to seal cannot follow any more: its proposal waits again, and what was
/// written of it is offered with the rest.
fn unfinished(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(id) = applying(tx, project)? else {
        return Ok(());
    };
    let id = super::parse("proposal id", &id)?;
    match apply::coming(tx, trust, project) {
        Ok(_) => apply::abort(tx, trust, &id, "records given up", now),
        Err(_) => give_up(tx, trust, project, &id, now),
    }
}

/// The rows as they are stored, an object each, the manifest last.
fn rows(
    tx: &Transaction<'_>,
    project: &ProjectId,
    broken: &Broken,
) -> Result<Vec<Value>, StoreError> {
    let mut all = Vec::new();
    let is_meant = |row: &Value| match broken {
        Broken::All => true,
        Broken::Of(entries) => entries.iter().any(|e| row["entry"] == e.as_str()),
    };
    for table in ["records", "manifests"] {
        let sql = format!("SELECT * FROM {table} WHERE project = ?1");
        let mut query = tx.prepare(&sql)?;
        let names: Vec<String> = query.column_names().map(str::to_owned).collect();
        let mut rows = query.query([project.as_str()])?;
        while let Some(row) = rows.next()? {
            let mut object = Map::new();
            object.insert("table".to_owned(), table.into());
            for (n, name) in names.iter().enumerate() {
                object.insert(name.clone(), value(row.get_ref(n)?));
            }
            all.push(Value::Object(object));
        }
    }
    all.retain(|row| row["table"] == "manifests" || is_meant(row));
    Ok(all)
}

fn value(stored: ValueRef<'_>) -> Value {
    match stored {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => n.into(),
        ValueRef::Real(n) => n.into(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into(),
    }
}

/// The one time that records do not only grow: what is taken out is kept beside the database.
fn delete(tx: &Transaction<'_>, project: &ProjectId, broken: &Broken) -> Result<(), StoreError> {
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'records_no_delete'";
    let guard: Option<String> = tx.query_row(sql, [], |row| row.get(0)).optional()?;
    tx.execute_batch("DROP TRIGGER IF EXISTS records_no_delete")?;
    match broken {
        Broken::All => {
            tx.execute("DELETE FROM records WHERE project = ?1", [project.as_str()])?;
        }
        Broken::Of(entries) => {
            let sql = "DELETE FROM records WHERE project = ?1 AND entry = ?2";
            for entry in entries {
                tx.execute(sql, [project.as_str(), entry.as_str()])?;
            }
        }
    }
    guard.map_or(Ok(()), |sql| tx.execute_batch(&sql))?;
    Ok(())
}
