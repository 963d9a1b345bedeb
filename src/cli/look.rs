//! What is known of a project, for the commands that only look: memory on disk, matched to what was
//! accepted. Makes no database, no key and no file.

use super::{Context, Failure};
use crate::memory::{Memory, MemoryFile};
use crate::project;
use crate::proposal::{KnownEntry, Origin};
use crate::store::{Project, QueueItem, Store};
use crate::trust::{Matched, Record, SealedEntry, Trust, match_entries};
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
    let here = std::env::current_dir()
        .map_err(|e| Failure::known(format!("the current directory cannot be found: {e}")))?;
    let dir = dir.map_or(here.clone(), |d| here.join(d));
    project_at(context, store, &dir)?.ok_or_else(|| none_at(&dir))
}

/// There is no project there.
pub(super) fn none_at(dir: &Path) -> Failure {
    Failure::known(format!("{dir:?} belongs to no project that memd knows"))
        .hint("give it a memory with `memd init`")
}

/// A project's memory, matched to what was accepted.
pub(super) struct Look {
    pub memory: Memory,
    pub matched: Matched,
    /// Why nothing of it can be trusted, when that is so.
    pub problem: Option<String>,
}

impl Look {
    pub fn at(store: &Store, project: &Project, now: Timestamp) -> Result<Self, Failure> {
        let memory = Memory::read(&project.root.join(".memory")).map_err(Failure::known)?;
        let now = store.clock(now).map_err(Failure::known)?;
        let (matched, problem) = match accepted(store, project) {
            Ok(Some((trust, records))) => {
                (match_entries(memory.entries(), &records, &trust, now), None)
            }
            Ok(None) => (unsealed(&memory), None),
            Err(why) => (unsealed(&memory), Some(why)),
        };
        Ok(Self {
            memory,
            matched,
            problem,
        })
    }

    /// Entries on disk that no agent is given, or that are gone from it.
    pub fn untrusted(&self) -> usize {
        self.matched.untrusted().len() + self.matched.missing.len()
    }
}

/// The key and the newest records; none when nothing was ever sealed. What does not verify is a
/// sentence, and nothing of it is used.
fn accepted(store: &Store, project: &Project) -> Result<Option<(Trust, Vec<Record>)>, String> {
    if !store.has_sealed_data().map_err(|e| e.to_string())? {
        return Ok(None);
    }
    let trust = store.trust().map_err(|e| e.to_string())?;
    let records = store
        .records(&trust, &project.id)
        .map_err(|e| e.to_string())?;
    Ok(Some((trust, records)))
}

fn unsealed(memory: &Memory) -> Matched {
    Matched {
        unsealed: memory.entries().cloned().collect(),
        ..Matched::default()
    }
}

/// The frontmatter's date and status of state.md.
pub(super) fn state_front(memory: &Memory) -> (Option<String>, Option<String>) {
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
    crate::source::inbox::count(&project.root.join(".memory")).unwrap_or(0)
}

/// The entries that have a record and stand, for prompt, guardrails and plan.
pub(super) fn known_entries(matched: &Matched) -> Vec<KnownEntry> {
    let known = |s: &SealedEntry, sealed: bool| KnownEntry {
        id: s.record.entry.clone(),
        file: s.entry.file,
        section: s.entry.section.clone(),
        text: s.entry.text.clone(),
        ordinal: s.entry.ordinal,
        confirmed: s.record.confirmed.is_some(),
        sealed,
        accepted: s.record.accepted,
    };
    let sealed = matched.sealed.iter().map(|s| known(s, true));
    let others = matched.lapsed.iter().chain(&matched.withheld);
    sealed.chain(others.map(|s| known(s, false))).collect()
}
