//! Spans that were found apart as those that are hidden: in order, whole, each named by the rule that
//! says most of it.

use super::super::rules::rules;
use super::Span;

/// What is so long that whoever found it may have read only its beginning, in bytes.
const LONG: usize = 96;

/// Hides long ones to the ends of their words: none is left with its tail to be read. In order, as
/// [`merge`] leaves them, and so once over any word.
pub(in super::super) fn to_word_ends(text: &[u8], spans: Vec<Span>) -> Vec<Span> {
    let token = |b: &u8| b.is_ascii_alphanumeric() || b"+/=_-.~%!@#$^*?:".contains(b);
    let inside = |at: usize| {
        let word = |b: &u8| b.is_ascii_alphanumeric() || b"+/=_-".contains(b);
        let both = at.checked_sub(1).and_then(|before| text.get(before..=at));
        both.is_some_and(|both| both.iter().all(word))
    };
    let (mut grown, mut done) = (false, 0);
    let mut all = spans;
    for span in &mut all {
        if span.range.end <= done || span.range.len() < LONG || !inside(span.range.end) {
            continue;
        }
        let rest = text.get(span.range.end..).unwrap_or(&[]);
        span.range.end += rest.iter().take_while(|b| token(b)).count();
        done = span.range.end;
        grown = true;
    }
    if grown { merge(all) } else { all }
}

/// How much a rule's name says of a secret: a name before it, a neighbour, its own shape.
fn telling(rule: &str) -> u8 {
    match rule {
        "assignment" | "known_value" | "secret_file" => 0,
        "aws_secret" | "authorization" => 1,
        _ => 2,
    }
}

/// Whether a rule stands before another one in the table.
fn is_before(rule: &str, other: &str) -> bool {
    if rule == other {
        return false;
    }
    let mut both = rules().all.iter().filter(|r| r.id == rule || r.id == other);
    both.next().is_some_and(|first| first.id == rule)
}

/// In order, overlapping ones joined; the one that says most of the secret names it.
pub(in super::super) fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|s| (s.range.start, std::cmp::Reverse(s.range.end)));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                let longer = span.range.len() > last.range.len();
                let (new, old) = (telling(&span.rule), telling(&last.rule));
                let same = || span.range == last.range && is_before(&span.rule, &last.rule);
                if new > old || (new == old && new > 0 && (longer || same())) {
                    last.rule = span.rule.clone();
                }
                last.remember |= span.remember;
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => merged.push(span),
        }
    }
    merged
}
