//! Finds rollouts below Codex's folder, and the same session again wherever Codex moved it.
//!
//! A session's key is the path at which Codex first wrote it: `sessions/YYYY/MM/DD/rollout-….jsonl`,
//! which the file's name tells, whether it is plain, compressed or archived.

use super::packed::{self, Size};
use super::sizes::Sizes;
use crate::fs::FsError;
use crate::source::session::{Found, Session, Where};
use crate::source::{SourceError, Tool};
use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Folders below Codex's that hold rollouts.
const FOLDERS: [&str; 2] = ["sessions", "archived_sessions"];
/// Folders looked into below those.
const DEPTH: usize = 4;
/// The ending of a compressed file, behind that of a plain one.
const PACKED: &str = ".zst";

/// Codex's folders, links resolved; those that are not there are left out.
fn roots(at: Where<'_>) -> impl Iterator<Item = PathBuf> {
    let further = at.roots_of(Tool::Codex);
    let all = std::iter::once(at.places.codex.as_path()).chain(further);
    all.filter_map(|root| root.canonicalize().ok())
}

/// Adds the sessions below Codex's folders, each once: plain before compressed, in its own folder
/// before the archive.
pub(super) fn discover(at: Where<'_>, found: &mut Found) {
    let mut seen = HashSet::new();
    let mut sizes = Sizes::load(at.places);
    for root in roots(at).filter(|root| seen.insert(root.clone())) {
        let mut walk = Walk {
            root: &root,
            folders: HashSet::new(),
            files: BTreeMap::new(),
            found,
        };
        for name in FOLDERS {
            walk.folder(&root.join(name), 0);
        }
        let files = std::mem::take(&mut walk.files);
        for (key, path) in files {
            add(&key, &path, &mut |path| sizes.of(path), found);
        }
    }
    sizes.keep();
}

/// Tells how much a compressed file unpacks to.
type Told<'a> = dyn FnMut(&Path) -> Result<Size, SourceError> + 'a;

fn add(key: &Path, path: &Path, told: &mut Told<'_>, found: &mut Found) {
    match open(key, path, told) {
        Ok((session, damage)) => {
            if let Some(why) = damage {
                let path = path.display();
                found
                    .closed
                    .say(format!("cannot unpack all of {path}: {why}"));
            }
            if session.size > 0 {
                found.sessions.push(session);
            }
        }
        Err(error) => found.closed.add(&error),
    }
}

/// A file as a session of this key; also why not all of it can be read.
fn open(
    key: &Path,
    path: &Path,
    told: &mut Told<'_>,
) -> Result<(Session, Option<String>), SourceError> {
    let mut session = Session::of_file(Tool::Codex, path)?;
    session.key = key.to_string_lossy().into_owned();
    let mut damage = None;
    if packed::is_packed_file(path).map_err(SourceError::io(path))? {
        let size = told(path)?;
        session.size = size.plain;
        damage = size.damage;
    } else if path.extension().is_some_and(|e| e == "zst") {
        session.size = 0;
        damage = Some("it is not compressed as its name says".to_owned());
    }
    Ok((session, damage))
}

/// A file outside Codex's folders as a session.
pub(super) fn file(path: &Path) -> Result<Session, SourceError> {
    Ok(open(path, path, &mut packed::size)?.0)
}

/// The session that a path below Codex's folders names, a file or a key.
pub(super) fn place(at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
    let is_inside = |root: &PathBuf| FOLDERS.iter().any(|f| path.starts_with(root.join(f)));
    let root = roots(at).find(is_inside)?;
    let key = key(&root, path);
    let here = candidates(&root, &key).into_iter().find(|p| p.is_file());
    let here = here.unwrap_or_else(|| path.to_owned());
    Some(open(&key, &here, &mut packed::size).map(|(session, _)| session))
}

/// Where a session may be, best first.
fn candidates(root: &Path, key: &Path) -> Vec<PathBuf> {
    let Some(name) = key.file_name().and_then(|name| name.to_str()) else {
        return vec![key.to_owned()];
    };
    let archive = root.join(FOLDERS[1]);
    let dated = date(name).map_or_else(|| archive.clone(), |date| archive.join(date));
    let plain = [key.to_owned(), archive.join(name), dated.join(name)];
    let packed = plain.iter().map(|path| {
        let mut packed = path.clone().into_os_string();
        packed.push(PACKED);
        PathBuf::from(packed)
    });
    let packed: Vec<_> = packed.collect();
    plain.into_iter().chain(packed).collect()
}

