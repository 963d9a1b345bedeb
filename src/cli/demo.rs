//! `memd demo`.

mod scene;

use super::Failure;

/// Try memd on a small made-up project, in a temporary home.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd demo` is not built yet"))
}
