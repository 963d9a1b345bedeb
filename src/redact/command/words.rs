//! The words of a command, and the ways a password stands in them.

use super::super::assignment::says_password;
use super::super::value;
use super::is_of_person;
use std::ops::Range;

/// Whether a value is glued to its option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Glue {
    No,
    Yes,
    Either,
}

/// The words after these options.
pub(super) fn options<'b>(
    body: &'b [u8],
    flags: &'static [&'static str],
    glue: Glue,
) -> impl Iterator<Item = Range<usize>> + 'b {
    let each = flags.iter().flat_map(move |flag| {
        let found = memchr::memmem::find_iter(body, flag.as_bytes());
        found.map(|at| (at, at + flag.len())).collect::<Vec<_>>()
    });
    each.filter_map(move |(at, end)| {
        let free = at
            .checked_sub(1)
            .is_none_or(|b| body.get(b).is_some_and(u8::is_ascii_whitespace));
        let gap = match body.get(end)? {
            b' ' => Some(blanks(body, end, glue)),
            b'=' if flags.iter().any(|f| f.starts_with("--")) => Some(1),
            _ => None,
        };
        let start = match (gap, glue) {
            (Some(gap), Glue::No | Glue::Either) => end + gap,
            (None, Glue::Yes | Glue::Either) => end,
            _ => return None,
        };
        let word = word(body, start);
        (free && !is_option(body, &word)).then_some(word)
    })
}

/// How many blanks stand between an option and its value: more than one only before a quote or a
/// pair, for a list of options is written so.
fn blanks(body: &[u8], end: usize, glue: Glue) -> usize {
    let rest = body.get(end..).unwrap_or(&[]);
    let blanks = rest.iter().take(8).take_while(|b| **b == b' ').count();
    let quoted = matches!(rest.get(blanks), Some(b'"' | b'\''));
    if quoted || glue == Glue::Either {
        blanks
    } else {
        1
    }
}

/// The words after short options written as one, the last of which is this letter.
pub(super) fn clustered(body: &[u8], letter: u8) -> impl Iterator<Item = Range<usize>> {
    let all = words(body).zip(words(body).skip(1));
    all.filter_map(move |(option, next)| match body.get(option)? {
        [b'-', head @ .., last] => {
            let letters = !head.is_empty() && head.iter().all(u8::is_ascii_alphabetic);
            (*last == letter && letters).then_some(next)
        }
        _ => None,
    })
}

pub(super) fn is_option(body: &[u8], word: &Range<usize>) -> bool {
    matches!(body.get(word.start), Some(b'-'))
}

/// The words of a command, up to where the next command begins.
pub(super) fn words(body: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = body.get(at..)?;
        at += rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if matches!(
            body.get(at)?,
            b'|' | b';' | b'>' | b'<' | b'&' | b'#' | b'`' | b')'
        ) {
            return None;
        }
        let word = word(body, at);
        let quoted = usize::from(matches!(body.get(at), Some(b'"' | b'\'')));
        at = (word.end + quoted).max(at + 1);
        Some(word)
    })
}

/// What stands after the sign in a word, and no placeholder of a variable.
pub(super) fn split_at(body: &[u8], word: Range<usize>, sign: char) -> Option<Range<usize>> {
    let sign = u8::try_from(sign).ok()?;
    let Some(at) = body.get(word.clone())?.iter().position(|b| *b == sign) else {
        // `"user":"pw"`
        let rest = body.get(word.end..)?;
        let apart = matches!(rest, [b'"' | b'\'', s, b'"' | b'\'', ..] if *s == sign);
        return apart.then(|| self::word(body, word.end + 2));
    };
    let (user, password) = body.get(word.clone())?.split_at_checked(at)?;
    // `user:'pw'`
    if password.len() == 1 && matches!(body.get(word.end), Some(b'"' | b'\'')) {
        return Some(self::word(body, word.end));
    }
    // `guest:guest` is what a service comes with.
    let same = user == password.get(1..)?;
    ((at > 0 || sign == b':') && !same).then(|| word.start + at + 1..word.end)
}

/// `-Da.password=pw`, `--set a.password=pw,b=c`, `-d 'user=a&pass=pw'`: what a password's name is
/// set to.
pub(super) fn sets(body: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for word in words(body) {
        let mut at = word.start;
        let text = body.get(word).unwrap_or(&[]);
        for part in text.split(|b| matches!(b, b',' | b'&' | b' ')) {
            let sign = part.iter().position(|b| *b == b'=');
            let name = sign.and_then(|sign| part.get(..sign)).unwrap_or(&[]);
            if let Some(sign) = sign.filter(|_| says_password(name)) {
                found.push(at + sign + 1..at + part.len());
            }
            at += part.len() + 1;
        }
    }
    found
}

