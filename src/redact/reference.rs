//! Tells a value that names where a secret is from one that holds it: a variable, a call, a path,
//! a digest, what is encrypted.
//!
//! How a value begins says what it is meant to be; with a random run in it, it is that only if it
//! has all of its form. Bytes in, yes or no out.

use super::camel;
use super::measure::{classes, digits, entropy, is_hex};
use super::odds;
use super::rules::rules;
use super::value::{is_name_like, reads_like_words};
use super::work;

/// How what is no secret itself begins.
const STARTS: [&[u8]; 20] = [
    b"pkcs11:",
    b">",
    b"@{",
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
    b"(",
    b"/",
    b"./",
];

/// The shortest random run that no name, path or call has, in bytes.
const RANDOM: usize = 16;
/// The shortest one where its odds say that chance made it, and those odds, in bits.
const SHORT: usize = 8;
const BITS: f64 = 5.0;

/// A value that names where the secret is instead of holding it: a variable, a call, a path.
pub(super) fn is_reference(value: &[u8]) -> bool {
    work::spend(value.len());
    if is_public(value) || is_formed(value) {
        return true;
    }
    let format = matches!(value, [b'%', b's' | b'd' | b'v', ..]);
    let starts =
        STARTS.iter().any(|s| value.starts_with(s)) && (format || !is_dollar_password(value));
    let filled = value
        .windows(2)
        .any(|two| matches!(two, [b'$' | b'{', b'{']));
    is_hidden_already(value)
        || is_slot(value)
        || is_address(value)
        || (starts || filled || is_template(value) || is_call(value) || is_dotted_name(value))
            && !holds_random(value)
            && !holds_more(value)
            && !is_jumbled(value)
}

/// Brackets that close what another kind opened, among many signs: no template and no code, and
/// what a generator makes of all signs. `{{h}o)p${e]nob(ody[finds>-_$#`
pub(super) fn is_jumbled(value: &[u8]) -> bool {
    const PATTERN: [&[u8]; 7] = [b"(?", b"[^", b".*", b"a-z", b"A-Z", b"0-9", b"\\"];
    let signs = value.iter().filter(|b| b.is_ascii_punctuation()).count();
    let letters = value.iter().filter(|b| b.is_ascii_alphabetic()).count();
    if !(12..=128).contains(&value.len()) || signs < 5 || letters < 5 || signs * 4 < value.len() {
        return false;
    }
    work::spend(value.len());
    let mut open: Vec<u8> = Vec::new();
    let mut crossed = 0_usize;
    for byte in value {
        match byte {
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'(' => open.push(b')'),
            b'}' | b']' | b')' => match open.last() {
                Some(close) if close == byte => {
                    open.pop();
                }
                Some(_) => crossed += 1,
                None => {}
            },
            _ => {}
        }
    }
    crossed > 0
        && value.iter().all(u8::is_ascii_graphic)
        && !value
            .iter()
            .any(|b| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b',' | b';' | b'='))
        && !PATTERN
            .iter()
            .any(|p| value.windows(p.len()).any(|w| w == *p))
}

/// Whether a run of letters and digits in it is in no order that names and words have.
pub(super) fn holds_random(value: &[u8]) -> bool {
    work::spend(value.len());
    let runs = value.split(|b| !b.is_ascii_alphanumeric() && *b != b'+');
    // Folders are made with short random names, and are none of a secret.
    let folders = is_in_folders(value);
    let odd = |run: &[u8]| !folders && !is_hex(run) && odds::of_longest(run, SHORT) >= BITS;
    runs.into_iter().any(|run| is_random(run) || odd(run)) || is_scattered(value)
}

/// `/tmp/tmpz2nikr4y/lib`, `./build/x/y`: a path of several folders.
fn is_in_folders(value: &[u8]) -> bool {
    let begins = [&b"/"[..], b"./", b"../", b"~/", b"file:/", b"$HOME/"];
    begins.iter().any(|b| value.starts_with(b))
        && value.iter().filter(|b| **b == b'/').count() >= 2
        && !value.windows(3).any(|three| three == b"://")
}

/// Short runs in no order that words have, between many marks: what a generator makes of all signs.
fn is_scattered(value: &[u8]) -> bool {
    let marks = value.iter().filter(|b| b.is_ascii_punctuation()).count();
    (20..=256).contains(&value.len())
        && marks >= 4
        && classes(value) == 4
        && value.iter().all(u8::is_ascii_graphic)
        && odds::of_all(value) >= 8.0
}

