//! What a name says of its value: `DB_PASSWORD` holds a password, `token_type` nothing.

mod here;

use super::super::anchors::Anchor;
use super::super::rules::{HARMLESS, OPEN, PASSWORD, SECRET, TAIL, WEAK, rules};
use super::super::value;
use here::{is_harmless_here, spaced_kind};
pub(super) use here::{is_key_id, says_itself};
use std::ops::Range;

/// The longest name looked at, on either side of the anchor, in bytes.
const NAME: usize = 48;

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Kind {
    Password,
    Secret,
    /// A secret's word, but the name goes on: `PASSWORD_NEEDED`, `tokenOp`.
    Loose,
    Weak,
}

/// What a name of such a kind says where it stands.
pub(super) fn as_here(text: &[u8], name: &Range<usize>, kind: Kind) -> Option<Kind> {
    let kind = spaced_kind(text, name, kind);
    (!is_harmless_here(text, name, kind)).then_some(kind)
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
    // An anchor may hold what follows a name: `pat is`, `pw=`.
    if text
        .get(range.clone())
        .is_some_and(|name| name.ends_with(b" is"))
    {
        range.end -= b" is".len();
    }
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
    let low = |word: &[u8]| String::from_utf8_lossy(word).to_ascii_lowercase();
    split(name).map(low).collect()
}

/// The words of a name, as they are.
pub(super) fn split(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let start = rest.iter().position(u8::is_ascii_alphanumeric)?;
        let from = rest.get(start..)?;
        let len = (1..from.len()).find(|at| breaks(from, *at));
        let (word, after) = from.split_at(len.unwrap_or(from.len()));
        rest = after;
        Some(word)
    })
}

/// Whether a word ends before this byte: no letter or digit, or a capital that begins the next.
fn breaks(name: &[u8], at: usize) -> bool {
    let byte = |at: usize| name.get(at).copied().unwrap_or(0);
    let (before, here) = (byte(at - 1), byte(at));
    let begins = || {
        let low = before.is_ascii_lowercase() || before.is_ascii_digit();
        low || before.is_ascii_uppercase() && byte(at + 1).is_ascii_lowercase()
    };
    !here.is_ascii_alphanumeric() || here.is_ascii_uppercase() && begins()
}

/// A number at the end counts accounts, not meanings: `password_2`, `token1`.
fn unnumbered(word: &[u8]) -> &[u8] {
    let figures = word.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    word.get(..word.len() - figures).unwrap_or(word)
}

/// What the words of a name say, one after the other.
#[derive(Default)]
struct Words<'n> {
    last: Option<&'n [u8]>,
    /// What the first one means, any one, any two, the last one.
    first_is_no: bool,
    any: u8,
    pairs: u8,
    last_means: u8,
    /// What the last two mean together.
    last_pair: u8,
    /// Words follow what a secret is called, other than those that tell one from another.
    goes_on: bool,
}

impl<'n> Words<'n> {
    fn of(name: &'n [u8]) -> Self {
        let mut words = Self::default();
        split(name)
            .map(unnumbered)
            .filter(|word| !word.is_empty())
            .for_each(|word| words.push(word));
        words
    }

    fn push(&mut self, word: &'n [u8]) {
        let meanings = &rules().meanings;
        let means = meanings.get(&[word]);
        let pair = match self.last {
            Some(last) => meanings.get(&[last, word]),
            None => 0,
        };
        self.first_is_no |= self.last.is_none() && word.eq_ignore_ascii_case(b"no");
        self.pairs |= pair;
        self.last_pair = pair;
        let called = |means: u8| means & (PASSWORD | SECRET | WEAK) != 0;
        self.goes_on = match called(means | pair) {
            true => false,
            false => {
                let other = word.len() > 2 && means & TAIL == 0;
                self.goes_on || called(self.any) && other
            }
        };
        self.any |= means;
        self.last = Some(word);
        self.last_means = means;
    }
}

/// What a name says of its value, if anything.
pub(in crate::redact) fn kind(name: &[u8]) -> Option<Kind> {
    if !name.is_ascii() {
        return is_foreign(name).then_some(Kind::Password);
    }
    if is_piece(name) {
        return None;
    }
    let words = Words::of(name);
    let last = words.last?;
    let all = words.any | words.pairs;
    // `tokenValue`
    let passed = name.len() <= b"pass_value".len() && all & SECRET == 0;
    let held = words.last_means & TAIL != 0 && last.eq_ignore_ascii_case(b"value") && !passed;
    let held = held && all & (PASSWORD | SECRET) != 0;
    // `recovery_code`
    let held = held || words.last_pair & (PASSWORD | SECRET) != 0;
    let harmless = words.last_means & HARMLESS != 0 && !held;
    if harmless || words.first_is_no || all & OPEN != 0 {
        return None;
    }
    let password = all & PASSWORD != 0;
    if words.any & HARMLESS != 0 && !password && all & SECRET == 0 {
        return None;
    }
    // Glued words: `mydbpassword`.
    let end = rules().meanings.ends(last);
    let secret = (all | end) & SECRET != 0;
    let meant = if password || end & PASSWORD != 0 {
        Kind::Password
    } else if secret || words.any & WEAK != 0 && is_header(name) {
        Kind::Secret
    } else {
        // `gi_reo_gi_api`
        let api = name.contains(&b'_') && last.eq_ignore_ascii_case(b"api");
        return (words.any & WEAK != 0 || api).then_some(Kind::Weak);
    };
    Some(if words.goes_on { Kind::Loose } else { meant })
}

/// A password's name in another script, also with words before and after it: `db_пароль`.
fn is_foreign(name: &[u8]) -> bool {
    let joint = |b: Option<&u8>| b.is_none_or(|b| matches!(b, b'_' | b'-' | b'.'));
    let mut foreign = rules().names.foreign.iter();
    foreign.any(|word| {
        let word = word.as_bytes();
        memchr::memmem::find(name, word).is_some_and(|at| {
            let (head, tail) = (name.get(..at), name.get(at + word.len()..));
            let (head, tail) = (head.unwrap_or(&[]), tail.unwrap_or(&[]));
            head.is_ascii() && joint(head.last()) && tail.is_ascii() && joint(tail.first())
        })
    })
}

/// A piece of something encoded is no name.
fn is_piece(name: &[u8]) -> bool {
    let coded = name.len() >= 40 && value::digits(name) >= 4 && !value::reads_like_words(name);
    let tiny = || {
        let last = split(name).last().unwrap_or(&[]);
        [&b"pw"[..], b"psk", b"psw"]
            .iter()
            .any(|w| w.eq_ignore_ascii_case(last))
    };
    coded || value::digits(name) > 1 && tiny() && split(name).count() > 3
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
