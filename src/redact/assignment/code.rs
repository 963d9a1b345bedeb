//! Tells code from text: numbers, calls, paths and names, as they stand where a value could.
//!
//! Only for values without quotes, except where a number or an escape is told.

use super::super::camel;
use super::super::odds;
use super::super::phrase;
use super::super::value;
use std::ops::Range;

/// A number as code writes it: `0xC000006A`, `-2147217308i32`, `1.302103`, `1_000UL`, and a time.
pub(super) fn is_number(found: &[u8]) -> bool {
    let body = found.strip_prefix(b"-").unwrap_or(found);
    if let Some(hex) = body.strip_prefix(b"0x").or(body.strip_prefix(b"0X")) {
        let digits = run(hex, |b| b.is_ascii_hexdigit() || b == b'_');
        return digits <= 16 && is_suffix(hex.get(digits..).unwrap_or(&[]));
    }
    let digits = run(body, |b| {
        b.is_ascii_digit() || matches!(b, b'.' | b'_' | b',' | b':')
    });
    let tail = body.get(digits..).unwrap_or(&[]);
    digits > 0 && body.first().is_some_and(u8::is_ascii_digit) && is_suffix(tail) || is_time(found)
}

/// `u32`, `_u32`, `UL`, `i64`, `f`, `ms`, `px`, `%`, or nothing.
fn is_suffix(tail: &[u8]) -> bool {
    let tail = tail.strip_prefix(b"_").unwrap_or(tail);
    let letters = run(tail, |b| b.is_ascii_alphabetic());
    let rest = tail.get(letters..).unwrap_or(&[]);
    let known: [&[u8]; 14] = [
        b"", b"u", b"i", b"f", b"l", b"ul", b"ull", b"ll", b"n", b"ms", b"s", b"px", b"usize",
        b"isize",
    ];
    let word = tail.get(..letters).unwrap_or(tail);
    known.iter().any(|suffix| suffix.eq_ignore_ascii_case(word))
        && matches!(rest, b"" | b"8" | b"16" | b"32" | b"64" | b"128" | b"%")
}

/// `2016-09-08T21:47:36Z`.
fn is_time(found: &[u8]) -> bool {
    let shape = |b: &u8| b.is_ascii_digit() || b"-:.TZ+ /".contains(b);
    found.len() >= 8
        && found.iter().all(shape)
        && found.iter().filter(|b| b"-/:".contains(b)).count() >= 2
        && found.first().is_some_and(u8::is_ascii_digit)
}

/// Nothing but escapes, as of icons: `\u{f21b}`, `\x1b`.
pub(super) fn is_escapes(found: &[u8]) -> bool {
    let mut parts = found.split(|b| *b == b'\\');
    let escape = |part: &[u8]| {
        part.first()
            .is_some_and(|b| matches!(b, b'u' | b'U' | b'x' | b'0'..=b'7'))
            && part
                .iter()
                .skip(1)
                .all(|b| b.is_ascii_hexdigit() || matches!(b, b'{' | b'}'))
    };
    parts.next() == Some(b"".as_slice()) && found.len() > 1 && parts.all(escape)
}

/// A call, a member, an object, an operation: `a->b(c)`, `[]byte{1`, `!0`, `width=3`, `i})}`.
///
/// `run` is all that stands up to the next space.
pub(super) fn is_expression(run: &[u8]) -> bool {
    starts_code(run)
        || (0..run.len()).any(|at| is_mark(run.get(at..).unwrap_or(&[])))
        || (1..run.len()).any(|at| opens(run, at))
        || run.split(|b| *b == b';').skip(1).any(is_statement)
        || is_keyword_argument(run)
}

/// Whether what begins here stands in no text.
fn is_mark(rest: &[u8]) -> bool {
    match rest {
        [b'-' | b'=', b'>', ..]
        | [b':', b':', ..]
        | [b'&', b'&', ..]
        | [b'|', b'|', ..]
        | [b'#' | b'$' | b'=', b'{', ..]
        | [b'(', b')', ..]
        | [b'}', b')' | b',' | b';', ..]
        | [b')', b')' | b';' | b',' | b'.' | b':', ..]
        | [b']', b'.' | b'=' | b';', ..]
        | [b'{', b'}', ..]
        | [b'[', b']', ..]
        | [b')', b'=', b'(', ..] => true,
        [b'.', b'p', ..] => rest.starts_with(b".prototype"),
        _ => false,
    }
}

