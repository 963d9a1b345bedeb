//! Reads what a store of secrets answers, line by line: a bare value, names and values, a table,
//! an object that holds the secrets under one name and tells of them under others.

use super::bare::{bare, is_random};
use super::pairs::{self, Pair, is_worth_hiding, pairs};
use super::setting;
use super::table::{cells, header};
use crate::redact::assignment::says_secret;
use crate::redact::value;
use std::ops::Range;

/// Below these stand the secrets themselves, whatever they are called.
const HOLDERS: [&str; 4] = ["data", "stringdata", "binarydata", "secretdata"];

/// What a store tells of a secret, also beside it in a holder.
const TOLD: [&str; 18] = [
    "created_time",
    "creation_time",
    "custom_metadata",
    "deletion_time",
    "destroyed",
    "version",
    "lease_id",
    "lease_duration",
    "renewable",
    "request_id",
    "mount_type",
    "creationtimestamp",
    "resourceversion",
    "uid",
    "kind",
    "apiversion",
    "namespace",
    "last-applied-configuration",
];

/// Where the secrets of an object stand: up to which depth of brackets, or which indent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    Depth(usize),
    Indent(usize),
}

/// What is known of an answer from the lines above.
#[derive(Debug, Default)]
pub(super) struct Reader {
    depth: usize,
    holder: Option<Holder>,
    /// Which cell of a row is the value; none of a table without one.
    column: Option<Option<usize>>,
    only_held: bool,
}

/// What was asked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked<'c> {
    /// The command, whose own words are no answer.
    pub command: &'c [u8],
    /// Whether nothing else is printed by it.
    pub sole: bool,
}

impl Asked<'_> {
    /// `wg show … dump`: rows of keys, private and public ones.
    fn is_dump(&self) -> bool {
        let has = |word: &[u8]| memchr::memmem::find(self.command, word).is_some();
        has(b"wg show") && has(b" dump")
    }
}

impl Reader {
    /// One that hides nothing but what stands in a holder.
    pub fn of_held() -> Self {
        Self {
            only_held: true,
            ..Self::default()
        }
    }

    /// What is to be hidden of the next line of an object.
    pub fn held(&mut self, line: &[u8]) -> Vec<Range<usize>> {
        self.leave(line);
        let hidden = self.pairs(line, &pairs(line));
        self.enter(line);
        hidden
    }

    /// What is to be hidden of the next line.
    pub fn line(&mut self, line: &[u8], asked: Asked<'_>) -> Vec<Range<usize>> {
        self.leave(line);
        let object = line.iter().any(|b| matches!(b, b'{' | b'['));
        let row = if object { Vec::new() } else { cells(line) };
        if row.len() >= 2 {
            return self.row(line, &row, asked);
        }
        if line.trim_ascii().is_empty() {
            self.column = None;
        }
        let found = pairs(line);
        let hidden = self.pairs(line, &found);
        self.enter(line);
        if found.is_empty() {
            // Elements of a list say what they are by themselves.
            let sole = asked.sole && self.depth == 0;
            return bare(line, Asked { sole, ..asked }).into_iter().collect();
        }
        hidden
    }

