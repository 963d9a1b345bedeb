//! Values behind what a prompt or a listing puts after a name: `Password [None]: …`,
//! `? Token: › …`, `Secret ........ …`; and in a call or statement that sets it.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::fields::blanks;
use super::names::{self, Kind};
use super::operator::Operator;
use super::reading;
use super::written::Place;
use std::ops::Range;

/// The longest remark after a name, in bytes.
const REMARK: usize = 40;
/// How far back a call's name is looked for, in bytes.
const CALL: usize = 48;

/// `here` is what the name says where it stands.
pub(super) fn find(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) {
    let Some(here) = here else {
        return;
    };
    if let Some(at) = pair(scan.text, name) {
        answer(scan, rule, name, (at, true), here);
    } else if let Some(at) = prompt(scan.text, name.end).or_else(|| led(scan.text, name.end)) {
        answer(scan, rule, name, (at, false), here);
    }
}

fn answer(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    (at, set): (usize, bool),
    here: Kind,
) {
    let Some(kind) = kind(scan.text, name, here) else {
        return;
    };
    let Some(found) = reading::read(scan.text, at, Operator::Equals) else {
        return;
    };
    let ends = matches!(
        scan.text.get(found.range.end),
        None | Some(b'\n' | b'\r' | b' ')
    );
    let place = match (set, ends) {
        (true, _) if found.quoted => Place::Text,
        (_, true) => Place::Alone,
        _ => Place::Code,
    };
    super::offer(scan, rule, kind, found, place);
}

/// The words before the last one say more: `AWS Secret Access Key`.
fn kind(text: &[u8], name: &Range<usize>, kind: Kind) -> Option<Kind> {
    let head = text.get(name.start.saturating_sub(REMARK)..name.start)?;
    let words = head.rsplitn(4, |b| *b == b' ').take(3).map(<[u8]>::len);
    let phrase = name.start - (words.sum::<usize>() + 2).min(head.len())..name.end;
    let phrase = names::kind(text.get(phrase)?).filter(|_| kind == Kind::Weak);
    Some(phrase.unwrap_or(kind))
}

/// Where the answer to a prompt begins: after a remark in brackets and a colon, or a drawn mark.
fn prompt(text: &[u8], at: usize) -> Option<usize> {
    let remarked = remark(text, blanks(text, at));
    let sign = blanks(text, remarked.unwrap_or(at));
    let sign = sign + usize::from(matches!(text.get(sign), Some(b':' | b'?')));
    let after = blanks(text, sign);
    let rest = text.get(after..).unwrap_or(&[]);
    let mark = ["›", "❯", "»", "> "].iter().find(|m| {
        let drawn = matches!(rest.first(), Some(b'>' | 0x80..));
        drawn && rest.starts_with(m.as_bytes())
    });
    match mark {
        Some(mark) if after > at => Some(blanks(text, after + mark.len())),
        _ => (remarked.is_some() && after > sign && text.get(sign - 1) != Some(&b' '))
            .then_some(after),
    }
}

/// After `[None]`, `(hidden)`, `for mira`.
fn remark(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let rest = rest.get(..REMARK).unwrap_or(rest);
    let close = match rest {
        [b'[', ..] => b']',
        [b'(', ..] => b')',
        [b'f', b'o', b'r', b' ', ..] => b':',
        _ => return None,
    };
    let end = rest.iter().position(|b| *b == close || *b == b'\n')?;
    let end = (rest.get(end) == Some(&close)).then_some(end)?;
    Some(at + end + usize::from(close != b':'))
}

/// After a line of dots or dashes that leads from a name to its value.
fn led(text: &[u8], at: usize) -> Option<usize> {
    let start = blanks(text, at);
    let rest = text.get(start..)?;
    let lead = *rest.first().filter(|b| matches!(b, b'.' | b'-' | b'_'))?;
    let len = rest.iter().take(TAIL).take_while(|b| **b == lead).count();
    let end = start + len;
    let colon = blanks(text, end);
    let colon = colon + usize::from(text.get(colon) == Some(&b':'));
    let value = blanks(text, colon);
    (len >= 3 && value > end).then_some(value)
}

/// The longest line of dots, in bytes.
const TAIL: usize = 120;

/// The text after a name in a call or statement that sets it: `setItem('token', '…')`,
/// `VALUES ('token', '…')`.
fn pair(text: &[u8], name: &Range<usize>) -> Option<usize> {
    let quote = text.get(name.end).filter(|b| matches!(b, b'"' | b'\''))?;
    let comma = blanks(text, name.end + 1);
    let value = blanks(text, comma + 1);
    let listed = text.get(comma) == Some(&b',') && text.get(value) == Some(quote);
    let head = text.get(name.start.saturating_sub(CALL)..name.start)?;
    let head = head.strip_suffix(&[*quote])?.trim_ascii_end();
    // `StringVar(&cfg.Password, "password", "…"`: also as the second one.
    let open = head.iter().rposition(|b| matches!(b, b'(' | b'\n'))?;
    let first = head.get(open + 1..)?.trim_ascii();
    let head = head.get(..open)?.trim_ascii_end();
    if !(first.is_empty() || first.ends_with(b",")) {
        return None;
    }
    let word = head
        .rsplit(|b| !b.is_ascii_alphabetic() && *b != b'_')
        .next()?;
    let word = word.to_ascii_lowercase();
    const SETS: [&[u8]; 7] = [
        b"set",
        b"put",
        b"store",
        b"header",
        b"append",
        b"values",
        b"stringvar",
    ];
    let sets = SETS
        .iter()
        .any(|set| memchr::memmem::find(&word, set).is_some());
    (listed && sets && !word.starts_with(b"get")).then_some(value)
}
