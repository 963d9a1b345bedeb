//! Every text that a repository holds, for a look at all of its history: what each commit says and
//! each version of each file, what tags say, also what no commit reaches any more. Reads only.

use super::{GitError, Repo, failed, parent, plain};
use git2::{Commit, ErrorCode, ObjectType, Oid, Repository, Tree};
use std::collections::HashSet;
use std::path::Path;

/// Larger objects are not read, in bytes.
const LARGEST: usize = 64 << 20;
/// Folders in folders are read so deep.
const DEEPEST: usize = 32;

/// Where a text stands in a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlace {
    /// The newest commit that holds it; none: no commit does any more.
    pub commit: Option<String>,
    /// The file's path in the repository; none: it is the commit's message, or a file of which
    /// nothing but its text is left. A tag's message has `message of a tag`. Foreign text.
    pub path: Option<String>,
    /// The object's id: 40 hex digits.
    pub object: String,
}

/// What was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// A file, or a folder with all that is in it.
    pub place: TextPlace,
    /// Why, such as `too large`.
    pub why: &'static str,
}

/// Is given each text once.
pub type Look<'a> = dyn FnMut(&TextPlace, &[u8]) + 'a;

impl Repo {
    /// Gives every text of the memory's history: messages and files of all commits, from all
    /// branches, tags and the reflog, then what else the object database still holds. Returns what
    /// was not read.
    ///
    /// # Errors
    /// When the history is damaged.
    pub fn each_text(&self, look: &mut Look<'_>) -> Result<Vec<Passed>, GitError> {
        let mut walk = Walk::new(&self.inner);
        let read = walk.commits(None, look).and_then(|()| walk.rest(look));
        read.map_err(self.failed("read the history"))?;
        Ok(walk.passed)
    }
}

/// Gives every text of a project's memory that stands in the project's *own* history, where an
/// earlier tool may have put it: files below `.memory`, and what the commits that changed them say.
/// Nothing where the project lies in no repository. Returns what was not read.
///
/// # Errors
/// When the repository cannot be opened or its history is damaged.
pub fn each_text_around(root: &Path, look: &mut Look<'_>) -> Result<Vec<Passed>, GitError> {
    let Some(repo) = parent::around(root)? else {
        return Ok(Vec::new());
    };
    let Some(prefix) = parent::prefix(&repo, root) else {
        return Ok(Vec::new());
    };
    plain::check(repo.path())?;
    let mut walk = Walk::new(&repo);
    let read = walk.commits(Some(&format!("{prefix}.memory")), look);
    read.map_err(failed("read the project's history", root))?;
    Ok(walk.passed)
}

struct Walk<'r> {
    repo: &'r Repository,
    /// Objects that were given, and folders that were walked.
    seen: HashSet<Oid>,
    /// Folders that lay too deep.
    deep: HashSet<Oid>,
    passed: Vec<Passed>,
}

/// A commit, and where in it.
#[derive(Clone, Copy)]
struct Spot<'a> {
    commit: &'a str,
    /// The folder's path, with a slash at its end; empty at the top.
    dir: &'a str,
    depth: usize,
}

impl<'r> Walk<'r> {
    fn new(repo: &'r Repository) -> Self {
        Self {
            repo,
            seen: HashSet::new(),
            deep: HashSet::new(),
            passed: Vec::new(),
        }
    }

    /// All commits, the newest first; of each the folder `only`, or all.
    fn commits(&mut self, only: Option<&str>, look: &mut Look<'_>) -> Result<(), git2::Error> {
        let mut walk = self.repo.revwalk()?;
        walk.push_glob("refs/*")?;
        for id in self.heads()? {
            // What the reflog names may be gone.
            let _ = walk.push(id);
        }
        for id in walk {
            let commit = self.repo.find_commit(id?)?;
            match only {
                None => {
                    self.message(&commit, look);
                    self.tree(&commit.tree()?, Spot::top(&commit.id().to_string()), look)?;
                }
                Some(path) => self.folder(&commit, path, look)?,
            }
        }
        Ok(())
    }

