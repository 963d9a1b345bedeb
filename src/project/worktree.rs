//! From a directory to the main place of its repository, by the files that git leaves.

use crate::fs::read_text;
use std::path::{Path, PathBuf};

/// The longest `.git`, `commondir` or `gitdir` file that is believed, in bytes.
const LIMIT: u64 = 16 * 1024;

/// Where a directory (real, existing) lies in its repository's main working tree, and that tree's
/// root. A directory in no repository is its own place. Looks no higher than where `stop` holds.
pub(super) fn main_place(real: &Path, stop: &dyn Fn(&Path) -> bool) -> (PathBuf, Option<PathBuf>) {
    for dir in real.ancestors().take_while(|dir| !stop(dir)) {
        let git = dir.join(".git");
        if git.is_dir() {
            return (real.to_owned(), Some(dir.to_owned()));
        }
        if git.is_file() {
            let root = main_root(dir, &git).unwrap_or_else(|| dir.to_owned());
            let inside = real.strip_prefix(dir).unwrap_or(Path::new(""));
            return (root.join(inside), Some(root));
        }
    }
    (real.to_owned(), None)
}

/// The root of the main working tree, when this `.git` file is a worktree's. A submodule's and a
/// moved repository's lead to a folder without `commondir`.
fn main_root(dir: &Path, git: &Path) -> Option<PathBuf> {
    let folder = linked(dir, read_text(git, LIMIT).ok()?.strip_prefix("gitdir:")?)?;
    let common = linked(&folder, &read_text(&folder.join("commondir"), LIMIT).ok()?)?;
    // The repository must know the worktree too: anybody can write a `.git` file.
    let back = linked(&folder, &read_text(&folder.join("gitdir"), LIMIT).ok()?)?;
    if back != git.canonicalize().ok()? || !folder.starts_with(common.join("worktrees")) {
        return None;
    }
    match common.file_name() {
        Some(name) if name == ".git" => Some(common.parent()?.to_owned()),
        _ => Some(common),
    }
}

/// A path as such a file names it, relative to `base`, if it exists.
fn linked(base: &Path, text: &str) -> Option<PathBuf> {
    base.join(text.trim()).canonicalize().ok()
}

/// The repository of a path in the folder where Claude Code puts worktrees, if it still is one.
pub(super) fn usual_place(path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .filter(|dir| dir.ends_with(".claude/worktrees"))
        .filter_map(|dir| dir.parent()?.parent())
        .find(|repository| repository.join(".git").exists())
        .map(Path::to_owned)
}
