//! What a name says of its value: `DB_PASSWORD` holds a password, `token_type` nothing.

use super::super::anchors::Anchor;
use super::super::lines;
use super::super::rules::{HARMLESS, OPEN, PASSWORD, SECRET, TAIL, WEAK, rules};
use super::super::value;
use super::code;
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

/// `api key is …`, `the encryption key: …`: two words that make a secret's name.
fn spaced_kind(text: &[u8], name: &Range<usize>, kind: Kind) -> Kind {
    if kind != Kind::Weak {
        return kind;
    }
    let before = text.get(name.start.saturating_sub(16)..name.start);
    let before = before.and_then(|b| b.strip_suffix(b" ")).unwrap_or(&[]);
    let word = before.rsplit(|b| !b.is_ascii_alphabetic()).next();
    let pair = [word.unwrap_or(&[]), text.get(name.clone()).unwrap_or(&[])];
    if rules().meanings.get(&pair) & SECRET != 0 || is_held(text, name) {
        Kind::Secret
    } else {
        kind
    }
}

/// `'crypt' => ['key' => …`, `encryption:⏎  key: …`, `"Jwt": {"Key": …`: what holds a key says what
/// it is for.
fn is_held(text: &[u8], name: &Range<usize>) -> bool {
    const HOLDERS: [&[u8]; 9] = [
        b"crypt",
        b"encryption",
        b"cipher",
        b"jwt",
        b"hmac",
        b"signing",
        b"session",
        b"webhook",
        b"secrets",
    ];
    if !text
        .get(name.clone())
        .is_some_and(|n| n.eq_ignore_ascii_case(b"key"))
    {
        return false;
    }
    let head = text
        .get(name.start.saturating_sub(48)..name.start)
        .unwrap_or(&[]);
    let marks = |b: &&u8| b.is_ascii_whitespace() || b"\"'{[=>:".contains(*b);
    let gap = head.iter().rev().take_while(marks).count();
    let (holder, gap) = head.split_at(head.len() - gap);
    let opens = gap.iter().any(|b| b"{[".contains(b))
        || gap.contains(&b'\n') && gap.contains(&b':') && gap.ends_with(b" ");
    let last = holder.rsplit(|b| !b.is_ascii_alphabetic()).next();
    let last = last.unwrap_or(&[]);
    opens && HOLDERS.iter().any(|h| h.eq_ignore_ascii_case(last))
}

/// `cache key: …` and a test's `PASS: …` are harmless, as are a shell's `PWD`, what an ARN names
/// and a badge's token; what follows `://` is a URL's to judge.
fn is_harmless_here(text: &[u8], name: &Range<usize>, kind: Kind) -> bool {
    const ARN: usize = 80;
    let at = name.start;
    let before = text.get(at.saturating_sub(24)..at).unwrap_or(&[]);
    let long = text.get(at.saturating_sub(ARN)..at).unwrap_or(&[]);
    let from = text.get(at..).unwrap_or(&[]);
    let last = before.last().copied().unwrap_or(0);
    let directory = text.get(name.clone()) == Some(b"PWD") && !matches!(last, b';' | b'&' | b'/');
    // `arn:…:secret:name`, `a:token:b`: one of many parts.
    let glued = matches!(text.get(name.end..), Some([b':', b, ..]) if !b.is_ascii_whitespace());
    // `profile::db::password: …` is a setting.
    let set = matches!(text.get(name.end..), Some([b':', b' ', ..]));
    let arn = last == b':' && (glued || before.ends_with(b"::") && !set);
    let sum = [b"checksum/".as_slice(), b"sha256/", b"hash/", b"digest/"];
    let sum = last == b'/' && sum.iter().any(|s| before.ends_with(s));
    let badge = || {
        memchr::memmem::find(long, b"badge").is_some()
            || memchr::memmem::find(long, b"codecov").is_some()
    };
    let shown = matches!(last, b'?' | b'&') && badge();
    let url = last == b'/' && before.ends_with(b"://");
    let passes = matches!(from, [b'P', b'A', b'S', b'S', b':', ..]);
    if passes || directory || arn || sum || shown || url {
        return true;
    }
    // `Cache restored from key: …`
    let cached = || {
        let line = lines::last(long);
        let word = |at: usize| line.get(at.checked_sub(3)?..at + 3);
        let mut all = memchr::memchr2_iter(b'h', b'H', line);
        all.any(|at| word(at).is_some_and(|word| word.eq_ignore_ascii_case(b"cache ")))
    };
    if kind == Kind::Weak && cached() {
        return true;
    }
    let Some(line) = before.strip_suffix(b" ").filter(|_| kind == Kind::Weak) else {
        return false;
    };
    let word = line
        .rsplit(|b| !b.is_ascii_alphabetic())
        .next()
        .unwrap_or(&[]);
    const OF: [&[u8]; 6] = [
        b"trace", b"request", b"span", b"build", b"commit", b"object",
    ];
    let of = OF.iter().any(|of| of.eq_ignore_ascii_case(word));
    of || rules().meanings.get(&[word]) & HARMLESS != 0
}

/// `user.signingkey=16HEX`, `gpg_key: 40HEX`, `using RSA key 40HEX`: which key of PGP, not the key.
pub(super) fn is_key_id(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
    const PGP: [&[u8]; 3] = [b"signingkey", b"gpg", b"pgp"];
    const BESIDE: [&[u8]; 5] = [
        b"signing key",
        b"rsa key",
        b"dsa key",
        b"primary key",
        b"gpg",
    ];
    // `"appId": UUID`: which program, as clouds number them.
    let owner = text.get(name.clone()).unwrap_or(&[]).to_ascii_lowercase();
    if owner.ends_with(b"appid") && value.len() == 36 && code::ends_with_uuid(value) {
        return true;
    }
    let value = value.strip_prefix(b"0x").unwrap_or(value);
    if !matches!(value.len(), 8 | 16 | 40) || !value.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let before = text
        .get(name.start.saturating_sub(16)..name.end)
        .unwrap_or(&[]);
    let line = lines::last(before);
    let line = line.to_ascii_lowercase();
    let has = |words: &[&[u8]]| {
        words
            .iter()
            .any(|w| memchr::memmem::find(&line, w).is_some())
    };
    // `Mira's key 40HEX`: in capitals, as they are printed.
    let printed = !value.iter().any(u8::is_ascii_lowercase);
    let beside = text.get(name.end) == Some(&b' ');
    let bare = text.get(name.clone()) == Some(b"key");
    printed && (has(&PGP) || beside && bare) || beside && has(&BESIDE)
}

/// `{readpass.3 => readpass.3bsd}`, `Pass = Lexer.PASS`: a name again, with a little more.
pub(super) fn says_itself(name: &[u8], value: &[u8]) -> bool {
    let end = value.iter().rposition(|b| b.is_ascii_alphanumeric());
    let value = value.get(..end.map_or(0, |n| n + 1)).unwrap_or(value);
    let Some(more) = value
        .len()
        .checked_sub(name.len())
        .filter(|_| name.len() >= 4)
    else {
        return false;
    };
    let (head, tail) = (value.get(..name.len()), value.get(more..));
    let same = |part: Option<&[u8]>| part.is_some_and(|p| p.eq_ignore_ascii_case(name));
    let begins = same(head)
        && value
            .get(name.len()..)
            .is_some_and(|m| value::digits(m) == 0);
    let ends = same(tail) && value.get(..more).is_some_and(|m| value::digits(m) == 0);
    more <= 16 && value.iter().all(|b| is_name_byte(*b)) && (begins || ends)
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
