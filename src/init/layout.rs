//! Which folder a memory belongs to, and a linked worktree's share in it.

use super::{InitError, Request};
use crate::config::{Places, Settings};
use crate::fs::{self, FsError};
use crate::git::parent::worktree_around;
use std::io;
use std::path::{Path, PathBuf};

/// At most this many bytes of a file are compared.
const LIMIT: u64 = 64 << 20;
/// At most this many files of a folder are compared.
const FILES: usize = 10_000;

/// Where a memory goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The project's root.
    pub root: PathBuf,
    /// The linked worktree that shares its memory.
    pub worktree: Option<PathBuf>,
}

/// Finds the project's root and checks that it may have a memory.
///
/// # Errors
/// When it may not, or does not exist.
pub fn layout(
    request: &Request,
    settings: &Settings,
    places: &Places,
) -> Result<Layout, InitError> {
    let path = request
        .path
        .canonicalize()
        .map_err(FsError::io("open", &request.path))?;
    if !path.is_dir() {
        return refused(&path, "it is no folder");
    }
    let start = if request.named {
        path
    } else {
        project_around(&path, settings, places)?
    };
    let layout = match worktree_around(&start)? {
        Some(around) if around.main.is_some() => {
            let below = start.strip_prefix(&around.top).unwrap_or(Path::new(""));
            let main = around.main.unwrap_or_default().join(below);
            if main.is_dir() {
                Layout {
                    root: main,
                    worktree: Some(start),
                }
            } else {
                alone(start)
            }
        }
        _ => alone(start),
    };
    check_allowed(&layout.root, settings, places)?;
    Ok(layout)
}

fn alone(root: PathBuf) -> Layout {
    Layout {
        root,
        worktree: None,
    }
}

/// The registered project or the work tree around a folder, whichever is nearer; else the folder.
fn project_around(path: &Path, settings: &Settings, places: &Places) -> Result<PathBuf, InitError> {
    let is_project = |dir: &Path| dir != places.home && dir != settings.global_root;
    let registered = settings
        .projects
        .keys()
        .filter(|root| path.starts_with(root));
    let work_tree = worktree_around(path)?.map(|around| around.top);
    let nearest = registered
        .cloned()
        .chain(work_tree)
        .filter(|dir| is_project(dir))
        .max_by_key(|dir| dir.components().count());
    Ok(nearest.unwrap_or_else(|| path.to_owned()))
}

fn check_allowed(root: &Path, settings: &Settings, places: &Places) -> Result<(), InitError> {
    let same = |other: &Path| other == root || other.canonicalize().is_ok_and(|o| o == root);
    if same(&settings.global_root) || same(&places.home) {
        return refused(
            root,
            "it is your home (or global_root), which is no project; name a folder below it",
        );
    }
    if root.parent().is_none() {
        return refused(root, "it is the top of the file system");
    }
    if let Some(excluded) = settings.exclude.iter().find(|e| root.starts_with(e)) {
        let what =
            format!("{excluded:?} is in \"exclude\"; take it out of the configuration first");
        return refused(root, &what);
    }
    let inside = |dir: &Path| root.starts_with(dir);
    if inside(&places.state) || places.config.parent().is_some_and(inside) {
        return refused(root, "it belongs to memd itself");
    }
    if root
        .components()
        .any(|c| c.as_os_str() == ".memory" || c.as_os_str() == ".git")
    {
        return refused(root, "it lies inside a memory or a git folder");
    }
    Ok(())
}

fn refused<T>(path: &Path, why: &str) -> Result<T, InitError> {
    Err(InitError::Refused {
        path: path.to_owned(),
        why: why.to_owned(),
    })
}

/// Links a worktree's `.memory` to the shared one. Returns a warning when something stands there
/// that it does not replace.
///
/// # Errors
/// When the link cannot be made.
pub(super) fn share(memory: &Path, worktree: &Path) -> Result<Option<String>, InitError> {
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
