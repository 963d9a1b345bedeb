//! Claude Code's sessions: JSON lines that the tool appends to while it works.
//!
//! The format is internal to the tool and changes between its versions, so nothing is assumed that
//! memory does not need. Rows are read in file order, never sorted by time. Which turn a row makes
//! is told by its structure; the few texts that the tool writes into user rows are told by how
//! they begin.

mod discover;
mod row;
mod tree;
mod turns;
mod words;
mod wrapped;

use super::format::Format;
use super::frame::{self, Spot, Took};
use super::intake::Intake;
use super::session::{Found, Session, Where};
use super::sink::row_id;
use super::walk::{Walker, walk};
use super::{Reading, Sink, SourceError, Tool};
use crate::digest::Coverage;
use row::Row;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use turns::Reader;

/// Claude Code's format.
pub(super) struct ClaudeCode;

impl Format for ClaudeCode {
    fn discover(&self, at: Where<'_>, found: &mut Found) {
        for dir in discover::folders(at) {
            discover::discover(dir, &at.places.state, found);
        }
    }

    fn place(&self, at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
        let mut projects = discover::folders(at).map(|dir| dir.join("projects"));
        let is_inside = |dir: &Path| dir.canonicalize().is_ok_and(|dir| path.starts_with(dir));
        projects.any(|dir| is_inside(&dir)).then(|| self.file(path))
    }

    fn is_like(&self, head: &[u8]) -> bool {
        frame::any_object(head, &|object| {
            serde_json::from_slice(object).is_ok_and(|row: Row<'_>| row.is_recognised())
        })
    }

    fn file(&self, path: &Path) -> Result<Session, SourceError> {
        Session::of_file(Tool::Claude, path)
    }

    fn read(
        &self,
        session: &Session,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError> {
        read_claude(&session.path, range.start, Some(range.end), reading, sink)
    }
}

/// Reads the bytes from `from` up to `to` (or the file's end now) of a session file, which must
/// begin at a line.
///
/// [`Coverage::end`] is where the next reading starts: behind the last line feed, or at the end
/// when the last line, still without one, is complete.
///
/// # Errors
/// When the file cannot be opened or read. Damage inside it is counted, not an error.
pub fn read_claude(
    path: &Path,
    from: u64,
    to: Option<u64>,
    reading: &Reading<'_>,
    sink: &mut dyn Sink,
) -> Result<Coverage, SourceError> {
    let io = |e| SourceError::io(path)(e);
    // Asked before it is opened: opening a pipe would wait for a writer.
    if !std::fs::metadata(path).map_err(io)?.is_file() {
        return Err(SourceError::NotAFile {
            path: path.to_owned(),
        });
    }
    let mut file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let end = to.unwrap_or(size).min(size);
    file.seek(SeekFrom::Start(from)).map_err(io)?;
    let mut reader = Reader::new(path, from, reading, sink);
    walk(path, file.take(end.saturating_sub(from)), from, &mut reader)?;
    Ok(reader.finish())
}

impl<'r, 's> Walker<'r, 's> for Reader<'r, 's> {
    fn intake(&mut self) -> &mut Intake<'r, 's> {
        &mut self.intake
    }

    fn object(
        &mut self,
        offset: u64,
        object: &[u8],
        spot: Spot,
    ) -> Result<Took, serde_json::Error> {
        let row: Row<'_> = serde_json::from_slice(object)?;
        let fits = spot == Spot::First || row.session_id.text().is_some();
        if row.kind.text().is_none() || !fits {
            return Ok(Took::NoRow);
        }
        self.row(offset, &row)?;
        Ok(Took::Row)
    }
}

impl Reader<'_, '_> {
    /// Ends the reading: what is only known at the end.
    fn finish(mut self) -> Coverage {
        self.title();
        self.unknown_format();
        let abandoned = std::mem::take(&mut self.tree).abandoned();
        if !abandoned.is_empty() {
            self.intake
                .sink
                .abandon(&self.intake.coverage.source, &|id| {
                    abandoned.contains(row_id(id))
                });
        }
        self.intake.coverage
    }
}
