//! The files of an apply on disk: looked at, written, never overwritten unseen.

use super::execute::ApplyError;
use crate::fs::{Folder, FsError, TEMPORARY};
use crate::git::{ARCHIVE_LIMIT, FILE_LIMIT};
use crate::text::TextHash;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folder of what memory holds no more.
const ARCHIVE: &str = "archive";

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

/// The place of one file of memory. What is done there goes by the handle of its folder.
pub(super) struct Place {
    memory: PathBuf,
    archived: bool,
    folder: Option<Folder>,
    name: String,
}

/// The place of a file in a memory folder. Only the four files and the archive's are ever written,
/// so a damaged or forged intent leads nowhere else.
pub(super) fn place(memory: &Path, path: &str) -> Result<Place, ApplyError> {
    let known = crate::memory::MemoryFile::from_name(path).is_some();
    let archived = path.strip_prefix("archive/").filter(|name| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        name.ends_with(".md") && !name.starts_with('.') && name.chars().all(plain)
    });
    if !known && archived.is_none() {
        return Err(ApplyError::Outside {
            path: path.to_owned(),
        });
    }
    let folder = match (Folder::open(memory)?, archived) {
        (Some(memory), Some(_)) => memory.folder(ARCHIVE)?,
        (memory, _) => memory,
    };
    Ok(Place {
        memory: memory.to_owned(),
        archived: archived.is_some(),
        folder,
        name: archived.unwrap_or(path).to_owned(),
    })
}

/// This month's archive file of a memory folder; `None`: there is none yet.
///
/// # Errors
/// When it is no plain text file of bearable size, or its folder is a link.
pub fn archive_of(memory: &Path, now: jiff::Timestamp) -> Result<Option<String>, FsError> {
    let folder = match Folder::open(memory)? {
        Some(memory) => memory.folder(ARCHIVE)?,
        None => None,
    };
    let name = crate::memory::archive::file_name(now);
    match folder.map(|f| f.read_text(&name, ARCHIVE_LIMIT)) {
        Some(Ok(text)) => Ok(Some(text)),
        Some(Err(e)) if !e.is_missing() => Err(e),
        Some(Err(_)) | None => Ok(None),
    }
}

impl Place {
    /// The hash of what stands there; `None`: nothing does.
    pub(super) fn hash(&self) -> Result<Option<TextHash>, FsError> {
        let limit = FILE_LIMIT.max(ARCHIVE_LIMIT);
        match self.folder.as_ref().map(|f| f.read(&self.name, limit)) {
            Some(Ok(bytes)) => Ok(Some(TextHash::of(bytes))),
            Some(Err(e)) if !e.is_missing() => Err(e),
            Some(Err(_)) | None => Ok(None),
        }
    }

    /// How what stands there relates to what an apply expects.
    pub(super) fn stand(
        &self,
        before: Option<&TextHash>,
        after: Option<&TextHash>,
    ) -> Result<Stand, FsError> {
        let now = self.hash()?;
        Ok(if now.as_ref() == after {
            Stand::After
        } else if now.as_ref() == before {
            Stand::Before
        } else {
            Stand::Foreign
        })
    }

    /// Writes the file whole, keeping its permissions; without a text, takes it away.
    pub(super) fn write(&self, text: Option<&str>) -> Result<(), FsError> {
        let made;
        let folder = match &self.folder {
            Some(folder) => folder,
            None => {
                made = self.made()?;
                &made
            }
        };
        match text {
            Some(text) => {
                let mode = folder.mode(&self.name).unwrap_or(0o644);
                folder.write_atomic(&self.name, text.as_bytes(), mode)
            }
            None => {
                folder.remove(&self.name)?;
                folder.sync()
            }
        }
    }

    /// Its folder, made.
    fn made(&self) -> Result<Folder, FsError> {
        let (memory, failed) = (&self.memory, FsError::io("create", &self.memory));
        match std::fs::create_dir(memory) {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(failed(e)),
            Ok(()) | Err(_) => {}
        }
        let gone = || FsError::io("open", memory)(ErrorKind::NotFound.into());
        let folder = Folder::open(memory)?.ok_or_else(gone)?;
        match self.archived {
            true => folder.folder_made(ARCHIVE),
            false => Ok(folder),
        }
    }
}

/// Removes temporary files that a crash left behind, once they are an hour old: a younger one may
/// be somebody's who is writing just now.
pub(super) fn sweep(memory: &Path, now: jiff::Timestamp) {
    let old = now.as_second() - HOUR;
    for dir in [memory.to_owned(), memory.join("archive")] {
        for item in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let name = item.file_name();
            let is_ours = name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
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
    if name.starts_with('.') || name.contains(['/', '\0']) {
        return Ok(());
    }
    let inbox = match Folder::open(memory)? {
        Some(memory) => memory.folder("inbox")?,
        None => None,
    };
    match inbox.map(|inbox| inbox.remove(name)) {
        Some(Err(e)) if !e.is_missing() => Err(e),
        _ => Ok(()),
    }
}
