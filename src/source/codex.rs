//! Codex's rollouts: JSON lines that the tool appends to, later compressed, perhaps archived.
//!
//! Units are bytes of the plain text, whatever form the file has now. Of the two ways in which a
//! rollout holds what was said (items, and events that show them) one is read.

mod call;
mod find;
mod head;
mod output;
mod packed;
mod row;
mod said;
mod sizes;
mod turns;

use super::format::{Format, mark_lines, plain_bytes};
use super::frame;
use super::intake::understood;
use super::session::{Found, Mark, Session, Where};
use super::walk::walk;
use super::{Fingerprint, Reading, Rows, Sink, SourceError, Tool, span, window};
use crate::digest::Coverage;
use head::Head;
use packed::UntilDamage;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use turns::{Before, Reader};

/// Bytes before a range that are looked at for the turn that goes on.
const BACK: u64 = 1 << 20;
/// A compressed session with more plain text than this is told by its beginning and its size: it is
/// not written to, and unpacking all of it whenever it is met costs more than it tells.
const WHOLE: u64 = 1 << 20;

/// Codex's format.
pub(super) struct Codex;

impl Format for Codex {
    fn discover(&self, at: Where<'_>, found: &mut Found) {
        find::discover(at, found);
    }

    fn place(&self, at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
        find::place(at, path)
    }

    fn is_like(&self, head: &[u8]) -> bool {
        if !packed::is_packed(head) {
            return frame::any_object(head, &row::is_recognised);
        }
        let mut plain = Vec::new();
        let unpack = packed::Unpack::new(head, head.len() as u64);
        // The end is cut off: what can be unpacked tells.
        let _ = unpack.take(BACK).read_to_end(&mut plain);
        frame::any_object(&plain, &row::is_recognised)
    }

    fn file(&self, path: &Path) -> Result<Session, SourceError> {
        find::file(path)
    }

    fn bytes(&self, session: &Session, from: u64) -> Result<Box<dyn Read>, SourceError> {
        let path = &session.path;
        let io = |e| SourceError::io(path)(e);
        if packed::is_packed_file(path).map_err(io)? {
            return Ok(Box::new(packed::open(path, from)?));
        }
        plain_bytes(path, from)
    }

    fn read(
        &self,
        session: &Session,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError> {
        let head = self.known_head(session)?;
        let before = self.before_range(session, range.start)?;
        let from = range.start;
        let mut input = UntilDamage {
            input: self.bytes(session, from)?,
            damage: None,
        };
        let mut reader = Reader::new((&session.key, from), head, before, reading, sink);
        let length = range.end.min(session.size).saturating_sub(from);
        walk(&session.path, (&mut input).take(length), from, &mut reader)?;
        if let Some(error) = input.damage {
            reader
                .intake
                .unreadable(&format!("damaged compressed file ({error})"));
        }
        understood(session, reader.intake.coverage)
    }

    fn matches(
        &self,
        session: &Session,
        known: &Fingerprint,
        end: u64,
    ) -> Result<bool, SourceError> {
        let io = |e| SourceError::io(&session.path)(e);
        if session.size <= WHOLE || !packed::is_packed_file(&session.path).map_err(io)? {
            return span::is_same(self.fingerprint(session, end), known);
        }
        let head = Fingerprint {
            tail: known.head.clone(),
            tail_len: known.head_len,
            ..known.clone()
        };
        let is_same = span::is_same(self.fingerprint(session, known.head_len), &head)?;
        Ok(is_same && end <= session.size)
    }

    fn mark(&self, session: &Session) -> Option<Mark> {
        if !packed::is_packed_file(&session.path).ok()? {
            return mark_lines(session, &|from| self.bytes(session, from));
        }
        Some(Mark {
            end: window::last_line_end_forward(self.bytes(session, 0).ok()?).ok()?,
            seen: Vec::new(),
        })
    }

    fn any_in(&self, session: &Session, rows: &mut Rows<'_>) -> Option<bool> {
        let named = rows.any(self.bytes(session, 0).ok()?, session.size).ok()?;
        let head = || self.head(session).ok()?.bare_dir();
        Some(named || head().is_some_and(|dir| rows.is_in(&dir)))
    }

    fn first_dir(&self, session: &Session) -> Result<Option<PathBuf>, SourceError> {
        Ok(self.known_head(session)?.cwd.map(PathBuf::from))
    }

    fn before(&self, session: &Session, at: u64, reach: u64) -> Result<u64, SourceError> {
        let io = |e| SourceError::io(&session.path)(e);
        if packed::is_packed_file(&session.path).map_err(io)? {
            let bytes = self.bytes(session, 0)?;
            return window::line_start_forward(at, reach, bytes).map_err(io);
        }
        window::line_start(at, reach, &|from| self.bytes(session, from))
    }
}

impl Codex {
    fn head(&self, session: &Session) -> Result<Head, SourceError> {
        let bytes = UntilDamage {
            input: self.bytes(session, 0)?,
            damage: None,
        };
        let head = Head::of(bytes).map_err(SourceError::io(&session.path))?;
        Ok(head.named(Path::new(&session.key)))
    }

    /// The head of a session of which anything is known.
    fn known_head(&self, session: &Session) -> Result<Head, SourceError> {
        let head = self.head(session)?;
        match head.unknown_format() {
            None => Ok(head),
            Some(format) => Err(SourceError::UnknownFormat {
                path: session.path.clone(),
                tool: Tool::Codex,
                format,
            }),
        }
    }

    /// The turn in which a range begins.
    fn before_range(&self, session: &Session, at: u64) -> Result<Before, SourceError> {
        if at == 0 {
            return Ok(Before::default());
        }
        let from = at.saturating_sub(BACK);
        let mut bytes = Vec::new();
        let input = self.bytes(session, from)?;
        let read = input.take(at - from).read_to_end(&mut bytes);
        read.map_err(SourceError::io(&session.path))?;
        Ok(turns::before(&bytes))
    }
}
