//! One session of one tool, and all of them: what the rest of memd asks, without knowing a tool.
//!
//! What a tool's files look like is told by its [`Format`], one file a tool. Here they are listed,
//! and nothing else in memd knows which there are.

use super::closed::Closed;
use super::format::Format;
use super::{Fingerprint, Reading, Rows, Sink, SourceError};
use super::{antigravity, claude, codex, files, gemini};
use crate::config::{Places, Settings};
use crate::digest::Coverage;
use crate::fs::open_plain;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes by which a file's format is told.
const HEAD: u64 = 256 * 1024;

/// A tool whose sessions memd reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Claude Code: JSON lines; units are bytes.
    Claude,
    /// Codex: JSON lines, perhaps compressed; units are bytes of the plain text.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Antigravity.
    Antigravity,
    /// Files that a project's `extra_sources` name.
    Text,
}

impl Tool {
    /// Every tool, in the order in which a file's format is tried.
    pub const ALL: [Tool; 5] = [
        Tool::Claude,
        Tool::Codex,
        Tool::Gemini,
        Tool::Antigravity,
        Tool::Text,
    ];

    /// Its name, for people and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tool::Claude => "Claude Code",
            Tool::Codex => "Codex",
            Tool::Gemini => "Gemini CLI",
            Tool::Antigravity => "Antigravity",
            Tool::Text => "text",
        }
    }

    /// The tool of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn format(self) -> &'static dyn Format {
        match self {
            Tool::Claude => &claude::ClaudeCode,
            Tool::Codex => &codex::Codex,
            Tool::Antigravity => &antigravity::Antigravity,
            Tool::Gemini => &gemini::Gemini,
            Tool::Text => &files::Files,
        }
    }
}

/// What the units of a source are called, one and many, by its key: places are shown where no session
/// is at hand.
#[must_use]
pub fn unit_of(key: &str) -> (&'static str, &'static str) {
    let path = Path::new(key);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_in = |dir: &str| path.parent().is_some_and(|parent| parent.ends_with(dir));
    match () {
        () if is_in("conversations") && name.ends_with(".db") => ("step", "steps"),
        () if is_in("chats") && name.starts_with("session-") => ("message", "messages"),
        () => ("byte", "bytes"),
    }
}

/// Where sessions are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Where<'a> {
    /// The tools' folders and memd's own.
    pub places: &'a Places,
    /// What the user set.
    pub settings: &'a Settings,
    /// Further folders of tools, as hooks were called from them.
    pub roots: &'a [(Tool, PathBuf)],
}

impl<'a> Where<'a> {
    /// The usual folders.
    #[must_use]
    pub fn new(places: &'a Places, settings: &'a Settings) -> Self {
        Self {
            places,
            settings,
            roots: &[],
        }
    }

    /// The further folders of one tool.
    pub fn roots_of(&self, tool: Tool) -> impl Iterator<Item = &'a Path> + use<'a> {
        let roots = self.roots.iter().filter(move |(of, _)| *of == tool);
        roots.map(|(_, root)| root.as_path())
    }
}

/// One session of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The tool that wrote it.
    pub tool: Tool,
    /// Its name for spans, places and failures: an absolute path that stays the same wherever the
    /// tool moves the file.
    pub key: String,
    /// Where it is now.
    pub path: PathBuf,
    /// How much there is to read, in the tool's units.
    pub size: u64,
    /// When it was last written to.
    pub modified: SystemTime,
    /// The project it belongs to, where no row names a directory but the user said so.
    pub root: Option<PathBuf>,
}

/// What is read already when a project gets its memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// Behind the last complete unit.
    pub end: u64,
    /// Ids of messages, for formats whose files are rewritten as a whole.
    pub seen: Vec<String>,
}

impl Session {
    /// The session that a path names: a session's key, or a file that a person or a hook named. The
    /// tool is told by the place, else by how the file begins.
    ///
    /// # Errors
    /// When there is no such file, or its format is none that memd knows.
    pub fn at(at: Where<'_>, path: &Path) -> Result<Session, SourceError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut placed = Tool::ALL.into_iter().map(Tool::format);
        if let Some(found) = placed.find_map(|format| format.place(at, &path)) {
            return found;
        }
        // Asked before it is opened: opening a pipe would wait for a writer.
        let size = Self::of_file(Tool::Claude, &path)?.size;
        let mut head = Vec::new();
        open_plain(&path)
            .and_then(|file| file.take(HEAD).read_to_end(&mut head))
            .map_err(SourceError::io(&path))?;
        let is_blank = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
        let tool = match head.iter().all(is_blank) && size <= HEAD {
            // What holds nothing holds nothing new, in any format.
            true => Some(Tool::Claude),
            false => Tool::ALL.into_iter().find(|t| t.format().is_like(&head)),
        };
        match tool {
            Some(tool) => tool.format().file(&path),
            None => Err(SourceError::NoKnownFormat { path }),
        }
    }

