//! memd 0.3's `cursors.json`: how far it had read each source, as what counts as read here.
//!
//! A cursor is a byte offset of a file of lines, a step's number of a database. What 0.3 passed
//! without having read it stays to be read: the beginning of a line that was still being written, a
//! file that is another one by now.

use crate::config::Places;
use crate::fs::FsError;
use crate::fs::open_plain;
use crate::source::{Mark, Session, Tool};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The file, in memd's state.
pub(super) const NAME: &str = "cursors.json";
/// At most this many bytes of it are read.
const LIMIT: u64 = 64 << 20;
/// How far before a cursor the beginning of its line is looked for, in bytes.
const LINE: u64 = 16 << 20;

/// How far 0.3 had read.
#[derive(Debug, Default)]
pub struct Cursors {
    by_path: BTreeMap<PathBuf, u64>,
    /// Cursors of files that are gone, by the file's name: a session keeps its name where its tool
    /// moves it. A name that two had tells nothing.
    gone: BTreeMap<OsString, Option<u64>>,
}

/// What 0.3 had of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadBefore {
    /// What counts as read.
    pub mark: Mark,
    /// Whether the session is shorter than what 0.3 had read, and so another one.
    pub rewritten: bool,
}

impl Cursors {
    /// Reads the file; `None` where there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is no JSON object: what was read before is not known then.
    pub fn read(places: &Places) -> Result<Option<Self>, FsError> {
        let path = places.state.join(NAME);
        let Some(values) = super::object(&path, LIMIT)? else {
            return Ok(None);
        };
        let mut cursors = Self::default();
        for (path, at) in values {
            if let Some(at) = number(&at) {
                cursors.add(PathBuf::from(path), at);
            }
        }
        Ok(Some(cursors))
    }

    fn add(&mut self, path: PathBuf, at: u64) {
        if let Ok(real) = path.canonicalize() {
            self.by_path.insert(real, at);
        } else if let Some(name) = path.file_name() {
            let known = self.gone.entry(name.to_owned());
            known.and_modify(|at| *at = None).or_insert(Some(at));
        }
        self.by_path.insert(path, at);
    }

    fn of(&self, session: &Session) -> Option<u64> {
        let exact = self.by_path.get(Path::new(&session.key));
        let real = || self.by_path.get(&session.path.canonicalize().ok()?);
        let moved = || {
            self.gone
                .get(Path::new(&session.key).file_name()?)?
                .as_ref()
        };
        exact.or_else(real).or_else(moved).copied()
    }

    /// As [`Cursors::mark`]; where there are no cursors, what is there counts as read.
    #[must_use]
    pub fn mark_of(cursors: Option<&Self>, session: &Session) -> Option<ReadBefore> {
        let now = || {
            let mark = session.mark()?;
            let rewritten = false;
            Some(ReadBefore { mark, rewritten })
        };
        cursors.map_or_else(now, |cursors| cursors.mark(session))
    }

    /// What counts as read of a session of a project that 0.3 kept. A session without a cursor is
    /// new, but where 0.3 could not read its tool at all: then it is as old as the project. `None`
    /// when it cannot be read.
    #[must_use]
    pub fn mark(&self, session: &Session) -> Option<ReadBefore> {
        let (end, rewritten) = match self.of(session) {
            None if matches!(session.tool, Tool::Codex | Tool::Gemini) => {
                return Self::mark_of(None, session);
            }
            None => (0, false),
            Some(at) if at > session.size => (0, true),
            Some(at) if is_lines(session) => (line_read(&session.path, at)?, false),
            Some(at) => (at, false),
        };
        let seen = Vec::new();
        let mark = Mark { end, seen };
        Some(ReadBefore { mark, rewritten })
    }
}

fn is_lines(session: &Session) -> bool {
    session.path.extension().is_some_and(|e| e == "jsonl")
}

/// Where reading goes on: at the cursor, but at the beginning of a line of which 0.3 had only a part.
fn line_read(path: &Path, at: u64) -> Option<u64> {
    let from = at.saturating_sub(LINE);
    let mut bytes = Vec::new();
    let mut file = open_plain(path).ok()?;
    file.seek(SeekFrom::Start(from)).ok()?;
    file.take(at - from).read_to_end(&mut bytes).ok()?;
    let start = match memchr::memrchr(b'\n', &bytes) {
        Some(feed) => feed + 1,
        None if from == 0 => 0,
        // A line that long is none that anybody read.
        None => return Some(at),
    };
    let line = bytes.get(start..)?;
    let is_whole = line.iter().all(u8::is_ascii_whitespace)
        || serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    Some(if is_whole { at } else { from + start as u64 })
}

fn number(value: &Value) -> Option<u64> {
    let whole = |n: f64| (n >= 0.0 && n.fract() == 0.0 && n < 9e15).then_some(n as u64);
    value.as_u64().or_else(|| whole(value.as_f64()?))
}

/// Whether 0.3 left cursors here.
pub(super) fn is_there(places: &Places) -> bool {
    places.state.join(NAME).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn session(tool: Tool, path: &Path) -> Session {
        Session {
            tool,
            key: path.to_string_lossy().into_owned(),
            path: path.to_owned(),
            size: std::fs::metadata(path).map_or(10, |meta| meta.len()),
            modified: SystemTime::UNIX_EPOCH,
            root: None,
        }
    }

    fn end(cursors: &Cursors, session: &Session) -> (u64, bool) {
        let read = cursors.mark(session).unwrap();
        (read.mark.end, read.rewritten)
    }

    #[test]
    fn a_cursor_inside_a_line_goes_back_to_where_the_line_begins() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        for (text, at, expected) in [
            ("{\"a\":1}\n{\"b\":2}\n", 8, (8, false)),
            ("{\"a\":1}\n{\"b\":2}\n", 16, (16, false)),
            // 0.3 passed a line that was still being written; it is whole by now.
            ("{\"a\":1}\n{\"b\":2}\n", 11, (8, false)),
            ("{\"a\":1}\n", 3, (0, false)),
            // It read a last line without its line feed, which came later.
            ("{\"a\":1}\n{\"b\":2}\n", 15, (15, false)),
            ("{\"a\":1}", 7, (7, false)),
            // The file is shorter than what was read.
            ("{\"a\":1}\n", 9, (0, true)),
            ("", 5, (0, true)),
        ] {
            std::fs::write(&path, text).unwrap();
            let mut cursors = Cursors::default();
            cursors.add(path.clone(), at);
            let session = session(Tool::Claude, &path);
            assert_eq!(end(&cursors, &session), expected, "{text:?} {at}");
        }
    }

    #[test]
    fn a_session_without_a_cursor_is_new_unless_memd_03_knew_nothing_of_its_tool() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("0c6f.jsonl");
        std::fs::write(&path, "{\"a\":1}\n").unwrap();
        let mut cursors = Cursors::default();
        assert_eq!(end(&cursors, &session(Tool::Claude, &path)), (0, false));
        // A session that its tool moved keeps its name, and its cursor.
        cursors.add(PathBuf::from("/gone/0c6f.jsonl"), 8);
        assert_eq!(end(&cursors, &session(Tool::Claude, &path)), (8, false));
        cursors.add(PathBuf::from("/gone too/0c6f.jsonl"), 4);
        assert_eq!(end(&cursors, &session(Tool::Claude, &path)), (0, false));
        let db = Path::new("/none/conversations/1.db");
        cursors.add(db.to_owned(), 7);
        assert_eq!(end(&cursors, &session(Tool::Antigravity, db)), (7, false));
    }
}
