//! Files that a project's `extra_sources` name: rows of a simple JSON form, and plain text.
//!
//! They belong to the project that names them. Units are bytes. What is of neither form is said, and
//! never read as something that it is not.

mod named;
mod pieces;
mod rows;

use super::format::{Format, mark_lines};
use super::frame::any_object;
use super::session::{Found, Mark, Session, Where};
use super::{Reading, Sink, SourceError, Tool};
use crate::digest::Coverage;
use std::ops::Range;
use std::path::Path;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The forms that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A JSON object a line.
    Rows,
    /// Text that is added to; in a log the last line may be half written.
    Text { is_log: bool },
}

/// Every known ending of a file's name, for people.
const ENDINGS: &str = ".jsonl, .md, .markdown, .txt, .log";

fn form(path: &Path) -> Option<Form> {
    let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "jsonl" => Some(Form::Rows),
        "md" | "markdown" | "txt" => Some(Form::Text { is_log: false }),
        "log" => Some(Form::Text { is_log: true }),
        _ => None,
    }
}

/// The files' format.
pub(super) struct Files;

impl Format for Files {
    fn discover(&self, at: Where<'_>, found: &mut Found) {
        named::discover(at, found);
    }

    fn place(&self, at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
        named::place(at, path)
    }

    fn is_like(&self, head: &[u8]) -> bool {
        any_object(head, &|object| rows::is_row(object))
    }

    fn file(&self, path: &Path) -> Result<Session, SourceError> {
        Session::of_file(Tool::Text, path)
    }

    fn mark(&self, session: &Session) -> Option<Mark> {
        match form(&session.path) {
            Some(Form::Text { is_log: false }) => {
                pieces::mark(session, self.bytes(session, 0).ok()?).ok()
            }
            _ => mark_lines(session, &|from| self.bytes(session, from)),
        }
    }

    fn read(
        &self,
        session: &Session,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError> {
        match form(&session.path) {
            Some(Form::Text { is_log }) => {
                let bytes = self.bytes(session, range.start)?;
                pieces::read(session, bytes, range, is_log, reading, sink)
            }
            // What is no text by its name was told to be rows by how it begins.
            Some(Form::Rows) | None => {
                let bytes = self.bytes(session, range.start)?;
                rows::read(session, bytes, range, reading, sink)
            }
        }
    }
}
