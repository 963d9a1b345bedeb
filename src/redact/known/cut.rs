//! A part of a known value next to `…`: what a cut left of it before its name was seen.

use super::{Known, SHORTEST, Value, end, word};
use crate::redact::scan::Span;
use crate::redact::work;
use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ops::{Bound, Range};

/// The most marks of a cut looked at in one text.
const MARKS: usize = 16;
/// The longest part of a value that is looked for, in bytes.
const REACH: usize = 512;

impl Known {
    /// Where a part of a known value stands next to a mark.
    pub fn find_cut(&self, text: &[u8]) -> Vec<Span> {
        let mark = "…".as_bytes();
        let mut spans = Vec::new();
        if self.values.is_empty() {
            return spans;
        }
        let mut add = |range: Range<usize>| {
            if range.len() >= SHORTEST {
                spans.push(Span {
                    range,
                    rule: "known_value".into(),
                    remember: false,
                });
            }
        };
        for at in memchr::memmem::find_iter(text, mark).take(MARKS) {
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
        let from = text.len().saturating_sub(REACH);
        work::spend((text.len() - from) / 8);
        let starts = from..(text.len() + 1).saturating_sub(SHORTEST).max(from);
        let begins = |at: &usize| {
            let head = text.get(*at..).unwrap_or(&[]);
            self.has_seen(word(text, *at)) && is_begun(&self.values, head)
        };
        starts
            .into_iter()
            .find(begins)
            .map_or(0, |at| text.len() - at)
    }

    /// The same of a value's end, that a text begins with.
    fn tail_after(&self, text: &[u8]) -> usize {
        let text = text.get(..REACH).unwrap_or(text);
        work::spend(text.len() / 8);
        let backwards: Vec<u8> = text.iter().rev().copied().collect();
        let ends = |len: &usize| {
            let tail = backwards.get(text.len() - len..).unwrap_or(&[]);
            self.has_seen(end(text, *len)) && is_begun(&self.backwards, tail)
        };
        (SHORTEST..=text.len()).rev().find(ends).unwrap_or(0)
    }
}

/// Whether a value begins like this, and goes on.
fn is_begun(values: &BTreeSet<Value>, head: &[u8]) -> bool {
    work::spend(head.len() + 64);
    let after = (Bound::Excluded(head), Bound::Unbounded);
    let value = values.range::<[u8], _>(after).next();
    value.is_some_and(|value| {
        let value: &[u8] = value.borrow();
        value.starts_with(head)
    })
}
