//! `memd untrust`: takes the leave away to apply in a project without a person. Needs no terminal.

use super::{Context, Failure, look, out, revert};
use std::path::PathBuf;

/// Let memd apply nothing in a project without you any more.
///
/// What was applied stays, unreviewed, in `memd review`.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project's folder
    path: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = revert::existing(&context)?;
    let trust = store.trust()?;
    let project = look::asked_project(&context, &store, Some(&args.path))?;
    let name = &project.name;
    out::line(&match store.revoke(&trust, &project.id, context.now)? {
        true => format!("{name} is not trusted any more: everything waits for you"),
        false => format!("{name} was not trusted"),
    });
    Ok(())
}
