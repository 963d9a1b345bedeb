//! `memd note`.

use super::Failure;

/// Leave a note for the next distill.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd note` is not built yet"))
}
