//! What a curator left behind whose holder was killed too: found by the mark in its environment, and
//! ended by whoever is next to hold the curator lock.
//!
//! The mark names the folder a curator runs in, which is that of one state; so what another memd of the
//! same user runs is never touched. Without /proc nothing is found.

use std::path::Path;

/// The variable that marks a curator and all that it starts.
pub(super) const MARK: &str = "MEMD_CURATOR_OF";

/// Ends every process with the mark of this folder. Only for the holder of the curator lock: nobody else's
/// curator runs then.
#[cfg(target_os = "linux")]
pub(in crate::curator) fn end(cwd: &Path) {
    use std::time::Duration;
    /// What is being killed may still start something; then it is looked again, so often at most.
    const ROUNDS: usize = 50;
    const TICK: Duration = Duration::from_millis(10);
    let mark = linux::mark(cwd);
    for _ in 0..ROUNDS {
        if linux::end_all(&mark) == 0 {
            return;
        }
        std::thread::sleep(TICK);
    }
}

/// The system does not tell.
#[cfg(not(target_os = "linux"))]
pub(in crate::curator) fn end(_: &Path) {}

#[cfg(target_os = "linux")]
mod linux {
    use super::MARK;
    use crate::fs;
    use rustix::process::{Pid, PidfdFlags, Signal, getpid, getuid, pidfd_open, pidfd_send_signal};
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// No environment is read further.
    const LIMIT: u64 = 4 << 20;

    pub fn mark(cwd: &Path) -> Vec<u8> {
        let value = cwd.as_os_str().as_encoded_bytes();
        [MARK.as_bytes(), b"=", value].concat()
    }

    /// How many there were.
    pub fn end_all(mark: &[u8]) -> usize {
        let items = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = items.filter_map(|item| item.file_name().to_str()?.parse().ok());
        pids.filter_map(Pid::from_raw)
            .filter(|pid| *pid != getpid() && end_one(*pid, mark))
            .count()
    }

    /// Whether it had the mark. It is held on to before it is looked at, so that its number cannot
    /// come to stand for another.
    fn end_one(pid: Pid, mark: &[u8]) -> bool {
        let path = Path::new("/proc").join(pid.as_raw_nonzero().to_string());
        let is_own = path.metadata().is_ok_and(|m| m.uid() == getuid().as_raw());
        if !is_own {
            return false;
        }
        let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else {
            return false;
        };
        let mut environ = Vec::new();
        let read = fs::open_plain(&path.join("environ"))
            .is_ok_and(|file| file.take(LIMIT).read_to_end(&mut environ).is_ok());
        read && environ.split(|b| *b == 0).any(|var| var == mark)
            && pidfd_send_signal(process, Signal::KILL).is_ok()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command};

    fn left_by(cwd: &Path) -> std::io::Result<Child> {
        Command::new("sleep").arg("600").env(MARK, cwd).spawn()
    }

    #[test]
    fn what_a_curator_of_this_state_left_is_ended_and_nothing_of_another() {
        let (mine, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut left = [(); 2].map(|()| left_by(mine.path()).unwrap());
        let mut other = left_by(others.path()).unwrap();
        end(mine.path());
        for child in &mut left {
            assert_eq!(child.wait().unwrap().signal(), Some(9));
        }
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
