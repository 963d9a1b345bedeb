//! A login that a sentence tells without naming it one: `use ada:… to log in`, `connect with ada /
//! …`, `sign in with ada and …`.
//!
//! The sentence must speak of logging in, and the second word look like a password.

use super::super::anchors::Anchor;
use super::super::assignment::hide_login;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use std::ops::Range;

/// How far a line is looked at on either side, in bytes.
const LINE: usize = 120;

/// What a sentence says that is about a login.
const SAYS: [&[u8]; 14] = [
    b"log in",
    b"login",
    b"log on",
    b"logging in",
    b"sign in",
    b"connect",
    b"authenticate",
    b"get in",
    b"ssh",
    b"account",
    b"creds",
    b"credentials",
    b"access the",
    b"admin panel",
];

/// The anchor is `use ` or ` with `.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(range) = second(scan.text, anchor.end) else {
        return;
    };
    let head = scan.bytes(anchor.start.saturating_sub(LINE)..anchor.start);
    let head = lines::last(head);
    let tail = scan.bytes(range.end..(range.end + LINE).min(scan.text.len()));
    let tail = tail.split(|b| *b == b'\n').next().unwrap_or(tail);
    let says = |part: &[u8]| {
        let low = part.to_ascii_lowercase();
        SAYS.iter().any(|s| memchr::memmem::find(&low, s).is_some())
    };
    if says(head) || says(tail) {
        hide_login(scan, rule, range);
    }
}

/// The second of `ada:…`, `ada / …`, `ada and …`.
fn second(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let user = |b: &&u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._@-".contains(*b);
    let len = rest.iter().take(48).take_while(user).count();
    let first = rest.first().is_some_and(u8::is_ascii_lowercase);
    let rest = rest.get(len..).filter(|_| first && len > 1)?;
    let joint = [&b":"[..], b" / ", b" and "]
        .into_iter()
        .find(|j| rest.starts_with(j))?;
    let rest = rest.get(joint.len()..)?;
    let ends = |b: &u8| b.is_ascii_whitespace() || b"\"'`,;()<>/:".contains(b);
    let word = rest.get(
        ..rest
            .iter()
            .take(64)
            .position(ends)
            .unwrap_or(rest.len().min(64)),
    )?;
    let word = word.strip_suffix(b".").unwrap_or(word);
    // `http2 and tls13`
    let told = joint.len() != b" and ".len() || value::classes(word) >= 3;
    // `postgres:15beta1`: which release of what.
    let release = joint == b":"
        && word.first().is_some_and(u8::is_ascii_digit)
        && word
            .iter()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let told = told && !release;
    let free = !matches!(rest.get(word.len()), Some(b'/' | b':' | b'('));
    let start = at + len + joint.len();
    (told && free && word.len() >= 6 && value::digits(word) > 0).then(|| start..start + word.len())
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn a_login_in_a_sentence_loses_its_password() {
        for text in [
            "use ada:{} to get in",
            "you can log in with ada / {} there",
            "To connect use ada and {}",
            "please sign in with ada@h.local:{}",
        ] {
            for secret in ["x8Kq2mPz7Rw1", "Harbor47!"] {
                let shown = redact(&text.replace("{}", secret));
                assert!(!shown.contains(secret), "{shown}");
                assert!(shown.contains("ada"), "{shown}");
            }
        }
        for text in [
            "use std:vector2 here",
            "use http2 and tls13 to connect",
            "use postgres:15beta1 to connect",
            "log in with src/main2.rs and x2",
            "connect with node:20-bookworm",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
