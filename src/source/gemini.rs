//! Gemini CLI's sessions: messages in lines, or, before that, in one object a file.
//!
//! Both are read as one list of messages, whose units are messages: the tool writes a message again
//! when more of it is known, so that bytes tell nothing. Every part of a message has an id of its own,
//! by which what comes later is told from what was read.

mod discover;
mod folder;
mod message;
mod record;

use super::format::Format;
use super::intake::{Intake, Part, understood};
use super::session::{Found, Mark, Session, Where};
use super::{Fingerprint, Reading, Sink, SourceError};
use crate::digest::Coverage;
use crate::text::TextHash;
use message::{Message, Said, message};
use record::{Entry, Record};
use serde_json::{Map, Value};
use std::ops::Range;
use std::path::Path;

/// Roughly how many bytes a message is.
const MESSAGE: u64 = 2048;
/// Messages at each end that a fingerprint looks at.
const REACH: usize = 4;

/// Gemini CLI's format.
pub(super) struct Gemini;

impl Format for Gemini {
    fn discover(&self, at: Where<'_>, found: &mut Found) {
        discover::discover(at, found);
    }

    fn place(&self, at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
        discover::place(at, path)
    }

    fn is_like(&self, head: &[u8]) -> bool {
        let head = &head[..head.len().min(4096)];
        let has = |key: &[u8]| memchr::memmem::find(head, key).is_some();
        head.trim_ascii_start().starts_with(b"{")
            && has(b"\"sessionId\"")
            && has(b"\"projectHash\"")
    }

    fn file(&self, path: &Path) -> Result<Session, SourceError> {
        let none = || SourceError::NoKnownFormat {
            path: path.to_owned(),
        };
        discover::session(&path.with_extension("jsonl"), None)?.ok_or_else(none)
    }

    /// The tool writes no directory into its messages: what is known of it is the session's root.
    fn counted(&self) -> Option<u64> {
        Some(MESSAGE)
    }

    fn read(
        &self,
        session: &Session,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError> {
        let record = open(session)?;
        let root = session.root.as_ref().map(|dir| dir.to_string_lossy());
        let mut intake = Intake::new(&session.key, range.start, reading, sink);
        intake.session(&record.session);
        // What is not of the project, or of nobody knows which, does not count as read: that may change.
        if let Some(why) = intake.is_foreign(root.as_deref()) {
            intake.skip(why);
            return Ok(intake.coverage);
        }
        let (start, end, entries) = within(&record, range);
        intake.coverage.end = end;
        let mut teller = Teller {
            intake,
            session: &record.session,
            root: root.as_deref(),
            at: start,
        };
        record.each(entries, &mut |entry, message| {
            teller.message(entry, message.as_ref());
            teller.at += 1;
        })?;
        for _ in 0..record.damaged.min(1000) {
            teller.intake.unreadable("damaged line");
        }
        understood(session, teller.intake.coverage)
    }

    fn fingerprint(&self, session: &Session, end: u64) -> Result<Fingerprint, SourceError> {
        let record = open(session)?;
        let (_, _, before) = within(&record, 0..end);
        let head = &before[..before.len().min(REACH)];
        let tail = &before[before.len().saturating_sub(REACH)..];
        Ok(Fingerprint {
            head: marks(&record, head)?,
            head_len: head.len() as u64,
            tail: marks(&record, tail)?,
            tail_len: tail.len() as u64,
        })
    }

    fn mark(&self, session: &Session) -> Option<Mark> {
        let record = open(session).ok()?;
        let mut seen = Vec::new();
        let all = record.each(record.done(), &mut |entry, read| {
            if let Some(Message::Said(said)) = read.map(|m| message(&entry.id, &entry.kind, &m)) {
                seen.extend(said.into_iter().map(|said| said.id));
            }
        });
        all.ok()?;
        Some(Mark {
            end: record.done().len() as u64,
            seen,
        })
    }
}

fn open(session: &Session) -> Result<Record, SourceError> {
    Record::of(&discover::files(Path::new(&session.key)))
}

/// The messages of a range that are whole, with where they begin and end.
fn within(record: &Record, range: Range<u64>) -> (u64, u64, &[Entry]) {
    let done = record.done();
    let most = done.len() as u64;
    let (start, end) = (range.start.min(most), range.end.min(most));
    let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let entries = done.get(index(start)..index(end)).unwrap_or_default();
    (start, end.max(range.start), entries)
}

fn marks(record: &Record, entries: &[Entry]) -> Result<String, SourceError> {
    let mut marks = String::new();
    record.each(entries, &mut |entry, read| {
        marks += &message::mark(&entry.id, &read.unwrap_or_default());
        marks.push('\n');
    })?;
    Ok(TextHash::of(&marks).as_str().to_owned())
}

struct Teller<'a, 'r, 's> {
    intake: Intake<'r, 's>,
    session: &'a str,
    root: Option<&'a str>,
    at: u64,
}

impl Teller<'_, '_, '_> {
    fn message(&mut self, entry: &Entry, read: Option<&Map<String, Value>>) {
        let Some(read) = read else {
            return self.intake.unreadable("damaged message");
        };
        let at = super::json::text(read, "timestamp").parse().ok();
        match message(&entry.id, &entry.kind, read) {
            Message::Nothing(why) => self.intake.skip(why),
            Message::Unknown => {
                self.intake.unknown_type(&entry.kind);
            }
            Message::Said(said) => {
                for Said {
                    id,
                    role,
                    text,
                    tool,
                } in said
                {
                    let part = Part {
                        offset: self.at,
                        id: Some((&id, 0)),
                        session: self.session,
                        at,
                        cwd: self.root,
                        tool,
                        abandoned: entry.abandoned,
                    };
                    self.intake.part(role, &text, part);
                }
            }
        }
    }
}
