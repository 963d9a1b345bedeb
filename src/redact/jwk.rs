//! The private members of a JSON web key: `d`, `p`, `q`, `dp`, `dq`, `qi`, and `k` of an `oct` key.

use super::anchors::Anchor;
use super::class::Class;
use super::rules::Rule;
use super::scan::Scan;

/// The longest key object, in bytes.
const LONGEST: usize = 16 * 1024;
const PRIVATE: [&[u8]; 7] = [b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];

/// The anchor is `"kty"`.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(class) = &rule.class else { return };
    // One object is read once, however often the mark stands in it.
    if anchor.start < scan.objects {
        return;
    }
    let back = scan.bytes(anchor.start.saturating_sub(LONGEST / 4).max(scan.objects)..anchor.start);
    let open = back.iter().rev().position(|b| *b == b'{').unwrap_or(0);
    let from = anchor.start - open;
    let rest = scan.text.get(anchor.end..).unwrap_or(&[]);
    let close = rest
        .iter()
        .take(LONGEST)
        .position(|b| *b == b'}')
        .unwrap_or(rest.len().min(LONGEST));
    let end = anchor.end + close;
    scan.objects = end;
    for (at, len) in members(scan.text, class, from, end) {
        scan.hide(at..at + len, rule.id.as_str());
    }
}

/// Where the private members' values stand, and their lengths.
fn members(text: &[u8], class: &Class, from: usize, end: usize) -> Vec<(usize, usize)> {
    let object = text.get(from..end).unwrap_or(&[]);
    memchr::memchr_iter(b':', object)
        .filter_map(|colon| {
            let head = object.get(..colon)?.trim_ascii_end().strip_suffix(b"\"")?;
            let quote = head.iter().rev().take(4).position(|b| *b == b'"')?;
            let name = head.get(head.len() - quote..)?;
            let at = from + colon + 1;
            let gap = text.get(at..)?.iter().take(8).position(|b| *b == b'"')?;
            let at = at + gap + 1;
            let len = class.run(text, at, LONGEST);
            (PRIVATE.contains(&name) && len >= 16).then_some((at, len))
        })
        .collect()
}
