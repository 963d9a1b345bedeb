//! Finds conversations below the tool's folders.
//!
//! A conversation of which no directory is known is not handed out: read now, it would count as
//! read when its directory becomes known. It is counted and said.

use super::conversation::Conversation;
use super::workspace::Workspaces;
use crate::fs::FsError;
use crate::source::session::{Found, Session, Where};
use crate::source::{SourceError, Tool};
use crate::text::count;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The tool's folders: that of its command line, as configured, and those of its editors.
fn roots(at: Where<'_>) -> BTreeSet<PathBuf> {
    let gemini = at.places.home.join(".gemini");
    let usual = [
        at.settings.antigravity_dir.clone(),
        gemini.join("antigravity"),
        gemini.join("antigravity-ide"),
    ];
    let further = at.roots_of(Tool::Antigravity).map(Path::to_owned);
    let all = usual.into_iter().chain(further);
    all.filter_map(|root| root.canonicalize().ok()).collect()
}

/// Adds the conversations of all folders, and what of them cannot be read.
pub(super) fn discover(at: Where<'_>, found: &mut Found) {
    let mut nowhere = 0;
    for root in roots(at) {
        let workspaces = Workspaces::of(&root);
        for id in ids(&root, found) {
            if workspaces.is_inner(&id) {
                continue;
            }
            match Conversation::at(&root, &id).session(workspaces.find(&id)) {
                Ok(session) => match &session.root {
                    None if session.size > 0 => nowhere += 1,
                    Some(dir) if session.size > 0 && !at.places.is_own(dir) => {
                        found.sessions.push(session);
                    }
                    _ => {}
                },
                Err(error) => found.closed.add(&error),
            }
        }
    }
    if nowhere > 0 {
        let sessions = count(nowhere, "session", "sessions");
        let of = Tool::Antigravity.name();
        let line = format!("{sessions} of {of} of a project that cannot be told");
        found.closed.say(line);
    }
}

/// The names of the conversations that have a database or a log.
fn ids(root: &Path, found: &mut Found) -> BTreeSet<String> {
    let databases = names(&root.join("conversations"), found);
    let databases = databases.iter().filter_map(|name| name.strip_suffix(".db"));
    let mut ids: BTreeSet<String> = databases.map(str::to_owned).collect();
    let brain = root.join("brain");
    for id in names(&brain, found) {
        if brain.join(&id).join(".system_generated/logs").is_dir() {
            ids.insert(id);
        }
    }
    ids.retain(|id| !id.is_empty() && !id.starts_with('.'));
    ids
}

/// What lies in a folder; one that is missing holds nothing.
fn names(dir: &Path, found: &mut Found) -> Vec<String> {
    let items = match std::fs::read_dir(dir) {
        Ok(items) => items,
        Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            found.closed.say(FsError::io("list", dir)(error));
            return Vec::new();
        }
    };
    let names = items.filter_map(|item| item.ok()?.file_name().into_string().ok());
    names.collect()
}

/// The conversation that a path names: its database, there or not, or one of its logs.
pub(super) fn place(at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
    for root in roots(at) {
        let Ok(inside) = path.strip_prefix(&root) else {
            continue;
        };
        let mut parts = inside.iter().map(|part| part.to_string_lossy());
        let id = match (parts.next().as_deref(), parts.next()) {
            (Some("conversations"), Some(file)) => file.strip_suffix(".db").map(str::to_owned),
            (Some("brain"), Some(id)) if inside.extension().is_some_and(|e| e == "jsonl") => {
                Some(id.into_owned())
            }
            _ => None,
        };
        let id = id?;
        let told = Workspaces::of(&root).find(&id);
        return Some(Conversation::at(&root, &id).session(told));
    }
    None
}