    /// What HEAD is and was.
    fn heads(&self) -> Result<Vec<Oid>, git2::Error> {
        let mut ids = Vec::new();
        match self.repo.head() {
            Ok(head) => ids.extend(head.target()),
            Err(e) if matches!(e.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {}
            Err(e) => return Err(e),
        }
        if let Ok(log) = self.repo.reflog("HEAD") {
            ids.extend(log.iter().flat_map(|e| [e.id_new(), e.id_old()]));
        }
        ids.retain(|id| !id.is_zero());
        Ok(ids)
    }

    /// One folder of a commit; its message counts where it changed the folder.
    fn folder(
        &mut self,
        commit: &Commit<'_>,
        path: &str,
        look: &mut Look<'_>,
    ) -> Result<(), git2::Error> {
        let at = |commit: &Commit<'_>| -> Option<(Oid, Option<ObjectType>)> {
            let entry = commit.tree().ok()?.get_path(Path::new(path)).ok()?;
            Some((entry.id(), entry.kind()))
        };
        let here = at(commit);
        let before = commit.parent(0).ok().and_then(|parent| at(&parent));
        if here != before {
            self.message(commit, look);
        }
        let Some((id, Some(ObjectType::Tree))) = here else {
            return Ok(());
        };
        let (commit, dir) = (commit.id().to_string(), format!("{path}/"));
        let spot = Spot {
            commit: &commit,
            dir: &dir,
            depth: 0,
        };
        self.tree(&self.repo.find_tree(id)?, spot, look)
    }

    fn message(&mut self, commit: &Commit<'_>, look: &mut Look<'_>) {
        if self.seen.insert(commit.id()) {
            let id = commit.id().to_string();
            let place = TextPlace {
                commit: Some(id.clone()),
                path: None,
                object: id,
            };
            look(&place, commit.message_raw_bytes());
        }
    }

    fn tree(
        &mut self,
        tree: &Tree<'_>,
        spot: Spot<'_>,
        look: &mut Look<'_>,
    ) -> Result<(), git2::Error> {
        if self.seen.contains(&tree.id()) {
            return Ok(());
        }
        if spot.depth > DEEPEST {
            self.deep(tree.id(), spot);
            return Ok(());
        }
        self.seen.insert(tree.id());
        for entry in tree {
            let name = String::from_utf8_lossy(entry.name_bytes());
            let path = format!("{}{name}", spot.dir);
            match entry.kind() {
                Some(ObjectType::Blob) => {
                    let place = TextPlace {
                        commit: Some(spot.commit.to_owned()),
                        path: Some(path),
                        object: entry.id().to_string(),
                    };
                    self.blob(entry.id(), place, look)?;
                }
                Some(ObjectType::Tree) => {
                    let below = Spot {
                        dir: &format!("{path}/"),
                        depth: spot.depth + 1,
                        ..spot
                    };
                    self.tree(&self.repo.find_tree(entry.id())?, below, look)?;
                }
                // A submodule's commit is not in here.
                _ => {}
            }
        }
        Ok(())
    }

    /// A folder that lies too deep. It is told of once, and not marked as seen: another commit may have
    /// it at a place where it is read.
    fn deep(&mut self, id: Oid, spot: Spot<'_>) {
        if self.deep.insert(id) {
            let place = TextPlace {
                commit: Some(spot.commit.to_owned()),
                path: Some(spot.dir.to_owned()),
                object: id.to_string(),
            };
            let why = "lies too deep";
            self.passed.push(Passed { place, why });
        }
    }

    /// A tag's own message, where it has one.
    fn tag(&mut self, id: Oid, look: &mut Look<'_>) -> Result<(), git2::Error> {
        if self.seen.insert(id) {
            let place = TextPlace {
                commit: None,
                path: Some("message of a tag".to_owned()),
                object: id.to_string(),
            };
            look(
                &place,
                self.repo.find_tag(id)?.message_bytes().unwrap_or_default(),
            );
        }
        Ok(())
    }

    fn blob(&mut self, id: Oid, place: TextPlace, look: &mut Look<'_>) -> Result<(), git2::Error> {
        if !self.seen.insert(id) {
            return Ok(());
        }
        let (size, _) = self.repo.odb()?.read_header(id)?;
        if size > LARGEST {
            let why = "too large";
            self.passed.push(Passed { place, why });
            return Ok(());
        }
        look(&place, self.repo.find_blob(id)?.content());
        Ok(())
    }

    /// What the object database holds besides: git keeps it for weeks after the last commit with it
    /// has gone.
    fn rest(&mut self, look: &mut Look<'_>) -> Result<(), git2::Error> {
        let odb = self.repo.odb()?;
        let mut ids = Vec::new();
        odb.foreach(|id| {
            if !self.seen.contains(id) {
                ids.push(*id);
            }
            true
        })?;
        for id in ids {
            let place = TextPlace {
                commit: None,
                path: None,
                object: id.to_string(),
            };
            match odb.read_header(id)?.1 {
                ObjectType::Blob => self.blob(id, place, look)?,
                ObjectType::Tag => self.tag(id, look)?,
                ObjectType::Commit if self.seen.insert(id) => {
                    look(&place, self.repo.find_commit(id)?.message_raw_bytes());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl<'a> Spot<'a> {
    fn top(commit: &'a str) -> Self {
        Self {
            commit,
            dir: "",
            depth: 0,
        }
    }
}
