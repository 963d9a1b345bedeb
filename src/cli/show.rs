//! `memd show`.

mod event;
mod render;

use super::review::{self, screen::Screen};
use super::{Context, Failure, across, here, look, lost, out};
use crate::browse::{self, Event, Sight};
use crate::id::ProposalId;
use crate::store::{Project, StoreError};
use std::path::PathBuf;

/// Show one proposal, or what one commit did, in full.
///
/// Of a proposal: changes, verdicts, evidence, redactions, coverage, cost, what became of it. Of a
/// commit of a memory: what was decided, or, when memd did not make it, what it changed.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The proposal or the commit, or the beginning of its id
    #[arg(value_name = "ID|COMMIT")]
    id: String,
    /// The project whose commits are looked at (default: the one around the current directory, then
    /// all)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// For programs: one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let none = || Failure::known("nothing is staged; `memd distill` stages");
    let books = look::Books::of(&context, lost::opened(&context)?.ok_or_else(none)?)?;
    let sight = books.sight();
    match books.store.find_proposal(&args.id) {
        Ok(id) => proposal(args, &context, sight, &id),
        Err(StoreError::NoProposal(_)) => match commit(args, &context, sight)? {
            Some((project, event)) => {
                across::on_record(&context, &books.store, &project, "show")?;
                happened(args, sight, &project, &event)
            }
            None => Err(Failure::known(format!(
                "there is no proposal and no commit {:?}",
                args.id
            ))
            .hint("`memd status` lists what waits, `memd log` what happened")),
        },
        Err(error) => Err(error.into()),
    }
}

fn proposal(
    args: &Args,
    context: &Context,
    sight: Sight<'_>,
    id: &ProposalId,
) -> Result<(), Failure> {
    let status = sight.store.status(id, sight.now)?;
    let project = sight.store.project(&status.project)?;
    across::on_record(context, sight.store, &project, "show")?;
    let events = browse::events_of(sight, id)?;
    let mut item = browse::item(sight, id)?;
    if status.open > 0 {
        review::judge(context, sight.store, sight.trust, &mut item);
    }
    if args.json {
        out::json(&render::json(&item, &status, &events));
        return Ok(());
    }
    print(|screen| render::text(screen, &item, &status, &events, sight.now));
    Ok(())
}

/// The event of a commit: of the project that was named; else of the one around here, or of any.
fn commit(
    args: &Args,
    context: &Context,
    sight: Sight<'_>,
) -> Result<Option<(Project, Event)>, Failure> {
    let projects = match &args.project {
        Some(dir) => vec![look::asked_project(context, sight.store, Some(dir))?],
        None => {
            let mut all = sight.store.projects()?;
            let here = look::project_at(context, sight.store, &here()?)?;
            all.sort_by_key(|p| here.as_ref().is_none_or(|h| h.id != p.id));
            all
        }
    };
    let mut unread = None;
    for project in projects {
        match browse::find_commit(sight, &project, &args.id) {
            Ok(Some(event)) => return Ok(Some((project, event))),
            Ok(None) => {}
            // A history that cannot be read hides nothing of the others.
            Err(error) => unread = Some(error),
        }
    }
    match unread {
        Some(error) => Err(error.into()),
        None => Ok(None),
    }
}

fn happened(
    args: &Args,
    sight: Sight<'_>,
    project: &Project,
    event: &Event,
) -> Result<(), Failure> {
    let details = browse::details(sight, project, event)?;
    if args.json {
        out::json(&details);
        return Ok(());
    }
    print(|screen| event::text(screen, &details));
    Ok(())
}

/// Prints what is written to a screen.
pub(super) fn print(write: impl FnOnce(&mut Screen<'_>) -> std::io::Result<()>) {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write(&mut Screen::new(&mut text, false));
    out::block(&String::from_utf8_lossy(&text));
}
