//! A change against memory as it stands now, which may have moved on since the change was made.

use super::{Change, KnownEntry, Op, Target};
use crate::memory::{Entry, Memory, MemoryFile, title};
use crate::text::{shared_words, statement};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// How alike two texts are that count as one entry, changed since.
const ALIKE: f64 = 0.5;

/// How a change relates to memory as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebased {
    /// It can be applied: to the entry with this number in its file, or as an addition.
    Stands(Option<usize>),
    /// Its target left the file.
    Gone,
    /// Its target reads otherwise now: base, now and proposed are shown, and it is decided afresh.
    Changed {
        /// The entry's number in its file.
        entry: usize,
        /// Its text now.
        now: String,
    },
    /// Its new text already stands, as the entry with this number in its file.
    AlreadyThere(usize),
}

/// Looks for what a change is about in memory as it stands. `entries` (may be empty) help to find
/// a target whose text has changed through a record.
#[must_use]
pub fn rebase(change: &Change, memory: &Memory, entries: &[KnownEntry]) -> Rebased {
    rebase_in(change, memory, entries, &Said::default())
}

/// As [`rebase`], of many changes at once, in their order.
#[must_use]
pub fn rebase_all(changes: &[Change], memory: &Memory, entries: &[KnownEntry]) -> Vec<Rebased> {
    let said = Said::default();
    let all = changes.iter();
    all.map(|c| rebase_in(c, memory, entries, &said)).collect()
}

/// Which entry says what: found once for all changes of a file.
#[derive(Default)]
pub(super) struct Said(RefCell<BTreeMap<MemoryFile, HashMap<String, usize>>>);

impl Said {
    fn find(&self, memory: &Memory, file: MemoryFile, text: &str) -> Option<usize> {
        let mut files = self.0.borrow_mut();
        let said = files.entry(file).or_insert_with(|| {
            let entries = memory.doc(file).entries().iter().enumerate().rev();
            entries.map(|(at, e)| (statement(&e.text), at)).collect()
        });
        said.get(&statement(text)).copied()
    }
}

/// As [`rebase`], for many changes against one memory.
pub(super) fn rebase_in(
    change: &Change,
    memory: &Memory,
    entries: &[KnownEntry],
    said: &Said,
) -> Rebased {
    let now = memory.doc(change.file).entries();
    let there = || said.find(memory, change.file, &change.text);
    let Some(target) = &change.target else {
        return match there() {
            Some(entry) => Rebased::AlreadyThere(entry),
            None => Rebased::Stands(None),
        };
    };
    // Whatever else reads like the target did: the entry itself is the one that its record names.
    let recorded = recorded(target, now, entries);
    let is_same = |e: &Entry| e.text == target.text && e.section == change.section;
    let stands = match recorded {
        Some(entry) => now.get(entry).is_some_and(is_same).then_some(entry),
        None => exact(change, target, now),
    };
    if let Some(entry) = stands {
        return Rebased::Stands(Some(entry));
    }
    if change.op == Op::Edit
        && let Some(entry) = there()
    {
        return Rebased::AlreadyThere(entry);
    }
    match recorded.or_else(|| alike(change, target, now)) {
        Some(entry) => Rebased::Changed {
            entry,
            now: now[entry].text.clone(),
        },
        None => Rebased::Gone,
    }
}

/// The same text in the same section: in its place, else the last of its twins.
fn exact(change: &Change, target: &Target, now: &[Entry]) -> Option<usize> {
    let is_same = |e: &Entry| e.text == target.text && e.section == change.section;
    let exactly = now
        .iter()
        .position(|e| is_same(e) && e.ordinal == target.ordinal);
    exactly.or_else(|| now.iter().rposition(is_same))
}

fn recorded(target: &Target, now: &[Entry], entries: &[KnownEntry]) -> Option<usize> {
    let id = target.entry.as_ref()?;
    let known = entries.iter().find(|e| e.id == *id)?;
    now.iter().position(|e| known.is(e))
}

fn alike(change: &Change, target: &Target, now: &[Entry]) -> Option<usize> {
    let heading = target
        .text
        .starts_with('#')
        .then(|| statement(&title(&target.text)));
    let score = |e: &Entry| {
        if heading.as_deref() == Some(&statement(&title(&e.text))) {
            return 1.0;
        }
        let score = shared_words(&target.text, &e.text).min(shared_words(&e.text, &target.text));
        if e.section == change.section {
            score
        } else {
            score / 2.0
        }
    };
    now.iter()
        .enumerate()
        .map(|(at, e)| (score(e), at))
        .filter(|(score, _)| *score >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, at)| at)
}
