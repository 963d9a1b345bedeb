//! Session cookies: `Cookie` and `Set-Cookie`, in objects, calls, variables and cookie files.

use super::super::anchors::Anchor;
use super::super::rules::{Rule, rules};
use super::super::scan::Scan;
use super::super::value;
use super::{LONGEST, value_at};
use std::ops::Range;

/// The values of session cookies: of a header, an object's or a variable's, or a line of a cookie
/// file.
pub(in super::super) fn cookie(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.start < scan.cookies {
        return;
    }
    let name = scan.bytes(anchor.start..anchor.end);
    let line = |at: usize, ends: &[u8]| {
        let rest = scan.text.get(at..).unwrap_or(&[]);
        let rest = rest.get(..LONGEST).unwrap_or(rest);
        let len = rest.iter().position(|b| ends.contains(b));
        at..at + len.unwrap_or(rest.len())
    };
    let found = if name == b"\t/\t" {
        let range = row_value(scan.text, anchor.start);
        range.into_iter().collect()
    } else if name.starts_with(b"\t") {
        let range = line(anchor.start, b"\n");
        scan.cookies = range.end;
        jar_value(scan.text, range).into_iter().collect()
    } else {
        let plural = usize::from(scan.at(anchor.end) == b's');
        let Some(at) = value_at(scan.text, anchor.end + plural) else {
            return;
        };
        let (ends, object): (&[u8], bool) = match scan.at(at.saturating_sub(1)) {
            b'"' => (b"\n\"", false),
            b'\'' => (b"\n'", false),
            _ if scan.at(at) == b'{' => (b"}", true),
            _ => (b"\n\"'", false),
        };
        let range = line(at, ends);
        scan.cookies = range.end;
        if object {
            fields(scan.text, range)
        } else {
            session_values(scan.text, range)
        }
    };
    for range in found {
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

/// The values of `name=value; name=value`.
pub(in super::super) fn session_values(text: &[u8], line: Range<usize>) -> Vec<Range<usize>> {
    let mut at = line.start;
    let body = text.get(line).unwrap_or(&[]);
    body.split(|b| *b == b';')
        .filter_map(|pair| {
            let start = at;
            at += pair.len() + 1;
            let equals = pair.iter().position(|b| *b == b'=')?;
            let value = pair.get(equals + 1..)?.trim_ascii_end();
            let from = start + equals + 1;
            is_session(pair.get(..equals)?, value).then_some(from..from + value.len())
        })
        .collect()
}

/// The values of `{'name': 'value', …`.
pub(super) fn fields(text: &[u8], object: Range<usize>) -> Vec<Range<usize>> {
    let quote = |b: &u8| matches!(b, b'"' | b'\'');
    let mut at = object.start;
    let body = text.get(object).unwrap_or(&[]);
    body.split(|b| *b == b',')
        .filter_map(|pair| {
            let start = at;
            at += pair.len() + 1;
            let colon = pair.iter().position(|b| *b == b':')?;
            let open = colon + pair.get(colon..)?.iter().position(quote)? + 1;
            let len = pair.get(open..)?.iter().position(quote)?;
            let value = pair.get(open..open + len)?;
            is_session(pair.get(..colon)?, value).then_some(start + open..start + open + len)
        })
        .collect()
}

/// The value in a line of a cookie file: the last of seven columns. The line is given from the
/// second on.
pub(super) fn jar_value(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(line.clone())?;
    let mut tabs = memchr::memchr_iter(b'\t', body);
    let (name, value) = (tabs.nth(4)? + 1, tabs.next()? + 1);
    let content = body.get(value..)?.trim_ascii_end();
    let session = is_session(body.get(name..value - 1)?, content);
    session.then(|| line.start + value..line.start + value + content.len())
}

/// The value in a row of a browser's list of cookies: the second column, before the host and the
/// path, which begins at `path`.
fn row_value(text: &[u8], path: usize) -> Option<Range<usize>> {
    let from = path.saturating_sub(LONGEST);
    let head = text.get(from..path)?;
    let line = memchr::memrchr(b'\n', head).map_or(0, |feed| feed + 1);
    let mut tabs = memchr::memrchr_iter(b'\t', head.get(line..)?);
    let host = line + tabs.next()? + 1;
    let value = line + tabs.next()? + 1;
    let named = tabs.next().is_none();
    let is_host = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':');
    let fits = named && host < head.len() && head.get(host..)?.iter().all(is_host);
    let content = head.get(value..host - 1)?;
    let session = fits && is_session(head.get(line..value - 1)?, content);
    session.then(|| from + value..from + host - 1)
}

pub(super) fn is_session(name: &[u8], content: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    content.len() >= 12
        && rules()
            .names
            .session
            .iter()
            .any(|word| name.contains(word.as_str()))
        && (value::is_secret(content) || value::is_odd(content, 8.0))
}
