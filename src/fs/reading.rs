//! Bounded reading of files that somebody else may have put there.
//!
//! Owns opening for reading: plain files only, never waiting, at most so many bytes. Never writes.

use super::FsError;
use super::error::{kind_name, open_error};
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;

/// Reads a plain file of at most `limit` bytes, never through a link at its last component and
/// never blocking on a pipe.
///
/// # Errors
/// When it is missing, no plain file, or larger than `limit`.
pub fn read_plain(path: &Path, limit: u64) -> Result<Vec<u8>, FsError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| open_error(path, e))?;
    plain(fd, path, limit)
}

/// All of a plain file that was opened at this path.
pub(super) fn plain(fd: OwnedFd, path: &Path, limit: u64) -> Result<Vec<u8>, FsError> {
    let file = File::from(fd);
    let meta = file.metadata().map_err(FsError::io("read", path))?;
    if !meta.is_file() {
        return Err(FsError::NotAFile {
            path: path.to_owned(),
            kind: kind_name(meta.file_type()),
        });
    }
    let mut bytes = Vec::new();
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(FsError::io("read", path))?;
    if bytes.len() as u64 > limit {
        let size = meta.len().max(bytes.len() as u64);
        return Err(FsError::TooLarge {
            path: path.to_owned(),
            size,
            limit,
        });
    }
    Ok(bytes)
}

/// Opens a file of somebody else's for reading, through links too. A pipe or a device is refused:
/// it would be waited for, or never end.
///
/// # Errors
/// When it is missing or no plain file.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        let why = "it is no plain file; memd reads from plain files only";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    Ok(file)
}

/// As [`read_plain`], as text.
///
/// # Errors
/// As [`read_plain`], and when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FsError> {
    text(read_plain(path, limit)?, path)
}

/// The bytes of the file at this path as text.
pub(super) fn text(bytes: Vec<u8>, path: &Path) -> Result<String, FsError> {
    String::from_utf8(bytes).map_err(|e| FsError::NotUtf8 {
        path: path.to_owned(),
        offset: e.utf8_error().valid_up_to(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_pipes_folders_and_large_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
        assert!(matches!(
            read_plain(&link, 10),
            Err(FsError::NotAFile {
                kind: "a symbolic link",
                ..
            })
        ));
        let pipe = dir.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        assert!(matches!(
            read_plain(&pipe, 10),
            Err(FsError::NotAFile {
                kind: "a named pipe",
                ..
            })
        ));
        assert!(matches!(
            read_plain(dir.path(), 10),
            Err(FsError::NotAFile {
                kind: "a folder",
                ..
            })
        ));
        let big = dir.path().join("big");
        std::fs::write(&big, [b'x'; 11]).unwrap();
        assert!(matches!(
            read_plain(&big, 10),
            Err(FsError::TooLarge { size: 11, .. })
        ));
        std::fs::write(&big, b"ok\xff").unwrap();
        assert!(matches!(
            read_text(&big, 10),
            Err(FsError::NotUtf8 { offset: 2, .. })
        ));
        assert!(
            read_plain(&dir.path().join("none"), 10)
                .unwrap_err()
                .is_missing()
        );
    }
}
