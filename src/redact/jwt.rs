//! JSON web tokens: known by a header that decodes, also when wrapped or cut.

use super::anchors::Anchor;
use super::class::Class;
use super::rules::Rule;
use super::scan::Scan;
use super::{lines, value};
use std::borrow::Cow;

/// The longest token, in bytes.
const LONGEST: usize = 16 * 1024;
/// How much of a header is looked at, in bytes of base64.
const HEADER: usize = 1024;
/// The most punctuation that may stand between a token and what follows, in bytes.
const MARKS: usize = 64;

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(class) = &rule.class else { return };
    let free = anchor.start.checked_sub(1).is_none_or(|b| {
        scan.at(b) != b'.' || b == 0 || !class.has(scan.at(b - 1)) || scan.at(b - 1) == b'.'
    });
    if !free || !scan.is_start(anchor.start) {
        return;
    }
    let mut end = scan.run(anchor.rule, class, anchor.start);
    let run = scan.bytes(anchor.start..end.min(anchor.start + LONGEST));
    let mut token = Cow::Borrowed(run);
    if !scan.was_read(anchor.rule, anchor.start) {
        join(scan, class, token.to_mut(), &mut end);
        scan.has_read(anchor.rule, end);
    }
    if !is_header(&token) {
        return;
    }
    let least = anchor.start.max(end.saturating_sub(MARKS));
    while end > least && matches!(scan.at(end - 1), b'.' | b'-') && !scan.is_cut(end) {
        end -= 1;
    }
    let dot = memchr::memchr(b'.', &token);
    let payload = dot.and_then(|dot| token.get(dot + 1..dot + 5));
    let payload = payload.is_some_and(|start| !start.contains(&b'.'));
    if payload || (scan.is_cut(end) && token.len() > 60) {
        scan.hide(anchor.start..end, rule.id.as_str());
    }
}

/// Goes on over line breaks while whole lines of token follow.
fn join(scan: &Scan<'_>, class: &Class, token: &mut Vec<u8>, end: &mut usize) {
    let text = scan.text;
    let complete = |token: &[u8]| {
        token
            .split(|b| *b == b'.')
            .nth(2)
            .is_some_and(|s| s.len() >= 43)
    };
    while token.len() < LONGEST && !complete(token) {
        let Some(joint) = lines::next(text, *end).filter(|next| !next.listed) else {
            return;
        };
        let next = joint.at;
        let run = class.run(text, next, LONGEST);
        let piece = text.get(next..next + run).unwrap_or(&[]);
        let last = lines::ends_line(text, next + run) || lines::next(text, next + run).is_some();
        let other = token.last() != Some(&b'.') && scan.is_other(next);
        if run < 8 || other || value::is_wordy(piece) || !last {
            return;
        }
        token.extend_from_slice(piece);
        *end = next + run;
    }
}

/// Whether a token begins with a header. Of a long one its beginning is enough: a text may hold
/// anchors without number, each in the same run.
fn is_header(token: &[u8]) -> bool {
    let head = token.get(..HEADER).unwrap_or(token);
    let json = value::base64(head.split(|b| *b == b'.').next().unwrap_or(head));
    let has = |name: &[u8]| memchr::memmem::find(&json, name).is_some();
    json.first() == Some(&b'{')
        && (has(b"\"alg\"") || has(b"\"enc\"") || has(b"\"typ\"") || has(b"\"kid\""))
}
