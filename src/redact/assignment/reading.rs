//! Where a value begins and ends: quoted, in an element, or bare.

mod bare;

use super::super::lines;
use super::super::phrase;
use super::apart;
use super::operator::Operator;
use super::wrapped;
use bare::unquoted;
use std::borrow::Cow;
use std::ops::Range;

/// What a value is judged by at most, in bytes; a longer one is judged by its beginning.
const VALUE: usize = 1024;
/// The most lines of a value in quotes.
const LINES: usize = 8;
/// The longest value between signs that are rare, in bytes. What stands in plain quotes or in an
/// element has no limit: the search for its end cannot be made to cross another's beginning.
const LONGEST: usize = 16 * 1024;

/// A value and how it is written.
pub(super) struct Value {
    pub range: Range<usize>,
    pub quoted: bool,
    /// The strings that are joined to it: `"…" + "…"`.
    pub more: Vec<Range<usize>>,
}

impl Value {
    pub fn new(range: Range<usize>, quoted: bool) -> Self {
        Self {
            range,
            quoted,
            more: Vec::new(),
        }
    }

    /// Where all of it stands: without quotes only a beginning is read.
    pub fn whole(&self, text: &[u8]) -> Range<usize> {
        let Range { start, end } = self.range;
        if self.quoted || end - start < VALUE {
            return start..end;
        }
        let rest = text.get(end..).unwrap_or(&[]);
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | 0);
        start..end + rest.iter().position(ends).unwrap_or(rest.len())
    }

    /// What it is judged by: all of it, or its beginning.
    pub fn text<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let piece = |range: &Range<usize>| {
            let to = range.end.min(range.start + VALUE);
            text.get(range.start..to).unwrap_or(&[])
        };
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
        [b'<', b'<', b'"', ..] | [b'r', b'#', b'"', ..] => at + 2,
        [b'r', b'#', b'#', b'"', ..] => at + 3,
        [b'"', b'"', b'"', ..] | [b'\'', b'\'', b'\'', ..] => return block(text, at + 3),
        [
            b'f' | b'b' | b'r' | b'u' | b'L' | b'N' | b'@' | b'$',
            b'"' | b'\'',
            ..,
        ] => at + 1,
        _ => at,
    };
    let all = text.get(start..)?;
    let rest = all.get(..LONGEST).unwrap_or(all);
    match rest.first()? {
        b'"' | b'\'' | b'`' => quoted(text, start),
        // `PWD={…};`, as ODBC writes it.
        b'{' if operator == Operator::Equals
            && text.get(at - 1) == Some(&b'=')
            && let Some(len) = braced(rest) =>
        {
            Some(Value::new(start + 1..start + len, true))
        }
        // `[-old-]`, `{+new+}`: a diff of words.
        b'[' | b'{' if let Some(value) = marked(rest, start) => Some(value),
        0xe2 | 0xe3 | 0xc2 if let Some(value) = in_printed_quotes(rest, start) => Some(value),
        _ if operator == Operator::Element => {
            let len = memchr::memchr2(b'<', b'\n', all)?;
            let body = all.get(..len)?;
            if body.trim_ascii().is_empty() && all.get(len) == Some(&b'\n') {
                return on_own_line(text, start + len);
            }
            let len = body.strip_suffix(b"]]>").map_or(len, <[u8]>::len);
            Some(Value::new(start..start + len, true))
        }
        _ => {
            let start = start + past_hole(rest);
            let rest = text.get(start..)?;
            let rest = rest.get(..VALUE).unwrap_or(rest);
            let range = start..start + grouped(rest).unwrap_or_else(|| unquoted(rest));
            let more = wrapped::pieces(text, &range);
            Some(Value {
                range,
                quoted: false,
                more,
            })
        }
    }
}

/// The length of `abcd efgh ijkl mnop`, if chance made it.
fn grouped(rest: &[u8]) -> Option<usize> {
    const LEN: usize = 19;
    let ends = rest.get(LEN).is_none_or(|b| !b.is_ascii_alphanumeric());
    (ends && rest.get(..LEN).is_some_and(phrase::is_grouped)).then_some(LEN)
}

