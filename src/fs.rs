//! Files: durable writes, bounded reads, private folders.
//!
//! Owns the one helper for durable writes (temp in the same folder, write, sync, rename, sync the
//! folder) and the one for reading a file that somebody else may have put there. Never follows a
//! symbolic link at the last component when reading memory; below a memory folder it goes by the
//! folder's handle ([`Folder`]).

mod endless;
mod error;
mod folder;
mod private;
mod reading;
mod writing;

pub use endless::{refuse_endless, refuse_endless_in};
pub use error::FsError;
pub use folder::Folder;
pub use private::{Exposed, exposed};
pub use reading::{open_plain, read_plain, read_text};
pub use writing::{Writing, open_own, write_atomic, write_new, write_renamed};

use std::fs::File;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// How the name of every temporary file of memd's begins: git looks away from it, and a later memd
/// removes it where a crash left it.
pub const TEMPORARY: &str = ".memd-";

/// Whether a folder is there; one that somebody else may have put there must be no link, which
/// would lead reading and writing elsewhere.
///
/// # Errors
/// When something else stands there, or it cannot be looked at.
pub fn is_own_folder(dir: &Path) -> Result<bool, FsError> {
    match std::fs::symlink_metadata(dir) {
        Ok(meta) if meta.is_dir() => Ok(true),
        Ok(_) => Err(FsError::NotAFolder {
            path: dir.to_owned(),
        }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(FsError::io("read", dir)(e)),
    }
}

/// Makes a folder, and its parents, readable by nobody else (0700).
///
/// # Errors
/// When it cannot be made.
pub fn private_dir(dir: &Path) -> Result<(), FsError> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(FsError::io("create", dir))
}

/// Makes the names in a folder durable.
///
/// # Errors
/// When the folder cannot be opened or synced.
pub fn sync_dir(dir: &Path) -> Result<(), FsError> {
    File::open(dir)
        .and_then(|d| d.sync_all())
        .map_err(FsError::io("sync", dir))
}

/// Removes what a kill left in a folder of memd's own: temporary files that were written last before
/// this moment. Nobody is told; what cannot be removed stays.
pub fn sweep(dir: &Path, before: std::time::SystemTime) {
    for item in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = item.file_name();
        let is_temporary = name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        // Of a link it is the link's own.
        let meta = item.metadata().ok().filter(|_| is_temporary);
        let is_left = meta.is_some_and(|m| m.is_file() && m.modified().is_ok_and(|t| t < before));
        if is_left {
            let _ = std::fs::remove_file(item.path());
        }
    }
}
