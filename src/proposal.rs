//! The changes of one distill, staged for a person.

use crate::digest::{Coverage, Line};
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::memory::MemoryFile;
use crate::redact::Hit;
use crate::text::TextHash;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

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
    /// Numbers of the digest lines it rests on, as they were cited and exist.
    pub evidence: Vec<u32>,
    /// Who said it.
    pub origin: Origin,
    /// What the guardrails said when it was staged.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
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

/// Where a proposal is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for a person.
    Staged,
    /// Being written; rolled forward at the next start.
    Applying,
    /// Written; spans consumed. Undecided changes may remain as a rest.
    Applied,
    /// All rejected; spans consumed on purpose.
    Discarded,
    /// Spans free again, with a note to the curator.
    Returned,
    /// Out of the queue by age; nothing freed.
    Expired,
}

/// Where a proposal comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A curator read sessions or notes.
    Distill,
    /// Memory on disk holds what nobody accepted here: adopt or restore.
    ChangedOnDisk,
}

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

/// What lies before the end of a span, so that a rewrite is noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// SHA-256 of the first bytes of the source (at most 4 KiB, at most up to the span's end).
    pub head: String,
    /// How many bytes `head` covers.
    pub head_len: u64,
    /// SHA-256 of the last bytes before the span's end (at most 4 KiB).
    pub tail: String,
    /// How many bytes `tail` covers.
    pub tail_len: u64,
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
