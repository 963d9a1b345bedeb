//! `memd log`.

use super::{Context, Failure, across, look, out};
use crate::browse::{self, Chars, Event, What, Who};
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
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let project = context.project(args.project.as_deref())?;
    let books = look::Books::of(&context, context.store_to_look()?)?;
    across::on_record(&context, &books.store, &project, "log")?;
    let sight = books.sight();
    let (events, problem) = browse::log(sight, &project, args.n)?;
    if let Some(problem) = problem {
        out::problem(&format!("memd: {problem}; commits are missing below"));
    }
    if args.json {
        out::data(&serde_json::to_string_pretty(&events).map_err(Failure::known)?);
        return Ok(());
    }
    if args.n == 0 {
        out::line("-n 0 asks for no event; leave it out for the last 20");
    } else if events.is_empty() {
        out::line("nothing has happened to this memory yet");
    }
    for event in &events {
        out::line(&line(event));
    }
    Ok(())
}

/// Such as `2026-11-29 12:00  apply    0a1b2c3d  3 in, 1 rejected, +421 -96: ports (manual, claude
/// sonnet, $0.010)`.
pub(super) fn line(event: &Event) -> String {
    let at = event.at.strftime("%Y-%m-%d %H:%M");
    let short = |id: &str| first_chars(id, 8).0.to_owned();
    let commit = event.commit.as_deref();
    let id = event.proposal.as_ref().map(ToString::to_string);
    let id = id.or_else(|| commit.map(short));
    let id = id.or_else(|| event.entries.first().map(|e| short(e.as_str())));
    let (sums, brackets) = (sums(event), brackets(event));
    let text = match (sums.is_empty(), event.summary.is_empty()) {
        (true, _) => event.summary.clone(),
        (false, true) => sums,
        (false, false) => format!("{sums}: {}", event.summary),
    };
    let line = format!(
        "{at}  {:<8} {:<8}  {text}{brackets}",
        event.what.name(),
        id.unwrap_or_default(),
    );
    line.trim_end().to_owned()
}

/// How much went in and out.
fn sums(event: &Event) -> String {
    let mut sums = Vec::new();
    if event.applied > 0 {
        sums.push(format!("{} in", event.applied));
    }
    if event.rejected > 0 {
        sums.push(format!("{} {}", event.rejected, event.what.refused()));
    }
    if let Some(parts) = event.parts {
        sums.push(format!("one of {parts} parts"));
    }
    if let Some(chars) = event.chars.filter(|c| *c != Chars::default()) {
        sums.push(format!("+{} -{}", chars.added, chars.removed));
    }
    sums.join(", ")
}

/// What started it, who proposed it, at what cost.
fn brackets(event: &Event) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(curator) = &event.curator {
        parts.extend(event.trigger.clone());
        let model = curator.model.as_deref().unwrap_or_default();
        let who = format!("{} {model}", curator.backend);
        parts.push(who.trim_end().to_owned());
        parts.extend(curator.cost_usd.map(|usd| format!("${usd:.3}")));
    }
    if event.who == Who::Policy {
        parts.push("unreviewed, by a policy".to_owned());
    }
    if event.broken {
        parts.push("changed since: memd verify".to_owned());
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    }
}

/// Who decided, for people.
pub(super) fn who(event: &Event) -> &'static str {
    match event.who {
        Who::Person => "by a person",
        Who::Policy => "by a policy that a person granted",
        Who::Memd => "by its age",
        // memd commits what it finds changed by hand, and knows as little who wrote it.
        Who::Unknown if event.what == What::ByHand => {
            "by whoever wrote it into the files; memd committed it"
        }
        Who::Unknown => "by whoever made the commit, without memd",
    }
}

/// What became of a proposal, and when.
pub(super) fn when(event: &Event) -> String {
    let at = event.at.strftime("%Y-%m-%d %H:%M");
    let sums = match sums(event).as_str() {
        "" => String::new(),
        sums => format!(", {sums}"),
    };
    let commit = event.commit.as_deref().map_or_else(String::new, |c| {
        let gone = match event.commit_gone {
            true => ", which is not in the history any more (purged, or an older one was put back)",
            false => "",
        };
        format!(", commit {}{gone}", first_chars(c, 12).0)
    });
    format!("{at} {} {}{sums}{commit}", event.what.name(), who(event))
}
