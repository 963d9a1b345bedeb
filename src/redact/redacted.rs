//! Text that went through the redactor, and the few ways to cut and join it.
//!
//! Owns the shape of a placeholder, `[REDACTED:rule#abcd]`. A cut never falls inside one, and no
//! text from outside can be added without passing the redactor first.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

const OPENING: &[u8] = b"[REDACTED:";
/// Whether a text, wherever it comes from, holds the beginning of a placeholder.
#[must_use]
pub fn has_placeholder(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(OPENING.len()).any(|w| w == OPENING)
}

/// The longest name a rule may have, so that a placeholder is found without a long scan.
pub(super) const MAX_RULE: usize = 40;

/// Text that went through the redactor. Only this module makes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    /// memd's own words.
    #[must_use]
    pub fn literal(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of characters.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }

    /// Appends redacted text.
    pub fn push(&mut self, more: &Redacted) {
        self.0.push_str(&more.0);
    }

    /// Appends memd's own words.
    pub fn push_literal(&mut self, text: &'static str) {
        self.0.push_str(text);
    }

    /// Appends a number.
    pub fn push_number(&mut self, number: u64) {
        self.0.push_str(&number.to_string());
    }

    /// Appends one of memd's own marks.
    pub fn push_mark(&mut self, mark: char) {
        self.0.push(mark);
    }

    /// The pieces in order, with memd's own separator between them.
    #[must_use]
    pub fn join<'a>(
        pieces: impl IntoIterator<Item = &'a Redacted>,
        separator: &'static str,
    ) -> Self {
        let mut all = String::new();
        for (n, piece) in pieces.into_iter().enumerate() {
            if n > 0 {
                all.push_str(separator);
            }
            all.push_str(&piece.0);
        }
        Self(all)
    }

    /// At most `max` characters; where something is left out, the last one is `…`. A placeholder
    /// stays whole or goes.
    #[must_use]
    pub fn shorten(&self, max: usize) -> Self {
        if self.0.char_indices().nth(max).is_none() {
            return self.clone();
        }
        let Some(kept) = max.checked_sub(1) else {
            return Self::default();
        };
        let cut = self.0.char_indices().nth(kept).map_or(0, |(at, _)| at);
        Self(format!("{}…", self.0.get(..self.edge(cut)).unwrap_or("")))
    }

    /// The last `max` characters; where something is left out, the first one is `…`. A placeholder
    /// stays whole or goes.
    #[must_use]
    pub fn ending(&self, max: usize) -> Self {
        let all = self.chars();
        if all <= max {
            return self.clone();
        }
        let Some(kept) = max.checked_sub(1) else {
            return Self::default();
        };
        let cut = self
            .0
            .char_indices()
            .nth(all - kept)
            .map_or(self.0.len(), |(at, _)| at);
        let from = match around(self.0.as_bytes(), cut) {
            Some(inside) => inside.end,
            None => cut,
        };
        Self(format!("…{}", self.0.get(from..).unwrap_or("")))
    }

    /// The cut itself, or the start of the placeholder it would fall into.
    fn edge(&self, cut: usize) -> usize {
        around(self.0.as_bytes(), cut).map_or(cut, |inside| inside.start)
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What stands in a secret's place: four digits of its fingerprint tell two secrets apart.
pub(super) fn placeholder(rule: &str, fingerprint: &str) -> String {
    format!(
        "[REDACTED:{rule}#{}]",
        fingerprint.get(..4).unwrap_or("0000")
    )
}

/// The placeholder that starts here.
pub(super) fn placeholder_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let body = text.get(at..)?.strip_prefix(OPENING)?;
    let name = body
        .iter()
        .take(MAX_RULE + 1)
        .take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || **b == b'_')
        .count();
    let tail = body.get(name..name + 6)?;
    let ok = (1..=MAX_RULE).contains(&name)
        && tail.first() == Some(&b'#')
        && tail.last() == Some(&b']')
        && tail.get(1..5)?.iter().all(u8::is_ascii_hexdigit);
    ok.then(|| at..at + OPENING.len() + name + 6)
}

/// All placeholders, in order.
pub(super) fn placeholders(text: &[u8]) -> Vec<Range<usize>> {
    memchr::memmem::find_iter(text, OPENING)
        .filter_map(|at| placeholder_at(text, at))
        .collect()
}

/// The placeholder that a cut at this place would break.
pub(super) fn around(text: &[u8], cut: usize) -> Option<Range<usize>> {
    let from = cut.saturating_sub(OPENING.len() + MAX_RULE + 6);
    (from..cut)
        .filter_map(|at| placeholder_at(text, at))
        .find(|range| range.contains(&cut) && range.start < cut)
}

/// A text without the placeholders in it.
#[must_use]
pub fn without_placeholders(text: &str) -> String {
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for place in placeholders(text.as_bytes()) {
        out.push_str(text.get(from..place.start).unwrap_or_default());
        from = place.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The first `max` characters of a text that was redacted once, and whether that was all of it. A
/// placeholder stays whole: the cut falls before it, or after one that the text begins with.
#[must_use]
pub fn first_whole(text: &str, max: usize) -> (&str, bool) {
    let Some((cut, _)) = text.char_indices().nth(max) else {
        return (text, true);
    };
    let end = match around(text.as_bytes(), cut) {
        Some(inside) if inside.start == 0 => inside.end,
        Some(inside) => inside.start,
        None => cut,
    };
    (text.get(..end).unwrap_or(text), end == text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_characters_hold_a_placeholder_whole_or_not_at_all() {
        let mark = "[REDACTED:jwt#0a1b]";
        let text = format!("a key {mark} and more");
        for max in 0..text.len() {
            let (cut, whole) = first_whole(&text, max);
            assert!(!whole && text.starts_with(cut), "{max}");
            assert_eq!(cut.contains("[RED"), cut.contains(mark), "{max}: {cut}");
            assert!(cut.len() <= max, "{max}");
        }
        assert_eq!(first_whole(&text, 100), (text.as_str(), true));
        assert_eq!(first_whole(mark, 8), (mark, true));
        assert_eq!(first_whole(&format!("{mark}-x"), 8), (mark, false));
    }

    #[test]
    fn a_cut_never_breaks_a_placeholder_and_counts_characters() {
        let text = Redacted::new("é [REDACTED:jwt#0a1b] tail".to_owned());
        assert_eq!(text.shorten(100), text);
        assert_eq!(text.shorten(5).as_str(), "é …");
        assert_eq!(text.shorten(21).as_str(), "é …");
        assert_eq!(
            text.shorten(22).as_str(),
            "é [REDACTED:jwt#0a1b]…".get(..).unwrap()
        );
        assert_eq!(text.ending(10).as_str(), "… tail");
        assert_eq!(text.ending(3).as_str(), "…il");
        for max in 0..30 {
            assert!(text.shorten(max).chars() <= max);
            assert!(text.ending(max).chars() <= max);
        }
    }

    #[test]
    fn pieces_are_joined_with_our_own_words() {
        let mut text = Redacted::literal("line ");
        text.push_number(7);
        text.push_mark(':');
        let all = Redacted::join([&text, &Redacted::literal("end")], "\n");
        assert_eq!(all.as_str(), "line 7:\nend");
    }
}
