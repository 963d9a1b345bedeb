//! A password among the strings of a call or a statement: `auth=('u', 'pw')`, `new PDO(…, 'pw')`.

mod typed;

use super::super::anchors::Anchor;
use super::super::assignment::find_login;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::arguments::{self, string};
use super::calls::{self, Is};
use super::dsn;
use super::words::{slashed, split_at};
use super::{is_chance, is_of_person, is_word, line_end, names_a_password};
use std::ops::Range;
use typed::{KEYWORDS, characters, keyword, says_password, signs, thin};

/// The most strings looked at in one call.
const STRINGS: usize = 5;
/// How far a call is read for its arguments, in bytes.
const CALL: usize = 512;

/// The anchor is the call up to its parenthesis, or the words before the string.
pub(in super::super) fn quoted(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let line = line_end(scan.text, anchor.end);
    let name = scan.bytes(anchor.start..anchor.end);
    let body = scan.bytes(anchor.end..line);
    let enters = ENTERS.iter().any(|e| e.eq_ignore_ascii_case(name));
    if enters {
        find_login(scan, rule, anchor.end);
    }
    if let Some((nth, is)) = calls::place(name) {
        return argument(scan, rule, anchor, nth, is);
    }
    if enters {
        return;
    }
    let call = name.ends_with(b"(");
    let found = strings(scan.text.get(anchor.end..).unwrap_or(&[]), body.len(), call);
    let low = name.to_ascii_lowercase();
    let chosen = match low.as_slice() {
        // What is typed into a field whose name says so.
        b".fill(" | b".type(" | b"send_keys(" | b"sendkeys(" | b"fill_in " | b"typetext(" => found
            .last()
            .filter(|_| says_password(scan.text, anchor, line)),
        b"\".tochararray()" => return characters(scan, rule, anchor),
        b"return []byte(" => found.first().filter(|_| signs(scan.text, anchor)),
        b"oracle:thin:" | b"oracle:oci:" => return thin(scan, rule, anchor, line),
        b"user.info" => {
            if let Some(found) = dsn::password(scan.text, anchor, line) {
                hide(scan, rule, found, true);
            }
            return;
        }
        b"identified by " if !names_user(scan, anchor) => return,
        b"identified by " if !matches!(body.first(), Some(b'\'' | b'"' | b'`')) => {
            return statement(scan, rule, anchor, line);
        }
        b"login password " | b"with password " | b"encrypted password " => {
            if creates(scan, anchor) {
                statement(scan, rule, anchor, line);
            }
            return;
        }
        _ if KEYWORDS.contains(&low.as_slice()) => return keyword(scan, rule, anchor, line),
        _ if !call || is_single(name) => found.first(),
        _ => found.get(1..).and_then(<[_]>::last),
    };
    let Some(range) = chosen.cloned() else { return };
    let range = anchor.end + range.start..anchor.end + range.end;
    let login = is_login(&low) && found.len() == 2 || low == b"identified by ";
    // Words of a test may be typed there, but hardly with a number.
    if SURE.contains(&low.as_slice()) && is_of_person(scan.bytes(range.clone())) {
        return scan.hide(range, rule.id.as_str());
    }
    hide(scan, rule, range, login);
}

/// `IDENTIFIED BY pw;`: a statement's password without quotes, or in those of what it stands in.
fn statement(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, line: usize) {
    let body = scan.bytes(anchor.end..line);
    let quote = body
        .iter()
        .take_while(|b| matches!(b, b'\'' | b'"' | b'\\'));
    let gap = quote.count();
    let ends = |b: &u8| b.is_ascii_whitespace() || b";,)\"'`\\".contains(b);
    let rest = body.get(gap..).unwrap_or(&[]);
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    let start = anchor.end + gap;
    let secret = scan.bytes(start..start + len);
    let chosen = value::is_password(secret, gap > 0) || is_of_person(secret) || is_phrase(secret);
    if gap <= 3 && chosen {
        scan.hide(start..start + len, rule.id.as_str());
    }
}

