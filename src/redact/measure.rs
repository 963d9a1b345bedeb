//! Measures of a value: how many figures and kinds of bytes, how much chance, base64 either way.
//!
//! Knows no names and no rules.

use super::work;

pub(super) fn is_hex(value: &[u8]) -> bool {
    let body = value.strip_prefix(b"0x").unwrap_or(value);
    !body.is_empty() && body.iter().all(u8::is_ascii_hexdigit) && digits(body) > 0
}

pub(super) fn digits(value: &[u8]) -> usize {
    value.iter().filter(|b| b.is_ascii_digit()).count()
}

/// How many of: small letters, capitals, digits, anything else.
pub(super) fn classes(value: &[u8]) -> usize {
    let kinds: [fn(&u8) -> bool; 4] = [
        u8::is_ascii_lowercase,
        u8::is_ascii_uppercase,
        u8::is_ascii_digit,
        |b| !b.is_ascii_alphanumeric(),
    ];
    kinds.iter().filter(|kind| value.iter().any(kind)).count()
}

fn counts(value: &[u8]) -> [u32; 256] {
    work::spend(value.len());
    let mut counts = [0_u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    counts
}

pub(super) fn distinct(value: &[u8]) -> usize {
    work::spend(value.len());
    let mut seen = [0_u64; 4];
    for byte in value {
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    seen.iter().map(|bits| bits.count_ones() as usize).sum()
}

pub(super) fn longest_repeat(value: &[u8]) -> usize {
    let (mut longest, mut run, mut last) = (0, 0, None);
    for byte in value {
        run = if last == Some(byte) { run + 1 } else { 1 };
        last = Some(byte);
        longest = longest.max(run);
    }
    longest
}

/// Bits a byte, by the frequencies in the value itself.
pub(super) fn entropy(value: &[u8]) -> f64 {
    let all = value.len() as f64;
    counts(value)
        .iter()
        .filter(|n| **n > 0)
        .map(|n| {
            let p = f64::from(*n) / all;
            -p * p.log2()
        })
        .sum()
}

/// Decodes base64 of either alphabet; stops at the first byte that is neither.
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    work::spend(text.len());
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    out.extend(from_base64(text));
    out
}

/// The same, byte by byte.
pub(crate) fn from_base64(text: &[u8]) -> impl Iterator<Item = u8> {
    let mut digits = text.iter().map(|byte| SIX[usize::from(*byte)]);
    let (mut bits, mut held) = (0_u32, 0_u32);
    std::iter::from_fn(move || {
        loop {
            let six = digits.next().filter(|six| *six != NO_DIGIT)?;
            bits = (bits << 6) | u32::from(six);
            held += 6;
            if held >= 8 {
                held -= 8;
                return u8::try_from((bits >> held) & 0xff).ok();
            }
        }
    })
}

/// What a byte is worth that is no digit of base64.
const NO_DIGIT: u8 = u8::MAX;

/// What each byte is worth as a digit of base64, of either alphabet.
const SIX: [u8; 256] = {
    let mut all = [NO_DIGIT; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        all[byte as usize] = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => NO_DIGIT,
        };
        byte += 1;
    }
    all
};

/// Encodes in standard base64, without the last, unfinished group.
pub(super) fn to_base64(value: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    value
        .chunks_exact(3)
        .flat_map(|c| {
            let n = c.iter().fold(0_u32, |n, b| (n << 8) | u32::from(*b));
            [18, 12, 6, 0].map(|s| ALPHABET[((n >> s) & 63) as usize])
        })
        .collect()
}
