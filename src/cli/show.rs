//! `memd show`.

mod render;

use super::review::{queue, screen::Screen};
use super::{Context, Failure, out};
use crate::store::Store;

/// Show one proposal in full: changes, verdicts, evidence, redactions, coverage, cost.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The proposal, or the beginning of its id
    id: String,
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let none = || Failure::known("nothing is staged; `memd distill` stages");
    let store = Store::open_to_look(&context.places)
        .map_err(Failure::known)?
        .ok_or_else(none)?;
    let trust = store.trust().map_err(Failure::known)?;
    let id = store.find_proposal(&args.id).map_err(Failure::known)?;
    let status = store.status(&id, context.now).map_err(Failure::known)?;
    let item = queue::whole(&store, &trust, &id)?;
    if args.json {
        out::json(&render::json(&item, &status));
        return Ok(());
    }
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = render::text(
        &mut Screen::new(&mut text, false),
        &item,
        &status,
        context.now,
    );
    out::block(&String::from_utf8_lossy(&text));
    Ok(())
}
