//! What documentation puts where a secret would be: samples, words that say so, made-up runs.
//!
//! Judges the whole of a value: a placeholder's word inside a random one keeps nothing. Bytes in,
//! yes or no out.

use super::measure::{classes, distinct, entropy, longest_repeat};
use super::odds;
use super::rules::rules;
use super::value::{is_letter_salad, is_name_like, is_wordy};
use super::work;
use std::ops::Range;

/// From this many random characters on, what stands beside a placeholder's word is a secret.
const RANDOM: usize = 16;
/// The shortest piece beside it whose odds say that chance made it, and those odds, in bits.
const SHORT: usize = 8;
const BITS: f64 = 5.0;
/// How often a character is repeated before it is filler.
const REPEATED: usize = 6;
/// The shortest run that is counted up: `abcd`, `1234`, `a1b2c3`.
const COUNTED: usize = 4;

/// Text that documentation puts where a secret would be.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    work::spend(value.len());
    is_monotone(value) || (says_so(value) || is_counted(value)) && covers(value)
}

/// As [`is_placeholder`], where only a password can stand: people like to count in theirs, so a
/// run is made up only if next to nothing stands beside it.
pub(super) fn is_no_password(value: &[u8]) -> bool {
    work::spend(value.len());
    is_monotone(value) || has_word(value) || is_counted(value) && beside(value) < 4
}

/// Whether words say that this is no secret, and cover it.
pub(super) fn has_word(value: &[u8]) -> bool {
    says_so(value) && covers(value)
}

/// Few characters, or one many times and little else.
pub(super) fn is_monotone(value: &[u8]) -> bool {
    let few = if value.len() < 8 { 2 } else { 4 };
    distinct(value) <= few || longest_repeat(value) >= REPEATED && covers(value)
}

/// One character over and over, or a run of the alphabet: typed by hand, but no words, and not
/// what documentation fills a token up with.
pub(super) fn is_made_up(value: &[u8]) -> bool {
    let filler = |b: &u8| matches!(b, b'x' | b'X' | b'*' | b'.' | b'0' | b'-' | b'_');
    // A run of `A` is what zeros are in base64.
    let zeros = value.iter().all(|b| *b == b'A');
    let simple = is_monotone(value) || is_counted(value);
    simple && !zeros && !value.iter().all(filler) && !has_word(value)
}

/// As [`is_placeholder`], of a token: the ids before a random tail may be any numbers.
pub(super) fn is_sample(token: &[u8]) -> bool {
    if !is_placeholder(token) {
        return false;
    }
    let mut tail = token;
    while let Some(len) = tail.iter().position(|b| matches!(b, b'-' | b'.' | b'/')) {
        let id = tail.get(..len).unwrap_or(tail);
        let id = id
            .strip_prefix(b"T")
            .or(id.strip_prefix(b"B"))
            .unwrap_or(id);
        if !id.iter().all(u8::is_ascii_digit) {
            break;
        }
        tail = tail.get(len + 1..).unwrap_or(&[]);
    }
    let random = tail.len() >= RANDOM
        && classes(tail) >= 2
        && entropy(tail) >= 3.2
        && !is_placeholder(tail)
        && !is_wordy(tail);
    !random || has_word(token)
}

fn says_so(value: &[u8]) -> bool {
    rules().placeholders.is_match(value) || is_constant(value)
}

/// `__DB_PASSWORD__`, `@DB_PASSWORD@`: to be filled in.
fn is_constant(value: &[u8]) -> bool {
    let within = |mark: &[u8]| value.strip_prefix(mark)?.strip_suffix(mark);
    let inner = within(b"__").or_else(|| within(b"@"));
    inner.is_some_and(|v| !v.is_empty() && v.iter().all(|b| b.is_ascii_uppercase() || *b == b'_'))
}

fn is_counted(value: &[u8]) -> bool {
    rules().sequences.is_match(value)
}

/// Whether samples, words and made-up runs are all there is to a value, but for a few characters.
fn covers(value: &[u8]) -> bool {
    // `AKIA…EXAMPLE`: ids of keys as the maker's documentation shows them.
    let shown = value.len() <= 20
        && value.ends_with(b"EXAMPLE")
        && value
            .iter()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let rest = || pieces(value);
    let random: usize = rest().filter(|p| !is_plain(p)).map(<[u8]>::len).sum();
    let odd = || rest().any(|p| odds::of_longest(p, SHORT) >= BITS);
    shown || random < RANDOM && random * 2 <= value.len() && !odd()
}

