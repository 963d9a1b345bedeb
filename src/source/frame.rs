//! From a line's bytes to the objects in it, whatever state the line is in.
//!
//! Tried in turn: as it is; with bad UTF-8 and lone surrogates mended; the objects that can still
//! be found in it, for lines that were cut and glued to the next. Which object is a row is the
//! reader's to tell.

use serde::de::IgnoredAny;
use std::borrow::Cow;

/// What a line turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    /// Rows, all of it.
    Fine,
    /// Nothing but white space.
    Blank,
    /// JSON, but no row.
    NoRow,
    /// Something in it could not be read; what could was handed on.
    Damaged,
}

/// Attempts to find an object in a damaged line.
const ATTEMPTS: usize = 256;

/// Where an object stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// It begins its line.
    First,
    /// Inside a damaged line: it may be a part of the row that was cut. Only what names its session
    /// is a row then.
    Inside,
}

/// What became of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    /// It was a row.
    Row,
    /// It was none.
    NoRow,
}

/// Takes an object, and fails, having done nothing, when it or what it wants of it is damaged.
pub(super) type Take<'t> = dyn FnMut(&[u8], Spot) -> Result<Took, serde_json::Error> + 't;

/// Hands on each object of a line. The line feed is off already.
pub(super) fn each_object(line: &[u8], take: &mut Take<'_>) -> Health {
    let line = trim(line);
    if line.is_empty() {
        return Health::Blank;
    }
    if memchr::memchr(0, line).is_some() {
        let without: Vec<u8> = line.iter().copied().filter(|b| *b != 0).collect();
        return each_object(&without, take);
    }
    if line[0] != b'{' && serde_json::from_slice::<IgnoredAny>(line).is_ok() {
        return Health::NoRow;
    }
    if let Ok(health) = whole(line, take) {
        return health;
    }
    let text = String::from_utf8_lossy(line);
    let text = mend_surrogates(&text);
    whole(text.as_bytes(), take).unwrap_or_else(|_| salvage(text.as_bytes(), take))
}

/// Whether `is_row` holds for an object among these lines.
pub(super) fn any_object(bytes: &[u8], is_row: &dyn Fn(&[u8]) -> bool) -> bool {
    let mut found = false;
    for line in bytes.split(|byte| *byte == b'\n') {
        each_object(line, &mut |object, _| {
            found |= is_row(object);
            Ok(Took::Row)
        });
        if found {
            return true;
        }
    }
    false
}

/// Whether the line is one complete object as it is.
pub(super) fn is_complete(line: &[u8]) -> bool {
    let line = trim(line);
    line.first() == Some(&b'{') && serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

fn whole(line: &[u8], take: &mut Take<'_>) -> Result<Health, serde_json::Error> {
    Ok(match take(line, Spot::First)? {
        Took::Row => Health::Fine,
        Took::NoRow => Health::NoRow,
    })
}

fn trim(mut line: &[u8]) -> &[u8] {
    line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.trim_ascii()
}

/// Goes from one possible beginning of an object to the next.
fn salvage(line: &[u8], take: &mut Take<'_>) -> Health {
    let mut at = 0;
    let mut damaged = false;
    let mut work = line.len().saturating_mul(4) + 65_536;
    for _ in 0..ATTEMPTS {
        let rest = &line[at..];
        let mut rows = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
        let length = match rows.next() {
            None => break,
            Some(Ok(_)) => {
                let length = rows.byte_offset();
                let found = if at == 0 { Spot::First } else { Spot::Inside };
                damaged |= !matches!(take(&rest[..length], found), Ok(Took::Row));
                length
            }
            Some(Err(error)) => {
                damaged = true;
                work = work.saturating_sub(error.column().max(1));
                1
            }
        };
        let behind = at + length.max(1);
        if work == 0 || behind >= line.len() {
            break;
        }
        match memchr::memmem::find(&line[behind..], b"{\"") {
            Some(next) => {
                damaged |= !line[behind..behind + next].trim_ascii().is_empty();
                at = behind + next;
            }
            None => {
                damaged |= !line[behind..].trim_ascii().is_empty();
                break;
            }
        }
    }
    if damaged {
        Health::Damaged
    } else {
        Health::Fine
    }
}

/// Replaces `\ud83d` without its other half by `\ufffd`; JSON parsers refuse it.
fn mend_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(n) = memchr::memchr(b'\\', &bytes[at..]) {
        let escape = at + n;
        let Some(unit) = unit(bytes, escape) else {
            at = (escape + 2).min(bytes.len());
            continue;
        };
        at = escape + 6;
        match unit {
            0xD800..=0xDBFF if matches!(self::unit(bytes, at), Some(0xDC00..=0xDFFF)) => at += 6,
            0xD800..=0xDFFF => {
                let out = out.get_or_insert_with(|| bytes.to_vec());
                out[escape..at].copy_from_slice(b"\\ufffd");
            }
            _ => {}
        }
    }
    match out.map(String::from_utf8) {
        Some(Ok(mended)) => Cow::Owned(mended),
        _ => Cow::Borrowed(text),
    }
}

