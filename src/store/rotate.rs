//! Another key in the place of the one that sealed the database: all of it sealed anew, in one
//! transaction, and only what verifies.
//!
//! The chain goes on: its last record under the old key says which one follows, the first under the
//! new key says which one it followed and where that one ended. Records until there keep the MACs
//! that commits and copies name. Which key is the database's is changed in the same transaction; the
//! key file is put in its place after it ([`Store::settle_rotation`]).

use super::audit::{self, Note, append};
use super::error::{StoreError, tampered};
use super::open::{Store, has_table, meta, set_meta};
use super::{apply, evidence, grants, journal, projects, records, said, stage};
use crate::config::Places;
use crate::fs::FsError;
use crate::lock::{KeyLock, LockError};
use crate::redact::Also;
use crate::trust::{
    Act, Break, Harmless, Settled, Trust, is_laid_down, leftovers, settle, verify_all,
};
use jiff::Timestamp;
use rusqlite::Transaction;
use serde::Serialize;
use serde_json::json;

/// What a key seals, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SealedCounts {
    /// Versions of entries.
    pub records: usize,
    /// Projects with a manifest over them.
    pub manifests: usize,
    /// Proposals, whatever became of them.
    pub proposals: usize,
    /// Decisions on them.
    pub decisions: usize,
    /// Applies that are not finished.
    pub applies: usize,
    /// Values called a secret, or none.
    pub words: usize,
    /// Leaves to apply without a person.
    pub grants: usize,
    /// Records of the audit chain, under keys that are retired too.
    pub audit: usize,
}

/// How far a rotation has come; a crash may follow each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotationStep {
    /// Everything verifies, and nothing is written.
    Checked,
    /// All is sealed anew in a transaction that is open yet.
    Resealed,
    /// The next key lies beside the key.
    LaidDown,
    /// The database is sealed with the next key.
    Committed,
    /// The next key is the key.
    InPlace,
}

/// What a rotation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotated {
    /// The id of the key before.
    pub old: String,
    /// The id of the key now.
    pub new: String,
    /// The last record of the audit chain under the old key.
    pub last: u64,
    /// What was sealed anew.
    pub counts: SealedCounts,
    /// What does not verify, and was left as it is.
    pub left_out: Vec<Break>,
}

impl Store {
    /// Seals everything with a new key, all or nothing, and puts it in the place of the old one.
    ///
    /// # Errors
    /// When anything does not verify, another rotation was cut off and is not settled, or a file
    /// cannot be written. Unless the error comes from moving the key file, nothing was changed.
    pub fn rotate_key(
        &self,
        lock: &KeyLock,
        trust: &Trust,
        now: Timestamp,
    ) -> Result<Rotated, StoreError> {
        self.rotate_key_watched(lock, trust, now, &mut |_| {})
    }

    /// What does not verify of all that a key seals, in its order. What stands on disk, commits and what
    /// was settled have no part in it.
    ///
    /// # Errors
    /// When the database cannot be read, or goes with another key.
    pub fn unsealed(&self, trust: &Trust, now: Timestamp) -> Result<Vec<Break>, StoreError> {
        self.read(|tx| unsealed(tx, trust, now))
    }

    /// As [`Store::rotate_key`], leaving out what does not verify: it is sealed with neither key
    /// afterwards, stays a break, and is listed in the record of the rotation. It has to be just what was
    /// `known` before.
    ///
    /// # Errors
    /// As [`Store::rotate_key`]; when something else does not verify, or the chain cannot be gone on with.
    pub fn rotate_key_without(
        &self,
        lock: &KeyLock,
        trust: &Trust,
        known: &[Break],
        now: Timestamp,
    ) -> Result<Rotated, StoreError> {
        self.rotate_watched(lock, trust, known, now, &mut |_| {})
    }

