//! The files of a memory folder, whatever they are: named first, read one by one.

use crate::fs::{self, FsError};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 << 20;
/// Files that are read.
const MOST: usize = 20_000;
/// Folders in folders are looked into so deep.
const DEEPEST: usize = 8;

/// A file's bytes.
type Read = Result<Vec<u8>, FsError>;

/// What lies below a folder.
#[derive(Default)]
pub(super) struct Found<R> {
    /// The plain files, by their path in the folder, in order.
    pub files: Vec<(String, R)>,
    /// What was passed over, and why. Foreign text.
    pub passed: Vec<String>,
}

/// The plain files below a folder; its git repository is left out. No link is followed.
///
/// # Errors
/// When something else than a folder stands there.
pub(super) fn below(dir: &Path) -> Result<Found<impl FnOnce() -> Read + use<>>, FsError> {
    let mut list = List::default();
    if fs::is_own_folder(dir)? {
        list.folder(dir, 0);
    }
    list.paths.sort();
    let named = list.paths.into_iter().map(|path| {
        let name = path.strip_prefix(dir).unwrap_or(&path);
        let name = name.to_string_lossy().into_owned();
        (name, move || fs::read_plain(&path, LARGEST))
    });
    let mut passed = list.passed;
    if list.beyond > 0 {
        let (beyond, dir) = (list.beyond, dir.display());
        passed.push(format!("{dir}: {beyond} files beyond the first {MOST}"));
    }
    Ok(Found {
        files: named.collect(),
        passed,
    })
}

#[derive(Default)]
struct List {
    paths: Vec<PathBuf>,
    passed: Vec<String>,
    beyond: usize,
}

impl List {
    fn folder(&mut self, dir: &Path, depth: usize) {
        let items = match std::fs::read_dir(dir) {
            Ok(items) => items,
            Err(error) => return self.pass(dir, &format!("cannot be listed: {error}")),
        };
        for item in items {
            let item = match item {
                Ok(item) => item,
                Err(error) => return self.pass(dir, &format!("cannot be listed: {error}")),
            };
            self.item(&item, depth);
        }
    }

    fn item(&mut self, item: &DirEntry, depth: usize) {
        let path = item.path();
        match item.file_type() {
            Err(error) => self.pass(&path, &error.to_string()),
            Ok(kind) if kind.is_dir() => {
                let is_git = depth == 0 && item.file_name() == ".git";
                if !is_git && depth >= DEEPEST {
                    self.pass(&path, "lies too deep");
                } else if !is_git {
                    self.folder(&path, depth + 1);
                }
            }
            Ok(kind) if kind.is_file() && self.paths.len() < MOST => self.paths.push(path),
            Ok(kind) if kind.is_file() => self.beyond += 1,
            Ok(kind) if kind.is_symlink() => self.pass(&path, "is a link, and is not followed"),
            Ok(_) => self.pass(&path, "is no plain file"),
        }
    }

    fn pass(&mut self, path: &Path, why: &str) {
        if self.passed.len() < MOST {
            self.passed.push(format!("{}: {why}", path.display()));
        }
    }
}
