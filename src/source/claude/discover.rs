//! Finds session files below Claude Code's folder.
//!
//! Sub-agents' files, spilled tool results and the tool's own memory are no sessions. A link that
//! leads round in a circle is walked once.

use crate::fs::FsError;
use crate::source::Tool;
use crate::source::session::{Found, Session, Where};
use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Claude Code's folders.
pub(super) fn folders<'a>(at: Where<'a>) -> impl Iterator<Item = &'a Path> + use<'a> {
    let further = at.roots_of(Tool::Claude);
    std::iter::once(at.places.claude.as_path()).chain(further)
}

/// Folders looked into below one project folder; sessions lie at the top.
const DEPTH: usize = 2;
/// Folders that hold no sessions of their own.
const NO_SESSIONS: [&str; 3] = ["subagents", "tool-results", "memory"];

/// Adds the session files below Claude Code's folder, and the folders and sessions that are there
/// and cannot be looked into. What is missing is left out: that is normal. Sessions of memd's own
/// curator, whose folder name is the encoded path of `own_state` or of a folder in it, are left out.
pub(super) fn discover(claude_dir: &Path, own_state: &Path, found: &mut Found) {
    let files = found.sessions.iter().filter(|s| s.tool == Tool::Claude);
    let files = files.filter_map(|s| fs::metadata(&s.path).ok().as_ref().map(identity));
    let mut walk = Walk {
        own: encode(own_state),
        folders: HashSet::new(),
        files: files.collect(),
        found,
    };
    walk.folder(&claude_dir.join("projects"), 0);
}

/// Device and inode.
fn identity(meta: &fs::Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}

/// A path as Claude Code writes it into a folder name. It cannot be turned back.
fn encode(path: &Path) -> String {
    path.to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

struct Walk<'f> {
    own: String,
    /// Device and inode of what was met.
    folders: HashSet<(u64, u64)>,
    files: HashSet<(u64, u64)>,
    found: &'f mut Found,
}

impl Walk<'_> {
    fn folder(&mut self, dir: &Path, depth: usize) {
        let meta = match fs::metadata(dir) {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => return,
            Err(error) => return self.found.closed.say(FsError::io("look into", dir)(error)),
        };
        if !self.folders.insert(identity(&meta)) {
            return;
        }
        let items = match fs::read_dir(dir) {
            Ok(items) => items,
            Err(error) => return self.found.closed.say(FsError::io("list", dir)(error)),
        };
        for item in items {
            let item = match item {
                Ok(item) => item,
                Err(error) => return self.found.closed.say(FsError::io("list", dir)(error)),
            };
            let name = item.file_name().to_string_lossy().into_owned();
            let meta = match fs::metadata(item.path()) {
                Ok(meta) => meta,
                Err(error) => {
                    // Gone meanwhile, or a link to nowhere.
                    let is_gone = error.kind() == ErrorKind::NotFound;
                    if !is_gone && (depth == 0 || is_session_name(&name)) {
                        let error = FsError::io("look into", &item.path())(error);
                        self.found.closed.say(error);
                    }
                    continue;
                }
            };
            if meta.is_dir() && depth < DEPTH && !self.is_no_place(&name, depth) {
                self.folder(&item.path(), depth + 1);
            } else if meta.is_file() && is_session_name(&name) && depth > 0 {
                self.file(&item.path(), &meta);
            }
        }
    }

    fn is_no_place(&self, name: &str, depth: usize) -> bool {
        let own = depth == 0
            && name
                .strip_prefix(&self.own)
                .is_some_and(|rest| rest.is_empty() || rest == "-curator");
        own || (depth > 0 && NO_SESSIONS.contains(&name))
    }

    fn file(&mut self, path: &Path, meta: &fs::Metadata) {
        if !self.files.insert(identity(meta)) {
            return;
        }
        let path = match path.canonicalize() {
            Ok(path) => path,
            Err(error) => {
                let error = FsError::io("look into", path)(error);
                return self.found.closed.say(error);
            }
        };
        match Session::of_file(Tool::Claude, &path) {
            Ok(session) => self.found.sessions.push(session),
            Err(error) => self.found.closed.add(&error),
        }
    }
}

fn is_session_name(name: &str) -> bool {
    name.ends_with(".jsonl") && !name.starts_with("agent-") && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_found_once_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        let claude = dir.path().canonicalize().unwrap();
        let put = |name: &str| {
            let path = claude.join("projects").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}\n").unwrap();
        };
        for name in [
            "-p/one.jsonl",
            "-p/agent-a1.jsonl",
            "-p/one/subagents/agent-b.jsonl",
            "-p/one/subagents/workflows/r/x.jsonl",
            "-p/one/tool-results/x.jsonl",
            "-p/memory/notes.jsonl",
            "-p/notes.txt",
            "-q/two.jsonl",
            "stray.jsonl",
            "-home-u-state-memd-curator/own.jsonl",
            "-home-u-state-memd-other/mine.jsonl",
        ] {
            put(name);
        }
        let projects = claude.join("projects");
        std::os::unix::fs::symlink(&projects, projects.join("-p/circle")).unwrap();
        std::os::unix::fs::symlink(projects.join("-q"), projects.join("-r")).unwrap();
        std::os::unix::fs::symlink("nowhere", projects.join("-p/gone.jsonl")).unwrap();

        let mut found = Found::default();
        let state = Path::new("/home/u/state/memd");
        discover(&claude, state, &mut found);
        // The same folder by another name gives nothing more.
        discover(&claude.join("projects/.."), state, &mut found);
        let mut names: Vec<_> = found
            .sessions
            .iter()
            .map(|f| f.path.strip_prefix(&projects).unwrap().to_str().unwrap())
            .collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "-home-u-state-memd-other/mine.jsonl",
                "-p/one.jsonl",
                "-q/two.jsonl"
            ]
        );
        let mut none = Found::default();
        discover(&claude.join("none"), state, &mut none);
        assert!(none.sessions.is_empty() && none.closed.count() == 0);
    }
}
