//! Jobs: one small file each, named by what it asks for, so that the same request twice is one job.
//!
//! A job is taken by renaming its file, so that a request that comes while the last one is done is a
//! job again; it is removed after the attempt. What is no job is set aside, not tried again and again.

use crate::fs::{self, FsError};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Version of a job's text.
const VERSION: u32 = 1;
/// A job's file is no larger.
const BYTES: u64 = 64 << 10;
/// So many files of the folder are looked at at once.
const LISTED: usize = 4096;
/// A job that nobody did for so long is dropped: what it would read, a sweep has read.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// After so many workers that ended in the middle of a job, the job is what ends them.
const BROKEN_OFF: u32 = 10;

const WAITING: &str = "json";
const TAKEN: &str = "taken";
const BAD: &str = "bad";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// Distill one session, for the projects in it.
    Distill {
        /// What started it.
        trigger: String,
        /// Its file.
        transcript: Option<PathBuf>,
        /// Its id, where no file is told.
        session: Option<String>,
        /// Where it ran.
        cwd: Option<PathBuf>,
        /// Only once nothing was asked of it for the time that counts as quiet.
        quiet: bool,
    },
    /// Give a project its memory.
    Scaffold {
        /// A directory of it.
        cwd: PathBuf,
        /// The session that began there just now: it is material, unlike those before it.
        transcript: Option<PathBuf>,
    },
}

/// A request, with what a worker needs to know that has another environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    version: u32,
    /// What is asked for.
    #[serde(flatten)]
    pub what: What,
    /// When it was asked.
    pub at: Timestamp,
    /// It is not done before.
    #[serde(default)]
    pub not_before: Option<Timestamp>,
    /// Folders of tools that the environment named: tool and folder.
    #[serde(default)]
    pub roots: Vec<(String, PathBuf)>,
    /// How many workers ended in the middle of it.
    #[serde(default)]
    broken_off: u32,
}

impl Job {
    /// A new request.
    #[must_use]
    pub fn new(what: What, at: Timestamp) -> Self {
        Self {
            version: VERSION,
            what,
            at,
            not_before: None,
            roots: Vec::new(),
            broken_off: 0,
        }
    }

    /// From when on it may be done.
    #[must_use]
    pub fn due(&self, quiet_seconds: u64) -> Timestamp {
        let is_quiet = matches!(self.what, What::Distill { quiet: true, .. });
        let seconds = i64::try_from(quiet_seconds).unwrap_or(i64::MAX);
        let after = match is_quiet {
            true => self.at.checked_add(SignedDuration::from_secs(seconds)),
            false => Ok(self.at),
        };
        let due = after.unwrap_or(Timestamp::MAX);
        self.not_before.map_or(due, |then| then.max(due))
    }

    /// The name of its file: what is asked for, not when.
    fn stem(&self) -> String {
        let (kind, parts) = match &self.what {
            What::Distill {
                transcript,
                session,
                cwd,
                quiet,
                ..
            } => {
                let kind = if *quiet { "quiet" } else { "distill" };
                let session = session.as_deref().unwrap_or_default();
                match transcript {
                    Some(path) => (kind, vec![path.as_os_str()]),
                    None => {
                        let cwd = cwd.as_deref().unwrap_or(Path::new(""));
                        (kind, vec![OsStr::new(session), cwd.as_os_str()])
                    }
                }
            }
            What::Scaffold { cwd, .. } => ("scaffold", vec![cwd.as_os_str()]),
        };
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.as_encoded_bytes());
            hash.update([0]);
        }
        let hex: String = hash.finalize()[..12]
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        format!("{kind}-{hex}")
    }
}

/// A job that a worker has taken.
#[derive(Debug)]
pub struct Taken {
    /// What is asked for.
    pub job: Job,
    path: PathBuf,
}

/// The folder of jobs.
#[derive(Debug, Clone)]
pub struct Jobs {
    dir: PathBuf,
}

