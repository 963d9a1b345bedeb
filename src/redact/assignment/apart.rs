//! A value that stands apart from its name: in the next cell, element or line.

use super::super::lines;
use super::operator::Operator;
use std::ops::Range;

/// How far a value may stand from its name, in bytes.
const REACH: usize = 120;

/// The most lines of a block.
const LINES: usize = 256;

/// Where the value of a name stands, if not right behind it. `at` is after the name and its quote.
pub(super) fn find(text: &[u8], name: &Range<usize>, at: usize) -> Option<(Operator, usize)> {
    element(text, name, at)
        .map(|value| (Operator::Element, value))
        .or_else(|| cell(text, name, at).map(|value| (Operator::Is, value)))
        .or_else(|| form_part(text, name, at).map(|value| (Operator::Equals, value)))
        .or_else(|| pipeline(text, name, at).map(|value| (Operator::Equals, value)))
}

/// Tags of a text that is the name of what the next element holds.
const NAMES: [&[u8]; 10] = [
    b"key", b"name", b"td", b"th", b"dt", b"label", b"code", b"strong", b"b", b"span",
];
/// Tags of what holds a value, or stands around it.
const VALUES: [&[u8]; 14] = [
    b"value", b"string", b"td", b"dd", b"code", b"strong", b"b", b"kbd", b"span", b"p", b"samp",
    b"tt", b"pre", b"var",
];
/// The most tags between a name and its value.
const TAGS: usize = 6;

/// `<key>Password</key><string>…`, `<th>upload token</th><td><code>…`.
fn element(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if !rest.starts_with(b"</") || !names_its_neighbour(text, name.start) {
        return None;
    }
    let (mut next, mut opened) = (at, false);
    for _ in 0..TAGS {
        let rest = text.get(next..)?;
        let rest = rest.get(..REACH).unwrap_or(rest);
        if rest.first() != Some(&b'<') {
            break;
        }
        let close = rest.iter().position(|b| *b == b'>')?;
        let tag = rest.get(1..close)?;
        match tag.strip_prefix(b"/") {
            // The value is empty.
            Some(_) if opened => return None,
            Some(_) => {}
            None if is_tag(tag, &VALUES) => opened = true,
            None => return None,
        }
        let gap = rest.get(close + 1..)?.iter();
        next += close + 1 + gap.take_while(|b| b.is_ascii_whitespace()).count();
    }
    let value = opened && next - at <= REACH && text.get(next) != Some(&b'<');
    value.then_some(next)
}

/// Whether a tag is one of these, whatever its attributes.
fn is_tag(tag: &[u8], of: &[&[u8]]) -> bool {
    let len = tag.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let tag = tag.get(..len).unwrap_or(tag);
    of.iter().any(|t| t.eq_ignore_ascii_case(tag))
}

/// Whether the text of an element, up to here, is words that a name ends: `<key>`, `<td>API `.
fn names_its_neighbour(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(REACH)..at).unwrap_or(&[]);
    let word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_' | b'-');
    let words = before.iter().rev().take(32).take_while(word).count();
    let head = before.get(..before.len() - words).unwrap_or(&[]);
    let Some(head) = head.strip_suffix(b">") else {
        return false;
    };
    let open = head.iter().rposition(|b| matches!(b, b'<' | b'>' | b'\n'));
    let tag = open.and_then(|open| head.get(open..)?.strip_prefix(b"<"));
    tag.is_some_and(|tag| is_tag(tag, &NAMES))
}

/// After the mark of a text that is taken as it is, or an element that only holds the value.
pub(super) fn inside(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    if !matches!(
        rest.first(),
        Some(b'<' | b' ' | b'\t' | b'\n' | 0x0c | b'\r')
    ) {
        return at;
    }
    let gap = rest
        .iter()
        .take(REACH)
        .take_while(|b| b.is_ascii_whitespace());
    let gap = gap.count();
    let inner = rest.get(gap..).unwrap_or(&[]);
    if inner.starts_with(b"<![CDATA[") {
        return at + gap + b"<![CDATA[".len();
    }
    let Some(tag) = inner.strip_prefix(b"<") else {
        return at;
    };
    const HOLDS: [&[u8]; 6] = [b"value", b"string", b"code", b"strong", b"b", b"kbd"];
    let tag = tag.get(..REACH).unwrap_or(tag);
    let close = tag.iter().position(|b| matches!(b, b'>' | b'\n' | b'<'));
    match close.filter(|close| tag.get(*close) == Some(&b'>')) {
        Some(close) if is_tag(tag.get(..close).unwrap_or(&[]), &HOLDS) => at + gap + close + 2,
        _ => at,
    }
}

/// `##vso[task.setvariable variable=NAME;issecret=true]value`.
fn pipeline(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    let before = text.get(name.start.saturating_sub(40)..name.start)?;
    before.strip_suffix(b"variable=")?;
    memchr::memmem::find(before, b"##vso[")?;
    let rest = text.get(at..)?.iter().take(REACH);
    Some(at + rest.take_while(|b| **b != b'\n').position(|b| *b == b']')? + 1)
}

