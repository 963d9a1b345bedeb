//! Long runs without a name: secrets inside base64 or hex, keys known by their shape alone.
//!
//! The shortest run holds one of the places, far apart, that are looked at: most bytes of a text
//! without long runs never are.

use super::class::Class;
use super::lines;
use super::measure;
use super::scan::{Scan, scan};
use super::value;
use super::view::View;
use super::work;
use std::ops::Range;
use std::sync::LazyLock;

/// The shortest run looked at, in bytes.
const SHORTEST: usize = 24;
/// The longest run that is decoded, in bytes; of a longer one, so much from its beginning.
const LONGEST: usize = 64 * 1024;
/// How often what is decoded is itself decoded.
const DEEPEST: usize = 2;

/// What of a run's bytes takes it apart: in any case, or if nothing is found so.
const WHOLE: u8 = 2;
const PARTS: u8 = 4;

/// For each byte of a run a bit, and what it is besides.
const KINDS: [u8; 256] = {
    let mut all = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        all[byte as usize] = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => 1,
            b'.' | b'=' => 1 | WHOLE,
            b'-' | b'_' => 1 | PARTS,
            _ => 0,
        };
        byte += 1;
    }
    all
};

static BASE64: LazyLock<Class> = LazyLock::new(|| Class::new("A-Za-z0-9+/=_-"));

fn kind(byte: u8) -> u8 {
    KINDS[usize::from(byte)]
}

/// How long a run is, and what its bytes are.
fn run<'b>(bytes: impl Iterator<Item = &'b u8>) -> (usize, u8) {
    let (mut len, mut all) = (0, 0);
    for byte in bytes {
        let kind = kind(*byte);
        if kind == 0 {
            break;
        }
        all |= kind;
        len += 1;
    }
    (len, all)
}

/// How many bytes are looked at to see whether they may be a run's, and how far apart.
const BLOCK: usize = 8;
const STRIDE: usize = SHORTEST - BLOCK;

pub(super) fn find(scan: &mut Scan<'_>) {
    let (mut at, mut done) = (0, 0);
    let block = |text: &[u8], at: usize| text.get(at..)?.first_chunk::<BLOCK>().copied();
    while let Some(block) = block(scan.text, at) {
        if !may_be_run(block) || block.iter().any(|b| kind(*b) == 0) {
            at += STRIDE;
            continue;
        }
        let (before, first) = run(scan.bytes(done..at).iter().rev());
        let (after, rest) = run(scan.text.get(at..).unwrap_or(&[]).iter());
        let (start, end) = (at - before, at + after);
        work::spend(end - start);
        at = match end - start {
            SHORTEST.. => inspect(scan, start..end, first | rest).max(end) + 1,
            _ => end + 1,
        };
        done = at;
    }
}

/// Whether none of the bytes is below those of runs or beyond ASCII: most words end within eight.
#[inline]
fn may_be_run(block: [u8; BLOCK]) -> bool {
    const EACH: u64 = u64::MAX / 0xff;
    let bytes = u64::from_le_bytes(block);
    let below = bytes.wrapping_sub(EACH * b'+' as u64);
    (below | bytes) & (EACH << 7) == 0
}

/// Looks at a run, and at the lines that it goes on with; gives the end of what was looked at.
fn inspect(scan: &mut Scan<'_>, run: Range<usize>, kinds: u8) -> usize {
    let end = run.end;
    if kinds & WHOLE != 0
        && let Some(token) = discord(scan.bytes(run.clone()))
    {
        scan.hide(
            run.start + token.start..run.start + token.end,
            "discord_bot",
        );
        return end;
    }
    if scan.depth >= DEEPEST {
        return end;
    }
    let mut read = match kinds & WHOLE {
        0 => decode(scan, run.clone()),
        _ => pieces(scan, run.clone(), WHOLE),
    };
    if read.is_none() && kinds & PARTS != 0 {
        read = pieces(scan, run, WHOLE | PARTS);
    }
    read.unwrap_or(end)
}

/// Reads the parts of a run; the end of the last one that says something.
fn pieces(scan: &mut Scan<'_>, run: Range<usize>, joints: u8) -> Option<usize> {
    let (mut from, mut read) = (run.start, None);
    for piece in scan.bytes(run).split(|b| kind(*b) & joints != 0) {
        if piece.len() >= SHORTEST {
            read = decode(scan, from..from + piece.len()).or(read);
        }
        from += piece.len() + 1;
    }
    read
}

/// The token of a Discord bot in a run, without what joins it to a name or ends a sentence.
fn discord(run: &[u8]) -> Option<Range<usize>> {
    let tail = run.iter().rev().take_while(|b| matches!(b, b'.' | b'='));
    let end = run.len() - tail.count();
    let head = run.get(..end)?;
    let start = head.iter().rposition(|b| matches!(b, b'=' | b'/'));
    let start = start.map_or(0, |at| at + 1);
    is_discord(head.get(start..)?).then_some(start..end)
}

/// Three parts, the first a number in base64.
fn is_discord(run: &[u8]) -> bool {
    if !matches!(run.first(), Some(b'M' | b'N' | b'O')) {
        return false;
    }
    let mut parts = run.splitn(4, |b| *b == b'.');
    let (Some(id), Some(time), Some(mac), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    (23..=28).contains(&id.len())
        && (5..=7).contains(&time.len())
        && (27..=45).contains(&mac.len())
        && value::entropy(mac) >= 3.5
        && value::classes(id) >= 3
}

/// Hides a whole run of base64 or hex if what it says holds a secret. Gives its end if it says
/// anything.
fn decode(scanned: &mut Scan<'_>, run: Range<usize>) -> Option<usize> {
    let head = scanned.bytes(run.start..run.start + SHORTEST);
    let hex = head.iter().all(u8::is_ascii_hexdigit);
    work::spend(SHORTEST);
    // Most of what looks like base64 says nothing soon.
    if !hex && !may_be_text(head) {
        return None;
    }
    let decoder = [from_hex as fn(&[u8]) -> Vec<u8>, from_base64]
        .into_iter()
        .skip(usize::from(!hex))
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

/// Whether what a run's beginning says may be a text: what [`is_text`] says of it, without a copy.
fn may_be_text(head: &[u8]) -> bool {
    let (mut zeros, mut others, mut len) = (0, 0, 0);
    for byte in measure::from_base64(head) {
        match byte {
            0 => zeros += 1,
            b if !b.is_ascii() => others += 1,
            b if !is_written(b) => return false,
            _ => {}
        }
        len += 1;
    }
    zeros > 0 || others * 3 <= len
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

fn is_written(byte: u8) -> bool {
    byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Nothing but characters that are written, most of them ASCII; the last may be cut.
fn is_text(bytes: &[u8]) -> bool {
    let ascii = bytes.iter().filter(|b| is_written(**b)).count();
    let others = bytes.iter().filter(|b| !b.is_ascii()).count();
    let whole = || match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(problem) => problem.error_len().is_none(),
    };
    !bytes.is_empty()
        && ascii + others == bytes.len()
        && (others == 0 || others * 3 <= bytes.len() && whole())
}
