//! `memd review`.

mod desk;
mod input;
mod keys;
pub(super) mod page;
mod plain;
pub(super) mod screen;
#[cfg(test)]
mod tests;

use super::Failure;

/// Decide on what is staged.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Err(Failure::known("`memd review` is not built yet"))
}