/// How many letters and digits stand beside what is made up.
fn beside(value: &[u8]) -> usize {
    pieces(value).map(<[u8]>::len).sum()
}

/// What is left of a value without samples, placeholders' words and made-up runs, in pieces of
/// letters and digits.
fn pieces(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let made_up = made_up(value);
    let free = move |n: &usize| {
        let byte = value
            .get(*n)
            .is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
        byte && made_up.get(*n) == Some(&false)
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = (at..value.len()).find(&free)?;
        at = (start..value.len())
            .find(|n| !free(n))
            .unwrap_or(value.len());
        value.get(start..at)
    })
}

/// A word, a name, a small number.
fn is_plain(piece: &[u8]) -> bool {
    is_name_like(piece) && !is_letter_salad(piece)
}

/// Which bytes are of a sample, a placeholder's word or a made-up run.
fn made_up(value: &[u8]) -> Vec<bool> {
    let mut marks = vec![false; value.len()];
    let mut mark = |range: Range<usize>| {
        if let Some(bytes) = marks.get_mut(range) {
            bytes.fill(true);
        }
    };
    let rules = rules();
    for found in [&rules.samples, &rules.placeholders, &rules.sequences] {
        found
            .find_overlapping_iter(value)
            .for_each(|m| mark(m.range()));
    }
    let next = |b: u8| match b {
        b'9' => b'0',
        b'z' => b'a',
        b'Z' => b'A',
        b => b.wrapping_add(1),
    };
    // One character again and again, counted up by one, or two counted up in turn.
    steps(value, 1, REPEATED, |a, b| a == b).for_each(&mut mark);
    steps(value, 1, COUNTED, |a, b| {
        next(a) == b && b.is_ascii_alphanumeric()
    })
    .for_each(&mut mark);
    steps(value, 2, COUNTED + 2, |a, b| {
        next(a) == b && b.is_ascii_alphanumeric()
    })
    .for_each(&mut mark);
    marks
}

/// Where each byte follows from the one `back` before it, for at least `least` bytes.
fn steps(
    value: &[u8],
    back: usize,
    least: usize,
    follows: impl Fn(u8, u8) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let goes_on = move |at: usize| match (value.get(at), value.get(at + back)) {
        (Some(a), Some(b)) => follows(*a, *b),
        _ => false,
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < value.len() {
            let start = at;
            while goes_on(at) {
                at += 1;
            }
            let end = at + back;
            let long = at > start && end - start >= least;
            at += usize::from(at == start);
            if long {
                return Some(start..end);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_words_and_runs_cover_is_a_placeholder() {
        for text in [
            "your-super-secret-jwt-token-here",
            "xxxxxxxxxxxxxxxx",
            "sk-ant-api03-xxxxxxxxxxxx",
            "changeme",
            "changeme-2024",
            "dummy_token_value",
            "AKIA\u{49}44QH8DHBEXAMPLE",
            "1234567890abcdef1234567890abcdef",
            "a1b2c3d4e5f6-example",
            "example-a1b2c3d4",
            "api-key-12345678",
            "[REDACTED:assignment#3f9a]",
            "wJalrXUtnFEMI\u{2f}K7MDENG/bPxRfiCYEXAMPLEKEY",
        ] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_word_or_a_run_inside_a_random_value_keeps_nothing() {
        let random = "q7Zk20Vd9sLmW3xTbY8uHcR1eJ5nPa4K";
        let words = [
            "example", "DUMMY", "changeme", "xxxx", "your-", "12345678", "000000",
        ];
        for word in words {
            for at in [0, 5, 16, 32] {
                let text = format!("{}{word}{}", &random[..at], &random[at..]);
                assert!(!is_placeholder(text.as_bytes()), "{text}");
            }
        }
        assert!(!is_placeholder(b"9f8e2d6c0b1a7e5d4c3f-example"));
    }

    #[test]
    fn people_count_in_their_passwords() {
        for text in ["Company#12345678", "Berlin12345678", "12345678Hafen"] {
            assert!(!is_no_password(text.as_bytes()), "{text}");
        }
        for text in ["12345678", "1234567890!", "abcdefgh", "changeme12345678"] {
            assert!(is_no_password(text.as_bytes()), "{text}");
        }
    }
}
