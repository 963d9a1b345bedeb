//! The body of a token that begins with an anchor, or holds one: how far it goes, over line breaks
//! and from string to string, and whether what was cut off a longer one is still one.

mod joined;

use super::anchors::Anchor;
use super::class::Class;
use super::lines;
use super::rules::{Before, Rule};
use super::scan::Scan;
use super::value;

/// The most lines or strings that a token is put together from.
const PIECES: usize = 16;

/// The longest anchor that a long text in base64 may have in it by chance, in bytes.
pub(super) const SHORT: usize = 5;

/// The longest beginning of a body that is judged, in bytes.
const LONGEST: usize = 256;

pub(super) fn prefix(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(class) = &rule.class else { return };
    let start = match &rule.before {
        Some(before) => start(scan.text, before, anchor.start),
        None => Some(anchor.start),
    };
    let free = |start: &usize| scan.is_start(*start) || is_glued_option(scan.text, *start);
    let Some(start) = start.filter(free) else {
        return;
    };
    if scan.is_hidden(rule, anchor.start) {
        return;
    }
    // What is known by its middle may end in zeros, but is no filler before.
    let filler = rule.before.as_ref().is_some_and(|before| {
        before.min >= 16 && value::is_monotone(scan.bytes(start..anchor.start))
    });
    let named = rule.alone && is_within(scan.text, start, scan.run(anchor.rule, class, anchor.end));
    if filler || named {
        return;
    }
    let run = scan.run(anchor.rule, class, anchor.end);
    let end = trimmed(scan, anchor.end, run);
    let token = Token { rule, class, run };
    let end = token.body(scan, anchor, end);
    let coded = || anchor.end - anchor.start <= SHORT && is_in_encoded(scan.text, start);
    if let Some(end) = end.filter(|_| !coded()) {
        scan.hide(start..end, rule.id.as_str());
    }
}

/// Whether something encoded in base64, of whatever alphabet, goes on here: it has all beginnings in
/// it somewhere.
pub(super) fn is_in_encoded(text: &[u8], at: usize) -> bool {
    const LEAST: usize = 40;
    let coded = |b: &&u8| b.is_ascii_alphanumeric() || b"_-+/".contains(b);
    let head = text.get(at.saturating_sub(LEAST)..at).unwrap_or(&[]);
    let count = |kind: fn(&u8) -> bool| head.iter().filter(|b| kind(b)).count();
    head.len() == LEAST
        && head.iter().all(|b| coded(&b))
        && count(u8::is_ascii_digit) >= 2
        && count(u8::is_ascii_uppercase) >= 8
        && count(u8::is_ascii_lowercase) >= 8
        && !value::reads_like_words(head)
}

/// Whether what stands at both ends makes a piece of a name or of base64 of it.
fn is_within(text: &[u8], start: usize, end: usize) -> bool {
    let joint = |at: Option<usize>| {
        let byte = at.and_then(|at| text.get(at));
        matches!(byte, Some(b'_' | b'+' | b'/'))
    };
    joint(start.checked_sub(1)) || joint(Some(end))
}

/// `-pTOKEN`: an option of one letter without a space.
fn is_glued_option(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(3)..at).unwrap_or(&[]);
    matches!(before, [b' ' | b'"' | b'\'' | b'\n', b'-', letter] if letter.is_ascii_alphabetic())
}

/// Where what must stand before an anchor begins, also some lines above.
fn start(text: &[u8], before: &Before, anchor: usize) -> Option<usize> {
    let (mut at, mut len) = (anchor, 0);
    for _ in 0..PIECES {
        let run = before.class.run_back(text, at, before.max - len);
        at -= run;
        len += run;
        if len >= before.min {
            return Some(at);
        }
        if before.min < 24 {
            return None;
        }
        // A `+` at a line's beginning may be a mark, and not of the alphabet.
        let marked = text.get(at) == Some(&b'+') && run > 0;
        let above = lines::above(text, at).or_else(|| {
            len -= usize::from(marked);
            lines::above(text, at + 1).filter(|_| marked)
        })?;
        if before.class.run_back(text, above, 8) < 8 {
            return None;
        }
        at = above;
    }
    None
}

