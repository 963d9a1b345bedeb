//! Finds sessions below the tool's folder.
//!
//! They lie in `tmp/<project>/chats/`, as lines or as one object, or both when the tool went on with
//! an older one. Files in folders below are sub-agents'. A session whose project cannot be told is
//! not handed out: read now, it would count as read when its project becomes known.

use super::folder::{Roots, absolute};
use super::record::Record;
use crate::fs::FsError;
use crate::source::session::{Found, Session, Where};
use crate::source::{SourceError, Tool};
use crate::text::count;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The tool's folders.
fn folders(at: Where<'_>) -> BTreeSet<PathBuf> {
    let further = at.roots_of(Tool::Gemini);
    let all = std::iter::once(at.places.gemini.as_path()).chain(further);
    all.filter_map(|dir| dir.canonicalize().ok()).collect()
}

/// Adds the sessions, and what of them cannot be read.
pub(super) fn discover(at: Where<'_>, found: &mut Found) {
    let mut nowhere = 0;
    for gemini in folders(at) {
        let roots = Roots::of(at, &gemini);
        let tmp = gemini.join("tmp");
        for project in names(&tmp, found) {
            let folder = tmp.join(project);
            let chats = folder.join("chats");
            for key in keys(&chats, found) {
                match session(&key, Some((&roots, &folder))) {
                    Ok(Some(session)) if session.size == 0 => {}
                    Ok(Some(session)) => match &session.root {
                        None => nowhere += 1,
                        Some(root) if at.places.is_own(root) => {}
                        Some(_) => found.sessions.push(session),
                    },
                    Ok(None) => {}
                    Err(error) => found.closed.add(&error),
                }
            }
        }
    }
    if nowhere > 0 {
        let sessions = count(nowhere, "session", "sessions");
        let of = Tool::Gemini.name();
        let line = format!("{sessions} of {of} of a project that cannot be told");
        found.closed.say(line);
    }
}

/// The session that a path names, if it lies where the tool keeps them.
pub(super) fn place(at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
    for gemini in folders(at) {
        let Ok(inside) = path.strip_prefix(gemini.join("tmp")) else {
            continue;
        };
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        let [project, chats, name] = &parts[..] else {
            continue;
        };
        if chats == "chats" && is_session_name(name) {
            let folder = gemini.join("tmp").join(&**project);
            let roots = Roots::of(at, &gemini);
            let read = session(&path.with_extension("jsonl"), Some((&roots, &folder)));
            let none = || SourceError::NoKnownFormat {
                path: path.to_owned(),
            };
            return Some(read.and_then(|session| session.ok_or_else(none)));
        }
    }
    None
}

/// A session by its key; none for a sub-agent's.
pub(super) fn session(
    key: &Path,
    known: Option<(&Roots, &Path)>,
) -> Result<Option<Session>, SourceError> {
    let files = files(key);
    let record = Record::of(&files)?;
    if record.is_inner {
        return Ok(None);
    }
    if record.is_strange() {
        return Err(SourceError::UnknownFormat {
            path: files[1].clone(),
            tool: Tool::Gemini,
            format: "of lines without a session or a message".to_owned(),
        });
    }
    let first = record.directories.first();
    let root = known.and_then(|(roots, folder)| {
        let told = roots.find(folder, &record.hash);
        told.or_else(|| first.and_then(|dir| absolute(dir)))
    });
    let time = |path: &PathBuf| std::fs::metadata(path).ok()?.modified().ok();
    let last = files.iter().rev().find(|path| path.exists());
    Ok(Some(Session {
        tool: Tool::Gemini,
        key: key.to_string_lossy().into_owned(),
        path: last.unwrap_or(&files[0]).clone(),
        size: record.done().len() as u64,
        modified: files
            .iter()
            .filter_map(time)
            .max()
            .unwrap_or(SystemTime::UNIX_EPOCH),
        root,
    }))
}

/// The files that a session may be in: the older form first.
pub(super) fn files(key: &Path) -> [PathBuf; 2] {
    [key.with_extension("json"), key.to_owned()]
}

/// The sessions in a folder, each by the path that it has or would have as lines.
fn keys(chats: &Path, found: &mut Found) -> BTreeSet<PathBuf> {
    let names = names(chats, found).into_iter();
    let sessions = names.filter(|name| is_session_name(name));
    sessions
        .map(|name| chats.join(name).with_extension("jsonl"))
        .collect()
}

fn is_session_name(name: &str) -> bool {
    name.starts_with("session-") && (name.ends_with(".json") || name.ends_with(".jsonl"))
}

/// What lies in a folder; one that is missing, or is none, holds nothing.
fn names(dir: &Path, found: &mut Found) -> Vec<String> {
    let items = match std::fs::read_dir(dir) {
        Ok(items) => items,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Vec::new();
        }
        Err(error) => {
            found.closed.say(FsError::io("list", dir)(error));
            return Vec::new();
        }
    };
    let names = items.filter_map(|item| item.ok()?.file_name().into_string().ok());
    names.collect()
}
