//! What is typed into a field, taken as characters, or given as a key: forms of their own among
//! the calls.

use super::super::super::anchors::Anchor;
use super::super::super::rules::Rule;
use super::super::super::scan::Scan;
use super::super::is_of_person;
use super::super::words::slashed;
use super::hide;

/// `ks.load(in, "…".toCharArray())`: characters of a text are what passwords are taken as; an
/// alphabet is taken so, too.
pub(super) fn characters(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    const TAKES: [&[u8]; 4] = [b"load(", b"init(", b"Protection(", b"KeySpec("];
    let from = anchor.start.saturating_sub(160);
    let head = scan.bytes(from..anchor.start);
    let Some(open) = memchr::memrchr2(b'"', b'\n', head) else {
        return;
    };
    let before = head.get(..open).unwrap_or(&[]).trim_ascii_end();
    let second = before.ends_with(b",") || TAKES.iter().any(|call| before.ends_with(call));
    if head.get(open) == Some(&b'"') && second {
        let range = from + open + 1..anchor.start;
        match is_of_person(scan.bytes(range.clone())) {
            true => scan.hide(range, rule.id.as_str()),
            false => hide(scan, rule, range, false),
        }
    }
}

/// Whether a function that gives the key of a JSON web token returns here.
pub(super) fn signs(text: &[u8], anchor: &Anchor) -> bool {
    let around = anchor.start.saturating_sub(400)..(anchor.end + 120).min(text.len());
    let around = text.get(around).unwrap_or(&[]);
    [b"jwt.".as_slice(), b"jwt ", b"JWT"]
        .iter()
        .any(|word| memchr::memmem::find(around, word).is_some())
}

/// `jdbc:oracle:thin:user/…@host`.
pub(super) fn thin(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, line: usize) {
    let body = scan.bytes(anchor.end..line);
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'<' | b'`');
    let len = body.iter().position(ends).unwrap_or(body.len());
    if let Some(found) = slashed(body, 0..len) {
        hide(
            scan,
            rule,
            anchor.end + found.start..anchor.end + found.end,
            true,
        );
    }
}

/// Words that type a text into a field, as suites of tests for browsers write them.
pub(super) const KEYWORDS: [&[u8]; 6] = [
    b"input password",
    b"input text",
    b"fill secret",
    b"fill text",
    b"type secret",
    b"type text",
];

/// `Input Password    id=pw    …`: the cell after the field's.
pub(super) fn keyword(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, line: usize) {
    let body = scan.bytes(anchor.end..line);
    let wide = |b: &u8| matches!(b, b' ' | b'\t');
    let mut at = 0;
    let mut cells = Vec::new();
    while at < body.len() && cells.len() < 3 {
        let rest = body.get(at..).unwrap_or(&[]);
        let gap = rest.iter().take_while(|b| wide(b)).count();
        let cell = rest.get(gap..).unwrap_or(&[]);
        let tab = cell.iter().position(|b| *b == b'\t');
        let end = memchr::memmem::find(cell, b"  ")
            .into_iter()
            .chain(tab)
            .min();
        let len = end.unwrap_or(cell.len());
        if gap < 2 && rest.first() != Some(&b'\t') {
            return;
        }
        cells.push(at + gap..at + gap + len);
        at += gap + len;
    }
    let Some(cell) = cells
        .get(1)
        .filter(|_| says_password(scan.text, anchor, line))
    else {
        return;
    };
    let secret = body.get(cell.clone()).unwrap_or(&[]);
    if !matches!(secret, [b'$' | b'%' | b'@' | b'&', b'{', ..]) {
        hide(
            scan,
            rule,
            anchor.end + cell.start..anchor.end + cell.end,
            true,
        );
    }
}

pub(super) fn says_password(text: &[u8], anchor: &Anchor, line: usize) -> bool {
    let from = anchor.start.saturating_sub(120);
    let before = text.get(from..anchor.start).unwrap_or(&[]);
    let before = before.rsplit(|b| *b == b'\n').next().unwrap_or(before);
    let after = text.get(anchor.start..line).unwrap_or(&[]);
    let all = [before, after].concat().to_ascii_lowercase();
    [
        "password", "passwd", "pwd", "passwort", "id=pw", "#pw", "contrase",
    ]
    .iter()
    .any(|word| memchr::memmem::find(&all, word.as_bytes()).is_some())
}
