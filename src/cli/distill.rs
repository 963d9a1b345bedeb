//! `memd distill`.

use super::Failure;

/// Ask the curator for changes and stage them for review.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd distill` is not built yet"))
}
