//! Passwords in command lines: `curl -u user:pw`, `mysql -ppw`, `sshpass -p pw`, a `.pgpass` line.

use super::anchors::Anchor;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::value;
use std::ops::Range;

/// How far a command's option may stand from its name, in bytes.
const REACH: usize = 300;

/// The anchor is the command and a space, or `:5432:`.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let name = scan.bytes(anchor.start..anchor.end).to_vec();
    if !name.starts_with(b":") && !scan.is_start(anchor.start) {
        return;
    }
    let line = line_end(scan.text, anchor.end);
    let found = match name.as_slice() {
        b"curl " | b"wget " | b"http " => credentials(scan.text, anchor.end..line),
        b"sshpass " | b"psexec " => option(scan.text, anchor.end..line, b"-p", true),
        b"unzip " | b"zip " => option(scan.text, anchor.end..line, b"-P", true),
        b"docker login " | b"podman login " | b"helm registry login " | b"twine upload " => {
            option(scan.text, anchor.end..line, b"-p", true)
        }
        b"htpasswd " => last_word(scan.text, anchor.end..line),
        b"chpasswd" => before_pipe(scan.text, anchor.start),
        b"redis-cli " => option(scan.text, anchor.end..line, b"-a", true),
        n if n.starts_with(b":") => pgpass(scan.text, anchor.end..line),
        _ => option(scan.text, anchor.end..line, b"-p", false),
    };
    let Some(range) = found else { return };
    let secret = scan.bytes(range.clone());
    let known = rules()
        .default_passwords
        .iter()
        .any(|p| p.as_bytes() == secret);
    if secret.len() >= 6
        && !known
        && !value::is_reference(secret)
        && !value::is_placeholder(secret)
        && value::classes(secret) >= 2
    {
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

fn line_end(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or(&[]);
    from + rest
        .iter()
        .take(REACH)
        .position(|b| *b == b'\n')
        .unwrap_or(rest.len().min(REACH))
}

/// The word after an option, or glued to it.
fn option(text: &[u8], line: Range<usize>, flag: &[u8], spaced: bool) -> Option<Range<usize>> {
    let body = text.get(line.clone())?;
    let at = memchr::memmem::find_iter(body, flag)
        .find(|at| at.checked_sub(1).is_none_or(|b| body.get(b) == Some(&b' ')))?;
    let mut start = at + flag.len();
    if body.get(start) == Some(&b' ') {
        if !spaced {
            return None;
        }
        start += 1;
    }
    let word = word(body, start);
    Some(line.start + word.start..line.start + word.end)
}

/// `htpasswd -b file user password`.
fn last_word(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(line.clone())?;
    let flagged = body.starts_with(b"-b") || body.starts_with(b"-c") || body.starts_with(b"-n");
    let end = body
        .iter()
        .position(|b| matches!(b, b'|' | b';' | b'>'))
        .unwrap_or(body.len());
    let body = body.get(..end)?.trim_ascii_end();
    let start = body.iter().rposition(u8::is_ascii_whitespace)? + 1;
    let word = word(body, start);
    flagged.then(|| line.start + word.start..line.start + word.end)
}

/// `echo user:password | chpasswd`.
fn before_pipe(text: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(REACH);
    let head = text.get(from..at)?;
    let head = head.trim_ascii_end().strip_suffix(b"|")?.trim_ascii_end();
    let head = head
        .strip_suffix(b"'")
        .or_else(|| head.strip_suffix(b"\""))
        .unwrap_or(head);
    let start = head
        .iter()
        .rposition(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\''))?
        + 1;
    let colon = head.get(start..)?.iter().position(|b| *b == b':')?;
    Some(from + start + colon + 1..from + head.len())
}

/// A password among a call's or a statement's strings: the second one after `(`, else the first.
pub(super) fn quoted(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let line = line_end(scan.text, anchor.end);
    let body = scan.bytes(anchor.end..line);
    let call = scan.at(anchor.end - 1) == b'(';
    let mut at = 0;
    for n in 0..2 {
        let rest = body.get(at..).unwrap_or(&[]);
        let Some(open) = rest.iter().take(80).position(|b| matches!(b, b'"' | b'\'')) else {
            return;
        };
        let content = rest.get(open + 1..).unwrap_or(&[]);
        let Some(len) = content.iter().position(|b| Some(b) == rest.get(open)) else {
            return;
        };
        let found = content.get(..len).unwrap_or(content);
        let start = anchor.end + at + open + 1;
        let is_second = n == 1 || !call;
        if is_second && value::is_password(found, true) {
            scan.hide_and_remember(start..start + len, rule.id.as_str());
        }
        if is_second {
            return;
        }
        at += open + len + 2;
    }
}

/// `-u user:password`, `--user`, `-U`.
fn credentials(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(line.clone())?;
    let start = [&b" -u "[..], b" --user ", b" -U ", b"-u "]
        .iter()
        .find_map(|flag| memchr::memmem::find(body, flag).map(|at| at + flag.len()))?;
    let word = word(body, start);
    let colon = body.get(word.clone())?.iter().position(|b| *b == b':')?;
    Some(line.start + word.start + colon + 1..line.start + word.end)
}

/// `host:5432:database:user:password`, after the port.
fn pgpass(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(line.clone())?;
    let end = body
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(body.len());
    let mut colons = memchr::memchr_iter(b':', body.get(..end)?);
    colons.next()?;
    let last = colons.next()?;
    Some(line.start + last + 1..line.start + end)
}

/// A shell word, without its quotes.
fn word(body: &[u8], start: usize) -> Range<usize> {
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
            start..start + len
        }
    }
}
