//! What a person called a secret besides what the rules find: read by whoever makes a redactor,
//! written by the review alone. The value itself is never here, and what is staged loses it at once.

mod rewrite;

pub use rewrite::Rewritten;

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::open::{Store, has_table};
use super::projects::parse;
use crate::redact::also::MOST;
use crate::redact::{Also, NO_FINGERPRINT, Redactor};
use crate::trust::{Act, AlsoSecret, Seal, Trust};
use jiff::Timestamp;
use rusqlite::{Row, Transaction};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Values that the redactor hides because a person said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlsoHidden {
    /// What a person called a secret, by fingerprint.
    pub values: Vec<AlsoSecret>,
    /// Rows that count for nothing, and why.
    pub broken: Vec<String>,
}

impl AlsoHidden {
    /// What the redactor looks for.
    #[must_use]
    pub fn to_hide(&self) -> Vec<Also> {
        self.values.iter().map(|v| v.value.clone()).collect()
    }
}

/// All rows; those that a person's newest word and their seal vouch for, and the others.
fn all(tx: &Transaction<'_>, trust: &Trust) -> Result<AlsoHidden, StoreError> {
    let mut hidden = AlsoHidden::default();
    if !has_table(tx, "also_secret")? {
        return Ok(hidden);
    }
    let sql = "SELECT fingerprint, format, bytes, chars, head, tail, at, key, seal
               FROM also_secret ORDER BY fingerprint";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let fingerprint: String = row.get(0)?;
        match holds(tx, trust, row)? {
            Ok(said) => hidden.values.push(said),
            Err(why) => hidden.broken.push(format!("value #{fingerprint}: {why}")),
        }
    }
    Ok(hidden)
}

/// What counts for nothing, and what should be there and is gone: then it is shown again.
pub(super) fn broken(tx: &Transaction<'_>, trust: &Trust) -> Result<Vec<String>, StoreError> {
    let AlsoHidden { values, mut broken } = all(tx, trust)?;
    let mut query = tx.prepare_cached(
        "SELECT subjects, details FROM audit WHERE act = 'also-secret' ORDER BY seq",
    )?;
    let rows = query.query_map([], |row| row.try_into())?;
    let mut newest: BTreeMap<String, bool> = BTreeMap::new();
    for row in rows {
        let (fingerprint, details): (String, String) = row?;
        newest.insert(fingerprint, audit::says(&details, "also_secret"));
    }
    let is_there = |f: &str| {
        values.iter().any(|v| v.value.fingerprint == f)
            || broken
                .iter()
                .any(|b| b.starts_with(&format!("value #{f}:")))
    };
    let gone: Vec<String> = newest
        .into_iter()
        .filter(|(f, said)| *said && !is_there(f))
        .map(|(f, _)| format!("value #{f}: its row is gone, so that it is shown again"))
        .collect();
    broken.extend(gone);
    Ok(broken)
}

/// A row as a value, or why it counts for nothing.
fn holds(
    tx: &Transaction<'_>,
    trust: &Trust,
    row: &Row<'_>,
) -> Result<Result<AlsoSecret, String>, StoreError> {
    let at: String = row.get(6)?;
    let Ok(at) = parse("time", &at) else {
        return Ok(Err("its time is none".to_owned()));
    };
    let length = |column| row.get::<_, u32>(column).map(|n| n as usize);
    let (Ok(bytes), Ok(chars)) = (length(2), length(3)) else {
        return Ok(Err("its length is none".to_owned()));
    };
    let said = AlsoSecret {
        format: row.get(1)?,
        value: Also {
            fingerprint: row.get(0)?,
            bytes,
            chars,
            ends: (row.get(4)?, row.get(5)?),
        },
        at,
        key: row.get(7)?,
        seal: Seal::stored(row.get::<_, String>(8)?),
    };
    if let Err(why) = trust.verify_also_secret(&said) {
        return Ok(Err(why.to_string()));
    }
    // A row that was taken back may be put there again as it was.
    match is_said(tx, &said.value.fingerprint)? {
        true => Ok(Ok(said)),
        false => Ok(Err("the audit chain does not say so".to_owned())),
    }
}

/// Whether the newest act on a fingerprint calls it a secret.
fn is_said(tx: &Transaction<'_>, fingerprint: &str) -> Result<bool, StoreError> {
    audit::is_said(tx, Act::AlsoSecret, fingerprint, "also_secret")
}

