//! What a person called a secret besides what the rules find: read by whoever makes a redactor,
//! written by the review alone. The value itself is never here, and what is staged loses it at once.

mod rewrite;

pub use rewrite::Rewritten;

use super::audit;
use super::beside;
use super::error::StoreError;
use super::newest::{Standing, standing};
use super::open::{Store, has_table};
use super::said::{self, Kept};
use crate::redact::also::MOST;
use crate::redact::{Also, NO_FINGERPRINT, Redactor};
use crate::trust::{Act, AlsoSecret, Trust};
use jiff::Timestamp;
use rusqlite::types::Value as Column;
use rusqlite::{Row, Transaction};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

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

impl Kept for Also {
    const TABLE: &'static str = "also_secret";
    const ACT: Act = Act::AlsoSecret;
    const SAYS: &'static str = "also_secret";
    const LETS_OUT: bool = false;
    const COLUMNS: &'static [&'static str] = &["bytes", "chars", "head", "tail"];

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn read(fingerprint: String, row: &Row<'_>, from: usize) -> Result<Self, &'static str> {
        let length = |column| row.get::<_, u32>(column).map_err(|_| "its length is none");
        let end = |column| row.get::<_, u8>(column).map_err(|_| "its ends are none");
        Ok(Self {
            fingerprint,
            bytes: length(from)? as usize,
            chars: length(from + 1)? as usize,
            ends: (end(from + 2)?, end(from + 3)?),
        })
    }

    fn columns(&self) -> Vec<Column> {
        let lengths = [self.bytes, self.chars].map(|n| Column::from(n as i64));
        let ends = [self.ends.0, self.ends.1].map(Column::from);
        lengths.into_iter().chain(ends).collect()
    }
}

/// All rows; those that a person's newest word and their seal vouch for, and the others.
fn all(tx: &Transaction<'_>, trust: &Trust) -> Result<AlsoHidden, StoreError> {
    let said::Words { good, broken, .. } = said::all(tx, trust)?;
    Ok(AlsoHidden {
        values: good,
        broken,
    })
}

/// What counts for nothing, and what should be there and is gone: then it is shown again.
pub(super) fn broken(tx: &Transaction<'_>, trust: &Trust) -> Result<Vec<String>, StoreError> {
    let AlsoHidden { values, mut broken } = all(tx, trust)?;
    let is_there = |f: &str| {
        values.iter().any(|v| v.value.fingerprint == f)
            || broken
                .iter()
                .any(|b| b.starts_with(&format!("value #{f}:")))
    };
    let gone: Vec<String> = said(tx, trust)?
        .into_iter()
        .filter(|f| !is_there(f))
        .map(|f| format!("value #{f}: its row is gone, so that it is shown again"))
        .collect();
    broken.extend(gone);
    Ok(broken)
}

/// The values that a person's newest word calls a secret.
fn said(tx: &Transaction<'_>, trust: &Trust) -> Result<BTreeSet<String>, StoreError> {
    if let Standing::Sealed(newest) = standing(tx, trust)? {
        return Ok(newest.values(Act::AlsoSecret).map(str::to_owned).collect());
    }
    let mut query = tx.prepare_cached(
        "SELECT subjects, details FROM audit WHERE act = 'also-secret' ORDER BY seq",
    )?;
    let rows = query.query_map([], |row| row.try_into())?;
    let mut newest: BTreeMap<String, bool> = BTreeMap::new();
    for row in rows {
        let (fingerprint, details): (String, String) = row?;
        newest.insert(fingerprint, audit::says(&details, "also_secret"));
    }
    let said = newest.into_iter().filter(|(_, said)| *said);
    Ok(said.map(|(fingerprint, _)| fingerprint).collect())
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
            let details = json!({ "bytes": value.bytes, "chars": value.chars });
            said::keep(tx, trust, value.clone(), details, now)?;
            let redactor = redactor.hiding(values);
            let mut done = rewrite::staged(tx, trust, &redactor)?;
            (done.beside, done.unseen) = beside::holding(&self.places().state, &redactor);
            Ok(done)
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
        self.write(|tx| said::take_back::<Also>(tx, trust, fingerprint, now))
    }
}
