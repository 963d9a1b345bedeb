//! Switching from memd 0.3: what it knew of projects and sources is taken over, once.
//!
//! 0.3's configuration is memd's own file. Its projects are registered, and its cursors say what of
//! their sessions counts as read. Its files are read and left as they are; what stands in a memory
//! is not touched, and offered for adoption like any memory that is found.

mod cursors;
mod meta;

pub use cursors::{Cursors, ReadBefore};

use super::{InitError, Tools, check_name};
use crate::config::{Places, ProjectSettings, Settings};
use crate::fs::{self, FsError};
use crate::lock;
use crate::project::Known;
use crate::proposal::Span;
use crate::source::{Rows, Session, Where, discover};
use crate::store::Project;
use meta::Meta;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// What was taken over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Projects with a memory.
    pub projects: Vec<Project>,
    /// Sessions that go on where 0.3 had read to.
    pub sessions: usize,
    /// Sessions that are shorter than what 0.3 had read: they are read anew.
    pub rewritten: usize,
    /// Sessions that cannot be read now; they will be new when they can.
    pub unreadable: usize,
    /// Projects of the configuration whose folder is gone.
    pub gone: Vec<PathBuf>,
}

/// Whether 0.3 left something here. Asks the file system only.
#[must_use]
pub fn has_old(places: &Places) -> bool {
    cursors::is_there(places) || places.state.join(meta::NAME).is_file()
}

/// Takes over what 0.3 left, unless that was done. May be cut short at any moment and repeated.
///
/// # Errors
/// When one of 0.3's files is there and cannot be understood, or the database cannot be written:
/// nothing counts as taken over then.
pub fn import(settings: &Settings, tools: &Tools<'_>) -> Result<Option<Imported>, InitError> {
    let store = tools.store;
    if store.is_imported()? {
        return Ok(None);
    }
    let path = tools.places.locks().join("import");
    let _lock = lock::take(&path, lock::PATIENCE, "the switch from memd 0.3")?;
    if store.is_imported()? {
        return Ok(None);
    }
    let cursors = Cursors::read(tools.places)?;
    let meta = Meta::read(tools.places)?;
    let mut imported = Imported::default();
    let mut fresh = Vec::new();
    for (root, said) in with_global(settings) {
        if !root.is_dir() {
            imported.gone.push(root);
            continue;
        }
        if let Some(project) = register(&root, &said, settings, tools)? {
            if store.sources(&project.id)?.is_empty() {
                fresh.push(project.clone());
            }
            imported.projects.push(project);
        }
    }
    read_before(&fresh, cursors.as_ref(), settings, tools, &mut imported)?;
    let before: Vec<_> = imported
        .projects
        .iter()
        .filter_map(|p| Some((p.id.clone(), meta.of(p)?)))
        .map(|(id, mut before)| {
            if !(tools.credentials)(&before.summary).is_empty() {
                before.summary.clear();
            }
            (id, before)
        })
        .collect();
    store.set_imported(&before, tools.now)?;
    Ok(Some(imported))
}

/// The configured projects, and the global memory where there is one.
fn with_global(settings: &Settings) -> BTreeMap<PathBuf, ProjectSettings> {
    let mut all = settings.projects.clone();
    let global = &settings.global_root;
    let is_memory = global.join(".memory/state.md").is_file();
    if is_memory && settings.project(global).is_none() {
        all.entry(global.clone()).or_default();
    }
    all
}

/// Registers a project that has a memory of its own.
fn register(
    root: &Path,
    said: &ProjectSettings,
    settings: &Settings,
    tools: &Tools<'_>,
) -> Result<Option<Project>, InitError> {
    let root = root.canonicalize().map_err(FsError::io("find", root))?;
    let has_memory = fs::is_own_folder(&root.join(".memory")).unwrap_or(false);
    let is_kept_away = settings.exclude.iter().any(|dir| root.starts_with(dir));
    if !has_memory || is_kept_away {
        return Ok(None);
    }
    let folder = || root.file_name().map(|n| n.to_string_lossy().into_owned());
    let is_good = |name: &String| check_name(name).is_ok() && (tools.credentials)(name).is_empty();
    let name = said.name.clone().filter(is_good).or_else(folder);
    let name = name.unwrap_or_else(|| "memory".to_owned());
    let project = tools
        .store
        .ensure_project(tools.trust, &root, &name, tools.now)?;
    Ok(Some(project))
}

