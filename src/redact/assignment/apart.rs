//! A value that stands apart from its name: in the next cell, element or line.

use super::operator::Operator;
use std::ops::Range;

/// How far a value may stand from its name, in bytes.
const REACH: usize = 120;

/// Where the value of a name stands, if not right behind it. `at` is after the name and its quote.
pub(super) fn find(text: &[u8], name: &Range<usize>, at: usize) -> Option<(Operator, usize)> {
    element(text, name, at)
        .map(|value| (Operator::Element, value))
        .or_else(|| cell(text, name, at).map(|value| (Operator::Is, value)))
        .or_else(|| form_part(text, name, at).map(|value| (Operator::Equals, value)))
        .or_else(|| pipeline(text, name, at).map(|value| (Operator::Equals, value)))
}

/// `<key>Password</key><string>…`, `<![CDATA[…`.
fn element(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let open = match rest {
        [b'<', b'/', ..] if names_its_neighbour(text, name.start) => {
            let close = rest.iter().take(40).position(|b| *b == b'>')?;
            let gap = rest.get(close + 1..)?.iter().take(REACH);
            let next = close + 1 + gap.take_while(|b| b.is_ascii_whitespace()).count();
            let inner = rest.get(next..)?;
            let tag = inner.iter().take(40).position(|b| *b == b'>')?;
            let opens = matches!(inner, [b'<', b, ..] if b.is_ascii_alphabetic());
            opens.then_some(at + next + tag + 1)?
        }
        _ => return None,
    };
    Some(inside(text, open))
}

/// Whether an element opens here whose text is a name: `<key>`, `<td>`.
fn names_its_neighbour(text: &[u8], at: usize) -> bool {
    const TAGS: [&[u8]; 9] = [
        b"<key>",
        b"<name>",
        b"<td>",
        b"<th>",
        b"<dt>",
        b"<label>",
        b"<code>",
        b"<strong>",
        b"<b>",
    ];
    let before = text.get(..at).unwrap_or(&[]);
    TAGS.iter().any(|tag| before.ends_with(tag))
}

/// After the mark of a text that is taken as it is, or an element that only holds the value.
pub(super) fn inside(text: &[u8], at: usize) -> usize {
    const MARKS: [&[u8]; 8] = [
        b"<![CDATA[",
        b"<Value>",
        b"<value>",
        b"<string>",
        b"<code>",
        b"<strong>",
        b"<b>",
        b"<kbd>",
    ];
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
    let mark = MARKS.iter().find(|mark| inner.starts_with(mark));
    mark.map_or(at, |mark| at + gap + mark.len())
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
    let mut line = line.iter().rev().take_while(|b| **b != b'\n');
    if !line.all(drawn) {
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
    let mark = rest
        .iter()
        .take(3)
        .take_while(|b| matches!(b, b'|' | b'>' | b'-' | b'+' | b'*'))
        .count();
    let block = mark > 0 && matches!(rest.first(), Some(b'|' | b'>'));
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
    let len = line
        .iter()
        .take(REACH * 8)
        .take_while(|b| !b.is_ascii_whitespace());
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

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn a_value_is_found_apart_from_its_name() {
        let secret = "x8Kq2mP!z7Rw";
        for text in [
            r#"{"name": "DB_PASSWORD", "value": "{}"}"#,
            "- name: DB_PASSWORD\n  value: {}",
            r#"<add key="dbPassword" value="{}"/>"#,
            r#"variable "db_password" { default = "{}" }"#,
            "<key>Password</key>\n\t<string>{}</string>",
            r#"<property name="password">{}</property>"#,
            "<password><![CDATA[{}]]></password>",
            "| DB_PASSWORD | `{}` |",
            "│ DB_PASSWORD │ {} │",
            "DB_PASSWORD    {}\n",
            "name=\"password\"\r\n\r\n{}\r\n--x",
            "password: |\n  {}\nx: 1",
            "password:\n```\n{}\n```",
            "**DB_PASSWORD**: `{}`",
            "password → {}",
            "password：{}",
            "process.env.DB_PASSWORD || '{}'",
            "ds.setPassword(\"{}\");",
            "password: Some(\n    \"{}\",\n),",
            "password = \"x8Kq2m\" + \"P!z7Rw\"",
        ] {
            let shown = redact(&text.replace("{}", secret));
            assert!(shown.contains("[REDACTED:assignment#"), "{text}: {shown}");
            assert!(!shown.contains("P!z7Rw"), "{text}: {shown}");
        }
        for text in [
            "passwords: three kinds\nof them",
            "password:\n  - min12Chars",
            "fn password() -> String64Value",
            "getPassword(\"userId123x\")",
            "token    usage3 of many",
            "| token | meaning4 it has |",
            "{\"name\": \"token\", \"type\": \"x8Kq2mPz7Rw1\"}",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
