//! A login that stands beside where it is for: `192.168.0.1 (ada/…)`, `ssh ada@h ada/…`, `user =
//! "ada:…"`, a router's line, the parameters of a database's address.
//!
//! Only finds where the password stands, on the anchor's own line, and how it must look.

use super::super::anchors::Anchor;
use super::super::assignment::hide_login;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::{is_of_person, is_password, line_end, word};
use std::ops::Range;

/// How far a line is read on either side, in bytes.
const LINE: usize = 160;

/// The anchor is an address's or a command's beginning, a user with its slash, or a name.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) -> bool {
    let name = scan.bytes(anchor.start..anchor.end);
    let found = match name {
        b"?p=" | b"&p=" => parameter(scan, anchor),
        b"pac key 0 " | b"pac key 7 " => stated(scan, anchor),
        b"user = \"" | b"user=\"" => {
            let found = curled(scan, anchor);
            return login(scan, rule, found);
        }
        b"ssh " | b"sftp " | b"192.168." => {
            let found = beside(scan, anchor.start, anchor.end);
            return login(scan, rule, found);
        }
        b"users: {" => {
            for found in users(scan, anchor.end) {
                hide_login(scan, rule, found);
            }
            return true;
        }
        b"connect " | b"CONNECT " | b"conn " | b"CONN " => connected(scan, anchor),
        b", key " => {
            let found = network(scan, anchor);
            return login(scan, rule, found);
        }
        _ if name.ends_with(b"/") => {
            let found = owned(scan, anchor);
            return login(scan, rule, found);
        }
        _ => return false,
    };
    if let Some(range) = found {
        scan.hide_and_remember(range, rule.id.as_str());
    }
    true
}

/// Hides a login's password, if it looks like one.
fn login(scan: &mut Scan<'_>, rule: &'static Rule, found: Option<Range<usize>>) -> bool {
    if let Some(range) = found {
        hide_login(scan, rule, range);
    }
    true
}

/// `pg://h/d?u=ada&p=…`: a parameter of a database's address.
fn parameter(scan: &Scan<'_>, anchor: &Anchor) -> Option<Range<usize>> {
    const BASES: [&[u8]; 9] = [
        b"pg",
        b"pgsql",
        b"postgres",
        b"postgresql",
        b"mysql",
        b"mariadb",
        b"mongodb",
        b"redis",
        b"mssql",
    ];
    let head = scan.bytes(anchor.start.saturating_sub(LINE)..anchor.start);
    let sign = memchr::memmem::rfind(head, b"://")?;
    let (scheme, rest) = head.split_at(sign);
    let scheme = scheme.rsplit(|b| !b.is_ascii_alphanumeric()).next()?;
    let broken = rest
        .iter()
        .any(|b| b.is_ascii_whitespace() || b"\"'`<>".contains(b));
    let body = scan.bytes(anchor.end..(anchor.end + LINE).min(scan.text.len()));
    let ends = |b: &u8| b.is_ascii_whitespace() || b"&\"'`<>".contains(b);
    let len = body.iter().position(ends).unwrap_or(body.len());
    let secret = body.get(..len)?;
    let fits = is_password(secret) || is_of_person(secret);
    (BASES.contains(&scheme) && !broken && fits).then(|| anchor.end..anchor.end + len)
}

/// A client's line to its database: `connect ada/…@orcl`, `connect to shop user ada using …`.
fn connected(scan: &Scan<'_>, anchor: &Anchor) -> Option<Range<usize>> {
    let head = lines::last(scan.bytes(anchor.start.saturating_sub(LINE)..anchor.start));
    let body = scan.bytes(anchor.end..line_end(scan.text, anchor.end));
    if body.starts_with(b"to ") {
        let sign = memchr::memmem::find(body, b" using ")? + b" using ".len();
        memchr::memmem::find(body.get(..sign)?, b" user ")?;
        let found = word(scan.text, anchor.end + sign);
        return is_password(scan.bytes(found.clone())).then_some(found);
    }
    let blank = |b: &u8| b.is_ascii_whitespace();
    let prompt = head.iter().all(blank) || head.trim_ascii_end().ends_with(b">");
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'@' | b';' | b'"' | b'\'');
    let len = body.iter().position(ends).unwrap_or(body.len());
    let pair = body.get(..len).filter(|_| prompt)?;
    let after = body.get(len..)?.trim_ascii();
    let as_role = || {
        after
            .get(..3)
            .is_some_and(|a| a.eq_ignore_ascii_case(b"as "))
    };
    let whole =
        after.is_empty() || after.first().is_some_and(|b| matches!(b, b'@' | b';')) || as_role();
    let slash = pair.iter().position(|b| *b == b'/');
    let slash = slash.filter(|at| whole && is_user(pair, *at))?;
    let secret = pair.get(slash + 1..)?;
    let fits = !secret.contains(&b'/') && (is_password(secret) || is_of_person(secret));
    let start = anchor.end + slash + 1;
    fits.then(|| start..start + secret.len())
}

