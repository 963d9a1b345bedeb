//! Making commits by hand: bytes to blobs, blobs to trees, a tree to a commit, the branch moved,
//! the index kept in line.

use super::{ADDRESS, AUTHOR, GitError, Message, Repo, files, refuse_under_way};
use crate::fs::FsError;
use crate::text::visible_line;
use git2::{ErrorClass, Index, IndexEntry, IndexTime, ObjectType, Oid, Signature, Time, Tree};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// At most this many files or folders in one commit are looked at.
const TREE_LIMIT: usize = 20_000;
/// A plain file in a tree.
const PLAIN: i32 = 0o100_644;

/// A tree laid flat: path to object and mode.
pub(super) type Flat = BTreeMap<String, (Oid, i32)>;

/// Files to commit by their path in the memory folder; `None` takes one away.
pub type Files = BTreeMap<String, Option<Vec<u8>>>;

/// What enters history in the place of a file's text: given its path, its text, and what the last
/// commit holds of it. `None`: the text itself.
pub type Instead<'a> = dyn Fn(&str, &str, Option<&str>) -> Option<String> + 'a;

/// Every text as it is.
fn as_it_is(_: &str, _: &str, _: Option<&str>) -> Option<String> {
    None
}

impl Repo {
    /// Whether there is no commit yet.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn is_empty(&self) -> Result<bool, GitError> {
        Ok(self.head()?.is_none())
    }

    /// The tracked files that differ from the last commit, by path.
    ///
    /// # Errors
    /// When a file cannot be read safely, or the last commit cannot be read.
    pub fn changed(&self) -> Result<Vec<String>, GitError> {
        let head = self.head_flat()?;
        let now = self.on_disk(&head, &files::tracked(self.dir())?, hash)?;
        let mut names: Vec<String> = differing(&head, &now);
        names.sort();
        Ok(names)
    }

    /// Whether any tracked file differs from the last commit.
    ///
    /// # Errors
    /// As [`Repo::changed`].
    pub fn is_dirty(&self) -> Result<bool, GitError> {
        Ok(!self.changed()?.is_empty())
    }

    /// Commits the tracked files as they stand on disk. Returns the commit's id, or `None` when
    /// nothing differs from the last one.
    ///
    /// # Errors
    /// When a file cannot be read safely or git refuses; the files are untouched either way.
    pub fn commit_disk(
        &self,
        message: &Message,
        now: Timestamp,
    ) -> Result<Option<String>, GitError> {
        self.commit_disk_with(&as_it_is, message, now)
    }

    /// As [`Repo::commit_disk`], with other texts in the place of some.
    ///
    /// # Errors
    /// As [`Repo::commit_disk`].
    pub fn commit_disk_with(
        &self,
        instead: &Instead<'_>,
        message: &Message,
        now: Timestamp,
    ) -> Result<Option<String>, GitError> {
        refuse_under_way(&self.dir)?;
        let tracked = files::tracked(self.dir())?;
        let head = self.head_flat()?;
        let kept = |path: &str, bytes: &[u8]| self.kept(&head, path, bytes, instead);
        let next = self.on_disk(&head, &tracked, kept)?;
        if head == next {
            self.aligned(&next)?;
            return Ok(None);
        }
        self.commit_flat(&next, message, now).map(Some)
    }

    /// Commits a decision, even one that changes no file: exactly these bytes over the last commit,
    /// whatever stands on disk meanwhile; without `files`, what stands on disk. Returns the
    /// commit's id.
    ///
    /// # Errors
    /// When git refuses; the files on disk are never touched.
    pub fn commit_decision(
        &self,
        files: Option<&Files>,
        message: &Message,
        now: Timestamp,
    ) -> Result<String, GitError> {
        self.commit_decision_with(files, &as_it_is, message, now)
    }

    /// As [`Repo::commit_decision`], with other texts in the place of some.
    ///
    /// # Errors
    /// As [`Repo::commit_decision`].
    pub fn commit_decision_with(
        &self,
        files: Option<&Files>,
        instead: &Instead<'_>,
        message: &Message,
        now: Timestamp,
    ) -> Result<String, GitError> {
        refuse_under_way(&self.dir)?;
        let head = self.head_flat()?;
        let kept = |path: &str, bytes: &[u8]| self.kept(&head, path, bytes, instead);
        let next = match files {
            Some(files) => over(&head, files, kept)?,
            None => {
                let tracked = files::tracked(self.dir())?;
                self.on_disk(&head, &tracked, kept)?
            }
        };
        self.commit_flat(&next, message, now)
    }

    /// The object that enters history for a file: what is asked about is only what has changed.
    fn kept(
        &self,
        head: &Flat,
        path: &str,
        bytes: &[u8],
        instead: &Instead<'_>,
    ) -> Result<Oid, GitError> {
        let last = head.get(path).map(|(id, _)| *id);
        if last == Some(hash(path, bytes)?) {
            return self.blob(bytes);
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return self.blob(bytes);
        };
        let last = last.and_then(|id| self.inner.find_blob(id).ok());
        let last = last
            .as_ref()
            .and_then(|b| std::str::from_utf8(b.content()).ok());
        match instead(path, text, last) {
            Some(text) => self.blob(text.as_bytes()),
            None => self.blob(bytes),
        }
    }

    fn commit_flat(
        &self,
        next: &Flat,
        message: &Message,
        now: Timestamp,
    ) -> Result<String, GitError> {
        if self.head()?.is_none() {
            self.refuse_lost()?;
        }
        let tree = self.write_tree(next)?;
        self.writing(|| {
            let made = self.write_commit(tree, message, now)?;
            self.align_index(next)?;
            Ok(made.to_string())
        })
    }

    /// Makes the index equal to the last commit, in case a crash came between the two.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn align(&self) -> Result<(), GitError> {
        refuse_under_way(&self.dir)?;
        self.aligned(&self.head_flat()?)
    }

    fn aligned(&self, flat: &Flat) -> Result<(), GitError> {
        // One that cannot be read is made anew.
        let index = Index::open(&self.inner.path().join("index"));
        match index.is_ok_and(|index| is_aligned(&index, flat)) {
            true => Ok(()),
            false => self.writing(|| self.align_index(flat)),
        }
    }

    fn write_commit(&self, tree: Oid, message: &Message, now: Timestamp) -> Result<Oid, GitError> {
        let failed = || self.failed("write a commit");
        let who =
            Signature::new(AUTHOR, ADDRESS, &Time::new(now.as_second(), 0)).map_err(failed())?;
        let branch = self.branch()?;
        let mut update = self.inner.transaction().map_err(failed())?;
        update.lock_ref(&branch).map_err(failed())?;
        let parent = self.head()?;
        let parent = parent
            .map(|id| self.inner.find_commit(id))
            .transpose()
            .map_err(failed())?;
        let tree = self.inner.find_tree(tree).map_err(failed())?;
        let parents: Vec<_> = parent.iter().collect();
        let text = message.text();
        let id = self
            .inner
            .commit(None, &who, &who, &text, &tree, &parents)
            .map_err(failed())?;
        self.sync_object(id);
        update
            .set_target(&branch, id, Some(&who), "memd")
            .map_err(failed())?;
        update.commit().map_err(failed())?;
        Ok(id)
    }

    /// The branch that HEAD names, or HEAD itself when it names a commit.
    pub(super) fn branch(&self) -> Result<String, GitError> {
        let failed = || self.failed("read HEAD");
        let head = self.inner.find_reference("HEAD").map_err(failed())?;
        Ok(head
            .symbolic_target()
            .map_err(failed())?
            .unwrap_or("HEAD")
            .to_owned())
    }

    /// The last commit; `None` in an empty repository.
    pub(super) fn head(&self) -> Result<Option<Oid>, GitError> {
        match self.inner.refname_to_id("HEAD") {
            Ok(id) => Ok(Some(id)),
            Err(e) if e.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(e) => Err(self.failed("read HEAD")(e)),
        }
    }

    pub(super) fn head_flat(&self) -> Result<Flat, GitError> {
        let Some(id) = self.head()? else {
            return Ok(Flat::new());
        };
        let failed = || self.failed("read the last commit");
        let commit = self.inner.find_commit(id).map_err(failed())?;
        self.flat(&commit.tree().map_err(failed())?)
    }

    /// Lays a tree flat.
    pub(super) fn flat(&self, tree: &Tree<'_>) -> Result<Flat, GitError> {
        let mut flat = Flat::new();
        let mut waiting = vec![(String::new(), tree.clone())];
        let mut seen = 0;
        while let Some((prefix, tree)) = waiting.pop() {
            for item in &tree {
                seen += 1;
                if seen > TREE_LIMIT {
                    return Err(GitError::TooLarge {
                        path: self.dir.clone(),
                        limit: TREE_LIMIT,
                    });
                }
                let path = format!("{prefix}{}", String::from_utf8_lossy(item.name_bytes()));
                if item.kind() == Some(ObjectType::Tree) {
                    let below = self
                        .inner
                        .find_tree(item.id())
                        .map_err(self.failed("read a folder of a commit"))?;
                    waiting.push((format!("{path}/"), below));
                } else {
                    flat.insert(path, (item.id(), item.filemode()));
                }
            }
        }
        Ok(flat)
    }

    /// What the next commit holds: the tracked files as they are, and whatever else the last one
    /// held that is still on disk, as it held it.
    fn on_disk(
        &self,
        head: &Flat,
        tracked: &BTreeMap<String, Vec<u8>>,
        id_of: impl Fn(&str, &[u8]) -> Result<Oid, GitError>,
    ) -> Result<Flat, GitError> {
        let mut next = Flat::new();
        for (path, bytes) in tracked {
            next.insert(path.clone(), (id_of(path, bytes)?, PLAIN));
        }
        for (path, object) in head {
            let there = || std::fs::symlink_metadata(self.dir.join(path)).is_ok();
            if !next.contains_key(path) && there() {
                next.insert(path.clone(), *object);
            }
        }
        Ok(next)
    }

    fn blob(&self, bytes: &[u8]) -> Result<Oid, GitError> {
        let id = self
            .inner
            .blob(bytes)
            .map_err(self.failed("write a file's bytes"))?;
        self.sync_object(id);
        Ok(id)
    }

    /// Writes the folders from the deepest up; returns the whole tree.
    fn write_tree(&self, flat: &Flat) -> Result<Oid, GitError> {
        let failed = || self.failed("write a folder");
        let mut here = self.inner.treebuilder(None).map_err(failed())?;
        let mut below: BTreeMap<&str, Flat> = BTreeMap::new();
        for (path, (id, mode)) in flat {
            match path.split_once('/') {
                Some((dir, rest)) => {
                    below
                        .entry(dir)
                        .or_default()
                        .insert(rest.to_owned(), (*id, *mode));
                }
                None => {
                    here.insert(path, *id, *mode).map_err(failed())?;
                }
            }
        }
        for (dir, flat) in below {
            let id = self.write_tree(&flat)?;
            here.insert(dir, id, 0o040_000).map_err(failed())?;
        }
        let id = here.write().map_err(failed())?;
        self.sync_object(id);
        Ok(id)
    }

    /// Makes a new object durable before a branch names it. Best effort: a packed object has no
    /// file of its own, and a disk that cannot sync has failed the write itself already.
    fn sync_object(&self, id: Oid) {
        let id = id.to_string();
        let (dir, name) = id.split_at(2);
        let dir = self.inner.path().join("objects").join(dir);
        if let Ok(file) = std::fs::File::open(dir.join(name)) {
            let _ = file.sync_all();
            let _ = crate::fs::sync_dir(&dir);
        }
    }

    /// Makes the index equal to the commit, so that a plain `git status` has nothing to say.
    fn align_index(&self, flat: &Flat) -> Result<(), GitError> {
        let failed = || self.failed("write the index");
        let path = self.inner.path().join("index");
        let mut index = match Index::open(&path) {
            // It holds nothing but what the commit holds, and git itself would stop at it.
            Err(e) if e.class() == ErrorClass::Index => {
                std::fs::remove_file(&path).map_err(FsError::io("remove", &path))?;
                Index::open(&path).map_err(failed())?
            }
            opened => opened.map_err(failed())?,
        };
        if is_aligned(&index, flat) {
            return Ok(());
        }
        index.clear().map_err(failed())?;
        for (path, (id, mode)) in flat {
            index
                .add(&self.index_entry(path, *id, *mode))
                .map_err(failed())?;
        }
        index.write().map_err(failed())
    }

    fn index_entry(&self, path: &str, id: Oid, mode: i32) -> IndexEntry {
        let stat = self.stat_of(path, id);
        let time = |seconds: i64, nanos: i64| {
            IndexTime::new(
                i32::try_from(seconds).unwrap_or(0),
                u32::try_from(nanos).unwrap_or(0),
            )
        };
        let low = |n: u64| (n & 0xffff_ffff) as u32;
        let meta = stat.as_ref();
        IndexEntry {
            ctime: meta.map_or(time(0, 0), |m| time(m.ctime(), m.ctime_nsec())),
            mtime: meta.map_or(time(0, 0), |m| time(m.mtime(), m.mtime_nsec())),
            dev: meta.map_or(0, |m| low(m.dev())),
            ino: meta.map_or(0, |m| low(m.ino())),
            mode: mode.unsigned_abs(),
            uid: meta.map_or(0, MetadataExt::uid),
            gid: meta.map_or(0, MetadataExt::gid),
            file_size: meta.map_or(0, |m| low(m.len())),
            id,
            flags: 0,
            flags_extended: 0,
            path: path.as_bytes().to_vec(),
        }
    }

    /// The file's times and size, when it holds just what the commit holds. Without them git
    /// compares the bytes itself.
    fn stat_of(&self, path: &str, id: Oid) -> Option<std::fs::Metadata> {
        let path = self.dir.join(path);
        let before = std::fs::symlink_metadata(&path).ok()?;
        let bytes = crate::fs::read_plain(&path, files::ARCHIVE_LIMIT).ok()?;
        (hash("", &bytes).ok()? == id).then_some(before)
    }
}