/// What begins a statement in code without spaces: `a=1;const b`.
fn is_statement(part: &[u8]) -> bool {
    const WORDS: [&[u8]; 11] = [
        b"const",
        b"var",
        b"let",
        b"return",
        b"function",
        b"if(",
        b"case",
        b"this.",
        b"for(",
        b"throw",
        b"else",
    ];
    WORDS.iter().any(|w| part.starts_with(w))
}

/// `!x`, `&x`, `*x`, `\x`, `@x`, `{`, `[`, `(`.
fn starts_code(run: &[u8]) -> bool {
    match run {
        [b'{' | b'[' | b'(', ..] | [b'\\', b'&' | b'\\', ..] | [b':', b':', ..] => true,
        // `@mber42`: a sign for a letter.
        [b'@', word @ ..] if is_numbered_word(word) || camel::is_disguised(run) => false,
        [b'!' | b'&' | b'*' | b'\\' | b'@', name @ ..] => {
            let head = run_name(name);
            let word = name.get(..head).unwrap_or(name);
            let member = matches!(name.get(head..), Some([b'.', b, ..]) if b.is_ascii_alphabetic());
            head > 0
                && (is_name_like(word) || member && !word.first().is_some_and(u8::is_ascii_digit))
                || matches!(name.first(), Some(b'!' | b'(' | b'['))
                || matches!(
                    name,
                    [b'0' | b'1', b',' | b'}' | b';' | b')', ..] | [b'0' | b'1']
                )
        }
        _ => false,
    }
}

/// `mber42`, `nchor385`: small letters that are no word of code, and a number.
fn is_numbered_word(word: &[u8]) -> bool {
    let letters = run(word, |b| b.is_ascii_lowercase());
    let (stem, number) = word.split_at(letters);
    letters >= 4
        && (2..=4).contains(&number.len())
        && number.iter().all(u8::is_ascii_digit)
        && !phrase::is_common(stem)
}

/// A name right before a bracket that opens: `f(`, `a[`, `T{`, `Vec<`.
fn opens(run: &[u8], at: usize) -> bool {
    if !matches!(run.get(at), Some(b'(' | b'[' | b'{' | b'<')) {
        return false;
    }
    let before = run.get(..at).unwrap_or(run);
    let name = before
        .iter()
        .rev()
        .take(48)
        .take_while(|b| is_name_byte(**b) || **b == b'-')
        .count();
    let name = before.get(at - name..).unwrap_or(before);
    // A short name may be part of a password: `x9K(2`.
    let call = matches!(run.get(at), Some(b'(' | b'['));
    (name.len() >= 3 || call && name.len() == before.len())
        && name.first().is_some_and(|b| !b.is_ascii_digit())
        && (is_name_like(name) || call && name.len() == before.len() && name.contains(&b'_'))
}

/// `dir/file-2.asm`: parts and the ending of a file's name.
pub(super) fn is_path(found: &[u8]) -> bool {
    let last = found.rsplit(|b| *b == b'/').next().unwrap_or(found);
    let dot = last.iter().rposition(|b| *b == b'.');
    let ending = dot.and_then(|dot| last.get(dot + 1..)).unwrap_or(&[]);
    last.len() < found.len()
        && (1..=5).contains(&ending.len())
        && ending.iter().all(u8::is_ascii_lowercase)
        && found.iter().filter(|b| b.is_ascii_uppercase()).count() * 4 <= found.len()
}

/// `length=15`, `stdin=PIPE`; the padding of base64 is none.
fn is_keyword_argument(run: &[u8]) -> bool {
    let Some(equals) = run.iter().position(|b| *b == b'=') else {
        return false;
    };
    let name = run.get(..equals).unwrap_or(run);
    let after = run.get(equals + 1..).unwrap_or(&[]);
    name.len() >= 2
        && is_argument(after)
        && name.iter().all(|b| is_name_byte(*b) || *b == b'.')
        && name.first().is_some_and(|b| !b.is_ascii_digit())
        && value::digits(name) <= 2
        && is_name_like(name)
}

