//! Locks between processes: one distill per project, one short memory lock, one curator, one worker.
//!
//! A lock is an `flock` on a file in the state folder; the kernel frees it when its owner dies.
//! The file is never deleted, since deleting it would let two owners in.

use crate::fs::{self, FsError, Writing};
use crate::id::ProjectId;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a command waits for another writer of the same memory, which holds it for milliseconds.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Why a lock was not had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else holds it.
    #[error("{what} is held by another memd; try again when it is done")]
    Held {
        /// What is locked, for people.
        what: &'static str,
    },
    /// The lock file cannot be made.
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Proof of holding the memory lock of one project; writers of `.memory/` ask for it.
#[derive(Debug)]
pub struct ProjectLock {
    project: ProjectId,
    _file: File,
}

impl ProjectLock {
    /// The project whose memory may be written while this lives.
    #[must_use]
    pub fn project(&self) -> &ProjectId {
        &self.project
    }

    /// Takes the memory lock, waiting at most `wait`. It is to be held for milliseconds.
    ///
    /// # Errors
    /// When another process holds it for longer than `wait`.
    pub fn take(locks: &Path, project: &ProjectId, wait: Duration) -> Result<Self, LockError> {
        let file = take(
            &locks.join(format!("{project}.memory")),
            wait,
            "this project's memory",
        )?;
        Ok(Self {
            project: project.clone(),
            _file: file,
        })
    }
}

/// Proof of being the only distill of one project.
#[derive(Debug)]
pub struct DistillLock {
    _file: File,
}

impl DistillLock {
    /// Takes the distill lock without waiting.
    ///
    /// # Errors
    /// When a distill of this project is running.
    pub fn take(locks: &Path, project: &ProjectId) -> Result<Self, LockError> {
        let path = locks.join(format!("{project}.distill"));
        let file = take(&path, Duration::ZERO, "the distill of this project")?;
        Ok(Self { _file: file })
    }
}

/// Proof of being the only one on this machine that asks a curator.
#[derive(Debug)]
pub struct CuratorLock {
    _file: File,
}

impl CuratorLock {
    /// Takes it, waiting at most `wait`.
    ///
    /// # Errors
    /// When another curator runs for longer than that.
    pub fn take(locks: &Path, wait: Duration) -> Result<Self, LockError> {
        let file = take(&locks.join("curator"), wait, "the curator")?;
        Ok(Self { _file: file })
    }
}

/// Proof of being the only worker that does what hooks left.
#[derive(Debug)]
pub struct WorkLock {
    _file: File,
}

impl WorkLock {
    /// Takes it, all but without waiting: somebody may only be looking whether it is held.
    ///
    /// # Errors
    /// When a worker runs.
    pub fn take(locks: &Path) -> Result<Self, LockError> {
        let wait = Duration::from_millis(50);
        let file = take(&locks.join("work"), wait, "what hooks left")?;
        Ok(Self { _file: file })
    }
}

/// Proof of being the only sweep.
#[derive(Debug)]
pub struct SweepLock {
    _file: File,
}

impl SweepLock {
    /// Takes it without waiting.
    ///
    /// # Errors
    /// When a sweep runs.
    pub fn take(locks: &Path) -> Result<Self, LockError> {
        let file = take(&locks.join("sweep"), Duration::ZERO, "the sweep")?;
        Ok(Self { _file: file })
    }
}

/// Proof of being the only one that changes the key.
#[derive(Debug)]
pub struct KeyLock {
    _file: File,
}

impl KeyLock {
    /// Takes it without waiting.
    ///
    /// # Errors
    /// When the key is being rotated.
    pub fn take(locks: &Path) -> Result<Self, LockError> {
        let file = take(&locks.join("key"), Duration::ZERO, "the key")?;
        Ok(Self { _file: file })
    }
}

/// Proof that no other memd is in the middle of anything on any of these projects.
#[derive(Debug)]
pub struct Stillness {
    key: KeyLock,
    _curator: CuratorLock,
    _work: WorkLock,
    _sweep: SweepLock,
    _projects: Vec<(DistillLock, ProjectLock)>,
}

