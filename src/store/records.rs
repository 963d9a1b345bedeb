//! Entry records and the manifest over them.

mod row;

use row::{insert, insert_as, read};
pub(super) use row::{manifest, set_manifest};

use super::audit::{self, Note, append};
use super::error::{StoreError, tampered};
use super::newest::{Standing, standing};
use super::open::Store;
use super::projects::{by_id, parse};
use crate::id::{EntryId, ProjectId};
use crate::trust::{Act, AuditHead, Manifest, Record, Trust};
use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::{Value, json};

/// Records as read: those that make sense, and what is wrong with the others.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub records: Vec<Record>,
    pub unreadable: Vec<String>,
}

pub(super) fn all(tx: &Transaction<'_>, project: &ProjectId) -> Result<Stored, StoreError> {
    let sql = "SELECT project, entry, version, format, file, section, text, origin, evidence,
                   created, at, accepted, confirmed, confirmations, lapses, supersedes, state,
                   proposal, key, seal
               FROM records WHERE project = ?1 ORDER BY entry, version";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query([project.as_str()])?;
    let mut stored = Stored::default();
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(record) => stored.records.push(record),
            Err(StoreError::Unreadable { what, why }) => {
                let entry: String = row.get(1)?;
                let version: i64 = row.get(2)?;
                stored
                    .unreadable
                    .push(format!("record {entry} version {version}: {what}: {why}"));
            }
            Err(e) => return Err(e),
        }
    }
    Ok(stored)
}