    /// Whether a path lies where a tool keeps its sessions, or where the user said that more are; links
    /// followed. What lies elsewhere may be anybody's copy, or written for the purpose.
    #[must_use]
    pub fn is_placed(at: Where<'_>, path: &Path) -> bool {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut formats = Tool::ALL.into_iter().map(Tool::format);
        formats.any(|format| format.place(at, &path).is_some())
    }

    /// A file that is a session, whose units are its bytes.
    pub(super) fn of_file(tool: Tool, path: &Path) -> Result<Session, SourceError> {
        let meta = std::fs::metadata(path).map_err(SourceError::io(path))?;
        if !meta.is_file() {
            return Err(SourceError::NotAFile {
                path: path.to_owned(),
            });
        }
        Ok(Session {
            tool,
            key: path.to_string_lossy().into_owned(),
            path: path.to_owned(),
            size: meta.len(),
            modified: meta.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            root: None,
        })
    }

    /// The fingerprint of what lies before `end`.
    ///
    /// # Errors
    /// When the session cannot be read up to `end`.
    pub fn fingerprint(&self, end: u64) -> Result<Fingerprint, SourceError> {
        self.tool.format().fingerprint(self, end)
    }

    /// Whether it still is what it was when the fingerprint was taken at `end`: it may have grown.
    ///
    /// # Errors
    /// When it is gone or cannot be read: that says nothing about what it holds.
    pub fn matches(&self, known: &Fingerprint, end: u64) -> Result<bool, SourceError> {
        self.tool.format().matches(self, known, end)
    }

    /// Hands on the turns of a range, in order. [`Coverage::end`] is where the next reading starts.
    ///
    /// # Errors
    /// When it cannot be read, or is of a format version that memd does not know. Damage inside it
    /// is counted, not an error.
    pub fn read(
        &self,
        range: Range<u64>,
        reading: &Reading<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Coverage, SourceError> {
        self.tool.format().read(self, range, reading, sink)
    }

    /// What counts as read of what is there now: what is still being written does not.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        self.tool.format().mark(self)
    }

    /// Whether any of its rows belongs to the project that `rows` asks for; `None` when it cannot be
    /// read.
    pub fn any_in(&self, rows: &mut Rows<'_>) -> Option<bool> {
        match &self.root {
            Some(root) => Some(rows.is_in(root)),
            None => self.tool.format().any_in(self, rows),
        }
    }

    /// Whether the user named it as material of the project at this root, whatever it tells itself.
    #[must_use]
    pub fn is_named_by(&self, root: &Path) -> bool {
        self.tool == Tool::Text && self.root.as_deref() == Some(root)
    }

    /// The first directory that it names, near its beginning.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn first_dir(&self) -> Result<Option<PathBuf>, SourceError> {
        match &self.root {
            Some(root) => Ok(Some(root.clone())),
            None => self.tool.format().first_dir(self),
        }
    }

    /// Roughly how many bytes these units are.
    #[must_use]
    pub fn weight(&self, units: u64) -> u64 {
        self.tool.format().weight(self, units)
    }

    /// Where a row begins that stands about `reach` bytes before `at`, itself the beginning of a row.
    ///
    /// # Errors
    /// When the session cannot be read there, or not at a place at all.
    pub fn before(&self, at: u64, reach: u64) -> Result<u64, SourceError> {
        self.tool.format().before(self, at, reach)
    }

    /// Where a row ends that stands about `reach` bytes after `from`, itself the beginning of a row.
    ///
    /// # Errors
    /// As [`Session::before`].
    pub fn after(&self, from: u64, reach: u64) -> Result<u64, SourceError> {
        self.tool.format().after(self, from, reach)
    }

    /// The numbers, from 1, of the rows at these places, which ascend; none where they are too many
    /// to count.
    #[must_use]
    pub fn numbers(&self, places: &[u64]) -> Vec<u64> {
        self.tool.format().numbers(self, places)
    }
}

/// What a look at all tools' folders gave.
#[derive(Debug, Default)]
pub struct Found {
    /// The sessions, oldest change first.
    pub sessions: Vec<Session>,
    /// What is there and cannot be read.
    pub closed: Closed,
}

/// The sessions of all tools, memd's own curator's left out. What is missing is left out: that is
/// normal.
#[must_use]
pub fn discover(at: Where<'_>) -> Found {
    let mut found = Found::default();
    for tool in Tool::ALL {
        tool.format().discover(at, &mut found);
    }
    found
        .sessions
        .sort_by(|a, b| (a.modified, &a.path).cmp(&(b.modified, &b.path)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_named_by_the_key() {
        for (key, one) in [
            ("/h/.gemini/antigravity-cli/conversations/0a.db", "step"),
            ("/h/.gemini/tmp/app/chats/session-2026-x.jsonl", "message"),
            ("/h/.claude/projects/-p/session-1.jsonl", "byte"),
            ("/p/notes.md", "byte"),
        ] {
            assert_eq!(unit_of(key).0, one, "{key}");
        }
    }

    #[test]
    fn a_tool_is_found_again_by_its_name() {
        for tool in Tool::ALL {
            assert_eq!(Tool::from_name(tool.name()), Some(tool));
        }
        assert_eq!(Tool::from_name("claude"), None);
    }
}
