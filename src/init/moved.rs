//! A project whose folder was renamed or moved: its memory travels with the folder and says whose it
//! is.

use crate::git;
use crate::store::{Project, Store, StoreError};
use std::path::Path;

/// The project whose memory lies in this folder although it is registered elsewhere, where it is not
/// any more. `None`: the folder's memory is its own, a copy of one that still stands, or none.
///
/// # Errors
/// When the database cannot be read.
pub fn moved_here(store: &Store, root: &Path) -> Result<Option<Project>, StoreError> {
    let Some(id) = git::identity(&root.join(".memory")) else {
        return Ok(None);
    };
    let known = store.projects()?.into_iter().find(|known| known.id == id);
    let is_gone = |known: &Project| std::fs::symlink_metadata(known.memory()).is_err();
    Ok(known.filter(|known| known.root != root && is_gone(known)))
}
