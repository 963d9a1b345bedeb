//! Chosen changes to new texts: each file's splices, and where each change then stands.

use super::plan::{FileWrite, PlanError};
use super::restore::{Restore, TakeOut};
use super::take_back::TakeBack;
use crate::memory::archive::ArchivePiece;
use crate::memory::{Document, Entry, Memory, MemoryFile, Splice};
use crate::proposal::{Chosen, Kind, Op, outcome_on};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// A change that goes in: its target stands as it was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit<'a> {
    /// The change with the text that was decided.
    pub chosen: Chosen<'a>,
    /// Its target's number among the file's entries.
    pub target: Option<usize>,
}

/// All that is to be done to the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Going<'g, 'a> {
    /// What goes in.
    pub fits: &'g [Fit<'a>],
    /// What is put back.
    pub restores: &'g [Restore<'a>],
    /// What nobody let in and leaves its file.
    pub take_outs: &'g [TakeOut<'a>],
    /// What was let in unattended and is taken back.
    pub take_backs: &'g [TakeBack<'a>],
    /// What kind of proposal it is of.
    pub kind: Kind,
}

/// A chosen change, and what it leaves in its file.
#[derive(Debug, Clone)]
pub(super) struct Placed<'a> {
    /// The change with the text that was decided.
    pub chosen: Chosen<'a>,
    /// The entry as it stood; `None` for an addition.
    pub before: Option<Entry>,
    /// The entry as it will stand; `None` when it leaves.
    pub after: Option<Entry>,
}

/// The files' new texts, and what became of each change.
#[derive(Debug, Clone, Default)]
pub(super) struct Placement<'a> {
    /// New texts of the files that change.
    pub texts: BTreeMap<MemoryFile, String>,
    /// What goes to the archive.
    pub pieces: Vec<ArchivePiece>,
    /// One for each chosen change.
    pub changes: Vec<Placed<'a>>,
}

/// Memory with a valid frontmatter in each file that will be written.
pub(super) fn with_fronts(memory: &Memory, going: Going<'_, '_>, now: Timestamp) -> Memory {
    let name = memory
        .docs()
        .find_map(|d| d.front().ok())
        .map_or_else(|| "memory".to_owned(), |front| front.project);
    let texts = memory.docs().map(|doc| {
        let file = doc.file();
        let mut restored = going.restores.iter().flat_map(Restore::files);
        let mut back = going.take_backs.iter().map(TakeBack::file);
        let mut out = going.take_outs.iter().map(|t| t.change.file);
        let written = going.fits.iter().any(|f| f.chosen.change.file == file)
            || restored.any(|f| f == file)
            || out.any(|f| f == file)
            || back.any(|f| f == file);
        let doc = match written {
            true => doc.with_front(&name, date(now)),
            false => doc.clone(),
        };
        (file, doc.text().to_owned())
    });
    Memory::from_texts(&texts.collect())
}

fn date(now: Timestamp) -> jiff::civil::Date {
    TimeZone::UTC.to_datetime(now).date()
}

/// Makes every file's new text and finds each change's entry in it.
pub(super) fn place<'a>(
    memory: &Memory,
    going: Going<'_, 'a>,
    now: Timestamp,
) -> Result<Placement<'a>, PlanError> {
    let fits = going.fits;
    let mut placement = match going.kind.is_on_disk() {
        false => by_splicing(memory, fits, now),
        true => by_vouching(memory, going, now),
    };
    for file in MemoryFile::ALL {
        let before = memory.doc(file);
        let text = placement
            .texts
            .get(&file)
            .map_or(before.text(), String::as_str);
        let after = Document::parse(file, text);
        let mut finder = Finder::new(before, &after);
        for fit in fits.iter().filter(|f| f.chosen.change.file == file) {
            placement.changes.push(finder.find(fit)?);
        }
        let mut here = going.restores.iter().filter(|r| r.record.file == file);
        here.try_for_each(|restore| restore.check(&after))?;
        let mut back = going.take_backs.iter().filter(|t| t.file() == file);
        back.try_for_each(|back| back.check(&after))?;
    }
    placement.changes.sort_by_key(|p| p.chosen.change.n);
    Ok(placement)
}

fn by_splicing<'a>(memory: &Memory, fits: &[Fit<'a>], now: Timestamp) -> Placement<'a> {
    let chosen: Vec<Chosen<'a>> = fits.iter().map(|f| f.chosen).collect();
    let outcome = outcome_on(memory, &chosen, Some(date(now)));
    let texts = outcome.docs.into_iter();
    Placement {
        texts: texts
            .map(|(file, doc)| (file, doc.text().to_owned()))
            .collect(),
        pieces: outcome.pieces,
        changes: Vec::new(),
    }
}

