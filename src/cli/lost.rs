//! Whether the database was lost or emptied: it holds nothing sealed, though projects have a memory
//! that memd wrote. Every command that would say "there is nothing" asks this
//! first. Makes no database and no key, and mends nothing.

use super::{Context, Failure};
use crate::apply::{TRAILER_AUDIT, TRAILER_SEALED_BY, said_by};
use crate::git::{Commit, Repo};
use crate::store::Store;
use std::path::{Path, PathBuf};

/// More commits of one memory than a person makes in years.
pub(super) const COMMITS: usize = 100_000;
/// What there is to say of it.
pub(super) const WHAT: &str = "the database was lost or emptied";
/// What to do about it.
pub(super) const WAY_OUT: &str = "put it back from a backup, or run `memd init` in each project and adopt in `memd review` what stands in .memory/: no memory is lost, only the proof of who let it in";

/// The database for whoever only reads; none where there never was one.
///
/// # Errors
/// When it cannot be opened, or was lost or emptied.
pub(super) fn opened(context: &Context) -> Result<Option<Store>, Failure> {
    let store = Store::open_to_look(&context.places)?;
    refuse(context, store.as_ref())?;
    Ok(store)
}

/// The database for whoever only reads, and has nothing to say without one.
///
/// # Errors
/// As [`opened`], and where there is none.
pub(super) fn looked_at(context: &Context) -> Result<Store, Failure> {
    opened(context)?.ok_or_else(|| {
        Failure::known("there is no memory yet").hint("give a project one with `memd init`")
    })
}

/// Refuses a database that was lost or emptied.
///
/// # Errors
/// When it was, or cannot be read.
pub(super) fn refuse(context: &Context, store: Option<&Store>) -> Result<(), Failure> {
    match is_lost(context, store)? {
        false => Ok(()),
        true => {
            let place = context.places.database();
            let what = format!("{WHAT}: {} holds nothing sealed", place.display());
            Err(Failure::known(what).hint(WAY_OUT))
        }
    }
}

/// Whether it was lost or emptied. A key alone is also made by commands that only redact; where none
/// is left either, only a history that says so tells a memory of ours from one of memd 0.3.
///
/// # Errors
/// When it cannot be read.
pub(super) fn is_lost(context: &Context, store: Option<&Store>) -> Result<bool, Failure> {
    if let Some(store) = store
        && store.has_sealed_data()?
    {
        return Ok(false);
    }
    let settings = &context.config.settings;
    let is_its = |root: &Path| match context.places.key().exists() {
        true => is_ours(root),
        false => says_so(root) == Some(true),
    };
    let mut roots = settings.projects.keys();
    Ok(roots.any(|root| is_its(root)) || is_its(&settings.global_root))
}

/// A project of the configuration whose memory memd has written, and of which the database holds
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stray {
    /// Its folder.
    pub root: PathBuf,
    /// Whether what was let in there was sealed with this very key, and since this database began (where
    /// nothing was let in, whether it was made since): it is an older state of the one that it was let
    /// in with. Else it is another one.
    pub is_newer: bool,
}

impl Stray {
    /// What there is to say of it.
    pub fn told(&self) -> String {
        let root = &self.root;
        match self.is_newer {
            true => format!(
                "the memory in {root:?} is newer than the database, an older state of which was put back: it holds nothing of it, and no agent is given it"
            ),
            false => format!(
                "the memory in {root:?} was let in with another database: this one holds nothing of it, and no agent is given it"
            ),
        }
    }

    /// What to do about it.
    pub fn way_out(&self) -> &'static str {
        match self.is_newer {
            true => {
                "put a newer state back, or run `memd init` there and adopt in `memd review` what stands"
            }
            false => {
                "put that database back, or run `memd init` there and adopt in `memd review` what stands"
            }
        }
    }
}

/// All of them.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn strays(context: &Context, store: &Store) -> Result<Vec<Stray>, Failure> {
    let settings = &context.config.settings;
    let listed = settings.projects.keys().chain([&settings.global_root]);
    let mut known = store.forgotten_roots()?;
    known.extend(store.projects()?.into_iter().map(|project| project.root));
    known.extend(
        store
            .unreadable_projects()?
            .into_iter()
            .map(|(root, _)| root),
    );
    let real = |root: &PathBuf| root.canonicalize().ok();
    let mut roots: Vec<_> = listed.filter_map(real).collect();
    roots.sort();
    roots.dedup();
    roots.retain(|root| !known.contains(root));
    let (trust, began) = (store.trust().ok(), store.began()?);
    let stray = |root: PathBuf| {
        let log = log(&root).filter(|log| log.iter().any(is_by_memd))?;
        // Where nothing was let in yet there is no seal to go by, only when it was made.
        let is_unsealed = log.iter().all(|c| c.trailer(TRAILER_SEALED_BY).is_none());
        let is_after = |c: &Commit| began.is_some_and(|began| c.at > began);
        let is_ours = |c: &Commit| trust.as_ref().is_some_and(|t| said_by(c).is_of_ours(t));
        let is_newer = match is_unsealed {
            true => log.iter().filter(|c| is_by_memd(c)).all(is_after),
            false => log.iter().any(|c| is_after(c) && is_ours(c)),
        };
        Some(Stray { is_newer, root })
    };
    Ok(roots.into_iter().filter_map(stray).collect())
}

/// Whether a memory stands there that memd has written.
fn is_ours(root: &Path) -> bool {
    says_so(root).unwrap_or_else(|| root.join(".memory").is_dir())
}

/// Whether the history of the memory there says that memd has written it; none where it has none
/// that can be read.
fn says_so(root: &Path) -> Option<bool> {
    Some(log(root)?.iter().any(is_by_memd))
}

fn is_by_memd(commit: &Commit) -> bool {
    let mut trailers = [TRAILER_AUDIT, "Memd-By"].into_iter();
    trailers.any(|t| commit.trailer(t).is_some())
}

fn log(root: &Path) -> Option<Vec<Commit>> {
    let repo = Repo::open(&root.join(".memory"));
    repo.and_then(|repo| repo.log(COMMITS)).ok()
}
