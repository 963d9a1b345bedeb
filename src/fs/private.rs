//! What of memd's own folder others can read or write, and taking that away.
//!
//! Looks at the folder, the plain files in it and in its folders of memd's, through no link. The key
//! is named and never mended: whoever has read it can forge, and its owner is to know first.

use super::FsError;
use rustix::fs::{Mode, OFlags};
use std::fs::{File, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Folders of memd's own in it; what a curator leaves in its folder is its own.
const FOLDERS: [&str; 3] = ["locks", "jobs", "curator"];
/// Files that are only named.
const KEYS: [&str; 2] = ["key", "key.next"];
/// More files than memd leaves.
const MOST: usize = 10_000;

/// Something that is not its owner's alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposed {
    /// What.
    pub path: PathBuf,
    /// Its permission bits.
    pub mode: u32,
    /// Whether it is a key.
    pub is_key: bool,
}

/// All of it, the folder first.
#[must_use]
pub fn exposed(state: &Path) -> Vec<Exposed> {
    let mut all = Vec::new();
    look(state, true, &mut all);
    files(state, &mut all);
    for name in FOLDERS {
        let dir = state.join(name);
        look(&dir, true, &mut all);
        if name != "curator" && super::is_own_folder(&dir).unwrap_or_default() {
            files(&dir, &mut all);
        }
    }
    all
}

fn files(dir: &Path, all: &mut Vec<Exposed>) {
    let items = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<_> = items.take(MOST).map(|item| item.path()).collect();
    paths.sort();
    for path in paths {
        look(&path, false, all);
    }
}

fn look(path: &Path, is_dir: bool, all: &mut Vec<Exposed>) {
    let Ok(meta) = std::fs::symlink_metadata(path) else {
        return;
    };
    let is_it = match is_dir {
        true => meta.is_dir(),
        false => meta.is_file(),
    };
    if is_it && mode(&meta) & 0o077 != 0 {
        all.push(Exposed {
            path: path.to_owned(),
            mode: mode(&meta),
            is_key: !is_dir && KEYS.iter().any(|key| path.ends_with(key)),
        });
    }
}

fn mode(meta: &Metadata) -> u32 {
    meta.mode() & 0o777
}

impl Exposed {
    /// Takes away what group and others may do; whether that is so now, which not every disk keeps.
    ///
    /// # Errors
    /// When it cannot be opened or changed.
    pub fn mend(&self) -> Result<bool, FsError> {
        let path = &self.path;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::open(path, flags, Mode::empty());
        let file = File::from(opened.map_err(|e| FsError::io("open", path)(e.into()))?);
        file.set_permissions(Permissions::from_mode(self.mode & 0o700))
            .map_err(FsError::io("change the permissions of", path))?;
        let meta = file.metadata().map_err(FsError::io("read", path))?;
        Ok(mode(&meta) & 0o077 == 0)
    }
}

impl std::fmt::Display for Exposed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, mode, .. } = self;
        let done = match (mode & 0o044, mode & 0o022) {
            (0, 0) => "reach into",
            (0, _) => "write",
            _ => "read",
        };
        write!(f, "others can {done} {path:?} (mode {mode:03o})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_others_can_read_is_found_and_mended_and_no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (state, out) = (dir.path().join("memd"), dir.path().join("out"));
        std::fs::create_dir_all(state.join("locks")).unwrap();
        std::fs::create_dir(state.join("jobs")).unwrap();
        let names = [
            "key",
            "kept-1.md",
            "locks/a",
            "memd.db",
            "memd.db-wal",
            "memd.log",
        ];
        for path in names.map(|name| state.join(name)).iter().chain([&out]) {
            std::fs::write(path, "").unwrap();
            std::fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
        }
        std::os::unix::fs::symlink(&out, state.join("link")).unwrap();
        for path in [&state, &state.join("locks"), &state.join("jobs")] {
            std::fs::set_permissions(path, Permissions::from_mode(0o711)).unwrap();
        }
        let found = exposed(&state);
        assert_eq!(found.len(), names.len() + 3, "{found:?}");
        assert!(found[0].to_string().contains("reach into"));
        for one in &found {
            assert_eq!(one.is_key, one.path.ends_with("key"));
            assert!(one.mend().unwrap());
        }
        assert!(exposed(&state).is_empty());
        assert_eq!(mode(&std::fs::metadata(&out).unwrap()), 0o644);
    }
}
