//! Files that hold nothing but secrets (`.env`, keys, credentials), and commands that show such
//! files or secrets themselves. There every value is hidden that is not plainly a setting, and the
//! names stay.

mod answer;
mod bare;
mod block;
mod marks;
mod named;
mod objects;
mod pairs;
mod prompts;
mod setting;
mod shell;
mod shown;
pub(super) mod signs;
mod stores;
mod table;
mod written;

use super::Part;
use super::assignment::says_secret;
use super::scan::Span;
use super::value;
use answer::{Asked, Reader};
use marks::{Form, goes_on, located, mark};
use pairs::pairs;
pub(in crate::redact) use setting::is_label;
use shown::Shown;
use signs::Signs;
use std::ops::Range;

/// What is known of a text by where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The environment: names and values, most of them harmless.
    Environment,
    /// Names and values, a line each.
    Values,
    /// What a command gives out of a store of secrets: a value, or names and values.
    Answer,
    /// A key: no line of it is of use.
    Key,
}

pub(super) fn find(text: &[u8], part: &Part<'_>, signs: Signs) -> Vec<Span> {
    let signs = signs.and_short(text);
    let mut spans = objects::find(text, &signs);
    if part.call {
        let called = part.tool.map_or(0, |tool| tool.name.len() + 2);
        let script = text.get(called..).unwrap_or(&[]);
        let values = written::values(script).into_iter();
        spans.extend(values.map(|r| span(text, called + r.start..called + r.end, Kind::Values)));
    }
    let search = Search::new(&signs, part);
    if search.is_needed() {
        search.lines(text, &mut spans);
    }
    spans
}

fn span(text: &[u8], range: Range<usize>, kind: Kind) -> Span {
    Span {
        remember: is_sure(kind, text, &range),
        range,
        rule: "secret_file".into(),
    }
}

/// What is known of a text before it is read.
struct Search<'p> {
    /// What all of it is.
    own: Option<Shown>,
    /// The command that printed it.
    command: &'p [u8],
    /// It says of lines what they show.
    marked: bool,
    /// Its lines are found ones, each with its file.
    searched: bool,
    /// Something is written below a line of it.
    writes: bool,
}

impl<'p> Search<'p> {
    fn new(signs: &Signs, part: &Part<'p>) -> Self {
        let tool = part.tool.filter(|_| !part.call);
        let command = tool.and_then(|tool| tool.command.as_deref());
        let path = tool.and_then(|tool| tool.path.as_deref());
        let file = path
            .and_then(named::kind)
            .map(|kind| Shown { kind, sole: true });
        Self {
            own: command.and_then(shown::shown).or(file),
            command: command.unwrap_or("").as_bytes(),
            marked: signs.marks,
            searched: tool.is_some_and(shown::searches),
            writes: !part.call && signs.below,
        }
    }

    fn is_needed(&self) -> bool {
        self.own.is_some() || self.marked || self.searched || self.writes
    }

    fn lines(&self, text: &[u8], spans: &mut Vec<Span>) {
        let mut reader = Reader::default();
        let mut searched = self.searched;
        let (mut told, mut heading, mut below) = (None, None, None::<(Kind, Vec<u8>)>);
        // Within a certificate or a public key.
        let mut public = false;
        let mut at = 0;
        let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
        for end in ends {
            let line = text.get(at..end).unwrap_or(&[]);
            let mut add = |from: usize, kind: Kind, found: Vec<Range<usize>>| {
                let start = at + from;
                let all = found.into_iter().map(|r| start + r.start..start + r.end);
                spans.extend(all.map(|range| span(text, range, kind)));
            };
            let mut asks = false;
            if let Some(mark) = mark(line).filter(|_| self.marked) {
                reader = Reader::default();
                searched = self.searched || mark.searches;
                if matches!(mark.form, Form::Answer { .. }) {
                    let from = line.len() - mark.command.len();
                    add(from, Kind::Values, written::values(mark.command));
                    // A prompt's own line is none of the answer below it.
                    asks = !line.starts_with(b"<");
                }
                told = mark.kind.map(|kind| (mark, kind));
            } else if let Some((mark, kind)) = &mut told {
                let goes = mark.lines > 0 && goes_on(mark, *kind, line);
                mark.lines = mark.lines.saturating_sub(1);
                if !goes {
                    told = None;
                }
            }
            if let Some((kind, until)) = &below {
                if line.trim_ascii_end() == until.as_slice() {
                    below = None;
                } else {
                    add(0, *kind, hidden(*kind, line));
                }
            } else if self.writes && has_below(line) {
                below = written::below(line);
            }
            if searched {
                heading = marks::heading(line)
                    .unwrap_or(heading)
                    .filter(|_| !line.is_empty());
            }
            let of_line = located(line).filter(|_| searched);
            let hit = || heading.map(|kind| (kind, marks::hit(line).unwrap_or(0)));
            let (kind, from, asked) = if let Some((kind, from)) = of_line.or_else(hit) {
                (Some(kind), from, Asked::default())
            } else if let Some(own) = self.own {
                // No text can say that it is of another file than the tool was asked for.
                let from = marks::hit(line).filter(|_| searched).unwrap_or(0);
                let asked = Asked {
                    command: self.command,
                    sole: own.sole,
                };
                (Some(own.kind), from, asked)
            } else {
                let told = told.as_ref().filter(|_| !asks);
                let asked = told.map_or_else(Asked::default, |(mark, _)| mark.asked());
                (told.map(|(_, kind)| *kind), 0, asked)
            };
            let shown = line.get(from..).unwrap_or(&[]);
            if kind == Some(Kind::Key) {
                public = is_public(shown).unwrap_or(public);
            }
            let found = match kind {
                Some(Kind::Answer) => reader.line(shown, asked),
                Some(Kind::Key) if public => Vec::new(),
                Some(kind) => hidden(kind, shown),
                None => Vec::new(),
            };
            if let Some(kind) = kind {
                add(from, kind, found);
            }
            at += line.len() + 1;
        }
    }
}

