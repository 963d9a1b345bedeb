//! Whether libgit2 may open what stands in a repository: it opens whatever has the right name, and
//! waits for a pipe for ever.

use super::GitError;
use crate::fs::{self, FsError};
use std::path::{Path, PathBuf};

/// How deep folders of a repository are looked through: names of branches may have many parts.
const DEEPEST: usize = 32;
/// How far object stores may lie behind each other.
const STORES: usize = 5;
/// At most this many bytes are read of a file that names another folder.
const LIMIT: u64 = 1 << 16;

/// All of a repository's folder, and the object stores that it borrows from.
pub(super) fn check(dir: &Path) -> Result<(), GitError> {
    fs::refuse_endless_in(dir, DEEPEST)?;
    borrowed(&dir.join("objects"), STORES)?;
    match pointed(&dir.join("commondir"), "")? {
        Some(common) => check_store(&dir.join(common)),
        None => Ok(()),
    }
}

fn check_store(common: &Path) -> Result<(), GitError> {
    fs::refuse_endless_in(common, DEEPEST)?;
    Ok(borrowed(&common.join("objects"), STORES)?)
}

fn borrowed(objects: &Path, more: usize) -> Result<(), FsError> {
    let Some(more) = more.checked_sub(1) else {
        return Ok(());
    };
    let list = read(&objects.join("info/alternates"))?.unwrap_or_default();
    for line in list
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let store = objects.join(line);
        fs::refuse_endless_in(&store, DEEPEST)?;
        borrowed(&store, more)?;
    }
    Ok(())
}

/// What is opened to find the repository around a folder and to open it: no more, as it is asked
/// for often.
pub(super) fn check_around(root: &Path) -> Result<(), GitError> {
    for dir in root.ancestors() {
        // A folder may be taken for a repository itself.
        for name in ["commondir", "HEAD", "config", ".gitignore"] {
            fs::refuse_endless(&dir.join(name))?;
        }
        let dot_git = dir.join(".git");
        if dot_git.is_dir() {
            return top(&dot_git);
        }
        if let Some(pointed) = pointed(&dot_git, "gitdir:")? {
            return top(&dir.join(pointed));
        }
    }
    Ok(())
}

fn top(dir: &Path) -> Result<(), GitError> {
    let common = pointed(&dir.join("commondir"), "")?;
    let common = common.map(|common| dir.join(common));
    for dir in [Some(dir.to_owned()), common].into_iter().flatten() {
        fs::refuse_endless_in(&dir, 0)?;
        fs::refuse_endless_in(&dir.join("info"), 0)?;
    }
    Ok(())
}

/// The folder that a file names, behind a word.
fn pointed(file: &Path, word: &str) -> Result<Option<PathBuf>, FsError> {
    let text = read(file)?;
    let path = text.as_deref().and_then(|t| t.strip_prefix(word));
    Ok(path.map(|path| PathBuf::from(path.trim())))
}

/// A small file, if there is one. What is no text names nothing.
fn read(file: &Path) -> Result<Option<String>, FsError> {
    match fs::read_text(file, LIMIT) {
        Ok(text) => Ok(Some(text)),
        Err(error @ FsError::NotAFile { .. }) if !file.is_dir() && !file.is_file() => Err(error),
        Err(_) => Ok(None),
    }
}
