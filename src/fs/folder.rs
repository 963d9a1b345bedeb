//! A folder that somebody else may write in, held open: what is read, written and removed in it goes
//! by its handle (openat) and follows no link, so that nothing leads elsewhere, whatever is put in
//! its place meanwhile.

use super::error::open_error;
use super::reading::{plain, text};
use super::{FsError, TEMPORARY};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// So many names are tried for a temporary file.
const TRIES: usize = 1000;

/// The number of the next temporary file of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A folder, open.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// The folder at a path; `None`: nothing is there. Links before its last component are followed.
    ///
    /// # Errors
    /// [`FsError::NotAFolder`] when it is a link or a file; when it cannot be opened.
    pub fn open(path: &Path) -> Result<Option<Self>, FsError> {
        Self::open_at(rustix::fs::CWD, path, path.to_owned())
    }

    /// A folder in this one; `None`: nothing is there.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn folder(&self, name: &str) -> Result<Option<Self>, FsError> {
        Self::open_at(self.fd.as_fd(), Path::new(name), self.path.join(name))
    }

    /// As [`Folder::folder`], made where there is none.
    ///
    /// # Errors
    /// As [`Folder::open`], and when it cannot be made.
    pub fn folder_made(&self, name: &str) -> Result<Self, FsError> {
        let path = self.path.join(name);
        match rustix::fs::mkdirat(&self.fd, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(e) => return Err(FsError::io("create", &path)(e.into())),
        }
        self.folder(name)?.ok_or_else(|| missing(&path))
    }

    fn open_at(dir: BorrowedFd<'_>, name: &Path, path: PathBuf) -> Result<Option<Self>, FsError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(dir, name, flags, Mode::empty()) {
            Ok(fd) => Ok(Some(Self { fd, path })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => Err(FsError::NotAFolder { path }),
            Err(e) => Err(FsError::io("open", &path)(e.into())),
        }
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of what is in it, in no order; such as are no UTF-8 are left out.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn names(&self) -> Result<Vec<String>, FsError> {
        let failed = |e: Errno| FsError::io("list", &self.path)(e.into());
        let mut names = Vec::new();
        for item in Dir::read_from(&self.fd).map_err(failed)? {
            let item = item.map_err(failed)?;
            let name = item.file_name().to_str().unwrap_or_default();
            if !matches!(name, "" | "." | "..") {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Reads a plain file in it, of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`super::read_plain`].
    pub fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FsError> {
        let path = self.path.join(name);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::empty());
        plain(fd.map_err(|e| open_error(&path, e))?, &path, limit)
    }

    /// As [`Folder::read`], as text.
    ///
    /// # Errors
    /// As [`super::read_text`].
    pub fn read_text(&self, name: &str, limit: u64) -> Result<String, FsError> {
        text(self.read(name, limit)?, &self.path.join(name))
    }

    /// The permissions of a plain file in it, such as `0o644`; `None`: there is none.
    #[must_use]
    pub fn mode(&self, name: &str) -> Option<u32> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        is_file.then_some(stat.st_mode & 0o777)
    }

    /// Writes a file in it, all or nothing, as [`super::write_atomic`] does.
    ///
    /// # Errors
    /// When any step fails; the old file then still stands.
    pub fn write_atomic(&self, name: &str, bytes: &[u8], mode: u32) -> Result<(), FsError> {
        let path = self.path.join(name);
        let failed = |what| FsError::io(what, &path);
        let (temp, mut file) = self.temporary(mode).map_err(failed("write"))?;
        let written = file
            .write_all(bytes)
            .map_err(failed("write"))
            .and_then(|()| file.sync_all().map_err(failed("sync")))
            .and_then(|()| {
                rustix::fs::renameat(&self.fd, &*temp, &self.fd, name)
                    .map_err(|e| failed("rename")(e.into()))
            });
        if written.is_err() {
            // Litter that cannot be removed does no harm.
            let _ = rustix::fs::unlinkat(&self.fd, &*temp, AtFlags::empty());
        }
        written?;
        self.sync()
    }

    /// A new file beside those in it. What a crash left under such a name is passed over.
    fn temporary(&self, mode: u32) -> io::Result<(String, File)> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let (flags, mode) = (flags | OFlags::CLOEXEC, Mode::from_raw_mode(mode));
        for _ in 0..TRIES {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{TEMPORARY}{}-{n}", std::process::id());
            match rustix::fs::openat(&self.fd, &*name, flags, mode) {
                Err(Errno::EXIST) => {}
                opened => return Ok((name, File::from(opened?))),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Removes a file in it.
    ///
    /// # Errors
    /// When it is not there ([`FsError::is_missing`]) or cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), FsError> {
        rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())
            .map_err(|e| FsError::io("remove", &self.path.join(name))(e.into()))
    }

    /// Makes the names in it durable.
    ///
    /// # Errors
    /// When it cannot be synced.
    pub fn sync(&self) -> Result<(), FsError> {
        rustix::fs::fsync(&self.fd).map_err(|e| FsError::io("sync", &self.path)(e.into()))
    }
}

