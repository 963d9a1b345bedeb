//! Durable writing: all of a file or nothing.
//!
//! Owns the temporary file beside its target and the rename; and files of memd's own that are
//! written in place (locks, logs). Never follows a link at the last component.

use super::error::{kind_name, open_error};
use super::{FsError, TEMPORARY, sync_dir};
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::read_text;

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
}
