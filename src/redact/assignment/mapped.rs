//! Keys that a map of a web server lets in: `map $http_x_api_key $ok { "…" 1; }`.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::names::Kind;
use super::operator::spaces;
use super::reading::Value;
use super::written::Place;
use std::ops::Range;

/// How far behind its name a map is read, in bytes.
const REACH: usize = 1024;
/// The most lines read of one map.
const LINES: usize = 24;

pub(super) fn find(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) -> bool {
    let Some(kind @ (Kind::Password | Kind::Secret)) = here else {
        return false;
    };
    let Some(body) = body(scan.text, name) else {
        return false;
    };
    let mut hidden = false;
    for range in keys(scan.text, body) {
        hidden |= super::offer(scan, rule, kind, Value::new(range, true), Place::Text);
    }
    hidden
}

/// Where the lines of the map begin, if this is what it maps.
fn body(text: &[u8], name: &Range<usize>) -> Option<usize> {
    text.get(..name.start)?.ends_with(b"map $").then_some(())?;
    let to = spaces(text, name.end, 16);
    let rest = text.get(to..)?.strip_prefix(b"$")?;
    let word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let len = rest.iter().take(64).take_while(word).count();
    let open = spaces(text, to + 1 + len, 16);
    (text.get(open) == Some(&b'{')).then_some(open + 1)
}

/// The first words of the map's lines, without quotes and the signs of a pattern.
fn keys(text: &[u8], at: usize) -> Vec<Range<usize>> {
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..REACH).unwrap_or(rest);
    let rest = rest.split(|b| *b == b'}').next().unwrap_or(rest);
    let mut start = at;
    let mut found = Vec::new();
    for line in rest.split(|b| *b == b'\n').take(LINES) {
        let gap = line.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let key = line.get(gap..).unwrap_or(&[]);
        let marks = key
            .iter()
            .take_while(|b| matches!(b, b'"' | b'\'' | b'~' | b'*' | b'^'));
        let marks = marks.count();
        let key = key.get(marks..).unwrap_or(&[]);
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'$' | b';');
        let len = key.iter().position(ends).unwrap_or(key.len());
        if len >= 6 && line.contains(&b';') {
            found.push(start + gap + marks..start + gap + marks + len);
        }
        start += line.len() + 1;
    }
    found
}