/// A router's `pac key 0 …`: a line of its own.
fn stated(scan: &Scan<'_>, anchor: &Anchor) -> Option<Range<usize>> {
    let head = lines::last(scan.bytes(anchor.start.saturating_sub(LINE)..anchor.start));
    let end = line_end(scan.text, anchor.end);
    let all = scan.bytes(anchor.end..end).trim_ascii_end();
    let len = anchor.end + all.len();
    let found = word(scan.text, anchor.end);
    let secret = scan.bytes(found.clone());
    let fits = is_password(secret);
    (head.iter().all(|b| matches!(b, b' ' | b'\t')) && found.end == len && fits).then_some(found)
}

/// `user = "ada:…"`, as curl's file of options has it.
fn curled(scan: &Scan<'_>, anchor: &Anchor) -> Option<Range<usize>> {
    let body = scan.bytes(anchor.end..(anchor.end + LINE).min(scan.text.len()));
    let len = body.iter().position(|b| matches!(b, b'"' | b'\n'))?;
    let pair = body.get(..len).filter(|_| body.get(len) == Some(&b'"'))?;
    let colon = pair.iter().position(|b| *b == b':');
    let colon = colon.filter(|at| is_user(pair, *at))?;
    let secret = pair.get(colon + 1..).unwrap_or(&[]);
    let plain = !secret.iter().any(|b| b"/:${} ".contains(b));
    let start = anchor.end + colon + 1;
    plain.then(|| start..start + secret.len())
}

/// `users: {ada: …, bob: …}`: the passwords of a list on one line.
fn users(scan: &Scan<'_>, at: usize) -> Vec<Range<usize>> {
    let body = scan.bytes(at..(at + LINE * 2).min(scan.text.len()));
    let Some(len) = body.iter().position(|b| matches!(b, b'}' | b'\n')) else {
        return Vec::new();
    };
    let list = body.get(..len).filter(|_| body.get(len) == Some(&b'}'));
    let (mut from, mut found) = (at, Vec::new());
    for part in list.unwrap_or(&[]).split(|b| *b == b',') {
        let colon = part.iter().position(|b| *b == b':').unwrap_or(part.len());
        let gap = |b: &&u8| matches!(b, b' ' | b'"' | b'\'');
        let user = part.get(..colon).unwrap_or(&[]);
        let user = user.iter().filter(|b| !gap(b)).count();
        let held = part.get(colon + 1..).unwrap_or(&[]);
        let lead = held.iter().take_while(gap).count();
        let tail = held.iter().skip(lead).rev().take_while(gap).count();
        let secret = held.get(lead..held.len() - tail).unwrap_or(&[]);
        let plain = secret
            .iter()
            .all(|b| b.is_ascii_graphic() && !b"(){}[]<>\"'`$.".contains(b));
        if (2..=40).contains(&user)
            && plain
            && value::classes(secret) >= 2
            && value::digits(secret) > 0
        {
            let start = from + colon + 1 + lead;
            found.push(start..start + secret.len());
        }
        from += part.len() + 1;
    }
    found
}

/// `wifi is attic, key …`: what a sentence about a network tells.
fn network(scan: &Scan<'_>, anchor: &Anchor) -> Option<Range<usize>> {
    const SAYS: [&[u8]; 4] = [b"wifi", b"wi-fi", b"wlan", b"ssid"];
    let head = scan.bytes(anchor.start.saturating_sub(LINE)..anchor.start);
    let head = lines::last(head).to_ascii_lowercase();
    let says = |w: &&[u8]| memchr::memmem::find(&head, w).is_some();
    SAYS.iter().any(says).then(|| {
        let found = word(scan.text, anchor.end);
        let marks = scan.bytes(found.clone()).iter().rev();
        let marks = marks
            .take_while(|b| matches!(b, b'.' | b',' | b')'))
            .count();
        found.start..found.end - marks
    })
}

/// `root/…` behind an address or a machine's name on the same line.
fn owned(scan: &Scan<'_>, anchor: &Anchor) -> Option<Range<usize>> {
    let head = scan.bytes(anchor.start.saturating_sub(LINE)..anchor.start);
    names_host(lines::last(head)).then_some(())?;
    // The first byte stands before the user.
    pair(scan, anchor.start + 1)
}

