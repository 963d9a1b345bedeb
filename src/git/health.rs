//! Whether the memory's history can still be read, all of it: objects go missing where a disk or a
//! copy of the folder failed. Only looks.

use super::{GitError, Repo};
use git2::{BranchType, Index, ObjectType};
use std::collections::BTreeSet;

/// At most so many commits are looked at.
const COMMITS: usize = 10_000;
/// At most so many objects are looked at for a commit that no branch leads to.
const OBJECTS: usize = 50_000;

impl Repo {
    /// The first thing that is wrong with the index, HEAD, the files of the last commit or any
    /// commit before it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn look_through(&self) -> Result<(), GitError> {
        let failed = || self.failed("read the index");
        Index::open(&self.inner.path().join("index")).map_err(failed())?;
        if self.head()?.is_none() {
            self.refuse_lost()?;
        }
        let odb = self.inner.odb().map_err(self.failed("read the objects"))?;
        let failed = || self.failed("read a file of the last commit");
        for (id, _) in self.head_flat()?.into_values() {
            odb.read_header(id).map_err(failed())?;
        }
        let failed = || self.failed("read the history");
        let mut seen = BTreeSet::new();
        for commit in self.log(COMMITS)? {
            let id = commit.id.parse().map_err(failed())?;
            let tree = self.inner.find_commit(id).map_err(failed())?.tree_id();
            if seen.insert(tree) {
                self.inner.find_tree(tree).map_err(failed())?;
            }
        }
        Ok(())
    }

    /// HEAD leads to no commit, which is well only where there is none.
    pub(super) fn refuse_lost(&self) -> Result<(), GitError> {
        let (path, branch) = (self.dir().to_owned(), self.branch()?);
        if self.has_branches()? {
            return Err(GitError::Unborn { path, branch });
        }
        match self.has_commits()? {
            true => Err(GitError::Astray { path, branch }),
            false => Ok(()),
        }
    }

    fn has_branches(&self) -> Result<bool, GitError> {
        let branches = self.inner.branches(Some(BranchType::Local));
        let mut branches = branches.map_err(self.failed("read the branches"))?;
        Ok(branches.next().is_some())
    }

    /// Whether there is any commit, though no branch may lead to it.
    fn has_commits(&self) -> Result<bool, GitError> {
        let odb = self.inner.odb().map_err(self.failed("read the objects"))?;
        let (mut looked, mut found) = (0, false);
        let walked = odb.foreach(|id| {
            looked += 1;
            let kind = odb.read_header(*id).map(|(_, kind)| kind);
            found = kind.is_ok_and(|kind| kind == ObjectType::Commit);
            !found && looked < OBJECTS
        });
        match walked {
            // Having seen enough is told as an error.
            Err(_) if found || looked == OBJECTS => Ok(found),
            walked => walked
                .map(|()| found)
                .map_err(self.failed("read the objects")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Message;
    use jiff::Timestamp;

    #[test]
    fn whatever_is_missing_or_damaged_is_found() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(".memory");
        std::fs::create_dir(&dir).unwrap();
        let repo = Repo::open_or_init(&dir).unwrap();
        repo.look_through().unwrap();
        for n in 0..3 {
            std::fs::write(dir.join("state.md"), format!("{n}\n")).unwrap();
            let by_hand = Message::by_hand();
            repo.commit_disk(&by_hand, Timestamp::UNIX_EPOCH).unwrap();
        }
        repo.look_through().unwrap();
        let git = dir.join(".git");
        let object = |spec: &str| {
            let id = repo.inner.revparse_single(spec).unwrap().id().to_string();
            git.join("objects").join(&id[..2]).join(&id[2..])
        };
        let found = || {
            // As another process finds it: objects are kept in mind.
            let repo = Repo::open(&dir).unwrap();
            repo.look_through().unwrap_err().to_string()
        };
        for (path, what) in [
            (object("HEAD"), "the last commit"),
            (object("HEAD^{tree}"), "the last commit"),
            (object("HEAD:state.md"), "a file of the last commit"),
            (object("HEAD~1"), "the history"),
            (object("HEAD~2^{tree}"), "the history"),
            (git.join("index"), "the index"),
        ] {
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, "no object and no index").unwrap();
            let told = found();
            assert!(told.contains(what), "{path:?}: {told}");
            assert!(told.contains("Recovering"), "{told}");
            std::fs::remove_file(&path).unwrap();
            if path.ends_with("index") {
                // It is made anew from the last commit.
                repo.align().unwrap();
            } else {
                assert!(found().contains(what), "{path:?}");
                std::fs::write(&path, bytes).unwrap();
            }
            Repo::open(&dir).unwrap().look_through().unwrap();
        }
        let id = repo.log(1).unwrap()[0].id.clone();
        std::fs::remove_file(git.join("refs/heads/main")).unwrap();
        let told = found();
        assert!(told.contains("update-ref refs/heads/main"), "{told}");
        std::fs::write(git.join("refs/heads/main"), format!("{id}\n")).unwrap();
        Repo::open(&dir).unwrap().look_through().unwrap();
        for branch in ["refs/heads/other", "../../outside"] {
            std::fs::write(git.join("HEAD"), format!("ref: {branch}\n")).unwrap();
            let told = found();
            assert!(
                told.contains("symbolic-ref HEAD") && told.contains(branch),
                "{told}"
            );
        }
    }
}