/// What follows a reference that is closed, `${X}` or `<token>`, and looks like a secret itself.
fn holds_more(value: &[u8]) -> bool {
    const FORMS: [(&[u8], &[u8]); 5] = [
        (b"${", b"}"),
        (b"{{", b"}}"),
        (b"<", b">"),
        (b"%(", b")s"),
        (b"[REDACTED", b"]"),
    ];
    let form = FORMS.iter().find(|(open, _)| value.starts_with(open));
    let rest = form.and_then(|(_, close)| {
        let at = memchr::memmem::find(value, close)?;
        value.get(at + close.len()..)
    });
    rest.is_some_and(|rest| {
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-+".contains(b);
        let figures = digits(rest);
        rest.len() >= 8
            && rest.iter().all(plain)
            && figures > 0
            && figures < rest.len()
            && entropy(rest) >= 2.8
            && !is_name_like(rest)
    })
}

fn is_random(run: &[u8]) -> bool {
    let small = !run.iter().any(u8::is_ascii_uppercase);
    run.len() >= RANDOM
        && digits(run) >= 2
        && entropy(run) >= 3.2
        && !is_name_like(run)
        && (run.len() >= 32 && is_hex(run)
            || (pieces(run) * 3 > run.len() || small && !reads_like_words(run))
                && (classes(run) >= 3 || digits(run) >= 4))
}

/// In how many pieces a name falls: capitals, then small letters, then digits.
pub(super) fn pieces(name: &[u8]) -> usize {
    let rank = |b: &u8| u8::from(!b.is_ascii_uppercase()) + u8::from(b.is_ascii_digit());
    let breaks = |w: &&[u8]| matches!(w, [a, b] if rank(b) < rank(a));
    1 + name.windows(2).filter(breaks).count()
}

/// What stands for something that was hidden before, and nothing else.
fn is_hidden_already(value: &[u8]) -> bool {
    let body = value.strip_prefix(b"[REDACTED").unwrap_or(&[]);
    let close = body.iter().position(|b| *b == b']');
    let after = close.map_or(0, |at| body.len() - at - 1);
    body.len() < value.len() && value.starts_with(b"[REDACTED") && after < 6 && !holds_random(body)
}

/// A URL; its password is another rule's. What stands after `://` is a host, or names.
fn is_address(value: &[u8]) -> bool {
    let Some(sign) = value.windows(3).position(|three| three == b"://") else {
        return false;
    };
    let host = value.get(sign + 3..).unwrap_or(&[]);
    let end = host.iter().position(|b| matches!(b, b'/' | b'?' | b'#'));
    let host = host.get(..end.unwrap_or(host.len())).unwrap_or(host);
    host.contains(&b'.') || host.contains(&b'@') || !holds_random(host)
}

/// How keys begin that are meant to be seen.
fn is_public(value: &[u8]) -> bool {
    let mut public = rules().public.iter();
    public.any(|p| value.starts_with(p.as_bytes()))
}

/// A digest, a public key, what is encrypted: with all that belongs to its form.
fn is_formed(value: &[u8]) -> bool {
    is_digest(value) || is_encrypted(value) || is_age_recipient(value) || is_ssh_key(value)
}

/// The body of a public key of SSH: the shortest has 68 digits.
fn is_ssh_key(value: &[u8]) -> bool {
    let head = value.starts_with(b"AAAAB3NzaC1") || value.starts_with(b"AAAAC3NzaC1");
    head && value.len() >= 64
}

/// `sha256:…`, `sha512-…`, `md5:…`: as long as that digest is, in hex or base64.
fn is_digest(value: &[u8]) -> bool {
    const BYTES: [(&[u8], usize); 6] = [
        (b"md5", 16),
        (b"sha1", 20),
        (b"sha224", 28),
        (b"sha256", 32),
        (b"sha384", 48),
        (b"sha512", 64),
    ];
    let Some(sign) = value.iter().take(8).position(|b| matches!(b, b':' | b'-')) else {
        return false;
    };
    let (name, sum) = value.split_at(sign);
    let sum = sum.get(1..).unwrap_or(&[]);
    let bytes = BYTES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
    bytes.is_some_and(|(_, bytes)| {
        let hex = sum.len() == bytes * 2 && sum.iter().all(u8::is_ascii_hexdigit);
        let padded = sum.len() == bytes.div_ceil(3) * 4;
        let digit = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        let bare = sum.len() == (bytes * 4).div_ceil(3);
        hex || (padded || bare) && sum.iter().all(digit)
    })
}

