//! What a name says of its value: `DB_PASSWORD` holds a password, `token_type` nothing.

use super::super::anchors::Anchor;
use super::super::rules::rules;
use std::ops::Range;

/// The longest name looked at, on either side of the anchor, in bytes.
const NAME: usize = 48;

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Password,
    Secret,
    Weak,
}

/// What a name says of its value where it stands.
pub(super) fn kind_here(text: &[u8], name: &Range<usize>) -> Option<Kind> {
    let kind = spaced_kind(text, name, kind(text.get(name.clone())?)?);
    (!is_harmless_here(text, name, kind)).then_some(kind)
}

/// `api key is …`, `the encryption key: …`: two words that make a secret's name.
fn spaced_kind(text: &[u8], name: &Range<usize>, kind: Kind) -> Kind {
    if kind != Kind::Weak {
        return kind;
    }
    let before = text.get(name.start.saturating_sub(16)..name.start);
    let before = before.and_then(|b| b.strip_suffix(b" ")).unwrap_or(&[]);
    let word = before.rsplit(|b| !b.is_ascii_alphabetic()).next();
    let pair = [word.unwrap_or(&[]), text.get(name.clone()).unwrap_or(&[])].concat();
    let pair = String::from_utf8_lossy(&pair).to_ascii_lowercase();
    if rules().names.secret.contains(&pair) {
        Kind::Secret
    } else {
        kind
    }
}

/// `cache key: …` and a test's `PASS: …` are harmless; what follows `://` is a URL's to judge.
fn is_harmless_here(text: &[u8], name: &Range<usize>, kind: Kind) -> bool {
    let at = name.start;
    let before = text.get(at.saturating_sub(24)..at).unwrap_or(&[]);
    let verdict = text.get(at..).is_some_and(|t| t.starts_with(b"PASS:"));
    if verdict || before.ends_with(b"://") {
        return true;
    }
    let Some(line) = before.strip_suffix(b" ").filter(|_| kind == Kind::Weak) else {
        return false;
    };
    let word = line
        .rsplit(|b| !b.is_ascii_alphabetic())
        .next()
        .unwrap_or(&[]);
    let word = String::from_utf8_lossy(word).to_ascii_lowercase();
    rules().names.harmless.contains(&word)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(super) fn around(text: &[u8], anchor: &Anchor) -> Range<usize> {
    let before = text.get(..anchor.start).unwrap_or(&[]);
    let after = text.get(anchor.end..).unwrap_or(&[]);
    let back = before
        .iter()
        .rev()
        .take(NAME)
        .take_while(|b| is_name_byte(**b))
        .count();
    let on = after
        .iter()
        .take(NAME)
        .take_while(|b| is_name_byte(**b))
        .count();
    let mut range = anchor.start - back..anchor.end + on;
    while range.end > anchor.end
        && !text
            .get(range.end - 1)
            .is_some_and(u8::is_ascii_alphanumeric)
    {
        range.end -= 1;
    }
    range
}

/// The words of a name, in small letters: camelCase, snake_case and kebab-case come apart.
pub(super) fn words(name: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for (n, byte) in name.iter().enumerate() {
        let lower_before = n > 0
            && name
                .get(n - 1)
                .is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let lower_after = name.get(n + 1).is_some_and(u8::is_ascii_lowercase)
            && n > 0
            && name.get(n - 1).is_some_and(u8::is_ascii_uppercase);
        let breaks = byte.is_ascii_uppercase() && (lower_before || lower_after);
        if (breaks || !byte.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphanumeric() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// What a name says of its value, if anything.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    let names = &rules().names;
    let mut words = words(name);
    // A number at the end counts accounts, not meanings: `password_2`, `token1`.
    for word in &mut words {
        word.truncate(word.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    }
    words.retain(|w| !w.is_empty());
    let last = words.last()?;
    let has = |list: &[String]| words.iter().any(|w| list.contains(w));
    if names.harmless.contains(last) || words.first().is_some_and(|w| w == "no" || w == "public") {
        return None;
    }
    let pairs: Vec<String> = words.windows(2).map(|w| w.concat()).collect();
    let ends = |list: &[String]| list.iter().any(|w| last.ends_with(w.as_str()));
    let paired = |list: &[String]| pairs.iter().any(|p| list.contains(p));
    if has(&names.harmless)
        && !has(&names.password)
        && !paired(&names.secret)
        && !has(&names.secret)
    {
        return None;
    }
    if has(&names.password) || ends(&names.password) {
        Some(Kind::Password)
    } else if has(&names.secret) || ends(&names.secret) || paired(&names.secret) {
        Some(Kind::Secret)
    } else if has(&names.weak) {
        Some(if is_header(name) {
            Kind::Secret
        } else {
            Kind::Weak
        })
    } else {
        None
    }
}

/// `Fastly-Key`, `X-Functions-Key`: a header that names a key carries it.
fn is_header(name: &[u8]) -> bool {
    let capital = |part: &[u8]| part.first().is_some_and(u8::is_ascii_uppercase);
    let mut parts = name.split(|b| *b == b'-');
    let own = name.get(..2).is_some_and(|p| p.eq_ignore_ascii_case(b"x-"));
    name.contains(&b'-') && !name.contains(&b'_') && (own || parts.all(capital))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_hold() {
        for (name, meant) in [
            ("DB_PASSWORD", Some(Kind::Password)),
            ("dbPassword2", Some(Kind::Password)),
            ("PGPASSWORD", Some(Kind::Password)),
            ("apiKey", Some(Kind::Secret)),
            ("x-api-key", Some(Kind::Secret)),
            ("SECRET_KEY_BASE", Some(Kind::Secret)),
            ("client-key-data", Some(Kind::Secret)),
            ("key", Some(Kind::Weak)),
            ("token_type", None),
            ("max_tokens", None),
            ("public_key", None),
            ("password_hash_algorithm", None),
            ("keyboard", None),
        ] {
            assert_eq!(kind(name.as_bytes()), meant, "{name}");
        }
    }
}
