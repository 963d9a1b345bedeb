//! Whether a word looks like a password a person chose or a generator made.

use super::super::super::camel;
use super::super::super::phrase;
use super::super::super::rules::rules;
use super::super::super::value;
use super::super::code;
use super::super::harmless::is_kind_of_secret;
use super::super::judging::names_a_password;
use std::ops::RangeInclusive;

/// How a password looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// Words and figures, as a person makes one up.
    Chosen,
    /// Four words and more, joined.
    Phrase,
    /// Letters and figures in no order that words have.
    Random,
}

/// How long a password is, in bytes.
pub(super) const LENGTHS: RangeInclusive<usize> = 5..=96;

/// How a word looks, if like a password.
pub(super) fn strength(word: &[u8]) -> Option<Strength> {
    if !LENGTHS.contains(&word.len()) {
        return None;
    }
    let look = look(word)?;
    // Most words look like nothing of the kind: only of the others it is asked what they are.
    (!is_known(word)).then_some(look)
}

fn look(word: &[u8]) -> Option<Strength> {
    if is_phrase(word) {
        return Some(Strength::Phrase);
    }
    let joined = is_joined(word) || camel::is_chosen(word);
    if !joined && is_place(word) {
        return None;
    }
    let look = match is_random(word) {
        true => Strength::Random,
        false => (joined || is_chosen(word)).then_some(Strength::Chosen)?,
    };
    let named = !joined && (value::is_reference(word) || code::is_path(word));
    (!named).then_some(look)
}

/// A placeholder, a sample, a number, a name of something.
fn is_known(word: &[u8]) -> bool {
    value::is_placeholder(word)
        || rules().is_default_password(word)
        || code::is_number(word)
        || code::is_product(word)
        || code::is_escapes(word)
        || code::is_file_of_id(word)
        || word.len() > 36 && code::ends_with_uuid(word)
        || is_kind_of_secret(word)
        || names_a_password(word)
        || !camel::is_chosen(word) && is_numbered_label(word)
        || is_constant(word)
        || is_measure(word)
}

/// `D3D11_STENCIL_OP`
fn is_constant(word: &[u8]) -> bool {
    let capital = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    word.contains(&b'_') && word.iter().all(capital)
}

/// `8-to-64-chars`, `32bytes`: how long one may be.
fn is_measure(word: &[u8]) -> bool {
    const UNITS: [&[u8]; 6] = [b"char", b"digit", b"byte", b"bits", b"letter", b"zeichen"];
    let low = word.to_ascii_lowercase();
    low.first().is_some_and(u8::is_ascii_digit)
        && UNITS
            .iter()
            .any(|u| memchr::memmem::find(&low, u).is_some())
}

/// `password12`, `user_id3`, `token1`, `test2`.
pub(super) fn is_numbered_label(word: &[u8]) -> bool {
    const SAID: [&str; 24] = [
        "step", "test", "line", "page", "case", "part", "level", "phase", "issue", "table",
        "figure", "chapter", "section", "version", "release", "windows", "profile", "bcrypt",
        "scrypt", "argon", "oauth", "saml", "room", "raum",
    ];
    let stem = stem(word);
    let figures = word.len() - stem.len();
    if !(1..=4).contains(&figures) {
        return false;
    }
    let last = super::super::names::words(stem).pop().unwrap_or_default();
    let names = &rules().names;
    let lists = [&names.password, &names.secret, &names.weak, &names.harmless];
    lists.iter().any(|l| l.contains(&last))
        || rules().technical.contains(&last)
        || SAID.contains(&last.as_str())
}

/// A word without the number at its end.
pub(super) fn stem(word: &[u8]) -> &[u8] {
    let tail = word.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    word.get(..word.len() - tail).unwrap_or(word)
}

/// `walnut-juniper-canyon-lantern`
fn is_phrase(word: &[u8]) -> bool {
    /// The fewest words, and the fewest letters of each.
    const WORDS: usize = 4;
    const LETTERS: usize = 3;
    // Each word but the first begins with a capital or behind a joint.
    let begins = word.iter().skip(1).filter(|b| !b.is_ascii_lowercase());
    if word.len() < WORDS * LETTERS || begins.count() + 1 < WORDS {
        return false;
    }
    let phrase = phrase::read(word).filter(phrase::Phrase::is_chosen);
    phrase.is_some_and(|phrase| phrase.words >= WORDS && !phrase.spaced)
}

