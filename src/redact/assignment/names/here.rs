//! What the surroundings of a name make of it: the word before, what holds it, whose key it is.

use super::super::super::lines;
use super::super::super::rules::{HARMLESS, SECRET, rules};
use super::super::super::value;
use super::{Kind, is_name_byte};
use std::ops::Range;

/// `api key is …`, `the encryption key: …`: two words that make a secret's name.
pub(super) fn spaced_kind(text: &[u8], name: &Range<usize>, kind: Kind) -> Kind {
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
pub(super) fn is_harmless_here(text: &[u8], name: &Range<usize>, kind: Kind) -> bool {
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
pub(in super::super) fn is_key_id(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
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
    let app = owner.ends_with(b"appid") || owner.ends_with(b"app_id");
    if app && !(value.len() == 32 && value::is_hex(value)) {
        return true;
    }
    let value = value.strip_prefix(b"0x").unwrap_or(value);
    if !matches!(value.len(), 8 | 16 | 40) || !value.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let before = text
        .get(name.start.saturating_sub(16)..name.end)
        .unwrap_or(&[]);
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or(before);
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
pub(in super::super) fn says_itself(name: &[u8], value: &[u8]) -> bool {
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
