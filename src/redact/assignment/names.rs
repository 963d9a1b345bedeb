//! What a name says of its value: `DB_PASSWORD` holds a password, `token_type` nothing.

use super::super::anchors::Anchor;
use super::super::rules::rules;
use super::super::value;
use std::ops::Range;

/// The longest name looked at, on either side of the anchor, in bytes.
const NAME: usize = 48;

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Password,
    Secret,
    /// A secret's word, but the name goes on: `PASSWORD_NEEDED`, `tokenOp`.
    Loose,
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

/// `cache key: …` and a test's `PASS: …` are harmless, as are a shell's `PWD`, what an ARN names
/// and a badge's token; what follows `://` is a URL's to judge.
fn is_harmless_here(text: &[u8], name: &Range<usize>, kind: Kind) -> bool {
    const ARN: usize = 80;
    let at = name.start;
    let before = text.get(at.saturating_sub(24)..at).unwrap_or(&[]);
    let long = text.get(at.saturating_sub(ARN)..at).unwrap_or(&[]);
    let from = text.get(at..).unwrap_or(&[]);
    let directory = text.get(name.clone()) == Some(b"PWD") && !before.ends_with(b";");
    // `arn:…:secret:name`, `a:token:b`: one of many parts.
    let glued = matches!(text.get(name.end..), Some([b':', b, ..]) if !b.is_ascii_whitespace());
    let arn = before.ends_with(b":") && glued || before.ends_with(b"::");
    let sum = [b"checksum/".as_slice(), b"sha256/", b"hash/", b"digest/"];
    let sum = sum.iter().any(|s| before.ends_with(s));
    let badge = || {
        memchr::memmem::find(long, b"badge").is_some()
            || memchr::memmem::find(long, b"codecov").is_some()
    };
    let shown = matches!(before.last(), Some(b'?' | b'&')) && badge();
    if from.starts_with(b"PASS:") || directory || arn || sum || shown || before.ends_with(b"://") {
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
    const OF: [&str; 6] = ["trace", "request", "span", "build", "commit", "object"];
    rules().names.harmless.contains(&word) || OF.contains(&word.as_str())
}

/// `user.signingkey=16HEX`, `gpg_key: 40HEX`: which key of PGP, not the key.
pub(super) fn is_key_id(name: &[u8], value: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let called = [b"signingkey".as_slice(), b"gpg", b"pgp"];
    let hex = |b: &u8| matches!(b, b'0'..=b'9' | b'A'..=b'F');
    let value = value.strip_prefix(b"0x").unwrap_or(value);
    matches!(value.len(), 8 | 16 | 40)
        && value.iter().all(hex)
        && called
            .iter()
            .any(|c| memchr::memmem::find(&name, c).is_some())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(super) fn around(text: &[u8], anchor: &Anchor) -> Range<usize> {
    let before = text.get(..anchor.start).unwrap_or(&[]);
    let after = text.get(anchor.end..).unwrap_or(&[]);
    let last = text.get(anchor.end - 1);
    let goes_on = last.is_some_and(|b| is_name_byte(*b) || !b.is_ascii());
    let back = before
        .iter()
        .rev()
        .take(NAME)
        .take_while(|b| is_name_byte(**b))
        .count();
    let on = after
        .iter()
        .take(NAME)
        .take_while(|b| goes_on && is_name_byte(**b))
        .count();
    let mut range = anchor.start - back..anchor.end + on;
    // An anchor may hold what follows a name: `pw=`.
    while range.end > anchor.start + 1
        && text
            .get(range.end - 1)
            .is_some_and(|b| b.is_ascii() && !b.is_ascii_alphanumeric())
    {
        range.end -= 1;
    }
    range
}

/// The words of a name, in small letters: camelCase, snake_case and kebab-case come apart.
pub(in crate::redact) fn words(name: &[u8]) -> Vec<String> {
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
    if !name.is_ascii() {
        return names
            .foreign
            .iter()
            .any(|w| w.as_bytes() == name)
            .then_some(Kind::Password);
    }
    // A piece of something encoded is no name.
    if name.len() >= 40 && value::digits(name) >= 4 && !value::reads_like_words(name) {
        return None;
    }
    let mut words = words(name);
    let tiny = |w: &String| matches!(w.as_str(), "pw" | "psk" | "psw");
    if words.len() > 3 && words.last().is_some_and(tiny) && value::digits(name) > 1 {
        return None;
    }
    // A number at the end counts accounts, not meanings: `password_2`, `token1`.
    for word in &mut words {
        word.truncate(word.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    }
    words.retain(|w| !w.is_empty());
    let last = words.last()?;
    let has = |list: &[String]| words.iter().any(|w| list.contains(w));
    if names.harmless.contains(last) || words.first().is_some_and(|w| w == "no") {
        return None;
    }
    let pairs: Vec<String> = words.windows(2).map(|w| w.concat()).collect();
    let ends = |list: &[String]| {
        list.iter()
            .any(|w| w.len() > 2 && last.ends_with(w.as_str()))
    };
    let paired = |list: &[String]| pairs.iter().any(|p| list.contains(p));
    if has(&names.open) || paired(&names.open) {
        return None;
    }
    if has(&names.harmless)
        && !has(&names.password)
        && !paired(&names.secret)
        && !has(&names.secret)
    {
        return None;
    }
    let secret = has(&names.secret) || ends(&names.secret) || paired(&names.secret);
    let meant = if has(&names.password) || ends(&names.password) {
        Kind::Password
    } else if secret || has(&names.weak) && is_header(name) {
        Kind::Secret
    } else {
        return has(&names.weak).then_some(Kind::Weak);
    };
    Some(if goes_on(&words) { Kind::Loose } else { meant })
}

/// Whether words follow what a secret is called, other than those that tell one from another.
fn goes_on(words: &[String]) -> bool {
    let names = &rules().names;
    let called = |w: &String| {
        let all = [&names.password, &names.secret, &names.weak];
        all.iter().any(|list| list.contains(w))
    };
    let tail = words.iter().rev().take_while(|w| !called(w)).count();
    tail < words.len()
        && words
            .iter()
            .rev()
            .take(tail)
            .any(|w| w.len() > 2 && !names.tails.contains(w))
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
