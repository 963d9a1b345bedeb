//! `memd show`.

mod render;

use super::Failure;

/// Show one proposal.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd show` is not built yet"))
}
