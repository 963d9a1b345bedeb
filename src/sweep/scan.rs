//! All sessions and the directories that their rows name, each session looked at once. What was found
//! is kept in a file of memd's state for sessions that do not change.

use crate::config::Places;
use crate::fs;
use crate::source::{Found, Rows, Session, Where, discover};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// At most this many bytes of what was kept are read.
const LIMIT: u64 = 64 << 20;
/// Directories of one session; a session that names more is looked at again each time.
const DIRS: usize = 256;

/// A session and the directories that its rows name.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The session.
    pub session: Session,
    /// Each directory once.
    pub dirs: Vec<PathBuf>,
}

/// All sessions.
#[derive(Debug, Default)]
pub struct Scan {
    /// Oldest change first.
    pub sessions: Vec<Seen>,
    /// What cannot be read, for people.
    pub closed: Vec<String>,
    /// How many sessions were read for their directories.
    pub read: usize,
}

/// What is kept of a session: as it was then, and its directories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    size: u64,
    /// Nanoseconds since 1970.
    modified: u64,
    dirs: Vec<PathBuf>,
}

/// What is kept of all.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Cache {
    version: u32,
    sessions: BTreeMap<String, Kept>,
}

/// The version of the file.
const VERSION: u32 = 1;

fn file(places: &Places) -> PathBuf {
    places.state.join("sessions.json")
}

/// Looks at all sessions, `jobs` at a time. With `keep`, what was found is kept for the next look;
/// what was kept and cannot be used is looked at again.
#[must_use]
pub fn scan(at: Where<'_>, jobs: usize, keep: bool) -> Scan {
    let path = file(at.places);
    let old = load(&path);
    let Found { sessions, closed } = discover(at);
    let mut scan = Scan {
        closed: closed.lines(),
        ..Scan::default()
    };
    let looked = look(&sessions, &old, jobs.max(1));
    let mut new = Cache {
        version: VERSION,
        ..Cache::default()
    };
    for (session, looked) in sessions.into_iter().zip(looked) {
        let Some((dirs, was_read)) = looked else {
            continue;
        };
        scan.read += usize::from(was_read);
        if dirs.len() <= DIRS && dirs.iter().all(|dir| dir.to_str().is_some()) {
            let kept = Kept {
                size: session.size,
                modified: nanos(session.modified),
                dirs: dirs.clone(),
            };
            new.sessions.insert(session.key.clone(), kept);
        }
        scan.sessions.push(Seen { session, dirs });
    }
    if keep && scan.read + old.sessions.len() > 0 && new.sessions != old.sessions {
        save(&path, &new);
    }
    scan
}

/// The directories of each session and whether it was read for them; `None` where it cannot be read.
fn look(sessions: &[Session], old: &Cache, jobs: usize) -> Vec<Option<(Vec<PathBuf>, bool)>> {
    let next = AtomicUsize::new(0);
    let looked = Mutex::new(vec![None; sessions.len()]);
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(sessions.len()) {
            scope.spawn(|| {
                while let Some((n, session)) = {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    sessions.get(n).map(|session| (n, session))
                } {
                    let dirs = kept(session, old)
                        .map(|dirs| (dirs, false))
                        .or_else(|| Some((dirs(session)?, true)));
                    let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(place) = looked.get_mut(n) {
                        *place = dirs;
                    }
                }
            });
        }
    });
    looked.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The directories that were kept of a session which is as it was.
fn kept(session: &Session, old: &Cache) -> Option<Vec<PathBuf>> {
    let kept = old.sessions.get(&session.key)?;
    let is_same = kept.size == session.size && kept.modified == nanos(session.modified);
    (is_same && session.root.is_none()).then(|| kept.dirs.clone())
}

fn dirs(session: &Session) -> Option<Vec<PathBuf>> {
    if let Some(root) = &session.root {
        return Some(vec![root.clone()]);
    }
    let found = RefCell::new(Vec::new());
    let note = |dir: &Path| {
        found.borrow_mut().push(dir.to_owned());
        // Never the one that is looked for, so that the whole session is looked at.
        false
    };
    session.any_in(&mut Rows::of(&note))?;
    Some(found.into_inner())
}

fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn load(path: &Path) -> Cache {
    let text = fs::read_text(path, LIMIT).unwrap_or_default();
    let cache: Option<Cache> = serde_json::from_str(&text).ok();
    cache
        .filter(|cache| cache.version == VERSION)
        .unwrap_or_default()
}

/// Without it the next look takes longer, and that is all.
fn save(path: &Path, cache: &Cache) {
    let saved = serde_json::to_vec(cache)
        .map_err(std::io::Error::other)
        .map(|text| fs::write_atomic(path, &text, 0o600));
    match saved {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!("{error}"),
        Err(error) => tracing::warn!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::source::Where;

    #[test]
    fn a_session_is_read_once_until_it_changes_and_may_belong_to_several() {
        let home = tempfile::tempdir().unwrap();
        let value = home.path().canonicalize().unwrap().into_os_string();
        let places = Places::from_env(|name| (name == "HOME").then(|| value.clone())).unwrap();
        let settings = Settings::defaults(&places.home);
        let dir = places.claude.join("projects/-a");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::create_dir_all(&places.state).unwrap();
        let row = |cwd: &str| format!("{{\"type\":\"user\",\"cwd\":\"{cwd}\"}}\n");
        let path = dir.join("0c6f1e52-0000-4000-8000-000000000001.jsonl");
        std::fs::write(&path, row("/a") + &row("/b") + &row("/a")).unwrap();
        let at = Where::new(&places, &settings);
        let look = || {
            let scan = scan(at, 4, true);
            let dirs: Vec<_> = scan.sessions.iter().flat_map(|s| s.dirs.clone()).collect();
            (scan.read, dirs)
        };
        let both: Vec<PathBuf> = vec!["/a".into(), "/b".into()];
        assert_eq!(look(), (1, both.clone()));
        assert_eq!(look(), (0, both.clone()));
        std::fs::write(&path, row("/a") + &row("/b") + &row("/c")).unwrap();
        let changed = std::fs::File::options().append(true).open(&path).unwrap();
        changed
            .set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(5))
            .unwrap();
        assert_eq!(look().1.len(), 3);
        std::fs::write(file(&places), "{broken").unwrap();
        assert_eq!(look().0, 1);
        assert_eq!(look().0, 0);
    }
}
