//! The odds that a text is chance and no words: how many bits fewer it costs to write it as letters
//! and figures drawn at random than as words and names are written.
//!
//! Counted over the words and identifiers of some 90 MB of source and documentation; nine in a
//! thousand of those have odds of 0 and more, three have 4. Of eight letters at random 95 in 100
//! have 2, of sixteen and more nearly all have 8. Knows no rules, and keeps nothing.

use super::work;

/// For each two letters before a letter, or what a word begins after, a row: what each letter costs
/// there, from `a` for nothing in steps of half a bit.
const TABLE: &[u8; (LETTERS + 1) * (LETTERS + 1) * (LETTERS + 1)] =
    include_bytes!("../../assets/redact/trigrams.txt");
/// How many letters there are; a row of the table has one byte more, its end.
const LETTERS: usize = 26;

/// What it costs in names, in half bits, to begin a number, to begin another one, to go on with
/// one, and to go on with letters after it.
const NUMBER: u32 = 11;
const AGAIN: u32 = 6;
const FIGURE: u32 = 7;
const AFTER: u32 = 7;
/// To begin the next word with a capital, to have one where no word begins, and to have a piece of
/// one or two letters.
const CAPITAL: u32 = 4;
const ODD: u32 = 6;
const SHORT: u32 = 4;

/// The shortest run that is looked at, in bytes.
const RUN: usize = 4;

/// The odds of a run of letters and figures, in bits: below 0 it is words rather than chance.
fn of_run(run: &[u8]) -> f64 {
    let has = |test: fn(&u8) -> bool| run.iter().any(test);
    // Of figures alone nothing can be told.
    if !has(u8::is_ascii_alphabetic) {
        return 0.0;
    }
    let mut signs = 0.0;
    for (test, count) in [
        (u8::is_ascii_lowercase as fn(&u8) -> bool, 26.0),
        (u8::is_ascii_uppercase, 26.0),
        (u8::is_ascii_digit, 10.0),
    ] {
        signs += if has(test) { count } else { 0.0 };
    }
    f64::from(as_words(run)) / 2.0 - run.len() as f64 * f64::log2(f64::max(signs, 2.0))
}

/// What a run costs as words and names, in half bits.
fn as_words(run: &[u8]) -> u32 {
    let mut cost = 0;
    let mut last: Option<u8> = None;
    let (mut numbers, mut piece) = (0_u32, 0_u32);
    let mut two = [0, 0];
    for (at, byte) in run.iter().enumerate() {
        let figure = last.is_some_and(|b| b.is_ascii_digit());
        if byte.is_ascii_digit() {
            if figure {
                cost += FIGURE;
            } else {
                cost += NUMBER + if numbers > 0 { AGAIN } else { 0 };
                cost += is_short(piece, at);
                numbers += 1;
                piece = 0;
            }
            two = [0, 0];
        } else {
            let begins = last.is_some() && (figure || begins_word(run, at));
            if begins {
                cost += if figure { AFTER } else { CAPITAL } + is_short(piece, at);
                piece = 0;
                two = [0, 0];
            }
            let before = last.filter(|_| piece > 0);
            let turns = before.is_some_and(|b| b.is_ascii_uppercase() != byte.is_ascii_uppercase());
            if turns && piece > 1 {
                cost += ODD;
            }
            let letter = usize::from(byte.to_ascii_lowercase().saturating_sub(b'a')) + 1;
            cost += after(two, letter);
            two = [two[1], letter];
            piece += 1;
        }
        last = Some(*byte);
    }
    cost
}

/// What a piece of a few letters costs that ends at a place, if it is not all that stands before.
fn is_short(piece: u32, at: usize) -> u32 {
    if (1..3).contains(&piece) && at > piece as usize {
        SHORT
    } else {
        0
    }
}

/// Whether a capital begins a word: after a small letter, or before one in a row of capitals.
fn begins_word(run: &[u8], at: usize) -> bool {
    let is = |at: usize, test: fn(&u8) -> bool| run.get(at).is_some_and(test);
    is(at, u8::is_ascii_uppercase)
        && (is(at - 1, u8::is_ascii_lowercase)
            || is(at - 1, u8::is_ascii_uppercase) && is(at + 1, u8::is_ascii_lowercase))
}

/// What a letter costs after two others, each from 1 on; 0 is the beginning of a word.
fn after([first, second]: [usize; 2], letter: usize) -> u32 {
    let row = first * (LETTERS + 1) + second;
    let cost = TABLE.get(row * (LETTERS + 1) + letter - 1);
    cost.map_or(0, |cost| u32::from(cost.saturating_sub(b'a')))
}

fn runs(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    work::spend(value.len());
    value
        .split(|b| !b.is_ascii_alphanumeric())
        .filter(|run| run.len() >= RUN)
}

/// The odds of a value, in bits: all its runs that chance made rather than words, together.
pub(super) fn of(value: &[u8]) -> f64 {
    runs(value).map(|run| of_run(run).max(0.0)).sum()
}

/// The odds of the run of at least this many bytes that is most by chance.
pub(super) fn of_longest(value: &[u8], least: usize) -> f64 {
    let long = runs(value).filter(|run| run.len() >= least);
    long.map(of_run).fold(0.0, f64::max)
}

/// The odds of all short and long runs together, in bits: words take away what chance adds.
pub(super) fn of_all(value: &[u8]) -> f64 {
    work::spend(value.len());
    let runs = value.split(|b| !b.is_ascii_alphanumeric());
    runs.filter(|run| run.len() >= 2).map(of_run).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_told_from_words_names_and_numbers() {
        for words in [
            "passwordless",
            "StencilOperation",
            "getUserById2",
            "x509CertStore",
            "kubernetes",
            "OAuth2Token",
            "HTTPServer",
            "willow56",
            "BlueKettle",
            "base64urlEncode",
            "20240131",
            "aes256gcm",
        ] {
            assert!(of(words.as_bytes()) < 2.0, "{words}");
        }
        for chance in [
            "xkqzjvwpfh",
            "kqglidqschwz",
            "QZJWKXVBNM",
            "bGtkWqXrPv",
            "q7rvkzxwbm",
            "x8Kq2mPz7R",
            "dQw4w9WgXcQ",
            "hTq-xkqzjvwpfh",
        ] {
            assert!(
                of(chance.as_bytes()) > 6.0,
                "{chance}: {}",
                of(chance.as_bytes())
            );
        }
    }

    #[test]
    fn only_a_run_that_is_long_enough_counts_alone() {
        assert!(of_longest(b"prod-x8Kq2mPz7R", 8) > 6.0);
        assert!(of_longest(b"x8Kq-2mPz-7Rw1", 8) < 0.1);
    }
}
