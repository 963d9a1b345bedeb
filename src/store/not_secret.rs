//! What a person called no secret: read by whoever makes a redactor, written by the review alone.

use super::error::StoreError;
use super::open::Store;
use super::said::{self, Kept};
use crate::redact::NO_FINGERPRINT;
use crate::trust::{Act, AuditHead, Harmless, NotSecret, Trust};
use jiff::Timestamp;
use rusqlite::types::Value as Column;
use rusqlite::{Row, Transaction};
use serde_json::json;
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
    /// What counts for nothing until it is said again, since the audit chain is broken after it.
    pub lapsed: Vec<String>,
    /// Rows that count for nothing, and why.
    pub broken: Vec<String>,
}

impl Allowed {
    /// The fingerprints.
    #[must_use]
    pub fn fingerprints(&self) -> BTreeSet<String> {
        let all = self.values.iter().map(|v| v.value.fingerprint.clone());
        all.collect()
    }
}

impl Kept for Harmless {
    const TABLE: &'static str = "not_secret";
    const ACT: Act = Act::NotSecret;
    const SAYS: &'static str = "not_secret";
    const LETS_OUT: bool = true;
    const COLUMNS: &'static [&'static str] = &["rule", "length"];

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn read(fingerprint: String, row: &Row<'_>, from: usize) -> Result<Self, &'static str> {
        let text = |column| row.get::<_, String>(column).map_err(|_| "it is no text");
        Ok(Self {
            fingerprint,
            rule: text(from)?,
            length: text(from + 1)?,
        })
    }

    fn columns(&self) -> Vec<Column> {
        vec![self.rule.clone().into(), self.length.clone().into()]
    }
}

/// All rows; those that a person's newest word and their seal vouch for, and the others.
pub(super) fn all(tx: &Transaction<'_>, trust: &Trust) -> Result<Allowed, StoreError> {
    let words = said::all::<Harmless>(tx, trust)?;
    let lapsed = words.lapsed.iter().map(|said| {
        let fingerprint = &said.value.fingerprint;
        format!("value #{fingerprint}: the audit chain is broken since; say it again in the review")
    });
    Ok(Allowed {
        lapsed: lapsed.collect(),
        values: words.good,
        broken: words.broken,
    })
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
        let value = Harmless {
            fingerprint: fingerprint.to_owned(),
            rule: rule.to_owned(),
            length: length.to_owned(),
        };
        let details = json!({ "rule": rule, "length": length });
        self.write(|tx| said::keep(tx, trust, value, details, now))
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
        self.write(|tx| said::take_back::<Harmless>(tx, trust, fingerprint, now))
    }
}
