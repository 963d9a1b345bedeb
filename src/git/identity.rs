//! Whose memory this is: the project's id, kept where no clone and no archive of the files carries it,
//! so that a project that was renamed or moved with its memory is known again.

use super::{GitError, check_own};
use crate::fs::{self, FsError};
use crate::id::ProjectId;
use std::path::Path;

/// The file, in the memory's own `.git`.
const NAME: &str = "memd-project";
/// At most this many bytes of it are read.
const LIMIT: u64 = 256;

/// The project whose memory this is or was, as far as its repository says.
#[must_use]
pub fn identity(memory: &Path) -> Option<ProjectId> {
    let dot_git = memory.join(".git");
    if !fs::is_own_folder(memory).ok()? || !fs::is_own_folder(&dot_git).ok()? {
        return None;
    }
    let text = fs::read_text(&dot_git.join(NAME), LIMIT).ok()?;
    text.trim().parse().ok()
}

/// Writes whose memory this is, where it has a repository and that says otherwise.
///
/// # Errors
/// When the repository is not the memory's own, or cannot be written.
pub fn set_identity(memory: &Path, project: &ProjectId) -> Result<(), GitError> {
    let dot_git = memory.join(".git");
    if std::fs::symlink_metadata(&dot_git).is_err() || identity(memory).as_ref() == Some(project) {
        return Ok(());
    }
    check_own(&dot_git)?;
    let text = format!("{project}\n");
    fs::write_atomic(&dot_git.join(NAME), text.as_bytes(), 0o600).map_err(|e: FsError| e.into())
}