fn is_aligned(index: &Index, flat: &Flat) -> bool {
    index.len() == flat.len()
        && index.iter().all(|e| {
            let path = String::from_utf8_lossy(&e.path).into_owned();
            flat.get(&path)
                .is_some_and(|(id, mode)| *id == e.id && mode.unsigned_abs() == e.mode)
        })
}

/// Names that stand in only one of two trees, or differently in both.
pub(super) fn differing(a: &Flat, b: &Flat) -> Vec<String> {
    let gone = a.iter().filter(|(path, it)| b.get(*path) != Some(it));
    let come = b.keys().filter(|path| !a.contains_key(*path));
    gone.map(|(path, _)| path).chain(come).cloned().collect()
}

/// A tree with these files put over it.
fn over(
    head: &Flat,
    files: &Files,
    id_of: impl Fn(&str, &[u8]) -> Result<Oid, GitError>,
) -> Result<Flat, GitError> {
    let mut next = head.clone();
    for (path, bytes) in files {
        match bytes {
            Some(bytes) => next.insert(path.clone(), (id_of(path, bytes)?, PLAIN)),
            None => next.remove(path),
        };
    }
    Ok(next)
}

fn hash(_: &str, bytes: &[u8]) -> Result<Oid, GitError> {
    Oid::hash_object(ObjectType::Blob, bytes).map_err(|source| GitError::Git {
        what: "hash a file",
        path: Path::new(".memory").to_owned(),
        source,
    })
}

impl Message {
    /// The message as it is committed: subject, body, trailers, each line free of controls.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = visible_line(self.subject.trim());
        text.push('\n');
        let body: Vec<String> = self.body.trim().lines().map(visible_line).collect();
        if !body.is_empty() {
            text.push('\n');
            text.push_str(&body.join("\n"));
            text.push('\n');
        }
        if !self.trailers.is_empty() {
            text.push('\n');
            for (key, value) in &self.trailers {
                text.push_str(&format!("{key}: {}\n", visible_line(value)));
            }
        }
        text
    }
}
