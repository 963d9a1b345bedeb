//! What the guardrails say of texts by themselves, as if each were new: without a session to rest
//! on, without memory beside them.
//!
//! Owns which guardrails can be asked then. Never reads a file.

use super::{Context, judge};
use crate::config::Limits;
use crate::memory::{Entry, Memory, MemoryFile};
use crate::proposal::{Change, Chosen, Kind, Op, Origin, Verdict};
use crate::redact::Hit;
use std::collections::BTreeMap;

/// A text that would become an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    /// The file that it would stand in.
    pub file: MemoryFile,
    /// The section there, in the form of [`Entry::section`]; empty for none.
    pub section: String,
    /// The text.
    pub text: String,
}

impl From<&Entry> for Alone {
    fn from(entry: &Entry) -> Self {
        Self {
            file: entry.file,
            section: entry.section.clone(),
            text: entry.text.clone(),
        }
    }
}

/// What is said of a text by itself. What compares with sessions (evidence, hosts and packages that are new, tools)
/// or with other entries (repetitions, contradictions) is not asked.
#[must_use]
pub fn alone(text: &Alone, credentials: &dyn Fn(&str) -> Vec<Hit>) -> Vec<Verdict> {
    let change = Change {
        n: 1,
        op: Op::Add,
        file: text.file,
        section: text.section.clone(),
        target: None,
        text: text.text.clone(),
        reason: None,
        evidence: Vec::new(),
        origin: Origin::Import,
        earlier: None,
        also: Vec::new(),
        verdicts: Vec::new(),
    };
    let mut judgement = judge(&Context {
        kind: Kind::ChangedOnDisk,
        memory: &Memory::from_texts(&BTreeMap::new()),
        entries: &[],
        chosen: &[Chosen::of(&change)],
        lines: &[],
        tombstones: &[],
        limits: &Limits::default(),
        credentials,
    });
    judgement.changes.remove(&1).unwrap_or_default()
}
