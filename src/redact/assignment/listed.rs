//! The values of a list under a plural name: `passwords = ["…", "…"]`, `api_keys:⏎  - …`,
//! `secrets:⏎  x: …`, `[secrets]⏎x = "…"`.
//!
//! Reads a bounded stretch behind the name, and its strings or items only.

use super::super::files::is_label;
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
    let name = names::words(scan.bytes(name.clone()));
    let words = kind == Kind::Secret && name.as_slice() == ["tokens"];
    let mut end = None;
    for item in list.values() {
        let found = scan.bytes(item.range.clone());
        let quoted = item.written == Item::Quoted;
        let plain = quoted
            || found
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(b));
        let random = plain && found.len() >= 16 && value::is_certainly_random(found);
        if words && !random {
            continue;
        }
        let entry = item.written == Item::Entry && kind == Kind::Password;
        if !quoted && !entry && !value::is_secret(found) {
            continue;
        }
        // A list may hold names that have lists.
        let key = (item.range.clone(), kind == Kind::Password);
        if !scan.listed.insert(key) {
            continue;
        }
        let place = match item.written {
            Item::Quoted | Item::Entry => Place::Text,
            Item::Bare => Place::Alone,
        };
        let last = item.range.end;
        if super::offer(scan, rule, kind, Value::new(item.range, quoted), place) {
            end = Some(last);
        }
    }
    // The names of entries are looked at as well.
    if let Some(end) = end.filter(|_| list.open.is_some()) {
        scan.assigned = scan.assigned.max(end);
    }
    end.is_some()
}

/// How a value of a list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Quoted,
    /// Without quotes, behind a name of its own.
    Entry,
    /// Without quotes.
    Bare,
}

/// A value of a list.
struct Listed {
    range: Range<usize>,
    written: Item,
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
    /// How deep its name stands, if it heads lines: those below are deeper, or no deeper under a
    /// section's.
    indent: Option<usize>,
}

impl List<'_> {
    fn values(&self) -> Vec<Listed> {
        let found = match self.open {
            Some(open) => strings(self.body, open),
            None => items(self.body, self.indent),
        };
        let at = |range: Range<usize>| self.after + range.start..self.after + range.end;
        let found = found.into_iter();
        let found = found.map(|(range, written)| Listed {
            range: at(range),
            written,
        });
        found.collect()
    }
}

/// The list that a plural name has behind it.
fn list<'t>(text: &'t [u8], name: &Range<usize>) -> Option<List<'t>> {
    let last = name.end.checked_sub(1).and_then(|last| text.get(last));
    if !matches!(last, Some(b's' | b'S')) {
        return None;
    }
    if let Some(body) = section(text, name) {
        return Some(body);
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
    let below = memchr::memchr(b'\n', body.get(..open)?).is_some();
    let own_line = below.then(|| indent(text, name.start)).flatten();
    let open = match body.get(open..).unwrap_or(&[]) {
        [b, ..] if own_line.is_some() && b.is_ascii_alphanumeric() => None,
        [b'-', b' ', ..] if body.get(..open).is_some_and(|gap| gap.contains(&b'\n')) => None,
        [b'[', b']', rest @ ..] if let Some(len) = opened(rest) => Some(open + 2 + len),
        [b'[' | b'(' | b'{', ..] => Some(open),
        // `[]string{`, `new String[] {`, `List.of(`, `%w[`
        rest => Some(open + opened(rest)?),
    };
    let indent = own_line.filter(|_| open.is_none());
    Some(List {
        body,
        after,
        open,
        indent,
    })
}

/// How deep a name stands that begins its line.
fn indent(text: &[u8], at: usize) -> Option<usize> {
    const DEEPEST: usize = 80;
    let head = text.get(at.saturating_sub(DEEPEST)..at)?;
    let blanks = head.iter().rev().take_while(|b| **b == b' ').count();
    let before = at.checked_sub(blanks + 1).and_then(|at| text.get(at));
    before.is_none_or(|b| *b == b'\n').then_some(blanks)
}

/// `[secrets]` alone on its line: a section of settings.
fn section<'t>(text: &'t [u8], name: &Range<usize>) -> Option<List<'t>> {
    let head = text.get(..name.start)?.strip_suffix(b"[")?;
    let begins = head.last().is_none_or(|b| *b == b'\n');
    let rest = text.get(name.end..)?;
    (begins && rest.starts_with(b"]\n")).then(|| List {
        body: rest.get(..REACH).unwrap_or(rest),
        after: name.end,
        open: None,
        indent: None,
    })
}

