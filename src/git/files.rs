//! Which files of a memory folder belong into its history, and their bytes.
//!
//! The four files, the archive, and the two `.gitkeep`. Inbox notes never: they are raw.

use super::GitError;
use crate::fs::{self, Folder, FsError};
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
    let Some(memory) = Folder::open(memory)? else {
        return Ok(found);
    };
    for file in MemoryFile::ALL {
        take(&memory, "", file.name(), FILE_LIMIT, &mut found)?;
    }
    for dir in ["inbox", "archive"] {
        let Some(folder) = memory.folder(dir)? else {
            continue;
        };
        let at = format!("{dir}/");
        take(&folder, &at, ".gitkeep", FILE_LIMIT, &mut found)?;
        if dir == "archive" {
            for name in archives(&folder)? {
                take(&folder, &at, &name, ARCHIVE_LIMIT, &mut found)?;
            }
        }
    }
    Ok(found)
}

/// Takes one file of a folder, under its path in memory.
fn take(
    folder: &Folder,
    at: &str,
    name: &str,
    limit: u64,
    into: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), FsError> {
    match folder.read(name, limit) {
        Ok(bytes) => {
            into.insert(format!("{at}{name}"), bytes);
            Ok(())
        }
        Err(e) if e.is_missing() => Ok(()),
        Err(e) => Err(e),
    }
}

/// The names of the archive's files.
fn archives(dir: &Folder) -> Result<Vec<String>, FsError> {
    let mut names = dir.names()?;
    names.retain(|name| is_archive_name(name));
    names.sort();
    names.truncate(ARCHIVES);
    Ok(names)
}

fn is_archive_name(name: &str) -> bool {
    name.ends_with(".md") && !name.starts_with('.')
}

/// Tells plain git to look away from notes and from memd's own temporary files.
pub(super) fn write_exclude(memory: &Path) -> Result<(), GitError> {
    let info = memory.join(".git/info");
    std::fs::create_dir_all(&info).map_err(FsError::io("create", &info))?;
    fs::write_atomic(&info.join("exclude"), EXCLUDE.as_bytes(), 0o644)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_looks_away_from_temporary_files() {
        assert!(EXCLUDE.contains(&format!("\n{}*\n", fs::TEMPORARY)));
    }
}
