//! `memd brief`.

use super::Failure;

/// Print what the next session's agent is given.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd brief` is not built yet"))
}
