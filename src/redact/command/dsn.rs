//! The password of `user.info=user:…`, as clients of a schema registry are given it.
//!
//! Only finds where it stands.

use super::super::anchors::Anchor;
use std::ops::Range;

pub(super) fn password(text: &[u8], anchor: &Anchor, line: usize) -> Option<Range<usize>> {
    let body = text.get(anchor.end..line)?;
    let sign = |b: &&u8| matches!(b, b'"' | b'\'' | b' ' | b'=' | b':' | b',');
    let gap = body.iter().take(6).take_while(sign).count();
    let rest = body.get(gap..).filter(|_| gap > 0)?;
    let user = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.@+".contains(b);
    let len = rest.iter().take(64).take_while(user).count();
    let start = (len > 0 && rest.get(len) == Some(&b':')).then_some(gap + len + 1)?;
    let rest = body.get(start..)?;
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'"' | b'\'' | b'`' | b'<');
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    let start = anchor.end + start;
    (len > 0).then_some(start..start + len)
}
