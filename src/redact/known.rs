//! Values that were shown with their names, to hide where they come again without.
//!
//! In memory only, bounded, wiped when dropped. Found by the hash of their first eight bytes.

use super::scan::Span;
use super::value;
use std::collections::HashMap;
use zeroize::Zeroizing;

/// The most values remembered; the later ones are then found by their names only.
const MOST: usize = 2_000;
/// The shortest value remembered, in bytes.
const SHORTEST: usize = 8;

/// A shorter value within a longer word is another one.
const GLUED: usize = 16;

type Value = Zeroizing<Vec<u8>>;

/// The values, by their first eight bytes.
pub(super) struct Known {
    by_start: HashMap<u64, Vec<Value>>,
    /// The first two bytes of all values: most places are passed over by this alone.
    starts: Vec<bool>,
    len: usize,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            by_start: HashMap::new(),
            starts: vec![false; 1 << 16],
            len: 0,
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
        let Some(start) = start(secret).filter(|_| self.len < MOST) else {
            return;
        };
        let values = self.by_start.entry(start).or_default();
        if !values.iter().any(|v| v.as_slice() == secret) {
            values.push(Zeroizing::new(secret.to_vec()));
            if let Some(seen) = pair(secret).and_then(|p| self.starts.get_mut(p)) {
                *seen = true;
            }
            self.len += 1;
        }
    }

    /// Where known values stand in a text, on their own.
    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        if self.len == 0 {
            return Vec::new();
        }
        (0..text.len().saturating_sub(SHORTEST - 1))
            .filter_map(|at| {
                let rest = text.get(at..)?;
                pair(rest).filter(|p| self.starts.get(*p) == Some(&true))?;
                let values = self.by_start.get(&start(rest)?)?;
                let longest = values
                    .iter()
                    .filter(|v| rest.starts_with(v))
                    .map(|v| v.len())
                    .max()?;
                let padding = rest
                    .iter()
                    .skip(longest)
                    .take(6)
                    .take_while(|b| is_tail(**b, rest, longest))
                    .count();
                let end = at + longest + padding;
                if longest < GLUED && is_inside(text, at, end) {
                    return None;
                }
                Some(Span {
                    range: at..end,
                    rule: "known_value".into(),
                    remember: false,
                })
            })
            .collect()
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
/// The longest part of a value that is looked for at a cut, in bytes.
const PART: usize = 256;

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
        for at in marks.filter(|_| self.len > 0) {
            let before = text.get(..at).unwrap_or(&[]);
            let after = text.get(at + mark.len()..).unwrap_or(&[]);
            let head = self.longest_part(|v, len| before.ends_with(v.get(..len).unwrap_or(v)));
            let tail =
                self.longest_part(|v, len| after.starts_with(v.get(v.len() - len..).unwrap_or(v)));
            add(at - head..at);
            add(at + mark.len()..at + mark.len() + tail);
        }
        spans
    }

    /// The most bytes of a value, less than all, that a test holds for.
    fn longest_part(&self, test: impl Fn(&[u8], usize) -> bool) -> usize {
        let lengths = |v: &[u8]| (SHORTEST..v.len().min(PART)).rev();
        let longest = |v: &Value| lengths(v).find(|len| test(v, *len)).unwrap_or(0);
        self.by_start
            .values()
            .flatten()
            .map(longest)
            .max()
            .unwrap_or(0)
    }
}

/// The end of a value's base64, whose last group was not kept.
fn is_tail(byte: u8, rest: &[u8], longest: usize) -> bool {
    let group = rest.get(longest..longest + 4).unwrap_or(&[]);
    longest.is_multiple_of(4)
        && group.last() == Some(&b'=')
        && (byte.is_ascii_alphanumeric() || byte == b'=')
}

fn start(secret: &[u8]) -> Option<u64> {
    secret
        .first_chunk::<SHORTEST>()
        .map(|c| u64::from_le_bytes(*c))
}

fn pair(secret: &[u8]) -> Option<usize> {
    secret
        .first_chunk::<2>()
        .map(|c| usize::from(u16::from_le_bytes(*c)))
}
