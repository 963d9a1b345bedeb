//! `memd hold`: memd's own, hidden. The start of a curator that is to end with memd.

use super::Failure;
use crate::curator::become_curator;
use std::ffi::OsString;

/// Become a program that ends with its parent.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
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
    let why = become_curator(args.parent, program, rest);
    let name = program.to_string_lossy();
    Err(Failure::known(format!(
        "{name:?} could not be started: {why}"
    )))
}
