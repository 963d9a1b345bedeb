//! A password that stands before its name, and one that was changed: `use … as the password`,
//! `changed the password from … to …`.
//!
//! Only finds where they stand; whether they are secrets is judged as of any value in a sentence.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::names::Kind;
use super::operator::Operator;
use super::reading::Value;
use super::written::{Place, Written};
use super::{hide, prose};
use std::ops::Range;

/// The longest value, in bytes.
const LONGEST: usize = 64;

/// `here` is what the name says where it stands: `as the api key`.
pub(super) fn find(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) -> bool {
    let Some(kind @ (Kind::Password | Kind::Secret)) = here else {
        return false;
    };
    let spaced = |at: usize| scan.at(at) == b' ';
    let apart = spaced(name.end) || name.start.checked_sub(1).is_some_and(spaced);
    if !apart {
        return false;
    }
    let mut hidden = false;
    let ranges = prose::before_name(scan.text, name).into_iter();
    let both = both(scan.text, name).into_iter().map(|range| (range, true));
    for (range, ends) in ranges.chain(both) {
        let written = Written {
            operator: Operator::With,
            quoted: false,
            place: if ends { Place::Alone } else { Place::Code },
            assigned: false,
            equated: false,
            called_secret: false,
        };
        hidden |= hide(scan, rule, kind, Value::new(range, false), &written);
    }
    hidden
}

/// `password from VALUE to VALUE`, `password was changed from VALUE to VALUE`, where it says that it
/// was changed.
fn both(text: &[u8], name: &Range<usize>) -> Vec<Range<usize>> {
    const VERBS: [&[u8]; 7] = [b" was", b" has", b" been", b" got", b" of", b" for", b" on"];
    let rest = text.get(name.end..).unwrap_or(&[]);
    let rest = rest.get(..LONGEST * 3).unwrap_or(rest);
    let line = rest.split(|b| *b == b'\n').next().unwrap_or(rest);
    let begins = line.starts_with(b" from ") || VERBS.iter().any(|verb| line.starts_with(verb));
    let from = begins
        .then(|| memchr::memmem::find(line, b" from "))
        .flatten();
    let Some(from) = from.filter(|from| *from <= LONGEST) else {
        return Vec::new();
    };
    let clause = line.get(..from).unwrap_or(&[]);
    if !prose::is_changed(text, name) && !prose::changes(clause) {
        return Vec::new();
    }
    let words: Vec<&[u8]> = line
        .get(from + 1..)
        .unwrap_or(&[])
        .split(|b| *b == b' ')
        .collect();
    let [_, old, b"to", new, ..] = words.as_slice() else {
        return Vec::new();
    };
    let start = name.end + from + b" from ".len();
    let second = start + old.len() + b" to ".len();
    let at = |start: usize, word: &[u8]| {
        let found = bare(word);
        start + found.start..start + found.end
    };
    vec![at(start, old), at(second, new)]
}

/// A word without the marks of its sentence around it.
fn bare(word: &[u8]) -> Range<usize> {
    let mark = |b: &&u8| matches!(b, b'"' | b'\'' | b'`' | b',' | b'.' | b';' | b')' | b'(');
    let start = word.iter().take_while(mark).count();
    let tail = word.iter().rev().take_while(mark).count();
    start..word.len().saturating_sub(tail).max(start)
}
