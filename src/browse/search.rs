//! Looking for words in the archive, a bit at a time.

use super::BrowseError;
use super::archive::{Archive, Piece};
use crate::redact::Redactor;
use std::ops::Range;

/// Hits that are kept; a search for more is too wide to be read.
pub const MOST_HITS: usize = 5_000;

/// Where a query was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The month: an index of [`Archive::months`].
    pub month: usize,
    /// The piece: an index of [`Archive::pieces`].
    pub piece: usize,
    /// In which of the piece's texts.
    pub within: Within,
    /// The bytes of that text.
    pub range: Range<usize>,
}

/// The texts of a piece that are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// [`Piece::text`].
    Text,
    /// [`Piece::section`].
    Section,
    /// [`Piece::reason`].
    Reason,
}

/// A search, newest month first. Letters are found in either case.
#[derive(Debug, Clone)]
pub struct Search {
    query: String,
    month: usize,
    /// The month that is being searched: its text, and how many of its pieces are done.
    open: Option<(String, usize)>,
    hits: Vec<Hit>,
    problems: Vec<String>,
    is_done: bool,
}

impl Search {
    /// A search for this text. The empty one finds nothing.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self {
            query: fold(query),
            month: 0,
            open: None,
            hits: Vec::new(),
            problems: Vec::new(),
            is_done: query.is_empty(),
        }
    }

    /// Goes on until about `budget` bytes were searched, a month was opened and its first piece
    /// searched at least; gives all hits so far.
    pub fn step(&mut self, archive: &Archive, redactor: &Redactor, budget: usize) -> &[Hit] {
        let mut left = budget.max(1);
        while left > 0 && !self.is_done {
            let Some(month) = archive.months.get(self.month) else {
                self.is_done = true;
                break;
            };
            let opened = match self.open.take() {
                Some(open) => Ok(open),
                None => archive.text(month).map(|text| (text, 0)),
            };
            match opened {
                Ok((text, from)) => left = self.pieces(archive, redactor, (text, from), left),
                Err(error) => self.pass_over(&error),
            }
        }
        &self.hits
    }

    /// Whether everything was searched, or enough found.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether it ended because [`MOST_HITS`] were found.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.hits.len() >= MOST_HITS
    }

    /// All hits so far: by month, newest first, and by piece within.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Months that could not be read, and why.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    fn pass_over(&mut self, error: &BrowseError) {
        self.problems.push(error.to_string());
        self.month += 1;
    }

    /// Searches the pieces of a month from one on; gives what is left of the budget.
    fn pieces(
        &mut self,
        archive: &Archive,
        redactor: &Redactor,
        (text, from): (String, usize),
        mut left: usize,
    ) -> usize {
        let found = archive.found(&text);
        let mut n = from;
        while let Some(one) = found.get(n).filter(|_| left > 0 && !self.is_full()) {
            left = left.saturating_sub(one.text.len().max(64));
            self.piece(n, &archive.piece(redactor, &text, one));
            n += 1;
        }
        self.is_done = self.is_full();
        if n < found.len() {
            drop(found);
            self.open = Some((text, n));
        } else {
            self.month += 1;
        }
        left
    }

    fn piece(&mut self, n: usize, piece: &Piece) {
        let texts = [
            (Within::Text, &piece.text),
            (Within::Section, &piece.section),
            (Within::Reason, &piece.reason),
        ];
        for (within, text) in texts {
            let room = MOST_HITS.saturating_sub(self.hits.len());
            for range in find(&self.query, text, room) {
                self.hits.push(Hit {
                    month: self.month,
                    piece: n,
                    within,
                    range,
                });
            }
        }
    }
}

/// A text in which letters of either case are one.
fn fold(text: &str) -> String {
    text.chars().flat_map(folded).collect()
}

fn folded(c: char) -> impl Iterator<Item = char> {
    // A final sigma is a sigma.
    c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c })
}

/// Where a folded query stands in a text, without overlaps, at most `max` times.
fn find(query: &str, text: &str, max: usize) -> Vec<Range<usize>> {
    let finder = memchr::memmem::Finder::new(query);
    if text.is_ascii() {
        let folded = text.to_ascii_lowercase();
        let starts = finder.find_iter(folded.as_bytes());
        return starts.take(max).map(|at| at..at + query.len()).collect();
    }
    let folded = fold(text);
    let mut starts = finder.find_iter(folded.as_bytes()).take(max).peekable();
    if starts.peek().is_none() {
        return Vec::new();
    }
    let map = Map::of(text);
    starts
        .map(|at| map.start(at)..map.end(at + query.len()))
        .collect()
}

/// From places in a folded text to those in the text.
struct Map {
    /// For each character: where it begins in the folded text, and in the text.
    starts: Vec<(usize, usize)>,
    len: usize,
}

impl Map {
    fn of(text: &str) -> Self {
        let mut at = 0;
        let starts = text.char_indices().map(|(from, c)| {
            let start = (at, from);
            at += folded(c).map(char::len_utf8).sum::<usize>();
            start
        });
        Self {
            starts: starts.collect(),
            len: text.len(),
        }
    }

    /// The beginning of the character that a place falls into.
    fn start(&self, at: usize) -> usize {
        let after = self.starts.partition_point(|(folded, _)| *folded <= at);
        let found = after.checked_sub(1).and_then(|n| self.starts.get(n));
        found.map_or(0, |(_, from)| *from)
    }

    /// The end of the character that ends at or behind a place.
    fn end(&self, at: usize) -> usize {
        let next = self.starts.partition_point(|(folded, _)| *folded < at);
        self.starts.get(next).map_or(self.len, |(_, from)| *from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_are_found_in_either_case_and_the_range_is_of_the_text() {
        let found = |query: &str, text: &str| -> Vec<String> {
            let ranges = find(&fold(query), text, 9);
            ranges.into_iter().map(|r| text[r].to_owned()).collect()
        };
        assert_eq!(found("PORT", "Port port PoRt"), ["Port", "port", "PoRt"]);
        assert_eq!(found("straße", "die STRAßE"), ["STRAßE"]);
        assert_eq!(found("i", "İstanbul"), ["İ"]);
        assert_eq!(found("ΣΟΣ", "σος ΣΟΣ"), ["σος", "ΣΟΣ"]);
        assert_eq!(found("日本", "x日本語"), ["日本"]);
        assert_eq!(found("x", "é"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn a_range_is_never_inside_a_character(query in "\\PC{1,3}", text in "\\PC{0,30}") {
            for range in find(&fold(&query), &text, 99) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
