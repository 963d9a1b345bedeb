//! `memd init`.

use super::Failure;

/// Give a project a memory.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd init` is not built yet"))
}