/// What may stand after `name=`: a name, a number, a string, a call, up to what ends it.
fn is_argument(after: &[u8]) -> bool {
    let len = run(after, |b| is_name_byte(b) || matches!(b, b'.' | b'-'));
    let (word, rest) = after.split_at(len);
    let opens = matches!(
        rest,
        [
            b'"' | b'\'' | b'[' | b'(' | b'{' | b'&' | b'*' | b'!' | b'$' | b'@' | b'<',
            ..
        ]
    );
    let named = len > 0 && (is_number(word) || is_identifier(word) || is_name_like(word));
    let ends = rest.first().is_none_or(|b| b",;)]}:&|\"'+*/=".contains(b));
    len == 0 && opens || named && (opens || ends)
}

/// `D3D11_STENCIL_OP`, `self.lib.NID_2`, `V1SecretProjection`, `CancelToken$1`.
pub(super) fn is_identifier(found: &[u8]) -> bool {
    let found = found.strip_prefix(b"$").unwrap_or(found);
    let first = found.first().copied().unwrap_or(0);
    (first.is_ascii_alphabetic() || first == b'_')
        && found.iter().all(|b| is_name_byte(*b) || *b == b'.')
        && (is_member(found) || is_joined_words(found) || is_typed_name(found) || is_copy(found))
}

/// `self._lib.NID_pbe_3`, `Fts5HashEntry.nKey`.
fn is_member(found: &[u8]) -> bool {
    let mut parts = found.split(|b| *b == b'.');
    let head = parts.next().unwrap_or(found);
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_';
    let small = head.len() <= 16 && head.iter().all(plain) && value::digits(head) <= 2;
    let begins = |part: &[u8]| {
        part.first()
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    };
    found.contains(&b'.')
        && (small || is_name_like(head))
        && parts.all(|part| {
            let words = || part.iter().all(u8::is_ascii_alphabetic) && odds::of(part) <= 0.0;
            begins(part)
                && (is_name_like(part) || is_joined_words(part) || is_typed(part) || words())
        })
}

/// `nKey`, `pszName`: a letter or a few for the type, then the name.
fn is_typed(part: &[u8]) -> bool {
    let capitals = part.iter().filter(|b| b.is_ascii_uppercase()).count();
    let first = part.first().is_some_and(u8::is_ascii_lowercase);
    part.len() <= 12 && first && capitals == 1 && part.iter().all(u8::is_ascii_alphabetic)
}

/// `2*Small_bytes`: numbers and names.
pub(super) fn is_product(found: &[u8]) -> bool {
    let part = |part: &[u8]| is_number(part) || value::digits(part) == 0 && is_name_like(part);
    found.contains(&b'*') && found.contains(&b'_') && found.split(|b| *b == b'*').all(part)
}

/// `CancelToken$1`: a name and the number a bundler gave it.
fn is_copy(found: &[u8]) -> bool {
    let Some(dollar) = found.iter().rposition(|b| *b == b'$') else {
        return false;
    };
    let (name, number) = found.split_at(dollar);
    number.len() > 1 && number.iter().skip(1).all(u8::is_ascii_digit) && is_name_like(name)
}

/// At least two parts joined by `_`, half of them words, the rest short.
fn is_joined_words(found: &[u8]) -> bool {
    let parts: Vec<&[u8]> = found
        .split(|b| matches!(b, b'_' | b'.' | b'$'))
        .filter(|p| !p.is_empty())
        .collect();
    let words = parts
        .iter()
        .filter(|p| p.len() >= 2 && value::digits(p) == 0 && value::is_name_like(p))
        .count();
    found.contains(&b'_')
        && parts.len() >= 2
        && words * 2 >= parts.len()
        && !parts.iter().any(|part| is_random(part))
}

/// What no name has among its parts: `q83Jd02mzKq81L` behind `prod_`.
fn is_random(part: &[u8]) -> bool {
    part.len() >= 12
        && value::digits(part) >= if part.len() >= 24 { 1 } else { 2 }
        && !value::is_name_like(part)
        && (value::pieces(part) * 3 > part.len() || !value::reads_like_words(part))
}

/// As code names things; a type with figures inside as well: `V1SecretProjection`.
pub(super) fn is_name_like(name: &[u8]) -> bool {
    value::is_name_like(name) || is_typed_name(name)
}

