//! Reading the history: commits with their trailers, and what each changed.

use super::record::{Flat, differing};
use super::{GitError, Message, Repo, files};
use git2::Oid;
use jiff::Timestamp;

/// One commit of the memory's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// 40 hex digits.
    pub id: String,
    /// When, as the commit says.
    pub at: Timestamp,
    /// How many commits it follows: none for the first, two or more for a merge.
    pub parents: usize,
    /// Subject, body and trailers. Foreign text: anybody may have made the commit.
    pub message: Message,
}

impl Commit {
    /// The value of a trailer, such as `Memd-Proposal`.
    #[must_use]
    pub fn trailer(&self, key: &str) -> Option<&str> {
        let mut all = self.message.trailers.iter();
        all.find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

/// What one commit did to one file. Bytes that are no UTF-8 are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path in the memory folder.
    pub path: String,
    /// Its text before; `None` when it came.
    pub before: Option<String>,
    /// Its text after; `None` when it went.
    pub after: Option<String>,
}

impl Repo {
    /// The commits from the last one back, at most `max`; empty when there is none.
    ///
    /// # Errors
    /// When the history is damaged.
    pub fn log(&self, max: usize) -> Result<Vec<Commit>, GitError> {
        let Some(head) = self.head()? else {
            return Ok(Vec::new());
        };
        let failed = || self.failed("read the history");
        let mut walk = self.inner.revwalk().map_err(failed())?;
        walk.push(head).map_err(failed())?;
        let mut commits = Vec::new();
        for id in walk.take(max) {
            commits.push(self.read_commit(id.map_err(failed())?)?);
        }
        Ok(commits)
    }

    /// The id of the last commit; `None` when there is none.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn last_commit(&self) -> Result<Option<String>, GitError> {
        Ok(self.head()?.map(|id| id.to_string()))
    }

    /// Some of the commits from `head` back: at most `max`, after the first `skip`.
    ///
    /// # Errors
    /// When the history is damaged.
    pub fn page(&self, head: &str, skip: usize, max: usize) -> Result<Vec<Commit>, GitError> {
        let failed = || self.failed("read the history");
        let mut walk = self.inner.revwalk().map_err(failed())?;
        let head = Oid::from_str(head).map_err(failed())?;
        walk.push(head).map_err(failed())?;
        let mut commits = Vec::new();
        for id in walk.skip(skip).take(max) {
            commits.push(self.read_commit(id.map_err(failed())?)?);
        }
        Ok(commits)
    }

    /// The ids of the commits whose id begins like this, at most two.
    ///
    /// # Errors
    /// When the objects cannot be read.
    pub fn commits_like(&self, beginning: &str) -> Result<Vec<String>, GitError> {
        let failed = || self.failed("look for a commit");
        let is_hex = beginning.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hex || !(4..=40).contains(&beginning.len()) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        let odb = self.inner.odb().map_err(failed())?;
        let beginning = beginning.to_ascii_lowercase();
        let looked = odb.foreach(|id| {
            let name = id.to_string();
            if name.starts_with(&beginning) && self.inner.find_commit(*id).is_ok() {
                found.push(name);
            }
            found.len() < 2
        });
        match looked {
            Err(e) if found.len() < 2 => Err(failed()(e)),
            _ => Ok(found),
        }
    }

    /// One commit.
    ///
    /// # Errors
    /// When there is no such commit or it cannot be read.
    pub fn commit(&self, id: &str) -> Result<Commit, GitError> {
        let oid = Oid::from_str(id).map_err(|_| GitError::NoCommit {
            id: id.chars().take(64).collect(),
            path: self.dir.clone(),
        })?;
        self.read_commit(oid)
    }

    /// The newest commit, among the last `depth`, that carries this trailer.
    ///
    /// # Errors
    /// When the history is damaged.
    pub fn find_trailer(
        &self,
        key: &str,
        value: &str,
        depth: usize,
    ) -> Result<Option<String>, GitError> {
        let log = self.log(depth)?;
        let found = log.into_iter().find(|c| c.trailer(key) == Some(value));
        Ok(found.map(|c| c.id))
    }

    /// What a commit changed against its first parent, in order of path.
    ///
    /// # Errors
    /// When there is no such commit or it cannot be read.
    pub fn show(&self, id: &str) -> Result<Vec<FileChange>, GitError> {
        let (before, after) = self.trees_of(id)?;
        let mut paths = differing(&before, &after);
        paths.sort();
        paths
            .into_iter()
            .map(|path| {
                Ok(FileChange {
                    before: self.text_at(&before, &path)?,
                    after: self.text_at(&after, &path)?,
                    path,
                })
            })
            .collect()
    }

