//! A curator that does not outlive memd: it is started through memd's own binary, which asks the
//! system to end it with memd and then becomes it.
//!
//! Only Linux can be asked that. Elsewhere, and where the binary is not known, a curator is started
//! directly.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Command;

/// The hidden command of memd's binary that calls [`become_curator`].
pub const HOLD: &str = "hold";

/// A command that runs a program, ended with memd where that can be had.
pub(super) fn command(own: Option<&Path>, program: &Path, args: &[OsString]) -> Command {
    // A binary that was replaced meanwhile has no path any more.
    match own.filter(|own| cfg!(target_os = "linux") && own.is_file()) {
        Some(own) => {
            let mut command = Command::new(own);
            command.arg(HOLD).arg(std::process::id().to_string());
            command.arg("--").arg(program).args(args);
            command
        }
        None => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
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
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let now = getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    if now == Some(parent) {
        Ok(())
    } else {
        Err(io::Error::other("memd has ended"))
    }
}

/// There is nothing to ask for.
#[cfg(not(target_os = "linux"))]
fn end_with(_: u32) -> io::Result<()> {
    Ok(())
}
