//! The files of an apply on disk: looked at, written, never overwritten unseen.

use super::execute::ApplyError;
use crate::fs::{self, FsError};
use crate::git::{ARCHIVE_LIMIT, FILE_LIMIT};
use crate::text::TextHash;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// An hour, in seconds.
const HOUR: i64 = 3600;

/// How a file stands to what an apply wants of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// As it was planned over: to be written.
    Before,
    /// As it is to be: written already.
    After,
    /// Neither: somebody else wrote it.
    Foreign,
}

/// The path of a file in a memory folder. Only the four files and the archive's are ever written,
/// so a damaged or forged intent leads nowhere else.
pub(super) fn place(memory: &Path, path: &str) -> Result<PathBuf, ApplyError> {
    let known = crate::memory::MemoryFile::from_name(path).is_some();
    let archived = path.strip_prefix("archive/").is_some_and(|name| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        name.ends_with(".md") && !name.starts_with('.') && name.chars().all(plain)
    });
    if !known && !archived {
        return Err(ApplyError::Outside {
            path: path.to_owned(),
        });
    }
    check_folder(memory)?;
    if archived {
        check_folder(&memory.join("archive"))?;
    }
    Ok(memory.join(path))
}

/// A folder, or nothing yet; never a link to somewhere else.
fn check_folder(dir: &Path) -> Result<(), FsError> {
    match std::fs::symlink_metadata(dir) {
        Ok(meta) if meta.is_dir() => Ok(()),
        Ok(_) => Err(FsError::NotAFile {
            path: dir.to_owned(),
            kind: "no folder of its own",
        }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(FsError::io("read", dir)(e)),
    }
}

/// The hash of what stands at a path; `None`: nothing does.
pub(super) fn hash_at(path: &Path) -> Result<Option<TextHash>, FsError> {
    match fs::read_plain(path, FILE_LIMIT.max(ARCHIVE_LIMIT)) {
        Ok(bytes) => Ok(Some(TextHash::of(bytes))),
        Err(e) if e.is_missing() => Ok(None),
        Err(e) => Err(e),
    }
}

/// How what stands at a path relates to what an apply expects.
pub(super) fn stand(
    path: &Path,
    before: Option<&TextHash>,
    after: Option<&TextHash>,
) -> Result<Stand, FsError> {
    let now = hash_at(path)?;
    Ok(if now.as_ref() == after {
        Stand::After
    } else if now.as_ref() == before {
        Stand::Before
    } else {
        Stand::Foreign
    })
}

/// Writes one file whole, keeping its permissions; without a text, takes it away.
pub(super) fn write(path: &Path, text: Option<&str>) -> Result<(), FsError> {
    let Some(text) = text else {
        std::fs::remove_file(path).map_err(FsError::io("remove", path))?;
        return fs::sync_dir(path.parent().unwrap_or(path));
    };
    if let Some(dir) = path.parent().filter(|d| !d.exists()) {
        std::fs::create_dir(dir).map_err(FsError::io("create", dir))?;
    }
    let mode = std::fs::symlink_metadata(path).map_or(0o644, |m| m.permissions().mode() & 0o777);
    fs::write_atomic(path, text.as_bytes(), mode)
}

/// Removes temporary files that a crash left behind, once they are an hour old: a younger one may
/// be somebody's who is writing just now.
pub(super) fn sweep(memory: &Path, now: jiff::Timestamp) {
    let old = now.as_second() - HOUR;
    for dir in [memory.to_owned(), memory.join("archive")] {
        for item in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let is_ours = item.file_name().as_encoded_bytes().starts_with(b".memd-");
            let is_old = item.metadata().is_ok_and(|m| m.mtime() < old);
            if is_ours && is_old {
                // Litter that cannot be removed does no harm.
                let _ = match item.file_type().is_ok_and(|t| t.is_dir()) {
                    true => std::fs::remove_dir_all(item.path()),
                    false => std::fs::remove_file(item.path()),
                };
            }
        }
    }
}

/// Deletes a note that an apply has consumed. One that is gone already is fine.
pub(super) fn delete_note(memory: &Path, name: &str) -> Result<(), FsError> {
    let inbox = memory.join("inbox");
    check_folder(&inbox)?;
    if name.starts_with('.') || name.contains(['/', '\0']) {
        return Ok(());
    }
    let path = inbox.join(name);
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(FsError::io("remove", &path)(e)),
    }
}
