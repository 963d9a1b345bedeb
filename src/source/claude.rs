//! Claude Code's sessions: JSON lines that the tool appends to while it works.
//!
//! The format is internal to the tool and changes between its versions, so nothing is assumed that
//! memory does not need. Rows are read in file order, never sorted by time. Which turn a row makes
//! is told by its structure; the few texts that the tool writes into user rows are told by how
//! they begin.

mod discover;
mod heard;
mod row;
mod tree;
mod turns;
mod words;
mod wrapped;

use super::format::Format;
use super::frame::{self, Spot, Took};
use super::intake::{Intake, UNKNOWN_TYPE, type_name};
use super::rows::dirs;
use super::session::{Found, Session, Where};
use super::sink::row_id;
use super::walk::{Walker, walk};
use super::{Reading, Sink, SourceError, Tool};
use crate::digest::Coverage;
use crate::fs::open_plain;
use row::{Body, Row};
use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use turns::Reader;

/// How much of a session is looked at for its first directory, in bytes.
const LOOK: u64 = 64 * 1024;
/// Types of rows that are named of an unknown format.
const TYPES: usize = 4;

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
        let (from, to) = (range.start, Some(range.end));
        let coverage = read_claude(&session.path, from, to, reading, sink)?;
        if from == 0 && coverage.unreadable.contains_key(turns::UNKNOWN_FORMAT) {
            let types = coverage.skipped.keys();
            let types = types.filter_map(|why| why.strip_prefix(UNKNOWN_TYPE));
            return Err(unknown_format(session, types.map(str::to_owned).collect()));
        }
        Ok(coverage)
    }

    fn first_dir(&self, session: &Session) -> Result<Option<PathBuf>, SourceError> {
        let mut head = Vec::new();
        let read = self.bytes(session, 0)?.take(LOOK).read_to_end(&mut head);
        read.map_err(SourceError::io(&session.path))?;
        let dir = dirs(&head).next();
        let types = if dir.is_none() {
            unknown_types(&head)
        } else {
            Vec::new()
        };
        match types.is_empty() {
            true => Ok(dir),
            false => Err(unknown_format(session, types)),
        }
    }
}

fn unknown_format(session: &Session, mut types: Vec<String>) -> SourceError {
    types.truncate(TYPES);
    SourceError::UnknownFormat {
        path: session.path.clone(),
        tool: Tool::Claude,
        format: format!("with rows of type {}", types.join(", ")),
    }
}

/// The types of the rows in these bytes, when memd knows none of them.
fn unknown_types(bytes: &[u8]) -> Vec<String> {
    let types = RefCell::new(Vec::new());
    let is_known = |object: &[u8]| {
        let row = serde_json::from_slice::<Row<'_>>(object).unwrap_or_default();
        match row.body() {
            Ok(Body::Unknown) => {
                let name = type_name(row.kind.text().unwrap_or_default());
                let mut types = types.borrow_mut();
                if types.len() < TYPES && !types.contains(&name) {
                    types.push(name);
                }
                false
            }
            Ok(Body::NoRow) | Err(_) => false,
            Ok(_) => true,
        }
    };
    match frame::any_object(bytes, &is_known) {
        true => Vec::new(),
        false => types.into_inner(),
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
    // Told apart from a file that cannot be opened.
    if !std::fs::metadata(path).map_err(io)?.is_file() {
        return Err(SourceError::NotAFile {
            path: path.to_owned(),
        });
    }
    let mut file = open_plain(path).map_err(io)?;
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
