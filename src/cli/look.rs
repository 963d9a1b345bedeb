//! What is known of a project, for the commands that only look: memory on disk, matched to what was
//! accepted. Makes no database, no key and no file.

use super::{Context, Failure, here};
use crate::memory::{Memory, MemoryError, MemoryFile};
use crate::project;
use crate::proposal::Origin;
use crate::store::{Project, QueueItem, Store};
use crate::trust::{Matched, Record, Trust, match_entries};
use jiff::Timestamp;
use std::path::{Path, PathBuf};

/// The project a directory belongs to, if it is known to the database.
pub(super) fn project_at(
    context: &Context,
    store: &Store,
    dir: &Path,
) -> Result<Option<Project>, Failure> {
    let mut roots: Vec<PathBuf> = store
        .projects()
        .map_err(Failure::known)?
        .into_iter()
        .map(|p| p.root)
        .collect();
    roots.extend(context.config.settings.projects.keys().cloned());
    let Some(root) = project::root_of(dir, &roots, &context.places.home) else {
        return Ok(None);
    };
    store.project_at(&root).map_err(Failure::known)
}

/// As [`project_at`], for a directory that a person named or stands in: absolute, and an error when
/// there is no project.
pub(super) fn asked_project(
    context: &Context,
    store: &Store,
    dir: Option<&Path>,
) -> Result<Project, Failure> {
    let here = here()?;
    let dir = dir.map_or(here.clone(), |d| here.join(d));
    project_at(context, store, &dir)?.ok_or_else(|| none_at(&dir))
}

/// There is no project there.
pub(super) fn none_at(dir: &Path) -> Failure {
    Failure::known(format!("{dir:?} belongs to no project that memd knows"))
        .hint("give it a memory with `memd init`")
}

/// So often memory is looked at until nothing changes meanwhile.
const LOOKS: usize = 5;

/// A project's memory, matched to what was accepted.
pub(super) struct Look {
    pub memory: Memory,
    pub matched: Matched,
    /// Why nothing of it can be trusted, when that is so.
    pub problem: Option<String>,
    /// Files that cannot be read, or all of them when memory is gone, and why.
    pub unread: Vec<String>,
}

impl Look {
    pub fn at(store: &Store, project: &Project, now: Timestamp) -> Result<Self, Failure> {
        let now = store.clock(now).map_err(Failure::known)?;
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
        })
    }

    /// As [`Look::at`], for a person to decide on: all of memory or nothing.
    pub fn at_all(store: &Store, project: &Project, now: Timestamp) -> Result<Self, Failure> {
        let look = Self::at(store, project, now)?;
        match look.unread.first() {
            Some(why) => Err(Failure::known(why)),
            None => Ok(look),
        }
    }

    /// Entries on disk that no agent is given, or that are gone from it.
    pub fn untrusted(&self) -> usize {
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

/// The frontmatter's date and status of state.md.
pub(super) fn state_front(memory: &Memory) -> (Option<String>, Option<String>) {
    if memory.is_missing(MemoryFile::State) {
        return (None, None);
    }
    match memory.doc(MemoryFile::State).front() {
        Ok(front) => (Some(front.last_updated), Some(front.status)),
        Err(_) => (None, None),
    }
}

/// Since when the oldest of these waits for a person, and how many do.
pub(super) fn waiting(queue: &[QueueItem]) -> Option<(usize, Timestamp)> {
    let oldest = queue.iter().map(|q| q.created).min()?;
    Some((queue.len(), oldest))
}

/// Whether a record was let in by a policy and not by a person.
pub(super) fn is_unreviewed(record: &Record) -> bool {
    record.accepted.is_none() && record.confirmed.is_none() && record.origin != Origin::HumanEdit
}

/// Notes that wait in a project's inbox; one that cannot be listed holds none.
pub(super) fn inbox(project: &Project) -> usize {
    crate::source::inbox::count(&project.memory()).unwrap_or(0)
}
