//! A name and a space: an option, `ENV NAME …`, a directive, what a scanner found.

use super::super::names::{Kind, kind};
use super::super::prose;
use super::{Operator, is_quote};
use std::ops::Range;

/// A name and a space: an option, `ENV NAME value`, `password is …`, a netrc line.
pub(super) fn spaced(
    text: &[u8],
    name: &Range<usize>,
    at: usize,
    rest: &[u8],
) -> Option<(Operator, usize)> {
    let before = text
        .get(name.start.saturating_sub(40)..name.start)
        .unwrap_or(&[]);
    let first = text.get(name.start)?;
    if *first == b'-' {
        return Some((Operator::Space, at));
    }
    let line = || before.rsplit(|b| *b == b'\n').next().unwrap_or(before);
    // `:password "…"`, and a directive: `secret "…";`.
    let directive = || {
        let string = rest
            .get(1..)?
            .iter()
            .take(200)
            .position(|b| Some(b) == rest.first())?;
        let ends = rest.get(string + 2) == Some(&b';');
        Some(ends && line().iter().all(u8::is_ascii_whitespace))
    };
    if is_quote(rest.first()) {
        // `"PASS "`: the quote ends the name's own string.
        if before.last() == rest.first() {
            return None;
        }
        let keyword = || before.ends_with(b":") || directive().unwrap_or(false);
        // `hard-coded secret "…"`: what a scanner says that it found.
        if is_finding(line()) && kind(text.get(name.clone())?) == Some(Kind::Secret) {
            return Some((Operator::Is, at));
        }
        if rest.first() != Some(&b'`')
            && (keyword() || kind(text.get(name.clone())?) == Some(Kind::Password))
        {
            return Some((Operator::Space, at));
        }
    }
    let spaced = before.ends_with(b" ");
    // `set API_KEY to …` is a sentence.
    let env = spaced
        && !rest.starts_with(b"to ")
        && [
            "ENV ",
            "ARG ",
            "setenv ",
            "setx ",
            "set -gx ",
            "set -x ",
            "set ",
            "SET ",
            "SetEnv ",
            "fastcgi_param ",
            "setq ",
            "#define ",
        ]
        .iter()
        .any(|w| {
            // `reset token …` is no `set`.
            let head = before.strip_suffix(w.as_bytes());
            head.is_some_and(|head| !head.last().is_some_and(u8::is_ascii_alphabetic))
        });
    const BODY: [&[u8]; 3] = [b"--body ", b"-b ", b"--body="];
    let body = BODY
        .iter()
        .filter(|_| rest.starts_with(b"-"))
        .find(|option| rest.starts_with(option))
        .filter(|_| memchr::memmem::find(line(), b"secret set ").is_some());
    if let Some(option) = body {
        return Some((Operator::Space, at + option.len()));
    }
    let named = text.get(name.clone())?;
    if env
        || named.starts_with(b"environment.")
        || prose::follows_login(before) && !prose::has_verb(text, name, at)
    {
        Some((Operator::Space, at))
    } else {
        prose::find(text, name, at)
    }
}

/// Whether a line tells of secrets where none should be.
fn is_finding(line: &[u8]) -> bool {
    const SAYS: [&[u8]; 5] = [
        b"ardcoded ",
        b"ard-coded ",
        b"eaked ",
        b"xposed ",
        b"laintext ",
    ];
    SAYS.iter()
        .any(|says| memchr::memmem::find(line, says).is_some())
}