/// Calls that log in: a user and a password may be any two of their texts.
const ENTERS: [&[u8]; 5] = [
    b"login(",
    b"login_user(",
    b"log_in(",
    b"sign_in(",
    b"signin(",
];

/// What takes nothing but a password, once the field's name says so.
const SURE: [&[u8]; 11] = [
    b".fill(",
    b".type(",
    b"send_keys(",
    b"sendkeys(",
    b"fill_in ",
    b"typetext(",
    b"convertto-securestring ",
    b"mysql_native_password by ",
    b"sha2_password by ",
    b"ed25519 by ",
    b"set_password(",
];

/// Whether a statement may stand before that is about a user.
fn names_user(scan: &Scan<'_>, anchor: &Anchor) -> bool {
    const SAYS: [&[u8]; 7] = [
        b"user", b"role", b"grant", b"create", b"alter", b"connect", b"@",
    ];
    let before = scan.bytes(anchor.start.saturating_sub(160)..anchor.start);
    let low = before.to_ascii_lowercase();
    let small = scan.at(anchor.start) == b'i';
    !small
        || SAYS
            .iter()
            .any(|says| memchr::memmem::find(&low, says).is_some())
}

/// Whether a statement that makes or changes a user stands before, in capitals or small letters.
fn creates(scan: &Scan<'_>, anchor: &Anchor) -> bool {
    let before = scan.bytes(anchor.start.saturating_sub(120)..anchor.start);
    let before = lines::last(before);
    let low = before.to_ascii_lowercase();
    let verbs = [
        &b"create user "[..],
        b"create role ",
        b"alter user ",
        b"alter role ",
    ];
    verbs
        .iter()
        .any(|v| memchr::memmem::find(&low, v).is_some())
}

/// Hides an argument of a call, on whatever line it stands.
fn argument(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, nth: usize, is: Is) {
    let body = scan.text.get(anchor.end..).unwrap_or(&[]);
    let open = matches!(scan.at(anchor.end - 1), b'(' | b'[' | b'{');
    let all = match open {
        true => arguments::arguments(body, CALL),
        false => arguments::on_line(body, CALL),
    };
    let text = |nth: usize| all.get(nth).and_then(|argument| string(body, argument));
    let at = |found: Range<usize>| anchor.end + found.start..anchor.end + found.end;
    match is {
        Is::Random | Is::Connect => {
            let texts: Vec<_> = (0..all.len()).map(|nth| text(nth).map(at)).collect();
            return by_chance(scan, rule, &texts, nth, is);
        }
        Is::Password | Is::Key | Is::Last | Is::Pair => {}
    }
    // `oracledb.connect("user/…@host")`
    let alone = || slashed(body, text(0).filter(|_| all.len() == 1)?);
    let found = match is {
        Is::Last => text(all.len().saturating_sub(1)).filter(|_| all.len() > nth),
        Is::Pair => text(nth)
            .and_then(|pair| split_at(body, pair, ':'))
            .filter(|secret| !body.get(secret.clone()).is_some_and(|s| s.contains(&b'/'))),
        _ => text(nth).or_else(alone),
    };
    if let Some(found) = found {
        hide(scan, rule, at(found), is != Is::Key);
    }
}

/// Hides what chance made among the texts of a call whose name says little.
fn by_chance(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    texts: &[Option<Range<usize>>],
    nth: usize,
    is: Is,
) {
    let mut hidden = false;
    for (at, range) in texts.iter().enumerate().skip(nth.max(1)) {
        let Some(range) = range.clone() else { continue };
        let secret = scan.bytes(range.clone());
        if is_chance(secret) || is == Is::Connect && at > 1 && is_connecting(secret) {
            scan.hide_and_remember(range, rule.id.as_str());
            hidden = true;
        }
    }
    if let Some(Some(first)) = texts.first().filter(|_| nth == 0 && !hidden)
        && is_chance(scan.bytes(first.clone()))
    {
        scan.hide_and_remember(first.clone(), rule.id.as_str());
    }
}

