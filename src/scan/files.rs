//! The files of a memory folder, whatever they are: named first, read one by one.

use crate::fs::{self, FsError};
use std::path::{Path, PathBuf};

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 << 20;
/// Files that are read.
const MOST: usize = 20_000;
/// Folders in folders are looked into so deep.
const DEEPEST: usize = 8;

/// A file's bytes.
type Read = Result<Vec<u8>, FsError>;

/// The plain files below a folder, by their path in it, in order; its git repository is left out.
/// No link is followed.
///
/// # Errors
/// When something else than a folder stands there.
pub(super) fn below(dir: &Path) -> Result<Vec<(String, impl FnOnce() -> Read + use<>)>, FsError> {
    let mut paths = Vec::new();
    if fs::is_own_folder(dir)? {
        list(dir, 0, &mut paths);
    }
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.strip_prefix(dir).unwrap_or(&path);
        let name = name.to_string_lossy().into_owned();
        (name, move || fs::read_plain(&path, LARGEST))
    });
    Ok(named.collect())
}

fn list(dir: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    // A folder that cannot be listed holds nothing that memd reads either.
    for item in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(kind) = item.file_type() else { continue };
        let is_git = depth == 0 && item.file_name() == ".git";
        if kind.is_dir() && !is_git && depth < DEEPEST {
            list(&item.path(), depth + 1, paths);
        } else if kind.is_file() && paths.len() < MOST {
            paths.push(item.path());
        }
    }
}
