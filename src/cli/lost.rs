//! Whether the database was lost or emptied: it holds nothing sealed, though projects have a memory
//! that memd wrote. Every command that would say "there is nothing" asks this
//! first. Makes no database and no key, and mends nothing.

use super::{Context, Failure};
use crate::apply::TRAILER_AUDIT;
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

/// Projects of the configuration whose memory memd has written, and of which the database holds
/// nothing: it is another one than they were let in with.
///
/// # Errors
/// When it cannot be read.
pub(super) fn without_records(context: &Context, store: &Store) -> Result<Vec<PathBuf>, Failure> {
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
    roots.retain(|root| !known.contains(root) && says_so(root) == Some(true));
    Ok(roots)
}

/// What there is to say of one of them.
pub(super) fn told_of(root: &Path) -> String {
    format!(
        "the memory in {root:?} was let in with another database: this one holds nothing of it, and no agent is given it"
    )
}

/// What to do about one of them.
pub(super) const INIT_THERE: &str =
    "put that database back, or run `memd init` there and adopt in `memd review` what stands";

/// Whether a memory stands there that memd has written.
fn is_ours(root: &Path) -> bool {
    says_so(root).unwrap_or_else(|| root.join(".memory").is_dir())
}

/// Whether the history of the memory there says that memd has written it; none where it has none
/// that can be read.
fn says_so(root: &Path) -> Option<bool> {
    let by_memd = |c: &Commit| {
        [TRAILER_AUDIT, "Memd-By"]
            .iter()
            .any(|t| c.trailer(t).is_some())
    };
    let repo = Repo::open(&root.join(".memory"));
    let log = repo.and_then(|repo| repo.log(COMMITS)).ok()?;
    Some(log.iter().any(by_memd))
}