    /// A row of a table, its header, or a name and a value far apart.
    fn row(&mut self, line: &[u8], row: &[Range<usize>], asked: Asked<'_>) -> Vec<Range<usize>> {
        let text = |range: &Range<usize>| line.get(range.clone()).unwrap_or(&[]);
        if let Some(column) = header(line, row) {
            self.column = Some(column);
            return Vec::new();
        }
        let at = match self.column {
            Some(None) => return Vec::new(),
            Some(Some(column)) => column,
            None if row.len() == 2 => 1,
            None if asked.is_dump() => {
                // Of an interface its own key; of a peer the one both know.
                let at = usize::from(row.len() >= 8);
                let own = |r: &&Range<usize>| is_random(text(r));
                return row.get(at).filter(own).cloned().into_iter().collect();
            }
            // Fields without names.
            None if asked.sole => {
                let random =
                    |r: &&Range<usize>| is_random(text(r)) && !setting::is_setting(text(r));
                return row.iter().filter(random).cloned().collect();
            }
            None => return Vec::new(),
        };
        let Some(value) = row.get(at) else {
            return Vec::new();
        };
        let name = row
            .iter()
            .enumerate()
            .find(|(n, _)| *n != at)
            .map_or(&[][..], |(_, r)| text(r));
        let name = name
            .strip_suffix(b":")
            .or(name.strip_suffix(b"="))
            .unwrap_or(name);
        let known = self.column.is_some() || !name.contains(&b' ');
        let quotes = |b: &u8| matches!(b, b'"' | b'\'' | b'`');
        let inner = text(value);
        let open = usize::from(inner.first().is_some_and(quotes));
        let close = usize::from(inner.len() > 1 && inner.last().is_some_and(quotes));
        let value = value.start + open..value.end - close;
        let found = text(&value);
        let told = TOLD.iter().any(|t| name.eq_ignore_ascii_case(t.as_bytes()));
        let worth = is_worth_hiding(found) && !setting::stays(name, found);
        let hides = known && !told && (worth || pairs::is_chosen(name, found));
        hides.then_some(value).into_iter().collect()
    }

    fn pairs(&mut self, line: &[u8], found: &[Pair]) -> Vec<Range<usize>> {
        let text = |range: &Range<usize>| line.get(range.clone()).unwrap_or(&[]);
        let mut hidden = Vec::new();
        let mut at = 0;
        for (name, value) in found {
            self.brackets(line.get(at..name.start).unwrap_or(&[]));
            at = value.end;
            let low = text(name).to_ascii_lowercase();
            let told = TOLD.iter().any(|t| t.as_bytes() == low);
            let stays = match self.holder {
                Some(_) => told || stays_held(text(name), text(value)),
                None => self.only_held || told || setting::stays(text(name), text(value)),
            };
            let pin = !self.only_held && pairs::is_chosen(text(name), text(value));
            if !stays && is_worth_hiding(text(value)) || pin {
                hidden.push(value.clone());
            }
        }
        self.brackets(line.get(at..).unwrap_or(&[]));
        hidden
    }

    /// Follows the brackets; those that open behind a holder's name begin what it holds.
    fn brackets(&mut self, between: &[u8]) {
        for (at, byte) in between.iter().enumerate() {
            match byte {
                b'{' => {
                    if self.holder.is_none() && names_holder(between.get(..at).unwrap_or(&[])) {
                        self.holder = Some(Holder::Depth(self.depth));
                    }
                    self.depth += 1;
                }
                b'}' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.holder == Some(Holder::Depth(self.depth)) {
                        self.holder = None;
                    }
                }
                _ => {}
            }
        }
    }

    /// `data:` on a line of its own.
    fn enter(&mut self, line: &[u8]) {
        let body = line.trim_ascii();
        let Some(name) = body.strip_suffix(b":") else {
            return;
        };
        if self.holder.is_none() && is_holder(name) {
            self.holder = Some(Holder::Indent(indent(line)));
        }
    }

    fn leave(&mut self, line: &[u8]) {
        if let Some(Holder::Indent(of)) = self.holder
            && !line.trim_ascii().is_empty()
            && indent(line) <= of
        {
            self.holder = None;
        }
    }
}