impl Jobs {
    /// The jobs in this folder.
    #[must_use]
    pub fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Puts a job there, in the place of one that asks for the same. Not synced: a hook has no time,
    /// and what a crash takes with it is only the request.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, job: &Job) -> Result<(), FsError> {
        fs::private_dir(&self.dir)?;
        let path = self.dir.join(job.stem()).with_extension(WAITING);
        let text = serde_json::to_string(job).map_err(|e| FsError::io("write", &path)(e.into()))?;
        fs::write_renamed(&path, text.as_bytes(), 0o600)
    }

    /// Takes back a job that waits.
    pub fn cancel(&self, job: &Job) {
        // One that is not there needs no taking back.
        let _ = std::fs::remove_file(self.dir.join(job.stem()).with_extension(WAITING));
    }

    /// Whether something can be done now, as far as a look at it tells.
    #[must_use]
    pub fn any_due(&self, quiet_seconds: u64, now: Timestamp) -> bool {
        let mut files = self.files().into_iter();
        files.any(|path| match read(&path) {
            Ok(job) => is_taken(&path) || job.due(quiet_seconds) <= now,
            Err(_) => true,
        })
    }

    /// How many wait or were begun.
    #[must_use]
    pub fn count(&self) -> usize {
        self.files().len()
    }

    /// Files that were set aside: no jobs, or such as ended every worker.
    #[must_use]
    pub fn bad(&self) -> Vec<PathBuf> {
        self.list(|extension| extension == BAD)
    }

    /// Takes the next job that may be done; what a killed worker had taken comes first. What is no job is set
    /// aside, and named to `problem`.
    pub fn take(
        &self,
        quiet_seconds: u64,
        now: Timestamp,
        problem: &dyn Fn(&str),
    ) -> Option<Taken> {
        for path in self.files() {
            match read(&path) {
                Ok(job) if now.duration_since(job.at) > KEPT => {
                    problem(&format!("{path:?} was not done for 30 days and is dropped"));
                    remove(&path, problem);
                }
                Ok(job) if is_taken(&path) && job.broken_off >= BROKEN_OFF => {
                    let why = format!("{BROKEN_OFF} workers ended in the middle of it");
                    set_aside(&path, &why, problem);
                }
                Ok(job) if is_taken(&path) || job.due(quiet_seconds) <= now => {
                    if let Some(taken) = claim(job, path, problem) {
                        return Some(taken);
                    }
                }
                Ok(_) => {}
                // Somebody was faster.
                Err(Unread::Gone) => {}
                Err(Unread::Bad(why)) => set_aside(&path, &why, problem),
            }
        }
        None
    }

    /// After the attempt: the job is over.
    pub fn done(&self, taken: Taken, problem: &dyn Fn(&str)) {
        remove(&taken.path, problem);
    }

    /// After an attempt that was none: it waits again, unless the same was asked for meanwhile.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_off(&self, mut taken: Taken, until: Timestamp) -> Result<(), FsError> {
        let waiting = taken.path.with_extension(WAITING);
        if !waiting.exists() {
            taken.job.broken_off = 0;
            taken.job.not_before = Some(until);
            self.put(&taken.job)?;
        }
        remove(&taken.path, &|_| {});
        Ok(())
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files = self.list(|extension| extension == WAITING || extension == TAKEN);
        files.sort_by_key(|path| (!is_taken(path), path.clone()));
        files
    }

    fn list(&self, wanted: impl Fn(&OsStr) -> bool) -> Vec<PathBuf> {
        // No folder, no jobs.
        let items = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let paths = items.map(|item| item.path());
        let jobs = paths.filter(|path| {
            let hidden = path
                .file_name()
                .is_none_or(|n| n.as_encoded_bytes()[0] == b'.');
            !hidden && path.extension().is_some_and(&wanted)
        });
        jobs.take(LISTED).collect()
    }
}

enum Unread {
    Gone,
    Bad(String),
}

fn is_taken(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(TAKEN))
}

fn read(path: &Path) -> Result<Job, Unread> {
    let bytes = fs::read_plain(path, BYTES).map_err(|e| match e.is_missing() {
        true => Unread::Gone,
        false => Unread::Bad(e.to_string()),
    })?;
    match serde_json::from_slice::<Job>(&bytes) {
        Ok(job) if job.version == VERSION => Ok(job),
        Ok(job) => Err(Unread::Bad(format!("version {} is not known", job.version))),
        // Only where it is wrong: the text itself is somebody else's.
        Err(e) => Err(Unread::Bad(format!(
            "no job at line {}, column {}",
            e.line(),
            e.column()
        ))),
    }
}