    /// The one commit whose id begins like this: four or more hex digits.
    ///
    /// # Errors
    /// When there is none, or more than one, or the objects cannot be read.
    pub fn find(&self, beginning: &str) -> Result<String, GitError> {
        let mut found = self.commits_like(beginning)?;
        let (id, path) = (beginning.chars().take(64).collect(), self.dir.clone());
        match (found.pop(), found.is_empty()) {
            (Some(commit), true) => Ok(commit),
            (Some(_), false) => Err(GitError::Ambiguous { id, path }),
            (None, _) => Err(GitError::NoCommit { id, path }),
        }
    }

    /// The bytes of a file as a commit has it; `None`: it is not there, is no plain file, or is
    /// larger than `limit` bytes.
    ///
    /// # Errors
    /// When there is no such commit or it cannot be read.
    pub fn file_at(&self, id: &str, path: &str, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
        let (_, tree) = self.trees_of(id)?;
        let Some((blob, _)) = tree.get(path) else {
            return Ok(None);
        };
        let failed = || self.failed("read a file of a commit");
        let odb = self.inner.odb().map_err(failed())?;
        let (size, kind) = odb.read_header(*blob).map_err(failed())?;
        if kind != git2::ObjectType::Blob || size as u64 > limit {
            return Ok(None);
        }
        let blob = self.inner.find_blob(*blob).map_err(failed())?;
        Ok(Some(blob.content().to_vec()))
    }

    /// The texts of all plain files below a folder, as a commit has them.
    ///
    /// # Errors
    /// When there is no such commit or it cannot be read.
    pub fn texts_at(&self, id: &str, under: &str) -> Result<Vec<String>, GitError> {
        let (_, tree) = self.trees_of(id)?;
        let paths = tree.keys().filter(|path| path.starts_with(under));
        let texts = paths.map(|path| self.text_at(&tree, path));
        texts.filter_map(Result::transpose).collect()
    }

    fn trees_of(&self, id: &str) -> Result<(Flat, Flat), GitError> {
        let missing = |_| GitError::NoCommit {
            id: id.chars().take(64).collect(),
            path: self.dir.clone(),
        };
        let id = Oid::from_str(id).map_err(missing)?;
        let commit = self.inner.find_commit(id).map_err(missing)?;
        let failed = || self.failed("read a commit");
        let after = self.flat(&commit.tree().map_err(failed())?)?;
        let before = match commit.parent_count() {
            0 => Flat::new(),
            _ => {
                let parent = commit.parent(0).map_err(failed())?;
                self.flat(&parent.tree().map_err(failed())?)?
            }
        };
        Ok((before, after))
    }

    fn text_at(&self, tree: &Flat, path: &str) -> Result<Option<String>, GitError> {
        let Some((id, _)) = tree.get(path) else {
            return Ok(None);
        };
        let failed = || self.failed("read a file of a commit");
        let odb = self.inner.odb().map_err(failed())?;
        let (size, kind) = odb.read_header(*id).map_err(failed())?;
        if kind != git2::ObjectType::Blob || size as u64 > files::ARCHIVE_LIMIT {
            return Ok(None);
        }
        let blob = self.inner.find_blob(*id).map_err(failed())?;
        Ok(Some(String::from_utf8_lossy(blob.content()).into_owned()))
    }

    fn read_commit(&self, id: Oid) -> Result<Commit, GitError> {
        let commit = self
            .inner
            .find_commit(id)
            .map_err(self.failed("read a commit"))?;
        let text = String::from_utf8_lossy(commit.message_bytes()).into_owned();
        Ok(Commit {
            id: id.to_string(),
            parents: commit.parent_count(),
            at: Timestamp::from_second(commit.time().seconds()).unwrap_or(Timestamp::UNIX_EPOCH),
            message: Message::parse(&text),
        })
    }
}

impl Message {
    /// Takes a committed message apart. The last paragraph is trailers when each of its lines is
    /// `Key: value`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (subject, rest) = text.split_once('\n').unwrap_or((text, ""));
        let rest = rest.trim_end();
        let (body, last) = rest.rsplit_once("\n\n").unwrap_or(("", rest));
        let trailers: Option<Vec<_>> = last.trim().lines().map(trailer).collect();
        let (body, trailers) = match trailers {
            Some(trailers) => (body, trailers),
            None => (rest, Vec::new()),
        };
        Self {
            subject: subject.trim().to_owned(),
            body: body.trim().to_owned(),
            trailers,
        }
    }
}

fn trailer(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once(": ")?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (!key.is_empty() && key.chars().all(word)).then(|| (key.to_owned(), value.trim().to_owned()))
}
