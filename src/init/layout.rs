//! Which folder a memory belongs to.

use super::{InitError, Request};
use crate::config::{Places, Settings};
use crate::fs::FsError;
use crate::project::Known;
use std::path::{Path, PathBuf};

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
    let known = Known::configured(settings, places);
    let layout = match known.find(&path).filter(|_| !request.named) {
        Some(found) => Layout {
            root: found.root,
            worktree: found.worktree,
        },
        None => named(path, &known)?,
    };
    match request.global {
        true => check_global(&layout.root, settings)?,
        false => check_allowed(&layout.root, settings, places)?,
    }
    Ok(layout)
}

/// Exactly this folder, or the one it stands for in the main working tree.
fn named(path: PathBuf, known: &Known) -> Result<Layout, InitError> {
    match known.in_main(&path) {
        None => Ok(Layout {
            root: path,
            worktree: None,
        }),
        Some(root) if root.is_dir() => Ok(Layout {
            root,
            worktree: Some(path),
        }),
        Some(root) => {
            let what = format!(
                "it lies in a linked worktree, whose memory is that of the main one, where {root:?} is no folder; make it there, or name the top of the worktree"
            );
            refused(&path, &what)
        }
    }
}

/// The global memory has one place.
fn check_global(root: &Path, settings: &Settings) -> Result<(), InitError> {
    let place = &settings.global_root;
    if place == root || place.canonicalize().is_ok_and(|place| place == root) {
        return Ok(());
    }
    let what = format!(
        "the global memory lies in {place:?} (\"global_root\"); leave the path out, or change the configuration"
    );
    refused(root, &what)
}

fn check_allowed(root: &Path, settings: &Settings, places: &Places) -> Result<(), InitError> {
    let same = |other: &Path| other == root || other.canonicalize().is_ok_and(|o| o == root);
    if same(&settings.global_root) || same(&places.home) {
        return refused(
            root,
            "it is your home (or global_root), which is no project; name a folder below it, or make the memory of all projects there with `memd init --global`",
        );
    }
    if root.parent().is_none() {
        return refused(root, "it is the top of the file system");
    }
    if Known::configured(settings, places).is_never(root) {
        return refused(
            root,
            "it is a folder that many things lie in, which is no project; name a folder below it",
        );
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
