//! The project's own repository, around the memory: it never gets to hold memory.
//!
//! Adds one line to `.gitignore`, and takes memory out of the index. Never deletes a file, never
//! commits, never touches anything else.

use super::{GitError, failed, plain};
use crate::fs::{self, FsError};
use git2::{Repository, RepositoryOpenFlags};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The line that is added.
const LINE: &str = ".memory/";
/// At most this many bytes of a `.gitignore` are read.
const LIMIT: u64 = 1 << 20;

/// What was done, for the user to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// A line was added to this file.
    Ignored(PathBuf),
    /// So many files were taken out of the project's index; they still stand on disk.
    Untracked(usize),
}

/// Keeps `.memory` of a project out of the repository around it, if there is one.
///
/// # Errors
/// When the repository or its `.gitignore` cannot be read or written.
pub fn keep_out(root: &Path) -> Result<Vec<Kept>, GitError> {
    let Some(repo) = around(root)? else {
        return Ok(Vec::new());
    };
    let mut done = Vec::new();
    if !is_ignored(&repo, root, ".memory/state.md") {
        done.extend(add_line(&root.join(".gitignore"), LINE)?.map(Kept::Ignored));
    }
    let taken = untrack(&repo, root)?;
    if taken > 0 {
        done.push(Kept::Untracked(taken));
    }
    Ok(done)
}

/// As [`keep_out`], for a linked worktree, where `.memory` is a symbolic link: `.memory/` in a
/// `.gitignore` does not match one, so the repository's own exclude file says it.
///
/// # Errors
/// As [`keep_out`].
pub fn keep_link_out(worktree: &Path) -> Result<Vec<Kept>, GitError> {
    let Some(repo) = around(worktree)? else {
        return Ok(Vec::new());
    };
    let mut done = Vec::new();
    if !is_ignored(&repo, worktree, ".memory") {
        let info = repo.commondir().join("info");
        std::fs::create_dir_all(&info).map_err(FsError::io("create", &info))?;
        done.extend(add_line(&info.join("exclude"), ".memory")?.map(Kept::Ignored));
    }
    let taken = untrack(&repo, worktree)?;
    if taken > 0 {
        done.push(Kept::Untracked(taken));
    }
    Ok(done)
}

/// The work tree around a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    /// Its top folder, without links.
    pub top: PathBuf,
    /// The main work tree, when this is a linked one.
    pub main: Option<PathBuf>,
}

/// The work tree that holds this folder, if any. A submodule is a work tree of its own.
///
/// # Errors
/// When there is a repository that cannot be opened.
pub fn worktree_around(dir: &Path) -> Result<Option<Around>, GitError> {
    let Some(repo) = around(dir)? else {
        return Ok(None);
    };
    let top = repo.workdir().and_then(|top| top.canonicalize().ok());
    let common = repo.commondir();
    let main = (repo.is_worktree() && common.file_name() == Some(OsStr::new(".git")))
        .then(|| common.parent()?.canonicalize().ok())
        .flatten();
    Ok(top.map(|top| Around { top, main }))
}

/// The repository whose work tree holds this folder.
pub(super) fn around(root: &Path) -> Result<Option<Repository>, GitError> {
    plain::check_around(root)?;
    let none: [&Path; 0] = [];
    match Repository::open_ext(root, RepositoryOpenFlags::empty(), none) {
        Ok(repo) if repo.workdir().is_some() => Ok(Some(repo)),
        Ok(_) => Ok(None),
        Err(e) if e.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(e) => Err(failed("open the project's repository", root)(e)),
    }
}

/// Where the folder lies below the repository's work tree, with a slash at its end; empty at its
/// top.
pub(super) fn prefix(repo: &Repository, root: &Path) -> Option<String> {
    let top = repo.workdir()?.canonicalize().ok()?;
    let root = root.canonicalize().ok()?;
    let below = root.strip_prefix(&top).ok()?.to_str()?.to_owned();
    Some(match below.as_str() {
        "" => below,
        _ => below + "/",
    })
}

fn is_ignored(repo: &Repository, root: &Path, name: &str) -> bool {
    let Some(prefix) = prefix(repo, root) else {
        return false;
    };
    repo.is_path_ignored(format!("{prefix}{name}"))
        .unwrap_or(false)
}

/// Adds a line to a file unless it stands there; the file's other bytes stay as they are.
fn add_line(path: &Path, line: &str) -> Result<Option<PathBuf>, GitError> {
    let text = match fs::read_text(path, LIMIT) {
        Ok(text) => text,
        Err(e) if e.is_missing() => String::new(),
        Err(e) => return Err(e.into()),
    };
    let bare = line.trim_end_matches('/');
    let stands = |l: &str| l.trim().trim_matches('/') == bare;
    if text.lines().any(stands) {
        return Ok(None);
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        end
    };
    let mode = std::fs::metadata(path).map_or(0o644, |m| m.permissions().mode() & 0o777);
    fs::write_atomic(path, format!("{text}{gap}{line}{end}").as_bytes(), mode)?;
    Ok(Some(path.to_owned()))
}

/// Takes memory out of the project's index; returns how many files it held.
fn untrack(repo: &Repository, root: &Path) -> Result<usize, GitError> {
    let Some(prefix) = prefix(repo, root) else {
        return Ok(0);
    };
    let failed = || failed("take memory out of the project's index", root);
    let mut index = repo.index().map_err(failed())?;
    let whole = format!("{prefix}.memory").into_bytes();
    let below = format!("{prefix}.memory/").into_bytes();
    let ours: Vec<_> = index
        .iter()
        .filter(|e| e.path == whole || e.path.starts_with(&below))
        .map(|e| (e.path, i32::from((e.flags >> 12) & 3)))
        .collect();
    for (path, stage) in &ours {
        index
            .remove(Path::new(OsStr::from_bytes(path)), *stage)
            .map_err(failed())?;
    }
    if !ours.is_empty() {
        index.write().map_err(failed())?;
    }
    Ok(ours.len())
}
