//! Rejecting what was let in unattended: an entry that came leaves for the archive, one that was
//! edited reads as before.

use super::plan::{Inputs, PlanError};
use crate::memory::archive::ArchivePiece;
use crate::memory::{Document, Entry, MemoryFile, Splice};
use crate::proposal::{Change, Earlier, LetIn, Op, Target};
use crate::trust::{Record, RecordState, SealedEntry};
use std::collections::BTreeMap;

/// Why an entry that was taken back is in the archive.
const REASON: &str = "let in unattended, rejected in review";

/// An entry that goes back to what it was before it was let in unattended.
#[derive(Debug, Clone)]
pub(super) struct TakeBack<'a> {
    /// The change that was rejected.
    pub change: &'a Change,
    /// The entry's number in its file.
    entry: usize,
    /// Its record.
    record: &'a Record,
}

/// The record of an entry that stands as a change offers it and was not reviewed meanwhile.
pub(super) fn unreviewed<'a>(
    change: &Change,
    entry: &Entry,
    inputs: &Inputs<'a>,
) -> Option<&'a Record> {
    let matched = inputs.matched;
    let is_it = |s: &&SealedEntry| {
        let e = &s.entry;
        (e.file, &e.section, &e.text, e.ordinal)
            == (entry.file, &entry.section, &entry.text, entry.ordinal)
    };
    let mut all = matched.sealed.iter().chain(&matched.lapsed);
    let record = &all.by_ref().find(is_it)?.record;
    let is_same = change.entry().is_none_or(|id| record.entry == *id);
    (is_same && record.is_unreviewed()).then_some(record)
}

impl<'a> TakeBack<'a> {
    /// What rejecting a change comes to; none where a person has decided on its entry meanwhile.
    pub fn of(change: &'a Change, at: Option<usize>, inputs: &Inputs<'a>) -> Option<Self> {
        let entry = at?;
        let stands = inputs.memory.doc(change.file).entries().get(entry)?;
        let record = unreviewed(change, stands, inputs)?;
        Some(Self {
            change,
            entry,
            record,
        })
    }

    /// The file that it writes to.
    pub fn file(&self) -> MemoryFile {
        self.change.file
    }

    /// Whether the entry leaves its file.
    pub fn leaves(&self) -> bool {
        self.before().is_none()
    }

    /// What an edited entry reads as again.
    fn before(&self) -> Option<&Target> {
        let edits = self.change.op == Op::Edit;
        self.change.target.as_ref().filter(|_| edits)
    }

    /// Its splice, by file.
    pub fn splice(&self, into: &mut BTreeMap<MemoryFile, Vec<Splice>>) {
        let entry = self.entry;
        let splice = match self.before() {
            None => Splice::Remove { entry },
            Some(before) => Splice::Replace {
                entry,
                text: before.text.clone(),
            },
        };
        into.entry(self.file()).or_default().push(splice);
    }

    /// What it leaves in the archive.
    pub fn piece(&self) -> Option<ArchivePiece> {
        self.leaves().then(|| ArchivePiece {
            file: self.change.file,
            section: self.change.section.clone(),
            text: self.change.said().to_owned(),
            reason: REASON.to_owned(),
        })
    }

    /// Makes sure that an edited entry stands as it did before.
    pub fn check(&self, after: &Document) -> Result<(), PlanError> {
        let Some(before) = self.before() else {
            return Ok(());
        };
        let is_it = |e: &Entry| e.section == self.change.section && e.text == before.text;
        match after.entries().iter().any(is_it) {
            true => Ok(()),
            false => Err(PlanError::NotRestored {
                n: self.change.n,
                file: self.change.file,
            }),
        }
    }

    /// The record's next version: archived, or as the version before was let in.
    pub fn record(&self, inputs: &Inputs<'_>) -> Record {
        let mut record = self.record.next(inputs.now);
        record.proposal = Some(inputs.proposal.id.clone());
        match (self.before(), &self.change.earlier) {
            (
                Some(before),
                Some(Earlier {
                    evidence,
                    let_in: Some(let_in),
                    ..
                }),
            ) => {
                record.text.clone_from(&before.text);
                record.evidence.clone_from(evidence);
                as_before(&mut record, let_in);
            }
            _ => record.state = RecordState::Archived,
        }
        record
    }
}

fn as_before(record: &mut Record, let_in: &LetIn) {
    record.origin = let_in.origin;
    record.accepted = let_in.accepted;
    record.confirmed = let_in.confirmed;
    record.confirmations = let_in.confirmations;
    record.lapses = let_in.lapses;
}
