//! A value that stands alone on its line: what a store answers where it is asked for one.

use super::answer::Asked;
use super::pairs::{self, is_worth_hiding};
use super::setting;
use crate::redact::assignment::names_a_password;
use crate::redact::value;
use std::ops::Range;

pub(super) fn is_random(found: &[u8]) -> bool {
    !found.starts_with(b"arn:") && (value::is_secret(found) || value::is_password(found, false))
}

/// A line that is one word, or a password of several: what a store answers with.
pub(super) fn bare(line: &[u8], asked: Asked<'_>) -> Option<Range<usize>> {
    // One word is taken whole: what may be a mark elsewhere may be its first letter.
    let one = !line.trim_ascii().iter().any(u8::is_ascii_whitespace) && line.is_ascii();
    let start = if one { 0 } else { pairs::gutter(line) };
    let body = line.get(start..)?;
    let trimmed = body.trim_ascii();
    let start = start + body.len() - body.trim_ascii_start().len();
    let quote = |b: &u8| matches!(b, b'"' | b'\'');
    let open = usize::from(trimmed.first().is_some_and(quote));
    let inner = trimmed.get(open..)?;
    let inner = inner.strip_suffix(b",").unwrap_or(inner);
    let inner = inner
        .strip_suffix(b"\"")
        .or(inner.strip_suffix(b"'"))
        .unwrap_or(inner);
    let range = start + open..start + open + inner.len();
    let several = inner.iter().any(u8::is_ascii_whitespace);
    let fits = if several {
        asked.sole
            && value::is_password(inner, true)
            && !inner.iter().any(|b| matches!(b, b':' | b'='))
    } else {
        inner.len() >= 6
            && !inner.ends_with(b":")
            && !matches!(
                inner,
                [b'-' | b'{' | b'[' | b'}' | b'<' | b'=' | b'#' | b'*', ..]
            )
            && is_worth_hiding(inner)
            && !setting::is_setting(inner)
            && !is_name(inner)
            && (asked.sole || is_random(inner))
    };
    let echoed =
        inner.len() <= asked.command.len() && memchr::memmem::find(asked.command, inner).is_some();
    (fits && !echoed).then_some(range)
}

/// `DB_PASSWORD`, `api-token`: what a secret is called, not the secret.
pub(super) fn is_name(found: &[u8]) -> bool {
    let constant =
        found.iter().all(|b| b.is_ascii_uppercase() || *b == b'_') && found.contains(&b'_');
    constant || names_a_password(found) && found.iter().any(|b| matches!(b, b'_' | b'-' | b'/'))
}
