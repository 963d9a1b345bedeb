//! Giving a project a memory: where it goes, what is missing, and then making just that.
//!
//! [`plan`] looks and decides; [`begin_anew`] begins a history that is gone; [`execute`] makes the files and the repository; [`enlist`] registers the
//! project. All may be repeated: what exists is never overwritten, and nothing that stands on disk
//! enters trust by itself.
//!
//! For what runs without a person (hooks, the sweep): [`scaffold`] gives the new project that a
//! directory lies in its memory, in one call (`crate::project::seen_new` tells which directories lie
//! in one); [`share_with`] lets a linked worktree share its project's memory; [`moved_here`] tells
//! that a folder holds the memory of a project that lay elsewhere, which only `memd init` takes over;
//! [`write_index`] keeps the global memory's list of all projects.

mod anew;
mod baseline;
mod enlist;
mod import;
mod index;
mod layout;
mod moved;
mod scaffold;
mod share;

pub use anew::begin_anew;
pub use baseline::{Baselined, baseline};
pub use enlist::{Enlisted, Tools, enlist};
pub use import::{Imported, has_old, import};
pub use index::{INDEX, write_index};
pub use layout::{Layout, layout};
pub use moved::moved_here;
pub use scaffold::{Scaffolded, named_safely, scaffold};
pub use share::{Shared, share_with};

use crate::apply::{ApplyError, Keeper};
use crate::config::{ConfigError, Places, Settings};
use crate::fs::FsError;
use crate::git::parent::{self, Kept};
use crate::git::{Files, GitError, Message, Repo, refuse_under_way};
use crate::lock::LockError;
use crate::memory::{self, Memory, MemoryError, MemoryFile};
use crate::redact::Redactor;
use crate::store::StoreError;
use crate::text::{first_chars, hidden};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Characters of a name that is asked for.
const NAME_CHARS: usize = 80;

/// Why a folder gets no memory.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// The folder is one that never is a project.
    #[error("{path:?} gets no memory: {why}")]
    Refused {
        /// The folder.
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// The name asked for is none.
    #[error("{name:?} cannot be a project's name: {why}")]
    BadName {
        /// Its beginning.
        name: String,
        /// Why, and what to do.
        why: &'static str,
    },
    /// What stands at `.memory` is not ours to use.
    #[error("{path:?} is {kind}; memd does not write through it. Move it away and try again")]
    NotAFolder {
        /// The path.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// The four files cannot be read.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The repository cannot be used.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configuration cannot be written.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Another memd writes this memory.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// What an earlier command left cannot be finished.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

/// What the user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// An absolute folder: the one named, or the current one.
    pub path: PathBuf,
    /// Whether the user named it; else the project around it is meant.
    pub named: bool,
    /// A name for the project.
    pub name: Option<String>,
    /// Whether the memory of all projects is meant.
    pub global: bool,
}

/// What will be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The project's root, which the memory belongs to.
    pub root: PathBuf,
    /// A linked worktree that is to share it.
    pub worktree: Option<PathBuf>,
    /// The project's name.
    pub name: String,
    /// Folders to make.
    pub folders: Vec<PathBuf>,
    /// Files to make, with their text.
    pub files: Vec<(PathBuf, String)>,
    /// Entries that stand there already.
    pub entries: usize,
    /// Whether it is the memory of all projects.
    pub global: bool,
}

/// What was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// Files made.
    pub files: usize,
    /// The first commit, or the one that took the new files up.
    pub commit: Option<String>,
    /// The commit that holds what stood there before and no review let in here.
    pub by_hand: Option<String>,
    /// What was done to keep memory out of the project's own history.
    pub kept: Vec<Kept>,
    /// What could not be done, for the user to read.
    pub warnings: Vec<String>,
}

impl Plan {
    /// The memory folder.
    #[must_use]
    pub fn memory(&self) -> PathBuf {
        self.root.join(".memory")
    }
}

/// Looks at a folder and decides what is missing.
///
/// # Errors
/// When the folder never is a project, is excluded, or what stands there cannot be used.
pub fn plan(
    request: &Request,
    settings: &Settings,
    places: &Places,
    now: Timestamp,
) -> Result<Plan, InitError> {
    let Layout { root, worktree } = layout(request, settings, places)?;
    let memory = root.join(".memory");
    let exists = check_folder(&memory)?;
    let found = exists.then(|| Memory::read(&memory)).transpose()?;
    let name = name_of(request, settings, &root);
    let mut folders = Vec::new();
    let mut files = Vec::new();
    for (dir, there) in [
        (memory.clone(), exists),
        (
            memory.join("archive"),
            check_folder(&memory.join("archive"))?,
        ),
        (memory.join("inbox"), check_folder(&memory.join("inbox"))?),
    ] {
        if !there {
            folders.push(dir.clone());
        }
        let keep = dir.join(".gitkeep");
        if dir != memory && !keep.exists() {
            files.push((keep, String::new()));
        }
    }
    let date = TimeZone::UTC.to_datetime(now).date();
    for (file, text) in memory::scaffold::files(&name, date) {
        if is_missing(found.as_ref(), file) {
            files.push((memory.join(file.name()), text));
        }
    }
    Ok(Plan {
        worktree,
        name,
        folders,
        files,
        entries: found.map_or(0, |m| m.entries().count()),
        global: request.global,
        root,
    })
}

