//! The four memory files as values: frontmatter, entries, budgets, archive. Pure and lossless.

pub mod archive;
mod blocks;
mod document;
mod front;
pub mod scaffold;
mod splice;

pub use archive::ArchivePiece;
pub use document::{Document, SECTION_SEPARATOR, Section};
pub use front::{FrontError, FrontMatter, MAX_FRONT_BYTES};
pub use splice::Splice;

use crate::fs::{Folder, FsError};
use crate::text::TextHash;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes of one memory file that are read at most.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The four files of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MemoryFile {
    /// What is true now.
    #[serde(rename = "state.md")]
    State,
    /// What was decided, why, and what it rules out.
    #[serde(rename = "decisions.md")]
    Decisions,
    /// What went wrong, its cause, and the rule that prevents it. Only grows.
    #[serde(rename = "mistakes.md")]
    Mistakes,
    /// Open tasks.
    #[serde(rename = "todo.md")]
    Todo,
}

impl MemoryFile {
    /// All four, in reading order.
    pub const ALL: [MemoryFile; 4] = [
        MemoryFile::State,
        MemoryFile::Decisions,
        MemoryFile::Mistakes,
        MemoryFile::Todo,
    ];

    /// The file's name, such as `state.md`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MemoryFile::State => "state.md",
            MemoryFile::Decisions => "decisions.md",
            MemoryFile::Mistakes => "mistakes.md",
            MemoryFile::Todo => "todo.md",
        }
    }

    /// The file with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }
}

/// The smallest piece of memory that is decided on.
///
/// In decisions.md and mistakes.md the deepest H2 or H3 section; in state.md and todo.md a
/// top-level list item with its children, else a block (paragraph, table, code).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file it stands in.
    pub file: MemoryFile,
    /// The headings above it, outermost first, joined by ` › `; empty at the top.
    pub section: String,
    /// Its exact text, without the blank lines around it. Lines end with a line feed alone, also where
    /// the file's end otherwise: how an editor ends them is no other text.
    pub text: String,
    /// Where the text stands: byte range in the whole file.
    pub range: Range<usize>,
    /// Which of the entries with the same file, section and text it is, from 0.
    pub ordinal: u32,
}

impl Entry {
    /// The hash of its text.
    #[must_use]
    pub fn hash(&self) -> TextHash {
        TextHash::of(&self.text)
    }

    /// Its first line without markup, for lists and messages.
    #[must_use]
    pub fn title(&self) -> String {
        title(&self.text)
    }
}

/// The first line of an entry's text without its markup.
#[must_use]
pub fn title(text: &str) -> String {
    let line = text
        .lines()
        .find(|l| !l.trim().is_empty())
        .unwrap_or_default()
        .trim();
    let line = line.trim_start_matches('#').trim_start();
    let line = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .unwrap_or(line);
    let line = line
        .strip_prefix("[ ] ")
        .or_else(|| line.strip_prefix("[x] "))
        .unwrap_or(line);
    line.replace("**", "")
}

/// Memory that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// A file is no plain text file of bearable size.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// None of the four files is there.
    #[error(
        "{dir:?} is gone or holds none of its four files; put it back from a backup, or run `memd init`, which makes them again: what was accepted can then be put back in `memd review`"
    )]
    Gone {
        /// The `.memory` folder.
        dir: PathBuf,
    },
}

/// The four files of a project's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// In the order of [`MemoryFile::ALL`].
    docs: [Document; 4],
    missing: BTreeSet<MemoryFile>,
}

impl Memory {
    /// Reads the four files of a `.memory` folder. One that is not there reads as a fresh one.
    ///
    /// # Errors
    /// When one is a link, a pipe, a folder, larger than [`MAX_FILE_BYTES`], or not UTF-8.
    pub fn read(dir: &Path) -> Result<Self, MemoryError> {
        let (memory, unread) = Self::read_some(dir);
        match unread.into_iter().next() {
            Some((_, error)) => Err(error),
            None => Ok(memory),
        }
    }

    /// As [`Memory::read`], for one that was made before.
    ///
    /// # Errors
    /// As [`Memory::read`], and [`MemoryError::Gone`].
    pub fn read_made(dir: &Path) -> Result<Self, MemoryError> {
        let memory = Self::read(dir)?;
        if memory.is_gone() {
            let dir = dir.to_owned();
            return Err(MemoryError::Gone { dir });
        }
        Ok(memory)
    }

