//! One thing worth keeping, and the choice among many.

use super::super::{PromptEntry, ProposedChange};
use super::quote;
use crate::memory::MemoryFile;
use crate::text::shared_words;

/// A change that might be proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) file: MemoryFile,
    pub(super) section: Option<String>,
    /// The entry's whole text.
    pub(super) text: String,
    /// The words that carry it, for telling duplicates.
    pub(super) gist: String,
    pub(super) evidence: Vec<u32>,
    /// How much a person would want it; compared only with other candidates.
    pub(super) score: i32,
}

/// What scores less is not proposed, however few others there are.
const WORTH: i32 = 50;
/// Two candidates of which one shares this much of its words with the other are one.
const SAME: f64 = 0.6;

/// From this score on a person asked for it in so many words: nothing crowds it out, and only what
/// says nearly the same stands for it.
pub(super) const EXPLICIT: i32 = 96;
/// As [`SAME`], for those.
const NEARLY_EQUAL: f64 = 0.9;

impl Candidate {
    pub(super) fn title(&self) -> String {
        quote::trim_to(&crate::memory::title(&self.text), 80)
    }

    pub(super) fn into_change(self) -> ProposedChange {
        ProposedChange::Add {
            file: self.file,
            section: self.section,
            text: self.text,
            evidence: self.evidence,
        }
    }

    fn is_explicit(&self) -> bool {
        self.score >= EXPLICIT
    }

    /// Whether it says nothing that the other does not say.
    fn is_like(&self, other: &Candidate) -> bool {
        let there = shared_words(&self.gist, &other.gist);
        let back = shared_words(&other.gist, &self.gist);
        if self.is_explicit() {
            there >= NEARLY_EQUAL && back >= NEARLY_EQUAL
        } else {
            there >= SAME || back >= SAME
        }
    }

    fn stands_in(&self, entries: &[PromptEntry]) -> bool {
        let enough = if self.is_explicit() {
            NEARLY_EQUAL
        } else {
            SAME
        };
        entries
            .iter()
            .any(|e| e.file == self.file && shared_words(&self.gist, &e.text) >= enough)
    }
}

/// How many of one file, so that one kind cannot crowd out the others.
fn share(file: MemoryFile) -> usize {
    match file {
        MemoryFile::State | MemoryFile::Decisions | MemoryFile::Mistakes => 3,
        MemoryFile::Todo => 2,
    }
}

/// Adds the best of `found` to `chosen`: at most `room`, none twice, none that memory holds.
pub(super) fn choose(
    mut found: Vec<Candidate>,
    entries: &[PromptEntry],
    room: usize,
    chosen: &mut Vec<Candidate>,
) {
    found.retain(|c| c.score >= WORTH && !c.evidence.is_empty());
    found.sort_by_key(|c| (std::cmp::Reverse(c.score), c.evidence.first().copied()));
    let mut taken: Vec<Candidate> = Vec::new();
    for candidate in found {
        let of_file = taken.iter().filter(|c| c.file == candidate.file).count();
        let fits =
            taken.len() < room && (candidate.is_explicit() || of_file < share(candidate.file));
        let known = taken
            .iter()
            .chain(chosen.iter())
            .any(|c| candidate.is_like(c));
        if fits && !known && !candidate.stands_in(entries) {
            taken.push(candidate);
        }
    }
    chosen.append(&mut taken);
}
