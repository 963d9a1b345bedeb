//! Whether a name is what a field of a record holds: `"name": "DB_PASSWORD"`, `<key>Token</key>`.

use super::fields;
use std::ops::Range;

/// How far a tag may begin before its attribute, in bytes.
const REACH: usize = 512;
/// The longest name with what belongs to it, such as a path before it, in bytes.
const WHOLE: usize = 64;

/// How a record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `"name": "x"`, `name = 'x'`
    Quoted,
    /// `name: x`, `name=x`
    Bare,
    /// `<tag name="x"`, from the tag's beginning on.
    Attribute(usize),
    /// `<name>x</name>`
    Element,
    /// `--name x`
    Flag,
}

/// A name that is the value of a field.
#[derive(Debug)]
pub(super) struct Named {
    pub label: Range<usize>,
    /// The name with what stands before it in the same field.
    pub whole: Range<usize>,
    pub style: Style,
}

/// The field that holds this name, if it is one that announces names.
pub(super) fn named(text: &[u8], name: &Range<usize>) -> Option<Named> {
    let found = match text.get(name.end..).unwrap_or(&[]) {
        [quote @ (b'"' | b'\''), ..] => quoted(text, name, *quote),
        [b'<', b'/', ..] => element(text, name),
        [] | [b' ' | b'\t' | b'\r' | b'\n' | b',' | b'}' | b';', ..] => bare(text, name),
        _ => None,
    }?;
    fields::names(text.get(found.label.clone())?).then_some(found)
}

fn quoted(text: &[u8], name: &Range<usize>, quote: u8) -> Option<Named> {
    let from = name.start.saturating_sub(WHOLE);
    let head = text.get(from..name.start)?;
    let open = from + head.iter().rposition(|b| *b == quote || *b == b'\n')?;
    let whole = open + 1..name.end;
    if text.get(open) != Some(&quote) {
        return None;
    }
    let end = trim(text, open);
    let label = match text.get(..end)? {
        [.., b'=', b'>'] => fields::label(text, end - 2),
        [.., b':' | b'='] => fields::label(text, end - 1),
        _ if end < open => return flag(text, end, whole),
        _ => None,
    }?;
    let style = match tag(text, label.start) {
        _ if is_flag(text, &label) => Style::Flag,
        Some(tag) if text.get(end - 1) == Some(&b'=') => Style::Attribute(tag),
        _ => Style::Quoted,
    };
    Some(Named {
        label,
        whole,
        style,
    })
}

/// Where the tag begins that is still open here.
fn tag(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(REACH);
    let head = text.get(from..at)?;
    let open = memchr::memrchr2(b'<', b'>', head)?;
    let begins = head.get(open + 1).is_some_and(u8::is_ascii_alphabetic);
    (head.get(open) == Some(&b'<') && begins).then_some(from + open)
}

fn element(text: &[u8], name: &Range<usize>) -> Option<Named> {
    let from = name.start.saturating_sub(WHOLE);
    let head = text.get(from..name.start)?;
    let close = from + head.iter().rposition(|b| matches!(b, b'>' | b'\n'))?;
    let label = fields::label(text, close).filter(|_| text.get(close) == Some(&b'>'))?;
    let opens = label.start.checked_sub(1).and_then(|b| text.get(b)) == Some(&b'<');
    opens.then_some(Named {
        label,
        whole: close + 1..name.end,
        style: Style::Element,
    })
}

fn bare(text: &[u8], name: &Range<usize>) -> Option<Named> {
    let from = name.start.saturating_sub(WHOLE);
    let head = text.get(from..name.start)?.iter().rev();
    let path = head
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/'))
        .count();
    let whole = name.start - path..name.end;
    let end = trim(text, whole.start);
    match text.get(..end)? {
        [.., b':' | b'='] => {
            let label = fields::label(text, end - 1)?;
            let style = match is_flag(text, &label) {
                true => Style::Flag,
                false => Style::Bare,
            };
            Some(Named {
                label,
                whole,
                style,
            })
        }
        _ if end < whole.start => flag(text, end, whole),
        _ => None,
    }
}

/// `--name x`: the option ends here.
fn flag(text: &[u8], end: usize, whole: Range<usize>) -> Option<Named> {
    let label = fields::label(text, end)?;
    is_flag(text, &label).then_some(Named {
        label,
        whole,
        style: Style::Flag,
    })
}

pub(super) fn is_flag(text: &[u8], label: &Range<usize>) -> bool {
    text.get(label.start) == Some(&b'-')
}

/// Before the blanks that end here.
fn trim(text: &[u8], end: usize) -> usize {
    let head = text.get(end.saturating_sub(WHOLE)..end).unwrap_or(&[]);
    end - (head.len() - head.trim_ascii_end().len())
}