/// Whether a line has `<<`.
fn has_below(line: &[u8]) -> bool {
    memchr::memchr_iter(b'<', line).any(|at| line.get(at + 1) == Some(&b'<'))
}

/// What a line loses, of a text of this kind.
fn hidden(kind: Kind, line: &[u8]) -> Vec<Range<usize>> {
    let bytes = |range: &Range<usize>| line.get(range.clone()).unwrap_or(&[]);
    let values = |hides: &dyn Fn(&[u8], &[u8]) -> bool| {
        let all = pairs(line).into_iter();
        let told = all.filter(|(name, value)| hides(bytes(name), bytes(value)));
        told.map(|(_, value)| value).collect()
    };
    match kind {
        Kind::Key => key_line(line).into_iter().collect(),
        Kind::Values => values(&|name, found| !setting::stays(name, found)),
        Kind::Environment => values(&|name, found| {
            let random =
                found.len() >= 8 && value::is_secret(found) || value::is_password(found, false);
            says_secret(name) || random && !setting::stays(name, found)
        }),
        Kind::Answer => Reader::default().line(line, Asked::default()),
    }
}

/// Worth hiding wherever it comes again: nothing that may be a word or a place, and, where a name
/// stands that does not say secret, no commit, digest, version or name of a machine either.
fn is_sure(kind: Kind, text: &[u8], range: &Range<usize>) -> bool {
    let found = text.get(range.clone()).unwrap_or(&[]);
    let looks = found.len() >= 8 && (value::is_secret(found) || value::is_password(found, false));
    let named = || {
        let from = range.start.saturating_sub(NAME);
        let before = text.get(from..range.start).unwrap_or(&[]);
        let line = from + memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
        let all = pairs(text.get(line..range.end).unwrap_or(&[]));
        let name = all
            .last()
            .and_then(|(name, _)| text.get(line + name.start..line + name.end));
        name.is_some_and(says_secret) || value::is_certainly_random(found)
    };
    match kind {
        Kind::Key => false,
        Kind::Answer => looks && !is_id(found),
        Kind::Values | Kind::Environment => looks && named(),
    }
}

/// How far before a value its name is looked for, in bytes.
const NAME: usize = 200;

/// A UUID, or a digest of a commit, a file or an image.
fn is_id(found: &[u8]) -> bool {
    let hex = found.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    hex && matches!(found.len(), 36 | 40 | 64)
}

/// `4711`, `20231122`: a number that a password's name makes a password.
fn is_figures(found: &[u8]) -> bool {
    (4..=64).contains(&found.len()) && found.iter().all(u8::is_ascii_digit)
}

/// Whether what begins on a line of a file of keys is meant to be seen; nothing begins on most.
fn is_public(line: &[u8]) -> Option<bool> {
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    let begins = has(b"-----BEGIN ");
    (begins || has(b"-----END ")).then(|| begins && (has(b"CERTIFICATE") || has(b"PUBLIC KEY")))
}

/// A line of key material.
fn key_line(line: &[u8]) -> Option<Range<usize>> {
    let start = super::lines::gutter(line, 0);
    let body = line.get(start..)?.trim_ascii_end();
    let pad = body.iter().rev().take_while(|b| **b == b'=').count();
    let core = body.get(..body.len() - pad)?;
    let material = body.len() >= 16
        && pad <= 2
        && core
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'));
    material.then(|| start..start + body.len())
}

#[cfg(test)]
mod tests;