/// All record versions of a project, checked against their manifest, and that against the chain: both
/// may have been put back together.
pub(super) fn checked(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<(Vec<Record>, Option<Manifest>), StoreError> {
    let (records, manifest) = sealed(tx, trust, project)?;
    let is_newest = match standing(tx, trust)? {
        Standing::Sealed(newest) => {
            let manifest = manifest.as_ref().map(|m| (m.sequence, m.root.as_str()));
            newest.is_manifest(project.as_str(), manifest)
        }
        Standing::NotYet => is_newest_of_chain(tx, trust, project, manifest.as_ref())?,
        Standing::Broken => false,
    };
    match is_newest {
        true => Ok((records, manifest)),
        false => Err(not_the_set(tx, trust, project)?),
    }
}

/// All record versions of a project, checked against their manifest alone.
fn sealed(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<(Vec<Record>, Option<Manifest>), StoreError> {
    let stored = all(tx, project)?;
    let manifest = manifest(tx, project)?;
    let holds = trust.verify_manifest(manifest.as_ref(), &stored.records);
    match stored.unreadable.is_empty() && holds.is_ok() {
        true => Ok((stored.records, manifest)),
        false => Err(not_the_set(tx, trust, project)?),
    }
}

fn not_the_set(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<StoreError, StoreError> {
    Ok(match audit::not_whole(tx, trust, String::new())? {
        StoreError::Tampered { .. } => StoreError::RecordsChanged {
            project: by_id(tx, project).map_or_else(|_| project.to_string(), |p| p.name),
        },
        other => other,
    })
}

/// Whether the newest act of the chain on a project's records speaks of this manifest. A record that
/// was changed may have been that act.
fn is_newest_of_chain(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
    manifest: Option<&Manifest>,
) -> Result<bool, StoreError> {
    let (mut chained, mut is_changed) = (None, false);
    audit::backwards(tx, project, &mut |row| {
        let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
        let said = (details["sequence"].as_u64(), details["root"].as_str());
        if let (Some(sequence), Some(root)) = said {
            chained = Some((sequence, root.to_owned()));
        }
        is_changed = !trust.is_written(row);
        !is_changed && chained.is_none()
    })?;
    let manifest = manifest.map(|m| (m.sequence, m.root.clone()));
    Ok(!is_changed && chained == manifest)
}

/// Whether these versions could be added to what is there: what is begun can then be finished, as
/// nothing else is added meanwhile.
pub(super) fn could_follow(
    trust: &Trust,
    project: &ProjectId,
    records: &[Record],
    new: &[Record],
) -> Result<(), StoreError> {
    for (at, record) in new.iter().enumerate() {
        let of_entry = |r: &&Record| r.entry == record.entry;
        let stored = records.iter().filter(of_entry).max_by_key(|r| r.version);
        let added = new[..at].iter().filter(of_entry).map(|r| r.version).max();
        let newest = added.or(stored.map(|r| r.version));
        if record.version != newest.map_or(1, |version| version + 1)
            || record.project != *project
            || stored.is_some_and(|r| trust.verify(r).is_err())
        {
            return Err(StoreError::EntryMovedOn(record.entry.to_string()));
        }
    }
    Ok(())
}

/// Adds record versions, sealed here, and seals the manifest anew: only over what verifies. The
/// audit record carries its sequence and root.
pub(super) fn add(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
    new: Vec<Record>,
    now: Timestamp,
) -> Result<Manifest, StoreError> {
    let (mut records, before) = checked(tx, trust, project)?;
    for record in new {
        let older = records.iter().filter(|r| r.entry == record.entry);
        let newest = older.max_by_key(|r| r.version);
        let follows = record.version == newest.map_or(1, |r| r.version + 1);
        if !follows
            || record.project != *project
            || newest.is_some_and(|r| trust.verify(r).is_err())
        {
            return Err(StoreError::EntryMovedOn(record.entry.to_string()));
        }
        let record = trust.seal(record);
        insert(tx, &record)?;
        records.push(record);
    }
    let sequence = before.map_or(1, |m| m.sequence + 1);
    let manifest = trust.manifest(project, &records, sequence, now);
    set_manifest(tx, &manifest)?;
    Ok(manifest)
}

/// Seals every version of a project's entries, and the manifest over them, with the next key: only
/// what verifies with this one. The manifest then, and how many versions. That it is the newest one, the
/// caller has seen: the head has the next key's seal by now.
pub(super) fn reseal(
    tx: &Transaction<'_>,
    (old, new): (&Trust, &Trust),
    project: &ProjectId,
    now: Timestamp,
) -> Result<Option<(Manifest, usize)>, StoreError> {
    let (records, before) = sealed(tx, old, project)?;
    let Some(before) = before else {
        return Ok(None);
    };
    let mut sealed = Vec::with_capacity(records.len());
    for record in records {
        let what = || format!("record {} version {}", record.entry, record.version);
        old.verify(&record).map_err(|_| tampered(what()))?;
        let record = new.seal(record);
        insert_as(tx, "INSERT OR REPLACE", &record)?;
        sealed.push(record);
    }
    let manifest = new.manifest(project, &sealed, before.sequence + 1, now);
    set_manifest(tx, &manifest)?;
    Ok(Some((manifest, sealed.len())))
}

/// What an audit record says of a manifest.
pub(super) fn manifest_details(manifest: &Manifest, more: Value) -> Value {
    let mut details = json!({
        "sequence": manifest.sequence,
        "root": manifest.root,
        "count": manifest.count,
    });
    if let (Some(to), Value::Object(from)) = (details.as_object_mut(), more) {
        to.extend(from);
    }
    details
}

impl Store {
    /// The newest version of every entry of a project, archived and tombstoned ones included.
    /// Seals are not checked here: [`crate::trust::match_entries`] does.
    ///
    /// # Errors
    /// When the set of records is not the one that was sealed: then none of it is to be trusted.
    pub fn records(&self, trust: &Trust, project: &ProjectId) -> Result<Vec<Record>, StoreError> {
        let all = self.all_records(trust, project)?;
        let mut newest: Vec<Record> = Vec::with_capacity(all.len());
        // Sorted by entry and version.
        for record in all {
            match newest.last_mut() {
                Some(last) if last.entry == record.entry => *last = record,
                _ => newest.push(record),
            }
        }
        Ok(newest)
    }

    /// Every version of every entry of a project, by entry and version.
    ///
    /// # Errors
    /// As [`Store::records`].
    pub fn all_records(
        &self,
        trust: &Trust,
        project: &ProjectId,
    ) -> Result<Vec<Record>, StoreError> {
        self.read(|tx| Ok(checked(tx, trust, project)?.0))
    }

    /// The one entry of a project whose id begins like this, whatever its state.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find_entry(&self, project: &ProjectId, beginning: &str) -> Result<EntryId, StoreError> {
        self.read(|tx| {
            let sql = "SELECT DISTINCT entry FROM records
                       WHERE project = ?1 AND substr(entry, 1, length(?2)) = ?2 LIMIT 2";
            let mut query = tx.prepare_cached(sql)?;
            let ids = query
                .query_map([project.as_str(), beginning], |row| row.get::<_, String>(0))?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            match ids.as_slice() {
                [] => Err(StoreError::NoEntry(beginning.to_owned())),
                [id] => parse("entry id", id),
                _ => Err(StoreError::AmbiguousEntry(beginning.to_owned())),
            }
        })
    }

    /// The manifest of a project, as stored; `None`: nothing was ever let in.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn manifest(&self, project: &ProjectId) -> Result<Option<Manifest>, StoreError> {
        self.read(|tx| manifest(tx, project))
    }

    /// Lets record versions in without a proposal: a confirmation, a tombstone, a restore. `act` says
    /// what it is; records are sealed here.
    ///
    /// # Errors
    /// When a version does not follow the newest one, or what is there does not verify.
    pub fn put_records(
        &self,
        trust: &Trust,
        project: &ProjectId,
        act: Act,
        records: Vec<Record>,
        details: Value,
        now: Timestamp,
    ) -> Result<AuditHead, StoreError> {
        self.write(|tx| {
            by_id(tx, project)?;
            let subjects: Vec<String> = records.iter().map(|r| r.entry.to_string()).collect();
            let manifest = add(tx, trust, project, records, now)?;
            let note = Note {
                act,
                project: Some(project),
                subjects: subjects.iter().map(String::as_str).collect(),
                details: manifest_details(&manifest, details),
            };
            append(tx, trust, note, now)
        })
    }
}
