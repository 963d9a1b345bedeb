//! The holder: starts a curator, watches it and memd, and ends all that is left at the end.

use super::hold::{HOLD, INNER};
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, kill_process_group, wait,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often curator, memd and signals are looked at.
const TICK: Duration = Duration::from_millis(10);
/// How long what a curator started may go on when it has ended: it may still write for it.
const DRAIN: Duration = Duration::from_millis(300);
/// How long killed processes are waited for.
const LAST: Duration = Duration::from_secs(5);

/// Whether the parent of this process still is that one.
pub(super) fn has_parent(parent: u32) -> bool {
    let now = getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    now == Some(parent)
}

/// See [`super::hold`].
pub(super) fn run(
    parent: u32,
    program: &OsStr,
    args: &[OsString],
    grace: Duration,
) -> io::Result<Infallible> {
    let told = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&told))?;
    }
    inherit_orphans()?;
    let curator = start(program, args)?;
    let mut held = Held {
        curator,
        ended: None,
        others: true,
    };
    let is_over = || told.load(Ordering::SeqCst) || !has_parent(parent);
    while held.look() && !is_over() {
        std::thread::sleep(TICK);
    }
    if held.ended.is_none() {
        held.send(Signal::TERM);
        held.wait(grace, |held| held.ended.is_some());
    } else {
        held.wait(DRAIN, |held| !held.others || is_over());
    }
    held.kill_all();
    leave(held.ended)
}

/// Starts the curator in a group of its own. Its pipes are its own too: with this process they would
/// never be closed.
fn start(program: &OsStr, args: &[OsString]) -> io::Result<Pid> {
    use std::os::unix::process::CommandExt;
    let mut command = if cfg!(target_os = "linux") {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([HOLD, INNER]);
        command.arg(std::process::id().to_string());
        command.arg("--").arg(program);
        command
    } else {
        Command::new(program)
    };
    let child = command.args(args).process_group(0).spawn()?;
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("the system gave it no number"))
}

struct Held {
    /// It leads its group.
    curator: Pid,
    ended: Option<WaitStatus>,
    /// Whether anything but the curator may be left.
    others: bool,
}

impl Held {
    /// Takes note of all that has ended; whether the curator goes on.
    fn look(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.curator => self.ended = Some(status),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(rustix::io::Errno::INTR) => {}
                // There is no child left.
                Err(_) => {
                    self.others = false;
                    break;
                }
            }
        }
        self.ended.is_none() && self.others
    }

    fn wait(&mut self, most: Duration, done: impl Fn(&Self) -> bool) {
        let until = Instant::now() + most;
        while !done(self) && Instant::now() < until {
            std::thread::sleep(TICK);
            self.look();
        }
    }

    /// To the curator's group. One that is gone needs no signal.
    fn send(&self, signal: Signal) {
        let _ = kill_process_group(self.curator, signal);
    }

    /// Until nothing is left: what is killed leaves its own children to this process.
    fn kill_all(&mut self) {
        let until = Instant::now() + LAST;
        loop {
            // Once the group is empty its number may be a stranger's; on Linux what is left of it is a
            // child by now.
            if self.ended.is_none() || !cfg!(target_os = "linux") {
                self.send(Signal::KILL);
            }
            for child in children() {
                let _ = kill_process_group(child, Signal::KILL);
                let _ = kill_process(child, Signal::KILL);
            }
            self.look();
            if !self.others || Instant::now() > until {
                return;
            }
            std::thread::sleep(TICK);
        }
    }
}

/// Ends as the curator did.
fn leave(ended: Option<WaitStatus>) -> ! {
    let signal = ended.and_then(WaitStatus::terminating_signal);
    if let Some(signal) = signal {
        // Where that does not end this process, the code below does.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    let code = ended.and_then(WaitStatus::exit_status);
    std::process::exit(code.unwrap_or(1))
}

/// What leaves the curator's group becomes this process's child instead of nobody's; and this one is told
/// when memd ends.
#[cfg(target_os = "linux")]
fn inherit_orphans() -> io::Result<()> {
    rustix::process::set_child_subreaper(Some(getpid()))?;
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    Ok(())
}

/// The system has no such thing.
#[cfg(not(target_os = "linux"))]
fn inherit_orphans() -> io::Result<()> {
    Ok(())
}

/// This process's children, as far as the system lists them.
fn children() -> Vec<Pid> {
    let me = getpid();
    // Without /proc the group is all that is known.
    let items = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = items.filter_map(|item| item.file_name().to_str()?.parse().ok());
    let is_mine = |pid: &i32| parent_of(*pid) == Some(me.as_raw_nonzero().get());
    pids.filter(is_mine).filter_map(Pid::from_raw).collect()
}

/// The parent of a process: the second field behind its name, which may hold anything.
fn parent_of(pid: i32) -> Option<i32> {
    let stat = Path::new("/proc").join(pid.to_string()).join("stat");
    let stat = std::fs::read(stat).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}
