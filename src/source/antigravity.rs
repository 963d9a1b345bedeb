//! Antigravity's conversations: the log that the tool writes of each, else its database.
//!
//! A conversation is named by the path of its database, whether that or the log is read; its units
//! are steps. Both stores hold the same steps under the same numbers. Nothing is read beyond the
//! first step that is not finished, as that one still changes.

mod call;
mod conversation;
mod database;
mod discover;
mod log;
mod payload;
mod step;
mod tell;
mod uri;
mod wire;
mod workspace;

use super::format::Format;
use super::json::{objects, text};
use super::session::{Found, Mark, Session, Where};
use super::{Fingerprint, Reading, Sink, SourceError, Tool};
use crate::digest::Coverage;
use conversation::Conversation;
use std::ops::Range;
use std::path::{Path, PathBuf};
use step::Kind;

/// Roughly how many bytes a step is.
const STEP: u64 = 2048;

/// Antigravity's format.
pub(super) struct Antigravity;

impl Format for Antigravity {
    fn discover(&self, at: Where<'_>, found: &mut Found) {
        discover::discover(at, found);
    }

    fn place(&self, at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
        discover::place(at, path)
    }

    fn is_like(&self, head: &[u8]) -> bool {
        let mut found = false;
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        objects(first, &mut |row| {
            found |= row.contains_key("step_index") && Kind::of_name(text(&row, "type")).is_some();
        });
        found || head.starts_with(b"SQLite format 3\0")
    }

    fn file(&self, path: &Path) -> Result<Session, SourceError> {
        Conversation::of_file(path).session(None)
    }

    /// The tool writes no directory into its steps: what is known of it is the session's root.
    fn counted(&self) -> Option<u64> {
        Some(STEP)
    }

    fn read(
        &self,
        session: &Session,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError> {
        tell::read(session, range, reading, sink)
    }

    fn fingerprint(&self, session: &Session, end: u64) -> Result<Fingerprint, SourceError> {
        Conversation::of(session).open()?.fingerprint(end)
    }

    fn mark(&self, session: &Session) -> Option<Mark> {
        Some(Mark {
            end: Conversation::of(session).open().ok()?.size(),
            seen: Vec::new(),
        })
    }
}

impl Session {
    /// A conversation as a session.
    fn of_conversation(conversation: &Conversation, root: Option<PathBuf>) -> Session {
        Session {
            tool: Tool::Antigravity,
            key: conversation.key().to_string_lossy().into_owned(),
            path: conversation.path(),
            size: 0,
            modified: conversation.modified(),
            root,
        }
    }
}
