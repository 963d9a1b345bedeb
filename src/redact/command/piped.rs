//! What is written into a command (`echo pw | …`, `<<< pw`), and a `.pgpass` line.

use super::REACH;
use super::words::{is_option, split_at, word, words};
use std::ops::Range;

/// How far before a word its command may begin, in bytes.
const WRITER: usize = 20;

/// `echo user:password | …`, `printf 'pw' | …`: what the command before the pipe writes.
pub(super) fn piped(text: &[u8], at: usize) -> Option<Range<usize>> {
    const WRITERS: [&[u8]; 4] = [b"echo ", b"printf ", b"print ", b"Write-Output "];
    // A word that is longer than that is read from its beginning.
    let far = text.get(..at.saturating_sub(REACH))?;
    let word = memchr::memrchr3(b' ', b'\n', b'|', far).map_or(0, |n| n + 1);
    let from = word.saturating_sub(WRITER);
    let head = text.get(from..at)?;
    // One line, and the one above: a password that is given twice stands on two.
    let mut feeds = memchr::memrchr_iter(b'\n', head);
    let head = head.get(feeds.nth(1).map_or(0, |n| n + 1)..)?;
    let from = at - head.len();
    let pipe = head.iter().rposition(|b| *b == b'|')?;
    let between = head.get(pipe + 1..)?.trim_ascii();
    let wrapped = between.is_empty() || between.len() <= 40 && !between.contains(&b';');
    let head = head.get(..pipe)?.trim_ascii_end();
    let writer = WRITERS
        .iter()
        .filter_map(|w| memchr::memmem::rfind(head, w).map(|at| at + w.len()))
        .max()
        .filter(|_| wrapped)?;
    let body = head.get(writer..)?;
    let all: Vec<_> = words(body).filter(|w| !is_option(body, w)).collect();
    let word = all.last()?;
    let format = |w: &Range<usize>| body.get(w.clone()).is_some_and(|w| w.contains(&b'%'));
    let alone = all.len() == 1 || all.len() == 2 && all.first().is_some_and(format);
    let word = split_at(body, word.clone(), ':')
        .filter(|_| text.get(at..).is_some_and(|t| t.starts_with(b"chpasswd")))
        .unwrap_or_else(|| word.clone());
    // `pw\npw`: given twice.
    let twice = body.get(word.clone())?.iter().position(|b| *b == b'\n');
    let start = from + writer + word.start;
    alone.then(|| start..twice.map_or(from + writer + word.end, |at| start + at))
}

/// `<<< pw`.
pub(super) fn here(body: &[u8]) -> Option<Range<usize>> {
    let at = memchr::memmem::find(body, b"<<<")? + 3;
    let gap = body.get(at..)?.iter().take_while(|b| **b == b' ').count();
    Some(word(body, at + gap))
}

/// The word around a place, and in it the password of `host:port:database:user:password`.
pub(super) fn pgpass(text: &[u8], at: usize) -> (Range<usize>, Option<Range<usize>>) {
    let edge = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`');
    let from = at.saturating_sub(REACH);
    let head = text.get(from..at).unwrap_or(&[]);
    let start = from + head.iter().rposition(edge).map_or(0, |n| n + 1);
    let rest = text.get(start..).unwrap_or(&[]);
    let rest = rest.get(..REACH * 2).unwrap_or(rest);
    let word = rest.split(edge).next().unwrap_or(rest);
    let colons: Vec<usize> = memchr::memchr_iter(b':', word).take(4).collect();
    let all = start..start + word.len();
    let [host, port, base, user] = colons.as_slice() else {
        return (all, None);
    };
    // `a.rs:5432:9:warning:…`: a place in a file.
    let column = word.get(port + 1..*base).unwrap_or(&[]);
    if column.iter().all(u8::is_ascii_digit) {
        return (all, None);
    }
    let port = word.get(host + 1..*port).unwrap_or(&[]);
    let is_port = port == b"*" || !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    let password = start + user + 1..all.end;
    (all, is_port.then_some(password))
}
