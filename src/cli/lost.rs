//! Whether the database was lost or emptied: it holds nothing sealed, though its key is there and
//! projects have a memory that memd wrote. Every command that would say "there is nothing" asks this
//! first. Makes no database and no key, and mends nothing.

use super::{Context, Failure};
use crate::apply::TRAILER_AUDIT;
use crate::git::{Commit, Repo};
use crate::store::Store;
use std::path::Path;

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

/// Whether it was lost or emptied. A key alone is also made by commands that only redact.
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
    let mut roots = settings.projects.keys();
    Ok(context.places.key().exists()
        && (roots.any(|root| is_ours(root)) || is_ours(&settings.global_root)))
}

/// Whether a memory stands there that memd has written.
fn is_ours(root: &Path) -> bool {
    let memory = root.join(".memory");
    let by_memd = |c: &Commit| {
        [TRAILER_AUDIT, "Memd-By"]
            .iter()
            .any(|t| c.trailer(t).is_some())
    };
    match Repo::open(&memory).and_then(|repo| repo.log(COMMITS)) {
        Ok(log) => log.iter().any(by_memd),
        Err(_) => memory.is_dir(),
    }
}
