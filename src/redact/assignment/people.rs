//! Logins as people write them in chats, tickets and wikis: `ID/PW: harry/…`, `id(harry)/pwd(…)`,
//! `harry@host (pw …)`, `PW …` on a line of its own, `password for staging: …`.
//!
//! Owns the forms; what else names a value is read by its neighbours, which come first but for
//! pairs. Only the password of a pair is hidden. Looks no further than one line and some hundred
//! bytes around a label, and never at a value that does not look chosen or random.

mod judge;
mod labels;
mod lone;
mod pair;
mod separators;

use super::super::anchors::Anchor;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::code;
use super::names::Kind;
use judge::Strength;
use labels::Meaning;
use std::ops::Range;

/// The longest value, in bytes.
const VALUE: usize = 96;

/// A label and what it says of its value.
pub(super) struct Label {
    range: Range<usize>,
    meaning: Meaning,
}

/// The label that holds an anchor, if it is one that people write. `kind` is what the whole name
/// says.
pub(super) fn label(
    scan: &mut Scan<'_>,
    anchor: &Anchor,
    name: &Range<usize>,
    kind: Option<Kind>,
) -> Option<Label> {
    let text = scan.text;
    let range = labels::within(text, anchor, name);
    let label = text.get(range.clone())?;
    // `git-credentials-…`: a piece of a longer name, or of something encoded.
    let joint = |b: &u8| matches!(b, b'-' | b'_');
    let joined = text.get(range.end) == Some(&b'-') && label.iter().any(joint);
    let tail = label.get(label.len().saturating_sub(b"appid".len())..);
    let app = tail.is_some_and(|tail| tail.eq_ignore_ascii_case(b"appid"));
    if app || joined {
        return None;
    }
    let whole = range == *name;
    let meaning = match kind {
        Some(Kind::Password) if whole => Meaning::Password,
        Some(Kind::Secret) if whole && !labels::is_both(label) => Meaning::Secret,
        Some(Kind::Weak) | None if whole => labels::own(label)?,
        Some(_) if whole && !labels::is_both(label) => return None,
        _ => labels::own(label).or_else(|| labels::meaning(scan.kind(&range)?))?,
    };
    (!code::is_encoded(text, name)).then_some(Label { range, meaning })
}

/// Hides the password of `ID/PW: harry/…`, where both labels stand before both values.
pub(super) fn find_pair(scan: &mut Scan<'_>, rule: &'static Rule, label: Option<&Label>) -> bool {
    let text = scan.text;
    let found = label.and_then(|l| pair::find(text, l).or_else(|| lone::slashed(text, l)));
    hide(scan, rule, found)
}

/// Hides the password that stands beside a label of its own.
pub(super) fn find_lone(scan: &mut Scan<'_>, rule: &'static Rule, label: Option<&Label>) -> bool {
    let found = label.and_then(|label| lone::find(scan.text, label));
    hide(scan, rule, found)
}

/// Hides a text that stands where a password does, if it looks like one.
pub(in super::super) fn hide_text(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    range: Range<usize>,
) -> bool {
    let strength = judge::strength(scan.bytes(range.clone()));
    hide(scan, rule, strength.map(|strength| (range, strength)))
}

fn hide(scan: &mut Scan<'_>, rule: &'static Rule, found: Option<(Range<usize>, Strength)>) -> bool {
    let Some((range, strength)) = found else {
        return false;
    };
    scan.assigned = scan.assigned.max(range.end);
    if strength == Strength::Random && range.len() >= 8 {
        scan.hide_and_remember(range, rule.id.as_str());
    } else {
        scan.hide(range, rule.id.as_str());
    }
    true
}

/// `bcrypt12`, `token1`: a kind or a thing and its number, as sentences have them.
pub(super) fn is_numbered_label(word: &[u8]) -> bool {
    judge::is_numbered_label(word)
}

/// What stands on the same line before a place.
fn line_before(text: &[u8], at: usize, most: usize) -> &[u8] {
    let before = text.get(at.saturating_sub(most)..at).unwrap_or(&[]);
    lines::last(before)
}

/// The word that begins here, as a person writes a password: up to a blank, a quote, what is not
/// ASCII, or a bracket that was not opened in it. Marks of a sentence at its end are none of it.
fn word(text: &[u8], at: usize, stop: &[u8]) -> Range<usize> {
    let rest = text.get(at..).unwrap_or(&[]);
    let mut open = 0_usize;
    let mut len = 0;
    for byte in rest.iter().take(VALUE) {
        match byte {
            b'(' | b'[' => open += 1,
            b')' | b']' if open == 0 => break,
            b')' | b']' => open -= 1,
            b if !b.is_ascii_graphic() || b"\"'`<>".contains(b) || stop.contains(b) => break,
            b',' | b';' if is_joint(rest.get(len + 1)) => break,
            b'&' if is_parameter(rest.get(len + 1..)) => break,
            _ => {}
        }
        len += 1;
    }
    while len > 0 && matches!(rest.get(len - 1), Some(b'.' | b',' | b';' | b':' | b'|')) {
        len -= 1;
    }
    at..at + len
}

/// `next=…` behind a `&`: the next parameter of an address.
fn is_parameter(rest: Option<&[u8]>) -> bool {
    let rest = rest.unwrap_or(&[]);
    let name = |b: &&u8| b.is_ascii_lowercase() || **b == b'_';
    let len = rest.iter().take(24).take_while(name).count();
    len >= 2 && rest.get(len) == Some(&b'=')
}

/// Whether a comma before this byte ends a word.
fn is_joint(next: Option<&u8>) -> bool {
    next.is_none_or(|b| !b.is_ascii_graphic() || b.is_ascii_alphabetic())
}
