//! Names and values that are set one after the other: `user, password = "u", "…"`,
//! `const a, secret = "…", "…"`, `(user, password) = ("u", "…")`.
//!
//! Only finds the value in a name's place; looks at one line.

use super::super::command::{arguments, string};
use super::super::lines;
use super::reading::Value;
use std::ops::Range;

/// How far the line is looked at on either side of a name, in bytes.
const REACH: usize = 240;

/// What a name is set to which stands in a list of names, if that is a text.
pub(super) fn find(text: &[u8], name: &Range<usize>) -> Option<Option<Value>> {
    let before = text.get(name.start.saturating_sub(REACH)..name.start)?;
    let follows = matches!(before, [.., b',' | b'.' | b'*' | b'&'] | [.., b',', b' ']);
    if !follows && text.get(name.end) != Some(&b',') {
        return None;
    }
    let nth = names_before(lines::last(before))?;
    let rest = text.get(name.end..)?;
    let rest = rest.get(..REACH).unwrap_or(rest);
    let sign = sign(rest.split(|b| *b == b'\n').next()?)?;
    let names = rest.get(..sign.start)?.iter().filter(|b| **b == b',');
    let names = nth + 1 + names.count();
    let gap = rest.get(sign.end..)?.iter().take(8);
    let at = name.end + sign.end + gap.take_while(|b| b" ([".contains(b)).count();
    let body = text.get(at..)?;
    let body = body.get(..REACH * 4).unwrap_or(body);
    let line = body.get(..memchr::memchr(b'\n', body).unwrap_or(body.len()))?;
    let all = arguments(&[line, b")"].concat(), REACH * 4);
    // `f(secret, mode="…")`: arguments with names of their own.
    let text = |value: &Range<usize>| {
        let value = line.get(value.clone()).unwrap_or(&[]).trim_ascii();
        matches!(value, [b'"' | b'\'' | b'`', ..]) || !value.contains(&b'=')
    };
    if names < 2 || all.len() != names || !all.iter().all(text) {
        return None;
    }
    let found = all.get(nth).and_then(|value| string(line, value));
    Some(found.map(|found| Value::new(at + found.start..at + found.end, true)))
}

/// How many names of a list stand on a line before the next one.
fn names_before(head: &[u8]) -> Option<usize> {
    let word = |b: &u8| b.is_ascii_alphanumeric() || b"_.$@&*:".contains(b);
    let mut parts = head.rsplit(|b| *b == b',');
    let last = parts.next()?.trim_ascii();
    let mut count = 0;
    let mut opens = last;
    for part in parts {
        if !opens.is_empty() && !opens.iter().all(word) {
            return None;
        }
        opens = part.trim_ascii();
        count += 1;
    }
    // What opens the list: `const a`, `let (a`, nothing before the only name; no call.
    let called = |w: &[u8]| matches!(w, [b, b'('] if b.is_ascii_alphanumeric());
    let words = opens.split(|b| matches!(b, b' ' | b'(' | b'\t' | b'['));
    let words = words.filter(|w| !w.is_empty());
    let plain = words.clone().all(|w| w.iter().all(word)) && words.count() <= 3;
    (plain && !opens.windows(2).any(called)).then_some(count)
}

/// The sign that sets a list of names, behind one of them.
fn sign(line: &[u8]) -> Option<Range<usize>> {
    let names = |b: &&u8| b.is_ascii_alphanumeric() || b"_.$@&*, )]\t".contains(*b);
    let len = line.iter().take_while(names).count();
    let more = match line.get(len..)? {
        [b'=', b'=' | b'>' | b'~', ..] => return None,
        [b'=', ..] => 1,
        [b':', b'=', ..] => 2,
        _ => return None,
    };
    Some(len..len + more)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn each_name_of_a_list_has_the_value_in_its_place() {
        for text in [
            "user, password = \"ada\", \"{}\"",
            "password, user = '{}', 'ada'",
            "const AppID, APISecret = \"shop\", \"{}\"",
            "cfg.User, cfg.Passwd = \"ada\", \"{}\"",
            "let (user, password) = (\"ada\", \"{}\");",
            "API_SECRET, API_KEY = '{}', 'x8Kq2mPz7Rw1x8Kq2mPz7Rw1'",
        ] {
            let shown = redact(&text.replace("{}", "kettle91otter"));
            assert!(!shown.contains("kettle91otter"), "{shown}");
            assert!(!shown.contains("x8Kq2mPz7Rw1"), "{shown}");
            assert_eq!(text.contains("ada"), shown.contains("ada"), "{shown}");
        }
        for text in [
            "user, password = \"ada2024x\", ask(\"kettle91otter\")",
            "login(secret, name=\"kettle91otter\", mode=\"kettle92otter\")",
            "ok, token := m[\"kettle91otter\"]",
            "for user, password in [(\"ada\", \"kettle91otter\")]",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
