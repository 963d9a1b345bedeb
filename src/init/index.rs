//! `projects.md`: which projects there are, generated into the global memory. No entry of memory, in
//! nobody's brief, overwritten whenever it differs; its commits are memd's own.

use super::InitError;
use crate::config::Settings;
use crate::fs::{self, FsError};
use crate::git::{Files, GitError, Message, Repo};
use crate::lock::{PATIENCE, ProjectLock};
use crate::store::{Project, Store, StoreError};
use crate::text::{count, visible_line};
use jiff::Timestamp;
use std::path::Path;

/// The file, in the global memory.
pub const INDEX: &str = "projects.md";
/// At most this many bytes of it are read.
const LIMIT: u64 = 4 << 20;

/// Writes the index of all projects where it differs from what stands there; whether it did. Without a
/// global memory there is nothing to do. `locks` is the folder of lock files; `shown` takes secrets
/// out of a name or path.
///
/// To be called where projects come, go or move, and at the end of a sweep.
///
/// # Errors
/// When the database cannot be read, or the index or its commit cannot be written.
pub fn write_index(
    store: &Store,
    settings: &Settings,
    locks: &Path,
    shown: &dyn Fn(&str) -> String,
    now: Timestamp,
) -> Result<bool, InitError> {
    let root = &settings.global_root;
    let root = root.canonicalize().unwrap_or_else(|_| root.clone());
    let Some(global) = store.project_at(&root)? else {
        return Ok(false);
    };
    let memory = global.memory();
    if !fs::is_own_folder(&memory)? {
        return Ok(false);
    }
    let text = index(store, &global, shown, now)?;
    let path = memory.join(INDEX);
    let _lock = ProjectLock::take(locks, &global.id, PATIENCE)?;
    match fs::read_plain(&path, LIMIT) {
        Ok(there) if there == text.as_bytes() => return Ok(false),
        Err(e) if !e.is_missing() && !matches!(e, FsError::TooLarge { .. }) => return Err(e.into()),
        _ => fs::write_atomic(&path, text.as_bytes(), 0o644)?,
    }
    if settings.git_commit {
        commit(&memory, text, now)?;
    }
    Ok(true)
}

fn commit(memory: &Path, text: String, now: Timestamp) -> Result<(), GitError> {
    let files = Files::from([(INDEX.to_owned(), Some(text.into_bytes()))]);
    let message = Message {
        subject: "index of all projects".to_owned(),
        body: String::new(),
        trailers: vec![("Memd-By".to_owned(), "index".to_owned())],
    };
    let repo = Repo::open_or_init(memory)?;
    repo.commit_decision(Some(&files), &message, now).map(drop)
}

fn index(
    store: &Store,
    global: &Project,
    shown: &dyn Fn(&str) -> String,
    now: Timestamp,
) -> Result<String, StoreError> {
    let mut text = "# Projects\n\nWritten by memd; what is changed here is overwritten.\n\n\
                    | project | path | last distill | waiting |\n|---|---|---|---|\n"
        .to_owned();
    for project in store.projects()?.iter().filter(|p| p.id != global.id) {
        let last = store.last_applied(&project.id)?;
        let last = last.map_or("none yet".to_owned(), |l| {
            l.at.strftime("%Y-%m-%d").to_string()
        });
        let queue = store.queue(Some(&project.id), now)?;
        let waiting = queue.iter().filter(|q| q.is_undecided_text()).count();
        let gone = match project.root.is_dir() {
            true => "",
            false => " (gone)",
        };
        let cell = |text: &str| cell(&shown(text));
        let (name, path) = (cell(&project.name), cell(&project.root.to_string_lossy()));
        let waiting = count(waiting, "proposal", "proposals");
        text.push_str(&format!("| {name} | {path}{gone} | {last} | {waiting} |\n"));
    }
    Ok(text)
}

/// A foreign text in a table: on one line, and no markup.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for c in visible_line(text).chars() {
        if "\\|`*_[]<>!".contains(c) {
            cell.push('\\');
        }
        cell.push(c);
    }
    cell
}
