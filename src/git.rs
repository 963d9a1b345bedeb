//! The memory's own repository; the only user of libgit2.
//!
//! Owns `.memory/.git`: it is opened exactly there, never found by walking up, and never through a
//! link. Objects are built by hand from the files' bytes, with a fixed author: no hook, filter,
//! signature, template, line-ending rule or configuration of the user's has a say. It also keeps
//! memory out of the history of the project around it ([`parent`]).
//!
//! It never checks out, merges, fetches or pushes, and never decides anything: a failing git is an
//! error value that the caller may owe.

mod elsewhere;
mod files;
mod health;
mod history;
mod identity;
pub mod parent;
mod plain;
mod record;
mod texts;
mod under_way;
mod work;

pub use elsewhere::Elsewhere;
pub use files::{ARCHIVE_LIMIT, FILE_LIMIT, tracked};
pub use history::{Commit, FileChange};
pub use identity::{identity, set_identity};
pub use record::{Files, Instead};
pub use texts::{Look, Passed, TextPlace, each_text_around};
pub use under_way::refuse_under_way;
pub use work::is_marked;

use crate::fs::FsError;
use git2::{Config, Repository, RepositoryInitOptions, RepositoryOpenFlags};
use std::path::{Path, PathBuf};

/// The name that stands in every commit.
pub const AUTHOR: &str = "memd";
/// The address that stands in every commit; it belongs to nobody.
pub const ADDRESS: &str = "memd@localhost";

/// What git could not do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no repository yet.
    #[error("{path:?} does not exist; `memd init` makes it")]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// What stands there is no plain repository of its own.
    #[error("{path:?} {why}; memd does not use it. Move it away, then run `memd init`")]
    Foreign {
        /// What is wrong.
        path: PathBuf,
        /// Why, as the rest of a sentence.
        why: &'static str,
    },
    /// The repository's configuration names other files to be read.
    #[error(
        "{path:?} line {line} begins a section that names other files to read; memd does not use such a repository. Take that section out by hand, then try again"
    )]
    Includes {
        /// The configuration.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A configuration that libgit2 reads before a repository can be given another cannot be read.
    #[error(
        "git cannot open {path:?}, since it reads your git configuration first: {}. Mend that file; your own git stops at it too",
        source.message()
    )]
    Configuration {
        /// The folder with the repository.
        path: PathBuf,
        /// libgit2's reason, with the file and its line.
        source: git2::Error,
    },
    /// libgit2 refused.
    #[error("git cannot {what} in {path:?}: {}{}", source.message(), remedy(source, path))]
    Git {
        /// A verb with its object: "write a commit".
        what: &'static str,
        /// The memory folder.
        path: PathBuf,
        /// libgit2's reason.
        source: git2::Error,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// Another memd writes to it.
    #[error(transparent)]
    Lock(#[from] crate::lock::LockError),
    /// The tree is larger or deeper than memory can be.
    #[error("the history in {path:?} holds more than {limit} files or folders in one commit")]
    TooLarge {
        /// The memory folder.
        path: PathBuf,
        /// The limit.
        limit: usize,
    },
    /// More than one commit begins like this.
    #[error("more than one commit in {path:?} begins with {id:?}; give more digits")]
    Ambiguous {
        /// What was asked for.
        id: String,
        /// The memory folder.
        path: PathBuf,
    },
    /// The user's git waits in the middle of something.
    #[error(
        "{what} is under way in {path:?}: finish or abort it there first; until then memd offers nothing of this memory and changes none of its files (notes wait in its inbox, which git does not track)"
    )]
    UnderWay {
        /// Such as `a merge`.
        what: &'static str,
        /// The memory folder.
        path: PathBuf,
    },
    /// HEAD names a commit, as after a look at an older one: what is committed there is on no
    /// branch, and what the branch holds looks gone.
    #[error(
        "no branch is checked out in {path:?}, HEAD names a commit: `git -C {path:?} switch {branch}` goes back; until then memd offers nothing of this memory and changes none of its files"
    )]
    Detached {
        /// The memory folder.
        path: PathBuf,
        /// A branch that there is.
        branch: String,
    },
    /// HEAD names a branch that begins nowhere, though others do.
    #[error(
        "HEAD in {path:?} names {branch:?}, which holds no commit, though other branches do: memd commits nothing beside them. Put HEAD back to the branch that holds it (`git -C {path:?} symbolic-ref HEAD refs/heads/main`)"
    )]
    Unborn {
        /// The memory folder.
        path: PathBuf,
        /// What HEAD names.
        branch: String,
    },
    /// No branch begins anywhere, though there are commits.
    #[error(
        "HEAD in {path:?} names {branch:?}, which holds no commit, and no branch leads to the commits that are there: memd commits nothing beside them. `git -C {path:?} fsck --no-reflogs` names the last of them as dangling; `git -C {path:?} update-ref refs/heads/main ID` puts it back"
    )]
    Astray {
        /// The memory folder.
        path: PathBuf,
        /// What HEAD names.
        branch: String,
    },
    /// There is no such commit.
    #[error(
        "there is no commit {id:?} in {path:?}; where history was purged or put back its ids changed: `memd log` names what is there"
    )]
    NoCommit {
        /// What was asked for.
        id: String,
        /// The memory folder.
        path: PathBuf,
    },
}

/// A commit message: what happened, then who vouches for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// One line. Control characters in it are shown as tokens.
    pub subject: String,
    /// Further lines; may be empty.
    pub body: String,
    /// `Key: value` lines at the end, such as `Memd-Proposal`.
    pub trailers: Vec<(String, String)>,
}

