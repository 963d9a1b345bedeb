//! Values that were shown with their names, to hide where they come again without.
//!
//! In memory only, bounded, wiped when dropped; what there was no room for is counted, and told of.
//! Every fourth place of a text is looked at: a value is known there by a hash of five bytes near
//! its beginning.

mod cut;

use super::anchors::eight;
use super::scan::Span;
use super::{value, work};
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::{Bound, Range};
use zeroize::Zeroizing;

/// The most values remembered, each with its base64, and the most bytes of them: the later ones are
/// found by their names only.
const MOST: usize = 40_000;
const MOST_BYTES: usize = 8 << 20;
/// The shortest and the longest value remembered, in bytes.
const SHORTEST: usize = 8;
const LONGEST: usize = 4096;
/// How far apart the places are that are looked at, and how many bytes are looked at there: one
/// such window falls into a value's beginning wherever it stands.
const STRIDE: usize = 4;
const WINDOW: usize = SHORTEST - STRIDE + 1;
/// Those bytes of eight.
const MASK: u64 = u64::MAX >> (8 * (SHORTEST - WINDOW));
/// Bits of a hash: few of many values are mistaken for each other. More, where there are many.
const BITS: u32 = 19;
const MORE_BITS: u32 = 23;
const MANY: usize = 2_000;

/// A shorter value within a longer word is another one.
const GLUED: usize = 16;

struct Value(Zeroizing<Vec<u8>>);

impl Value {
    fn new(bytes: &[u8]) -> Self {
        Self(Zeroizing::new(bytes.to_vec()))
    }
}

impl Borrow<[u8]> for Value {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.as_slice().cmp(other.0.as_slice())
    }
}

/// The values.
pub(super) struct Known {
    values: BTreeSet<Value>,
    most: usize,
    /// The same, each from its end to its beginning.
    backwards: BTreeSet<Value>,
    bytes: usize,
    /// How often a value was left out for want of room.
    left_out: usize,
    /// A bit for each hash of a window in a value's beginning, of all the beginning, and of the end.
    seen: Vec<u64>,
    bits: u32,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            values: BTreeSet::new(),
            most: MOST,
            backwards: BTreeSet::new(),
            bytes: 0,
            left_out: 0,
            seen: vec![0; 1 << (BITS - 6)],
            bits: BITS,
        }
    }
}

impl Known {
    #[cfg(test)]
    pub fn at_most(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    pub fn add(&mut self, secret: &[u8]) {
        // A mistake would be repeated: no words, also with marks between them.
        let mut parts = secret.split(|b| !b.is_ascii_alphanumeric());
        let words = value::digits(secret) == 0 && parts.all(value::is_name_like);
        let harmless = words
            || value::is_name_like(secret)
            || value::classes(secret) < 2
            || value::is_reference(secret);
        if !harmless {
            self.add_any(secret);
        }
    }

    /// As [`Self::add`], of what is certain to be a secret although it may be made of words.
    pub fn add_any(&mut self, secret: &[u8]) {
        self.insert(secret);
        self.insert(&value::to_base64(secret));
    }

    /// How often a value was left out for want of room.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    fn insert(&mut self, secret: &[u8]) {
        let fits = (SHORTEST..=LONGEST).contains(&secret.len());
        if !fits || self.has(secret) {
            return;
        }
        if self.values.len() >= self.most || self.bytes + secret.len() > MOST_BYTES {
            self.left_out += 1;
            return;
        }
        if self.values.len() == MANY && self.bits == BITS {
            self.widen();
        }
        self.mark(secret);
        self.bytes += secret.len();
        let backwards: Zeroizing<Vec<u8>> = Zeroizing::new(secret.iter().rev().copied().collect());
        self.values.insert(Value::new(secret));
        self.backwards.insert(Value(backwards));
    }

    /// More bits, as many values would fill the fewer.
    fn widen(&mut self) {
        self.bits = MORE_BITS;
        self.seen = vec![0; 1 << (MORE_BITS - 6)];
        let values = std::mem::take(&mut self.values);
        values.iter().for_each(|value| self.mark(value.borrow()));
        self.values = values;
    }

    fn mark(&mut self, secret: &[u8]) {
        let start = word(secret, 0);
        for window in 0..STRIDE {
            self.see(start >> (8 * window) & MASK);
        }
        self.see(start);
        self.see(end(secret, secret.len()));
    }

    fn see(&mut self, bytes: u64) {
        let hash = self.hash(bytes);
        if let Some(word) = self.seen.get_mut(hash / 64) {
            *word |= 1 << (hash % 64);
        }
    }

    #[inline]
    fn has_seen(&self, bytes: u64) -> bool {
        let hash = self.hash(bytes);
        let word = self.seen.get(hash >> 6);
        word.is_some_and(|word| word >> (hash % 64) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn hash(&self, bytes: u64) -> usize {
        (bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.bits)) as usize
    }

    /// Whether a value is remembered.
    pub fn has(&self, secret: &[u8]) -> bool {
        self.values.contains(secret)
    }

    /// Where known values stand in a text, on their own; those that overlap are one.
    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        if self.values.is_empty() {
            return spans;
        }
        let mut look = |at: usize| {
            for start in (at + 1).saturating_sub(STRIDE)..=at {
                let value = self.value_at(text, start);
                value.into_iter().for_each(|range| add(&mut spans, range));
            }
        };
        // Two places at a time.
        let mut at = 0;
        while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk()) {
            let bytes = u128::from_le_bytes(*bytes);
            for place in [0, STRIDE] {
                let window = (bytes >> (8 * place)) as u64 & MASK;
                if self.has_seen(window) {
                    look(at + place);
                }
            }
            at += 2 * STRIDE;
        }
        let last = (at..text.len()).step_by(STRIDE);
        last.filter(|at| self.has_seen(word(text, *at) & MASK))
            .for_each(look);
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
            let upto = (Bound::Unbounded, Bound::Included(head));
            let value: &[u8] = self.values.range::<[u8], _>(upto).next_back()?.borrow();
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

/// The eight bytes before a place, told apart from those of a beginning.
fn end(text: &[u8], at: usize) -> u64 {
    !word(text, at.saturating_sub(SHORTEST)).rotate_left(1)
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
    fn many_decoys_leave_room_and_what_is_left_out_is_counted() {
        let mut known = Known::default();
        let decoy = |n: usize| format!("Decoy{n:06}x!K{}", n * 7919 % 1000);
        (0..15_000).for_each(|n| known.add(decoy(n).as_bytes()));
        known.add(b"x8Kq2mP!z7Rw");
        assert_eq!(known.left_out(), 0);
        assert_eq!(find(&known, "then x8Kq2mP!z7Rw"), [(5, 17)]);
        assert_eq!(find(&known, &decoy(1)), [(0, decoy(1).len())]);
        (0..30_000).for_each(|n| known.add(decoy(n).as_bytes()));
        assert!(known.left_out() > 0);
        assert_eq!(find(&known, "then x8Kq2mP!z7Rw"), [(5, 17)]);
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
