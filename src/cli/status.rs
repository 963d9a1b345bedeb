//! `memd status`.

mod view;

use super::Failure;

/// Show every project, its sources and what waits.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd status` is not built yet"))
}
