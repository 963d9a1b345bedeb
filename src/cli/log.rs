//! `memd log`.

use super::Failure;

/// List what happened to a project's memory.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd log` is not built yet"))
}