/// What was called a secret since whoever stages read the list leaves what was staged just now.
pub(super) fn clean(tx: &Transaction<'_>, trust: &Trust) -> Result<(), StoreError> {
    let values = all(tx, trust)?.to_hide();
    if values.is_empty() {
        return Ok(());
    }
    let redactor = Redactor::new(&[], trust.redaction_key()).0.hiding(values);
    rewrite::staged(tx, trust, &redactor).map(drop)
}

impl Store {
    /// Whether anything is kept here, good or not; without looking closer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_also_secret(&self) -> Result<bool, StoreError> {
        self.read(|tx| {
            let sql = "SELECT EXISTS (SELECT 1 FROM also_secret)";
            Ok(has_table(tx, "also_secret")? && tx.query_row(sql, [], |row| row.get(0))?)
        })
    }

    /// What a person called a secret. A row whose seal does not hold counts for nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn also_secret(&self, trust: &Trust) -> Result<AlsoHidden, StoreError> {
        self.read(|tx| all(tx, trust))
    }

    /// Keeps a person's word, given on a terminal, that a value is a secret, and takes the value out
    /// of everything staged. `redactor` finds what is kept so far; it need not know the new one.
    ///
    /// # Errors
    /// When too many are kept already, or the database cannot be written: then nothing is kept.
    pub fn set_also_secret(
        &self,
        trust: &Trust,
        value: &Also,
        redactor: Redactor,
        now: Timestamp,
    ) -> Result<Rewritten, StoreError> {
        if value.fingerprint == NO_FINGERPRINT {
            return Err(StoreError::NoFingerprint(value.fingerprint.clone()));
        }
        let mut rewritten = self.write(|tx| {
            let known = all(tx, trust)?;
            let others = known.to_hide().into_iter();
            let mut values: Vec<Also> = others
                .filter(|v| v.fingerprint != value.fingerprint)
                .collect();
            if values.len() >= MOST {
                return Err(StoreError::TooManySecrets(MOST));
            }
            values.push(value.clone());
            let said = trust.seal_also_secret(AlsoSecret {
                format: 0,
                value: value.clone(),
                at: now,
                key: String::new(),
                seal: Seal::default(),
            });
            remove(tx, &value.fingerprint)?;
            insert(tx, &said)?;
            let details = json!({
                "bytes": value.bytes, "chars": value.chars, "also_secret": true,
            });
            append(tx, trust, note(&value.fingerprint, details), now)?;
            rewrite::staged(tx, trust, &redactor.hiding(values))
        })?;
        rewritten.is_wiped = self.wipe();
        Ok(rewritten)
    }

    /// Takes it back: the value with this fingerprint is shown again, where no rule hides it. Nothing
    /// is done where it was not kept.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn unset_also_secret(
        &self,
        trust: &Trust,
        fingerprint: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            // Also when only the row is gone: it could be put there again.
            if remove(tx, fingerprint)? || is_said(tx, fingerprint)? {
                let details = json!({ "also_secret": false });
                append(tx, trust, note(fingerprint, details), now)?;
            }
            Ok(())
        })
    }
}

fn note(fingerprint: &str, details: Value) -> Note<'_> {
    Note {
        act: Act::AlsoSecret,
        project: None,
        subjects: vec![fingerprint],
        details,
    }
}

/// Whether there was one.
fn remove(tx: &Transaction<'_>, fingerprint: &str) -> Result<bool, StoreError> {
    let sql = "DELETE FROM also_secret WHERE fingerprint = ?1";
    Ok(tx.prepare_cached(sql)?.execute([fingerprint])? > 0)
}

fn insert(tx: &Transaction<'_>, said: &AlsoSecret) -> Result<(), StoreError> {
    let sql = "INSERT INTO also_secret
                   (fingerprint, format, bytes, chars, head, tail, at, key, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    tx.prepare_cached(sql)?.execute((
        &said.value.fingerprint,
        said.format,
        said.value.bytes as i64,
        said.value.chars as i64,
        said.value.ends.0,
        said.value.ends.1,
        said.at.to_string(),
        &said.key,
        said.seal.as_str(),
    ))?;
    Ok(())
}
