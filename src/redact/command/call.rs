//! A password among the strings of a call or a statement: `auth=('u', 'pw')`, `new PDO(…, 'pw')`.

use super::super::anchors::Anchor;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::{is_word, line_end};
use std::ops::Range;

/// The most strings looked at in one call.
const STRINGS: usize = 5;

/// The anchor is the call up to its parenthesis, or the words before the string.
pub(in super::super) fn quoted(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let line = line_end(scan.text, anchor.end);
    let name = scan.bytes(anchor.start..anchor.end);
    let call = name.ends_with(b"(");
    let body = scan.bytes(anchor.end..line);
    let found = strings(body, call);
    let chosen = match name {
        b"mysqli(" | b"mysqli_connect(" => found.get(2),
        // What is typed into a field whose name says so.
        b".fill(" | b".type(" | b"send_keys(" | b"sendKeys(" | b"fill_in " | b"Input Password" => {
            found
                .last()
                .filter(|_| says_password(scan.text, anchor, line))
        }
        _ if !call || is_single(name) => found.first(),
        _ => found.get(1..).and_then(<[_]>::last),
    };
    let Some(range) = chosen.cloned() else { return };
    let range = anchor.end + range.start..anchor.end + range.end;
    let secret = scan.bytes(range.clone());
    if value::is_password(secret, true) {
        scan.hide_and_remember(range, rule.id.as_str());
    } else if is_login(name) && found.len() == 2 && is_word(secret) {
        scan.hide(range, rule.id.as_str());
    }
}

/// A call whose two strings are a user and a password.
fn is_login(name: &[u8]) -> bool {
    const LOGINS: [&[u8]; 8] = [
        b"auth=(",
        b".auth(",
        b".login(",
        b"BasicAuth(",
        b"basic_auth(",
        b"NetworkCredential(",
        b"PasswordCredentials(",
        b"PasswordAuthentication(",
    ];
    LOGINS.contains(&name)
}

/// A call whose only string is the password.
fn is_single(name: &[u8]) -> bool {
    [&b"set_password("[..], b"hashpw(", b"::make("]
        .iter()
        .any(|single| name.ends_with(single))
}

/// The strings up to the call's end.
fn strings(body: &[u8], call: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(byte) = body.get(at).filter(|_| found.len() < STRINGS) {
        match byte {
            quote @ (b'"' | b'\'') => {
                let content = body.get(at + 1..).unwrap_or(&[]);
                let Some(len) = content.iter().position(|b| b == quote) else {
                    break;
                };
                found.push(at + 1..at + 1 + len);
                at += len + 1;
            }
            b'(' => depth += 1,
            b')' if depth == 0 && call => break,
            b')' => depth -= 1,
            b';' if !call => break,
            _ => {}
        }
        at += 1;
    }
    found
}

fn says_password(text: &[u8], anchor: &Anchor, line: usize) -> bool {
    let from = anchor.start.saturating_sub(120);
    let before = text.get(from..anchor.start).unwrap_or(&[]);
    let before = before.rsplit(|b| *b == b'\n').next().unwrap_or(before);
    let after = text.get(anchor.start..line).unwrap_or(&[]);
    let all = [before, after].concat().to_ascii_lowercase();
    ["password", "passwd", "pwd"]
        .iter()
        .any(|word| memchr::memmem::find(&all, word.as_bytes()).is_some())
}
