//! From a directory to the main place of its repository, by the files that git leaves.

use super::path::{lexical, resolve};
use crate::fs::read_text;
use std::path::{Path, PathBuf};

/// The longest `.git`, `commondir` or `gitdir` file that is believed, in bytes.
const LIMIT: u64 = 16 * 1024;
/// So many worktrees of one repository are looked at.
const WORKTREES: usize = 1000;

/// Where a directory lies.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The directory in the main working tree of its repository; itself where there is none.
    pub place: PathBuf,
    /// The root of that tree.
    pub repository: Option<PathBuf>,
    /// The top of the linked worktree it lies in.
    pub linked: Option<PathBuf>,
    /// The top of the work tree around it whose `.git` file leads nowhere.
    pub broken: Option<PathBuf>,
}

/// Where a directory (real, existing) lies. Looks no higher than where `stop` holds. The repository
/// of a memory is none of the project's.
pub(super) fn main_place(real: &Path, stop: &dyn Fn(&Path) -> bool) -> Place {
    for dir in real.ancestors().take_while(|dir| !stop(dir)) {
        let git = dir.join(".git");
        if dir.ends_with(".memory") {
            continue;
        }
        if git.is_dir() {
            return Place {
                place: real.to_owned(),
                repository: Some(dir.to_owned()),
                ..Place::default()
            };
        }
        if git.is_file() {
            let inside = real.strip_prefix(dir).unwrap_or(Path::new(""));
            let found = main_root(dir, &git);
            let found = found.or_else(|| submodule(dir, &git, stop));
            let root = found.clone().unwrap_or_else(|| dir.to_owned());
            return Place {
                place: root.join(inside),
                repository: Some(root),
                broken: leads_nowhere(dir, &git).then(|| dir.to_owned()),
                linked: found.map(|_| dir.to_owned()),
            };
        }
    }
    Place {
        place: real.to_owned(),
        ..Place::default()
    }
}

/// The root of the main working tree, when this `.git` file is a worktree's. A submodule's and a
/// moved repository's lead to a folder without `commondir`.
fn main_root(dir: &Path, git: &Path) -> Option<PathBuf> {
    let folder = linked(dir, &git_folder(git)?)?;
    let common = linked(&folder, &read_text(&folder.join("commondir"), LIMIT).ok()?)?;
    // The repository must know the worktree too: anybody can write a `.git` file.
    let back = linked(&folder, &read_text(&folder.join("gitdir"), LIMIT).ok()?)?;
    if back != git.canonicalize().ok()? || !folder.starts_with(common.join("worktrees")) {
        return None;
    }
    let parent = common.parent()?;
    let is_beside = || {
        let beside = git_folder(&parent.join(".git")).and_then(|text| linked(parent, &text));
        beside.as_ref() == Some(&common)
    };
    if common.ends_with(".git") || is_beside() {
        return Some(parent.to_owned());
    }
    // A bare repository is the one folder that all its worktrees have in common.
    Some(common)
}

/// The same submodule in the main working tree, when this one lies in a linked worktree.
fn submodule(dir: &Path, git: &Path, stop: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let folder = linked(dir, &git_folder(git)?)?;
    if !folder.components().any(|c| c.as_os_str() == "worktrees") {
        return None;
    }
    let outer = main_place(dir.parent()?, stop);
    outer.linked?;
    let main = outer.place.join(dir.file_name()?);
    main.join(".git").exists().then_some(main)
}

/// What a `.git` file names.
fn git_folder(git: &Path) -> Option<String> {
    let text = read_text(git, LIMIT).ok()?;
    Some(text.strip_prefix("gitdir:")?.trim().to_owned())
}

fn leads_nowhere(dir: &Path, git: &Path) -> bool {
    git_folder(git).is_none_or(|text| linked(dir, &text).is_none())
}

/// A path as such a file names it, relative to `base`, if it exists.
fn linked(base: &Path, text: &str) -> Option<PathBuf> {
    base.join(text.trim()).canonicalize().ok()
}

/// A directory that is gone, in the repository of the folder where Claude Code puts worktrees.
pub(super) fn usual_place(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let usual = path
        .ancestors()
        .filter(|dir| dir.ends_with(".claude/worktrees"));
    let (folder, repository) = usual
        .filter_map(|dir| Some((dir, dir.parent()?.parent()?)))
        .find(|(_, repository)| repository.join(".git").exists())?;
    let repository = resolve(repository);
    let below: PathBuf = path.strip_prefix(folder).ok()?.iter().skip(1).collect();
    Some((repository.join(below), repository))
}

/// A folder that is or was a linked worktree, and stands for a project's root there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    /// Its absolute path.
    pub path: PathBuf,
    /// Whether it is there now, and leads back to the repository.
    pub is_live: bool,
}

/// The worktrees that the repository of a project knows, those that were deleted and not pruned
/// among them. A folder of another repository's by now is none.
pub(super) fn worktrees(root: &Path, stop: &dyn Fn(&Path) -> bool) -> Vec<Worktree> {
    let around = main_place(root, stop);
    let top = around.repository.unwrap_or_else(|| root.to_owned());
    let Ok(below) = around.place.strip_prefix(&top) else {
        return Vec::new();
    };
    let git = top.join(".git");
    let common = match git_folder(&git).and_then(|text| linked(&top, &text)) {
        Some(folder) => folder,
        None if git.is_dir() => git,
        None => top.clone(),
    };
    let folders = std::fs::read_dir(common.join("worktrees"));
    let folders = folders.into_iter().flatten().take(WORKTREES).flatten();
    folders
        .filter_map(|folder| registered(&folder.path(), &top))
        .map(|(tree, is_live)| Worktree {
            path: tree.join(below),
            is_live,
        })
        .collect()
}

/// The work tree that a folder of `worktrees/` is about.
fn registered(folder: &Path, top: &Path) -> Option<(PathBuf, bool)> {
    let text = read_text(&folder.join("gitdir"), LIMIT).ok()?;
    let git = lexical(&folder.join(text.trim()));
    let tree = git.ends_with(".git").then(|| git.parent())??;
    if std::fs::symlink_metadata(tree).is_err() {
        return Some((resolve(tree), false));
    }
    let is_live = main_root(tree, &git).as_deref() == Some(top);
    is_live.then(|| (resolve(tree), true))
}