/// `Guitar.Raven33`, `Schatz_Verano-38`: words, then a number.
fn is_joined(word: &[u8]) -> bool {
    let joint = |b: &u8| matches!(b, b'-' | b'_' | b'.');
    let tail = word.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let head = word.get(..word.len() - tail).unwrap_or(&[]);
    let head = head
        .strip_suffix(b"-")
        .or(head.strip_suffix(b"_"))
        .unwrap_or(head);
    if !(2..=4).contains(&tail)
        || !(2..=4).contains(&(1 + head.iter().filter(|b| joint(b)).count()))
    {
        return false;
    }
    let mut parts = head.split(joint);
    let capital = |p: &&[u8]| {
        p.len() >= 4
            && p.first().is_some_and(u8::is_ascii_uppercase)
            && p.iter().skip(1).all(u8::is_ascii_lowercase)
    };
    let small = |p: &&[u8]| p.len() >= 4 && p.iter().all(u8::is_ascii_lowercase);
    let dotted = head.contains(&b'.');
    parts.clone().all(|p| capital(&p)) || !dotted && parts.all(|p| small(&p))
}

/// A path, a host, an address of mail, a version, a date, a range, code.
fn is_place(word: &[u8]) -> bool {
    let has = |byte: u8| word.contains(&byte);
    let slashes = word.iter().filter(|b| **b == b'/').count();
    let dots = word.iter().filter(|b| **b == b'.').count();
    let at = word.iter().position(|b| *b == b'@');
    let mail = at.is_some_and(|at| word.get(at..).is_some_and(|rest| rest.contains(&b'.')));
    let numbers = word
        .iter()
        .all(|b| b.is_ascii_digit() || b.is_ascii_punctuation());
    let code = word.iter().any(|b| b"<{(|\\".contains(b));
    slashes > 0 || dots > 1 || mail || numbers || code || has(b'=') && !is_random(word)
}

/// Letters and figures mixed, groups of a key, letters in no order.
fn is_random(word: &[u8]) -> bool {
    let letters = word.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let figures = value::digits(word);
    let kind = |b: &u8| (b.is_ascii_alphabetic(), b.is_ascii_digit());
    let turns = word
        .windows(2)
        .filter(|w| matches!(w, [a, b] if kind(a) != kind(b)))
        .count();
    let mixed = word.len() >= 8 && letters >= 3 && figures >= 2 && turns >= 3;
    let marked = word.len() >= 7 && value::classes(word) == 4 && figures > 0;
    let upper = word.iter().filter(|b| b.is_ascii_uppercase()).count();
    let salad = letters + figures == word.len()
        && word.len() >= 9
        && upper >= 2 + figures.min(1)
        && upper + 2 < letters
        && !value::is_name_like(word)
        && value::entropy(word) >= 2.8;
    let group = |g: &[u8]| {
        g.len() == 4
            && g.iter()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    let groups = word.split(|b| *b == b'-');
    let grouped = groups.clone().count() >= 3 && groups.into_iter().all(group);
    let token = mixed && !value::is_name_like(word) && value::entropy(word) >= 2.6;
    grouped || value::is_odd(word, 6.0) || (token || marked || salad) && !value::is_wordy(word)
}

/// `willow56`, `Harbor99`, `s3cret!`
fn is_chosen(word: &[u8]) -> bool {
    let figures = value::digits(word);
    let letters = word.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let led = word.iter().take_while(|b| b.is_ascii_digit()).count();
    // `12chars`, `2nd`, `8-bit`
    let counts = led > 0 && led == figures;
    let symbol = word.iter().any(|b| b"!@#$%^&*+?".contains(b));
    let odd = figures >= 2 || word.len() >= 8 && !value::is_name_like(word);
    let plain = value::is_chosen(word, true) && odd && !is_kind(word);
    let begins = word.iter().all(u8::is_ascii_alphanumeric)
        || word.first().is_some_and(|b| !b.is_ascii_digit());
    letters >= 3 && begins && !counts && (plain || figures >= 1 && symbol)
}

/// `base64-encoded`, `sha256-hashed`: how something is done.
fn is_kind(word: &[u8]) -> bool {
    let first = word.split(|b| matches!(b, b'-' | b'_')).next();
    let first = first.unwrap_or(word);
    let stem = String::from_utf8_lossy(stem(first)).to_ascii_lowercase();
    first.len() < word.len() && rules().technical.contains(&stem)
}