/// What stands on disk stays as it is, but where a person has put another text in its place or put
/// back what was accepted.
fn by_vouching<'a>(memory: &Memory, going: Going<'_, 'a>, now: Timestamp) -> Placement<'a> {
    let mut splices: BTreeMap<MemoryFile, Vec<Splice>> = BTreeMap::new();
    for fit in going.fits.iter().filter(|f| f.chosen.is_edited()) {
        if let Some(entry) = fit.target {
            let text = fit.chosen.text.to_owned();
            let here = splices.entry(fit.chosen.change.file).or_default();
            here.push(Splice::Replace { entry, text });
        }
    }
    for fit in going.fits.iter().filter(|f| f.chosen.change.leaves()) {
        if let Some(entry) = fit.target {
            let here = splices.entry(fit.chosen.change.file).or_default();
            here.push(Splice::Remove { entry });
        }
    }
    for restore in going.restores {
        restore.splices(memory, &mut splices);
    }
    for out in going.take_outs {
        let here = splices.entry(out.change.file).or_default();
        here.push(Splice::Remove { entry: out.entry });
    }
    for back in going.take_backs {
        back.splice(&mut splices);
    }
    let texts = splices.into_iter().map(|(file, splices)| {
        let text = memory.doc(file).apply(&splices, Some(date(now)));
        (file, text)
    });
    Placement {
        texts: texts.collect(),
        pieces: {
            let leaving = going.fits.iter().filter_map(leaving);
            leaving
                .chain(going.take_backs.iter().filter_map(TakeBack::piece))
                .collect()
        },
        changes: Vec::new(),
    }
}

/// What a person took out of a file themselves goes to the archive, so that nothing is lost; so does
/// what lapsed.
fn leaving(fit: &Fit<'_>) -> Option<ArchivePiece> {
    let change = fit.chosen.change;
    (change.op == Op::Archive).then(|| ArchivePiece {
        file: change.file,
        section: change.section.clone(),
        text: change.said().to_owned(),
        reason: change.reason.clone().unwrap_or_default(),
    })
}

/// Finds entries of the old text in the new one: what was not touched keeps its order, so that the
/// rest is what was decided.
struct Finder<'d> {
    before: &'d Document,
    after: &'d Document,
    used: Vec<bool>,
}

impl<'d> Finder<'d> {
    fn new(before: &'d Document, after: &'d Document) -> Self {
        Self {
            before,
            after,
            used: vec![false; after.entries().len()],
        }
    }

    fn find<'a>(&mut self, fit: &Fit<'a>) -> Result<Placed<'a>, PlanError> {
        let chosen = &fit.chosen;
        let before = fit.target.and_then(|n| self.before.entries().get(n));
        let after = match chosen.change.stays() {
            true => Some(self.entry(chosen, before)?),
            false => None,
        };
        Ok(Placed {
            chosen: *chosen,
            before: before.cloned(),
            after,
        })
    }

    fn entry(&mut self, chosen: &Chosen<'_>, before: Option<&Entry>) -> Result<Entry, PlanError> {
        let text = match (chosen.change.op.takes_away(), before) {
            (true, Some(before)) => before.text.trim(),
            _ => chosen.text.trim(),
        };
        let section = before.map_or(&chosen.change.section, |e| &e.section);
        let candidates = || {
            let all = self.after.entries().iter().enumerate();
            all.filter(|(n, e)| {
                !self.used.get(*n).copied().unwrap_or(true) && e.text.trim() == text
            })
        };
        // An addition is the last of its twins; where a heading was made over, the text decides.
        let found = candidates()
            .rfind(|(_, e)| e.section == *section)
            .or_else(|| candidates().next_back());
        let Some((n, entry)) = found.map(|(n, e)| (n, e.clone())) else {
            return Err(PlanError::NotOneEntry {
                n: chosen.change.n,
                file: chosen.change.file,
            });
        };
        if let Some(used) = self.used.get_mut(n) {
            *used = true;
        }
        Ok(entry)
    }
}

/// Writes for the files that come out otherwise than they stand.
pub(super) fn file_writes(memory: &Memory, placement: &Placement<'_>) -> Vec<FileWrite> {
    let writes = placement.texts.iter().filter_map(|(file, after)| {
        let stands = !memory.is_missing(*file);
        let before = stands.then(|| memory.doc(*file).text().to_owned());
        (before.as_ref() != Some(after)).then(|| FileWrite {
            path: file.name().to_owned(),
            before,
            after: after.clone(),
        })
    });
    writes.collect()
}
