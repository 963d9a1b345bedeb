//! Where a value begins and ends: quoted, in an element, or bare.

use super::operator::Operator;
use std::ops::Range;

/// The longest value, in bytes.
const VALUE: usize = 1024;

/// A value and how it is written.
pub(super) struct Value {
    pub range: Range<usize>,
    pub quoted: bool,
}

/// The value that begins here.
pub(super) fn read(text: &[u8], at: usize, operator: Operator) -> Option<Value> {
    let start = match text.get(at..)? {
        [b'f' | b'b' | b'r' | b'@' | b'$', b'"' | b'\'', ..] => at + 1,
        _ => at,
    };
    let rest = text.get(start..)?;
    let rest = rest.get(..VALUE).unwrap_or(rest);
    match rest.first()? {
        quote @ (b'"' | b'\'' | b'`') => {
            let body = rest.get(1..)?;
            let len = body.iter().position(|b| b == quote || *b == b'\n')?;
            (body.get(len) == Some(quote)).then(|| Value {
                range: start + 1..start + 1 + len,
                quoted: true,
            })
        }
        _ if operator == Operator::Element => {
            let len = rest.iter().position(|b| matches!(b, b'<' | b'\n'))?;
            Some(Value {
                range: start..start + len,
                quoted: true,
            })
        }
        _ => {
            let len = unquoted(rest);
            Some(Value {
                range: start..start + len,
                quoted: false,
            })
        }
    }
}

/// The length of a value without quotes: up to a space, a quote, or what joins it to the next.
fn unquoted(rest: &[u8]) -> usize {
    let end = rest
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | 0))
        .unwrap_or(rest.len());
    let run = rest.get(..end).unwrap_or(rest);
    let joint = (1..run.len())
        .find(|at| joins(run, *at))
        .unwrap_or(run.len());
    let mut len = joint;
    while len > 0
        && matches!(
            run.get(len - 1),
            Some(b',' | b';' | b')' | b'}' | b']' | b'.' | b'|' | b'<' | b'>' | b':')
        )
    {
        len -= 1;
    }
    len
}

/// `&name=`, `?name=`, `;name=`, `,name=`, `</tag`.
fn joins(run: &[u8], at: usize) -> bool {
    let Some(byte) = run
        .get(at)
        .filter(|b| matches!(b, b'&' | b';' | b'<' | b',' | b'?'))
    else {
        return false;
    };
    let rest = run.get(at + 1..).unwrap_or(&[]);
    if *byte == b'<' {
        return rest.first() == Some(&b'/');
    }
    let name = rest
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    (name > 0 && matches!(rest.get(name), Some(b'=' | b':')))
        || (*byte == b'&' && rest.first() == Some(&b'&'))
}
