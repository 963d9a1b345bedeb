//! What a person called no secret: read by whoever makes a redactor, written by the review alone.

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::open::{Store, has_table};
use super::projects::parse;
use crate::redact::NO_FINGERPRINT;
use crate::trust::{Act, AuditHead, NotSecret, Seal, Trust};
use jiff::Timestamp;
use rusqlite::{Row, Transaction};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A value that the redactor hid, as its hits name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenValue<'a> {
    /// Its keyed fingerprint, 32 hex digits.
    pub fingerprint: &'a str,
    /// The rule that hid it.
    pub rule: &'a str,
    /// Its length in bytes, as a bucket.
    pub length: &'a str,
}

/// Values that the redactor lets through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed {
    /// What a person called no secret, by fingerprint.
    pub values: Vec<NotSecret>,
    /// Rows that count for nothing, and why.
    pub broken: Vec<String>,
}

impl Allowed {
    /// The fingerprints.
    #[must_use]
    pub fn fingerprints(&self) -> BTreeSet<String> {
        let all = self.values.iter().map(|v| v.fingerprint.clone());
        all.collect()
    }
}

/// All rows; those that a person's newest word and their seal vouch for, and the others.
pub(super) fn all(tx: &Transaction<'_>, trust: &Trust) -> Result<Allowed, StoreError> {
    let mut allowed = Allowed::default();
    if !has_table(tx, "not_secret")? {
        return Ok(allowed);
    }
    let sql = "SELECT fingerprint, format, rule, length, at, key, seal FROM not_secret
               ORDER BY fingerprint";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let fingerprint: String = row.get(0)?;
        match holds(tx, trust, row)? {
            Ok(said) => allowed.values.push(said),
            Err(why) => allowed.broken.push(format!("value #{fingerprint}: {why}")),
        }
    }
    Ok(allowed)
}

/// A row as a value, or why it counts for nothing.
fn holds(
    tx: &Transaction<'_>,
    trust: &Trust,
    row: &Row<'_>,
) -> Result<Result<NotSecret, String>, StoreError> {
    let at: String = row.get(4)?;
    let Ok(at) = parse("time", &at) else {
        return Ok(Err("its time is none".to_owned()));
    };
    let said = NotSecret {
        fingerprint: row.get(0)?,
        format: row.get(1)?,
        rule: row.get(2)?,
        length: row.get(3)?,
        at,
        key: row.get(5)?,
        seal: Seal::stored(row.get::<_, String>(6)?),
    };
    if let Err(why) = trust.verify_not_secret(&said) {
        return Ok(Err(why.to_string()));
    }
    // A row that was taken back may be put there again as it was.
    match is_said(tx, &said.fingerprint)? {
        true => Ok(Ok(said)),
        false => Ok(Err("the audit chain does not say so".to_owned())),
    }
}

/// Whether the newest act on a fingerprint calls it no secret.
fn is_said(tx: &Transaction<'_>, fingerprint: &str) -> Result<bool, StoreError> {
    audit::is_said(tx, Act::NotSecret, fingerprint, "not_secret")
}

impl Store {
    /// What a person called no secret. A row whose seal does not hold counts for nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn not_secret(&self, trust: &Trust) -> Result<Allowed, StoreError> {
        self.read(|tx| all(tx, trust))
    }

    /// Keeps a person's word, given on a terminal, that a hidden value is no secret.
    ///
    /// # Errors
    /// When it is the fingerprint of no value, or the database cannot be written.
    pub fn set_not_secret(
        &self,
        trust: &Trust,
        value: HiddenValue<'_>,
        now: Timestamp,
    ) -> Result<AuditHead, StoreError> {
        let HiddenValue {
            fingerprint,
            rule,
            length,
        } = value;
        let digits = fingerprint.bytes();
        let fits = digits.clone().all(|b| b.is_ascii_hexdigit()) && digits.len() == 32;
        if !fits || fingerprint == NO_FINGERPRINT {
            let what = fingerprint.chars().take(40).collect();
            return Err(StoreError::NoFingerprint(what));
        }
        let said = trust.seal_not_secret(NotSecret {
            format: 0,
            fingerprint: fingerprint.to_owned(),
            rule: rule.to_owned(),
            length: length.to_owned(),
            at: now,
            key: String::new(),
            seal: Seal::default(),
        });
        self.write(|tx| {
            remove(tx, fingerprint)?;
            insert(tx, &said)?;
            let details = json!({ "rule": rule, "length": length, "not_secret": true });
            append(tx, trust, note(fingerprint, details), now)
        })
    }

    /// Takes it back: the value with this fingerprint is a secret again. Nothing is done where it was
    /// one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn unset_not_secret(
        &self,
        trust: &Trust,
        fingerprint: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            // Also when only the row is gone: it could be put there again.
            if remove(tx, fingerprint)? || is_said(tx, fingerprint)? {
                let details = json!({ "not_secret": false });
                append(tx, trust, note(fingerprint, details), now)?;
            }
            Ok(())
        })
    }
}

fn note(fingerprint: &str, details: Value) -> Note<'_> {
    Note {
        act: Act::NotSecret,
        project: None,
        subjects: vec![fingerprint],
        details,
    }
}

/// Whether there was one.
fn remove(tx: &Transaction<'_>, fingerprint: &str) -> Result<bool, StoreError> {
    let sql = "DELETE FROM not_secret WHERE fingerprint = ?1";
    Ok(tx.prepare_cached(sql)?.execute([fingerprint])? > 0)
}

fn insert(tx: &Transaction<'_>, said: &NotSecret) -> Result<(), StoreError> {
    let sql = "INSERT INTO not_secret (fingerprint, format, rule, length, at, key, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    tx.prepare_cached(sql)?.execute((
        &said.fingerprint,
        said.format,
        &said.rule,
        &said.length,
        said.at.to_string(),
        &said.key,
        said.seal.as_str(),
    ))?;
    Ok(())
}