impl Message {
    /// Of the commit of what a person changed by hand: it enters history, not trust.
    #[must_use]
    pub fn by_hand() -> Self {
        Self {
            subject: "by hand, not adopted".to_owned(),
            body: "What stood on disk and no review had let in.".to_owned(),
            trailers: vec![("Memd-By".to_owned(), "hand".to_owned())],
        }
    }
}

/// An open memory repository.
pub struct Repo {
    dir: PathBuf,
    inner: Repository,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Repo({:?})", self.dir)
    }
}

impl Repo {
    /// Opens the repository of a memory folder, exactly at `.git` in it.
    ///
    /// # Errors
    /// [`GitError::Missing`] when there is none; [`GitError::Foreign`] when what stands there is a
    /// link or points elsewhere; [`GitError::Includes`]; otherwise as libgit2 says (another owner, damage).
    pub fn open(memory: &Path) -> Result<Self, GitError> {
        let dot_git = memory.join(".git");
        check_own(&dot_git)?;
        plain::check(&dot_git)?;
        plain::check_config(&dot_git)?;
        let flags = RepositoryOpenFlags::NO_SEARCH
            | RepositoryOpenFlags::NO_DOTGIT
            | RepositoryOpenFlags::BARE;
        let none: [&Path; 0] = [];
        let inner = Repository::open_ext(&dot_git, flags, none)
            .map_err(failed("open the repository", memory))?;
        Self::isolated(memory, inner)
    }

    /// Opens the repository of a memory folder, or makes an empty one. Its branch is `main`.
    ///
    /// # Errors
    /// As [`Repo::open`], and when it cannot be made.
    pub fn open_or_init(memory: &Path) -> Result<Self, GitError> {
        match Self::open(memory) {
            Err(GitError::Missing { .. }) => {}
            other => return other,
        }
        // Made beside its place and moved there whole: a crash leaves no half of a repository.
        let beside = memory.join(format!(".memd-git-{}", std::process::id()));
        let made = make(&beside, memory);
        // What is left of it does no harm, and the next start sweeps it away.
        let _ = std::fs::remove_dir_all(&beside);
        made?;
        Self::open(memory)
    }

    /// Gives libgit2 an empty configuration: neither the user's nor the repository's own counts.
    fn isolated(memory: &Path, inner: Repository) -> Result<Self, GitError> {
        let empty = Config::new().map_err(failed("set up", memory))?;
        inner.set_config(&empty).map_err(failed("set up", memory))?;
        Ok(Self {
            dir: memory.to_owned(),
            inner,
        })
    }

    /// The memory folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn failed(&self, what: &'static str) -> impl FnOnce(git2::Error) -> GitError + use<> {
        failed(what, &self.dir)
    }
}

fn make(beside: &Path, memory: &Path) -> Result<(), GitError> {
    match std::fs::create_dir(beside) {
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            std::fs::remove_dir_all(beside)
                .and_then(|()| std::fs::create_dir(beside))
                .map_err(FsError::io("create", beside))?;
        }
        other => other.map_err(FsError::io("create", beside))?,
    }
    let mut options = RepositoryInitOptions::new();
    options
        .external_template(false)
        .no_reinit(true)
        .mkpath(false)
        .initial_head("main");
    Repository::init_opts(beside, &options).map_err(failed("make a repository", memory))?;
    files::write_exclude(beside)?;
    let (from, to) = (beside.join(".git"), memory.join(".git"));
    std::fs::rename(from, &to).map_err(FsError::io("create", &to))?;
    crate::fs::sync_dir(memory)?;
    Ok(())
}

/// What to do where something in a memory's repository is missing or damaged.
fn remedy(error: &git2::Error, path: &Path) -> &'static str {
    use git2::ErrorClass::{Index, Object, Odb, Reference, Repository, Tree, Zlib};
    match error.class() {
        Object | Odb | Reference | Repository | Tree | Zlib | Index
            if path.ends_with(".memory") =>
        {
            "; see docs/state.md, \"Recovering\""
        }
        _ => "",
    }
}

fn failed(what: &'static str, dir: &Path) -> impl FnOnce(git2::Error) -> GitError + use<> {
    let path = dir.to_owned();
    move |source| match source.class() {
        git2::ErrorClass::Config => GitError::Configuration { path, source },
        _ => GitError::Git { what, path, source },
    }
}

/// A repository is our own when it is a plain folder and nothing in it leads elsewhere.
fn check_own(dot_git: &Path) -> Result<(), GitError> {
    let foreign = |path: &Path, why| {
        Err(GitError::Foreign {
            path: path.to_owned(),
            why,
        })
    };
    match std::fs::symlink_metadata(dot_git) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Err(GitError::Missing {
                path: dot_git.to_owned(),
            });
        }
        Err(e) => return Err(FsError::io("read", dot_git)(e).into()),
        Ok(meta) if meta.is_symlink() => return foreign(dot_git, "is a symbolic link"),
        Ok(meta) if !meta.is_dir() => return foreign(dot_git, "is a file that points elsewhere"),
        Ok(_) => {}
    }
    for name in [
        "HEAD",
        "objects",
        "refs",
        "refs/heads",
        "index",
        "logs",
        "config",
        work::NAME,
    ] {
        let path = dot_git.join(name);
        if is_link(&path) {
            return foreign(&path, "is a symbolic link");
        }
    }
    let objects = dot_git.join("objects");
    for item in std::fs::read_dir(&objects).into_iter().flatten().flatten() {
        if is_link(&item.path()) {
            return foreign(&item.path(), "is a symbolic link");
        }
    }
    for name in ["commondir", "gitdir", "objects/info/alternates"] {
        let path = dot_git.join(name);
        if std::fs::symlink_metadata(&path).is_ok() {
            return foreign(&path, "makes the repository depend on another one");
        }
    }
    Ok(())
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}
