//! The model behind a command. It is asked, bounded, and never trusted.
//!
//! [`prompt`] says what it is asked, [`run`] asks it, [`reply`] reads what it answers. Three
//! backends: the Claude CLI, any command, and [`builtin`], which is no model and only quotes.
//! Nothing a curator writes is believed: who said a thing, and whether it is true, is worked out
//! later from the lines it cites.

mod account;
mod ask;
pub mod builtin;
mod claude;
mod command;
mod error;
mod process;
pub mod prompt;
pub mod reply;

pub use account::{Account, Free};
pub use ask::{Answered, Call, Limits, end_leftover, program, run};
pub use error::{CuratorError, Failure};
pub use process::{Environment, HOLD, become_curator, hold};
pub use prompt::Prompt;

use crate::id::EntryId;
use crate::memory::MemoryFile;
use serde::{Deserialize, Serialize};

/// What the curator was and cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// `claude`, `command` or `builtin`.
    pub backend: String,
    /// The model asked for, when there is one.
    #[serde(default)]
    pub model: Option<String>,
    /// Characters of the prompt.
    pub prompt_chars: u64,
    /// Tokens in, as the backend reports.
    #[serde(default)]
    pub input_tokens: Option<u64>,
    /// Tokens out, as the backend reports.
    #[serde(default)]
    pub output_tokens: Option<u64>,
    /// Money, in US dollars, as the backend reports.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// Calls made, retries included.
    pub calls: u32,
}

/// The JSON schema of contract 2, for backends that take one.
pub const SCHEMA: &str = include_str!("../assets/reply.schema.json");

/// A curator's answer: contract 2, or contract 1 turned into it where it can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Contract 2: changes to entries.
    Changes(ChangesReply),
    /// Contract 1: whole bodies; compared with memory entry by entry.
    Bodies(BodiesReply),
}

impl Reply {
    /// Its one line.
    #[must_use]
    pub fn summary(&self) -> &str {
        match self {
            Reply::Changes(reply) => &reply.summary,
            Reply::Bodies(reply) => &reply.summary,
        }
    }
}

/// Contract 2.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangesReply {
    /// One line.
    pub summary: String,
    /// What is proposed, in the curator's order.
    pub changes: Vec<ProposedChange>,
    /// What was taken out of it: keys that a curator may not set (`change 3: confirmed`), and
    /// changes that cannot be used, each with its reason (`change 4 left out: …`).
    #[serde(default)]
    pub stripped: Vec<String>,
}

/// One change as a curator proposes it; nothing in it is checked yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum ProposedChange {
    /// A new entry.
    Add {
        /// The file.
        file: MemoryFile,
        /// The heading it goes under.
        section: Option<String>,
        /// The text.
        text: String,
        /// Digest line numbers.
        evidence: Vec<u32>,
    },
    /// New text for an entry.
    Edit {
        /// The id or an unambiguous beginning of it (at least six digits).
        entry: String,
        /// The text.
        text: String,
        /// Digest line numbers.
        evidence: Vec<u32>,
    },
    /// An entry leaves for the archive.
    Archive {
        /// As for an edit.
        entry: String,
        /// Why.
        reason: String,
        /// Digest line numbers.
        evidence: Vec<u32>,
    },
}

/// Contract 1 (memd 0.3): whole bodies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BodiesReply {
    /// One line.
    pub summary: String,
    /// New body of state.md; `None`: no change.
    pub state_body: Option<String>,
    /// New body of decisions.md.
    pub decisions_body: Option<String>,
    /// New body of todo.md.
    pub todo_body: Option<String>,
    /// Entries for mistakes.md.
    pub mistakes_new_entries: Vec<String>,
    /// What left, with the file it came from.
    pub archive_entries: Vec<ArchivedText>,
}

/// One piece that contract 1 archives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedText {
    /// The file it came from.
    pub source: String,
    /// The text.
    pub content: String,
}

/// An entry as a prompt shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptEntry {
    /// Its identity; the prompt shows a short form.
    pub id: EntryId,
    /// Its file.
    pub file: MemoryFile,
    /// Its section.
    pub section: String,
    /// Its text, as it stands.
    pub text: String,
}
