//! Where a value begins and ends: quoted, in an element, or bare.

use super::super::lines;
use super::apart;
use super::operator::Operator;
use std::borrow::Cow;
use std::ops::Range;

/// The longest value, in bytes.
const VALUE: usize = 1024;

/// A value and how it is written.
pub(super) struct Value {
    pub range: Range<usize>,
    pub quoted: bool,
    /// The strings that are joined to it: `"…" + "…"`.
    pub more: Vec<Range<usize>>,
}

impl Value {
    fn new(range: Range<usize>, quoted: bool) -> Self {
        Self {
            range,
            quoted,
            more: Vec::new(),
        }
    }

    /// All of it.
    pub fn text<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let piece = |range: &Range<usize>| text.get(range.clone()).unwrap_or(&[]);
        let first = piece(&self.range);
        if self.more.is_empty() {
            return first.into();
        }
        let all = std::iter::once(first).chain(self.more.iter().map(piece));
        all.collect::<Vec<_>>().concat().into()
    }
}

/// The value that begins here.
pub(super) fn read(text: &[u8], at: usize, operator: Operator) -> Option<Value> {
    let at = opened(text, apart::inside(text, at));
    let start = match text.get(at..)? {
        [b'f' | b'b' | b'r' | b'@' | b'$', b'"' | b'\'', ..] => at + 1,
        _ => at,
    };
    let rest = text.get(start..)?;
    let rest = rest.get(..VALUE).unwrap_or(rest);
    match rest.first()? {
        b'"' | b'\'' | b'`' => quoted(text, start),
        // `PWD={…};`, as ODBC writes it.
        b'{' if operator == Operator::Equals && text.get(at - 1) == Some(&b'=') => {
            let len = rest.iter().position(|b| matches!(b, b'}' | b'\n'))?;
            let closed = matches!(
                rest.get(len..),
                Some([b'}'] | [b'}', b';' | b'"' | b'\n', ..])
            );
            closed.then(|| Value::new(start + 1..start + len, true))
        }
        _ if operator == Operator::Element => {
            let len = rest.iter().position(|b| matches!(b, b'<' | b'\n'))?;
            let body = rest.get(..len)?;
            let len = body.strip_suffix(b"]]>").map_or(len, <[u8]>::len);
            Some(Value::new(start..start + len, true))
        }
        _ => Some(Value::new(start..start + unquoted(rest), false)),
    }
}

/// In quotes, with the strings joined to it; or up to where the text was cut.
fn quoted(text: &[u8], start: usize) -> Option<Value> {
    let string = |start: usize| {
        let rest = text.get(start..)?;
        let quote = rest.first()?;
        let body = rest.get(1..)?;
        let body = body.get(..VALUE).unwrap_or(body);
        let end = body.iter().position(|b| b == quote || *b == b'\n');
        let len = end.unwrap_or(body.len());
        let closed = body.get(len) == Some(quote);
        Some((start + 1..start + 1 + len, closed))
    };
    let (range, closed) = string(start)?;
    if !closed {
        let body = text.get(range.clone())?;
        let mark = ["…", "..."]
            .iter()
            .find_map(|m| body.strip_suffix(m.as_bytes()));
        let ends = range.end == text.len();
        let len = mark.map(<[u8]>::len).or(ends.then_some(body.len()))?;
        let word = !body.iter().any(u8::is_ascii_whitespace);
        return word.then(|| Value::new(range.start..range.start + len, true));
    }
    let mut value = Value::new(range.clone(), true);
    let mut end = range.end;
    for _ in 0..8 {
        let next = lines::joint(text, end).filter(|next| !next.listed);
        let Some((range, true)) = next.and_then(|next| string(next.at - 1)) else {
            break;
        };
        end = range.end;
        value.more.push(range);
    }
    Some(value)
}

/// Inside what only wraps a string: `Some("…")`, `String::from("…")`, `string(14) "…"`.
fn opened(text: &[u8], at: usize) -> usize {
    const WRAPS: [&[u8]; 11] = [
        b"Some(",
        b"Ok(",
        b"String::from(",
        b"Secret::new(",
        b"SecretString::new(",
        b"SecretString::from(",
        b"SecureString(",
        b"aws.String(",
        b"ptr.String(",
        b"Buffer.from(",
        b"str(",
    ];
    let rest = text.get(at..).unwrap_or(&[]);
    let after = match WRAPS.iter().find(|w| rest.starts_with(w)) {
        Some(wrap) => wrap.len(),
        None if rest.starts_with(b"<<\"") => 2,
        None if rest.starts_with(b"string(") => {
            match rest.iter().take(12).position(|b| *b == b')') {
                Some(close) => close + 1,
                None => return at,
            }
        }
        None => return at,
    };
    let gap = rest.get(after..).unwrap_or(&[]).iter().take(40);
    let gap = gap.take_while(|b| b.is_ascii_whitespace()).count();
    match rest.get(after + gap) {
        Some(b'"' | b'\'') => at + after + gap,
        _ => at,
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
