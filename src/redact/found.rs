//! Findings in the raw text, and the text without them.

use super::confidence::Confidence;
use super::hit::{Hit, note, withheld};
use super::redacted::{self, Redacted};
use std::borrow::Cow;
use std::ops::Range;

/// A finding in the raw text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub range: Range<usize>,
    pub rule: Cow<'static, str>,
    pub fingerprint: String,
    pub confidence: Confidence,
}

/// A text without what was found in it; all of it is withheld if the search failed.
pub(super) fn shown(text: &str, found: Option<Vec<Found>>) -> (Redacted, Vec<Hit>) {
    let Some(found) = found else {
        return withheld(text);
    };
    let (mut out, mut hits) = (String::with_capacity(text.len()), Vec::new());
    rewrite(text, &found, &mut out);
    note(&mut hits, &found, 0);
    (Redacted::new(out), hits)
}

/// Appends a text without what was found in it.
pub(super) fn rewrite(text: &str, found: &[Found], out: &mut String) {
    let mut done = 0;
    for one in found {
        out.push_str(text.get(done..one.range.start).unwrap_or(""));
        out.push_str(&redacted::placeholder(&one.rule, &one.fingerprint));
        done = one.range.end;
    }
    out.push_str(text.get(done..).unwrap_or(""));
}

/// A range without the placeholders inside it: what is hidden already stays as it is.
pub(super) fn outside(range: Range<usize>, keep: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = range.start;
    let first = keep.partition_point(|k| k.end <= range.start);
    for kept in keep.iter().skip(first).take_while(|k| k.start < range.end) {
        if kept.start > start {
            pieces.push(start..kept.start);
        }
        start = kept.end.max(start);
    }
    if start < range.end {
        pieces.push(start..range.end);
    }
    pieces
}

/// The character's beginning that a place is in.
pub(super) fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) && at > 0 {
        at -= 1;
    }
    at
}

/// The character's end that a place is in.
pub(super) fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) && at < text.len() {
        at += 1;
    }
    at
}
