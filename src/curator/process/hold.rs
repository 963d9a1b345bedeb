//! A curator that does not outlive memd, nor anything that it started: between the two stands a
//! process of memd's own binary, the holder.
//!
//! The holder watches both. When the curator has ended, when memd says so, or when memd is gone, however
//! that came about, it ends all that is left and goes. On Linux it inherits whatever leaves the
//! curator's group, and the curator itself is ended with the holder. Where the binary is not known,
//! a curator is started directly.

use super::holder;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The hidden command of memd's binary that calls [`hold`], or [`become_curator`] below it.
pub const HOLD: &str = "hold";

/// Its flag for the process that becomes the curator.
pub(super) const INNER: &str = "--inner";

/// A command that runs a program, ended with memd where that can be had; and whether it can.
pub(super) fn command(
    own: Option<&Path>,
    program: &Path,
    args: &[OsString],
    grace: Duration,
) -> (Command, bool) {
    // A binary that was replaced meanwhile has no path any more.
    match own.filter(|own| own.is_file()) {
        Some(own) => {
            let mut command = Command::new(own);
            let grace = grace.as_millis().to_string();
            command.arg(HOLD).args(["--grace", &grace]);
            command.arg(std::process::id().to_string());
            command.arg("--").arg(program).args(args);
            (command, true)
        }
        None => {
            let mut command = Command::new(program);
            command.args(args);
            (command, false)
        }
    }
}

/// Runs `program` for the process `parent`, and ends when it does, as it does; leaves nothing.
/// Returns only why it could not be started.
#[must_use]
pub fn hold(parent: u32, program: &OsStr, args: &[OsString], grace: Duration) -> io::Error {
    match holder::run(parent, program, args, grace) {
        Err(error) => error,
        Ok(never) => match never {},
    }
}

/// Becomes `program`, which ends when the process `parent` does. Returns only why it did not.
#[must_use]
pub fn become_curator(parent: u32, program: &OsStr, args: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt;
    if let Err(error) = end_with(parent) {
        return error;
    }
    Command::new(program).args(args).exec()
}

/// Has this process killed when its parent ends. If that has happened already, nobody would.
#[cfg(target_os = "linux")]
fn end_with(parent: u32) -> io::Result<()> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    match holder::has_parent(parent) {
        true => Ok(()),
        false => Err(io::Error::other("memd has ended")),
    }
}

/// There is nothing to ask for.
#[cfg(not(target_os = "linux"))]
fn end_with(_: u32) -> io::Result<()> {
    Ok(())
}
