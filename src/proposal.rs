//! The changes of one distill, staged for a person.

mod bodies;
mod build;
mod conflicts;
mod drafts;
mod evidence;
mod hosts;
mod life;
mod outcome;
mod overflow;
mod rebase;
mod shape;
mod support;
mod turned;

pub use build::{Built, MAX_CHANGES, build};
pub use evidence::{Substance, origin_of};
pub use hosts::hosts;
pub use life::{Back, Kind, State};
pub use outcome::{Chosen, Outcome, outcome, outcome_on};
pub use rebase::{Rebased, rebase, rebase_all};
pub use support::{Contrary, contrary};
pub(crate) use turned::{opposes, turned};

/// Parts of a proposal that earlier rooms make.
pub use crate::curator::Usage;
pub use crate::source::Fingerprint;

use crate::digest::{Coverage, Line};
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::memory::{Entry, Memory, MemoryFile};
use crate::redact::Hit;
use crate::text::{TextHash, shared_words};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The reason of an archive change that a budget made. Only code gives it.
pub const OVER_BUDGET: &str = "over budget";

/// The reason of an archive change for an entry that a whole-body reply left out without a word.
pub const LEFT_OUT: &str = "left out of the reply, which does not archive it";

/// The reason of an archive change for an entry of which a whole-body reply keeps another wording.
pub const COPY_DIFFERS: &str = "left out of the reply, whose archived copy does not match";

/// Reasons that no curator can give.
const RESERVED_REASONS: [&str; 3] = [OVER_BUDGET, LEFT_OUT, COPY_DIFFERS];

/// How many of its words a statement shares with a rejected one to resemble it.
const RESEMBLES: f64 = 0.8;

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

/// The entry that a change edits or archives, as it stood when the change was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its id, when it has a record.
    pub entry: Option<EntryId>,
    /// Its text.
    pub text: String,
    /// The hash of its text.
    pub hash: TextHash,
    /// Which of equal twins it is.
    pub ordinal: u32,
}

impl Target {
    /// An entry as a target.
    #[must_use]
    pub fn of(entry: &Entry, id: Option<EntryId>) -> Self {
        Self {
            entry: id,
            text: entry.text.clone(),
            hash: entry.hash(),
            ordinal: entry.ordinal,
        }
    }
}

/// An entry of memory with what its record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEntry {
    /// Its identity.
    pub id: EntryId,
    /// Its file.
    pub file: MemoryFile,
    /// Its section, as [`Entry::section`].
    pub section: String,
    /// Its text.
    pub text: String,
    /// Which of equal twins it is.
    pub ordinal: u32,
    /// A person has confirmed it.
    pub confirmed: bool,
    /// Its seal is valid and it has not lapsed.
    pub sealed: bool,
    /// When it was accepted.
    pub accepted: Option<Timestamp>,
    /// The proposal that brought its text.
    pub proposal: Option<ProposalId>,
}

impl KnownEntry {
    /// Whether it is this entry of a file.
    #[must_use]
    pub fn is(&self, entry: &Entry) -> bool {
        self.file == entry.file
            && self.ordinal == entry.ordinal
            && self.section == entry.section
            && self.text == entry.text
    }

    /// The entry of memory that it is, where it still stands.
    #[must_use]
    pub fn standing<'a>(&self, memory: &'a Memory) -> Option<&'a Entry> {
        memory.doc(self.file).entries().iter().find(|e| self.is(e))
    }

    /// As the target of a change.
    #[must_use]
    pub fn target(&self) -> Target {
        Target {
            entry: Some(self.id.clone()),
            text: self.text.clone(),
            hash: TextHash::of(&self.text),
            ordinal: self.ordinal,
        }
    }
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

/// A byte range of a source that a proposal rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Absolute path of the source.
    pub source: String,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// What the source looked like: tells a rewritten file from a grown one.
    pub fingerprint: Fingerprint,
}

/// Something the curator proposed that is not in the proposal, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The title of what it was.
    pub what: String,
    /// Why, as a fragment for people.
    pub why: String,
}

/// The staged changes of one distill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its identity; also the distill's, once applied.
    pub id: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// Where it comes from.
    pub kind: Kind,
    /// What it goes back to, when it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<Back>,
    /// When it was staged.
    pub created: Timestamp,
    /// What started it: `manual`, `session-end`, ….
    pub trigger: String,
    /// The curator and its cost.
    pub usage: Usage,
    /// One line by the curator.
    pub summary: String,
    /// What is proposed.
    pub changes: Vec<Change>,
    /// What it consumes when applied or discarded.
    pub spans: Vec<Span>,
    /// Names of the inbox notes it consumes.
    pub notes: Vec<String>,
    /// The cited digest lines and their neighbours, by number.
    pub lines: Vec<Line>,
    /// What of the material was read.
    pub coverage: Vec<Coverage>,
    /// What was hidden.
    pub hits: Vec<Hit>,
    /// What was proposed but is not here.
    pub dropped: Vec<Dropped>,
}

impl Proposal {
    /// Turns of the material that the curator was shown.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.coverage.iter().map(|c| c.used.total() as usize).sum()
    }
}

/// What remains of a change that a person rejected: the same statement from the same material is
/// not proposed again, a similar one is flagged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The file it was proposed for.
    pub file: MemoryFile,
    /// Its text, as it was proposed.
    pub text: String,
    /// Its normal form ([`crate::text::statement`]).
    pub statement: String,
    /// The sources of the proposal it stood in.
    pub sources: Vec<String>,
    /// The proposal it stood in.
    pub proposal: ProposalId,
    /// When it was rejected.
    pub at: Timestamp,
}

impl Tombstone {
    /// Stands among [`Tombstone::sources`] for every source there is: of what a person took back,
    /// only what is said later is news. No path reads like this.
    pub const EVERY: &str = "*";

    /// Whether a text says the same.
    #[must_use]
    pub fn is_said_by(&self, text: &str) -> bool {
        !self.statement.is_empty() && crate::text::statement(text) == self.statement
    }

    /// Whether a text says nearly the same.
    #[must_use]
    pub fn resembles(&self, text: &str) -> bool {
        !self.statement.is_empty()
            && shared_words(&self.text, text) >= RESEMBLES
            && shared_words(text, &self.text) >= RESEMBLES
    }

    /// Whether a line is material that the rejected change did not have: from another source, or
    /// later than the rejection.
    #[must_use]
    pub fn is_news(&self, line: &Line) -> bool {
        let is_known = |s: &String| *s == line.place.source || s == Self::EVERY;
        !self.sources.iter().any(is_known) || line.at.is_some_and(|at| at > self.at)
    }
}

#[cfg(test)]
mod tests;
