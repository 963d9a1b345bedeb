//! Which project a command is about, and the few facts of it that several commands say.

pub(super) use crate::browse::{Look, is_unreviewed};

use super::lost::Stray;
use super::{Context, Failure, here, lost};
use crate::browse::Sight;
use crate::config::CuratorChoice;
use crate::git::{GitError, Repo};
use crate::guard::mark_in;
use crate::init;
use crate::memory::{Memory, MemoryFile};
use crate::project::{Known, without_links};
use crate::proposal::Kind;
use crate::redact::Redactor;
use crate::store::{Project, QueueItem, Store};
use crate::text::visible_line;
use crate::trust::{Matched, Trust};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::Path;

/// What it takes to look at what happened, open.
pub(super) struct Books {
    pub store: Store,
    pub trust: Trust,
    pub redactor: Redactor,
    now: Timestamp,
}

impl Books {
    /// With what this database holds.
    pub fn of(context: &Context, store: Store) -> Result<Self, Failure> {
        let trust = store.trust()?;
        Ok(Self {
            redactor: context.redactor_with(&store, &trust),
            trust,
            store,
            now: context.now,
        })
    }

    pub fn sight(&self) -> Sight<'_> {
        Sight {
            store: &self.store,
            trust: &self.trust,
            redactor: &self.redactor,
            now: self.now,
        }
    }
}

/// The project a directory belongs to, if it is known to the database.
pub(super) fn project_at(
    context: &Context,
    store: &Store,
    dir: &Path,
) -> Result<Option<Project>, Failure> {
    project_in(store, &known(context, store)?, dir)
}

/// Everything by which a directory is told to be a project's.
pub(super) fn known(context: &Context, store: &Store) -> Result<Known, Failure> {
    let known = store.known(&context.config.settings, &context.places);
    known.map_err(Failure::known)
}

/// As [`project_at`], with what is known.
pub(super) fn project_in(
    store: &Store,
    known: &Known,
    dir: &Path,
) -> Result<Option<Project>, Failure> {
    match known.root_of(dir) {
        Some(root) => store.project_at(&root).map_err(Failure::known),
        None => Ok(None),
    }
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
    // No session is the global memory's, but a person who stands there or names it means it.
    if let Some(global) = global_project(context, store)?
        && dir.canonicalize().is_ok_and(|dir| dir == global.root)
    {
        return Ok(global);
    }
    if let Some(project) = project_at(context, store, &dir)? {
        return Ok(project);
    }
    lost::refuse(context, Some(store))?;
    if let Some(stray) = stray(context, store, &dir)? {
        return Err(Failure::known(stray.told()).hint(stray.way_out()));
    }
    Err(match moved_to(context, store, &dir)? {
        Some((_, moved)) => Failure::known(moved).hint("run `memd init` there to go on with it"),
        None => none_at(context, &dir),
    })
}

/// What lies in the folder around this directory and was let in with another database, or with a newer
/// state of this one.
pub(super) fn stray(
    context: &Context,
    store: &Store,
    dir: &Path,
) -> Result<Option<Stray>, Failure> {
    let known = Known::configured(&context.config.settings, &context.places);
    let Some(root) = known.root_of(dir).filter(|root| known.is_root(root)) else {
        return Ok(None);
    };
    let all = lost::strays(context, store)?;
    Ok(all.into_iter().find(|stray| stray.root == root))
}

/// The memory of all projects, where there is one.
pub(super) fn global_project(context: &Context, store: &Store) -> Result<Option<Project>, Failure> {
    let root = &context.config.settings.global_root;
    let root = root.canonicalize().unwrap_or_else(|_| root.clone());
    store.project_at(&root).map_err(Failure::known)
}

/// The project whose memory was moved to this directory or one around it, and what there is to say.
pub(super) fn moved_to(
    context: &Context,
    store: &Store,
    dir: &Path,
) -> Result<Option<(Project, String)>, Failure> {
    let known = Known::configured(&context.config.settings, &context.places);
    for dir in dir.ancestors().take_while(|dir| !known.is_never(dir)) {
        if let Some(project) = init::moved_here(store, dir)? {
            let (name, root) = (&project.name, &project.root);
            let said = format!("the memory in {dir:?} is that of {name}, which lay in {root:?}");
            return Ok(Some((project, said)));
        }
    }
    Ok(None)
}

/// What a review says of a project whose memory could not be looked at: of one that was moved here, or
/// whose folder is not there, another way out than a backup.
pub(super) fn not_read(
    context: &Context,
    store: &Store,
    project: &Project,
    why: &impl std::fmt::Display,
) -> Result<String, Failure> {
    let moved = moved_to(context, store, &here()?)?;
    Ok(match moved.filter(|(moved, _)| moved.id == project.id) {
        Some((_, said)) => goes_on(&said),
        None if project.root.is_dir() => format!("{}: {why}", project.name),
        None => format!("{}: {:?}: {GONE}", project.name, project.root),
    })
}

/// With what is to be done about a memory that was moved.
pub(super) fn goes_on(moved: &str) -> String {
    format!("{moved}; `memd init` there goes on with it")
}

/// Said of a project whose folder is not there.
pub(super) const GONE: &str =
    "the folder is not there: memd init in its new place if it moved, memd forget if it is no more";

