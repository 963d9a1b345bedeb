//! A child's process group: seen to end, and ended.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::process::Child;
use std::time::{Duration, Instant};

/// How often a group that was told to end is looked at.
const TICK: Duration = Duration::from_millis(10);

/// The group that a child leads.
///
/// The leader is watched without being reaped: as long as it is a zombie its number stands for
/// nobody else, so a signal to the group cannot hit a stranger.
pub(super) struct Group(Option<Pid>);

impl Group {
    /// The group of a child that was started as a leader.
    pub fn of(child: &Child) -> Self {
        Self(i32::try_from(child.id()).ok().and_then(Pid::from_raw))
    }

    /// Whether the leader has ended. It stays to be reaped.
    pub fn leader_has_gone(&self) -> bool {
        let Some(pid) = self.0 else { return true };
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such child any more.
        !matches!(waitid(WaitId::Pid(pid), how), Ok(None))
    }

    /// Ends the group: asked first, and with `wait` given time to obey, then killed.
    pub fn end(&self, grace: Duration, wait: bool) {
        self.send(Signal::TERM);
        let until = Instant::now() + grace;
        while wait && !self.leader_has_gone() && Instant::now() < until {
            std::thread::sleep(TICK);
        }
        self.send(Signal::KILL);
    }

    /// A group without members is no error: that is what is wanted.
    fn send(&self, signal: Signal) {
        if let Some(pid) = self.0 {
            let _ = kill_process_group(pid, signal);
        }
    }
}