/// `DB_PASS=pw API=…`: what names in capitals are set to that looks like a secret.
pub(super) fn each(body: &[u8]) -> Vec<Range<usize>> {
    let value = |word: Range<usize>| {
        let text = body.get(word.clone())?;
        let sign = text.iter().position(|b| *b == b'=')?;
        let name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        let named = text.get(..sign)?.iter().all(name) && sign > 1;
        let quoted = sign + 1 == text.len();
        let range = match quoted {
            true => self::word(body, word.end),
            false => word.start + sign + 1..word.end,
        };
        let secret = body.get(range.clone())?;
        let is = value::is_password(secret, quoted)
            || is_of_person(secret) && value::digits(secret) >= 2
            || value::is_secret(secret);
        (named && is).then_some(range)
    };
    words(body).filter_map(value).collect()
}

/// `environment.DB_PASSWORD pw`: the word behind one that names a password.
pub(super) fn named(body: &[u8]) -> Option<Range<usize>> {
    let mut all = words(body);
    all.find(|word| body.get(word.clone()).is_some_and(says_password))?;
    all.next().filter(|word| !is_option(body, word))
}

/// `user/pw@//host`.
pub(super) fn slashed(body: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let all = body.get(word.clone())?;
    let slash = all.iter().position(|b| *b == b'/')?;
    let end = all.iter().position(|b| *b == b'@')?;
    (slash < end).then(|| word.start + slash + 1..word.start + end)
}

/// `user/pw`: no path.
pub(super) fn halved(body: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let all = body.get(word.clone())?;
    let slash = all.iter().position(|b| *b == b'/').filter(|at| *at > 1)?;
    let user = all.get(..slash)?;
    let plain = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let once = all.iter().filter(|b| **b == b'/').count() == 1;
    (once && user.iter().all(plain)).then(|| word.start + slash + 1..word.end)
}

/// The password of `net use`: the word that is no drive, share or option.
pub(super) fn share(body: &[u8]) -> Option<Range<usize>> {
    words(body).skip(1).find(|word| {
        let text = body.get(word.clone()).unwrap_or(&[]);
        !matches!(text, [b'/' | b'\\' | b'*', ..] | [_, b':'])
    })
}

/// A shell word, without its quotes.
pub(in super::super) fn word(body: &[u8], start: usize) -> Range<usize> {
    let rest = body.get(start..).unwrap_or(&[]);
    match rest.first() {
        Some(quote @ (b'\'' | b'"')) => {
            let len = rest
                .iter()
                .skip(1)
                .position(|b| b == quote)
                .unwrap_or(rest.len().saturating_sub(1));
            start + 1..start + 1 + len
        }
        _ => {
            let len = rest
                .iter()
                .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`'))
                .unwrap_or(rest.len());
            let word = rest.get(..len).unwrap_or(rest);
            let tail = word.iter().rev().take_while(|b| matches!(b, b';' | b')'));
            start..start + len - tail.count()
        }
    }
}

/// The most pieces that a word is glued from.
const PIECES: usize = 16;

/// Where a shell word really ends of which a piece ends here: quotes that follow each other without
/// a blank make one word, `'…''…'`, `'…'"…"`, `…'…'`.
pub(in super::super) fn joined(text: &[u8], piece: &Range<usize>) -> usize {
    let quote = piece.start.checked_sub(1).and_then(|at| text.get(at));
    let quote = quote.filter(|b| matches!(b, b'"' | b'\''));
    let mut at = piece.end;
    let mut end = at + usize::from(quote.is_some() && text.get(at) == quote);
    let mut bare = end == at;
    for _ in 0..PIECES {
        let Some((next, closed)) = glued(text, end, bare) else {
            break;
        };
        at = next;
        end = next + usize::from(closed);
        bare = !closed;
    }
    at
}

/// The end of the piece that begins here, and whether a quote closes it.
fn glued(text: &[u8], at: usize, bare: bool) -> Option<(usize, bool)> {
    let rest = text.get(at..)?;
    // `'\''`: a quote of the word's own.
    let own = match rest {
        [b'\\', b'"' | b'\'', ..] => 2,
        // The same without its backslash.
        [b'\'', b'\'', b, ..] if b.is_ascii_alphanumeric() => 1,
        _ => 0,
    };
    let rest = rest.get(own..)?;
    let start = at + own;
    match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let body = rest.get(1..)?;
            let first = body.first()?;
            let len = memchr::memchr3(*quote, b'\n', b' ', body)?;
            let begins = first.is_ascii_alphanumeric() || b"!#%*+@^~?".contains(first);
            let ends = body.get(len) == Some(quote) && !is_sign(body.get(len + 1));
            (begins && ends && len >= 3).then_some((start + 1 + len, true))
        }
        b if b.is_ascii_alphanumeric() && !bare => {
            let word = |b: &&u8| b.is_ascii_alphanumeric() || b"!#%*+@^~?_-.".contains(b);
            let len = rest.iter().take_while(word).count();
            let ends = matches!(
                rest.get(len),
                None | Some(b' ' | b'\n' | b'"' | b'\'' | b'`')
            );
            (ends && len >= 3).then_some((start + len, false))
        }
        _ => None,
    }
}

/// What follows the key of a map, and no word of a shell.
fn is_sign(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b':' | b'='))
}