/// `NAME    value`, `NAME | value`, `│ NAME │ value │`, `NAME,value`: two columns, the name first.
fn cell(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    let drawn = |b: &u8| matches!(b, b' ' | b'\t' | b'|' | b'"' | b'`' | b'*') || !b.is_ascii();
    let rest = text.get(at..)?;
    let wide = |b: &&u8| matches!(b, b' ' | b'\t');
    let spaces = rest.iter().take(REACH).take_while(wide).count();
    let after = rest.get(spaces..)?;
    let bar = match after {
        [b'|' | b',', ..] => 1,
        [0xe2, 0x94 | 0x95, _, ..] => 3,
        _ if spaces >= 2 || rest.first() == Some(&b'\t') => 0,
        _ => return None,
    };
    let from = name.start.saturating_sub(60);
    let line = text.get(from..name.start)?;
    let head = lines::last(line);
    let begins = head.iter().all(drawn) || bar > 0 && is_first_cell(head);
    if !begins {
        return None;
    }
    let start = at + spaces + bar;
    let pad = text.get(start..)?.iter().take(8).take_while(wide).count();
    let start = past_type(text, start + pad);
    let cell = text.get(start..)?;
    let len = cell
        .iter()
        .take(REACH * 4)
        .take_while(|b| !b.is_ascii_whitespace());
    let end = start + len.count();
    // More cells than two are a table's.
    if bar == 1 && after.first() == Some(&b',') && text.get(start..end)?.contains(&b',') {
        return None;
    }
    let tail = text.get(end..)?.iter().take(REACH);
    let ends = tail.take_while(|b| **b != b'\n').all(drawn);
    ends.then_some(start)
}

/// Whether only words stand before a name in the first cell of a drawn row: `┃ API `.
fn is_first_cell(head: &[u8]) -> bool {
    let line = lines::last(head);
    let word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_' | b'-');
    let words = line.iter().rev().take_while(word).count();
    let before = line.get(..line.len() - words).unwrap_or(&[]);
    let bar = before.ends_with(b"|") || before.last().is_some_and(|b| !b.is_ascii());
    words <= 24 && bar && before.iter().all(|b| !b.is_ascii_alphanumeric())
}

/// After `REG_SZ    `, which Windows puts between a name and its value.
fn past_type(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let len = rest
        .iter()
        .take(16)
        .take_while(|b| !b.is_ascii_whitespace())
        .count();
    match rest.starts_with(b"REG_") {
        true => super::operator::spaces(text, at + len, 8),
        false => at,
    }
}

/// `name="password"`, an empty line, the value: a part of a form.
fn form_part(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    let gap = match text.get(at..)? {
        [b'\n', b'\n', ..] => 2,
        [b'\r', b'\n', b'\r', b'\n', ..] => 4,
        _ => return None,
    };
    let named = text.get(..name.start)?.ends_with(b"name=\"");
    named.then_some(at + gap)
}

/// After a colon at a line's end, and `|`, `>-` or a fence: where the next line's text begins, if
/// it is one word, and whether the mark says that a value follows.
pub(super) fn next_line(text: &[u8], at: usize) -> Option<(Operator, usize)> {
    let rest = text.get(at..)?;
    let block = matches!(rest.first(), Some(b'|' | b'>'));
    let mark = rest.iter().take(3).take_while(|b| {
        matches!(b, b'|' | b'>' | b'-' | b'+' | b'*') || block && b.is_ascii_digit()
    });
    let mark = mark.count();
    let mut next = at + mark;
    for _ in 0..3 {
        let gap = text.get(next..)?.iter().take(REACH);
        next += gap.take_while(|b| b.is_ascii_whitespace()).count();
        let line = text.get(next..)?;
        if !line.starts_with(b"```") {
            break;
        }
        next += line.iter().take(20).position(|b| *b == b'\n')?;
    }
    let feeds = memchr::memchr_iter(b'\n', text.get(at..next)?).count();
    if !(1..=2).contains(&feeds) {
        return None;
    }
    let line = text.get(next..)?;
    let len = line.iter().take_while(|b| !b.is_ascii_whitespace());
    let word = line.get(..len.count())?;
    let more = line.get(word.len()..)?.iter().take(REACH);
    let alone = more
        .take_while(|b| **b != b'\n')
        .all(u8::is_ascii_whitespace);
    let item = matches!(word, [b'-' | b'#' | b'*' | b'<' | b'{' | b'[', ..]);
    let value = alone && word.len() >= 6 && !item && !word.contains(&b':');
    let operator = if block {
        Operator::Equals
    } else {
        Operator::Is
    };
    value.then_some((operator, next))
}

/// The lines below the first of a block, `password: |⏎  …`: as deep as it or deeper.
pub(super) fn block_lines(text: &[u8], first: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let from = first.start.saturating_sub(REACH);
    let head = text.get(from..first.start).unwrap_or(&[]);
    let indent = head.iter().rev().take_while(|b| **b == b' ').count();
    let above = head.get(..head.len() - indent).unwrap_or(&[]);
    let above = above.strip_suffix(b"\n").unwrap_or(&[]).trim_ascii_end();
    let mark = above.rsplit(|b| *b == b' ').next().unwrap_or(&[]);
    let plain = |b: &u8| matches!(b, b'-' | b'+') || b.is_ascii_digit();
    let block = matches!(mark, [b'|' | b'>', rest @ ..] if rest.iter().all(plain));
    if indent == 0 || !block {
        return found;
    }
    let mut at = first.end;
    while text.get(at) == Some(&b'\n') || text.get(at) == Some(&b'\r') {
        let feed = at + usize::from(text.get(at) == Some(&b'\r'));
        let rest = text.get(feed + 1..).unwrap_or(&[]);
        let deep = rest.iter().take(indent).take_while(|b| **b == b' ').count();
        let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()));
        let line = line.unwrap_or(&[]).trim_ascii_end();
        if !line.is_empty() && (deep < indent || found.len() >= LINES) {
            break;
        }
        let start = feed + 1 + deep;
        at = (feed + 1 + line.len()).max(start);
        if line.len() > deep {
            found.push(start..at);
        }
    }
    found
}

#[cfg(test)]
mod tests;
