//! What a person was shown of a proposal: what they decide holds for just that.
//!
//! Compared in the transaction that keeps a decision or begins an apply. Whatever has changed the
//! row since, or what counts as a secret, makes the decision one over another text: it is refused.

use super::error::StoreError;
use super::journal::{self, Journal, Seq};
use super::open::{Store, has_table};
use super::stage;
use crate::id::ProposalId;
use crate::proposal::Proposal;
use crate::text::TextHash;
use crate::trust::Trust;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Row, Transaction};

/// A proposal at one moment, and what it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// As it was staged.
    pub proposal: Proposal,
    /// What was decided on it so far.
    pub journal: Journal,
    /// What whoever decides on it hands back.
    pub shown: Shown,
}

/// How everything stood that a person looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The journal's last step.
    pub last: Seq,
    row: Option<TextHash>,
    words: Option<TextHash>,
}

impl From<Seq> for Shown {
    /// The journal's last step alone, for whoever has shown no text to anybody.
    fn from(last: Seq) -> Self {
        Self {
            last,
            row: None,
            words: None,
        }
    }
}

impl Shown {
    /// Whether the proposal reads as it did then, and the same values count as secrets.
    #[must_use]
    pub fn is_same_text(&self, now: &Self) -> bool {
        self.row == now.row && self.words == now.words
    }

    /// The same text, with what counts as a secret now.
    pub fn take_words(&mut self, now: &Self) {
        self.words.clone_from(&now.words);
    }

    fn of(tx: &Transaction<'_>, id: &ProposalId, last: Seq) -> Result<Self, StoreError> {
        Ok(Self {
            last,
            row: row(tx, id)?,
            words: Some(words(tx)?),
        })
    }
}

/// Refuses what was shown otherwise than it stands.
pub(super) fn check(
    tx: &Transaction<'_>,
    id: &ProposalId,
    shown: &Shown,
) -> Result<(), StoreError> {
    let changed = |what| {
        let id = id.clone();
        Err(StoreError::NotAsShown { id, what })
    };
    if shown.row.is_some() && row(tx, id)? != shown.row {
        return changed("its text or evidence was changed");
    }
    if let Some(seen) = &shown.words
        && words(tx)? != *seen
    {
        return changed("what counts as a secret was changed");
    }
    Ok(())
}

/// The proposal's sealed row.
pub(super) fn row(tx: &Transaction<'_>, id: &ProposalId) -> Result<Option<TextHash>, StoreError> {
    let sql = "SELECT project, kind, body, seal FROM proposals WHERE id = ?1";
    let mut query = tx.prepare_cached(sql)?;
    Ok(query.query_row([id.as_str()], hash).optional()?)
}

fn hash(row: &Row<'_>) -> rusqlite::Result<TextHash> {
    let mut all = Vec::new();
    add(row, &mut all)?;
    Ok(TextHash::of(all))
}

/// Every column of a row, each with its kind and length before it.
fn add(row: &Row<'_>, all: &mut Vec<u8>) -> rusqlite::Result<()> {
    for column in 0..row.as_ref().column_count() {
        let (kind, bytes) = match row.get_ref(column)? {
            ValueRef::Null => (b'0', Vec::new()),
            ValueRef::Integer(n) => (b'i', n.to_le_bytes().to_vec()),
            ValueRef::Real(n) => (b'r', n.to_le_bytes().to_vec()),
            ValueRef::Text(bytes) => (b't', bytes.to_vec()),
            ValueRef::Blob(bytes) => (b'b', bytes.to_vec()),
        };
        all.push(kind);
        all.extend((bytes.len() as u64).to_le_bytes());
        all.extend(bytes);
    }
    Ok(())
}

/// All that a person said of secrets.
fn words(tx: &Transaction<'_>) -> Result<TextHash, StoreError> {
    let mut all = Vec::new();
    for table in ["also_secret", "not_secret"] {
        if has_table(tx, table)? {
            let sql = format!("SELECT * FROM {table} ORDER BY fingerprint");
            let mut query = tx.prepare_cached(&sql)?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                add(row, &mut all)?;
            }
        }
        all.push(b'.');
    }
    Ok(TextHash::of(all))
}

impl Store {
    /// A proposal with its journal, to be shown to a person.
    ///
    /// # Errors
    /// As [`Store::proposal`] and [`Store::decisions`].
    pub fn opened(&self, trust: &Trust, id: &ProposalId) -> Result<Opened, StoreError> {
        self.read(|tx| {
            let proposal = stage::load(tx, trust, id)?;
            let journal = journal::load(tx, trust, id)?;
            let shown = Shown::of(tx, id, journal.last)?;
            Ok(Opened {
                proposal,
                journal,
                shown,
            })
        })
    }

    /// How a proposal stands now, to be compared with what was shown. Its seals are not looked at.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn stands(&self, id: &ProposalId, last: Seq) -> Result<Shown, StoreError> {
        self.read(|tx| Shown::of(tx, id, last))
    }

    /// What counts as a secret because of a person's word, as a hash to compare.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn words_said(&self) -> Result<TextHash, StoreError> {
        self.read(words)
    }
}
