//! `memd verify`.

use super::Failure;

/// Check seals, manifest and audit chain.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd verify` is not built yet"))
}