/// An element's text on a line of its own, with the element's end right below it.
fn on_own_line(text: &[u8], feed: usize) -> Option<Value> {
    let rest = text.get(feed + 1..)?;
    let rest = rest.get(..VALUE).unwrap_or(rest);
    let len = memchr::memchr(b'\n', rest)?;
    let line = rest.get(..len)?;
    let gap = line.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let word = line.get(gap..)?.trim_ascii_end();
    let below = rest.get(len..)?.trim_ascii_start();
    let alone = !word.is_empty() && !word.contains(&b' ') && !word.contains(&b'<');
    let start = feed + 1 + gap;
    (alone && below.starts_with(b"</")).then(|| Value::new(start..start + word.len(), true))
}

/// The length of `{{ x }}` with more of the value behind it.
fn past_hole(rest: &[u8]) -> usize {
    const HOLE: usize = 64;
    if !rest.starts_with(b"{{") {
        return 0;
    }
    let head = rest.get(..HOLE).unwrap_or(rest);
    let end = memchr::memmem::find(head, b"}}").map_or(0, |at| at + 2);
    let more = rest.get(end).is_some_and(u8::is_ascii_alphanumeric);
    if more { end } else { 0 }
}

/// The length of what stands in braces, if nothing of the value follows them.
fn braced(rest: &[u8]) -> Option<usize> {
    let len = rest.iter().position(|b| matches!(b, b'}' | b'\n'))?;
    let closed = matches!(
        rest.get(len..),
        Some([b'}'] | [b'}', b';' | b'"' | b'\n', ..])
    );
    closed.then_some(len)
}

/// `'''⏎…`: the first line of a text of several, if it is one word.
fn block(text: &[u8], at: usize) -> Option<Value> {
    let gap = text.get(at..)?.iter().take(80);
    let start = at + gap.take_while(|b| b.is_ascii_whitespace()).count();
    let rest = text.get(start..)?;
    let rest = rest.get(..VALUE).unwrap_or(rest);
    let ends = |b: &u8| matches!(b, b'"' | b'\'' | b'\n' | b'\r');
    let line = rest.split(ends).next()?.trim_ascii_end();
    let line = line.strip_suffix(b"\\").unwrap_or(line);
    let word = !line.is_empty() && !line.iter().any(u8::is_ascii_whitespace);
    let range = start..start + line.len();
    word.then(|| Value {
        more: wrapped::pieces(text, &range),
        range,
        quoted: true,
    })
}

fn marked(rest: &[u8], start: usize) -> Option<Value> {
    let body = rest.strip_prefix(b"[-").or(rest.strip_prefix(b"{+"))?;
    let line = body.split(|b| *b == b'\n').next()?;
    let close = match rest.first()? {
        b'[' => b"-]",
        _ => b"+}",
    };
    let len = memchr::memmem::find(line, close)?;
    Some(Value::new(start + 2..start + 2 + len, true))
}

/// In quotes as a printer sets them.
fn in_printed_quotes(rest: &[u8], start: usize) -> Option<Value> {
    const PAIRS: [(&str, &str); 8] = [
        ("\u{201c}", "\u{201d}"),
        ("\u{201e}", "\u{201c}"),
        ("\u{201e}", "\u{201d}"),
        ("\u{2018}", "\u{2019}"),
        ("\u{ab}", "\u{bb}"),
        ("\u{300c}", "\u{300d}"),
        ("\u{300e}", "\u{300f}"),
        ("\u{2039}", "\u{203a}"),
    ];
    /// The longest text in them, in bytes.
    const LONGEST: usize = 4096;
    PAIRS.iter().find_map(|(open, close)| {
        let body = rest.strip_prefix(open.as_bytes())?;
        let body = body.get(..LONGEST).unwrap_or(body);
        let body = memchr::memchr(b'\n', body).map_or(body, |end| body.get(..end).unwrap_or(body));
        let len = memchr::memmem::find(body, close.as_bytes())?;
        let text = body.get(..len)?;
        let space = text.iter().take_while(|b| **b == b' ').count();
        let from = start + open.len() + space;
        Some(Value::new(from..from + text.trim_ascii().len(), true))
    })
}

