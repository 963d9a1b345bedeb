//! `memd redact`.

use super::Failure;

/// Filter standard input: secrets out.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd redact` is not built yet"))
}
