//! Passwords in what system files hold, told by a sign of their own: dovecot, exim, bundler,
//! percona's data sources, Junos, `chap-secrets`, what vault answers for an app's role.

use super::super::anchors::Anchor;
use super::super::assignment::says_secret;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::{is_password, is_word, line_end, words};
use std::ops::Range;

/// How far before its sign a line is read, in bytes.
const BEFORE: usize = 200;

/// The anchor is a sign of such a file.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if scan.was_read(anchor.rule, anchor.start) {
        return;
    }
    let name = scan.bytes(anchor.start..anchor.end);
    let line = anchor.end..line_end(scan.text, anchor.end);
    let found = match name {
        b"{PLAIN}" | b"{CLEARTEXT}" | b"{noop}" => Some(token(scan, line.start, b":")),
        b"client_send = " => last_part(scan, line),
        b"BUNDLE_" => bundled(scan, line),
        b",p=" => is_source(scan, anchor).then(|| token(scan, line.start, b",")),
        b"chpasswd:\n" => return users(scan, rule, anchor),
        b"\" \"" => listed_user(scan, anchor, line.clone()),
        _ if name.starts_with(b"]:") => relay(scan, anchor, line),
        b"secret \"" => stated(scan, anchor, line),
        b"; ## SECRET-DATA" => marked(scan, anchor.start),
        b"secret_id  " | b"SecretID: " => shown(scan, line),
        b"\toff" => interface(scan, anchor.start),
        b" on >" => {
            (head(scan, anchor.start).starts_with(b"user ")).then(|| token(scan, line.start, b""))
        }
        b" : EAP \"" | b" : XAUTH \"" | b": PSK \"" => Some(token(scan, line.start, b"")),
        b"static:" => statics(scan, &line),
        b" dm_crypt" => volume(scan, anchor, line.end),
        b" - Valid credentials" => valid(scan, anchor.start),
        b") -m str " => asked_for(scan, anchor.start).then(|| token(scan, line.start, b"}")),
        _ => fourth(scan, anchor, line.end),
    };
    let Some(range) = found else { return };
    scan.has_read(anchor.rule, range.end);
    let secret = scan.bytes(range.clone());
    let source = name == b",p=" && value::is_password(secret, true);
    if source || is_password(secret) {
        scan.hide_and_remember(range, rule.id.as_str());
    } else if is_word(secret) {
        scan.hide(range, rule.id.as_str());
    }
}

/// What begins here, up to a blank, a quote or one of these.
fn token(scan: &Scan<'_>, start: usize, ends: &[u8]) -> Range<usize> {
    let end = line_end(scan.text, start);
    let body = scan.bytes(start..end);
    let stop = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'') || ends.contains(b);
    start..start + body.iter().position(stop).unwrap_or(body.len())
}

/// The line before a place.
fn head<'s>(scan: &Scan<'s>, at: usize) -> &'s [u8] {
    let before = scan.text.get(at.saturating_sub(BEFORE)..at).unwrap_or(&[]);
    lines::last(before)
}

/// Exim: `client_send = : user : pw`, `client_send = ^user^pw`.
fn last_part(scan: &Scan<'_>, line: Range<usize>) -> Option<Range<usize>> {
    let body = scan.bytes(line.clone()).trim_ascii_end();
    let body = body.strip_suffix(b"\"").unwrap_or(body);
    let sign = if body.contains(&b'^') { b'^' } else { b':' };
    let at = body.iter().rposition(|b| *b == sign)? + 1;
    let gap = body.get(at..)?.iter().take_while(|b| **b == b' ').count();
    Some(line.start + at + gap..line.start + body.len())
}

/// Bundler: `BUNDLE_GEMS__HOST__COM: "user:pw"`, `BUNDLE_GEMS__HOST__COM=user:pw`.
fn bundled(scan: &Scan<'_>, line: Range<usize>) -> Option<Range<usize>> {
    let body = scan.bytes(line.clone());
    let name = body
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    let rest = body.get(name..)?;
    let sign = [&b": \""[..], b": ", b"=\"", b"="];
    let sign = sign.iter().find(|s| rest.starts_with(s))?.len();
    let pair = token(scan, line.start + name + sign, b"");
    let bytes = scan.bytes(pair.clone());
    let colon = bytes.iter().position(|b| *b == b':').filter(|at| *at > 0)?;
    let value = bytes.get(colon + 1..)?;
    if bytes.starts_with(b"${") && bytes.ends_with(b"}") {
        return None;
    }
    (!value.starts_with(b"/") && !value.contains(&b':')).then_some(pair.start + colon + 1..pair.end)
}

