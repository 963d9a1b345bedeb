//! What stands between a name and its value: `=`, `: `, a space after an option, `is`.

use super::names::{Kind, kind};
use std::ops::Range;

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=`, `:` and their like.
    Equals,
    /// A space, after `--name` or `ENV NAME`.
    Space,
    /// `>` of an element.
    Element,
    /// `is`, in a sentence.
    Is,
}

/// The operator after a name, and where the value begins.
pub(super) fn after(text: &[u8], name: &Range<usize>) -> Option<(Operator, usize)> {
    let mut at = name.end;
    let closed = matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
    at += usize::from(closed);
    if matches!(text.get(at), Some(b']')) {
        at += 1;
    }
    let gap = spaces(text, at, 16);
    let rest = text.get(gap..).unwrap_or(&[]);
    for sign in ["===", "!==", "=>", ":=", "==", "!=", "?=", "||=", "="] {
        if rest.starts_with(sign.as_bytes()) {
            let value = spaces(text, gap + sign.len(), 16);
            let compares = matches!(sign, "==" | "!=" | "===" | "!==");
            let literal = matches!(text.get(value), Some(b'"' | b'\'' | b'`'));
            return (!compares || literal).then_some((Operator::Equals, value));
        }
    }
    match rest.first() {
        Some(b':') if rest.get(1) == Some(&b':') => None,
        Some(b':') => Some((Operator::Equals, after_colon(text, gap + 1))),
        Some(b',') if closed => Some((Operator::Equals, spaces(text, gap + 1, 16))),
        Some(b'|') if is_cell(text, name.start) && gap > at => {
            Some((Operator::Equals, spaces(text, gap + 1, 16)))
        }
        Some(b'>') if text.get(..name.start)?.last() == Some(&b'<') => {
            Some((Operator::Element, gap + 1))
        }
        _ if gap == at => None,
        _ => spaced(text, name, gap, rest),
    }
}

/// Whether a table's cell begins here.
fn is_cell(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(40)..at).unwrap_or(&[]);
    let before = before.trim_ascii_end();
    before.ends_with(b"|") || before.ends_with(b"|`") || before.ends_with(b"| `")
}

/// After a colon: a type annotation (`: &str =`) is skipped.
fn after_colon(text: &[u8], at: usize) -> usize {
    let value = spaces(text, at, 16);
    let rest = text.get(value..).unwrap_or(&[]);
    let kind = rest
        .iter()
        .take(24)
        .take_while(|b| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'&' | b'_' | b'<' | b'>' | b'\'' | b':' | b'?')
        })
        .count();
    let equals = spaces(text, value + kind, 4);
    let typed = kind > 0
        && equals > value + kind
        && text.get(equals) == Some(&b'=')
        && text.get(equals + 1) == Some(&b' ');
    if typed {
        spaces(text, equals + 1, 16)
    } else {
        value
    }
}

/// A name and a space: an option, `ENV NAME value`, `password is …`, a netrc line.
fn spaced(text: &[u8], name: &Range<usize>, at: usize, rest: &[u8]) -> Option<(Operator, usize)> {
    let before = text
        .get(name.start.saturating_sub(40)..name.start)
        .unwrap_or(&[]);
    let first = text.get(name.start)?;
    if *first == b'-' {
        return Some((Operator::Space, at));
    }
    if matches!(rest.first(), Some(b'"' | b'\''))
        && kind(text.get(name.clone())?) == Some(Kind::Password)
    {
        return Some((Operator::Space, at));
    }
    if let Some(value) = after_verb(text, at) {
        return Some((Operator::Is, value));
    }
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or(before);
    let env = [
        "ENV ", "ARG ", "setenv ", "setx ", "set -gx ", "set -x ", "set ",
    ]
    .iter()
    .any(|w| line.ends_with(w.as_bytes()));
    let netrc = memchr::memmem::find(before, b"login ").is_some()
        || memchr::memmem::find(before, b"machine ").is_some();
    let body = memchr::memmem::find(line, b"secret set ").is_some() && rest.starts_with(b"--body ");
    if body {
        return Some((Operator::Space, at + b"--body ".len()));
    }
    (env || netrc).then_some((Operator::Space, at))
}

/// After `is`, `was set to`, `has been changed to:` and their like.
fn after_verb(text: &[u8], from: usize) -> Option<usize> {
    const WORDS: [&[u8]; 14] = [
        b"is", b"ist", b"lautet", b"was", b"has", b"been", b"set", b"to", b"now", b"changed",
        b"reset", b"will", b"be", b"should",
    ];
    if text.get(from..)?.starts_with(b"to ") {
        return None;
    }
    let mut at = from;
    for _ in 0..5 {
        let rest = text.get(at..)?;
        let len = rest
            .iter()
            .take(10)
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        let word = rest.get(..len)?;
        if !WORDS.contains(&word) || !matches!(rest.get(len), Some(b' ' | b':')) {
            break;
        }
        at = spaces(
            text,
            at + len + usize::from(rest.get(len) == Some(&b':')),
            4,
        );
    }
    (at > from).then_some(at)
}

fn spaces(text: &[u8], at: usize, most: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest
        .iter()
        .take(most)
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}
