//! What a client sends to log in: IMAP, POP3, FTP, SMTP and redis lines, `expect` scripts, the
//! credentials block of OpenVPN.

use super::super::anchors::Anchor;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::{hosted, is_password, line_end, system, told, word, words};
use std::ops::Range;

/// How far above the prompt may stand that a line answers, in bytes.
const PROMPT: usize = 200;

/// The anchor is a protocol's word with its space, or a mark.
pub(in super::super) fn sent(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let name = scan.bytes(anchor.start..anchor.end);
    let line = anchor.end..line_end(scan.text, anchor.end);
    let found = match name {
        b" LOGIN " if is_tagged(scan, anchor.start) => login(scan.text, line),
        b"PASS " => pass(scan, anchor.start, line),
        b"AUTH PLAIN " => return plain(scan, rule, line),
        b"AUTH " => auth(scan, anchor.start, line),
        b"send \"" | b"send -- \"" | b"sendline(\"" | b"sendline('" | b".write(b\""
        | b".write(b'" => script(scan, anchor, line),
        b"<auth-user-pass>" => block(scan.text, line.start),
        b"psk=\"" => Some(line.start - 1).map(|at| word(scan.text, at)),
        b"use " | b" with " => return told::find(scan, rule, anchor),
        _ if hosted::find(scan, rule, anchor) => return,
        _ => return system::find(scan, rule, anchor),
    };
    let Some(range) = found else { return };
    // What begins at a quote that ends a string is code.
    let string = matches!(
        anchor.start.checked_sub(1).map(|at| scan.at(at)),
        Some(b'"' | b'\'')
    );
    let block = name == b"<auth-user-pass>";
    if !block && (string || scan.bytes(range.clone()).contains(&b'\n')) {
        return;
    }
    // What a script answers to a prompt is no file's name.
    let answer = name.starts_with(b"send") && value::is_password(scan.bytes(range.clone()), true);
    if answer || is_password(scan.bytes(range.clone())) {
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

/// Whether an IMAP command's tag stands before: `a1`, `A0003`.
fn is_tagged(scan: &Scan<'_>, at: usize) -> bool {
    let before = scan.bytes(at.saturating_sub(12)..at);
    let tag = before
        .rsplit(|b| !b.is_ascii_alphanumeric() && *b != b'.')
        .next();
    tag.is_some_and(|tag| value::digits(tag) > 0)
}

/// IMAP: `a1 LOGIN user "pw"`.
fn login(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(line.clone())?;
    let mut all = words(body);
    let found = all.nth(1)?;
    let end = all.next().is_none();
    end.then(|| line.start + found.start..line.start + found.end)
}

/// POP3 and FTP: `PASS pw` under a line with `USER`.
fn pass(scan: &Scan<'_>, at: usize, line: Range<usize>) -> Option<Range<usize>> {
    let before = scan.bytes(at.saturating_sub(PROMPT)..at);
    memchr::memmem::rfind(before, b"USER ")?;
    let found = words(scan.bytes(line.clone())).next()?;
    Some(line.start + found.start..line.start + found.end)
}

/// SMTP: base64 of `\0user\0pw`.
fn plain(scan: &mut Scan<'_>, rule: &'static Rule, line: Range<usize>) {
    let body = scan.bytes(line.clone());
    let Some(found) = words(body).next() else {
        return;
    };
    let decoded = value::base64(body.get(found.clone()).unwrap_or(&[]));
    let password = decoded.rsplit(|b| *b == 0).next().unwrap_or(&[]);
    if decoded.contains(&0) && value::is_password(password, true) {
        let range = line.start + found.start..line.start + found.end;
        scan.hide(range, rule.id.as_str());
    }
}

/// Redis: `AUTH pw`, `AUTH user pw` on a line of their own.
fn auth(scan: &Scan<'_>, at: usize, line: Range<usize>) -> Option<Range<usize>> {
    let before = scan.bytes(at.saturating_sub(40)..at);
    let before = lines::last(before).trim_ascii_end();
    let prompt = before.is_empty() || before.ends_with(b">");
    let all: Vec<_> = words(scan.bytes(line.clone())).collect();
    let found = all.last().filter(|_| prompt && all.len() <= 2)?;
    let range = line.start + found.start..line.start + found.end;
    let secret = scan.bytes(range.clone());
    let chosen = || super::is_of_person(secret) && value::digits(secret) >= 2;
    (value::is_password(secret, true) || value::is_secret(secret) || chosen()).then_some(range)
}

/// `send "pw\r"`, `sendline('pw')` under an `expect` of a password's prompt.
fn script(scan: &Scan<'_>, anchor: &Anchor, line: Range<usize>) -> Option<Range<usize>> {
    let quote = scan.at(anchor.end.saturating_sub(1));
    let before = scan.bytes(anchor.start.saturating_sub(PROMPT)..anchor.start);
    ["assword", "assphrase", "PIN"]
        .iter()
        .find_map(|asked| memchr::memmem::rfind(before, asked.as_bytes()))?;
    let body = scan.text.get(line.start..)?;
    let len = memchr::memchr3(quote, b'\r', b'\n', body)?;
    let sent = body.get(..len)?;
    let len = len
        - if sent.ends_with(b"\\n") || sent.ends_with(b"\\r") {
            2
        } else {
            0
        };
    let sent = sent.get(..len)?;
    if sent.contains(&b' ') && value::digits(sent) == 0 {
        return None;
    }
    Some(line.start..line.start + len)
}

/// The second line of OpenVPN's credentials.
fn block(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?.get(..PROMPT * 2).or(text.get(at..))?;
    let mut feeds = memchr::memchr_iter(b'\n', rest);
    feeds.next()?;
    let start = at + feeds.next()? + 1;
    Some(word(text, start))
}
