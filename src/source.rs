//! From a place that holds material to turns, streamed.
//!
//! A reader walks byte ranges of a source and hands each message on as a [`Turn`], in file order.
//! It holds one line at a time, never a transcript. It decides roles and places out of band: no
//! text can forge either.
//!
//! Everything outside asks a [`Session`] and knows no tool.

mod action;
mod antigravity;
pub mod claude;
mod closed;
mod codex;
mod files;
mod format;
mod frame;
mod gemini;
mod given;
mod id;
pub mod inbox;
mod intake;
mod json;
mod lines;
mod own;
mod rows;
mod session;
mod sink;
mod span;
mod strings;
mod walk;
mod window;

pub use closed::Closed;
pub use own::BRIEF_END;
pub use own::BRIEF_MARK;
pub use rows::Rows;
pub use session::{Found, Mark, Session, Tool, Where, discover, unit_of};
pub use sink::Sink;
pub(crate) use sink::row_id;
pub use span::{Fingerprint, fingerprint, free_ranges, matches};

use crate::config::Places;
use crate::text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// A source that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The operating system refused.
    #[error("cannot read {path:?}: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder, a pipe, a device.
    #[error("{path:?} is not a plain file; memd reads sessions from files only")]
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// A tool's session in a version of its format that memd does not know.
    #[error("cannot read {path:?}, a session of {} (format {format})", tool.name())]
    UnknownFormat {
        /// Where.
        path: PathBuf,
        /// Whose.
        tool: Tool,
        /// What is known of the format.
        format: String,
    },
    /// A file of which nothing is known.
    #[error("{path:?} is a session in no format that memd knows: {}", known())]
    NoKnownFormat {
        /// Where.
        path: PathBuf,
    },
    /// The tool is writing to it.
    #[error(
        "cannot read {path:?}: it is locked by the tool that writes it, and tried again next time"
    )]
    Locked {
        /// Where.
        path: PathBuf,
    },
    /// It is damaged, or not what it looks like.
    #[error("cannot read {path:?}: {why}")]
    Refused {
        /// Where.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A session of a tool that can be read, but not from a place on.
    #[error("sessions of {} cannot be opened at a place", .0.name())]
    NoPlaces(Tool),
}

fn known() -> String {
    Tool::ALL.map(Tool::name).join(", ")
}

impl SourceError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> SourceError {
        let path = path.to_owned();
        move |source| SourceError::Io { path, source }
    }

    /// Whether the source is simply not there any more, which is normal.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, SourceError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// What a reader needs to know to tell material from the rest.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// Whether a row that was written in this directory is wanted; `None`: every row is.
    pub project: Option<&'a dyn Fn(&Path) -> bool>,
    /// memd's own places: sessions from there are no material.
    pub own: &'a Places,
    /// Whether a message, by its row's own id, was already distilled.
    pub seen: &'a dyn Fn(&str) -> bool,
}

/// Who speaks, as the reader knows it from the row's structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person, in the session.
    User,
    /// The model.
    Assistant,
    /// The model calls a tool.
    ToolCall,
    /// What a tool answered: a file, a page, a command's output. Never trusted.
    ToolResult,
    /// A tool or the program failed.
    Error,
    /// An inbox note, or the tool's own remark (a title, a recap).
    Note,
}

impl Role {
    /// The one-letter mark of a role in the digest: `U A T R E N`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Role::User => 'U',
            Role::Assistant => 'A',
            Role::ToolCall => 'T',
            Role::ToolResult => 'R',
            Role::Error => 'E',
            Role::Note => 'N',
        }
    }
}

/// Where in a source something stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The source: an absolute path.
    pub source: String,
    /// Byte offset of the row in it.
    pub offset: u64,
}

/// Text as it came in: not redacted. It can be neither printed nor stored by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Raw(String);

impl Raw {
    /// Wraps text that has not been redacted.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the redactor and for pure tests on shape.
    #[must_use]
    pub fn unredacted(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Raw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Raw({})", text::count(self.0.len(), "byte", "bytes"))
    }
}

/// What a tool was asked to work on, for rules that know files and commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolContext {
    /// The tool's name, such as `Bash`.
    pub name: String,
    /// The file it reads or writes, where it says so.
    pub path: Option<String>,
    /// The command it runs, or the beginning of a long one.
    pub command: Option<String>,
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// The whole text, before any cut.
    pub text: Raw,
    /// Where it stands.
    pub place: Place,
    /// The session it belongs to.
    pub session: String,
    /// The message's own id, when the row has one; with the part's number where a row has several
    /// parts. Equal ids are one message.
    pub id: Option<String>,
    /// When, as the row says it. Order is file order; this is for people.
    pub at: Option<Timestamp>,
    /// The directory the session was in.
    pub cwd: Option<PathBuf>,
    /// For tool calls and results: which tool, on what.
    pub tool: Option<ToolContext>,
    /// On a branch of the conversation that the user went back from.
    pub abandoned: bool,
}