/// The end of a run, without the punctuation of the sentence around it.
fn trimmed(scan: &Scan<'_>, at: usize, end: usize) -> usize {
    let body = scan.bytes(at.max(end.saturating_sub(64))..end);
    let marks = body.iter().rev();
    end - marks
        .take_while(|b| matches!(b, b'.' | b'-' | b'/' | b','))
        .count()
}

/// A token being read.
struct Token<'r> {
    rule: &'r Rule,
    class: &'r Class,
    /// The end of the run after the anchor.
    run: usize,
}

impl Token<'_> {
    /// The end of what is to be hidden, if the body between the anchor and `end` is a secret's.
    fn body(&self, scan: &Scan<'_>, anchor: &Anchor, end: usize) -> Option<usize> {
        let rule = self.rule;
        let body = scan.bytes(anchor.end..end);
        let len = body.len();
        let enough = rule.full.filter(|_| rule.exact).unwrap_or(rule.min);
        if len >= enough && (!rule.exact || len == enough) {
            if !fits(rule, body) {
                return None;
            }
            let whole = rule.full.is_some_and(|full| len >= full);
            return Some(if whole {
                end
            } else {
                self.joined(scan, anchor, end).end
            });
        }
        if len > enough {
            return None;
        }
        let joined = self.joined(scan, anchor, end);
        let all = joined.bytes.len();
        let whole = rule.full == Some(all);
        if joined.end > end && (len >= 4 || whole) && (!rule.exact || whole) {
            let enough = all >= enough || scan.is_cut(joined.end);
            return (enough && fits(rule, &joined.bytes)).then_some(joined.end);
        }
        let short_anchor = anchor.end - anchor.start <= 3;
        let strict = rule.exact || rule.before.is_some();
        let least = if short_anchor || strict { 10 } else { 6 };
        let cut = if strict && short_anchor {
            scan.is_marked_cut(end)
        } else {
            scan.is_cut(end)
        };
        let cut = cut && len >= least;
        (cut && fits(rule, body)).then_some(end)
    }
}

/// Hex digits in capitals, where a token would have small letters as well: a line of a dump.
fn is_dumped(rule: &Rule, body: &[u8]) -> bool {
    let small = rule.class.as_ref().is_some_and(|class| class.has(b'z'));
    let digit = |b: &u8| matches!(b, b'0'..=b'9' | b'A'..=b'F');
    small && body.len() >= 32 && body.iter().all(digit)
}

/// Whether a body looks like a secret's. A long one is judged by its beginning: it may hold
/// anchors without number, and each of them begins a body.
fn fits(rule: &Rule, body: &[u8]) -> bool {
    let body = body.get(..LONGEST).unwrap_or(body);
    if rule.full == Some(body.len()) && body.len() >= 16 && value::is_made_up(body) {
        return true;
    }
    let filler = |b: &u8| matches!(b, b'x' | b'X' | b'*' | b'.' | b'-' | b'_');
    value::digits(body) >= rule.digits
        && !(body.len() >= 16 && body.iter().all(filler))
        && !is_dumped(rule, body)
        && rule
            .dashes
            .is_none_or(|most| body.iter().filter(|b| **b == b'-').count() <= most)
        && (rule.words || !value::is_wordy(body) || rule.before.is_some())
        && (body.len() < 8 || rule.before.is_some() || !value::is_sample(body))
}

impl Scan<'_> {
    /// Whether the text was cut here: it ends, or a mark says so.
    pub fn is_cut(&self, at: usize) -> bool {
        self.text.get(at..).is_none_or(<[u8]>::is_empty) || self.is_marked_cut(at)
    }

    /// Whether a mark says that the text was cut here: an ellipsis, `[truncated`, asterisks.
    pub fn is_marked_cut(&self, at: usize) -> bool {
        const MARKS: [&str; 9] = [
            "...",
            "…",
            "[...",
            "[…",
            "[truncated",
            "(truncated",
            "<truncated",
            "***",
            "####",
        ];
        let rest = self.text.get(at..).unwrap_or(&[]);
        let gap = rest.iter().take(4).take_while(|b| b.is_ascii_whitespace());
        let rest = rest.get(gap.count()..).unwrap_or(&[]);
        MARKS.iter().any(|mark| {
            rest.get(..mark.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(mark.as_bytes()))
        })
    }
}
