//! Rejecting a hand edit: what was accepted is put back as it was sealed.
//!
//! An entry that was changed, moved, put back to an older version or taken out has a record that
//! vouches for another text or place; rejecting such a change makes the file say that again. An
//! entry that no review let in is taken out of its file: history keeps what stood there.

use super::plan::{Inputs, PlanError};
use crate::memory::{Document, Memory, MemoryFile, Splice};
use crate::proposal::{Change, Kind, Op};
use crate::trust::{Matched, Record};
use std::collections::BTreeMap;

/// A sealed entry that goes back to where it was accepted.
#[derive(Debug, Clone)]
pub(super) struct Restore<'a> {
    /// The number of the change that was rejected.
    pub n: u32,
    /// What was accepted.
    pub record: &'a Record,
    /// What stands on disk in its stead: its file, and its number there.
    pub instead: Option<(MemoryFile, usize)>,
}

/// An entry on disk that nobody let in and that leaves its file.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakeOut<'a> {
    /// The change that was rejected.
    pub change: &'a Change,
    /// The entry's number in the change's file.
    pub entry: usize,
}

/// What rejecting a change comes to.
pub(super) enum Rejected<'a> {
    /// Nothing is written.
    Left,
    /// What was accepted is put back.
    Restored(Restore<'a>),
    /// What nobody let in leaves its file.
    TakenOut(TakeOut<'a>),
    /// What it was about reads otherwise by now.
    MovedOn(Option<String>),
}

/// What rejecting a change comes to, as memory stands. `locate` finds the entry that it offers.
pub(super) fn reject<'a>(
    change: &'a Change,
    inputs: &Inputs<'a>,
    locate: impl FnOnce() -> Option<usize>,
) -> Rejected<'a> {
    if inputs.proposal.kind != Kind::ChangedOnDisk {
        return Rejected::Left;
    }
    let Some(target) = &change.target else {
        let stands = locate().filter(|_| change.op == Op::Add);
        return stands.map_or(Rejected::Left, |entry| {
            Rejected::TakenOut(TakeOut { change, entry })
        });
    };
    let Some(id) = &target.entry else {
        return Rejected::Left;
    };
    let matched: &'a Matched = inputs.matched;
    let n = change.n;
    if let Some(record) = matched.missing.iter().find(|r| r.entry == *id) {
        // An edit that no longer looks like it is one all the same, since it was offered as one.
        let known = |e: &&crate::memory::Entry| is_of(e, change);
        let instead = match matched.unsealed.iter().find(known) {
            Some(entry) => locate().map(|at| (entry.file, at)),
            None => None,
        };
        return Rejected::Restored(Restore { n, record, instead });
    }
    let displaced = |b: &&'a crate::trust::Broken| b.record.entry == *id && b.is_displaced();
    let Some(broken) = matched.broken.iter().find(displaced) else {
        // It stands as it was accepted, or was let go meanwhile.
        return Rejected::Left;
    };
    let record = &broken.record;
    let entry = broken.entry.as_ref();
    match (entry.filter(|e| is_of(e, change)), locate()) {
        (Some(entry), Some(at)) => Rejected::Restored(Restore {
            n,
            record,
            instead: Some((entry.file, at)),
        }),
        _ => Rejected::MovedOn(entry.map(|e| e.text.clone())),
    }
}

/// Whether an entry on disk is what a change offers.
fn is_of(entry: &crate::memory::Entry, change: &Change) -> bool {
    entry.file == change.file && entry.section == change.section && entry.text == change.text
}

impl Restore<'_> {
    /// The files that it writes to.
    pub fn files(&self) -> impl Iterator<Item = MemoryFile> + '_ {
        let instead = self.instead.map(|(file, _)| file);
        instead.into_iter().chain([self.record.file])
    }

    /// Its splices, by file.
    pub fn splices(&self, memory: &Memory, into: &mut BTreeMap<MemoryFile, Vec<Splice>>) {
        let Record {
            file,
            section,
            text,
            ..
        } = self.record;
        let mut add = |file: MemoryFile, splice| into.entry(file).or_default().push(splice);
        let (section, text) = (section.clone(), text.clone());
        let stands = self.instead.and_then(|(file, n)| {
            let entry = memory.doc(file).entries().get(n)?;
            Some((file, n, entry.section == section))
        });
        match stands {
            Some((there, entry, true)) if there == *file => {
                add(*file, Splice::Replace { entry, text });
            }
            Some((there, entry, _)) => {
                add(there, Splice::Remove { entry });
                add(*file, Splice::Add { section, text });
            }
            None => add(*file, Splice::Add { section, text }),
        }
    }

    /// Makes sure that it stands as it was accepted: only then its seal holds.
    pub fn check(&self, after: &Document) -> Result<(), PlanError> {
        let is_it = |e: &crate::memory::Entry| {
            e.section == self.record.section && e.text == self.record.text
        };
        match after.entries().iter().any(is_it) {
            true => Ok(()),
            false => Err(PlanError::NotRestored {
                n: self.n,
                file: self.record.file,
            }),
        }
    }
}
