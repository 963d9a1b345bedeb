//! Memory on disk, matched to what was accepted.

use super::BrowseError;
use crate::git;
use crate::memory::{Memory, MemoryError, MemoryFile};
use crate::store::{Project, Store, StoreError};
use crate::trust::{Matched, Record, Trust, match_entries};
use jiff::Timestamp;

/// So often memory is looked at until nothing changes meanwhile.
const LOOKS: usize = 5;

/// A project's memory, matched to what was accepted. Making it makes no database, no key and no
/// file.
#[derive(Debug)]
pub struct Look {
    /// The four files as they stand.
    pub memory: Memory,
    /// Which entry has which record.
    pub matched: Matched,
    /// Why nothing of it can be trusted, when that is so.
    pub problem: Option<String>,
    /// Files that cannot be read, or all of them when memory is gone, and why.
    pub unread: Vec<String>,
    /// What the user's git has begun there and not ended, when that is so: until then nothing of it is
    /// to be decided on.
    pub under_way: Option<String>,
}

impl Look {
    /// What can be read of it.
    ///
    /// # Errors
    /// When the database cannot be read at all; what in it does not verify is the look's problem.
    pub fn at(store: &Store, project: &Project, now: Timestamp) -> Result<Self, StoreError> {
        let now = store.clock(now)?;
        // An apply that ends meanwhile leaves files and records of two moments: then look again.
        let mut before = stamp(store, project);
        let (mut on_disk, mut found) = (read(project), accepted(store, project));
        for _ in 1..LOOKS {
            let after = stamp(store, project);
            if after == before {
                break;
            }
            before = after;
            (on_disk, found) = (read(project), accepted(store, project));
        }
        let OnDisk {
            memory,
            without,
            unread,
        } = on_disk;
        let (mut matched, problem) = match found {
            Ok(Some(accepted)) => (accepted.matched(&memory, now), None),
            Ok(None) => (unsealed(&memory), None),
            Err(why) => (unsealed(&memory), Some(why)),
        };
        // Nothing is known of what stands in a file that cannot be read.
        matched.missing.retain(|r| !without.contains(&r.file));
        Ok(Self {
            memory,
            matched,
            problem,
            unread,
            under_way: git::refuse_under_way(&project.memory())
                .err()
                .map(|e| e.to_string()),
        })
    }

    /// As [`Look::at`], for a person to decide on: all of memory or nothing.
    ///
    /// # Errors
    /// As [`Look::at`], when a file cannot be read, and while the user's git is at work there.
    pub fn at_all(store: &Store, project: &Project, now: Timestamp) -> Result<Self, BrowseError> {
        let look = Self::at(store, project, now)?;
        match look.unread.first().or(look.under_way.as_ref()) {
            Some(why) => Err(BrowseError::Unread(why.clone())),
            None => Ok(look),
        }
    }

    /// Entries on disk that no agent is given, or that are gone from it: what a review offers. None
    /// where something has to be put right first, which the problem, the unread files or what is under
    /// way say.
    #[must_use]
    pub fn to_decide(&self) -> usize {
        let is_hindered = self.problem.is_some() || self.under_way.is_some();
        match is_hindered || !self.unread.is_empty() {
            true => 0,
            false => self.left_out(),
        }
    }

    /// Whether memory stands as it was let in, all of it.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let is_hindered = self.problem.is_some() || self.under_way.is_some();
        !is_hindered && self.unread.is_empty() && self.left_out() == 0
    }

    /// Entries on disk that no agent is given, or that are gone from it, decidable or not.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.matched.untrusted().len() + self.matched.missing.len()
    }
}

/// What stands on disk.
struct OnDisk {
    memory: Memory,
    /// Of these files nothing is known.
    without: Vec<MemoryFile>,
    /// Why.
    unread: Vec<String>,
}

fn read(project: &Project) -> OnDisk {
    let dir = project.memory();
    let (memory, unread) = Memory::read_some(&dir);
    if memory.is_gone() && unread.is_empty() {
        return OnDisk {
            memory,
            without: MemoryFile::ALL.to_vec(),
            unread: vec![MemoryError::Gone { dir }.to_string()],
        };
    }
    let said = |(file, error): &(MemoryFile, MemoryError)| format!("{}: {error}", file.name());
    OnDisk {
        memory,
        without: unread.iter().map(|(file, _)| *file).collect(),
        unread: unread.iter().map(said).collect(),
    }
}

/// What was let in.
struct Accepted {
    trust: Trust,
    /// All record versions.
    records: Vec<Record>,
    /// The records that an apply is about to seal.
    coming: Vec<Record>,
}

impl Accepted {
    fn matched(&self, memory: &Memory, now: Timestamp) -> Matched {
        let matched = match_entries(memory.entries(), &self.records, &self.trust, now);
        match self.coming.as_slice() {
            [] => matched,
            coming => matched.before(coming, now),
        }
    }
}

/// What was let in; none when nothing was ever sealed. What does not verify is a sentence, and
/// nothing of it is used.
fn accepted(store: &Store, project: &Project) -> Result<Option<Accepted>, String> {
    if !store.has_sealed_data().map_err(|e| e.to_string())? {
        return Ok(None);
    }
    let trust = store.trust().map_err(|e| e.to_string())?;
    let records = store
        .all_records(&trust, &project.id)
        .map_err(|e| e.to_string())?;
    let pending = store
        .pending_apply(&trust, &project.id)
        .map_err(|e| e.to_string())?;
    let coming = pending.map_or_else(Vec::new, |intent| intent.records);
    Ok(Some(Accepted {
        trust,
        records,
        coming,
    }))
}

/// What changes when an apply of a project begins or ends; none when it cannot be read.
fn stamp(store: &Store, project: &Project) -> Option<(u64, bool)> {
    let sequence = store.manifest(&project.id).ok()?.map_or(0, |m| m.sequence);
    let applying = store.is_applying(&project.id).ok()?;
    Some((sequence, applying))
}

fn unsealed(memory: &Memory) -> Matched {
    Matched {
        unsealed: memory.entries().cloned().collect(),
        ..Matched::default()
    }
}

/// Whether a record was let in by a policy and not by a person.
#[must_use]
pub fn is_unreviewed(record: &Record) -> bool {
    record.is_unreviewed()
}