impl Stillness {
    /// Takes every lock there is, waiting for none: whoever holds one may wait for another.
    ///
    /// # Errors
    /// When another process holds one of them.
    pub fn take<'a>(
        locks: &Path,
        projects: impl IntoIterator<Item = &'a ProjectId>,
    ) -> Result<Self, LockError> {
        // Whoever only looks at a project's memory holds its lock for milliseconds.
        let moment = Duration::from_millis(500);
        let of = |project| {
            let distill = DistillLock::take(locks, project)?;
            Ok((distill, ProjectLock::take(locks, project, moment)?))
        };
        Ok(Self {
            key: KeyLock::take(locks)?,
            _curator: CuratorLock::take(locks, Duration::ZERO)?,
            _work: WorkLock::take(locks)?,
            _sweep: SweepLock::take(locks)?,
            _projects: projects
                .into_iter()
                .map(of)
                .collect::<Result<_, LockError>>()?,
        })
    }

    /// As [`Stillness::take`], trying again for at most `wait` and holding none meanwhile.
    ///
    /// # Errors
    /// As [`Stillness::take`], of the last try.
    pub fn take_within<'a>(
        locks: &Path,
        projects: impl IntoIterator<Item = &'a ProjectId> + Clone,
        wait: Duration,
    ) -> Result<Self, LockError> {
        let deadline = Instant::now() + wait;
        loop {
            match Self::take(locks, projects.clone()) {
                Err(LockError::Held { .. }) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                tried => return tried,
            }
        }
    }

    /// Proof of being the only one that changes the key.
    #[must_use]
    pub fn key(&self) -> &KeyLock {
        &self.key
    }
}

/// Takes an exclusive lock on a file, which is made where there is none and keeps its content.
///
/// # Errors
/// When another process holds it for longer than `wait`, or the file cannot be made.
pub(crate) fn take(path: &Path, wait: Duration, what: &'static str) -> Result<File, LockError> {
    if let Some(dir) = path.parent() {
        fs::private_dir(dir)?;
    }
    let file = fs::open_own(path, Writing::Over)?;
    let deadline = Instant::now() + wait;
    loop {
        match fs2::FileExt::try_lock_exclusive(&file) {
            Ok(()) => return Ok(file),
            Err(e) if e.kind() != std::io::ErrorKind::WouldBlock => {
                return Err(FsError::io("lock", path)(e).into());
            }
            Err(_) if Instant::now() >= deadline => return Err(LockError::Held { what }),
            Err(_) => {
                std::thread::sleep(Duration::from_millis(if wait > PATIENCE { 50 } else { 5 }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_owner_is_refused_until_the_first_lets_go() {
        let dir = tempfile::tempdir().unwrap();
        let project = ProjectId::random().unwrap();
        let first = DistillLock::take(dir.path(), &project).unwrap();
        assert!(matches!(
            DistillLock::take(dir.path(), &project),
            Err(LockError::Held { .. })
        ));
        drop(first);
        DistillLock::take(dir.path(), &project).unwrap();
    }

    #[test]
    fn stillness_is_waited_for_and_a_pipe_is_no_lock() {
        let dir = tempfile::tempdir().unwrap();
        let project = ProjectId::random().unwrap();
        let first = DistillLock::take(dir.path(), &project).unwrap();
        let try_for = |wait| Stillness::take_within(dir.path(), [&project], wait);
        assert!(matches!(
            try_for(Duration::ZERO),
            Err(LockError::Held { .. })
        ));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| try_for(PATIENCE));
            drop(first);
            waiting.join().unwrap().unwrap();
        });
        let pipe = dir.path().join("sweep");
        std::fs::remove_file(&pipe).unwrap();
        let (mode, fifo) = (rustix::fs::Mode::RUSR, rustix::fs::FileType::Fifo);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, mode, 0).unwrap();
        assert!(matches!(SweepLock::take(dir.path()), Err(LockError::Fs(_))));
    }
}
