//! What a killed memd leaves locked in the memory's repository, and taking it away.
//!
//! git locks a file by making `NAME.lock` beside it, and a process that is killed leaves that lock
//! for ever. So memd holds a kernel lock of its own while it writes, and a mark in that file: where
//! the mark stands and nobody holds the lock, the one who set it is dead. Only locks made just
//! after the mark are taken away; a git of the user's may hold others.

use super::{GitError, Repo};
use crate::fs::FsError;
use crate::lock;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that is locked, and marked while something is written.
pub(super) const NAME: &str = "memd.lock";
/// A lock of a killed memd is at most this much younger than its mark.
const AFTER: Duration = Duration::from_secs(60);

/// Whether a memd was killed while it wrote to a memory's repository, or is writing now.
#[must_use]
pub fn is_marked(memory: &Path) -> bool {
    let path = memory.join(".git").join(NAME);
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0)
}

impl Repo {
    /// Takes away what a killed memd has left locked.
    ///
    /// # Errors
    /// When a file cannot be read or removed.
    pub fn clear_leftovers(&self) -> Result<(), GitError> {
        if is_marked(self.dir()) {
            self.writing(|| Ok(()))?;
        }
        Ok(())
    }

    /// Runs what writes to the repository, alone among memds, so that what a crash leaves of it is
    /// known to be memd's.
    pub(super) fn writing<T>(
        &self,
        write: impl FnOnce() -> Result<T, GitError>,
    ) -> Result<T, GitError> {
        let path = self.inner.path().join(NAME);
        let file = lock::take(&path, lock::PATIENCE, "the repository of this memory")?;
        let io = |e| FsError::io("mark", &path)(e);
        let meta = file.metadata().map_err(io)?;
        if meta.len() > 0 {
            self.unlock_since(&meta)?;
        }
        mark(&file).map_err(io)?;
        let written = write();
        file.set_len(0).map_err(io)?;
        written
    }

    /// Removes the locks that were made just after a mark.
    fn unlock_since(&self, mark: &std::fs::Metadata) -> Result<(), GitError> {
        for path in self.locks()? {
            let made = match std::fs::symlink_metadata(&path).and_then(|m| m.modified()) {
                Ok(made) => made,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(FsError::io("read", &path)(e).into()),
            };
            let marked = mark.modified().map_err(FsError::io("read", &path))?;
            if made.duration_since(marked).is_ok_and(|d| d <= AFTER) {
                std::fs::remove_file(&path).map_err(FsError::io("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Every lock that memd's own commits take.
    fn locks(&self) -> Result<Vec<PathBuf>, GitError> {
        let git = self.inner.path();
        let branch = self.branch()?;
        let names = ["index", "HEAD", "packed-refs", branch.as_str()];
        Ok(names.map(|n| git.join(format!("{n}.lock"))).to_vec())
    }
}

/// Sets the mark, and makes sure that it stands before anything is locked.
fn mark(mut file: &File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.write_all(b"writing\n")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Message;
    use jiff::Timestamp;

    fn commit(repo: &Repo, n: u32) -> Result<String, GitError> {
        std::fs::write(repo.dir().join("state.md"), format!("{n}\n")).unwrap();
        repo.commit_decision(None, &Message::by_hand(), Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn locks_of_a_killed_memd_are_taken_away_and_nobody_elses() {
        let dir = tempfile::tempdir().unwrap();
        let repo = Repo::open_or_init(dir.path()).unwrap();
        commit(&repo, 1).unwrap();
        let git = dir.path().join(".git");
        for name in ["index.lock", "refs/heads/main.lock"] {
            // Without a mark it is a git of the user's that is at work.
            std::fs::write(git.join(name), "").unwrap();
            assert!(commit(&repo, 2).is_err(), "{name}");
            assert!(git.join(name).exists());
            // Before the mark: not ours either.
            std::fs::write(git.join(NAME), "writing\n").unwrap();
            let at = std::time::SystemTime::now() - Duration::from_secs(5);
            let older = File::options().write(true).open(git.join(name)).unwrap();
            older.set_modified(at).unwrap();
            assert!(commit(&repo, 3).is_err(), "{name}");
            std::fs::remove_file(git.join(name)).unwrap();
            // As a kill leaves it.
            std::fs::write(git.join(NAME), "writing\n").unwrap();
            std::fs::write(git.join(name), "").unwrap();
            assert!(is_marked(dir.path()));
            repo.clear_leftovers().unwrap();
            assert!(!git.join(name).exists() && !is_marked(dir.path()));
            commit(&repo, 4).unwrap();
        }
    }
}
