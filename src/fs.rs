//! Files: durable writes, bounded reads, private folders.
//!
//! Owns the one helper for durable writes (temp in the same folder, write, sync, rename, sync the
//! folder) and the one for reading a file that somebody else may have put there. Never follows a
//! symbolic link at the last component when reading memory; below a memory folder it goes by the
//! folder's handle ([`Folder`]).

mod folder;

pub use folder::Folder;

use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How the name of every temporary file of memd's begins: git looks away from it, and a later memd
/// removes it where a crash left it.
pub const TEMPORARY: &str = ".memd-";

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

    /// Whether something stands there already.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        matches!(self, FsError::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists)
    }
}

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
fn plain(fd: OwnedFd, path: &Path, limit: u64) -> Result<Vec<u8>, FsError> {
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

/// Opens a file of memd's own for writing, made readable by its owner only where there is none, and
/// keeps its content. Never through a link at its last component and never waiting for a pipe.
///
/// # Errors
/// When it is no plain file, or cannot be opened or made.
pub fn open_own(path: &Path, how: Writing) -> Result<File, FsError> {
    let mut flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    if how == Writing::Behind {
        flags |= OFlags::APPEND;
    }
    let fd = rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::RUSR | Mode::WUSR);
    let not_a_file = |meta: std::fs::Metadata| FsError::NotAFile {
        path: path.to_owned(),
        kind: kind_name(meta.file_type()),
    };
    // A pipe that nobody reads is refused by the system, in words that say nothing of it.
    let file = File::from(fd.map_err(|e| match std::fs::symlink_metadata(path) {
        Ok(meta) if e == rustix::io::Errno::NXIO => not_a_file(meta),
        _ => open_error(path, e),
    })?);
    let meta = file.metadata().map_err(FsError::io("open", path))?;
    match meta.is_file() {
        true => Ok(file),
        false => Err(not_a_file(meta)),
    }
}

/// Where in a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// From its beginning.
    Over,
    /// Behind what it holds.
    Behind,
}

/// As [`read_plain`], as text.
///
/// # Errors
/// As [`read_plain`], and when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FsError> {
    text(read_plain(path, limit)?, path)
}

/// The bytes of the file at this path as text.
fn text(bytes: Vec<u8>, path: &Path) -> Result<String, FsError> {
    String::from_utf8(bytes).map_err(|e| FsError::NotUtf8 {
        path: path.to_owned(),
        offset: e.utf8_error().valid_up_to(),
    })
}

/// Refuses a pipe or a device, also behind a link: another library would wait for it where it
/// opens what it finds. What is not there is none.
///
/// # Errors
/// When it is one.
pub fn refuse_endless(path: &Path) -> Result<(), FsError> {
    match std::fs::metadata(path) {
        Ok(meta) if is_endless(meta.file_type()) => Err(FsError::NotAFile {
            path: path.to_owned(),
            kind: kind_name(meta.file_type()),
        }),
        _ => Ok(()),
    }
}

/// As [`refuse_endless`], of all that lies in a folder and, down to `depth`, in those below it. A
/// link to a folder is followed from the top one only.
///
/// # Errors
/// When there is one.
pub fn refuse_endless_in(dir: &Path, depth: usize) -> Result<(), FsError> {
    below(dir, depth, true)
}

fn below(dir: &Path, depth: usize, follows: bool) -> Result<(), FsError> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        // No folder, or a closed one: nothing in it can be opened.
        return Ok(());
    };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let linked = kind.is_symlink();
        if linked || is_endless(kind) {
            refuse_endless(&entry.path())?;
        }
        if depth > 0 && (kind.is_dir() || linked && follows) {
            below(&entry.path(), depth - 1, false)?;
        }
    }
    Ok(())
}

fn is_endless(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
}

