//! The arguments of a call: `Credentials.basic("u", "…")`, `JWT.encode(claims, '…', 'HS256')`.
//!
//! Says where it stands; whether it is one is judged by the caller.

use std::ops::Range;

/// The most arguments looked at in one call.
const ARGUMENTS: usize = 8;

/// The arguments up to the call's end, or up to so many bytes beside the words in quotes: these are
/// read to their ends.
pub(in super::super) fn arguments(body: &[u8], reach: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut quote, mut escaped) = (0, 0_usize, None, false);
    for (at, byte) in body.iter().enumerate() {
        if at >= reach && (quote.is_none() || byte.is_ascii_whitespace()) {
            let closed = matches!(byte, b')' | b',') && depth == 0;
            found.extend(closed.then_some(start..at));
            return found;
        }
        match (quote, byte) {
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(q), b) if q == *b => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(*byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') if depth > 0 => depth -= 1,
            (None, b')' | b']' | b'}' | b',') if depth == 0 => {
                found.push(start..at);
                start = at + 1;
                if *byte != b',' || found.len() == ARGUMENTS {
                    return found;
                }
            }
            _ => {}
        }
    }
    found
}

/// The arguments of a call without brackets: they end with its line.
pub(super) fn on_line(body: &[u8], reach: usize) -> Vec<Range<usize>> {
    let body = body.get(..reach).unwrap_or(body);
    let line = body.get(..memchr::memchr(b'\n', body).unwrap_or(body.len()));
    let line = [line.unwrap_or(body), b")"].concat();
    arguments(&line, line.len())
}

/// What surrounds a text that is taken as it is.
const WRAPS: [&str; 12] = [
    "", "b", "r", "u", "f", "N", "@", "Some(", "[]byte(", "String(", "(", "bytes(",
];
/// What turns a text into what a call takes, behind it.
const TURNS: [&[u8]; 9] = [
    b".toCharArray()",
    b".getBytes(",
    b".encode(",
    b".as_ref()",
    b".as_bytes()",
    b".to_string()",
    b".to_owned()",
    b".into()",
    b".data(using",
];
/// What turns a text into bytes, before and after it.
const ENCODERS: [&str; 3] = ["GetBytes(", "getBytes(", "encode("];

/// The text of an argument, if it is one string and nothing else.
pub(in super::super) fn string(body: &[u8], argument: &Range<usize>) -> Option<Range<usize>> {
    let all = body.get(argument.clone())?;
    let open = all.iter().position(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let quote = all.get(open)?;
    let inner = all.get(open + 1..)?;
    let len = inner.iter().position(|b| b == quote)?;
    let head = all.get(..open)?.trim_ascii();
    // `password="…"` is told by its name, wherever it stands.
    let keyword = head.iter().rposition(|b| matches!(b, b'=' | b':'));
    if keyword.is_some_and(|at| head.get(..at).unwrap_or(&[]).iter().all(|b| word(*b))) {
        return None;
    }
    let wrapped = WRAPS.iter().any(|w| w.as_bytes() == head);
    let encoded = ENCODERS.iter().any(|e| head.ends_with(e.as_bytes()));
    let tail = inner.get(len + 1..)?.trim_ascii();
    let closed = tail.iter().all(|b| matches!(b, b')' | b']' | b';'));
    let ends = closed || TURNS.iter().any(|turn| tail.starts_with(turn));
    let start = argument.start + open + 1;
    ((wrapped || encoded) && ends).then_some(start..start + len)
}

fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b' '
}
