//! What memory becomes when chosen changes are applied: texts and archive pieces, nothing written.
//!
//! The one place that turns changes into splices; guardrails, review and apply all use it.

use super::rebase::{Rebased, Said, rebase_in};
use super::{Change, Op};
use crate::memory::{ArchivePiece, Document, Memory, MemoryFile, Splice};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// A change that is to be applied, with the text that was decided on.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// The change.
    pub change: &'a Change,
    /// Its text, or the one that a person put in its place.
    pub text: &'a str,
}

impl<'a> Chosen<'a> {
    /// A change with its own text.
    #[must_use]
    pub fn of(change: &'a Change) -> Self {
        Self {
            change,
            text: &change.text,
        }
    }

    /// Whether a person has written its text.
    #[must_use]
    pub fn is_edited(&self) -> bool {
        self.text != self.change.text
    }
}

/// The result of applying changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The files that change.
    pub docs: BTreeMap<MemoryFile, Document>,
    /// What goes to the archive.
    pub pieces: Vec<ArchivePiece>,
    /// Changes whose target is gone or changed, or that already stand, by number.
    pub stale: BTreeMap<u32, Rebased>,
}

impl Outcome {
    /// A file as it becomes.
    #[must_use]
    pub fn doc<'a>(&'a self, memory: &'a Memory, file: MemoryFile) -> &'a Document {
        self.docs.get(&file).unwrap_or_else(|| memory.doc(file))
    }
}

/// Applies changes to memory as it stands. Stale ones are left out and named.
#[must_use]
pub fn outcome(memory: &Memory, chosen: &[Chosen]) -> Outcome {
    outcome_on(memory, chosen, None)
}

/// As [`outcome`], with `last_updated` set in each file that changes.
#[must_use]
pub fn outcome_on(memory: &Memory, chosen: &[Chosen], date: Option<Date>) -> Outcome {
    let mut out = Outcome::default();
    let mut splices: BTreeMap<MemoryFile, Vec<Splice>> = BTreeMap::new();
    let said = Said::default();
    for item in chosen {
        let change = item.change;
        let stands = rebase_in(change, memory, &[], &said);
        let splice = match (&stands, change.op) {
            (Rebased::Stands(None), _) => Splice::Add {
                section: change.section.clone(),
                text: item.text.to_owned(),
            },
            (Rebased::Stands(Some(_)), Op::Tombstone) if change.stays() => continue,
            (Rebased::Stands(Some(entry)), Op::Archive | Op::Tombstone) => {
                out.pieces.extend(piece(memory, change, *entry));
                Splice::Remove { entry: *entry }
            }
            (Rebased::Stands(Some(entry)), _) => Splice::Replace {
                entry: *entry,
                text: item.text.to_owned(),
            },
            _ => {
                out.stale.insert(change.n, stands);
                continue;
            }
        };
        splices.entry(change.file).or_default().push(splice);
    }
    for (file, splices) in splices {
        let text = memory.doc(file).apply(&splices, date);
        out.docs.insert(file, Document::parse(file, &text));
    }
    out
}

fn piece(memory: &Memory, change: &Change, entry: usize) -> Option<ArchivePiece> {
    let entry = memory.doc(change.file).entries().get(entry)?;
    Some(ArchivePiece {
        file: change.file,
        section: entry.section.clone(),
        text: entry.text.clone(),
        reason: match (change.op, &change.reason) {
            (Op::Tombstone, Some(reason)) => format!("taken back: {reason}"),
            (Op::Tombstone, None) => "taken back".to_owned(),
            (_, Some(reason)) => reason.clone(),
            (_, None) => "archived".to_owned(),
        },
    })
}
