//! What can go wrong with a file, in words for people.
//!
//! Owns the error type of this room and what a file is called that is none. Never opens anything.

use std::io;
use std::path::{Path, PathBuf};

/// A file operation that failed, with its path and what was tried.
#[derive(Debug, thiserror::Error)]
pub enum FsError {
    /// The operating system refused.
    #[error("cannot {what} {path:?}: {source}")]
    Io {
        /// A verb: "read", "write".
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Not a regular file: a link, a pipe, a device, a folder.
    #[error("{path:?} is {kind}, not a plain file; memd does not read or write through it")]
    NotAFile {
        /// Where.
        path: PathBuf,
        /// What it is instead.
        kind: &'static str,
    },
    /// No folder of its own: a link to one, a file.
    #[error("{path:?} is no folder of its own; memd does not read or write through it")]
    NotAFolder {
        /// Where.
        path: PathBuf,
    },
    /// Larger than this reader allows.
    #[error("{path:?} holds {size} bytes; at most {limit} are read")]
    TooLarge {
        /// Where.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Not UTF-8.
    #[error("{path:?} is not UTF-8: the first bad byte is at offset {offset}")]
    NotUtf8 {
        /// Where.
        path: PathBuf,
        /// Byte offset of the first bad byte.
        offset: usize,
    },
}

impl FsError {
    /// An I/O error with its path.
    pub fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FsError {
        let path = path.to_owned();
        move |source| FsError::Io { what, path, source }
    }

    /// Whether the file is simply not there.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, FsError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// What memd refused by what it is, and why; none where the operating system refused.
    #[must_use]
    pub fn refused(&self) -> Option<(&Path, &'static str)> {
        match self {
            FsError::Io { .. } => None,
            FsError::NotAFile { path, kind } => Some((path, kind)),
            FsError::NotAFolder { path } => Some((path, "no folder of its own")),
            FsError::TooLarge { path, .. } => Some((path, "too large")),
            FsError::NotUtf8 { path, .. } => Some((path, "not UTF-8")),
        }
    }

    /// Whether something stands there already.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        matches!(self, FsError::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists)
    }
}

/// Why a path could not be opened; a link at its last component by that name.
pub(super) fn open_error(path: &Path, error: rustix::io::Errno) -> FsError {
    if error == rustix::io::Errno::LOOP {
        return FsError::NotAFile {
            path: path.to_owned(),
            kind: "a symbolic link",
        };
    }
    FsError::Io {
        what: "open",
        path: path.to_owned(),
        source: error.into(),
    }
}

/// What something is that is no plain file.
pub(super) fn kind_name(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}
