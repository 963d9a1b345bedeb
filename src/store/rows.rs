//! Rows of which columns are not sealed, looked through for what no memd wrote there: what cannot be
//! read, and what says otherwise than what is sealed. It stops nothing ([`super::lenient`]); here it is
//! named, and a person has it computed again or taken out ([`mend`]).

mod against;
mod mend;
mod tables;

#[cfg(test)]
pub(super) use tables::columns;

use super::error::StoreError;
use super::open::Store;
use crate::id::ProjectId;
use crate::trust::{Break, BreakKind, Trust};
use jiff::Timestamp;
use rusqlite::Transaction;
use std::collections::BTreeSet;

/// A value in a row that no memd wrote there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrayValue {
    pub(super) table: &'static str,
    pub(super) column: &'static str,
    /// The bytes of each column of its table's key.
    pub(super) key: Vec<Vec<u8>>,
    /// Its project, as far as it can be read.
    pub project: Option<ProjectId>,
    /// What is wrong with it, as a lower-case fragment.
    pub what: String,
}

/// What became of values that no memd wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MendedValues {
    /// Values that were computed again from what is sealed.
    pub computed: usize,
    /// Rows that were taken out.
    pub taken_out: usize,
}

impl StrayValue {
    /// Table, column and row, for people.
    #[must_use]
    pub fn place(&self) -> String {
        let key: Vec<_> = self.key.iter().map(|bytes| tables::shown(bytes)).collect();
        let (table, column) = (self.table, self.column);
        format!("table {table}, column {column}, row {}", key.join(" "))
    }

    pub(super) fn found(&self) -> Break {
        Break {
            kind: BreakKind::StrayValue,
            project: self.project.clone(),
            place: self.place(),
            what: self.what.clone(),
        }
    }
}

/// All of them, of one project or of all; each once.
pub(super) fn look(
    tx: &Transaction<'_>,
    trust: &Trust,
    only: Option<&ProjectId>,
) -> Result<Vec<StrayValue>, StoreError> {
    let mut all = tables::unreadable(tx)?;
    all.extend(against::chain(tx, trust)?);
    all.extend(against::sealed(tx, trust)?);
    all.extend(against::owed(tx)?);
    let mut named = BTreeSet::new();
    all.retain(|stray| {
        let is_asked = only.is_none_or(|id| stray.project.as_ref() == Some(id));
        is_asked && named.insert((stray.table, stray.column, stray.key.clone()))
    });
    Ok(all)
}

impl Store {
    /// Values that no memd wrote, of one project or of all.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn stray_values(
        &self,
        trust: &Trust,
        only: Option<&ProjectId>,
    ) -> Result<Vec<StrayValue>, StoreError> {
        self.read(|tx| look(tx, trust, only))
    }

    /// Computes those again that what is sealed says, and takes the rows of the others out; on record.
    /// `None`: they are not those that were `seen` any more, and nothing was done.
    ///
    /// # Errors
    /// When the database cannot be written, or the chain's head is not the one that was sealed.
    pub fn mend_values(
        &self,
        trust: &Trust,
        seen: &[StrayValue],
        only: Option<&ProjectId>,
        now: Timestamp,
    ) -> Result<Option<MendedValues>, StoreError> {
        self.write(|tx| {
            let found = look(tx, trust, only)?;
            match found == seen {
                true => mend::all(tx, trust, &found, now).map(Some),
                false => Ok(None),
            }
        })
    }
}
