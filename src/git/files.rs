//! Which files of a memory folder belong into its history, and their bytes.
//!
//! The four files, the archive, and the two `.gitkeep`. Inbox notes never: they are raw.

use super::GitError;
use crate::fs::{self, FsError};
use crate::memory::MemoryFile;
use std::collections::BTreeMap;
use std::path::Path;

/// At most this many bytes of one memory file are read.
pub const FILE_LIMIT: u64 = 1 << 20;
/// At most this many bytes of one archive file are read.
pub const ARCHIVE_LIMIT: u64 = 64 << 20;
/// At most this many archive files are read.
const ARCHIVES: usize = 4096;

/// What `.git/info/exclude` says, so that a plain `git status` is clean.
const EXCLUDE: &str = "# written by memd: notes wait here until they are distilled\n\
                       /inbox/*\n!/inbox/.gitkeep\n.memd-*\n";

/// The files that belong into the history, by their path in the memory folder, with their bytes.
///
/// # Errors
/// When one of them cannot be read, is no plain file, or is too large.
pub fn tracked(memory: &Path) -> Result<BTreeMap<String, Vec<u8>>, FsError> {
    let mut found = BTreeMap::new();
    for file in MemoryFile::ALL {
        take(memory, file.name(), FILE_LIMIT, &mut found)?;
    }
    for dir in ["inbox", "archive"] {
        if is_plain_dir(&memory.join(dir))? {
            take(memory, &format!("{dir}/.gitkeep"), FILE_LIMIT, &mut found)?;
        }
    }
    for name in archives(memory)? {
        take(memory, &name, ARCHIVE_LIMIT, &mut found)?;
    }
    Ok(found)
}

fn take(
    memory: &Path,
    name: &str,
    limit: u64,
    into: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), FsError> {
    match fs::read_plain(&memory.join(name), limit) {
        Ok(bytes) => {
            into.insert(name.to_owned(), bytes);
            Ok(())
        }
        Err(e) if e.is_missing() => Ok(()),
        Err(e) => Err(e),
    }
}

/// The archive's files, as `archive/NAME.md`.
fn archives(memory: &Path) -> Result<Vec<String>, FsError> {
    let dir = memory.join("archive");
    if !is_plain_dir(&dir)? {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for item in std::fs::read_dir(&dir).map_err(FsError::io("read", &dir))? {
        let name = item.map_err(FsError::io("read", &dir))?.file_name();
        let Some(name) = name.to_str().filter(|n| is_archive_name(n)) else {
            continue;
        };
        names.push(format!("archive/{name}"));
    }
    names.sort();
    names.truncate(ARCHIVES);
    Ok(names)
}

fn is_archive_name(name: &str) -> bool {
    name.ends_with(".md") && !name.starts_with('.')
}

/// Whether a folder is there; a link in its place is refused.
fn is_plain_dir(dir: &Path) -> Result<bool, FsError> {
    match std::fs::symlink_metadata(dir) {
        Ok(meta) if meta.is_dir() => Ok(true),
        Ok(meta) => Err(FsError::NotAFile {
            path: dir.to_owned(),
            kind: if meta.is_symlink() {
                "a symbolic link"
            } else {
                "not a folder"
            },
        }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(FsError::io("read", dir)(e)),
    }
}

/// Tells plain git to look away from notes and from memd's own temporary files.
pub(super) fn write_exclude(memory: &Path) -> Result<(), GitError> {
    let info = memory.join(".git/info");
    std::fs::create_dir_all(&info).map_err(FsError::io("create", &info))?;
    fs::write_atomic(&info.join("exclude"), EXCLUDE.as_bytes(), 0o644)?;
    Ok(())
}