/// Whether a project may be called this: one line that a person sees all of.
///
/// # Errors
/// [`InitError::BadName`] when it may not.
pub fn check_name(name: &str) -> Result<(), InitError> {
    let (start, is_whole) = first_chars(name, NAME_CHARS);
    let why = if !is_whole {
        "it is longer than 80 characters; choose a shorter one"
    } else if name.trim().is_empty() {
        "it is empty; choose another one"
    } else if name.contains(char::is_control) || !hidden(name).is_empty() {
        "it holds control or hidden characters; choose one without them"
    } else {
        return Ok(());
    };
    Err(InitError::BadName {
        name: start.to_owned(),
        why,
    })
}

fn is_missing(found: Option<&Memory>, file: MemoryFile) -> bool {
    found.is_none_or(|memory| memory.is_missing(file))
}

/// The name: as asked, as configured, else the folder's. What a file there says of it is foreign text:
/// it came with the folder, and would name it in all that memd says.
fn name_of(request: &Request, settings: &Settings, root: &Path) -> String {
    let configured = || settings.project(root)?.name.clone();
    let folder = || match request.global {
        true => Some("global".to_owned()),
        false => root.file_name().map(|n| n.to_string_lossy().into_owned()),
    };
    let name = request.name.clone().or_else(configured).or_else(folder);
    name.unwrap_or_else(|| "memory".to_owned())
}

/// Whether a folder is there. A link or anything else in its place is refused.
fn check_folder(path: &Path) -> Result<bool, InitError> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => Ok(true),
        Ok(meta) => Err(InitError::NotAFolder {
            path: path.to_owned(),
            kind: if meta.is_symlink() {
                "a symbolic link"
            } else {
                "no folder"
            },
        }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(FsError::io("read", path)(e).into()),
    }
}

/// Makes what the plan says: folders, files, the repository with its first commit, the line in the
/// project's `.gitignore`, the worktree's link.
///
/// # Errors
/// When files cannot be made or the repository cannot be used. The project's own repository is
/// only warned about.
pub fn execute(
    plan: &Plan,
    settings: &Settings,
    redactor: &Redactor,
    now: Timestamp,
) -> Result<Made, InitError> {
    let mut made = Made::default();
    let memory = plan.memory();
    refuse_under_way(&memory)?;
    for dir in &plan.folders {
        make_folder(dir)?;
    }
    let repo = match settings.git_commit {
        true => Some(Repo::open_or_init(&memory)?),
        false => None,
    };
    // What stood there is committed apart from what memd adds. In a history that goes on, only what
    // is added: what else is on disk may be an apply that was cut short.
    if let Some(repo) = &repo
        && plan.entries > 0
        && repo.is_empty()?
    {
        let keeper = Keeper::new(redactor);
        let instead = |path: &str, text: &str, last: Option<&str>| keeper.instead(path, text, last);
        made.by_hand = repo.commit_disk_with(&instead, &Message::by_hand(), now)?;
        made.warnings
            .extend(keeper.held().into_iter().map(|h| h.said));
    }
    let mut added = Files::new();
    for (path, text) in &plan.files {
        if make_file(path, text)? {
            let name = path.strip_prefix(&memory).unwrap_or(path);
            let name = name.to_string_lossy().into_owned();
            added.insert(name, Some(text.clone().into_bytes()));
        }
    }
    made.files = added.len();
    if let Some(repo) = &repo
        && (repo.is_empty()? || !added.is_empty())
    {
        made.commit = Some(repo.commit_decision(Some(&added), &seed(&plan.name), now)?);
    }
    note(&mut made, parent::keep_out(&plan.root));
    if let Some(worktree) = &plan.worktree {
        match share::link(&memory, worktree)? {
            None => note(&mut made, parent::keep_link_out(worktree)),
            Some(warning) => made.warnings.push(warning),
        }
    }
    Ok(made)
}

fn note(made: &mut Made, kept: Result<Vec<Kept>, GitError>) {
    match kept {
        Ok(kept) => made.kept.extend(kept),
        Err(e) => made.warnings.push(format!(
            "memory may be visible to the project's own git: {e}"
        )),
    }
}

fn seed(name: &str) -> Message {
    Message {
        subject: format!("memory of {name}"),
        body: String::new(),
        trailers: vec![("Memd-By".to_owned(), "init".to_owned())],
    }
}

fn make_folder(dir: &Path) -> Result<(), FsError> {
    match std::fs::DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(FsError::io("create", dir)(e)),
    }
}

/// Makes a file, unless something stands there; tells whether it did.
fn make_file(path: &Path, text: &str) -> Result<bool, FsError> {
    let options = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o644)
        .open(path);
    let mut file = match options {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(e) => return Err(FsError::io("create", path)(e)),
    };
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(FsError::io("write", path))?;
    Ok(true)
}