/// What counts as read of the sessions of these projects; each session is looked at once.
fn read_before(
    fresh: &[Project],
    cursors: Option<&Cursors>,
    settings: &Settings,
    tools: &Tools<'_>,
    imported: &mut Imported,
) -> Result<(), InitError> {
    if fresh.is_empty() {
        return Ok(());
    }
    let known = tools.store.known(settings, tools.places)?;
    let mut dirs = HashMap::new();
    let mut spans: BTreeMap<&Path, Vec<Span>> = BTreeMap::new();
    let mut seen: BTreeMap<&Path, Vec<String>> = BTreeMap::new();
    for session in discover(Where::new(tools.places, settings)).sessions {
        let roots = roots_in(&session, &known, &mut dirs);
        let read = Cursors::mark_of(cursors, &session);
        let (Some(roots), Some(ReadBefore { mark, rewritten })) = (roots, read) else {
            imported.unreadable += 1;
            continue;
        };
        let ours: Vec<_> = fresh.iter().filter(|p| roots.contains(&p.root)).collect();
        if ours.is_empty() {
            continue;
        }
        imported.rewritten += usize::from(rewritten);
        if mark.end == 0 && mark.seen.is_empty() {
            continue;
        }
        let Ok(fingerprint) = session.fingerprint(mark.end) else {
            imported.unreadable += 1;
            continue;
        };
        imported.sessions += 1;
        for project in ours {
            seen.entry(&project.root)
                .or_default()
                .extend(mark.seen.clone());
            spans.entry(&project.root).or_default().push(Span {
                source: session.key.clone(),
                start: 0,
                end: mark.end,
                fingerprint: fingerprint.clone(),
            });
        }
    }
    let (store, trust, now) = (tools.store, tools.trust, tools.now);
    for project in fresh {
        let spans = spans.remove(project.root.as_path()).unwrap_or_default();
        let seen = seen.remove(project.root.as_path()).unwrap_or_default();
        store.baseline(trust, &project.id, &spans, &seen, now)?;
    }
    Ok(())
}

/// The projects that a session has rows of; `None` when it cannot be read.
fn roots_in(
    session: &Session,
    known: &Known,
    dirs: &mut HashMap<PathBuf, Option<PathBuf>>,
) -> Option<BTreeSet<PathBuf>> {
    let found = RefCell::new((BTreeSet::new(), dirs));
    let note = |dir: &Path| {
        let mut found = found.borrow_mut();
        let root = match found.1.get(dir).cloned() {
            Some(root) => root,
            None => {
                let root = known.root_of(dir);
                found.1.insert(dir.to_owned(), root.clone());
                root
            }
        };
        found.0.extend(root);
        // Never the one that is looked for, so that the whole session is looked at.
        false
    };
    session.any_in(&mut Rows::of(&note))?;
    let mut roots = std::mem::take(&mut found.borrow_mut().0);
    // What the user named for a project is its own, also the global memory's.
    roots.extend(
        session
            .root
            .clone()
            .filter(|root| session.is_named_by(root)),
    );
    Some(roots)
}

/// A JSON object in a file of 0.3's; `None` where there is no such file.
fn object(path: &Path, limit: u64) -> Result<Option<Map<String, Value>>, FsError> {
    // People keep their state elsewhere and link it.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let text = match fs::read_text(&real, limit) {
        Ok(text) => text,
        Err(e) if e.is_missing() => return Ok(None),
        Err(e) => return Err(e),
    };
    let object: Result<Map<String, Value>, _> = serde_json::from_str(&text);
    object.map(Some).map_err(|e| {
        let why = format!("it is no JSON object ({e}); mend it or move it away");
        FsError::io("understand", path)(std::io::Error::other(why))
    })
}
