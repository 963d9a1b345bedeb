//! Whether a word looks like a password where a command, a call or a file has one.
//!
//! Bytes in, yes or no out.

use super::super::assignment::names_a_password;
use super::super::phrase;
use super::super::rules::rules;
use super::super::value;

/// What a person chooses for a password, where nothing else stands: words joined or with a number,
/// letters without sense.
pub(super) fn is_of_person(secret: &[u8]) -> bool {
    let phrase = || phrase::read(secret).is_some_and(|p| !p.spaced && p.is_chosen());
    value::is_chosen(secret, false) || value::is_letter_salad(secret) || phrase()
}

/// A key that chance made, and no id: `3f2a…` of 32 hex digits, `x8Kq…` of 16 signs and more.
pub(super) fn is_chance(secret: &[u8]) -> bool {
    let token = |b: &u8| b.is_ascii_alphanumeric() || b"+/=_-.~".contains(b);
    let long = (16..=128).contains(&secret.len()) && secret.iter().all(token);
    let hex = secret.len() >= 32 && secret.len().is_multiple_of(8) && value::is_hex(secret);
    let odd = || value::digits(secret) >= 2 && value::is_odd(secret, 8.0);
    long && (hex || odd()) && !value::is_placeholder(secret) && value::is_secret(secret)
}

/// Letters of one kind, or figures: any word that a person may choose, and that says nothing of
/// passwords itself. It is hidden here only; elsewhere it is a word.
pub(super) fn is_word(found: &[u8]) -> bool {
    let known = rules().is_default_password(found);
    (6..=64).contains(&found.len())
        && value::classes(found) == 1
        && found
            .iter()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        && !known
        && !value::is_placeholder(found)
        && !names_a_password(found)
}

/// Where nothing but a password can stand, and this may be one.
pub(super) fn is_password(secret: &[u8]) -> bool {
    let known = rules().is_default_password(secret);
    let constant = secret.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    let path = secret.contains(&b'/')
        && (value::is_wordy(secret) || matches!(secret, [b'/' | b'.' | b'~', ..]));
    let file = secret.rsplitn(2, |b| *b == b'.').next().is_some_and(|end| {
        secret.contains(&b'.') && end.len() <= 4 && !end.iter().any(u8::is_ascii_digit)
    });
    secret.len() >= 6
        && !constant
        && !ends_clause(secret)
        && !known
        && (!path && !file || value::holds_random(secret))
        && !value::is_reference(secret)
        && !value::is_placeholder(secret)
        && value::classes(secret) >= 2
}

/// `restrictions:`: a word of a sentence, with what is put behind it.
pub(super) fn ends_clause(secret: &[u8]) -> bool {
    let word = secret
        .split_last()
        .filter(|(last, _)| matches!(last, b':' | b',' | b'.' | b';' | b'?'));
    word.is_some_and(|(_, word)| word.iter().all(u8::is_ascii_lowercase))
}
