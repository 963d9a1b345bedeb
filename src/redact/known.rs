//! Values that were shown with their names, to hide where they come again without.
//!
//! In memory only, bounded, wiped when dropped. Every fourth place of a text is looked at: a value
//! is known there by a hash of five bytes near its beginning.

use super::anchors::eight;
use super::scan::Span;
use super::{value, work};
use std::ops::Range;
use zeroize::Zeroizing;

/// The most values remembered; the later ones are then found by their names only.
const MOST: usize = 2_000;
/// The shortest and the longest value remembered, in bytes.
const SHORTEST: usize = 8;
const LONGEST: usize = 4096;
/// How far apart the places are that are looked at, and how many bytes are looked at there: one
/// such window falls into a value's beginning wherever it stands.
const STRIDE: usize = 4;
const WINDOW: usize = SHORTEST - STRIDE + 1;
/// Those bytes of eight.
const MASK: u64 = u64::MAX >> (8 * (SHORTEST - WINDOW));
/// Bits of a hash: few of many values are mistaken for each other.
const BITS: u32 = 19;

/// A shorter value within a longer word is another one.
const GLUED: usize = 16;

type Value = Zeroizing<Vec<u8>>;

/// The values, in order.
pub(super) struct Known {
    values: Vec<Value>,
    /// A bit for each hash of a window in a value's beginning, and of all the beginning.
    seen: Vec<u64>,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            seen: vec![0; 1 << (BITS - 6)],
        }
    }
}

impl Known {
    pub fn add(&mut self, secret: &[u8]) {
        // A mistake would be repeated: no words, also with marks between them.
        let mut parts = secret.split(|b| !b.is_ascii_alphanumeric());
        let words = value::digits(secret) == 0 && parts.all(value::is_name_like);
        if words
            || value::is_name_like(secret)
            || value::classes(secret) < 2
            || value::is_reference(secret)
        {
            return;
        }
        self.insert(secret);
        self.insert(&value::to_base64(secret));
    }

    fn insert(&mut self, secret: &[u8]) {
        let Some(start) = secret.first_chunk::<SHORTEST>() else {
            return;
        };
        if self.values.len() >= MOST || secret.len() > LONGEST {
            return;
        }
        if let Err(place) = self.place(secret) {
            let start = u64::from_le_bytes(*start);
            for window in 0..STRIDE {
                self.see(start >> (8 * window) & MASK);
            }
            self.see(start);
            self.values.insert(place, Zeroizing::new(secret.to_vec()));
        }
    }

    fn place(&self, secret: &[u8]) -> Result<usize, usize> {
        self.values.binary_search_by(|v| v.as_slice().cmp(secret))
    }

    fn see(&mut self, bytes: u64) {
        let hash = hash(bytes);
        if let Some(word) = self.seen.get_mut(hash / 64) {
            *word |= 1 << (hash % 64);
        }
    }

    #[inline]
    fn has_seen(&self, bytes: u64) -> bool {
        let hash = hash(bytes);
        let word = self.seen.get(hash / 64);
        word.is_some_and(|word| word >> (hash % 64) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Whether a value is remembered, or need not be.
    pub fn has(&self, secret: &[u8]) -> bool {
        self.values.len() >= MOST || self.place(secret).is_ok()
    }

    /// Where known values stand in a text, on their own; those that overlap are one.
    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        if self.values.is_empty() {
            return spans;
        }
        for at in (0..text.len()).step_by(STRIDE) {
            if self.has_seen(word(text, at) & MASK) {
                for start in (at + 1).saturating_sub(STRIDE)..=at {
                    let value = self.value_at(text, start);
                    value.into_iter().for_each(|range| add(&mut spans, range));
                }
            }
        }
        spans
    }

    fn value_at(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let rest = text.get(at..)?;
        if !self.has_seen(word(text, at)) || work::is_spent() {
            return None;
        }
        let longest = self.longest(rest)?;
        let tail = rest.iter().skip(longest).take(6);
        let padding = tail.take_while(|b| is_tail(**b, rest, longest)).count();
        let end = at + longest + padding;
        let whole = longest >= GLUED || !is_inside(text, at, end);
        whole.then_some(at..end)
    }

    /// The length of the longest value that a text begins with.
    fn longest(&self, text: &[u8]) -> Option<usize> {
        let mut head = text.get(..LONGEST).unwrap_or(text);
        loop {
            // The last value not after the text shares more with it than any before.
            let after = self.values.partition_point(|v| v.as_slice() <= head);
            let value = self.values.get(after.checked_sub(1)?)?;
            let pairs = value.iter().zip(head);
            let same = pairs.take_while(|(a, b)| a == b).count();
            work::spend(same + 64);
            if same == value.len() {
                return Some(same);
            }
            if same < SHORTEST {
                return None;
            }
            head = head.get(..same)?;
        }
    }
}

/// Whether letters or digits go on behind a place, or more than an option's letter before it.
fn is_inside(text: &[u8], start: usize, end: usize) -> bool {
    let is_word = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let first = is_word(start) && start >= 2 && is_word(start - 1) && is_word(start - 2);
    first || is_word(end - 1) && is_word(end)
}

/// The most marks of a cut looked at in one text.
const MARKS: usize = 16;

impl Known {
    /// Where a part of a known value stands next to `…`: what a cut left of it before its name was
    /// seen.
    pub fn find_cut(&self, text: &[u8]) -> Vec<Span> {
        let mark = "…".as_bytes();
        let marks = memchr::memmem::find_iter(text, mark).take(MARKS);
        let mut spans = Vec::new();
        let mut add = |range: std::ops::Range<usize>| {
            if range.len() >= SHORTEST {
                spans.push(Span {
                    range,
                    rule: "known_value".into(),
                    remember: false,
                });
            }
        };
        for at in marks.filter(|_| !self.values.is_empty()) {
            let before = text.get(..at).unwrap_or(&[]);
            let after = text.get(at + mark.len()..).unwrap_or(&[]);
            let (head, tail) = (self.head_before(before), self.tail_after(after));
            add(at - head..at);
            add(at + mark.len()..at + mark.len() + tail);
        }
        spans
    }

