//! A look at all projects at once: whose sessions there are, which projects are new, what each has to
//! read. Looks and decides; the edge makes, asks and prints.
//!
//! All sessions are looked at once, whatever number of projects there is: a session's directories
//! tell whose it is, and they are kept for sessions that do not change.

mod scan;
mod timer;

pub use scan::{Scan, Seen, scan};
pub use timer::{Timer, TimerError, Unit, UnitState};

use crate::project::{Known, seen_new};
use crate::source::{Session, free_ranges};
use crate::store::{Project, Store, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Sessions that were changed in this time tell of new projects.
const NEW: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What there is to do in one project.
#[derive(Debug, Clone)]
pub struct Todo {
    /// The project.
    pub project: Project,
    /// The sessions that have rows of it and are quiet, oldest change first.
    pub sessions: Vec<Session>,
    /// How many with something new were changed so lately that they are left alone.
    pub busy: usize,
    /// Since when its oldest session with something new waits.
    pub since: Option<SystemTime>,
}

/// The roots of repositories that lately saw a session and are no project yet.
#[must_use]
pub fn new_projects(scan: &Scan, known: &Known, now: SystemTime) -> Vec<PathBuf> {
    let is_late = |seen: &&Seen| {
        let age = now.duration_since(seen.session.modified);
        age.map_or(true, |age| age < NEW)
    };
    let dirs = scan.sessions.iter().filter(is_late).flat_map(|s| &s.dirs);
    seen_new(dirs.map(PathBuf::as_path), known)
}

/// What there is to do, the project whose material waits longest first. Sessions that were changed
/// in the last `quiet` are left alone.
///
/// # Errors
/// When the database cannot be read.
pub fn todos(
    scan: &Scan,
    projects: Vec<Project>,
    known: &Known,
    store: &Store,
    quiet: Duration,
    now: SystemTime,
) -> Result<Vec<Todo>, StoreError> {
    let mut by_root = by_root(scan, known);
    let mut todos = Vec::new();
    for project in projects {
        let mut todo = Todo {
            sessions: Vec::new(),
            busy: 0,
            since: None,
            project,
        };
        for session in by_root.remove(&todo.project.root).unwrap_or_default() {
            let is_new = has_new(store, &todo.project, session)?;
            let age = now.duration_since(session.modified);
            if age.is_ok_and(|age| age < quiet) {
                todo.busy += usize::from(is_new);
                continue;
            }
            if is_new {
                let since = todo.since.get_or_insert(session.modified);
                *since = session.modified.min(*since);
            }
            todo.sessions.push(session.clone());
        }
        todos.push(todo);
    }
    // `None`, nothing new, comes last.
    todos.sort_by_key(|todo| (todo.since.is_none(), todo.since));
    Ok(todos)
}

/// Whether some of a session is free for a project, by its size.
fn has_new(store: &Store, project: &Project, session: &Session) -> Result<bool, StoreError> {
    let spans = store.spans(&project.id, &session.key)?;
    let taken: Vec<_> = spans.iter().map(|s| (s.span.start, s.span.end)).collect();
    Ok(!free_ranges(&taken, session.size).is_empty())
}

/// The sessions of each root.
fn by_root<'a>(scan: &'a Scan, known: &Known) -> BTreeMap<PathBuf, Vec<&'a Session>> {
    let mut roots: HashMap<&Path, Option<PathBuf>> = HashMap::new();
    let mut found: BTreeMap<PathBuf, Vec<&Session>> = BTreeMap::new();
    for seen in &scan.sessions {
        for dir in &seen.dirs {
            let root = roots.entry(dir).or_insert_with(|| known.root_of(dir));
            let own = seen.session.is_named_by(dir).then_some(dir);
            // What the user named for a project is its own, also the global memory's.
            let Some(root) = own.or(root.as_ref()) else {
                continue;
            };
            let sessions = found.entry(root.clone()).or_default();
            if sessions.last() != Some(&&seen.session) {
                sessions.push(&seen.session);
            }
        }
    }
    found
}
