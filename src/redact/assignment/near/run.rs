//! Runs of bytes that could be a random value: long enough, with a figure among letters.

use super::super::reading::Value;
use std::ops::Range;

/// The shortest run, in bytes.
const SHORTEST: usize = 8;
/// The longest value, in bytes.
const LONGEST: usize = 256;

const SMALL: u8 = 1;
const CAPITAL: u8 = 2;
const FIGURE: u8 = 4;
const MARK: u8 = 8;

/// What each byte is in a run; nothing where a run ends.
const KIND: [u8; 256] = {
    let mut all = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        all[byte as usize] = match byte {
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            b'0'..=b'9' => FIGURE,
            b'+' | b'/' | b'=' | b'_' | b'-' | b'.' | b'~' | b'!' | b'@' | b'#' | b'$' | b'%'
            | b'^' | b'*' | b'?' | b':' | b'&' => MARK,
            _ => 0,
        };
        byte += 1;
    }
    all
};

/// The next run from `at` on that begins before `to`.
pub(super) fn next(text: &[u8], at: usize, to: usize) -> Option<Range<usize>> {
    let most = (to + LONGEST).min(text.len());
    let (mut start, mut seen) = (at, 0_u8);
    for (n, byte) in text.get(at..most)?.iter().enumerate() {
        let kind = KIND.get(usize::from(*byte)).copied().unwrap_or(0);
        if kind != 0 {
            seen |= kind;
            continue;
        }
        if could_be(seen, at + n - start) {
            return Some(start..at + n);
        }
        (start, seen) = (at + n + 1, 0);
        if start >= to {
            return None;
        }
    }
    could_be(seen, most.saturating_sub(start)).then_some(start..most)
}

fn could_be(seen: u8, len: usize) -> bool {
    seen & FIGURE != 0 && seen & (SMALL | CAPITAL) != 0 && len >= SHORTEST
}

/// Whether a value stands between brackets or tags of its own: `{…}`, `[…]`, `>…</`.
pub(super) fn is_enclosed(text: &[u8], value: &Value) -> bool {
    let before = value.range.start.checked_sub(1).and_then(|at| text.get(at));
    let after = text.get(value.range.end..).unwrap_or(&[]);
    match before {
        Some(b'{') => after.starts_with(b"}"),
        Some(b'[') => after.starts_with(b"]"),
        Some(b'>') => after.starts_with(b"</"),
        _ => false,
    }
}

/// The value that holds a run: all between its quotes, or the run without the marks around it.
/// Nothing before `from` is part of it.
pub(super) fn whole(text: &[u8], run: &Range<usize>, from: usize) -> Value {
    quoted(text, run, from).unwrap_or_else(|| {
        let body = text.get(run.clone()).unwrap_or(&[]);
        let leads = |b: &u8| matches!(b, b'=' | b':' | b'.' | b',' | b'-' | b'&' | b'?' | b'~');
        let trails = |b: &u8| matches!(b, b'.' | b':' | b',' | b'?' | b'-');
        let head = body.iter().take_while(|b| leads(b)).count();
        let rest = body.get(head..).unwrap_or(&[]);
        // `name=…`: another setting, of which only the value may be one.
        let label = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            .count();
        let sign = matches!(rest.get(label..), Some([b'=' | b':', b, ..]) if *b != b'=');
        let head = match sign && label > 0 {
            true => head + label + 1,
            false => head,
        };
        let rest = body.get(head..).unwrap_or(&[]);
        let tail = rest.iter().rev().take_while(|b| trails(b)).count();
        Value::new(
            run.start + head..(run.end - tail).max(run.start + head),
            false,
        )
    })
}

/// All between quotes of one kind on the run's two sides, without a blank.
fn quoted(text: &[u8], run: &Range<usize>, from: usize) -> Option<Value> {
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`');
    let floor = run.start.saturating_sub(LONGEST).max(from);
    let head = text.get(floor..run.start)?;
    let open = floor + head.iter().rposition(ends)?;
    let rest = text.get(run.end..)?;
    let rest = rest.get(..LONGEST).unwrap_or(rest);
    let close = run.end + rest.iter().position(ends)?;
    let quote = *text.get(open)?;
    let same = matches!(quote, b'"' | b'\'' | b'`') && text.get(close) == Some(&quote);
    let escaped = text.get(close - 1) == Some(&b'\\');
    (same && !escaped).then(|| Value::new(open + 1..close, true))
}
