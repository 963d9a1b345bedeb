//! `memd confirm`: a person confirms an entry, on a terminal.

use super::staged::Work;
use super::{Context, Failure, look, out, person, revert};
use crate::apply;
use crate::id::EntryId;
use crate::text::{TextHash, count};
use serde_json::json;
use std::path::PathBuf;

/// Confirm an entry: that it holds, as of now. Needs a terminal.
///
/// Counted and dated. A change of what you confirmed is flagged from then on.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The entry: the beginning of its id, or words only it holds
    entry: String,
    /// The project (default: the one around the current directory)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = revert::existing(&context)?;
    let trust = store.trust()?;
    let project = look::asked_project(&context, &store, args.project.as_deref())?;
    if !person::is_here() {
        person::refused(
            &context,
            &store,
            &trust,
            Some(&project),
            "confirm",
            json!({}),
        );
        return Err(person::needed("confirming an entry", "confirmed"));
    }
    let work = Work::new(&context, &store, &trust, project, "confirm")?;
    let entry = work.entry(&args.entry)?;
    let shown = show(&work, &entry)?;
    if !is_yes()? {
        out::line("nothing was confirmed");
        return Ok(());
    }
    let confirmed = apply::confirm_shown(work.ground(), &work.lock()?, &entry, &shown)?;
    let times = count(confirmed.record.confirmations as usize, "time", "times");
    out::line(&format!("confirmed, {times} by now"));
    Ok(())
}

/// Shows what is about to be confirmed; gives the hash of its text.
fn show(work: &Work<'_>, entry: &EntryId) -> Result<TextHash, Failure> {
    let record = apply::sound(work.ground(), &work.lock()?, entry)?;
    let place = match record.section.as_str() {
        "" => record.file.name().to_owned(),
        section => format!("{} › {section}", record.file.name()),
    };
    let day = |t: jiff::Timestamp| t.strftime("%Y-%m-%d").to_string();
    let accepted = record.accepted.map_or_else(
        || "no person has accepted it yet".to_owned(),
        |at| format!("accepted {}", day(at)),
    );
    let confirmed = record.confirmed.map_or_else(String::new, |at| {
        let times = count(record.confirmations as usize, "time", "times");
        format!(", confirmed {times}, last {}", day(at))
    });
    out::line(&format!("{place}  ({accepted}{confirmed})"));
    out::block(&work.redactor.shown(&record.text));
    Ok(record.hash())
}

fn is_yes() -> Result<bool, Failure> {
    person::says_yes("does it still hold? [y to confirm, anything else leaves it as it is]")
}