fn indent(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

fn is_holder(name: &[u8]) -> bool {
    HOLDERS
        .iter()
        .any(|h| name.eq_ignore_ascii_case(h.as_bytes()))
}

/// `"data": ` right before a bracket.
fn names_holder(before: &[u8]) -> bool {
    let tail = before
        .get(before.len().saturating_sub(40)..)
        .unwrap_or(before);
    let tail = tail.trim_ascii_end();
    let tail = tail.strip_suffix(b"\"").unwrap_or(tail).trim_ascii_end();
    let Some(name) = tail.strip_suffix(b":") else {
        return false;
    };
    let name = name.trim_ascii_end();
    let name = name
        .strip_suffix(b"\"")
        .or(name.strip_suffix(b"'"))
        .unwrap_or(name);
    let start = name
        .iter()
        .rposition(|b| !b.is_ascii_alphanumeric())
        .map_or(0, |n| n + 1);
    name.get(start..).is_some_and(is_holder)
}

/// Whether what stands in a holder may be seen: it, or what it encodes, is a setting.
fn stays_held(name: &[u8], found: &[u8]) -> bool {
    let decoded = value::base64(found);
    let text = |b: &u8| b.is_ascii_graphic() || b.is_ascii_whitespace();
    let coded = found.len().is_multiple_of(4)
        && decoded.len() * 2 >= found.len()
        && decoded.iter().all(text);
    if !coded {
        return setting::stays(name, found);
    }
    let told = decoded.trim_ascii();
    !is_worth_hiding(told)
        || setting::is_setting(told) && !says_secret(name)
        || setting::stays(name, told) && !told.contains(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without what is hidden.
    fn left(command: &str, text: &str) -> String {
        let asked = Asked {
            command: command.as_bytes(),
            sole: true,
        };
        let mut reader = Reader::default();
        let mut out = String::new();
        for line in text.lines() {
            let mut line = line.to_owned();
            for range in reader
                .line(line.clone().as_bytes(), asked)
                .into_iter()
                .rev()
            {
                line.replace_range(range, "§");
            }
            out.push_str(&line);
            out.push('\n');
        }
        out
    }

    #[test]
    fn what_a_store_tells_of_a_secret_stays() {
        for (text, expected) in [
            (
                r#"{"Parameter":{"Name":"/a/db","Type":"SecureString","Value":"kranich-haus","Version":3,"LastModifiedDate":"2026-01-02T03:04:05Z","ARN":"arn:aws:ssm:eu-west-1:1:parameter/a/db"}}"#,
                r#"{"Parameter":{"Name":"/a/db","Type":"SecureString","Value":"§","Version":3,"LastModifiedDate":"2026-01-02T03:04:05Z","ARN":"arn:aws:ssm:eu-west-1:1:parameter/a/db"}}"#,
            ),
            (
                "apiVersion: v1\ndata:\n  url: dTprcmFuaWNoQGg=\n  host: ZGIubG9jYWw=\nkind: Secret\nmetadata:\n  name: storch-7\n",
                "apiVersion: v1\ndata:\n  url: §\n  host: ZGIubG9jYWw=\nkind: Secret\nmetadata:\n  name: storch-7\n",
            ),
            (
                "Key        Value\n---        -----\nlease_id   n/a\nstall      kranich-haus\nhost       db.internal\n",
                "Key        Value\n---        -----\nlease_id   n/a\nstall      §\nhost       db.internal\n",
            ),
            (
                "NAME    TYPE     DATA   AGE\nstall   Opaque   3      5d\n",
                "NAME    TYPE     DATA   AGE\nstall   Opaque   3      5d\n",
            ),
            (
                "┌──────┬──────────┐\n│ NAME │ VALUE    │\n├──────┼──────────┤\n│ PORT │ 8080     │\n│ A_B  │ a reiher │\n",
                "┌──────┬──────────┐\n│ NAME │ VALUE    │\n├──────┼──────────┤\n│ PORT │ 8080     │\n│ A_B  │ § │\n",
            ),
            ("kranich-haus\n", "§\n"),
            ("8080\n", "8080\n"),
            ("eu-west-1\n", "eu-west-1\n"),
            ("DB_PASSWORD\n", "DB_PASSWORD\n"),
        ] {
            assert_eq!(left("x", text).trim_end(), expected.trim_end());
        }
        assert_eq!(left("op read a; echo kranich", "kranich\n"), "kranich\n");
    }
}
