//! What a tool's format must tell. One file a tool implements it; what is written here holds for
//! every format of lines that name a directory as `"cwd":"…"`.

use super::rows::dirs;
use super::session::{Found, Mark, Session, Where};
use super::span::{Bytes, fingerprint_of};
use super::{Fingerprint, Reading, Rows, Sink, SourceError, span, window};
use crate::digest::Coverage;
use crate::fs::open_plain;
use serde::de::IgnoredAny;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How much of a session is looked at for its first directory, in bytes.
const LOOK: u64 = 64 * 1024;

/// A tool's sessions. Units are bytes of lines, or things that are counted ([`Format::counted`]): then
/// the format answers for fingerprint and mark itself.
pub(super) trait Format: Sync {
    /// Adds the tool's sessions to what was found, and what of them cannot be read.
    fn discover(&self, at: Where<'_>, found: &mut Found);

    /// The session that a path names, a file or a key, if it lies in one of the tool's places.
    fn place(&self, at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>>;

    /// Whether a file that begins with these bytes is one of the tool's.
    fn is_like(&self, head: &[u8]) -> bool;

    /// A file outside the tool's places as a session.
    fn file(&self, path: &Path) -> Result<Session, SourceError>;

    /// Hands on the turns of a range; see [`Session::read`].
    fn read(
        &self,
        session: &Session,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError>;

    /// Roughly how many bytes a unit is, where units are counted and name no directory: messages, or
    /// steps. `None`: they are bytes.
    fn counted(&self) -> Option<u64> {
        None
    }

    /// The session's bytes from one on.
    fn bytes(&self, session: &Session, from: u64) -> Result<Box<dyn Read>, SourceError> {
        plain_bytes(&session.path, from)
    }

    /// See [`Session::fingerprint`].
    fn fingerprint(&self, session: &Session, end: u64) -> Result<Fingerprint, SourceError> {
        fingerprint_of(&session.path, end, &|from| self.bytes(session, from))
    }

    /// See [`Session::matches`].
    fn matches(
        &self,
        session: &Session,
        known: &Fingerprint,
        end: u64,
    ) -> Result<bool, SourceError> {
        span::is_same(self.fingerprint(session, end), known)
    }

    /// See [`Session::mark`].
    fn mark(&self, session: &Session) -> Option<Mark> {
        mark_lines(session, &|from| self.bytes(session, from))
    }

    /// See [`Session::any_in`].
    fn any_in(&self, session: &Session, rows: &mut Rows<'_>) -> Option<bool> {
        if self.counted().is_some() {
            return Some(false);
        }
        let bytes = self.bytes(session, 0).ok()?;
        rows.any(bytes, session.size).ok()
    }

    /// See [`Session::first_dir`].
    fn first_dir(&self, session: &Session) -> Result<Option<PathBuf>, SourceError> {
        if self.counted().is_some() {
            return Ok(None);
        }
        let mut head = Vec::new();
        let bytes = self.bytes(session, 0)?;
        let read = bytes.take(LOOK).read_to_end(&mut head);
        read.map_err(SourceError::io(&session.path))?;
        Ok(dirs(&head).next())
    }

    /// See [`Session::weight`].
    fn weight(&self, _session: &Session, units: u64) -> u64 {
        units.saturating_mul(self.counted().unwrap_or(1))
    }

    /// See [`Session::before`].
    fn before(&self, session: &Session, at: u64, reach: u64) -> Result<u64, SourceError> {
        if let Some(size) = self.counted() {
            return Ok(at.saturating_sub((reach / size).max(1)));
        }
        let bytes = |from| self.bytes(session, from);
        window::line_start(at, reach, &bytes)
    }

    /// See [`Session::after`].
    fn after(&self, session: &Session, from: u64, reach: u64) -> Result<u64, SourceError> {
        if let Some(size) = self.counted() {
            let end = from.saturating_add((reach / size).max(1));
            return Ok(end.min(session.size));
        }
        let bytes = |from| self.bytes(session, from);
        window::line_end(session.size, from, reach, &bytes)
    }

    /// See [`Session::numbers`].
    fn numbers(&self, session: &Session, places: &[u64]) -> Vec<u64> {
        if self.counted().is_some() {
            return places.iter().map(|place| place + 1).collect();
        }
        let bytes = |from| self.bytes(session, from);
        window::numbers(places, &bytes).unwrap_or_default()
    }
}

/// The bytes of a plain file from one on.
pub(super) fn plain_bytes(path: &Path, from: u64) -> Result<Box<dyn Read>, SourceError> {
    let io = |e| SourceError::io(path)(e);
    let mut file = open_plain(path).map_err(io)?;
    file.seek(SeekFrom::Start(from)).map_err(io)?;
    Ok(Box::new(file))
}

/// The longest row without a line feed that is looked at, in bytes.
const LAST_ROW: u64 = 1 << 20;

/// A session of lines counts as read up to its last whole one: one that ends with a line feed, or
/// a whole row of JSON at the end of the file.
pub(super) fn mark_lines(session: &Session, bytes: &Bytes<'_>) -> Option<Mark> {
    let end = window::last_line_end(session.size, bytes).ok()?;
    let rest = session.size.saturating_sub(end);
    let whole = rest > 0 && rest <= LAST_ROW && {
        let mut row = Vec::new();
        bytes(end).ok()?.take(rest).read_to_end(&mut row).ok()?;
        row.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(&row).is_ok()
    };
    Some(Mark {
        end: if whole { session.size } else { end },
        seen: Vec::new(),
    })
}
