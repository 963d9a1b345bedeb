//! A linked worktree's share in its project's memory: a symbolic link, made only where nothing is lost.

use super::InitError;
use crate::fs::{self, FsError};
use crate::git::parent;
use crate::project::Known;
use std::io;
use std::path::{Path, PathBuf};

/// At most this many bytes of a file are compared.
const LIMIT: u64 = 64 << 20;
/// At most this many files of a folder are compared.
const FILES: usize = 10_000;

/// What became of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shared {
    /// It is none of a known project with a memory, or shares it already.
    AsItWas,
    /// It shares its project's memory now; the link.
    Linked(PathBuf),
    /// Something stands there that is not replaced; a warning for people.
    Left(String),
}

/// Lets the linked worktree that a directory lies in share its project's memory. For hooks and the
/// sweep, where a worktree is seen for the first time; may be repeated.
///
/// Writes only where the path of the link leads through no other link, and links only to a memory
/// that is a folder of its own.
///
/// # Errors
/// When the link cannot be made.
pub fn share_with(dir: &Path, known: &Known) -> Result<Shared, InitError> {
    let Some(found) = known.find(dir) else {
        return Ok(Shared::AsItWas);
    };
    let (root, worktree) = (found.root, found.worktree);
    let Some(worktree) = worktree.filter(|_| known.is_root(&root)) else {
        return Ok(Shared::AsItWas);
    };
    let memory = root.join(".memory");
    let is_plain = || worktree.canonicalize().is_ok_and(|real| real == worktree);
    if !is_plain() || !fs::is_own_folder(&memory)? || is_linked(&worktree, &memory) {
        return Ok(Shared::AsItWas);
    }
    take_away_stale(&worktree, &root, known)?;
    if let Some(warning) = link(&memory, &worktree)? {
        return Ok(Shared::Left(warning));
    }
    // Git may show the link as a new file then, which harms nothing.
    let _ = parent::keep_link_out(&worktree);
    Ok(Shared::Linked(worktree.join(".memory")))
}

/// A link to where the project lay before it was moved leads nowhere and is made anew.
fn take_away_stale(worktree: &Path, root: &Path, known: &Known) -> Result<(), FsError> {
    let link = worktree.join(".memory");
    let to = std::fs::read_link(&link).ok();
    let before = to.as_deref().filter(|to| to.ends_with(".memory"));
    let before = before.and_then(Path::parent);
    let is_stale = || std::fs::metadata(&link).is_err();
    match before.is_some_and(|before| known.is_other(before, root)) && is_stale() {
        true => std::fs::remove_file(&link).map_err(FsError::io("remove", &link)),
        false => Ok(()),
    }
}

fn is_linked(worktree: &Path, memory: &Path) -> bool {
    let memory = memory.canonicalize();
    let there = worktree.join(".memory").canonicalize();
    there.is_ok_and(|there| memory.is_ok_and(|memory| memory == there))
}

/// Links a worktree's `.memory` to the shared one. Returns a warning when something stands there
/// that it does not replace.
///
/// # Errors
/// When the link cannot be made.
pub(super) fn link(memory: &Path, worktree: &Path) -> Result<Option<String>, InitError> {
    let link = worktree.join(".memory");
    let meta = match std::fs::symlink_metadata(&link) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return make_link(memory, &link),
        Err(e) => return Err(FsError::io("read", &link)(e).into()),
    };
    if meta.is_symlink() {
        if link.canonicalize().is_ok_and(|to| to == memory) {
            return Ok(None);
        }
        return Ok(Some(format!(
            "{link:?} leads elsewhere and was left as it is; this worktree does not share {memory:?}"
        )));
    }
    let mut files = 0;
    if meta.is_dir() && is_saved(&link, memory, &mut files) {
        std::fs::remove_dir_all(&link).map_err(FsError::io("remove", &link))?;
        return make_link(memory, &link);
    }
    Ok(Some(format!(
        "{link:?} holds memory that is not in {memory:?} and was left as it is; move what you need over, remove it, and run `memd init` again"
    )))
}

fn make_link(memory: &Path, link: &Path) -> Result<Option<String>, InitError> {
    std::os::unix::fs::symlink(memory, link).map_err(FsError::io("link", link))?;
    Ok(None)
}

/// Whether everything below `dir` stands in `other` with the same bytes. A repository, a link or
/// anything unusual counts as unsaved.
fn is_saved(dir: &Path, other: &Path, files: &mut usize) -> bool {
    let Ok(items) = std::fs::read_dir(dir) else {
        return false;
    };
    for item in items {
        let Ok(item) = item else { return false };
        *files += 1;
        let (here, there) = (item.path(), other.join(item.file_name()));
        let Ok(kind) = item.file_type() else {
            return false;
        };
        let saved = if kind.is_dir() {
            item.file_name() != ".git" && is_saved(&here, &there, files)
        } else {
            let (a, b) = (fs::read_plain(&here, LIMIT), fs::read_plain(&there, LIMIT));
            matches!((a, b), (Ok(a), Ok(b)) if a == b)
        };
        if !saved || *files > FILES {
            return false;
        }
    }
    true
}
