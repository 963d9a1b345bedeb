//! Objects that say themselves that they hold a secret, whoever printed them: a Kubernetes
//! `Secret`, what a cloud's store answers.

use super::answer::Reader;
use super::pairs::{is_worth_hiding, pairs};
use super::signs::Signs;
use super::{Kind, setting, span};
use crate::redact::scan::Span;
use std::ops::Range;

/// What a manifest of secrets says of itself.
pub(super) const MANIFESTS: [&[u8]; 3] = [
    b"kind: Secret",
    b"\"kind\": \"Secret\"",
    b"\"kind\":\"Secret\"",
];

/// What an object of a store has, and nothing else; and how many lines away its value may stand.
pub(super) const SIGNS: [(&[u8], usize); 6] = [
    (b".vault.azure.net/secrets/", 14),
    (b"SecureString", 4),
    (b"\"SecretString\"", 1),
    (b":secretsmanager:", 8),
    (b"\"sensitive\": true", 3),
    (b"\"sensitive\":true", 0),
];

/// What the secret itself is called there.
const VALUES: [&[u8]; 4] = [b"value", b"Value", b"SecretString", b"SecretBinary"];

pub(super) fn find(text: &[u8], signs: &Signs) -> Vec<Span> {
    let mut spans = Vec::new();
    if signs.manifests {
        manifests(text, &mut spans);
    }
    if !signs.answers.is_empty() {
        answers(text, &signs.answers, &mut spans);
    }
    spans
}

/// What stands under `data` and `stringData` of manifests whose kind is a secret's.
fn manifests(text: &[u8], spans: &mut Vec<Span>) {
    for document in documents(text) {
        let body = text.get(document.clone()).unwrap_or(&[]);
        if !is_manifest(body) {
            continue;
        }
        let mut reader = Reader::of_held();
        let mut at = document.start;
        for line in body.split(|b| *b == b'\n') {
            for found in reader.held(line) {
                let range = at + found.start..at + found.end;
                spans.push(span(text, range, Kind::Answer));
            }
            at += line.len() + 1;
        }
    }
}

/// Parts between lines of `---`.
fn documents(text: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split(|b| *b == b'\n') {
        if line.trim_ascii_end().ends_with(b"---") && line.len() <= 16 {
            found.push(start..at);
            start = at;
        }
        at += line.len() + 1;
    }
    found.push(start..text.len());
    found
}

/// `kind: Secret`, and no word behind it: a `SecretStore` keeps nothing itself.
fn is_manifest(body: &[u8]) -> bool {
    MANIFESTS.iter().any(|sign| {
        memchr::memmem::find_iter(body, sign).any(|at| {
            let next = body.get(at + sign.len());
            next.is_none_or(|b| !b.is_ascii_alphanumeric())
        })
    })
}

/// The values of a store's objects, near what tells them: the places of signs.
fn answers(text: &[u8], told: &[(usize, usize)], spans: &mut Vec<Span>) {
    let mut near: Vec<Range<usize>> = SIGNS
        .iter()
        .enumerate()
        .flat_map(|(sign, (_, reach))| {
            let places = told.iter().filter(move |(_, told)| *told == sign);
            around(text, places.map(|(at, _)| *at), *reach)
        })
        .collect();
    near.sort_unstable_by_key(|lines| lines.start);
    let mut done = 0;
    for lines in near {
        let mut at = lines.start.max(done);
        for line in text
            .get(at..lines.end)
            .unwrap_or(&[])
            .split(|b| *b == b'\n')
        {
            for (name, value) in pairs(line) {
                let found = line.get(value.clone()).unwrap_or(&[]);
                let named = line.get(name).is_some_and(|name| VALUES.contains(&name));
                let alone = is_alone(line, &value);
                if named && alone && is_worth_hiding(found) && !setting::is_setting(found) {
                    spans.push(span(text, at + value.start..at + value.end, Kind::Answer));
                }
            }
            at += line.len() + 1;
        }
        done = done.max(lines.end);
    }
}

/// The lines that have a sign, each with so many before and after it.
fn around(text: &[u8], signs: impl Iterator<Item = usize>, reach: usize) -> Vec<Range<usize>> {
    let (mut found, mut line) = (Vec::new(), 0);
    for at in signs {
        // The first one on a line is enough.
        if at < line {
            continue;
        }
        let (before, after) = text.split_at(at);
        let mut ends = memchr::memchr_iter(b'\n', after).chain([after.len()]);
        line = at + ends.next().unwrap_or(0);
        let end = ends.take(reach).last().map_or(line, |end| at + end);
        let start = memchr::memrchr_iter(b'\n', before).nth(reach);
        found.push(start.map_or(0, |start| start + 1)..end);
    }
    found
}

/// Whether no other object on the line says of itself that its value may be seen.
fn is_alone(line: &[u8], value: &Range<usize>) -> bool {
    let before = line.get(..value.start).unwrap_or(&[]);
    let open = memchr::memrchr(b'{', before).unwrap_or(0);
    let own = before.get(open..).unwrap_or(&[]);
    [&b"\"sensitive\":false"[..], b"\"sensitive\": false"]
        .iter()
        .all(|open| memchr::memmem::find(own, open).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::scan::scan_with_signs;

    fn left(text: &str) -> String {
        let mut out = text.to_owned();
        let signs = scan_with_signs(text.as_bytes(), 0).1;
        for found in find(text.as_bytes(), &signs).into_iter().rev() {
            out.replace_range(found.range, "§");
        }
        out
    }

    #[test]
    fn objects_that_say_what_they_hold_lose_it() {
        for (text, expected) in [
            (
                "kind: ConfigMap\ndata:\n  url: a3JhbmljaA==\n---\nkind: Secret\nmetadata:\n  name: storch\ndata:\n  url: dTprcmFuaWNoQGg=\n  user: YWRtaW4=\n",
                "kind: ConfigMap\ndata:\n  url: a3JhbmljaA==\n---\nkind: Secret\nmetadata:\n  name: storch\ndata:\n  url: §\n  user: YWRtaW4=\n",
            ),
            (
                "{\"id\": \"https://a.vault.azure.net/secrets/b/1\",\n \"name\": \"b\",\n \"value\": \"kranich-haus\"}",
                "{\"id\": \"https://a.vault.azure.net/secrets/b/1\",\n \"name\": \"b\",\n \"value\": \"§\"}",
            ),
            (
                "kind: SecretStore\ndata:\n  url: a3JhbmljaC1oYXVz\n",
                "kind: SecretStore\ndata:\n  url: a3JhbmljaC1oYXVz\n",
            ),
        ] {
            assert_eq!(left(text), expected);
        }
    }
}