/// The key of a file below this folder.
fn key(root: &Path, path: &Path) -> PathBuf {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.map(|name| name.strip_suffix(PACKED).unwrap_or(name));
    match name.and_then(|name| Some((date(name)?, name))) {
        Some((date, name)) => root.join(FOLDERS[0]).join(date).join(name),
        None => name.map_or_else(|| path.to_owned(), |name| path.with_file_name(name)),
    }
}

/// The folders of the day that a rollout's name tells: `YYYY/MM/DD`.
fn date(name: &str) -> Option<PathBuf> {
    let day = name.strip_prefix("rollout-")?.get(..10)?;
    let mut parts = day.split('-');
    let mut part = |digits: usize| {
        let part = parts.next()?;
        let is_number = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        is_number.then_some(part)
    };
    Some(Path::new(part(4)?).join(part(2)?).join(part(2)?))
}

fn is_rollout(name: &str) -> bool {
    let plain = name.strip_suffix(PACKED).unwrap_or(name);
    plain.starts_with("rollout-") && plain.ends_with(".jsonl")
}

struct Walk<'a> {
    root: &'a Path,
    /// Device and inode of what was met.
    folders: HashSet<(u64, u64)>,
    /// By key.
    files: BTreeMap<PathBuf, PathBuf>,
    found: &'a mut Found,
}

impl Walk<'_> {
    fn folder(&mut self, dir: &Path, depth: usize) {
        let meta = match std::fs::metadata(dir) {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => return,
            Err(error) => return self.closed("look into", dir, error),
        };
        if !meta.is_dir() || !self.folders.insert((meta.dev(), meta.ino())) {
            return;
        }
        let items = match std::fs::read_dir(dir) {
            Ok(items) => items,
            Err(error) => return self.closed("list", dir, error),
        };
        for item in items {
            match item {
                Ok(item) => self.item(&item.path(), depth),
                Err(error) => return self.closed("list", dir, error),
            }
        }
    }

    fn item(&mut self, path: &Path, depth: usize) {
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(is_rollout) {
            if path.is_file() {
                self.file(path);
            }
        } else if depth < DEPTH && path.is_dir() {
            self.folder(path, depth + 1);
        }
    }

    fn file(&mut self, path: &Path) {
        let key = key(self.root, path);
        let rank = |path: &Path| {
            let is_packed = path.extension().is_some_and(|e| e == "zst");
            (is_packed, !path.starts_with(self.root.join(FOLDERS[0])))
        };
        let is_better = |known: &PathBuf| rank(path) < rank(known);
        if self.files.get(&key).is_none_or(is_better) {
            self.files.insert(key, path.to_owned());
        }
    }

    fn closed(&mut self, what: &'static str, path: &Path, error: std::io::Error) {
        self.found.closed.say(FsError::io(what, path)(error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_told_by_the_name_wherever_the_file_is() {
        let root = Path::new("/c");
        let name = "rollout-2026-05-14T19-24-58-019e27f2-b7de-71c3-a0f9-70d6539231ba.jsonl";
        let expected = root.join("sessions/2026/05/14").join(name);
        for dir in [
            "sessions/2026/05/14",
            "archived_sessions",
            "archived_sessions/2026/05/14",
            "sessions",
        ] {
            for end in ["", ".zst"] {
                let path = root.join(dir).join(format!("{name}{end}"));
                assert_eq!(key(root, &path), expected, "{path:?}");
                assert!(is_rollout(path.file_name().unwrap().to_str().unwrap()));
            }
        }
        let odd = root.join("sessions/x/rollout-mine.jsonl.zst");
        assert_eq!(key(root, &odd), root.join("sessions/x/rollout-mine.jsonl"));
        for name in [
            "rollout-x.jsonl.tmp",
            "rollout-x.json",
            "x.jsonl",
            "rollout-x.zst",
        ] {
            assert!(!is_rollout(name), "{name}");
        }
    }
}
