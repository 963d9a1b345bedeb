//! The values of a list under a plural name: `passwords = ["…", "…"]`, `api_keys:⏎  - …`.
//!
//! Reads a bounded stretch behind the name, and its strings or items only.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::names::{self, Kind};
use super::operator::spaces;
use super::reading::Value;
use super::written::Place;
use std::ops::Range;

/// How far behind its name a list is read, in bytes.
const REACH: usize = 1024;
/// The most values read of one list.
const MOST: usize = 24;

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, name: &Range<usize>) -> bool {
    let Some(list) = list(scan.text, name) else {
        return false;
    };
    let Some(kind) = kind(scan.bytes(name.clone())) else {
        return false;
    };
    // The words of a language and of a text are called tokens, too.
    let lone = kind == Kind::Secret && names::words(scan.bytes(name.clone())).len() == 1;
    let mut end = None;
    for (range, quoted) in list.values() {
        let found = scan.bytes(range.clone());
        let plain = quoted || found.iter().all(u8::is_ascii_alphanumeric);
        let random = plain && found.len() >= 16 && value::is_certainly_random(found);
        if lone && !random {
            continue;
        }
        if !quoted && !value::is_secret(found) {
            continue;
        }
        // A list may hold names that have lists.
        if !scan.listed.insert((range.clone(), kind == Kind::Password)) {
            continue;
        }
        let place = match quoted {
            true => Place::Text,
            false => Place::Alone,
        };
        let last = range.end;
        if super::offer(scan, rule, kind, Value::new(range, quoted), place) {
            end = Some(last);
        }
    }
    if let Some(end) = end {
        scan.assigned = scan.assigned.max(end);
    }
    end.is_some()
}

/// What the singular of a name says.
fn kind(name: &[u8]) -> Option<Kind> {
    let one = name.strip_suffix(b"s").or(name.strip_suffix(b"S"))?;
    let kind = names::kind(one)?;
    matches!(kind, Kind::Password | Kind::Secret).then_some(kind)
}

/// A list behind its name.
struct List<'t> {
    /// What follows the sign behind the name, and where it begins.
    body: &'t [u8],
    after: usize,
    /// Where the bracket stands that opens it; it has none if its items are lines.
    open: Option<usize>,
}

impl List<'_> {
    /// The values, each with whether it stands in quotes.
    fn values(&self) -> Vec<(Range<usize>, bool)> {
        let found = match self.open {
            Some(open) => strings(self.body, open),
            None => items(self.body),
        };
        let at = |range: Range<usize>| self.after + range.start..self.after + range.end;
        let found = found.into_iter();
        found.map(|(range, quoted)| (at(range), quoted)).collect()
    }
}

/// The list that a plural name has behind it.
fn list<'t>(text: &'t [u8], name: &Range<usize>) -> Option<List<'t>> {
    let last = name.end.checked_sub(1).and_then(|last| text.get(last));
    if !matches!(last, Some(b's' | b'S')) {
        return None;
    }
    let quoted = matches!(text.get(name.end), Some(b'"' | b'\''));
    let sign = spaces(text, name.end + usize::from(quoted), 16);
    let after = match text.get(sign..).unwrap_or(&[]) {
        [b':', b'=', ..] | [b'=', b'>', ..] => sign + 2,
        [b':' | b'=', ..] => sign + 1,
        _ => return None,
    };
    let body = text.get(after..).unwrap_or(&[]);
    let body = body.get(..REACH).unwrap_or(body);
    let open = body
        .iter()
        .take(40)
        .position(|b| !b.is_ascii_whitespace())?;
    let open = match body.get(open..).unwrap_or(&[]) {
        [b'-', b' ', ..] if body.get(..open).is_some_and(|gap| gap.contains(&b'\n')) => None,
        [b'[', b']', rest @ ..] if let Some(len) = opened(rest) => Some(open + 2 + len),
        [b'[' | b'(' | b'{', ..] => Some(open),
        // `[]string{`, `new String[] {`, `List.of(`, `%w[`
        rest => Some(open + opened(rest)?),
    };
    Some(List { body, after, open })
}

/// How far the bracket is that opens a list behind its type.
fn opened(rest: &[u8]) -> Option<usize> {
    let fits = |b: &&u8| {
        b.is_ascii_alphanumeric() || matches!(b, b' ' | b'[' | b']' | b'.' | b'<' | b'>' | b'!')
    };
    let len = rest.iter().take(32).take_while(fits).count();
    matches!(rest.get(len), Some(b'{' | b'(')).then_some(len)
}

/// The strings up to the bracket that closes the list; a key of a map is none.
fn strings(body: &[u8], open: usize) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (open, 0_usize);
    while let Some(byte) = body.get(at).filter(|_| found.len() < MOST) {
        match byte {
            b'"' | b'\'' => {
                let rest = body.get(at + 1..).unwrap_or(&[]);
                let Some(len) = rest.iter().position(|b| b == byte || *b == b'\n') else {
                    break;
                };
                let next = spaces(body, at + len + 2, 4);
                let key = matches!(body.get(next), Some(b':' | b'='));
                if rest.get(len) == Some(byte) && !key {
                    found.push((at + 1..at + 1 + len, true));
                }
                at += len + 1;
            }
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' if depth <= 1 => break,
            b']' | b')' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    found
}

/// The items of a list of lines: `- …`.
fn items(body: &[u8]) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    let first = memchr::memchr(b'\n', body).map_or(body.len(), |feed| feed + 1);
    let mut start = first;
    while let Some(rest) = body.get(start..).filter(|_| found.len() < MOST) {
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..len).unwrap_or(rest);
        let gap = line.iter().take_while(|b| **b == b' ').count();
        let Some(item) = line.get(gap..).and_then(|l| l.strip_prefix(b"- ")) else {
            break;
        };
        let item = item.trim_ascii_end();
        let from = start + gap + 2;
        match item {
            [q @ (b'"' | b'\''), inner @ .., last] if q == last => {
                found.push((from + 1..from + 1 + inner.len(), true));
            }
            word if !word.iter().any(u8::is_ascii_whitespace) => {
                found.push((from..from + word.len(), false));
            }
            _ => {}
        }
        start += len + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn all_values_of_a_list_are_hidden() {
        for text in [
            "passwords:\n  - {1}\n  - {2}\nport: 80",
            "\"api_keys\": [\"{1}\", \"{2}\"]",
            "API_KEYS = ['{1}', '{2}']",
            "var apiKeys = []string{\n\t\"{1}\",\n\t\"{2}\",\n}",
            "passwords = {'mira': '{1}', 'jon': '{2}'}",
            "private static final List<String> API_KEYS = List.of(\"{1}\", \"{2}\");",
        ] {
            let text = text
                .replace("{1}", "x8Kq2mPz7Rw1")
                .replace("{2}", "k9Pw3Lm8Qz2x");
            let shown = redact(&text);
            assert!(
                !shown.contains("Pz7Rw1") && !shown.contains("m8Qz2x"),
                "{shown}"
            );
        }
        for text in [
            "passwords:\n  - min12Chars\n  - one of three",
            "tokens = ['identifier', 'number2', 'x8Kq2mPz7Rw1']",
            "keys = [\"alpha1\", \"x8Kq2mPz7Rw1\"]",
            "passwords = [random_password(12), get('x')]",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
