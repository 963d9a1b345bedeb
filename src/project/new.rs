//! Projects that sessions were held in and that memd does not know yet.

use super::{Known, TEMPORARY};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The roots of repositories in which these directories lie and that are no known project, in order.
/// Nothing that is excluded or was forgotten, memd's own, the home or below a folder for temporary files (where the
/// home is not there too).
///
/// Give it the directories of the sessions of the last 30 days; [`crate::init::scaffold`] makes the
/// memory.
#[must_use]
pub fn seen_new<'a>(dirs: impl IntoIterator<Item = &'a Path>, known: &Known) -> Vec<PathBuf> {
    let dirs: BTreeSet<&Path> = dirs.into_iter().collect();
    let there = dirs.into_iter().filter(|dir| dir.is_absolute());
    // What is gone gets no memory.
    let there = there.filter_map(|dir| dir.canonicalize().ok());
    let own = |dir: &Path| !known.own.as_os_str().is_empty() && dir.starts_with(&known.own);
    let found: BTreeSet<PathBuf> = there
        .filter(|dir| !own(dir) && !is_temporary(dir, known))
        .filter_map(|dir| known.root_of(&dir))
        .filter(|root| !known.is_root(root) && !own(root) && !known.is_excluded(root))
        .filter(|root| !known.forgotten.contains(root))
        .collect();
    found.into_iter().collect()
}

/// Whether a directory is below a folder for temporary files.
fn is_temporary(dir: &Path, known: &Known) -> bool {
    let holds = |folder: &Path| dir.starts_with(folder) && !known.real_home.starts_with(folder);
    TEMPORARY.iter().any(|folder| holds(Path::new(folder)))
        || holds(Path::new("/private/var/folders"))
}
