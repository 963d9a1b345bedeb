//! Whether the user's own git is in the middle of something in the memory's repository.
//!
//! A merge, a rebase or a pick that waits for its user has put both sides into the files, with marks
//! between them: nothing there is anybody's text yet, and a commit in between would end it without
//! the other side. So memd offers, writes and commits nothing until it is finished or aborted. The same
//! while HEAD names a commit and no branch: the files are of another time, and a commit would be lost
//! with the way back. Only looks at what git leaves beside the history; runs no git and mends nothing.

use super::GitError;
use crate::fs::read_plain;
use git2::Index;
use std::path::Path;

/// What git leaves in its folder while it waits, and what that is called.
const LEFT: [(&str, &str); 7] = [
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a row of picks"),
    ("BISECT_LOG", "a bisect"),
];
/// HEAD and the list of packed branches are read up to so many bytes.
const HEAD: u64 = 1 << 20;
/// An index larger than this is not one of a memory's.
const INDEX: u64 = 16 << 20;

/// Refuses while something is under way in a memory's repository, or no branch is checked out. Where
/// there is none, nothing is.
///
/// # Errors
/// [`GitError::UnderWay`], with what it is; [`GitError::Detached`].
pub fn refuse_under_way(memory: &Path) -> Result<(), GitError> {
    let git = memory.join(".git");
    let is_there = |name: &str| std::fs::symlink_metadata(git.join(name)).is_ok();
    let left = LEFT.iter().find(|(name, _)| is_there(name));
    let what = match left {
        Some((_, what)) => what,
        // As a stash that did not fit leaves it.
        None if has_conflicts(&git.join("index")) => "a merge with conflicts",
        None => return refuse_detached(memory, &git),
    };
    Err(GitError::UnderWay {
        what,
        path: memory.to_owned(),
    })
}

fn refuse_detached(memory: &Path, git: &Path) -> Result<(), GitError> {
    // A HEAD that cannot be read is for whoever reads the history to name.
    let head = read_plain(&git.join("HEAD"), HEAD).unwrap_or_default();
    let names_a_commit = head.len() >= 40 && head[..40].iter().all(u8::is_ascii_hexdigit);
    match names_a_commit.then(|| a_branch(git)).flatten() {
        None => Ok(()),
        Some(branch) => Err(GitError::Detached {
            path: memory.to_owned(),
            branch,
        }),
    }
}

/// The name of a branch, `main` before others; `None`: there is none with a plain name.
fn a_branch(git: &Path) -> Option<String> {
    let packed = read_plain(&git.join("packed-refs"), HEAD).unwrap_or_default();
    let packed = String::from_utf8_lossy(&packed).into_owned();
    let packed = packed
        .lines()
        .filter_map(|l| Some(l.split_once(" refs/heads/")?.1.to_owned()));
    let loose = std::fs::read_dir(git.join("refs/heads"))
        .into_iter()
        .flatten()
        .flatten();
    let loose = loose.filter_map(|f| f.file_name().into_string().ok());
    let is_plain = |name: &String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
        name.chars().all(is_plain) && !name.starts_with('-')
    };
    packed
        .chain(loose)
        .filter(is_plain)
        .min_by_key(|name| (name != "main", name.clone()))
}

/// Whether git holds more than one side of a file. An index that cannot be read is for whoever writes
/// it to name.
fn has_conflicts(index: &Path) -> bool {
    if read_plain(index, INDEX).is_err() {
        return false;
    }
    Index::open(index).is_ok_and(|index| index.has_conflicts())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::{Message, Repo};
    use git2::{IndexEntry, IndexTime, Oid};
    use jiff::Timestamp;

    #[test]
    fn nothing_is_committed_in_the_middle_of_what_git_waits_for() {
        let dir = tempfile::tempdir().unwrap();
        assert!(refuse_under_way(dir.path()).is_ok());
        let repo = Repo::open_or_init(dir.path()).unwrap();
        let by_hand = Message::by_hand();
        std::fs::write(dir.path().join("state.md"), "- one\n").unwrap();
        repo.commit_disk(&by_hand, Timestamp::UNIX_EPOCH).unwrap();
        for (name, what) in LEFT {
            let path = dir.path().join(".git").join(name);
            std::fs::write(&path, "").unwrap();
            for refused in [
                refuse_under_way(dir.path()).unwrap_err(),
                repo.align().unwrap_err(),
                repo.commit_disk(&by_hand, Timestamp::UNIX_EPOCH)
                    .unwrap_err(),
                repo.commit_decision(None, &by_hand, Timestamp::UNIX_EPOCH)
                    .unwrap_err(),
            ] {
                assert!(refused.to_string().starts_with(what), "{refused}");
            }
            std::fs::remove_file(&path).unwrap();
            refuse_under_way(dir.path()).unwrap();
        }
        assert_eq!(repo.log(9).unwrap().len(), 1);
    }

    #[test]
    fn a_commit_that_is_checked_out_is_no_place_to_commit_to() {
        let dir = tempfile::tempdir().unwrap();
        let repo = Repo::open_or_init(dir.path()).unwrap();
        std::fs::write(dir.path().join("state.md"), "- one\n").unwrap();
        let by_hand = Message::by_hand();
        repo.commit_disk(&by_hand, Timestamp::UNIX_EPOCH).unwrap();
        let git = dir.path().join(".git");
        let on_a_branch = std::fs::read(git.join("HEAD")).unwrap();
        let tip = std::fs::read(git.join("refs/heads/main")).unwrap();
        std::fs::write(git.join("HEAD"), &tip).unwrap();
        let refused = || refuse_under_way(dir.path()).unwrap_err().to_string();
        assert!(refused().contains("switch main`"), "{}", refused());
        std::fs::write(dir.path().join("state.md"), "- two\n").unwrap();
        repo.commit_disk(&by_hand, Timestamp::UNIX_EPOCH)
            .unwrap_err();
        // Branches may be packed into one file.
        std::fs::remove_file(git.join("refs/heads/main")).unwrap();
        let tip = String::from_utf8(tip).unwrap();
        let packed = format!("# pack-refs with: peeled\n{} refs/heads/main\n", tip.trim());
        std::fs::write(git.join("packed-refs"), packed).unwrap();
        assert!(refused().contains("switch main`"), "{}", refused());
        std::fs::write(git.join("HEAD"), on_a_branch).unwrap();
        refuse_under_way(dir.path()).unwrap();
    }

    #[test]
    fn two_sides_of_a_file_are_under_way_too() {
        let dir = tempfile::tempdir().unwrap();
        Repo::open_or_init(dir.path()).unwrap();
        let mut index = Index::open(&dir.path().join(".git/index")).unwrap();
        for stage in 1..=3u16 {
            let side = IndexEntry {
                ctime: IndexTime::new(0, 0),
                mtime: IndexTime::new(0, 0),
                dev: 0,
                ino: 0,
                mode: 0o100_644,
                uid: 0,
                gid: 0,
                file_size: 0,
                id: Oid::from_bytes(&[7; 20]).unwrap(),
                flags: stage << 12,
                flags_extended: 0,
                path: b"state.md".to_vec(),
            };
            index.add(&side).unwrap();
        }
        index.write().unwrap();
        let refused = refuse_under_way(dir.path()).unwrap_err().to_string();
        assert!(refused.starts_with("a merge with conflicts"), "{refused}");
    }
}