/// A job that is this worker's now. One that was taken already was broken off.
fn claim(mut job: Job, path: PathBuf, problem: &dyn Fn(&str)) -> Option<Taken> {
    if is_taken(&path) {
        job.broken_off = job.broken_off.saturating_add(1);
        let text = serde_json::to_vec(&job).unwrap_or_default();
        // Uncounted it is done all the same.
        if let Err(error) = fs::write_renamed(&path, &text, 0o600) {
            problem(&error.to_string());
        }
        return Some(Taken { job, path });
    }
    let taken = path.with_extension(TAKEN);
    match std::fs::rename(&path, &taken) {
        Ok(()) => Some(Taken { job, path: taken }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => {
            problem(&format!("{path:?} cannot be taken: {e}"));
            None
        }
    }
}

fn set_aside(path: &Path, why: &str, problem: &dyn Fn(&str)) {
    problem(&format!("{path:?} is set aside: {why}"));
    if std::fs::rename(path, path.with_extension(BAD)).is_err() {
        remove(path, problem);
    }
}

fn remove(path: &Path, problem: &dyn Fn(&str)) {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            problem(&format!("{path:?} cannot be removed: {e}"));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn distill(transcript: &str, quiet: bool, now: Timestamp) -> Job {
        let what = What::Distill {
            trigger: "stop".into(),
            transcript: Some(transcript.into()),
            session: None,
            cwd: None,
            quiet,
        };
        Job::new(what, now)
    }

    fn nothing(_: &str) {}

    #[test]
    fn the_same_request_is_one_job_and_one_that_comes_meanwhile_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let jobs = Jobs::at(dir.path().join("jobs"));
        let now = at("2026-10-01T10:00:00Z");
        jobs.put(&distill("/a", false, now)).unwrap();
        jobs.put(&distill("/a", false, now)).unwrap();
        jobs.put(&distill("/b", false, now)).unwrap();
        assert_eq!(jobs.count(), 2);
        let first = jobs.take(600, now, &nothing).unwrap();
        let same = first.job.clone();
        jobs.put(&same).unwrap();
        jobs.done(first, &nothing);
        assert_eq!(jobs.count(), 2, "the second request is not the first one's");
        // A worker that is killed leaves its job, which comes first.
        drop(jobs.take(600, now, &nothing).unwrap());
        let again = jobs.take(600, now, &nothing).unwrap();
        jobs.put_off(again, at("2026-10-02T00:00:00Z")).unwrap();
        let last = jobs.take(600, now, &nothing).unwrap();
        jobs.done(last, &nothing);
        assert!(jobs.take(600, now, &nothing).is_none());
        assert!(jobs.any_due(600, at("2026-10-02T00:00:00Z")));
    }

    #[test]
    fn a_job_that_ends_every_worker_does_not_keep_the_others_from_being_done() {
        let dir = tempfile::tempdir().unwrap();
        let jobs = Jobs::at(dir.path().join("jobs"));
        let now = at("2026-10-01T10:00:00Z");
        jobs.put(&distill("/deadly", false, now)).unwrap();
        let deadly = jobs.take(600, now, &nothing).unwrap().job.stem();
        jobs.put(&distill("/other", false, now)).unwrap();
        // Each worker takes what the last one left, and is gone.
        let mut workers = 0;
        let other = loop {
            let taken = jobs.take(600, now, &nothing).unwrap();
            if taken.job.stem() != deadly {
                break taken;
            }
            workers += 1;
            assert!(workers < 100);
        };
        jobs.done(other, &nothing);
        assert_eq!((jobs.count(), jobs.bad().len()), (0, 1));
    }

    #[test]
    fn a_session_that_goes_on_is_not_due_before_it_is_quiet() {
        let dir = tempfile::tempdir().unwrap();
        let jobs = Jobs::at(dir.path().join("jobs"));
        for minute in ["00", "05", "09"] {
            let now = at(&format!("2026-10-01T10:{minute}:00Z"));
            jobs.put(&distill("/a", true, now)).unwrap();
            assert!(!jobs.any_due(600, now));
        }
        assert_eq!(jobs.count(), 1);
        assert!(
            jobs.take(600, at("2026-10-01T10:18:59Z"), &nothing)
                .is_none()
        );
        assert!(
            jobs.take(600, at("2026-10-01T10:19:00Z"), &nothing)
                .is_some()
        );
    }

    #[test]
    fn what_is_no_job_is_named_once_and_set_aside_and_what_is_old_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let jobs = Jobs::at(dir.path().join("jobs"));
        let now = at("2026-10-01T10:00:00Z");
        jobs.put(&distill("/old", false, at("2026-08-01T10:00:00Z")))
            .unwrap();
        let put = |name: &str, text: &str| {
            std::fs::write(dir.path().join("jobs").join(name), text).unwrap();
        };
        put("a.json", "{\"secret\": ");
        put(
            "b.json",
            r#"{"version": 9, "kind": "sweep", "at": "2026-10-01T10:00:00Z"}"#,
        );
        put(".memd-x.json", "half");
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("jobs/c.json")).unwrap();
        let said = std::cell::RefCell::new(Vec::new());
        let problem = |what: &str| said.borrow_mut().push(what.to_owned());
        assert!(jobs.take(600, now, &problem).is_none());
        assert_eq!(said.borrow().len(), 4, "{said:?}");
        assert!(!said.borrow().join(" ").contains("secret"), "{said:?}");
        assert_eq!((jobs.count(), jobs.bad().len()), (0, 3));
        assert!(jobs.take(600, now, &problem).is_none());
        assert_eq!(said.borrow().len(), 4);
    }
}
