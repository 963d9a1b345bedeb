//! `memd untrust`: takes the leave away to apply in a project without a person. Needs no terminal.

use super::look::{self, Look};
use super::{Context, Failure, out, revert};
use crate::store::{Project, Store};
use std::path::PathBuf;

/// Let memd apply nothing in a project without you any more.
///
/// What was applied stays, unreviewed, in `memd review`, and is given to agents until it lapses.
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
    let was_trusted = store.revoke(&trust, &project.id, context.now)?;
    out::line(&match was_trusted {
        true => format!("{name} is not trusted any more: everything waits for you"),
        false => format!("{name} was not trusted"),
    });
    if let Some(given) = given(&context, &store, &project)? {
        out::line(&format!("  {given}"));
    }
    Ok(())
}

/// What was applied unattended before and is still given to agents.
fn given(context: &Context, store: &Store, project: &Project) -> Result<Option<String>, Failure> {
    let look = Look::at(store, project, context.now)?;
    let sealed = look.matched.sealed.iter();
    let unreviewed = sealed.filter(|s| look::is_unreviewed(&s.record)).count();
    Ok((unreviewed > 0).then(|| {
        let (what, they) = match unreviewed {
            1 => (
                "1 entry that was applied unattended is".to_owned(),
                "it lapses",
            ),
            n => (
                format!("{n} entries that were applied unattended are"),
                "they lapse",
            ),
        };
        format!("{what} given to agents until {they} or you decide: memd review")
    }))
}