/// What sops, eyaml, Vault's transit and sealed secrets write.
fn is_encrypted(value: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(value, part).is_some();
    let sops = value.starts_with(b"ENC[AES256_GCM,data:") && has(b",iv:") && has(b",tag:");
    let transit = || {
        let rest = value.strip_prefix(b"vault:v").unwrap_or(&[]);
        let version = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let body = rest.get(version + 1..).unwrap_or(&[]);
        // A nonce and a tag alone are 28 bytes.
        version > 0 && rest.get(version) == Some(&b':') && body.len() >= 40
    };
    sops || value.starts_with(b"ENC[PKCS7,MI") || transit() || is_sealed(value) || is_jasypt(value)
}

/// `ENC(…)`: a salt and a block at least, in base64. What ends the value may be cut off.
fn is_jasypt(value: &[u8]) -> bool {
    const LEAST: usize = 24;
    let body = value.strip_prefix(b"ENC(").unwrap_or(&[]);
    let body = body.strip_suffix(b")").unwrap_or(body);
    let digit = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
    body.len() >= LEAST && body.len().is_multiple_of(4) && body.iter().all(digit)
}

/// `[PASSWORD]`, `[YOUR-TOKEN]`: to be filled in.
fn is_slot(value: &[u8]) -> bool {
    let inner = value.strip_prefix(b"[").and_then(|v| v.strip_suffix(b"]"));
    let capital = |b: &u8| b.is_ascii_uppercase() || matches!(b, b'_' | b'-' | b' ');
    inner.is_some_and(|v| v.len() >= 2 && v.iter().all(capital))
}

/// What `kubeseal` makes of a value: the length of an RSA block, the block, and more.
fn is_sealed(value: &[u8]) -> bool {
    const LEAST: usize = 96;
    let digit = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
    matches!(value, [b'A', b'g', b'A'..=b'D', ..])
        && value.len() >= LEAST
        && value.iter().all(digit)
}

/// Whom `age` encrypts for.
fn is_age_recipient(value: &[u8]) -> bool {
    let bech32 = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    value.starts_with(b"age1") && value.len() == 62 && value.iter().all(bech32)
}

/// `$row['x']`, `$user->name`, `SCRAM-256$<salt>`: variables and holes with names.
fn is_template(value: &[u8]) -> bool {
    let member = value.strip_prefix(b"$").is_some_and(|name| {
        let len = name.iter().take_while(|b| is_name(**b)).count();
        let rest = name.get(len..).unwrap_or(&[]);
        len > 0 && (rest.starts_with(b"[") || rest.starts_with(b"->"))
    });
    let holes = value.split(|b| *b == b'<').skip(1);
    let hole = |part: &[u8]| {
        let len = part
            .iter()
            .take_while(|b| is_name(**b) || **b == b'-')
            .count();
        len >= 3 && part.get(len) == Some(&b'>') && is_name_like(part.get(..len).unwrap_or(part))
    };
    member || holes.into_iter().any(hole)
}

/// `$` begins a variable only where a name or a brace follows; `$2b$12$…` is a hash.
fn is_dollar_password(value: &[u8]) -> bool {
    match value {
        [b'$', next, ..] => {
            next.is_ascii_digit()
                || camel::is_disguised(value)
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
    // With figures in its name, a call must close: `c4mZ[0E` is none.
    let close = match value.get(name) {
        Some(b'[') => b']',
        Some(b'<') => b'>',
        _ => b')',
    };
    let closed = digits(head) == 0 || value.contains(&close);
    joined || (opens && closed && (digits(head) <= 2 || is_name_like(head)))
}

/// `args.password`, `self.config.token`: names with dots, no digits to speak of. `Guitar.Raven33`
/// is what a person makes of two words.
fn is_dotted_name(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"&").unwrap_or(value);
    let capital = |part: &[u8]| part.first().is_some_and(u8::is_ascii_uppercase);
    if digits(value) >= 2 && value.split(|b| *b == b'.').all(capital) {
        return false;
    }
    value.contains(&b'.')
        && value.iter().all(|b| is_name(*b) || *b == b'.')
        && value.split(|b| *b == b'.').all(|part| {
            part.first()
                .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
                && is_name_like(part)
        })
}