/// Percona's `h=host,u=user,p=pw`: a data source's user or host stands before.
fn is_source(scan: &Scan<'_>, anchor: &Anchor) -> bool {
    const KEYS: &[u8] = b"hupPDtAFLSbi";
    let before = head(scan, anchor.start);
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'');
    let word = before.rsplit(ends).next().unwrap_or(before);
    // Assignments in packed code look the same but for what they hold.
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-.:/@%$".contains(b);
    let part = |p: &[u8]| match p {
        [key, b'=', held @ ..] => KEYS.contains(key) && held.iter().all(plain),
        _ => false,
    };
    let names = |p: &[u8]| p.starts_with(b"u=") || p.starts_with(b"h=");
    word.split(|b| *b == b',').all(part) && word.split(|b| *b == b',').any(names)
}

/// Postfix: `[host]:587 user:pw`, a line of its own.
fn relay(scan: &Scan<'_>, anchor: &Anchor, line: Range<usize>) -> Option<Range<usize>> {
    let host = head(scan, anchor.start).trim_ascii();
    let body = scan.bytes(line.clone()).trim_ascii();
    let pair = token(scan, line.start, b"");
    let colon = scan.bytes(pair.clone()).iter().position(|b| *b == b':')?;
    let alone = body.len() == pair.len() && host.starts_with(b"[") && !host.contains(&b' ');
    (alone && colon > 0).then_some(pair.start + colon + 1..pair.end)
}

/// A pool's list of users: `"user" "pw"`, a line of its own; in a list called so, or with what
/// chance made.
fn listed_user(scan: &Scan<'_>, anchor: &Anchor, line: Range<usize>) -> Option<Range<usize>> {
    let user = head(scan, anchor.start).strip_prefix(b"\"")?;
    let end = line.end.min(line.start + BEFORE);
    let body = scan.bytes(line.start..end);
    let len = memchr::memchr(b'"', body)?;
    let rest = body.get(len + 1..)?;
    let ends = rest.is_empty() || rest.first().is_some_and(|b| matches!(b, b'\n' | b'\r'));
    let name = |b: &u8| b.is_ascii_alphanumeric() || b"_-.@*".contains(b);
    let before = scan.bytes(anchor.start.saturating_sub(BEFORE * 2)..anchor.start);
    let listed = memchr::memmem::find(before, b"userlist").is_some();
    let fits = ends && !user.is_empty() && user.iter().all(name);
    let secret = body.get(..len)?;
    let marked = secret.iter().any(|b| b"!@#$%^&*?+".contains(b)) && value::classes(secret) == 4;
    let odd = || value::is_password(secret, true) && (marked || value::is_odd(secret, 4.0));
    (fits && (listed || odd())).then_some(line.start..line.start + len)
}

/// Cloud-init: `chpasswd:⏎  list: |⏎    user:pw`.
fn users(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let rest = scan.bytes(anchor.end..(anchor.end + BEFORE * 4).min(scan.text.len()));
    let Some(list) = memchr::memmem::find(rest.get(..80).unwrap_or(rest), b"list:") else {
        return;
    };
    let mut at = anchor.end;
    for line in rest.split_inclusive(|b| *b == b'\n') {
        let start = at;
        at += line.len();
        let gap = line.iter().take_while(|b| b" -\t".contains(b)).count();
        let pair = line.get(gap..).unwrap_or(&[]).trim_ascii_end();
        let colon = pair.iter().position(|b| *b == b':');
        let Some(colon) = colon.filter(|_| start > anchor.end + list) else {
            if gap == 0 {
                return;
            }
            continue;
        };
        if gap == 0 || pair.get(colon + 1) == Some(&b' ') || pair.contains(&b'$') {
            return;
        }
        let range = start + gap + colon + 1..start + gap + pair.len();
        let secret = scan.bytes(range.clone());
        if is_password(secret) || is_word(secret) {
            scan.hide(range, rule.id.as_str());
        }
    }
    scan.has_read(anchor.rule, at);
}