    /// As [`Store::rotate_key`], telling of each step, which a crash may follow.
    ///
    /// # Errors
    /// As [`Store::rotate_key`].
    pub fn rotate_key_watched(
        &self,
        lock: &KeyLock,
        trust: &Trust,
        now: Timestamp,
        watch: &mut dyn FnMut(RotationStep),
    ) -> Result<Rotated, StoreError> {
        self.rotate_watched(lock, trust, &[], now, watch)
    }

    fn rotate_watched(
        &self,
        lock: &KeyLock,
        trust: &Trust,
        known: &[Break],
        now: Timestamp,
        watch: &mut dyn FnMut(RotationStep),
    ) -> Result<Rotated, StoreError> {
        clear(self.places(), lock)?;
        let sealed = self.write(|tx| seal_anew(tx, self.places(), trust, known, now, watch));
        if sealed.is_ok() {
            watch(RotationStep::Committed);
        }
        // Whether the transaction took place is for the database to say, not for its error.
        let settled = self.settle(lock);
        let rotated = sealed?;
        settled?;
        watch(RotationStep::InPlace);
        Ok(rotated)
    }

    /// Finishes or undoes a rotation that was cut off; `None`: there was none, one is under way, or
    /// the database goes with neither key.
    ///
    /// # Errors
    /// When the database cannot be written, or a file cannot be moved.
    pub fn settle_rotation(places: &Places) -> Result<Option<Settled>, StoreError> {
        if !is_laid_down(places) && leftovers(places).is_empty() {
            return Ok(None);
        }
        let lock = match KeyLock::take(&places.locks()) {
            Ok(lock) => lock,
            Err(LockError::Held { .. }) => return Ok(None),
            Err(LockError::Fs(e)) => return Err(e.into()),
        };
        clear(places, &lock)?;
        match Self::open_existing(places)? {
            Some(store) => store.settle(&lock),
            None => Ok(None),
        }
    }

    fn settle(&self, _lock: &KeyLock) -> Result<Option<Settled>, StoreError> {
        match self.key_id()? {
            Some(id) if is_laid_down(self.places()) => Ok(settle(self.places(), &id)?),
            _ => Ok(None),
        }
    }

    /// How much is sealed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sealed_counts(&self) -> Result<SealedCounts, StoreError> {
        self.read(|tx| {
            let count = |table: &str| -> Result<usize, StoreError> {
                if !has_table(tx, table)? {
                    return Ok(0);
                }
                let sql = format!("SELECT count(*) FROM {table}");
                let n: i64 = tx.query_row(&sql, [], |row| row.get(0))?;
                Ok(usize::try_from(n).unwrap_or_default())
            };
            Ok(SealedCounts {
                records: count("records")?,
                manifests: count("manifests")?,
                proposals: count("proposals")?,
                decisions: count("journal")?,
                applies: count("intents")?,
                words: count("not_secret")? + count("also_secret")?,
                grants: count("grants")?,
                audit: count("audit")?,
            })
        })
    }
}

/// Removes what a killed rotation left beside the place of the next key: it was never used.
fn clear(places: &Places, _lock: &KeyLock) -> Result<(), FsError> {
    leftovers(places)
        .iter()
        .try_for_each(|path| std::fs::remove_file(path).map_err(FsError::io("remove", path)))
}

