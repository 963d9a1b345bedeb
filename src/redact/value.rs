//! Judges a value: a reference in code, a placeholder, words, or something that looks secret.
//!
//! Bytes in, yes or no out; nothing is kept.

use super::rules::rules;

/// A value that names where the secret is instead of holding it: a variable, a call, a path.
pub(super) fn is_reference(value: &[u8]) -> bool {
    const STARTS: [&[u8]; 18] = [
        b"$",
        b"{",
        b"<",
        b"%",
        b"process.",
        b"os.",
        b"env.",
        b"import.",
        b"op://",
        b"vault:",
        b"arn:",
        b"ENC[",
        b"enc:",
        b"file:",
        b"[REDACTED",
        b"(",
        b"/",
        b"./",
    ];
    let public = rules()
        .public
        .iter()
        .any(|p| value.starts_with(p.as_bytes()));
    let starts = STARTS.iter().any(|s| value.starts_with(s)) && !is_dollar_password(value);
    let url = memchr::memmem::find(value, b"://").is_some();
    public || starts || url || is_call(value) || is_dotted_name(value)
}

/// `$` begins a variable only where a name or a brace follows; `$2b$12$…` is a hash.
fn is_dollar_password(value: &[u8]) -> bool {
    match value {
        [b'$', next, ..] => {
            next.is_ascii_digit()
                || value
                    .iter()
                    .skip(1)
                    .any(|b| !is_name(*b) && *b != b'{' && *b != b'(')
                    && !matches!(next, b'{' | b'(')
                    && classes(value) >= 4
        }
        [b'/' | b'<' | b'%' | b'{', ..] => {
            !value
                .iter()
                .skip(1)
                .any(|b| matches!(b, b'>' | b'}' | b'/'))
                && classes(value) >= 4
                && !value.iter().skip(1).any(|b| *b == b'%')
        }
        _ => false,
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// `name(`, `a.b(…)`, `x::y`, `a[`, `x?.y`, `Option<…`.
fn is_call(value: &[u8]) -> bool {
    let path = |b: &u8| is_name(*b) || matches!(b, b'.' | b':' | b'?' | b'!' | b'&' | b'*');
    let name = value.iter().take_while(|b| path(b)).count();
    let head = value.get(..name).unwrap_or(value);
    let start = head.first().copied().unwrap_or(0);
    if !(start.is_ascii_alphabetic() || matches!(start, b'_' | b'&' | b'*')) {
        return false;
    }
    let opens = matches!(value.get(name), Some(b'(' | b'[' | b'<'));
    let joined = head.windows(2).any(|w| w == b"::" || w == b"?.");
    joined || (opens && (digits(head) <= 2 || is_name_like(head)))
}

/// `args.password`, `self.config.token`: names with dots, no digits to speak of.
fn is_dotted_name(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"&").unwrap_or(value);
    value.contains(&b'.')
        && value.iter().all(|b| is_name(*b) || *b == b'.')
        && value.split(|b| *b == b'.').all(|part| {
            part.first()
                .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
                && is_name_like(part)
        })
}

/// Text that documentation puts where a secret would be.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    is_monotone(value) || rules().placeholders.is_match(value) || rules().sequences.is_match(value)
}

/// One character over and over, or a run of the alphabet: typed by hand, but no words, and not
/// what documentation fills a token up with.
pub(super) fn is_made_up(value: &[u8]) -> bool {
    let filler = |b: &u8| matches!(b, b'x' | b'X' | b'*' | b'.' | b'0' | b'-' | b'_');
    // A run of `A` is what zeros are in base64.
    let zeros = value.iter().all(|b| *b == b'A');
    let simple = is_monotone(value) || rules().sequences.is_match(value);
    simple && !zeros && !value.iter().all(filler) && !rules().placeholders.is_match(value)
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
    let random = tail.len() >= 16
        && classes(tail) >= 2
        && entropy(tail) >= 3.2
        && !is_placeholder(tail)
        && !is_wordy(tail);
    !random || rules().placeholders.is_match(token)
}

/// Few characters, or one many times.
pub(super) fn is_monotone(value: &[u8]) -> bool {
    let few = if value.len() < 8 { 2 } else { 4 };
    distinct(value) <= few || longest_repeat(value) >= 6
}

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

fn parts(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|b| matches!(b, b'-' | b'_' | b'.' | b'/' | b':' | b' ' | b',' | b'+'))
}

/// A word, a name in camel case, a small number, or both. Its pieces, each capitals, then small
/// letters, then digits, are long on average, and it has few capitals.
fn is_word(part: &[u8]) -> bool {
    let figures = digits(part);
    let letter = |b: &u8| b.is_ascii_alphabetic() || !b.is_ascii();
    let groups = part
        .split(|b| !b.is_ascii_digit())
        .filter(|g| !g.is_empty())
        .count();
    if !part.iter().all(|b| letter(b) || b.is_ascii_digit()) || figures > 5 || groups > 1 {
        return false;
    }
    let letters = part.len() - figures;
    let upper = part.iter().filter(|b| b.is_ascii_uppercase()).count();
    let rank = |b: &u8| u8::from(!b.is_ascii_uppercase()) + u8::from(b.is_ascii_digit());
    let pieces = 1 + part
        .windows(2)
        .filter(|w| matches!(w, [a, b] if rank(b) < rank(a)))
        .count();
    let calm = upper * 3 <= letters + 1 && (pieces == 1 || part.len() >= pieces * 3);
    letters == 0 || upper == letters || calm
}

/// Looks like a password a person or a generator made.
pub(super) fn is_password(value: &[u8], quoted: bool) -> bool {
    let len = value.len();
    if !(6..=256).contains(&len) || is_reference(value) || is_placeholder(value) {
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
    if is_name_like(value) && !(quoted && plain && kinds >= 3) {
        return false;
    }
    kinds >= 3
        || (symbol && kinds >= 2 && len >= 8 && digits(value) > 0)
        || (digits(value) >= 1 && kinds >= 2 && len >= 8 && (quoted || random(value)))
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
        && !is_placeholder(value)
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

/// Looks like a generated key or token.
pub(super) fn is_secret(value: &[u8]) -> bool {
    let len = value.len();
    if !(8..=4096).contains(&len)
        || is_reference(value)
        || is_placeholder(value)
        || is_name_like(value)
    {
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
    let mut counts = [0_u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    counts
}

fn distinct(value: &[u8]) -> usize {
    counts(value).iter().filter(|n| **n > 0).count()
}

fn longest_repeat(value: &[u8]) -> usize {
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
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = (bits << 6) | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xff).unwrap_or(0));
        }
    }
    out
}

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
