//! What is left over on disk, and what it is likely to have been.

use super::super::record::{Record, RecordState};
use super::{Broken, Matched, Reason, broken};
use crate::memory::{Entry, title};
use crate::text::{TextHash, shared_words};

/// What a leftover on disk may have been.
pub(super) struct Known<'a> {
    pub older: Vec<&'a Record>,
    pub archived: Vec<&'a Record>,
}

/// Says of each leftover what it is likely to be. Exact explanations go first, likeness last.
pub(super) fn explain(
    left: Vec<(&Entry, TextHash)>,
    mut missing: Vec<&Record>,
    known: &Known<'_>,
    matched: &mut Matched,
) {
    let mut unexplained = Vec::new();
    for (entry, hash) in left {
        if let Some(found) = exact(entry, &hash, &mut missing, known, matched) {
            matched.broken.push(found);
        } else {
            unexplained.push(entry);
        }
    }
    for entry in unexplained {
        match missing.iter().position(|r| is_alike(entry, r)) {
            Some(at) => {
                let record = missing.remove(at);
                matched
                    .broken
                    .push(broken(Reason::Edited, Some(entry), record));
            }
            None => matched.unsealed.push(entry.clone()),
        }
    }
    // A tombstoned entry may leave its file: nobody was given it anyway.
    let gone = missing.into_iter().filter(|r| r.state == RecordState::Live);
    matched.missing.extend(gone.cloned());
}

fn exact(
    entry: &Entry,
    hash: &TextHash,
    missing: &mut Vec<&Record>,
    known: &Known<'_>,
    matched: &Matched,
) -> Option<Broken> {
    let same = |r: &&Record| r.hash() == *hash;
    if let Some(at) = missing.iter().position(same) {
        let record = missing.remove(at);
        let (file, section) = (record.file, record.section.clone());
        return Some(broken(Reason::Moved { file, section }, Some(entry), record));
    }
    let twins = [&matched.sealed, &matched.lapsed, &matched.withheld];
    if let Some(twin) = twins.into_iter().flatten().find(|s| same(&&s.record)) {
        return Some(broken(Reason::Duplicated, Some(entry), &twin.record));
    }
    if let Some(record) = known.archived.iter().copied().find(same) {
        return Some(broken(Reason::CameBack, Some(entry), record));
    }
    let older = known.older.iter().copied().filter(same);
    let record = older.max_by_key(|r| r.version)?;
    let version = record.version;
    let newest = missing.iter().position(|r| r.entry == record.entry);
    let record = newest.map_or(record, |at| missing.remove(at));
    Some(broken(Reason::RolledBack { version }, Some(entry), record))
}

/// Whether an entry looks like a changed form of a record: in the same file, with the same first
/// line or most of its words.
fn is_alike(entry: &Entry, record: &Record) -> bool {
    entry.file == record.file
        && (title(&entry.text) == title(&record.text)
            || shared_words(&record.text, &entry.text) >= 0.5)
}