/// What a password looks like among the arguments of a connection: no host, no path, no name.
fn is_connecting(secret: &[u8]) -> bool {
    let place = |b: &u8| {
        matches!(
            b,
            b'/' | b'\\' | b' ' | b'=' | b'%' | b'{' | b'(' | b',' | b':'
        )
    };
    let dotted = secret.iter().filter(|b| **b == b'.').count() > 1;
    value::is_password(secret, true)
        && value::classes(secret) >= 3
        && !secret.iter().any(place)
        && !dotted
        && !value::is_name_like(secret)
}

/// Hides a text that stands where a secret is, if it is one; where a login's password stands, also
/// a word.
fn hide(scan: &mut Scan<'_>, rule: &'static Rule, range: Range<usize>, login: bool) {
    let secret = scan.bytes(range.clone());
    // A word and a number, where no name stands.
    let chosen = value::digits(secret) >= 3 && value::is_chosen(secret, false);
    if value::is_password(secret, true)
        || secret.len() >= 8 && chosen
        || value::is_secret(secret)
        || is_phrase(secret)
        || is_grouped(secret)
        || secret.len() >= 16 && value::is_letter_salad(secret)
    {
        scan.hide_and_remember(range, rule.id.as_str());
    } else if login && (is_word(secret) || is_of_person(secret)) {
        scan.hide(range, rule.id.as_str());
    }
}

/// `maple-otter-canyon-brick`: words joined by one sign, as a generator of passphrases does.
fn is_phrase(secret: &[u8]) -> bool {
    let sign = |b: &u8| matches!(b, b'-' | b'_' | b'.' | b' ');
    let Some(joint) = secret.iter().copied().find(sign) else {
        return false;
    };
    let words: Vec<&[u8]> = secret.split(|b| *b == joint).collect();
    let word = |w: &&[u8]| (3..=12).contains(&w.len()) && w.iter().all(u8::is_ascii_lowercase);
    (4..=8).contains(&words.len())
        && words.iter().all(word)
        && !value::is_placeholder(secret)
        && !names_a_password(secret)
}

/// `TWYC-KG05-DZQE`: groups of capitals and figures, as a generator of codes does.
fn is_grouped(secret: &[u8]) -> bool {
    let group = |g: &[u8]| {
        (4..=6).contains(&g.len())
            && g.iter()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    let groups = secret.split(|b| *b == b'-');
    groups.clone().count() >= 3
        && groups.clone().all(group)
        && value::digits(secret) >= 2
        && secret.iter().any(u8::is_ascii_uppercase)
        && !value::is_placeholder(secret)
}

/// A call whose two strings are a user and a password.
fn is_login(name: &[u8]) -> bool {
    const LOGINS: [&[u8]; 5] = [
        b"auth=(",
        b".auth(",
        b".login(",
        b"passwordcredentials(",
        b"passwordauthentication(",
    ];
    LOGINS.contains(&name)
}

/// A call whose only string is the password.
fn is_single(name: &[u8]) -> bool {
    [&b"set_password("[..], b"::make("]
        .iter()
        .any(|single| name.ends_with(single))
}

/// The strings up to the call's end that begin within so many bytes. One may end behind them, on its
/// line.
fn strings(text: &[u8], reach: usize, call: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(byte) = text.get(at).filter(|_| at < reach && found.len() < STRINGS) {
        match byte {
            quote @ (b'"' | b'\'') => {
                let near = text.get(at + 1..reach).unwrap_or(&[]);
                let far = || {
                    let rest = text.get(at + 1..).filter(|_| reach >= super::REACH)?;
                    let len = memchr::memchr2(*quote, b'\n', rest)?;
                    (rest.get(len) == Some(quote)).then_some(len)
                };
                let Some(len) = memchr::memchr(*quote, near).or_else(far) else {
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

#[cfg(test)]
mod tests;