/// There is no project there.
pub(super) fn none_at(context: &Context, dir: &Path) -> Failure {
    let none = format!("{dir:?} belongs to no project that memd knows");
    match (unknown(context, dir), excluded(context, dir)) {
        (Some(said), _) => Failure::known(format!("{none}; {said}")),
        (None, None) => Failure::known(none).hint("give it a memory with `memd init`"),
        (None, Some(why)) => Failure::known(format!("{none}: {why}")).hint(
            "take that out of the configuration first, then give it a memory with `memd init`",
        ),
    }
}

/// What there is to say where a memory lies in this directory or one around it and is no project's.
pub(super) fn unknown(context: &Context, dir: &Path) -> Option<String> {
    let known = Known::configured(&context.config.settings, &context.places);
    let mut around = dir.ancestors().take_while(|dir| !known.is_never(dir));
    let root = around.find(|dir| dir.join(".memory").is_dir())?;
    Some(match excluded(context, root) {
        None => format!(
            "a memory lies in {root:?} that memd does not know here: `memd init` there offers what stands in it"
        ),
        Some(why) => format!(
            "a memory lies in {root:?}, and {why}: take that out of the configuration first; `memd init` there then offers what stands in it"
        ),
    })
}

/// Why memd is kept away from a folder.
fn excluded(context: &Context, dir: &Path) -> Option<String> {
    let dir = without_links(dir);
    let mut all = context.config.settings.exclude.iter();
    let excluded = all.find(|excluded| dir.starts_with(excluded))?;
    Some(format!("{excluded:?} is in \"exclude\""))
}

/// What there is to say where a person stands in a memory that is no project's, nor one that is listed
/// among the projects with a problem of its own.
pub(super) fn nobodys(
    context: &Context,
    store: Option<&Store>,
) -> Result<Option<Failure>, Failure> {
    let here = here()?;
    if unknown(context, &here).is_none() {
        return Ok(None);
    }
    let Some(store) = store else {
        return Ok(Some(none_at(context, &here)));
    };
    match stray(context, store, &here)? {
        Some(_) => Ok(None),
        None => Ok(asked_project(context, store, None).err()),
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

/// What there is to say of each file whose frontmatter was taken out or broken by hand.
pub(super) fn without_front(memory: &Memory) -> impl Iterator<Item = String> {
    memory.without_front().map(|(file, why)| {
        let name = file.name();
        format!("{name}: {why}; mend it by hand, or let memd put a fresh one there with the next change of {name} that you accept")
    })
}

/// What there is to say of each file in which nobody let in what holds git's marks of a merge conflict:
/// they were committed, or left by hand.
pub(super) fn marks(matched: &Matched) -> Vec<String> {
    let mut told = BTreeMap::new();
    for entry in matched.untrusted() {
        if let Some(mark) = mark_in(&entry.text) {
            told.entry(entry.file)
                .or_insert_with(|| visible_line(mark.trim()));
        }
    }
    let said = |(file, mark): (MemoryFile, String)| {
        let name = file.name();
        format!(
            "{name} holds git's marks of a merge conflict, the first of them {mark:?}: open it, keep one side and take the marks out; then memd review"
        )
    };
    told.into_iter().map(said).collect()
}

/// What there is to say of a history that is gone or cannot be read.
pub(super) fn history(context: &Context, project: &Project) -> Option<String> {
    if !context.config.settings.git_commit || !project.memory().is_dir() {
        return None;
    }
    let found = Repo::open(&project.memory()).and_then(|repo| repo.last_commit());
    match found {
        Ok(_) => None,
        Err(GitError::Missing { path }) => Some(format!(
            "its history is gone: {path:?} is not there; put it back from a backup, or let `memd init` begin a new one"
        )),
        Err(error) => Some(format!("{error}; until then commits are owed")),
    }
}

/// Since when the oldest of these waits for a person, and how many do. What was let in already
/// does not wait, nor an offer of what stood on disk and does not stand there any more: the next
/// review withdraws it.
pub(super) fn waiting(queue: &[QueueItem], look: Option<&Look>) -> Option<(usize, Timestamp)> {
    let agrees = look.is_some_and(Look::agrees);
    let is_stale = |q: &&QueueItem| agrees && q.kind == Kind::ChangedOnDisk;
    let waits = || {
        queue
            .iter()
            .filter(|q| q.is_undecided_text() && !is_stale(q))
    };
    let oldest = waits().map(|q| q.created).min()?;
    Some((waits().count(), oldest))
}

/// The cap that keeps curators from being asked today where no person waits, in words.
pub(super) fn capped(context: &Context, store: &Store) -> Option<String> {
    let settings = &context.config.settings;
    // Who asks nobody meets no cap; what cannot be read says nothing.
    let asks = settings.curator != CuratorChoice::Builtin;
    let spent = store.spent(context.now).ok().filter(|_| asks)?;
    spent.reached(&settings.caps, 0).map(|cap| cap.to_string())
}

/// Notes that wait in a project's inbox; one that cannot be listed holds none.
pub(super) fn inbox(project: &Project) -> usize {
    crate::source::inbox::count(&project.memory()).unwrap_or(0)
}
