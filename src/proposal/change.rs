//! One change of one entry, who said it and what was said of it.
//!
//! Owns the types that stand in a proposal's `changes`. Never looks anything up in memory.

use super::{OVER_BUDGET, Substance, Target};
use crate::id::EntryId;
use crate::memory::MemoryFile;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// One entry added, edited or archived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// From 1 within its proposal; never reused.
    pub n: u32,
    /// What it does.
    pub op: Op,
    /// The file it concerns.
    pub file: MemoryFile,
    /// The section, as [`crate::memory::Entry::section`]; empty at the top.
    pub section: String,
    /// What it edits or archives.
    #[serde(default)]
    pub target: Option<Target>,
    /// The new text; empty when it archives.
    pub text: String,
    /// Why it archives.
    #[serde(default)]
    pub reason: Option<String>,
    /// The earlier version of an entry that it puts back, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Earlier>,
    /// Numbers of the digest lines it rests on, as they were cited and exist.
    pub evidence: Vec<u32>,
    /// Who said it.
    pub origin: Origin,
    /// Of the lines that say the same without being cited, the one that made the origin less
    /// trusted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u32>,
    /// What the guardrails said when it was staged.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
}

/// A version of an entry that was let in once. An addition that names one brings the entry back
/// from the archive, under the identity it had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// The entry.
    pub entry: EntryId,
    /// Which of its versions.
    pub version: u32,
    /// The hash of what that version rests on, as its record has it.
    pub evidence: String,
    /// How it had been let in, where taking a change back brings exactly that back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub let_in: Option<LetIn>,
}

/// How a version of an entry was let in: what its record said besides its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetIn {
    /// Who said it.
    pub origin: Origin,
    /// When a person accepted it; none: no person has.
    pub accepted: Option<Timestamp>,
    /// When a person confirmed it last.
    pub confirmed: Option<Timestamp>,
    /// How often a person confirmed it.
    pub confirmations: u32,
    /// When it lapses, as no person has accepted it.
    pub lapses: Option<Timestamp>,
}

impl Change {
    /// Its text as a new entry: of an edit whose entry is no longer there.
    #[must_use]
    pub fn as_addition(&self) -> Self {
        Self {
            op: Op::Add,
            target: None,
            ..self.clone()
        }
    }

    /// The entry that it works on, where it has a record.
    #[must_use]
    pub fn entry(&self) -> Option<&EntryId> {
        self.target.as_ref()?.entry.as_ref()
    }

    /// Whether its entry stays in its file, whatever else becomes of it.
    #[must_use]
    pub fn stays(&self) -> bool {
        match self.op {
            Op::Add | Op::Edit => true,
            Op::Archive => false,
            Op::Tombstone => self.file == MemoryFile::Mistakes,
        }
    }

    /// Whether its entry is to leave its file.
    #[must_use]
    pub fn leaves(&self) -> bool {
        matches!(self.op, Op::Archive | Op::Tombstone)
    }

    /// What it says: its new text, or the text that it takes away.
    #[must_use]
    pub fn said(&self) -> &str {
        match (&self.op, &self.target) {
            (Op::Archive | Op::Tombstone, Some(target)) => &target.text,
            _ => &self.text,
        }
    }

    /// The words that its evidence must speak of: of an edit only the new lines, of what is taken
    /// away the reason and the entry.
    #[must_use]
    pub fn basis(&self) -> String {
        match (&self.op, &self.target) {
            (Op::Archive | Op::Tombstone, target) => {
                let text = target.as_ref().map_or("", |t| t.text.as_str());
                format!("{}\n{text}", self.reason.as_deref().unwrap_or_default())
            }
            (Op::Edit, Some(target)) => new_lines(&target.text, &self.text),
            _ => self.text.clone(),
        }
    }

    /// What a cited line must share words with: the basis, of an addition also its section.
    #[must_use]
    pub fn substance(&self) -> Substance {
        match self.op {
            Op::Add => Substance::of(&format!("{}\n{}", self.section, self.text)),
            _ => Substance::of(&self.basis()),
        }
    }

    /// Whether a budget made it, and no curator.
    #[must_use]
    pub fn is_overflow(&self) -> bool {
        self.op == Op::Archive && self.reason.as_deref() == Some(OVER_BUDGET)
    }
}

/// What a change does to its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// A new entry.
    Add,
    /// An entry's text is replaced.
    Edit,
    /// An entry moves to the archive.
    Archive,
    /// A person takes an entry back: no agent is given it any more. It leaves its file for the
    /// archive, but stays where it stands in mistakes.md, which only grows.
    Tombstone,
}

impl Op {
    /// Whether the entry goes without a new text in its place; [`Change::text`] is empty then.
    #[must_use]
    pub fn takes_away(self) -> bool {
        matches!(self, Self::Archive | Self::Tombstone)
    }
}

/// Who said it, from most to least trusted. Derived by code from evidence, never told by a
/// curator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Written by a person in a memory file or in the review.
    HumanEdit,
    /// Said by the user in a session.
    User,
    /// A note in the inbox.
    Inbox,
    /// Taken over from a store that stood there before.
    Import,
    /// Said by the model in a session.
    Assistant,
    /// Read in a tool's output: a file, a web page, a command.
    Tool,
}

impl Origin {
    /// Whether anybody may have written it: what a tool read or printed, a note in the inbox, which
    /// is a folder, a store of elsewhere. A person reads it before an agent does, whatever
    /// guardrails say.
    #[must_use]
    pub fn is_from_outside(self) -> bool {
        matches!(self, Self::Tool | Self::Inbox | Self::Import)
    }
}

/// How a guardrail sees something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Nothing to say.
    Pass,
    /// A person should look; they may accept over it.
    Warn,
    /// It cannot be accepted as it is.
    Block,
}

/// What one guardrail says of one change, file or proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The guardrail's stable name, such as `hidden-characters`.
    pub guard: String,
    /// Its judgement.
    pub level: Level,
    /// Why, as a lower-case fragment for people. Foreign text in it is not escaped yet.
    pub reason: String,
}

/// What a person has decided on a change so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is", content = "text")]
pub enum Decision {
    /// Nothing yet.
    #[default]
    Undecided,
    /// It goes in as it is.
    Accepted,
    /// It goes in with this text instead.
    Edited(String),
    /// It stays out.
    Rejected,
}

/// The lines of `new` that do not stand in `old`; all of them when each does.
#[must_use]
pub fn new_lines(old: &str, new: &str) -> String {
    let known: HashSet<&str> = old.lines().map(str::trim).collect();
    let fresh: Vec<&str> = new
        .lines()
        .filter(|line| !known.contains(line.trim()))
        .collect();
    if fresh.is_empty() {
        new.to_owned()
    } else {
        fresh.join("\n")
    }
}