fn seal_anew(
    tx: &Transaction<'_>,
    places: &Places,
    old: &Trust,
    known: &[Break],
    now: Timestamp,
    watch: &mut dyn FnMut(RotationStep),
) -> Result<Rotated, StoreError> {
    let left_out = unsealed(tx, old, now)?;
    if let Some(new) = left_out.iter().find(|found| !known.contains(found)) {
        return Err(tampered(new.kind.title()));
    }
    let sound = sound(tx, old)?;
    watch(RotationStep::Checked);
    let last = audit::head(tx)?.map_or(old.begins_after(), |head| head.seq) + 1;
    let next = old.successor(last)?;
    let new = &next.trust;
    let named = |what: &str| json!({ "what": what, "old": old.key_id(), "new": new.key_id() });
    append(tx, old, note(named("retired")), now)?;
    let mut counts = SealedCounts {
        proposals: stage::reseal(tx, old, new)?,
        decisions: journal::reseal(tx, old, new)?,
        applies: apply::reseal(tx, old, new)?,
        words: said::reseal::<Harmless>(tx, old, new)? + said::reseal::<Also>(tx, old, new)?,
        grants: grants::reseal(tx, old, new)?,
        ..SealedCounts::default()
    };
    audit::reseal_head(tx, old, new)?;
    set_meta(tx, "key", new.key_id())?;
    let mut details = named("rotated");
    details["until"] = last.into();
    if !left_out.is_empty() {
        details["left_out"] = listed(&left_out);
    }
    append(tx, new, note(details), now)?;
    for project in sound {
        let Some((manifest, versions)) = records::reseal(tx, (old, new), &project.id, now)? else {
            continue;
        };
        counts.manifests += 1;
        counts.records += versions;
        let details = records::manifest_details(&manifest, json!({ "what": "sealed anew" }));
        let project = Some(&project.id);
        append(
            tx,
            new,
            Note {
                project,
                ..note(details)
            },
            now,
        )?;
    }
    counts.audit = usize::try_from(last).unwrap_or(usize::MAX);
    if left_out.is_empty() {
        all_anew(tx, new)?;
    }
    watch(RotationStep::Resealed);
    // Last, so that no other error leaves it there.
    next.lay_down(places)?;
    watch(RotationStep::LaidDown);
    Ok(Rotated {
        old: old.key_id().to_owned(),
        new: new.key_id().to_owned(),
        last,
        counts,
        left_out,
    })
}

/// Of what was left out so much is named in the record.
const LISTED: usize = 50;

/// Kinds and places, without a word of anybody's text.
fn listed(left_out: &[Break]) -> serde_json::Value {
    let named = left_out.iter().take(LISTED);
    let named: Vec<_> = named
        .map(|found| json!({ "kind": found.kind, "project": found.project, "place": found.place }))
        .collect();
    json!({ "count": left_out.len(), "first": named })
}

fn note(details: serde_json::Value) -> Note<'static> {
    Note {
        act: Act::Key,
        project: None,
        subjects: vec![],
        details,
    }
}

/// What does not verify with the key that the database was sealed with last.
fn unsealed(tx: &Transaction<'_>, old: &Trust, now: Timestamp) -> Result<Vec<Break>, StoreError> {
    if meta(tx, "key")?.is_some_and(|id| id != old.key_id()) {
        return Err(audit::not_whole(tx, old, String::new())?);
    }
    let evidence = evidence::evidence(tx, old, None)?;
    let quiet = |_: &str| String::new();
    Ok(verify_all(&evidence, old, now, &quiet).breaks)
}

/// Projects with records that hold, all of them: of no other anything is sealed anew.
fn sound(tx: &Transaction<'_>, old: &Trust) -> Result<Vec<projects::Project>, StoreError> {
    let mut sound = Vec::new();
    for project in projects::ever(tx)? {
        match records::checked(tx, old, &project.id) {
            Ok((records, _)) if records.iter().all(|r| old.verify(r).is_ok()) => {
                sound.push(project);
            }
            Ok(_) | Err(StoreError::RecordsChanged { .. } | StoreError::Unreadable { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sound)
}

/// Nothing was left out: rows of a project that is not there, say.
fn all_anew(tx: &Transaction<'_>, new: &Trust) -> Result<(), StoreError> {
    for table in [
        "records",
        "manifests",
        "not_secret",
        "also_secret",
        "grants",
    ] {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE key <> ?1)");
        if tx.query_row(&sql, [new.key_id()], |row| row.get(0))? {
            return Err(tampered(format!("a row of {table} that goes with nothing")));
        }
    }
    Ok(())
}
