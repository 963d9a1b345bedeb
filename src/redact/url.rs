//! Credentials in URLs: `scheme://user:password@host`, `scheme://token@host`.

use super::anchors::Anchor;
use super::camel;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::value;

/// How far back a user part is looked for that no scheme begins, in bytes.
const BEFORE: usize = 128;

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if scan.at(anchor.start) == b'@' {
        return before_host(scan, rule, anchor.start);
    }
    let rest = scan.text.get(anchor.end..).unwrap_or(&[]);
    let authority = rest
        .iter()
        .position(|b| {
            b.is_ascii_whitespace()
                || matches!(
                    b,
                    b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'|' | b'\\'
                )
        })
        .unwrap_or(rest.len());
    let head = rest.get(..authority).unwrap_or(rest);
    let Some(at) = head.iter().rposition(|b| *b == b'@') else {
        return before_cut(scan, rule, anchor, head.len());
    };
    let user = head.get(..at).unwrap_or(head);
    // CVS names its way of access first: `:pserver:user:password@`.
    let way = [&b":pserver:"[..], b":gserver:", b":ext:"];
    let way = way
        .iter()
        .find(|w| user.starts_with(w))
        .map_or(0, |w| w.len());
    let user = user.get(way..).unwrap_or(user);
    let host = head.get(at + 1..).unwrap_or(&[]);
    let colon = user.iter().position(|b| *b == b':');
    let (from, secret) = match colon {
        Some(colon) => {
            let password = user.get(colon + 1..).unwrap_or(&[]);
            (
                colon + 1,
                is_password(user.get(..colon).unwrap_or(&[]), password),
            )
        }
        None => (
            0,
            user.len() >= 16 && value::is_secret(user) && !is_public(host),
        ),
    };
    if !secret {
        return;
    }
    let range = anchor.end + way + from..anchor.end + at;
    if range.len() >= 8 {
        scan.hide_and_remember(range, rule.id.as_str());
    } else {
        scan.hide(range, rule.id.as_str());
    }
}

/// Schemes of addresses at which one logs in.
const LOGINS: [&[u8]; 24] = [
    b"postgres",
    b"postgresql",
    b"mysql",
    b"mariadb",
    b"mongodb",
    b"srv",
    b"redis",
    b"rediss",
    b"amqp",
    b"amqps",
    b"mqtt",
    b"mqtts",
    b"ftp",
    b"ftps",
    b"sftp",
    b"ssh",
    b"smtp",
    b"smtps",
    b"ldap",
    b"ldaps",
    b"http",
    b"https",
    b"rtsp",
    b"clickhouse",
];

/// The text was cut, or ends, before the sign that would end a password: `postgres://app:…`.
fn before_cut(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, len: usize) {
    let end = anchor.end + len;
    let head = scan.bytes(anchor.end..end);
    let Some(colon) = head.iter().position(|b| *b == b':').filter(|at| *at > 0) else {
        return;
    };
    let (user, password) = head.split_at(colon);
    let password = password.get(1..).unwrap_or(&[]);
    let marks = ["...", "…", "[truncated"];
    let mark = marks
        .iter()
        .filter_map(|m| memchr::memmem::find(password, m.as_bytes()));
    let password = password
        .get(..mark.min().unwrap_or(password.len()))
        .unwrap_or(&[]);
    let cut = end == scan.text.len()
        || matches!(scan.at(end), b'\n' | b'\r')
        || scan.is_marked_cut(anchor.end + colon + 1 + password.len());
    let before = scan.bytes(anchor.start.saturating_sub(12)..anchor.start);
    let scheme = before
        .rsplit(|b| !b.is_ascii_alphanumeric())
        .next()
        .unwrap_or(&[]);
    // A host's name has dots; a login's has one at most if it is one of mail.
    let name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let random = value::is_secret(password) || value::is_password(password, true);
    if cut
        && LOGINS.contains(&scheme)
        && user.iter().all(name)
        && password.len() >= 6
        && !password.contains(&b':')
        && !password.iter().all(u8::is_ascii_digit)
        && random
        && is_password(user, password)
    {
        let start = anchor.end + colon + 1;
        scan.hide_and_remember(start..start + password.len(), rule.id.as_str());
    }
}

/// Without a scheme: `app:password@tcp(host:3306)/db`, `jdbc:oracle:thin:app/password@//host`.
fn before_host(scan: &mut Scan<'_>, rule: &'static Rule, at: usize) {
    let head = scan.bytes(at.saturating_sub(BEFORE)..at);
    let word = head
        .rsplit(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'='))
        .next()
        .unwrap_or(head);
    let sign = match scan.at(at + 1) {
        b'/' => word.iter().rposition(|b| *b == b'/'),
        _ => word.iter().position(|b| *b == b':'),
    };
    let Some(sign) = sign else { return };
    let (user, password) = (word.get(..sign), word.get(sign + 1..));
    let user = user.unwrap_or(&[]);
    let name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':' | b'$');
    let code = |b: &u8| matches!(b, b'\\' | b'(' | b')');
    let coded = password.is_some_and(|password| password.iter().any(code));
    if !coded
        && user.len() >= 2
        && user.iter().all(name)
        && is_password(user, password.unwrap_or(&[]))
    {
        scan.hide_and_remember(at - word.len() + sign + 1..at, rule.id.as_str());
    }
}

fn is_password(user: &[u8], password: &[u8]) -> bool {
    // `[user[:password]@]`
    let tail = password.iter().rev().take_while(|b| **b == b']').count();
    let bare = password.get(..password.len() - tail).unwrap_or(password);
    let known = rules().is_default_password(bare);
    let starts = match password.first() {
        None => true,
        // `%(password)s`
        Some(b'%') if password.get(1) == Some(&b'(') => true,
        Some(b'$' | b'<' | b'{' | b'[' | b'*') => {
            !value::holds_random(password) && !camel::is_disguised(password)
        }
        Some(_) => false,
    };
    !(known
        || starts
        || is_title(password)
        || password == user
        || value::is_placeholder(password)
        || password.len() < 4)
}

/// `proxy_password`: what stands there is only named.
fn is_title(password: &[u8]) -> bool {
    let words = super::assignment::words(password);
    words.len() > 1
        && password.contains(&b'_')
        && value::digits(password) == 0
        && words
            .last()
            .is_some_and(|w| rules().names.password.contains(w))
}

/// A Sentry DSN's key is public.
fn is_public(host: &[u8]) -> bool {
    memchr::memmem::find(host, b"sentry").is_some()
}
