//! Entries on disk find their records.
//!
//! By file, section, text and ordinal; what is left over on either side is told apart: edited,
//! moved, duplicated, put back to an older version. Only [`Matched::sealed`] is for agents.

mod explain;

use explain::{Known, explain};

use super::key::Trust;
use super::record::{Record, RecordState};
use super::seal::SealError;
use crate::id::EntryId;
use crate::memory::{Entry, MemoryFile};
use crate::text::TextHash;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// An entry with the record that vouches for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedEntry {
    /// As it stands on disk.
    pub entry: Entry,
    /// Its newest record.
    pub record: Record,
}

/// Why an entry or a record is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The record's seal does not hold.
    Seal(SealError),
    /// The text was changed outside memd.
    Edited,
    /// It stands in another file or section than it was accepted for.
    Moved {
        /// The file it was accepted for.
        file: MemoryFile,
        /// The section it was accepted for.
        section: String,
    },
    /// A copy of an entry that was accepted once.
    Duplicated,
    /// It is an older version of the entry.
    RolledBack {
        /// The version it is.
        version: u32,
    },
    /// It was archived, and is back.
    CameBack,
}

/// Something that was accepted once and is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Why it is not trusted.
    pub reason: Reason,
    /// What stands on disk; `None`: only the record is concerned.
    pub entry: Option<Entry>,
    /// The record it is likely to belong to: the newest one, where that does not stand elsewhere.
    pub record: Record,
}

impl Broken {
    /// Whether it stands in the stead of what its record vouches for, which is nowhere now.
    #[must_use]
    pub fn is_displaced(&self) -> bool {
        match self.reason {
            Reason::Edited | Reason::Moved { .. } => true,
            Reason::RolledBack { version } => {
                version < self.record.version && self.record.state != RecordState::Archived
            }
            Reason::Seal(_) | Reason::Duplicated | Reason::CameBack => false,
        }
    }
}

/// Entries and records, told apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matched {
    /// Live, verified, not lapsed: for brief, recall and prompt.
    pub sealed: Vec<SealedEntry>,
    /// Verified, but no person accepted it in time: for review only.
    pub lapsed: Vec<SealedEntry>,
    /// Verified, and taken back by a person: stands in its file, given to nobody.
    pub withheld: Vec<SealedEntry>,
    /// On disk, and nothing is known of it.
    pub unsealed: Vec<Entry>,
    /// Known once and not what it was.
    pub broken: Vec<Broken>,
    /// Accepted, and gone from disk.
    pub missing: Vec<Record>,
    /// Archived or taken back by a person, and verified: they can be brought back. Those that
    /// stand in a file all the same are among the others as well.
    pub gone: Vec<Record>,
}

impl Matched {
    /// What stands on disk without being trusted, in file order: what "changed on disk" offers.
    #[must_use]
    pub fn untrusted(&self) -> Vec<&Entry> {
        let broken = self.broken.iter().filter_map(|b| b.entry.as_ref());
        let mut all: Vec<_> = self.unsealed.iter().chain(broken).collect();
        all.sort_by_key(|e| (e.file, e.range.start));
        all
    }

    /// Whether disk and records agree.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.unsealed.is_empty() && self.broken.is_empty() && self.missing.is_empty()
    }

    /// The verified entry with this id, lapsed and withheld ones included.
    #[must_use]
    pub fn find(&self, id: &EntryId) -> Option<&SealedEntry> {
        let all = self.sealed.iter().chain(&self.lapsed).chain(&self.withheld);
        all.into_iter().find(|s| s.record.entry == *id)
    }
}

type Key = (MemoryFile, String, TextHash);

/// Matches the entries of the four files, in file order, to a project's records.
///
/// `records` may hold older versions; then an entry that was rolled back is recognised as such.
#[must_use]
pub fn match_entries<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
    records: &[Record],
    trust: &Trust,
    now: Timestamp,
) -> Matched {
    let mut matched = Matched::default();
    let mut older = Vec::new();
    let mut expected: BTreeMap<Key, Vec<&Record>> = BTreeMap::new();
    let mut archived = Vec::new();
    for (record, is_current) in with_currency(records) {
        match (trust.verify(record), is_current, record.state) {
            (Err(e), true, _) => matched.broken.push(broken(Reason::Seal(e), None, record)),
            (Err(_), false, _) => {}
            (Ok(()), false, _) => older.push(record),
            (Ok(()), true, RecordState::Archived) => archived.push(record),
            (Ok(()), true, state) => {
                if state == RecordState::Tombstoned {
                    matched.gone.push(record.clone());
                }
                expected
                    .entry((record.file, record.section.clone(), record.hash()))
                    .or_default()
                    .push(record);
            }
        }
    }
    matched.gone.extend(archived.iter().copied().cloned());
    let left = pair(entries, &mut expected, &mut matched, now);
    let mut missing: Vec<&Record> = expected.into_values().flatten().collect();
    missing.sort_by(|a, b| a.entry.cmp(&b.entry));
    let known = Known { older, archived };
    explain(left, missing, &known, &mut matched);
    matched
}

/// Each record, and whether it is the newest version of its entry.
fn with_currency(records: &[Record]) -> impl Iterator<Item = (&Record, bool)> {
    let mut newest: BTreeMap<&EntryId, u32> = BTreeMap::new();
    for record in records {
        let version = newest.entry(&record.entry).or_default();
        *version = record.version.max(*version);
    }
    records
        .iter()
        .map(move |r| (r, newest.get(&r.entry) == Some(&r.version)))
}

/// Takes the exact matches out on both sides; equal twins pair in order. Gives what is left on
/// disk, each with whether an equal one was paired.
fn pair<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
    expected: &mut BTreeMap<Key, Vec<&Record>>,
    matched: &mut Matched,
    now: Timestamp,
) -> Vec<(&'a Entry, TextHash)> {
    for twins in expected.values_mut() {
        // Popped from the end: the oldest first, a withheld one last.
        twins.sort_by(|a, b| {
            let key = |r: &&Record| (r.state, r.created, r.entry.clone());
            key(b).cmp(&key(a))
        });
    }
    let mut left = Vec::new();
    for entry in entries {
        let hash = entry.hash();
        let key = (entry.file, entry.section.clone(), hash.clone());
        match expected.get_mut(&key).and_then(Vec::pop) {
            Some(record) => place(entry, record, matched, now),
            None => left.push((entry, hash)),
        }
    }
    left
}

pub(super) fn place(entry: &Entry, record: &Record, matched: &mut Matched, now: Timestamp) {
    let sealed = SealedEntry {
        entry: entry.clone(),
        record: record.clone(),
    };
    if record.state == RecordState::Tombstoned {
        matched.withheld.push(sealed);
    } else if record.is_lapsed(now) {
        matched.lapsed.push(sealed);
    } else {
        matched.sealed.push(sealed);
    }
}

fn broken(reason: Reason, entry: Option<&Entry>, record: &Record) -> Broken {
    Broken {
        reason,
        entry: entry.cloned(),
        record: record.clone(),
    }
}

#[cfg(test)]
mod tests;
