//! `memd log`.

use super::{Context, Failure, out};
use crate::browse::{self, Event, Sight};
use crate::text::first_chars;
use std::path::PathBuf;

/// List what happened to a project's memory, newest first.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project (default: the one around the current directory).
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// At most so many.
    #[arg(short, default_value_t = 20)]
    n: usize,
    /// For programs: one JSON array.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let project = context.project(args.project.as_deref())?;
    let store = context.store_to_look()?;
    let trust = store.trust()?;
    let redactor = context.redactor_with(&store, &trust);
    let sight = Sight {
        store: &store,
        trust: &trust,
        redactor: &redactor,
        now: context.now,
    };
    let (events, problem) = browse::log(sight, &project, args.n)?;
    if let Some(problem) = problem {
        out::problem(&format!("memd: {problem}; commits are missing below"));
    }
    if args.json {
        out::data(&serde_json::to_string_pretty(&events).map_err(Failure::known)?);
        return Ok(());
    }
    if events.is_empty() {
        out::line("nothing has happened to this memory yet");
    }
    for event in &events {
        out::line(&line(event));
    }
    Ok(())
}

/// Such as `2026-11-29 12:00  apply    3 in, 1 rejected  0a1b2c3d  ports (claude sonnet, $0.01)`.
fn line(event: &Event) -> String {
    let at = event.at.strftime("%Y-%m-%d %H:%M");
    let id = event.proposal.as_ref().map(ToString::to_string);
    let id = id.or_else(|| {
        event
            .commit
            .as_ref()
            .map(|c| first_chars(c, 8).0.to_owned())
    });
    let sums = match (event.applied, event.rejected) {
        (0, 0) => String::new(),
        (n, 0) => format!("{n} in: "),
        (0, n) => format!("{n} rejected: "),
        (n, m) => format!("{n} in, {m} rejected: "),
    };
    let mut line = format!(
        "{at}  {:<8} {}  {sums}{}",
        event.what.name(),
        id.unwrap_or_default(),
        event.summary
    );
    if let Some(curator) = &event.curator {
        let model = curator.model.as_deref().unwrap_or_default();
        let cost = curator
            .cost_usd
            .map_or_else(String::new, |usd| format!(", ${usd:.3}"));
        let who = format!("{} {model}", curator.backend);
        line.push_str(&format!(" ({}{cost})", who.trim_end()));
    }
    line
}