fn missing(path: &Path) -> FsError {
    FsError::io("open", path)(io::ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_open_leads_nowhere_else_when_a_link_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let (memory, other) = (dir.path().join("memory"), dir.path().join("other"));
        std::fs::create_dir_all(memory.join("archive")).unwrap();
        std::fs::create_dir_all(other.join("archive")).unwrap();
        std::fs::write(other.join("archive/a.md"), "theirs").unwrap();
        let held = Folder::open(&memory).unwrap().unwrap();
        let archive = held.folder("archive").unwrap().unwrap();
        std::fs::rename(memory.join("archive"), dir.path().join("moved")).unwrap();
        std::os::unix::fs::symlink(other.join("archive"), memory.join("archive")).unwrap();
        archive.write_atomic("a.md", b"ours", 0o600).unwrap();
        assert_eq!(archive.read("a.md", 9).unwrap(), b"ours");
        let theirs = std::fs::read(other.join("archive/a.md")).unwrap();
        assert_eq!(theirs, b"theirs", "nothing was written through the link");
        assert_eq!(
            std::fs::read(dir.path().join("moved/a.md")).unwrap(),
            b"ours"
        );
        let refused = held.folder("archive").unwrap_err();
        assert!(matches!(refused, FsError::NotAFolder { .. }), "{refused}");
        archive.remove("a.md").unwrap();
        assert!(other.join("archive/a.md").exists());
        assert!(archive.remove("a.md").unwrap_err().is_missing());
    }

    #[test]
    fn links_pipes_and_folders_are_no_files() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("real"), "text").unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        let pipe = dir.path().join("pipe");
        let mode = Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, mode, 0).unwrap();
        std::fs::create_dir(dir.path().join("dir")).unwrap();
        let held = Folder::open(dir.path()).unwrap().unwrap();
        for name in ["link", "pipe", "dir"] {
            let refused = held.read(name, 9).unwrap_err();
            assert!(
                matches!(refused, FsError::NotAFile { .. }),
                "{name}: {refused}"
            );
            assert_eq!(held.mode(name), None);
        }
        assert!(held.read("none", 9).unwrap_err().is_missing());
        assert!(held.folder("none").unwrap().is_none());
        assert!(held.folder("real").is_err());
        // A link is replaced, not written through.
        held.write_atomic("link", b"new", 0o644).unwrap();
        assert_eq!(held.read_text("real", 9).unwrap(), "text");
        assert_eq!(held.read_text("link", 9).unwrap(), "new");
        let names = std::fs::read_dir(dir.path()).unwrap();
        let litter = names.filter(|n| {
            n.as_ref()
                .unwrap()
                .file_name()
                .to_string_lossy()
                .starts_with(".memd-")
        });
        assert_eq!(litter.count(), 0);
    }

    #[test]
    fn a_folder_that_is_none_is_refused_and_one_that_is_missing_is_made() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/tmp", dir.path().join("link")).unwrap();
        assert!(Folder::open(&dir.path().join("link")).is_err());
        let held = Folder::open(dir.path()).unwrap().unwrap();
        assert!(held.folder_made("link").is_err());
        let made = held.folder_made("archive").unwrap();
        assert_eq!(made.path(), dir.path().join("archive"));
        assert!(held.folder_made("archive").is_ok());
    }
}
