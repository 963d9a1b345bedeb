//! The four memory files as values: frontmatter, entries, budgets, archive. Pure and lossless.

use crate::text::TextHash;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The four files of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MemoryFile {
    /// What is true now.
    #[serde(rename = "state.md")]
    State,
    /// What was decided, why, and what it rules out.
    #[serde(rename = "decisions.md")]
    Decisions,
    /// What went wrong, its cause, and the rule that prevents it. Only grows.
    #[serde(rename = "mistakes.md")]
    Mistakes,
    /// Open tasks.
    #[serde(rename = "todo.md")]
    Todo,
}

impl MemoryFile {
    /// All four, in reading order.
    pub const ALL: [MemoryFile; 4] = [
        MemoryFile::State,
        MemoryFile::Decisions,
        MemoryFile::Mistakes,
        MemoryFile::Todo,
    ];

    /// The file's name, such as `state.md`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MemoryFile::State => "state.md",
            MemoryFile::Decisions => "decisions.md",
            MemoryFile::Mistakes => "mistakes.md",
            MemoryFile::Todo => "todo.md",
        }
    }

    /// The file with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }
}

/// The smallest piece of memory that is decided on.
///
/// In decisions.md and mistakes.md the deepest H2 or H3 section; in state.md and todo.md a
/// top-level list item with its children, else a block (paragraph, table, code).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file it stands in.
    pub file: MemoryFile,
    /// The headings above it, outermost first, joined by ` › `; empty at the top.
    pub section: String,
    /// Its exact text, without the blank lines around it.
    pub text: String,
    /// Where the text stands: byte range in the whole file.
    pub range: Range<usize>,
    /// Which of the entries with the same file, section and text it is, from 0.
    pub ordinal: u32,
}

impl Entry {
    /// The hash of its text.
    #[must_use]
    pub fn hash(&self) -> TextHash {
        TextHash::of(&self.text)
    }

    /// Its first line without markup, for lists and messages.
    #[must_use]
    pub fn title(&self) -> String {
        title(&self.text)
    }
}

/// The first line of an entry's text without its markup.
#[must_use]
pub fn title(text: &str) -> String {
    let line = text
        .lines()
        .find(|l| !l.trim().is_empty())
        .unwrap_or_default()
        .trim();
    let line = line.trim_start_matches('#').trim_start();
    let line = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .unwrap_or(line);
    let line = line
        .strip_prefix("[ ] ")
        .or_else(|| line.strip_prefix("[x] "))
        .unwrap_or(line);
    line.replace("**", "")
}
