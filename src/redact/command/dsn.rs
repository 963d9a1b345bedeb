//! Passwords in short forms of an address or a login: `h=…,u=…,p=…`, `user.info=user:…`; and what
//! a script answers to a prompt.
//!
//! Only finds where they stand.

use super::super::anchors::Anchor;
use std::ops::Range;

/// How far before a password its user or its prompt may stand, in bytes.
const BEFORE: usize = 160;

/// The password of `,p=…` or `user.info=user:…`.
pub(super) fn password(text: &[u8], anchor: &Anchor, line: usize) -> Option<Range<usize>> {
    let body = text.get(anchor.end..line)?;
    let start = if text.get(anchor.start) == Some(&b',') {
        has_user(text, anchor).then_some(0)?
    } else {
        let sign = |b: &&u8| matches!(b, b'"' | b'\'' | b' ' | b'=' | b':' | b',');
        let gap = body.iter().take(6).take_while(sign).count();
        let rest = body.get(gap..).filter(|_| gap > 0)?;
        let user = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.@+".contains(b);
        let len = rest.iter().take(64).take_while(user).count();
        (len > 0 && rest.get(len) == Some(&b':')).then_some(gap + len + 1)?
    };
    let rest = body.get(start..)?;
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'"' | b'\'' | b'`' | b'<');
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    let start = anchor.end + start;
    (len > 0).then_some(start..start + len)
}

/// Whether the same word names a host and a user: `h=…,u=…`.
fn has_user(text: &[u8], anchor: &Anchor) -> bool {
    let before = text.get(anchor.start.saturating_sub(BEFORE)..anchor.start);
    let before = before.unwrap_or(&[]);
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'');
    let word = before.rsplit(ends).next().unwrap_or(before);
    let mut parts = word.split(|b| *b == b',');
    let has = |name: &[u8]| {
        word.split(|b| *b == b',')
            .any(|part| part.starts_with(name))
    };
    parts.all(|part| part.get(1) == Some(&b'=')) && has(b"h=") && has(b"u=")
}

/// Whether a script waits for a password's prompt right before.
pub(super) fn answers(text: &[u8], anchor: &Anchor) -> bool {
    let before = text.get(anchor.start.saturating_sub(BEFORE)..anchor.start);
    let before = before.unwrap_or(&[]);
    let Some(at) = memchr::memmem::rfind(before, b"expect") else {
        return false;
    };
    let asked = before.get(at..).unwrap_or(&[]);
    let asks = [b"assword".as_slice(), b"assphrase"];
    asks.iter()
        .any(|word| memchr::memmem::find(asked, word).is_some())
}
