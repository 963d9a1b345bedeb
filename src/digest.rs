//! Turns to one bounded, numbered, redacted text, and what of the material is in it.
//!
//! Each turn is redacted whole, then shortened, then kept; over the cap, lines are shed by value.
//! Holds at most about twice the cap, whatever the transcript's size.

mod builder;
mod cut;
mod ids;

pub use builder::{Builder, Finished};
pub use ids::Ids;

use crate::redact::{Hit, Redacted};
use crate::source::{Place, Role};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One numbered line of a digest: one turn or part of one. Its text may hold line feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// From 1, without gaps.
    pub n: u32,
    /// Who speaks.
    pub role: Role,
    /// Redacted, shortened text.
    pub text: Redacted,
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// The session.
    pub session: String,
    /// When, as the source says.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Timestamp>,
    /// On a branch that the user went back from.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub abandoned: bool,
}

/// What became of one source's material.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The source: an absolute path, or an inbox note.
    pub source: String,
    /// The sessions found in it.
    pub sessions: Vec<String>,
    /// First byte read.
    pub start: u64,
    /// One past the last byte read; the next reading starts here.
    pub end: u64,
    /// Turns found, by role.
    pub found: Counts,
    /// Turns in the digest, by role.
    pub used: Counts,
    /// Turns left out to keep under the cap, by role.
    pub shed: Counts,
    /// Turns shortened.
    pub shortened: u32,
    /// Turns that an earlier distill had already read.
    pub seen: u32,
    /// Rows left out on purpose, by reason ("row of another project", "memd's own brief").
    pub skipped: std::collections::BTreeMap<String, u32>,
    /// Rows that could not be read, by reason ("damaged line", "line over 64 MiB").
    pub unreadable: std::collections::BTreeMap<String, u32>,
}

/// Numbers of turns by role.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the role it counts")]
pub struct Counts {
    pub user: u32,
    pub assistant: u32,
    pub tool_call: u32,
    pub tool_result: u32,
    pub error: u32,
    pub note: u32,
}

impl Counts {
    /// Counts one more turn of a role.
    pub fn add(&mut self, role: Role) {
        self.add_many(role, 1);
    }

    /// Counts more turns of a role.
    pub fn add_many(&mut self, role: Role, n: u32) {
        let count = self.of_mut(role);
        *count = count.saturating_add(n);
    }

    /// Adds the turns of another count.
    pub fn add_all(&mut self, more: &Counts) {
        let roles = [
            (Role::User, more.user),
            (Role::Assistant, more.assistant),
            (Role::ToolCall, more.tool_call),
            (Role::ToolResult, more.tool_result),
            (Role::Error, more.error),
            (Role::Note, more.note),
        ];
        for (role, n) in roles {
            self.add_many(role, n);
        }
    }

    fn of_mut(&mut self, role: Role) -> &mut u32 {
        match role {
            Role::User => &mut self.user,
            Role::Assistant => &mut self.assistant,
            Role::ToolCall => &mut self.tool_call,
            Role::ToolResult => &mut self.tool_result,
            Role::Error => &mut self.error,
            Role::Note => &mut self.note,
        }
    }

    /// Each role with its number.
    #[must_use]
    pub fn by_role(&self) -> [(Role, u32); 6] {
        [
            (Role::User, self.user),
            (Role::Assistant, self.assistant),
            (Role::ToolCall, self.tool_call),
            (Role::ToolResult, self.tool_result),
            (Role::Error, self.error),
            (Role::Note, self.note),
        ]
    }

    /// All roles together.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.user + self.assistant + self.tool_call + self.tool_result + self.error + self.note
    }
}

/// The material of one distill.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Numbered from 1, in reading order.
    pub lines: Vec<Line>,
    /// One per source, in reading order.
    pub coverage: Vec<Coverage>,
    /// What the redactor hid, in reading order; at the end, what was only known for a secret later.
    pub hits: Vec<Hit>,
}

impl Digest {
    /// The line with this number.
    #[must_use]
    pub fn line(&self, n: u32) -> Option<&Line> {
        self.lines.get((n as usize).checked_sub(1)?)
    }
}