/// In quotes, with the strings joined to it; or up to where the text was cut.
fn quoted(text: &[u8], start: usize) -> Option<Value> {
    let string = |start: usize| {
        let rest = text.get(start..)?;
        let quote = rest.first()?;
        let body = rest.get(1..)?;
        let end = memchr::memchr2(*quote, b'\n', body);
        let len = end.unwrap_or(body.len());
        let closed = body.get(len) == Some(quote);
        Some((start + 1..start + 1 + len, closed))
    };
    let (range, closed) = string(start)?;
    if !closed {
        let body = text.get(range.clone())?;
        // `"…\⏎…"`
        if let Some(line) = body.strip_suffix(b"\\").filter(|_| range.end < text.len()) {
            let range = range.start..range.start + line.len();
            let more = wrapped::pieces(text, &range);
            return (!more.is_empty()).then_some(Value {
                range,
                quoted: true,
                more,
            });
        }
        if let Some(value) = broken(text, start) {
            return Some(value);
        }
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
        // `"Key"="…"` on the next line is another setting.
        let sign = super::operator::spaces(text, range.end + 1, 16);
        if matches!(text.get(sign), Some(b'=' | b':')) {
            break;
        }
        end = range.end;
        value.more.push(range);
    }
    Some(value)
}

/// In quotes with a line's end inside, written as `\\n` or as it is: `"…\\n"`. Its lines are words.
fn broken(text: &[u8], start: usize) -> Option<Value> {
    let quote = *text.get(start)?;
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut at = start + 1;
    for _ in 0..LINES {
        let rest = text.get(at..)?;
        let rest = rest.get(..VALUE).unwrap_or(rest);
        let len = memchr::memchr2(quote, b'\n', rest)?;
        let line = rest.get(..len)?;
        let begin = at + line.len() - line.trim_ascii_start().len();
        let word = line.trim_ascii();
        if word.iter().any(u8::is_ascii_whitespace) {
            return None;
        }
        if !word.is_empty() {
            pieces.push(begin..begin + word.len());
        }
        at += len + 1;
        if rest.get(len) == Some(&quote) {
            let mut pieces = pieces.into_iter();
            let mut value = Value::new(pieces.next()?, true);
            value.more = pieces.collect();
            return Some(value);
        }
    }
    None
}

/// Inside what only wraps a string: `Some("…")`, `String::from("…")`, `string(14) "…"`.
fn opened(text: &[u8], at: usize) -> usize {
    /// The last words of what takes a text as it is.
    const WRAPS: [&str; 24] = [
        "Some",
        "Ok",
        "Just",
        "Right",
        "from",
        "new",
        "of",
        "Secret",
        "SecretStr",
        "SecretString",
        "SecureString",
        "SensitiveString",
        "Sensitive",
        "String",
        "str",
        "bytes",
        "bytearray",
        "Text",
        "literal",
        "quote",
        "unsafe",
        "plainText",
        "unsafePlainText",
        "string",
    ];
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..100).unwrap_or(rest);
    if matches!(rest, [b'(', b'"' | b'\'', ..]) {
        return at + 1;
    }
    if rest.starts_with(b"[]byte(\"") {
        return at + b"[]byte(".len();
    }
    let path = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b' ');
    let len = rest.iter().take(48).take_while(path).count();
    if rest.get(len) != Some(&b'(') {
        return at;
    }
    let head = rest.get(..len).unwrap_or(rest);
    let last = head
        .rsplit(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .next();
    if !WRAPS.iter().any(|w| Some(w.as_bytes()) == last) {
        return at;
    }
    let size = rest
        .get(len..)
        .unwrap_or(&[])
        .iter()
        .position(|b| *b == b')');
    let after = match size {
        Some(close) if last == Some(b"string") => len + close + 1,
        _ => len + 1,
    };
    let gap = rest.get(after..).unwrap_or(&[]).iter().take(40);
    let gap = gap.take_while(|b| b.is_ascii_whitespace()).count();
    match rest.get(after + gap) {
        Some(b'"' | b'\'') => at + after + gap,
        Some(b'b' | b'r' | b'@') if matches!(rest.get(after + gap + 1), Some(b'"' | b'\'')) => {
            at + after + gap + 1
        }
        _ => at,
    }
}