fn open_error(path: &Path, error: rustix::io::Errno) -> FsError {
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

fn kind_name(kind: std::fs::FileType) -> &'static str {
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

/// Writes `bytes` to `path` all or nothing: a temporary file beside it, synced, renamed over it,
/// the folder synced. `mode` is the permission of the new file (such as `0o600`).
///
/// # Errors
/// When any step fails; the old file then still stands.
pub fn write_atomic(path: &Path, bytes: &[u8], mode: u32) -> Result<(), FsError> {
    put_in_place(path, bytes, mode, true)
}

fn put_in_place(path: &Path, bytes: &[u8], mode: u32, durable: bool) -> Result<(), FsError> {
    let (temp, dir) = beside(path, bytes, mode, durable)?;
    temp.persist(path)
        .map_err(|e| FsError::io("rename", path)(e.error))?;
    if durable { sync_dir(dir) } else { Ok(()) }
}

/// The bytes in a temporary file in the folder where they shall stand, and that folder.
fn beside<'a>(
    path: &'a Path,
    bytes: &[u8],
    mode: u32,
    durable: bool,
) -> Result<(tempfile::NamedTempFile, &'a Path), FsError> {
    let dir = path
        .parent()
        .filter(|d| !d.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut temp = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .permissions(std::fs::Permissions::from_mode(mode))
        .tempfile_in(dir)
        .map_err(FsError::io("write", path))?;
    temp.write_all(bytes).map_err(FsError::io("write", path))?;
    if durable {
        let file = temp.as_file();
        file.sync_all().map_err(FsError::io("sync", path))?;
    }
    Ok((temp, dir))
}

/// As [`write_atomic`], without waiting for the disk: all or nothing for every reader, but not after
/// a loss of power.
///
/// # Errors
/// When any step fails; the old file then still stands.
pub fn write_renamed(path: &Path, bytes: &[u8], mode: u32) -> Result<(), FsError> {
    put_in_place(path, bytes, mode, false)
}

/// Writes a file that must not be there yet, all or nothing; `mode` as for [`write_atomic`].
///
/// # Errors
/// When something stands there ([`FsError::is_taken`]), or the file cannot be written.
pub fn write_new(path: &Path, bytes: &[u8], mode: u32) -> Result<(), FsError> {
    let (temp, dir) = beside(path, bytes, mode, true)?;
    temp.persist_noclobber(path)
        .map_err(|e| FsError::io("create", path)(e.error))?;
    sync_dir(dir)
}

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

/// Makes the names in a folder durable.
///
/// # Errors
/// When the folder cannot be opened or synced.
pub fn sync_dir(dir: &Path) -> Result<(), FsError> {
    File::open(dir)
        .and_then(|d| d.sync_all())
        .map_err(FsError::io("sync", dir))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_refused_wherever_it_lies_and_a_socket_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        refuse_endless_in(dir.path(), 9).unwrap();
        let pipe = deep.join("pipe");
        let mode = Mode::from_bits_truncate(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        refuse_endless_in(dir.path(), 1).unwrap();
        for found in [refuse_endless_in(dir.path(), 2), refuse_endless(&pipe)] {
            let told = found.unwrap_err().to_string();
            assert!(
                told.contains("a/b/pipe\" is a named pipe, not a plain file"),
                "{told}"
            );
        }
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert!(refuse_endless_in(dir.path(), 0).is_err());
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(&deep, &link).unwrap();
        assert!(refuse_endless_in(dir.path(), 1).is_err());
    }

    #[test]
    fn no_pipe_link_or_folder_is_opened_as_a_file_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let mode = Mode::from_bits_truncate(0o600);
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), fifo, mode, 0).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, at("read"), fifo, mode, 0).unwrap();
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        let _reader = rustix::fs::open(at("read"), flags, Mode::empty()).unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        for how in [Writing::Over, Writing::Behind] {
            for name in ["pipe", "read", "link"] {
                let refused = open_own(&at(name), how).unwrap_err();
                assert!(matches!(refused, FsError::NotAFile { .. }), "{refused}");
            }
            assert!(open_own(&at("folder"), how).is_err());
            let mut file = open_own(&at("file"), how).unwrap();
            file.write_all(b"abc").unwrap();
        }
        assert_eq!(read_text(&at("file"), 9).unwrap(), "abcabc");
        let mode = std::fs::metadata(at("file")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_write_replaces_the_whole_file_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        write_atomic(&path, b"one", 0o600).unwrap();
        write_atomic(&path, b"two", 0o600).unwrap();
        assert_eq!(read_text(&path, 10).unwrap(), "two");
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

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
