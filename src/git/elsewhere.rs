//! Commits that HEAD does not lead to and that the repository holds all the same: on another branch, or on
//! none, as a reset leaves them. Only looks.

use super::{GitError, Repo};
use git2::{BranchType, Oid};

/// At most so many commits are looked for.
const COMMITS: usize = 200;
/// At most so many branches are looked at.
const BRANCHES: usize = 50;

/// Where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// What HEAD names: the branch that is checked out.
    pub head: String,
    /// Another branch, which leads to the most of them, and to how many.
    pub branch: Option<(String, usize)>,
    /// The last of those that no branch leads to, and how many they are.
    pub loose: Option<(String, usize)>,
}

impl Repo {
    /// Where commits are that HEAD does not lead to, oldest first. `None`: the repository holds none of
    /// them.
    ///
    /// # Errors
    /// When HEAD or the branches cannot be read.
    pub fn elsewhere(&self, commits: &[String]) -> Result<Option<Elsewhere>, GitError> {
        let ids = commits.iter().take(COMMITS);
        let ids = ids.filter_map(|id| id.parse::<Oid>().ok());
        let there: Vec<Oid> = ids
            .filter(|id| self.inner.find_commit(*id).is_ok())
            .collect();
        if there.is_empty() {
            return Ok(None);
        }
        let failed = || self.failed("read the branches");
        let branches = self.inner.branches(Some(BranchType::Local));
        let (mut most, mut led) = (None, vec![false; there.len()]);
        for branch in branches.map_err(failed())?.take(BRANCHES) {
            let (branch, _) = branch.map_err(failed())?;
            let (Some(tip), Ok(Some(name))) = (branch.get().target(), branch.name()) else {
                continue;
            };
            let leads =
                |id: Oid| tip == id || self.inner.graph_descendant_of(tip, id).unwrap_or(false);
            let mut n = 0;
            for (_, led) in there.iter().zip(&mut led).filter(|(id, _)| leads(**id)) {
                (n, *led) = (n + 1, true);
            }
            if n > most.as_ref().map_or(0, |(_, most)| *most) {
                most = Some((name.to_owned(), n));
            }
        }
        let mut loose = there.iter().zip(led).filter(|(_, led)| !led);
        let n = loose.clone().count();
        let head = self.branch()?;
        Ok(Some(Elsewhere {
            head: head.strip_prefix("refs/heads/").unwrap_or(&head).to_owned(),
            branch: most,
            loose: loose.next_back().map(|(id, _)| (id.to_string(), n)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Message;
    use jiff::Timestamp;

    #[test]
    fn commits_of_another_branch_and_of_none_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let repo = Repo::open_or_init(dir.path()).unwrap();
        let commit = |n: u32| {
            std::fs::write(dir.path().join("state.md"), format!("{n}\n")).unwrap();
            let (by_hand, now) = (Message::by_hand(), Timestamp::UNIX_EPOCH);
            repo.commit_disk(&by_hand, now).unwrap().unwrap()
        };
        let (first, second, third) = (commit(1), commit(2), commit(3));
        let heads = dir.path().join(".git/refs/heads");
        std::fs::write(heads.join("exp"), format!("{first}\n")).unwrap();
        std::fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/exp\n").unwrap();
        let all = [second.clone(), third.clone()];
        let found = repo.elsewhere(&all).unwrap().unwrap();
        assert_eq!(found.head, "exp");
        assert_eq!(found.branch, Some(("main".to_owned(), 2)));
        assert_eq!(found.loose, None);
        std::fs::write(heads.join("main"), format!("{second}\n")).unwrap();
        let found = repo.elsewhere(&all).unwrap().unwrap();
        assert_eq!(found.branch, Some(("main".to_owned(), 1)));
        assert_eq!(found.loose, Some((third, 1)));
        assert_eq!(repo.elsewhere(&["0".repeat(40)]).unwrap(), None);
        assert_eq!(repo.elsewhere(&[]).unwrap(), None);
    }
}
