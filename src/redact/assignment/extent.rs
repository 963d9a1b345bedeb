//! How far a record goes: braces, indentation, lines that are continued.

use super::super::lines;
use super::fields;
use std::ops::Range;

/// How far a record is looked through on either side of a name, in bytes.
pub(super) const REACH: usize = 512;
/// The longest tag before a value, in bytes.
pub(super) const TAG: usize = 64;

/// The columns at which the lines after the first begin.
pub(super) fn lines_of(between: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'\n', between).map(|feed| lines::gutter(between, feed + 1) - (feed + 1))
}

/// The column of what begins a line, but for a list's dash.
pub(super) fn column(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(REACH);
    let head = text.get(from..at)?;
    let line = from + memchr::memrchr(b'\n', head).map_or(0, |n| n + 1);
    let mut start = lines::gutter(text, line);
    if text
        .get(start..)
        .is_some_and(|rest| rest.starts_with(b"- "))
    {
        start = lines::gutter(text, start + 1);
    }
    (start == at).then(|| at - line)
}

/// Where the last line of a text begins that no backslash continues.
pub(super) fn line_before(head: &[u8]) -> usize {
    let mut feeds = memchr::memrchr_iter(b'\n', head);
    let last = feeds.find(|n| !head.get(..*n).is_some_and(|h| h.ends_with(b"\\")));
    last.map_or(0, |n| n + 1)
}

/// Where the record ends that this is inside of.
pub(super) fn close(text: &[u8], from: usize, to: usize) -> usize {
    let rest = text.get(from..to).unwrap_or(&[]);
    let mut depth = 0_usize;
    for (n, byte) in rest.iter().enumerate() {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' if depth == 0 => return from + n,
            b'}' | b']' | b')' => depth -= 1,
            b'\n' if matches!(rest.get(n + 1), Some(b'\n')) => return from + n,
            b';' if depth == 0 && rest.get(n + 1) == Some(&b'\n') => return from + n,
            _ => {}
        }
    }
    from + rest.len()
}

/// Where the record begins that this is inside of.
pub(super) fn open(text: &[u8], from: usize, at: usize) -> usize {
    let head = text.get(from..at).unwrap_or(&[]);
    let mut depth = 0_usize;
    for (n, byte) in head.iter().enumerate().rev() {
        match byte {
            b'}' | b']' | b')' => depth += 1,
            b'{' | b'[' | b'(' if depth == 0 => return from + n + 1,
            b'{' | b'[' | b'(' => depth -= 1,
            b'\n' if head.get(n + 1) == Some(&b'\n') => return from + n + 1,
            b';' if depth == 0 && head.get(n + 1) == Some(&b'\n') => return from + n + 1,
            _ => {}
        }
    }
    from
}

/// The record that a name stands over: `"password": {…`, `variable "password" {…`,
/// `password:⏎  value: …`, `<Password><Value>…`.
pub(super) fn below(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let quoted = matches!(text.get(name.end), Some(b'"' | b'\''));
    let sign = fields::blanks(text, name.end + usize::from(quoted));
    let body = match text.get(sign..)? {
        [b'{', ..] if quoted => sign + 1,
        [b'=', b'>', ..] => opened(text, sign + 2)?,
        [b':', b'\r' | b'\n', ..] if !quoted => return indented(text, name, sign + 1),
        [b':' | b'=', ..] => opened(text, sign + 1)?,
        [b'>', ..] => return inner(text, name, sign + 1),
        _ => return None,
    };
    Some(body..close(text, body, (body + REACH).min(text.len())))
}

fn opened(text: &[u8], at: usize) -> Option<usize> {
    let at = fields::blanks(text, at);
    (text.get(at) == Some(&b'{')).then_some(at + 1)
}

/// The lines that are indented more than the name's.
fn indented(text: &[u8], name: &Range<usize>, at: usize) -> Option<Range<usize>> {
    let column = column(text, name.start)?;
    let rest = text.get(at..)?;
    let rest = rest.get(..REACH).unwrap_or(rest);
    let feeds = memchr::memchr_iter(b'\n', rest);
    let deeper = |feed: usize| lines::gutter(rest, feed + 1).saturating_sub(feed + 1) > column;
    let end = feeds.map(|n| (n, deeper(n))).find(|(_, deeper)| !deeper);
    Some(at..at + end.map_or(rest.len(), |(n, _)| n))
}

/// The first element inside an element.
fn inner(text: &[u8], name: &Range<usize>, at: usize) -> Option<Range<usize>> {
    let named = name.start.checked_sub(1).and_then(|b| text.get(b)) == Some(&b'<');
    let inner = fields::space(text, at);
    let opens = text.get(inner) == Some(&b'<');
    (named && opens).then(|| inner..(inner + TAG).min(text.len()))
}

/// Where the same label is again, in the same quotes, up to `to`: there another record begins.
pub(super) fn again(text: &[u8], label: &Range<usize>, from: usize, to: usize) -> usize {
    let found = memchr::memmem::find(text.get(from..to).unwrap_or(&[]), mark(text, label));
    found.map_or(to, |n| from + n)
}

/// As [`again`], before the label: from where on nothing but its own record can stand.
pub(super) fn before(text: &[u8], label: &Range<usize>, from: usize) -> usize {
    let head = text.get(from..label.start.saturating_sub(1)).unwrap_or(&[]);
    let mark = mark(text, label);
    let found = memchr::memmem::rfind(head, mark);
    found.map_or(from, |n| from + n + mark.len())
}

fn mark<'t>(text: &'t [u8], label: &Range<usize>) -> &'t [u8] {
    let to = (label.end + 1).min(text.len());
    text.get(label.start.saturating_sub(1)..to).unwrap_or(&[])
}