    /// The most bytes of a value's beginning, less than all, that a text ends with.
    fn head_before(&self, text: &[u8]) -> usize {
        let Some(last) = text.last_chunk::<SHORTEST>() else {
            return 0;
        };
        let ends = self.places(last).filter_map(|(value, at)| {
            let head = value.get(..at + SHORTEST)?;
            (head.len() < value.len() && text.ends_with(head)).then_some(head.len())
        });
        ends.max().unwrap_or(0)
    }

    /// The same of a value's end, that a text begins with.
    fn tail_after(&self, text: &[u8]) -> usize {
        let Some(first) = text.first_chunk::<SHORTEST>() else {
            return 0;
        };
        let starts = self.places(first).filter_map(|(value, at)| {
            let tail = value.get(at..)?;
            (at > 0 && text.starts_with(tail)).then_some(tail.len())
        });
        starts.max().unwrap_or(0)
    }

    /// All places in values where these bytes stand.
    fn places<'k>(&'k self, bytes: &[u8; SHORTEST]) -> impl Iterator<Item = (&'k [u8], usize)> {
        let finder = memchr::memmem::Finder::new(bytes).into_owned();
        self.values.iter().flat_map(move |value| {
            let value = value.as_slice();
            let places: Vec<usize> = finder.find_iter(value).take(SHORTEST).collect();
            work::spend(1);
            places.into_iter().map(move |at| (value, at))
        })
    }
}

/// The end of a value's base64, whose last group was not kept.
fn is_tail(byte: u8, rest: &[u8], longest: usize) -> bool {
    let group = rest.get(longest..longest + 4).unwrap_or(&[]);
    longest.is_multiple_of(4)
        && group.last() == Some(&b'=')
        && (byte.is_ascii_alphanumeric() || byte == b'=')
}

/// Adds a place after the others; those that overlap become one.
fn add(spans: &mut Vec<Span>, range: Range<usize>) {
    match spans.last_mut() {
        Some(last) if range.start < last.range.end => {
            last.range.end = last.range.end.max(range.end);
        }
        _ => spans.push(Span {
            range,
            rule: "known_value".into(),
            remember: false,
        }),
    }
}

/// Eight bytes of a text.
#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(eight(text, at))
}

#[inline]
fn hash(bytes: u64) -> usize {
    (bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(values: &[&str]) -> Known {
        let mut known = Known::default();
        values.iter().for_each(|v| known.insert(v.as_bytes()));
        known
    }

    fn find(known: &Known, text: &str) -> Vec<(usize, usize)> {
        let spans = work::within(text.len(), || known.find(text.as_bytes()));
        let spans = spans.unwrap().into_iter();
        spans.map(|s| (s.range.start, s.range.end)).collect()
    }

    #[test]
    fn the_longest_value_is_found_wherever_it_stands_and_overlaps_are_one() {
        let known = known(&["abc12345", "abc12345678", "abc12345-x9abc123", "x9abc12345"]);
        assert_eq!(find(&known, "abc12345"), [(0, 8)]);
        assert_eq!(find(&known, "-abc12345-x9abc12y."), [(1, 9)]);
        assert_eq!(find(&known, "abc12345-x9abc12345"), [(0, 19)]);
        assert_eq!(find(&known, "abc12345678 abc1234"), [(0, 11)]);
        assert!(known.has(b"abc12345") && !known.has(b"abc1234"));
    }

    #[test]
    fn values_made_to_be_confused_cost_too_much_rather_than_take_long() {
        let body = "b1".repeat(600);
        let values: Vec<String> = (8..1000).map(|n| format!("{}a", &body[..n])).collect();
        let known = known(&values.iter().map(String::as_str).collect::<Vec<_>>());
        let text = "b1".repeat(30_000);
        assert!(work::within(text.len(), || known.find(text.as_bytes())).is_none());
    }
}
