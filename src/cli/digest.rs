//! `memd digest`.

use super::Failure;

/// Print the numbered, redacted digest of what is new.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd digest` is not built yet"))
}
