//! Starting memd's own worker so that it outlives whoever asked for it: a hook, its process group, its
//! terminal.
//!
//! The hook starts it in a group of its own, which is all that can be done from outside; it then
//! starts itself once more, since only a process that leads no group may begin a session.

use std::io;
use std::process::{Command, Stdio};

/// The hidden command that works off what hooks left.
pub(super) const WORK: &str = "work";

/// Starts a worker and does not wait for it.
pub(super) fn start_worker() -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    worker()?.process_group(0).spawn().map(drop)
}

/// Whether this process is in a session of its own now, or has started one that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Session {
    Own,
    Elsewhere,
}

/// Leaves the caller's session.
pub(super) fn leave_session() -> io::Result<Session> {
    if rustix::process::setsid().is_ok() {
        return Ok(Session::Own);
    }
    worker()?.spawn()?;
    Ok(Session::Elsewhere)
}

/// Holds nothing of the caller's: no pipe, no terminal, no folder.
fn worker() -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg(WORK)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command)
}
