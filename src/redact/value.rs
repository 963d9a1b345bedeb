//! Judges a value: a reference in code, a placeholder, words, or something that looks secret.
//!
//! Bytes in, yes or no out; nothing is kept.

use super::bigrams;
use super::camel;
use super::odds;
use super::rules::rules;
use super::work;

pub(super) use super::measure::{base64, classes, digits, entropy, is_hex, to_base64};
pub(super) use super::placeholder::{
    is_made_up, is_monotone, is_no_password, is_placeholder, is_sample,
};
pub(super) use super::reference::{holds_random, is_jumbled, is_reference, pieces};

/// Words, names and small numbers joined by `-`, `_`, `.`, `/`: no token's body.
pub(super) fn is_wordy(value: &[u8]) -> bool {
    parts(value).all(|part| {
        let tail = part.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        is_word(part) && digits(part) == tail
    })
}

/// As code and prose write names, also with a number inside: `ConvertSHA256Args`.
pub(super) fn is_name_like(value: &[u8]) -> bool {
    parts(value).all(is_word)
}

/// Letters that follow each other as in words, taken all together.
pub(super) fn reads_like_words(value: &[u8]) -> bool {
    bigrams::surprise(value) < 5.3
}

/// Many letters and nothing else, in an order that no words have.
pub(super) fn is_letter_salad(value: &[u8]) -> bool {
    value.len() >= 8
        && value.iter().all(u8::is_ascii_alphabetic)
        && odds::of(value) >= if value.len() < 12 { 6.0 } else { 4.0 }
        && entropy(value) >= 2.5
        && !is_placeholder(value)
}

/// Hex digits in one run or several, as of a UUID or a sum: what they are their length says.
fn is_in_hex(value: &[u8]) -> bool {
    let runs = value.split(|b| !b.is_ascii_alphanumeric());
    let mut long = runs.filter(|run| run.len() >= 4);
    long.all(|run| run.iter().all(u8::is_ascii_hexdigit))
}

/// Letters, figures and marks that chance made rather than words, with at least these odds in bits.
pub(super) fn is_odd(value: &[u8], bits: f64) -> bool {
    (8..=256).contains(&value.len())
        && value.iter().all(u8::is_ascii_graphic)
        && odds::of(value) >= bits
        && !is_in_hex(value)
        && !is_reference(value)
        && !is_placeholder(value)
}

fn parts(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|b| matches!(b, b'-' | b'_' | b'.' | b'/' | b':' | b' ' | b',' | b'+'))
}

/// A word, a name in camel case, a small number, or both. Its pieces, each capitals, then small
/// letters, then digits, are long on average, and it has few capitals.
fn is_word(part: &[u8]) -> bool {
    work::spend(part.len());
    let (mut figures, mut groups, mut upper, mut pieces) = (0, 0, 0, 1);
    let mut last = CAPITAL;
    for byte in part {
        let rank = RANKS[usize::from(*byte)];
        if rank == NEITHER {
            return false;
        }
        figures += usize::from(rank == FIGURE);
        groups += usize::from(rank == FIGURE && last != FIGURE);
        upper += usize::from(rank == CAPITAL);
        pieces += usize::from(rank < last);
        last = rank;
    }
    if figures > 5 || groups > 1 {
        return false;
    }
    let led = part.iter().take_while(|b| b.is_ascii_digit()).count();
    if led >= 3 && led < part.len() && !is_unit(part.get(led..).unwrap_or(&[])) {
        return false;
    }
    let letters = part.len() - figures;
    let calm = upper * 3 <= letters + 1 && (pieces == 1 || part.len() >= pieces * 3);
    letters == 0 || upper == letters || calm
}

/// In which order bytes stand in a piece of a word.
const CAPITAL: u8 = 0;
const SMALL: u8 = 1;
const FIGURE: u8 = 2;
/// What is no byte of a word.
const NEITHER: u8 = 3;

const RANKS: [u8; 256] = {
    let mut all = [SMALL; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        all[byte as usize] = match byte {
            b'A'..=b'Z' => CAPITAL,
            b'a'..=b'z' => SMALL,
            b'0'..=b'9' => FIGURE,
            _ => NEITHER,
        };
        byte += 1;
    }
    all
};

/// What follows a number: `100ms`, `1080p`, `4096bit`.
fn is_unit(tail: &[u8]) -> bool {
    const UNITS: [&[u8]; 14] = [
        b"ms", b"s", b"p", b"px", b"k", b"kb", b"mb", b"gb", b"bit", b"bits", b"th", b"rd", b"hz",
        b"x",
    ];
    UNITS.contains(&tail)
}

/// Looks like a password a person or a generator made.
pub(super) fn is_password(value: &[u8], quoted: bool) -> bool {
    let len = value.len();
    if !(6..=256).contains(&len) || is_reference(value) || is_no_password(value) {
        return false;
    }
    let spaces = value.iter().filter(|b| b.is_ascii_whitespace()).count();
    if spaces > 0 && (!quoted || spaces > 4 || digits(value) == 0) {
        return false;
    }
    let kinds = classes(value);
    let symbol = value.iter().any(|b| {
        b.is_ascii_punctuation()
            && !matches!(b, b'-' | b'_' | b'.' | b'/' | b':' | b',' | b'(' | b')')
    });
    let plain = value.iter().all(u8::is_ascii_alphanumeric);
    let marked = plain || value.contains(&b'+') && digits(value) > 0;
    let named = is_name_like(value) && !is_two_words(value) && !camel::is_chosen(value);
    if named && !(quoted && marked && kinds >= 3) {
        return false;
    }
    kinds >= 3
        || (symbol && kinds >= 2 && len >= 8 && digits(value) > 0)
        || (digits(value) >= 1 && kinds >= 2 && len >= 8 && (quoted || random(value)))
}