/// The UTF-16 unit of a `\uXXXX` at this place.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, serde::Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Row {
        #[serde(rename = "type")]
        kind: serde_json::Value,
        session_id: Option<String>,
        message: Message,
    }

    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Message {
        content: Option<String>,
    }

    fn rows(line: &[u8]) -> (Vec<Row>, Health) {
        let mut rows = Vec::new();
        let health = each_object(line, &mut |object, found| {
            let row: Row = serde_json::from_slice(object)?;
            let fits = found == Spot::First || row.session_id.is_some();
            if !row.kind.is_string() || !fits {
                return Ok(Took::NoRow);
            }
            rows.push(row);
            Ok(Took::Row)
        });
        (rows, health)
    }

    fn kinds(line: &[u8]) -> (Vec<String>, Health) {
        let (rows, health) = rows(line);
        let kind = |row: &Row| row.kind.as_str().unwrap_or_default().to_owned();
        (rows.iter().map(kind).collect(), health)
    }

    fn texts(line: &[u8]) -> (Vec<String>, Health) {
        let (rows, health) = rows(line);
        let texts = rows.into_iter().filter_map(|row| row.message.content);
        (texts.collect(), health)
    }

    #[test]
    fn what_is_no_row_is_told_apart_from_damage() {
        assert_eq!(kinds(b" \r").1, Health::Blank);
        for line in [
            &b"[]"[..],
            b"null",
            b"42",
            b"\"str\"",
            b"{}",
            b"{\"type\":7}",
        ] {
            assert_eq!(kinds(line).1, Health::NoRow, "{line:?}");
        }
        for line in [&b"{"[..], b"{\"type\":\"user\"", b"nonsense", b"}"] {
            assert_eq!(kinds(line), (vec![], Health::Damaged), "{line:?}");
        }
    }

    #[test]
    fn byte_order_marks_nuls_and_carriage_returns_are_no_part_of_a_row() {
        let line = b"\xef\xbb\xbf\0{\"type\":\0\"mode\"}\r";
        assert_eq!(kinds(line), (vec!["mode".to_owned()], Health::Fine));
    }

    #[test]
    fn bad_utf8_and_lone_surrogates_are_mended() {
        let line = b"{\"type\":\"user\",\"message\":{\"content\":\"caf\xe9\"}}";
        assert_eq!(texts(line), (vec!["caf\u{fffd}".to_owned()], Health::Fine));
        let line =
            br#"{"type":"user","message":{"content":"a\ud83db \ud83d\ude00 \\ud83d \udc00"}}"#;
        assert_eq!(
            texts(line),
            (
                vec!["a\u{fffd}b \u{1f600} \\ud83d \u{fffd}".to_owned()],
                Health::Fine
            )
        );
    }

    #[test]
    fn glued_rows_are_both_read() {
        let line = br#"{"type":"mode","mode":"x"} {"type":"tag","sessionId":"s"}"#;
        assert_eq!(
            kinds(line),
            (vec!["mode".to_owned(), "tag".to_owned()], Health::Fine)
        );
    }

    #[test]
    fn a_row_behind_a_cut_one_is_found_and_parts_of_the_cut_one_are_not_rows() {
        let line = br#"{"type":"progress","data":{"type":"user","message":{"content":"no"}},"pr{"type":"user","sessionId":"s","message":{"content":"yes"}}"#;
        assert_eq!(texts(line), (vec!["yes".to_owned()], Health::Damaged));
    }

    #[test]
    fn a_hostile_line_costs_a_bounded_amount_of_work() {
        let line = br#"{"a":"#.repeat(200_000);
        assert_eq!(kinds(&line).1, Health::Damaged);
    }

    #[test]
    fn only_a_whole_object_is_complete() {
        assert!(is_complete(b"{\"a\":1}"));
        assert!(!is_complete(b"{\"a\":1"));
        assert!(!is_complete(b"{\"a\":1}{"));
        assert!(!is_complete(b"42"));
        assert!(!is_complete(b"\0\0"));
    }
}
