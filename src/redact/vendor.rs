//! A vendor's name, a key's name, a value: `mapbox secret 3f9a…`, `LOKALISE_KEY=…`, `boxTOKEN …`.
//!
//! Many services hand out keys without a beginning of their own. Where a service is named right
//! before, a bare space may stand between name and value, and a value of the usual shape is hidden
//! even if it looks typed by hand. The services are `vendors` in the rule table.

use super::anchors::Anchor;
use super::assignment::words;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::{placeholder, value};
use std::ops::Range;

/// How far before a key's name the vendor may stand, in bytes.
const REACH: usize = 40;
/// What of a key's name may follow the anchor, in bytes.
const NAME: usize = 16;
/// What may stand between the name and the value, in bytes.
const GAP: usize = 12;
/// The shortest value, in bytes.
const SHORTEST: usize = 14;
/// The longest value, in bytes.
const LONGEST: usize = 128;
/// The most words from the vendor to the key's name.
const WORDS: usize = 5;

/// The anchor is a word of a key's name: `key`, `token`, `secret`.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.end <= scan.vendored {
        return;
    }
    let Some(range) = value_after(scan.text, anchor.end) else {
        return;
    };
    let name = scan.bytes(anchor.start..range.start);
    let line = line_before(scan.text, anchor.start);
    let found = scan.bytes(range.clone());
    if is_opaque(found) && !names_else(name) && follows_vendor(scan.bytes(line)) {
        scan.vendored = range.end;
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

/// The anchor is a vendor's name, and its value follows at once: `cohere := "…"`.
///
/// Digests stand after a name and a colon as well, as in a list of checksums, and commits after a
/// blank: there a value of hex digits only is left alone.
pub(super) fn bare(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    const LENGTHS: [usize; 11] = [20, 22, 24, 25, 26, 30, 32, 37, 40, 50, 64];
    let ends = !is_name(scan.at(anchor.end));
    let Some(range) = value_after(scan.text, anchor.end).filter(|_| ends) else {
        return;
    };
    let sign = scan.bytes(anchor.end..range.start);
    let found = scan.bytes(range.clone());
    let random = found.iter().all(u8::is_ascii_alphanumeric)
        && LENGTHS.contains(&found.len())
        && value::digits(found) >= 3
        && is_opaque(found)
        && !value::is_placeholder(found)
        && value::entropy(found) >= 3.0;
    let assigned = sign.contains(&b'=');
    let hex = found.iter().all(u8::is_ascii_hexdigit);
    let mixed =
        found.iter().any(u8::is_ascii_uppercase) && found.iter().any(u8::is_ascii_lowercase);
    let blank = sign.iter().all(|b| matches!(b, b' ' | b'\t'));
    if random && scan.is_start(anchor.start) && (assigned || !hex) && (!blank || mixed) {
        scan.hide(range, rule.id.as_str());
    }
}

/// The one run of letters and digits after the rest of a name and what separates them.
fn value_after(text: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let name = rest.iter().take_while(|b| is_name(**b)).take(NAME + 1);
    let name = name.count();
    if name > NAME {
        return None;
    }
    let gap = gap(rest.get(name..)?)?;
    let start = from + name + gap;
    let value = text.get(start..)?;
    let len = value.iter().take(LONGEST + 1).take_while(|b| is_name(**b));
    let len = len.count();
    let ends = match value.get(len..)? {
        [b'.' | b'/' | b'@' | b':', next, ..] => !next.is_ascii_alphanumeric(),
        [b'(' | b'[' | b'{' | b'$' | b'%' | b'+' | b'\\', ..] => false,
        _ => true,
    };
    (ends && (SHORTEST..=LONGEST).contains(&len)).then_some(start..start + len)
}

/// The length of what stands between a name and a value: signs, spaces, at most one `is`.
fn gap(rest: &[u8]) -> Option<usize> {
    let signs = |from: usize| {
        let rest = rest.get(from..).unwrap_or(&[]);
        from + rest
            .iter()
            .take(GAP + 1)
            .take_while(|b| is_gap(**b))
            .count()
    };
    let mut len = signs(0);
    if matches!(rest.get(len..), Some([b'i', b's', b' ', ..])) {
        len = signs(len + 2);
    }
    (1..=GAP).contains(&len).then_some(len)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_gap(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'=' | b':' | b'>' | b',' | b'|' | b'"' | b'\'' | b'`' | b']' | b'(' | b'['
    )
}

/// What stands on the line before a key's name, as far as a vendor may.
fn line_before(text: &[u8], at: usize) -> Range<usize> {
    let from = at.saturating_sub(REACH);
    let before = text.get(from..at).unwrap_or(&[]);
    let line = before
        .iter()
        .rposition(|b| matches!(b, b'\n' | b';' | b'{'));
    from + line.map_or(0, |n| n + 1)..at
}

/// `key_id`, `token-type`, `key hash`: the name of something beside the key.
fn names_else(name: &[u8]) -> bool {
    let harmless = &rules().names.harmless;
    words(name).iter().skip(1).any(|w| harmless.contains(w))
}

/// Whether a vendor is named, and nothing after it says that this is no key of theirs.
fn follows_vendor(line: &[u8]) -> bool {
    const NOT: [&str; 15] = [
        "public",
        "publishable",
        "site",
        "cache",
        "hash",
        "commit",
        "sha",
        "digest",
        "etag",
        "trace",
        "span",
        "build",
        "primary",
        "foreign",
        "partition",
    ];
    let words = words(line);
    let last = words.len();
    for from in (last.saturating_sub(WORDS)..last).rev() {
        let Some(word) = words.get(from) else { break };
        if NOT.contains(&word.as_str()) {
            return false;
        }
        let pair = words.get(from..from + 2).map(<[String]>::concat);
        if is_vendor(word) || pair.is_some_and(|p| is_vendor(&p)) {
            return true;
        }
    }
    false
}

fn is_vendor(word: &str) -> bool {
    rules().vendors.contains(word)
}

/// Letters and digits that are no words: a key, even if someone typed it.
fn is_opaque(found: &[u8]) -> bool {
    let figures = value::digits(found);
    let filler = |b: &u8| matches!(b, b'x' | b'X' | b'0' | b'-' | b'_');
    let hex = found.len() >= 20 && found.iter().all(u8::is_ascii_hexdigit);
    let typed = found.len() >= 20 && rules().sequences.is_match(found);
    let least = if found.len() < 16 { 3 } else { 2 };
    let mixed = figures >= least && figures < found.len() && !value::is_wordy(found);
    !value::is_reference(found)
        && !placeholder::has_word(found)
        && !found.iter().all(filler)
        && (hex || typed || mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vendor_is_named_in_one_word_or_two_and_nothing_else_between() {
        for line in [
            "mapbox ",
            "MAPBOX_API_",
            "dataDog.",
            "my data_dog app ",
            "x lokalise",
        ] {
            assert!(follows_vendor(line.as_bytes()), "{line}");
        }
        for line in ["", "the ", "mapbox cache ", "remapbox", "datadog public "] {
            assert!(!follows_vendor(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn keys_are_opaque_and_names_are_not() {
        for key in ["a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6", "q81LmZ0kd9Xw2cR4tB7n"] {
            assert!(is_opaque(key.as_bytes()), "{key}");
        }
        for name in [
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "your-api-key-goes-here-2024",
            "release_candidate_build_2024_01",
            "customer-portal-v2-production-eu1",
        ] {
            assert!(!is_opaque(name.as_bytes()), "{name}");
        }
    }
}
