//! The second of two values under one name: `"a" -> "b"`, `expected 'a' but got 'b'`,
//! `'a' == 'b'`, `from "a" to "b"`.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::names::Kind;
use super::operator::Operator;
use super::reading;
use super::written::Place;

/// What stands between two values of one name, without the blanks around it.
const JOINTS: [&[u8]; 28] = [
    b", the new one is",
    b", new one is",
    b", the old one was",
    b", now",
    b", now it's",
    b", now it is",
    b", before it was",
    b"(was",
    b"->",
    b"=>",
    "→".as_bytes(),
    b"to",
    b"==",
    b"!=",
    b"===",
    b"!==",
    b"vs",
    b"vs.",
    b"but got",
    b", got",
    b"got",
    b"but was",
    b"but found",
    b"but received",
    b", actual",
    b"or",
    b"and not",
    b"instead of",
];

/// Hides what follows a value that ends at `end`, its quote included, if it is another of the same
/// name, which is of such a kind.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, end: usize) {
    let Some(at) = after(scan.text, end).filter(|_| matches!(kind, Kind::Password | Kind::Secret))
    else {
        return;
    };
    let Some(found) = reading::read(scan.text, at, Operator::Equals) else {
        return;
    };
    let place = match found.quoted {
        true => Place::Text,
        false => Place::Alone,
    };
    let end = found.range.end;
    if super::offer(scan, rule, kind, found, place) {
        scan.assigned = scan.assigned.max(end);
    }
}

/// Where the second value begins.
fn after(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let line = rest.get(..48).unwrap_or(rest);
    let line = line.split(|b| *b == b'\n').next()?;
    // `[-old-]{+new+}`, as a diff of words has it.
    if text.get(end.saturating_sub(1)..)?.starts_with(b"-]{+") {
        return Some(end + 3);
    }
    let blanks = line.iter().take_while(|b| **b == b' ').count();
    let body = line.get(blanks..)?;
    let joint = JOINTS
        .iter()
        .filter(|joint| body.starts_with(joint))
        .max_by_key(|joint| joint.len())?;
    let after = body.get(joint.len()..)?;
    let gap = after
        .iter()
        .take_while(|b| matches!(b, b' ' | b':'))
        .count();
    let word = joint.last().is_some_and(u8::is_ascii_alphabetic);
    let apart = blanks > 0 || joint.first() == Some(&b',');
    (!word || gap > 0 && apart).then_some(end + blanks + joint.len() + gap)
}