/// `7dd21929-b0d2-4876-81cf-f086f1332a83.config`, `fuzz.in/10a5c92fa30ddb6c…`: a file or an object
/// that is called by an id or a sum.
pub(super) fn is_file_of_id(word: &[u8]) -> bool {
    let last = word.rsplit(|b| *b == b'/').next().unwrap_or(word);
    let dot = last.iter().position(|b| *b == b'.');
    let (stem, end) = last.split_at(dot.unwrap_or(last.len()));
    let ending = (2..=12).contains(&end.len())
        && end
            .iter()
            .skip(1)
            .all(|b| b.is_ascii_lowercase() || *b == b'.');
    (ending || end.is_empty() && last.len() + 2 < word.len())
        && (ends_with_uuid(stem) || stem.len() >= 24 && value::is_hex(stem))
}

/// A UUID, or `create-stack-UUID`.
pub(super) fn ends_with_uuid(word: &[u8]) -> bool {
    let at = word.len().checked_sub(36);
    let (head, id) = at.map_or((word, &[][..]), |at| word.split_at(at));
    let hex = |(n, b): (usize, &u8)| match n {
        8 | 13 | 18 | 23 => *b == b'-',
        _ => b.is_ascii_hexdigit(),
    };
    let slug = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_' | b':');
    !id.is_empty()
        && id.iter().enumerate().all(hex)
        && (head.is_empty() || matches!(head.last(), Some(b'-' | b'_' | b':')))
        && head.iter().all(slug)
}

/// Whether a name is a piece of base64 between two of its signs or at a line's end; told soonest of
/// what stands anywhere else.
pub(super) fn is_in_base64(text: &[u8], name: &Range<usize>) -> bool {
    let before = name.start.checked_sub(1).and_then(|at| text.get(at));
    let after = text.get(name.end);
    if !matches!(after, Some(b'/' | b'+' | b'\n')) {
        return false;
    }
    match before {
        Some(b'/' | b'+' | b'\n') => is_encoded(text, name),
        // A name is read no further.
        Some(b) if b.is_ascii_alphanumeric() => is_run(text.get(name.clone()).unwrap_or(&[])),
        _ => false,
    }
}

/// A long piece of base64 without its signs.
fn is_run(name: &[u8]) -> bool {
    let count = |kind: fn(&u8) -> bool| name.iter().filter(|b| kind(b)).count();
    name.len() >= 40
        && value::digits(name) > 1
        && count(u8::is_ascii_uppercase) >= 8
        && count(u8::is_ascii_lowercase) >= 8
        && !value::reads_like_words(name)
}

/// Whether a place is in the middle of something encoded in base64: a certificate, an image.
pub(super) fn is_encoded(text: &[u8], at: &Range<usize>) -> bool {
    let coded = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    let head = text.get(at.start.saturating_sub(64)..at.start);
    let head = head.unwrap_or(&[]);
    let before = head.iter().rev().take_while(coded).count();
    let rest = text.get(at.end..).unwrap_or(&[]);
    let after = rest.iter().take(64).take_while(coded).count();
    let run = text.get(at.start - before..at.end + after).unwrap_or(&[]);
    let count = |kind: fn(&u8) -> bool| run.iter().filter(|b| kind(b)).count();
    run.len() >= 40
        && run.len() > at.len() + 16
        && run.iter().all(|b| coded(&b))
        && value::digits(run) >= 3
        && count(u8::is_ascii_uppercase) >= 8
        && count(u8::is_ascii_lowercase) >= 8
        && !value::reads_like_words(run)
}

/// Words in camel case with a figure or two among them, not at the end.
pub(super) fn is_typed_name(name: &[u8]) -> bool {
    let figures = value::digits(name);
    let letters = name.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let lower = name.iter().filter(|b| b.is_ascii_lowercase()).count();
    figures > 0
        && figures <= 4
        && (name.first().is_some_and(u8::is_ascii_uppercase) || letters >= figures * 10)
        && letters + figures == name.len()
        && letters >= figures * 4
        && lower * 2 >= letters
        && value::pieces(name) * 3 <= name.len()
        && !name.last().is_some_and(u8::is_ascii_digit)
        && value::reads_like_words(name)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn run_name(text: &[u8]) -> usize {
    run(text, is_name_byte)
}

fn run(text: &[u8], test: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|b| test(**b)).count()
}

#[cfg(test)]
mod tests;