/// `Guitar.Raven33`, `Schatz_Verano-38`: capitalised words and two figures or more, no type's name.
pub(super) fn is_two_words(value: &[u8]) -> bool {
    let figures = value
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let words = value.get(..value.len() - figures).unwrap_or(value);
    let words = match words.split_last() {
        Some((b'-' | b'.' | b'_', rest)) => rest,
        _ => words,
    };
    let mut parts = words.split(|b| matches!(b, b'.' | b'_' | b'-'));
    let last = value.rsplit(|b| matches!(b, b'.' | b'_')).next();
    let word = |w: &[u8]| match w.split_first() {
        Some((first, rest)) => {
            first.is_ascii_uppercase() && rest.len() >= 3 && rest.iter().all(u8::is_ascii_lowercase)
        }
        None => false,
    };
    (2..=4).contains(&figures)
        && (2..=3).contains(&parts.clone().count())
        && parts.all(word)
        && !last.is_some_and(is_technical)
}

/// What a person chooses, where nothing but a password can stand: letters and digits, even if they
/// read like a name; with `joints`, also `-` and `_`.
pub(super) fn is_chosen(value: &[u8], joints: bool) -> bool {
    let fits = |b: &u8| b.is_ascii_alphanumeric() || (joints && matches!(b, b'-' | b'_'));
    (6..=64).contains(&value.len())
        && value.iter().all(fits)
        && value.iter().any(u8::is_ascii_alphabetic)
        && digits(value) > 0
        && !is_reference(value)
        && !is_no_password(value)
        && !is_technical(value)
}

/// `sha256`, `base64url`, `utf8mb4`, `uint256`: the name of a type or a method.
fn is_technical(value: &[u8]) -> bool {
    let head = value.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (stem, tail) = value.split_at(head);
    tail.len() <= 8
        && rules()
            .technical
            .iter()
            .any(|t| t.as_bytes().eq_ignore_ascii_case(stem))
}

/// What a value is judged by at most, in bytes.
const LONGEST: usize = 4096;

/// Looks like a generated key or token; of a very long one its beginning does.
pub(super) fn is_secret(value: &[u8]) -> bool {
    let value = value.get(..LONGEST).unwrap_or(value);
    let len = value.len();
    if len < 8 || is_reference(value) || is_placeholder(value) || is_name_like(value) {
        return false;
    }
    if value.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    if is_hex(value) {
        return len >= 16;
    }
    random(value) || (classes(value) >= 4 && is_password(value, false))
}

/// A digit, and entropy that words do not have.
fn random(value: &[u8]) -> bool {
    digits(value) > 0 && entropy(value) >= if value.len() < 16 { 2.8 } else { 3.2 }
}

/// Capitals, small letters and digits in no order that words have.
pub(super) fn is_certainly_random_token(value: &[u8]) -> bool {
    let token = |b: &u8| b.is_ascii_alphanumeric() || b"+/=_-.~".contains(b);
    let kinds = classes(value) - usize::from(value.iter().any(u8::is_ascii_punctuation));
    value.iter().all(token)
        && (kinds == 3 || kinds == 2 && digits(value) >= 4)
        && digits(value) >= 2
        && entropy(value) >= 3.5
        && !is_wordy(value)
}

/// Long, with many marks and figures in no order: a generator's, with blanks too.
pub(super) fn is_noise(value: &[u8]) -> bool {
    let marks = value.iter().filter(|b| b.is_ascii_punctuation()).count();
    let words = value
        .split(|b| *b == b' ')
        .filter(|w| w.len() > 3 && w.iter().all(u8::is_ascii_alphabetic))
        .count();
    (20..=256).contains(&value.len())
        && value.is_ascii()
        && marks >= 4
        && digits(value) >= 2
        && classes(value) == 4
        && words <= 2
        && entropy(value) >= 4.0
        && !is_reference(value)
        && !is_placeholder(value)
}

/// For names that say little (`key`): only what is plainly random.
pub(super) fn is_certainly_random(value: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| value.iter().any(test);
    let token = |b: &u8| b.is_ascii_alphanumeric() || b"+/=_-.~".contains(b);
    value.len() >= 24
        && value.iter().all(token)
        && is_secret(value)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && entropy(value) >= 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_references_and_placeholders_are_no_secrets() {
        for text in [
            "three-bounce-spinner-loading",
            "authTokenService",
            "AutoTokenizer",
            "release_2024",
            "args.password",
            "response.json()",
            "std::env::var(x)",
            "${TOKEN}",
            "<token>",
            "your-super-secret-jwt-token-here",
            "xxxxxxxxxxxxxxxx",
            "changeme",
            "bert-base-uncased",
        ] {
            assert!(!is_secret(text.as_bytes()), "{text}");
            assert!(!is_password(text.as_bytes(), true), "{text}");
        }
    }

    #[test]
    fn what_people_and_generators_make_is_secret() {
        for text in [
            "a9c51b636b017625f9d4",
            "x8Kq2mPz7Rw",
            "Harbor-Mango-Velvet90!",
        ] {
            assert!(is_secret(text.as_bytes()), "{text}");
        }
        assert!(is_password(b"p4ssw0rd!", true));
        assert!(is_password(b"Summer2024", true));
        assert!(!is_password(b"TestConvertSHA256Args/missing_dir", false));
    }

    #[test]
    fn base64_goes_both_ways() {
        assert_eq!(base64(b"dXNlcjpwYXNzd29yZA=="), b"user:password");
        assert_eq!(to_base64(b"user:passwor"), b"dXNlcjpwYXNzd29y");
    }
}
