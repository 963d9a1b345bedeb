//! `memd hook`.

use super::Failure;

/// Answer a hook of an AI tool.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd hook` is not built yet"))
}
