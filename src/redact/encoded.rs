//! Long runs without a name: secrets inside base64 or hex, keys known by their shape alone.
//!
//! A run is looked for from the end of the shortest one that may begin at a place: most bytes of a
//! text without long runs are never looked at.

use super::class::Class;
use super::lines;
use super::scan::{Scan, scan};
use super::value;
use super::view::View;
use std::ops::Range;
use std::sync::LazyLock;

/// The shortest run looked at, in bytes.
const SHORTEST: usize = 24;
/// The longest run that is decoded, in bytes; of a longer one, so much from its beginning.
const LONGEST: usize = 64 * 1024;
/// How often what is decoded is itself decoded.
const DEEPEST: usize = 2;

static RUN: LazyLock<Class> = LazyLock::new(|| Class::new("A-Za-z0-9+/=_.-"));
static BASE64: LazyLock<Class> = LazyLock::new(|| Class::new("A-Za-z0-9+/=_-"));

pub(super) fn find(scan: &mut Scan<'_>) {
    let mut at = 0;
    while let Some(piece) = scan.text.get(at..at + SHORTEST) {
        match piece.iter().rposition(|b| !RUN.has(*b)) {
            Some(gap) => at += gap + 1,
            None => {
                let end = at + RUN.run(scan.text, at, usize::MAX);
                at = inspect(scan, at, end).max(end) + 1;
            }
        }
    }
}

/// Looks at a run, and at the lines that it goes on with; gives the end of what was looked at.
fn inspect(scan: &mut Scan<'_>, start: usize, end: usize) -> usize {
    let run = scan.bytes(start..end);
    if is_discord(run) {
        scan.hide(start..end, "discord_bot");
        return end;
    }
    if scan.depth >= DEEPEST {
        return end;
    }
    let whole = |b: &u8| matches!(b, b'.' | b'=');
    let parts = |b: &u8| matches!(b, b'.' | b'=' | b'-' | b'_');
    let mut read = pieces(scan, start..end, whole);
    if read.is_none() && run.iter().any(|b| matches!(b, b'-' | b'_')) {
        read = pieces(scan, start..end, parts);
    }
    read.unwrap_or(end)
}

/// Reads the parts of a run; the end of the last one that says something.
fn pieces(scan: &mut Scan<'_>, run: Range<usize>, joint: impl Fn(&u8) -> bool) -> Option<usize> {
    let (mut from, mut read) = (run.start, None);
    for piece in scan.bytes(run).split(joint) {
        if piece.len() >= SHORTEST {
            read = decode(scan, from..from + piece.len()).or(read);
        }
        from += piece.len() + 1;
    }
    read
}

/// Three parts, the first a number in base64.
fn is_discord(run: &[u8]) -> bool {
    let mut parts = run.splitn(4, |b| *b == b'.');
    let (Some(id), Some(time), Some(mac), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    (23..=28).contains(&id.len())
        && matches!(id.first(), Some(b'M' | b'N' | b'O'))
        && (5..=7).contains(&time.len())
        && (27..=45).contains(&mac.len())
        && value::entropy(mac) >= 3.5
        && value::classes(id) >= 3
}

/// Hides a whole run of base64 or hex if what it says holds a secret. Gives its end if it says
/// anything.
fn decode(scanned: &mut Scan<'_>, run: Range<usize>) -> Option<usize> {
    let head = scanned.bytes(run.start..run.start + SHORTEST);
    let decoder = [from_hex as fn(&[u8]) -> Vec<u8>, from_base64]
        .into_iter()
        .find(|decode| is_text(&decode(head)))?;
    let (coded, end) = gather(scanned, run.clone());
    let text = decoder(&coded);
    if is_text(text.get(..96).unwrap_or(&text)) {
        let view = View::new(&text);
        if let Some(first) = scan(view.bytes(), scanned.depth + 1).first() {
            scanned.hide(run.start..end, first.rule.clone());
        }
    }
    Some(end)
}

/// A run with the lines below that it goes on with, and its end, the padding included.
fn gather(scanned: &Scan<'_>, run: Range<usize>) -> (Vec<u8>, usize) {
    let width = run.len();
    let mut coded = scanned.bytes(run.clone()).to_vec();
    let mut end = run.end;
    while coded.len() < LONGEST {
        let padding = scanned.bytes(end..end + 2);
        let padding = padding.iter().take_while(|b| **b == b'=').count();
        end += padding;
        let Some(next) = lines::continuation(scanned.text, end).filter(|_| padding == 0) else {
            break;
        };
        let more = BASE64.run(scanned.text, next, LONGEST);
        let line = scanned.bytes(next..next + more);
        let line = line.split(|b| *b == b'=').next().unwrap_or(line);
        let last = line.len() < width;
        let group = (coded.len() + more).is_multiple_of(4);
        if line.is_empty()
            || last && !group
            || line.len() > width
            || !lines::ends_line(scanned.text, next + more)
        {
            break;
        }
        coded.extend_from_slice(line);
        end = next + line.len();
    }
    coded.truncate(LONGEST);
    (coded, end)
}

fn from_base64(run: &[u8]) -> Vec<u8> {
    without_zeros(value::base64(run))
}

/// The bytes that hex digits stand for; nothing if there are others.
fn from_hex(run: &[u8]) -> Vec<u8> {
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    let byte = |two: &[u8]| match two {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = run.chunks_exact(2).map(byte).collect();
    without_zeros(bytes.unwrap_or_default())
}

/// UTF-16 of plain characters as those.
fn without_zeros(mut bytes: Vec<u8>) -> Vec<u8> {
    let wide = bytes
        .chunks_exact(2)
        .take(8)
        .all(|two| two.get(1) == Some(&0));
    if wide && bytes.len() >= 16 {
        bytes.retain(|b| *b != 0);
    }
    bytes
}

/// Nothing but characters that are written, most of them ASCII; the last may be cut.
fn is_text(bytes: &[u8]) -> bool {
    let ascii = bytes
        .iter()
        .filter(|b| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
        .count();
    let others = bytes.iter().filter(|b| !b.is_ascii()).count();
    let whole = || match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(problem) => problem.error_len().is_none(),
    };
    !bytes.is_empty()
        && ascii + others == bytes.len()
        && (others == 0 || others * 3 <= bytes.len() && whole())
}