/// How far the bracket is that opens a list behind its type.
fn opened(rest: &[u8]) -> Option<usize> {
    let fits = |b: &&u8| {
        b.is_ascii_alphanumeric() || matches!(b, b' ' | b'[' | b']' | b'.' | b'<' | b'>' | b'!')
    };
    let len = rest.iter().take(32).take_while(fits).count();
    matches!(rest.get(len), Some(b'{' | b'(')).then_some(len)
}

/// The strings up to the bracket that closes the list; a key of a map is none, nor is what its key
/// says to be told of a secret beside it: `"secrets": [{"id": "…", "version": "…"}]`.
fn strings(body: &[u8], open: usize) -> Vec<(Range<usize>, Item)> {
    let mut found = Vec::new();
    let mut name: &[u8] = &[];
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
                if key {
                    name = rest.get(..len).unwrap_or(&[]);
                } else if rest.get(len) == Some(byte) && !is_label(name) {
                    found.push((at + 1..at + 1 + len, Item::Quoted));
                }
                at += len + 1;
            }
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' if depth <= 1 => break,
            b']' | b')' | b'}' => depth -= 1,
            b if b.is_ascii_alphanumeric() => {
                let rest = body.get(at..).unwrap_or(&[]);
                let word = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.+/=".contains(*b);
                let len = rest.iter().take_while(word).count();
                if rest.get(len) == Some(&b':') {
                    name = rest.get(..len).unwrap_or(&[]);
                }
                let ends = matches!(rest.get(len), Some(b',' | b']'));
                let begins = matches!(body.get(..at), Some([.., b'[' | b' ' | b',' | b'\n']));
                if ends && begins && depth == 1 && body.get(open) == Some(&b'[') {
                    found.push((at..at + len, Item::Bare));
                }
                at += len - 1;
            }
            b',' => name = &[],
            _ => {}
        }
        at += 1;
    }
    found
}

/// The items of a list of lines: `- …`, `x: …`; under a section's heading `x = …`.
fn items(body: &[u8], indent: Option<usize>) -> Vec<(Range<usize>, Item)> {
    let mut found = Vec::new();
    let first = memchr::memchr(b'\n', body).map_or(body.len(), |feed| feed + 1);
    let mut start = first;
    while let Some(rest) = body.get(start..).filter(|_| found.len() < MOST) {
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..len).unwrap_or(rest);
        let gap = line.iter().take_while(|b| **b == b' ').count();
        let head = line.get(gap..).unwrap_or(&[]);
        let below = indent.is_none_or(|indent| gap > indent);
        let (name, skip, plain) = if head.starts_with(b"- ") {
            (&[][..], 2, Item::Bare)
        } else if let Some((name, skip)) = entry(head, indent.is_none()).filter(|_| below) {
            (name, skip, Item::Entry)
        } else {
            break;
        };
        let at = start + gap + skip;
        start += len + 1;
        if is_label(name) {
            continue;
        }
        let item = head.get(skip..).unwrap_or(&[]).trim_ascii_end();
        match item {
            [q @ (b'"' | b'\''), inner @ .., last] if q == last => {
                found.push((at + 1..at + 1 + inner.len(), Item::Quoted));
            }
            word if !word.iter().any(u8::is_ascii_whitespace) => {
                found.push((at..at + word.len(), plain));
            }
            _ => {}
        }
    }
    found
}

/// The name, and how far the value is, in `name: value`, or in `name = value` of a section.
fn entry(line: &[u8], section: bool) -> Option<(&[u8], usize)> {
    let letter = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.@\"'".contains(*b);
    let len = line.iter().take(48).take_while(letter).count();
    let name = line.get(..len)?.trim_ascii();
    let sign = spaces(line, len, 16);
    let sign = match (line.get(sign..)?, section) {
        ([b':', b' ', ..], false) | ([b'=', ..], true) => sign + 1,
        _ => return None,
    };
    (len > 0).then(|| (name, spaces(line, sign, 16)))
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
            "secrets = [{id: 'ab12cd34ef56ab78', first: '{1}', other: '{2}'}]",
            "secrets:\n  id: ab12cd34ef56ab78\n  first: {1}\n  other: {2}\n",
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
            "{\"secrets\": [{\"fingerprint\": \"3f9a1c2b77d0e43f9a1c2b77d0e4aa12\", \"rule\": \"npm\"}]}",
            "secrets: {db: {versionId: 'a1b2c3d4e5f6a7b8', \"etag\": \"k9Pw3Lm8Qz2x77d0\"}}",
            "secrets:\n  db:\n    digest: ab12cd34ef56ab78\n    id: x8Kq2mPz7Rw1k9Pw\n",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
