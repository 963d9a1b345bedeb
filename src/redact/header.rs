//! HTTP: `Authorization: Basic|Bearer|Token …`, `Cookie:` and `Set-Cookie:`.

use super::anchors::Anchor;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::value;
use std::ops::Range;

/// The longest header line, in bytes.
const LONGEST: usize = 8 * 1024;

/// The anchor is the scheme with its space, such as `Bearer `.
pub(super) fn authorization(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if !scan.is_start(anchor.start) {
        return;
    }
    let Some(class) = &rule.class else { return };
    let end = scan.run(anchor.rule, class, anchor.end);
    let range = anchor.end..end;
    let credential = scan.bytes(range.clone());
    let scheme = scan.bytes(anchor.start..anchor.end).to_ascii_lowercase();
    let secret = if scheme.starts_with(b"basic") {
        is_basic(credential)
    } else {
        credential.len() >= 8 && value::is_secret(credential) && value::digits(credential) > 0
    };
    if secret {
        scan.hide_and_remember(range, rule.id.as_str());
    } else if is_opaque(credential) && follows_name(scan.text, anchor.start) {
        scan.hide(range, rule.id.as_str());
    }
}

/// Long and in one piece, no words: a header's value is hidden even if it may be made up.
fn is_opaque(credential: &[u8]) -> bool {
    credential.len() >= 32 && (value::is_monotone(credential) || !value::is_wordy(credential))
}

/// Whether the header's name stands before the scheme.
fn follows_name(text: &[u8], at: usize) -> bool {
    const NAME: &[u8] = b"authorization";
    let before = text
        .get(at.saturating_sub(NAME.len() + 8)..at)
        .unwrap_or(&[]);
    before
        .windows(NAME.len())
        .any(|w| w.eq_ignore_ascii_case(NAME))
}

/// Base64 of `user:password`, where the password is no placeholder.
pub(super) fn is_basic(credential: &[u8]) -> bool {
    let decoded = value::base64(credential);
    let Some(colon) = decoded.iter().position(|b| *b == b':') else {
        return false;
    };
    let password = decoded.get(colon + 1..).unwrap_or(&[]);
    let printable = decoded.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
    let known = rules()
        .default_passwords
        .iter()
        .any(|p| p.as_bytes().eq_ignore_ascii_case(password));
    let token = decoded.get(..colon).is_some_and(|user| user.len() >= 20);
    printable && !known && (password.len() >= 4 && !value::is_placeholder(password) || token)
}

/// The values of session cookies.
pub(super) fn cookie(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.start < scan.cookies {
        return;
    }
    let rest = scan.text.get(anchor.end..).unwrap_or(&[]);
    let line = rest
        .iter()
        .take(LONGEST)
        .position(|b| matches!(b, b'\n' | b'"' | b'\''))
        .unwrap_or(rest.len().min(LONGEST));
    scan.cookies = anchor.end + line;
    let mut at = anchor.end;
    let found: Vec<Range<usize>> = rest
        .get(..line)
        .unwrap_or(rest)
        .split(|b| *b == b';')
        .filter_map(|pair| {
            let start = at;
            at += pair.len() + 1;
            let equals = pair.iter().position(|b| *b == b'=')?;
            let value = pair.get(equals + 1..)?;
            is_session(pair.get(..equals)?, value).then_some(start + equals + 1..start + pair.len())
        })
        .collect();
    for range in found {
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

fn is_session(name: &[u8], content: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    content.len() >= 12
        && rules()
            .names
            .session
            .iter()
            .any(|word| name.contains(word.as_str()))
        && value::is_secret(content)
}