    /// What can be read of the four files, and why the others cannot; those count as missing.
    #[must_use]
    pub fn read_some(dir: &Path) -> (Self, Vec<(MemoryFile, MemoryError)>) {
        let (mut texts, mut unread) = (BTreeMap::new(), Vec::new());
        for file in MemoryFile::ALL {
            let folder = Folder::open(dir);
            let text = folder.and_then(|folder| match folder {
                Some(folder) => folder.read_text(file.name(), MAX_FILE_BYTES).map(Some),
                None => Ok(None),
            });
            match text {
                Ok(None) => {}
                Ok(Some(text)) => {
                    texts.insert(file, text);
                }
                Err(error) if error.is_missing() => {}
                Err(error) => unread.push((file, error.into())),
            }
        }
        let name = dir
            .parent()
            .and_then(Path::file_name)
            .map_or_else(|| "memory".into(), |n| n.to_string_lossy());
        (Self::from_texts_of(&texts, &name), unread)
    }

    /// Memory with these texts; a file without one reads as a fresh one.
    #[must_use]
    pub fn from_texts(texts: &BTreeMap<MemoryFile, String>) -> Self {
        Self::from_texts_of(texts, "memory")
    }

    fn from_texts_of(texts: &BTreeMap<MemoryFile, String>, name: &str) -> Self {
        let known = texts
            .iter()
            .find_map(|(file, text)| Document::parse(*file, text).front().ok());
        let name = known.map_or_else(|| name.to_owned(), |front| front.project);
        let day = jiff::civil::date(1970, 1, 1);
        Self {
            docs: MemoryFile::ALL.map(|file| match texts.get(&file) {
                Some(text) => Document::parse(file, text),
                None => Document::parse(file, &scaffold::text(file, &name, day)),
            }),
            missing: MemoryFile::ALL
                .into_iter()
                .filter(|file| !texts.contains_key(file))
                .collect(),
        }
    }

    /// One of the four files.
    #[must_use]
    pub fn doc(&self, file: MemoryFile) -> &Document {
        &self.docs[file as usize]
    }

    /// All four, in reading order.
    pub fn docs(&self) -> impl Iterator<Item = &Document> {
        self.docs.iter()
    }

    /// Files that are there and whose frontmatter cannot be used, and why. It is not sealed, so nothing
    /// else notices; an agent is given the entries all the same.
    pub fn without_front(&self) -> impl Iterator<Item = (MemoryFile, FrontError)> {
        let there = self.docs().filter(|doc| !self.is_missing(doc.file()));
        there.filter_map(|doc| Some((doc.file(), doc.front().err()?)))
    }

    /// Every entry of the four files, in reading order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.docs.iter().flat_map(Document::entries)
    }

    /// Whether a file is not there on disk.
    #[must_use]
    pub fn is_missing(&self, file: MemoryFile) -> bool {
        self.missing.contains(&file)
    }

    /// Whether none of the four files is there.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.missing.len() == MemoryFile::ALL.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_reads_as_a_fresh_one_with_the_projects_name() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("app/.memory");
        std::fs::create_dir_all(&dir).unwrap();
        let memory = Memory::read(&dir).unwrap();
        assert_eq!(memory.doc(MemoryFile::Todo).front().unwrap().project, "app");
        assert!(memory.is_missing(MemoryFile::Todo) && memory.entries().next().is_none());

        std::fs::write(dir.join("todo.md"), "- [ ] a\n").unwrap();
        let memory = Memory::read(&dir).unwrap();
        assert!(!memory.is_missing(MemoryFile::Todo));
        assert_eq!(memory.entries().count(), 1);
    }

    #[test]
    fn links_pipes_and_foreign_bytes_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path();
        std::os::unix::fs::symlink("/etc/hostname", dir.join("state.md")).unwrap();
        let said = Memory::read(dir).unwrap_err().to_string();
        assert!(said.contains("symbolic link"), "{said}");
        std::fs::remove_file(dir.join("state.md")).unwrap();
        std::fs::write(dir.join("state.md"), b"\xff").unwrap();
        assert!(Memory::read(dir).unwrap_err().to_string().contains("UTF-8"));
    }
}
