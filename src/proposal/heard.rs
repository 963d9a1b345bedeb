//! Which changes repeat what a tool said, wherever in their sessions it said so.
//!
//! Evidence knows the lines of a digest. What was shortened away, shed, left out or read by an
//! earlier distill stands in no line: here the words of the changes are listened for while the whole
//! sessions pass by. Holds the words of the changes, and nothing of what passes.

use super::evidence::{RUN, origin_of};
use super::{Change, Op, Origin, Substance};
use crate::digest::Digest;
use crate::source::{Role, Sink, Turn};
use crate::text::{runs, word_hashes};
use std::collections::{BTreeSet, HashMap, HashSet};

/// So much of a text is listened to at a time, and how much of it again with the next, in bytes.
const PIECE: usize = 1 << 20;
const OVERLAP: usize = 4 << 10;
/// Fewer words in a row are said by everybody.
const FEWEST: usize = 2;

/// Listens for the words of the changes that count as the assistant's.
#[derive(Debug, Default)]
pub struct Listener {
    /// Which changes hold a run of words.
    runs: HashMap<u64, Vec<u32>>,
    /// The lengths of those runs.
    lengths: BTreeSet<usize>,
    heard: BTreeSet<u32>,
}

impl Listener {
    /// For the changes of a digest.
    #[must_use]
    pub fn of(changes: &[Change], digest: &Digest) -> Self {
        let mut listener = Self::default();
        for change in changes.iter().filter(|c| is_assistants(c)) {
            for words in wordings(change, digest) {
                listener.add(change, &word_hashes(&words));
            }
        }
        listener
    }

    /// Whether there is nothing to listen for.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.runs.is_empty()
    }

    /// Numbers of the changes that a tool said too.
    #[must_use]
    pub fn heard(&self) -> &BTreeSet<u32> {
        &self.heard
    }

    /// Six words in a row are no accident; of a shorter text it takes all.
    fn add(&mut self, change: &Change, words: &[u64]) {
        let length = words.len().min(RUN);
        if length < FEWEST {
            return;
        }
        let before = change.target.as_ref().map(|t| word_hashes(&t.text));
        let before: HashSet<u64> = runs(&before.unwrap_or_default(), length).collect();
        for run in runs(words, length).filter(|run| !before.contains(run)) {
            let changes = self.runs.entry(run).or_default();
            if changes.last() != Some(&change.n) {
                changes.push(change.n);
            }
            self.lengths.insert(length);
        }
    }
}

impl Sink for Listener {
    fn take(&mut self, turn: Turn) -> bool {
        if !matches!(turn.role, Role::User | Role::Assistant | Role::ToolCall) {
            self.hear(turn.text.unredacted());
        }
        true
    }

    fn abandon(&mut self, _: &str, _: &dyn Fn(&str) -> bool) {}

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, words: &str) {
        for piece in pieces(words) {
            let words = word_hashes(piece);
            for length in &self.lengths {
                let known = runs(&words, *length).filter_map(|run| self.runs.get(&run));
                self.heard.extend(known.flatten());
            }
        }
    }
}

/// Whether nothing but the assistant vouches for it.
#[must_use]
pub fn is_assistants(change: &Change) -> bool {
    change.origin == Origin::Assistant && !change.is_overflow()
}

/// How a change is worded: by itself, and in the assistant's sentences that say most of it, since a
/// curator may put it in other words.
fn wordings(change: &Change, digest: &Digest) -> Vec<String> {
    let says = match change.op {
        Op::Archive | Op::Tombstone => change.reason.clone().unwrap_or_default(),
        Op::Add | Op::Edit => change.basis(),
    };
    let substance = Substance::of(&says);
    let lines = digest.lines.iter();
    let lines = lines.filter(|l| origin_of(l.role) == Origin::Assistant);
    let sentences = lines.flat_map(|l| sentences(l.text.as_str()));
    let alike = sentences.filter(|s| substance.is_said_by(&Substance::of(s)));
    let alike: Vec<String> = alike.map(str::to_owned).collect();
    std::iter::once(says).chain(alike).collect()
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = [". ", "! ", "? "];
    let lines = text.lines();
    lines.flat_map(move |line| {
        let mut rest = Some(line);
        std::iter::from_fn(move || {
            let text = rest?;
            let end = ends.iter().filter_map(|end| text.find(end)).min();
            rest = end.map(|end| &text[end + 2..]);
            Some(end.map_or(text, |end| &text[..end]))
        })
    })
}

/// A long text in pieces that overlap.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut from = Some(0_usize);
    std::iter::from_fn(move || {
        let start = from?;
        let end = boundary(text, start.saturating_add(PIECE));
        from = (end < text.len()).then(|| boundary(text, end - OVERLAP));
        text.get(start..end)
    })
}

/// The last place up to this one at which a letter begins.
fn boundary(text: &str, at: usize) -> usize {
    let mut places = (0..=at.min(text.len())).rev();
    places.find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_text_overlap_and_hold_all_of_it() {
        assert_eq!(pieces("short").collect::<Vec<_>>(), ["short"]);
        let text = "é1 ".repeat(PIECE);
        let mut end = 0_usize;
        for piece in pieces(&text) {
            let start = piece.as_ptr().addr() - text.as_ptr().addr();
            assert!(piece.len() <= PIECE && start <= end.saturating_sub(OVERLAP));
            end = start + piece.len();
        }
        assert_eq!(end, text.len());
    }
}
