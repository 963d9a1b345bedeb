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
        // The key follows what is signed, which may be a string as well.
        b"jwt.sign(" | b"jwt.encode(" | b"jwt.verify(" => second(body, &found, false),
        b"createHmac(" => second(body, &found, true),
        b"hmac.new(" => found.first().filter(|key| key.start <= 2),
        b"PlainAuth(" => found.get(2),
        _ if !call || is_single(name) => found.first(),
        _ => found.get(1..).and_then(<[_]>::last),
    };
    let Some(range) = chosen.cloned() else { return };
    let range = anchor.end + range.start..anchor.end + range.end;
    let secret = scan.bytes(range.clone());
    // A word and a number, where no name stands.
    let chosen = value::digits(secret) >= 3 && value::is_chosen(secret, false);
    if value::is_password(secret, true) || secret.len() >= 8 && chosen {
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

/// The string that is the whole second argument; `plain` where the first must be a string.
fn second<'f>(body: &[u8], found: &'f [Range<usize>], plain: bool) -> Option<&'f Range<usize>> {
    let comma = top_comma(body)?;
    let blanks = body.get(comma + 1..)?.iter();
    let start = comma + 2 + blanks.take_while(|b| b.is_ascii_whitespace()).count();
    let string = found.iter().find(|range| range.start == start)?;
    let first = found.first()?;
    (!plain || first.end + 1 == comma).then_some(string)
}

/// The first comma outside all brackets and strings.
fn top_comma(body: &[u8]) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    body.iter().position(|byte| {
        match (quote, byte) {
            (Some(q), b) if q == *b => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(*byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, b',') => return depth == 0,
            _ => {}
        }
        false
    })
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
