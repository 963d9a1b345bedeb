//! The database's file and those beside it: private, and no link, pipe or device.

use super::super::error::StoreError;
use crate::fs::{self, FsError};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The file as a URI that tells SQLite that nobody writes it.
pub(super) fn immutable(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' => uri.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
}

/// Makes an empty private file where there is none: SQLite's own would be readable by others.
pub(super) fn make_file(path: &Path) -> Result<(), StoreError> {
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Ok(_) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(FsError::io("create", path)(e).into()),
    }
}

pub(super) fn refuse_link(path: &Path) -> Result<(), StoreError> {
    let meta = std::fs::symlink_metadata(path).map_err(FsError::io("open", path))?;
    if meta.is_file() {
        return Ok(());
    }
    let kind = if meta.is_symlink() {
        "a symbolic link"
    } else if meta.is_dir() {
        "a folder"
    } else {
        "a device or pipe"
    };
    let path = path.to_owned();
    Err(FsError::NotAFile { path, kind }.into())
}

/// Refuses a pipe or a device where SQLite has its own files beside the database: it would wait for it.
pub(super) fn refuse_beside(path: &Path) -> Result<(), FsError> {
    ["-wal", "-shm", "-journal"]
        .into_iter()
        .try_for_each(|end| fs::refuse_endless(&beside(path, end)))
}

/// A file of SQLite's beside the database.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(end);
    name.into()
}

/// Takes away what group and others may do.
pub(super) fn make_private(path: &Path, mode: u32) -> Result<(), StoreError> {
    let meta = std::fs::metadata(path).map_err(FsError::io("read", path))?;
    if meta.mode() & 0o077 != 0 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
            .map_err(FsError::io("change the permissions of", path))?;
    }
    Ok(())
}
