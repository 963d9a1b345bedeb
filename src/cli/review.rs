//! `memd review`.

use super::Failure;

/// Decide on what is staged.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd review` is not built yet"))
}
