//! `memd guards`.

mod check;

use super::{Context, Failure, look, lost, out};
use crate::browse::{self, Decided, Flags};
use crate::text::count;
use std::path::PathBuf;

/// Show how often guardrails spoke, and what you decided then.
///
/// Counts changes that curators proposed and you accepted or rejected. A flag on what you accepted
/// was a false alarm: a guardrail with many of them is worth a report. With --check, asks the
/// guardrails about files instead: your own memory, a colleague's, a curator's replies.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Only this project (default: all)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// Instead, show what guardrails say of markdown files and curators' replies (.json), and of how
    /// many texts; keeps nothing
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "project")]
    check: Vec<PathBuf>,
    /// For programs: one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if !args.check.is_empty() {
        return check::run(&args.check, args.json);
    }
    let context = Context::load()?;
    let none = || Failure::known("nothing was decided yet; `memd review` decides");
    let books = look::Books::of(&context, lost::opened(&context)?.ok_or_else(none)?)?;
    let sight = books.sight();
    let projects = match &args.project {
        Some(dir) => vec![look::asked_project(&context, &books.store, Some(dir))?],
        None => books.store.projects()?,
    };
    let projects: Vec<_> = projects.into_iter().map(|p| p.id).collect();
    let flags = browse::flags(sight, &projects)?;
    if args.json {
        out::json(&flags);
    } else {
        lines(&flags).iter().for_each(|line| out::line(line));
    }
    Ok(())
}

fn lines(flags: &Flags) -> Vec<String> {
    let mut lines = vec![format!(
        "you decided on {} that curators proposed: {}",
        count(flags.all.total(), "change", "changes"),
        said(flags.all)
    )];
    if !flags.guards.is_empty() {
        lines.push(format!("flagged: {}", said(flags.flagged)));
        let width = flags.guards.keys().map(String::len).max().unwrap_or(0);
        let guards = flags.guards.iter();
        lines.extend(guards.map(|(guard, n)| format!("  {guard:<width$}  {}", said(*n))));
    }
    if let Some(share) = flags.false_alarms() {
        lines.push(format!(
            "false alarms: {} of {} accepted changes had a flag for what they say (evidence is none), {share:.1} %",
            flags.content.accepted, flags.all.accepted
        ));
    }
    if flags.unread > 0 {
        let n = count(flags.unread, "proposal does", "proposals do");
        lines.push(format!("{n} not verify and is not counted: memd verify"));
    }
    lines
}

fn said(decided: Decided) -> String {
    let Decided { accepted, rejected } = decided;
    format!("{accepted} accepted, {rejected} rejected")
}