/// `192.168.0.1 … (ada/…)`, `ssh ada@h ada/…`: the last word of the line, a few words behind.
fn beside(scan: &Scan<'_>, from: usize, at: usize) -> Option<Range<usize>> {
    const APART: usize = 48;
    scan.is_start(from).then_some(())?;
    let end = line_end(scan.text, at).min(at + LINE);
    let line = scan.bytes(at..end).trim_ascii_end();
    let joint = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'(' | b'>');
    let last = line.iter().rposition(joint).filter(|n| *n <= APART)?;
    let command = scan.bytes(from..at).last() == Some(&b' ');
    let head = line.get(..last).unwrap_or(&[]);
    (!command || head.contains(&b'@')).then_some(())?;
    pair(scan, at + last + 1)
}

/// The second of `ada/…`, where a pair begins that ends its line.
fn pair(scan: &Scan<'_>, start: usize) -> Option<Range<usize>> {
    let line = start..line_end(scan.text, start);
    let all = scan.bytes(line).trim_ascii_end();
    let bracket = start.checked_sub(1).map(|at| scan.at(at)) == Some(b'(');
    let body = match (bracket, all.strip_suffix(b")")) {
        (true, Some(body)) => body,
        (true, None) => return None,
        (false, _) => all,
    };
    let slash = body.iter().position(|b| *b == b'/');
    let slash = slash.filter(|at| is_user(body, *at))?;
    let secret = body.get(slash + 1..).unwrap_or(&[]);
    let plain = !secret
        .iter()
        .any(|b| b.is_ascii_whitespace() || b"/:(){}<>\"'`,".contains(b));
    let upper = secret.iter().any(u8::is_ascii_uppercase);
    let mixed = upper && secret.iter().any(u8::is_ascii_lowercase) && value::digits(secret) > 0;
    // `kube-system/coredns-5d78c9869d-x2b4k`
    let generated = secret.contains(&b'-') && !upper;
    let start = start + slash + 1;
    (plain && (mixed || bracket && !generated)).then(|| start..start + secret.len())
}

/// `ada`, `svc_backup`, `ada@h.local`
fn is_user(pair: &[u8], len: usize) -> bool {
    let user = pair.get(..len).unwrap_or(&[]);
    let fits = |b: &u8| b.is_ascii_alphanumeric() || b"_-.@".contains(b);
    (2..=40).contains(&len) && user.iter().all(fits) && user.iter().any(u8::is_ascii_alphabetic)
}

/// Whether a line speaks of a machine: an address, `ada@h`.
fn names_host(head: &[u8]) -> bool {
    let ends = |b: &u8| b.is_ascii_whitespace() || b"(),>/-".contains(b);
    head.split(ends).any(|word| {
        let word = word.rsplit(|b| *b == b'@').next().unwrap_or(word);
        let word = word.split(|b| *b == b':').next().unwrap_or(word);
        let numbers = word.split(|b| *b == b'.');
        let number = |n: &[u8]| (1..=3).contains(&n.len()) && n.iter().all(u8::is_ascii_digit);
        numbers.clone().count() == 4 && numbers.into_iter().all(number)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn a_login_beside_its_machine_loses_its_password() {
        for text in [
            "192.168.0.1 (ada/{})",
            "192.168.0.1(ada/{})",
            "192.168.0.1 db (ada/{})",
            "192.168.0.1-->ada/{}",
            "192.168.0.1 ada/{}",
            "98.76.54.32 (root/{})",
            "ada@98.76.54.32(admin/{})",
            "98.76.54.32 admin/{}",
            "ssh ada@web.h ada/{}",
            "sftp ada@10.0.0.3 (ada/{})",
            "user = \"ada:{}\"",
            "DB=\"pg://h?u=ada&p={}&d=x\"",
            "enable password {}",
            " pac key 0 {}",
            "wifi is attic-guest, key {}",
            "SQL> connect ada/{}@ORCL",
            "CONNECT ada/{};",
            "conn ada/{}@//db.h:1521/XE as sysdba",
            "db2 connect to SHOP user ada using {}",
            "users: {ada: {}, bob: \"{}\"}",
        ] {
            for secret in ["x8Kq2mPz7Rw1", "Harbor-Kite_47"] {
                let shown = redact(&text.replace("{}", secret));
                assert!(!shown.contains(secret), "{shown}");
            }
        }
        for text in [
            "192.168.0.1 - - \"GET /x\" curl/7.88.1",
            "10.244.0.5 (kube-system/coredns-5d78c9869d-x2b4k)",
            "192.168.0.0/24 via 192.168.0.1 dev eth0/1",
            "ssh web logs/App2023",
            "ssh ada@h bin/deploy2",
            "see admin/page12 at 10.0.0.1",
            "user: \"node:node20\"",
            "user = \"1000:1000\"",
            "https://blog.local/?p=x8Kq2mPz7Rw1",
            "10.0.0.7 root/index2.html",
            "const x = { users: {id: userId2, name: user.name2} };",
            "connect src/app2 to the bus",
            "connect to the user by using Http2",
            "a map has a value, key x8Kq2mPz7Rw1",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