/// Junos: `secret "pw";` alone on its line.
fn stated(scan: &Scan<'_>, anchor: &Anchor, line: Range<usize>) -> Option<Range<usize>> {
    let body = scan.bytes(line.clone());
    let len = body.iter().position(|b| *b == b'"')?;
    let ends = body.get(len..)?.starts_with(b"\";");
    let begins = head(scan, anchor.start).iter().all(u8::is_ascii_whitespace);
    (begins && ends).then(|| line.start..line.start + len)
}

/// Junos marks what is a secret: `… "pw"; ## SECRET-DATA`.
fn marked(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let body = head(scan, at).strip_suffix(b"\"")?;
    let len = body.iter().rev().position(|b| *b == b'"')?;
    Some(at - 1 - len..at - 1)
}

/// `secret_id    1b2c…`, a UUID: what a role's login is answered with.
fn shown(scan: &Scan<'_>, line: Range<usize>) -> Option<Range<usize>> {
    let body = scan.bytes(line.clone());
    let found = words(body).next()?;
    let word = body.get(found.clone())?;
    let dashed = word.iter().filter(|b| **b == b'-').count() == 4;
    let hex = word.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    (word.len() == 36 && dashed && hex).then(|| line.start + found.start..line.start + found.end)
}

/// A tunnel's dump: `private-key public-key port off`, the interface before them or not.
fn interface(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let mut fields = head(scan, at).rsplit(|b| *b == b'\t');
    let port = fields.next()?;
    let public = fields.next()?;
    let own = fields.next()?;
    let is_key = |key: &[u8]| key.len() == 44 && key.ends_with(b"=");
    let end = at - port.len() - public.len() - 2;
    let fits = port.iter().all(u8::is_ascii_digit) && is_key(public) && is_key(own);
    fits.then(|| end - own.len()..end)
}

/// An installer's encrypted volume: `type: dm_crypt, key: "pw"`.
fn volume(scan: &Scan<'_>, anchor: &Anchor, end: usize) -> Option<Range<usize>> {
    let start = anchor.start - head(scan, anchor.start).len();
    let at = start + memchr::memmem::find(scan.bytes(start..end), b" key: ")? + 6;
    let quote = usize::from(matches!(scan.at(at), b'"' | b'\''));
    Some(token(scan, at + quote, b",}"))
}

/// Postfix: `…_maps = static:user:pw`.
fn statics(scan: &Scan<'_>, line: &Range<usize>) -> Option<Range<usize>> {
    let pair = token(scan, line.start, b",");
    let bytes = scan.bytes(pair.clone());
    let colon = bytes.iter().position(|b| *b == b':')?;
    // `a.x-static:focus{color:#0063cc;}`: a style.
    let style = bytes.iter().any(|b| matches!(b, b'{' | b'}'));
    (colon > 0 && !style).then_some(pair.start + colon + 1..pair.end)
}

/// What a scan found out: `user:pw - Valid credentials`.
fn valid(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let pair = head(scan, at).rsplit(u8::is_ascii_whitespace).next()?;
    let colon = pair.iter().position(|b| *b == b':').filter(|n| *n > 0)?;
    Some(at - pair.len() + colon + 1..at)
}

/// `hdr(X-Api-Key) -m str`: a request is asked for a secret.
fn asked_for(scan: &Scan<'_>, at: usize) -> bool {
    let before = head(scan, at);
    let open = memchr::memmem::rfind(before, b"hdr(");
    let name = open.and_then(|open| before.get(open + 4..));
    name.is_some_and(says_secret)
}

/// `client server pw addresses`: a line of `chap-secrets`, which has nothing else.
fn fourth(scan: &Scan<'_>, anchor: &Anchor, end: usize) -> Option<Range<usize>> {
    let start = anchor.start - head(scan, anchor.start).len();
    let body = scan.bytes(start..end);
    let mut all = words(body);
    let text = |range: &Range<usize>| body.get(range.clone()).unwrap_or(&[]);
    let _client = all.next()?;
    let server = all.next()?;
    let secret = all.next()?;
    let addresses = all.next()?;
    let known = [&b"*"[..], b"pptpd", b"l2tpd", b"ppp"].contains(&text(&server));
    let place = text(&addresses) == b"*" || is_ip(text(&addresses));
    (known && place && all.next().is_none()).then(|| start + secret.start..start + secret.end)
}

fn is_ip(found: &[u8]) -> bool {
    found
        .iter()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'/'))
        && found.iter().filter(|b| **b == b'.').count() == 3
}

#[cfg(test)]
mod tests;
