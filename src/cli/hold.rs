//! `memd hold`: memd's own, hidden. The start of a curator that is to end with memd, with all that it
//! started.

use super::Failure;
use crate::curator::{become_curator, hold};
use std::ffi::OsString;
use std::time::Duration;

/// Run a program that ends with its parent.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Become the program instead
    #[arg(long)]
    inner: bool,
    /// Milliseconds that it has to end after it was told to
    #[arg(long, default_value_t = 2_000)]
    grace: u64,
    /// The process that starts it
    parent: u32,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let Some((program, rest)) = args.command.split_first() else {
        return Ok(());
    };
    let why = match args.inner {
        true => become_curator(args.parent, program, rest),
        false => hold(
            args.parent,
            program,
            rest,
            Duration::from_millis(args.grace),
        ),
    };
    let name = program.to_string_lossy();
    Err(Failure::known(format!(
        "{name:?} could not be started: {why}"
    )))
}
