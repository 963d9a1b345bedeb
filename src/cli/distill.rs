//! `memd distill`: read what is new, ask the curator, stage its proposal.

use super::failure::once_more;
use super::status::pending;
use super::{Context, Failure, across, begun, out, progress::Progress, refused_file, unattended};
use crate::config::{CuratorChoice, Reached};
use crate::curator::{Environment, Limits};
use crate::distill::{self, Asking, Outcome, Request, Tools};
use crate::memory;
use crate::proposal::{Level, Op, Proposal};
use crate::store::Project;
use crate::text::count;
use crate::trust::Occasion;
use std::path::PathBuf;

/// Ask the curator for changes and stage them for review.
///
/// Nothing is written to memory and nothing is consumed: that happens in `memd review`.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project (default: the one around the current directory).
    #[arg(short, long)]
    project: Option<PathBuf>,
    /// Read only this session file.
    #[arg(short, long)]
    transcript: Option<PathBuf>,
    /// Read sessions from their beginning, also those that count as read since `memd init`.
    #[arg(long)]
    from_start: bool,
    /// What started this.
    #[arg(long, default_value = "manual")]
    trigger: String,
    /// Who proposes: `claude`, `command` (`curator_cmd` of the configuration) or `builtin`.
    #[arg(long)]
    curator: Option<String>,
    /// Go on until no session waits; each distill is one call of the curator.
    #[arg(long)]
    all: bool,
    /// In a project that you trust (`memd trust`), apply what passes every guardrail without a warning.
    #[arg(long, conflicts_with = "dry_run")]
    auto: bool,
    /// Try again what was set aside because distilling it kept failing.
    #[arg(long, conflicts_with = "dry_run")]
    retry: bool,
    /// Show what would be staged and stage nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the proposal as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let choice = choose(args.curator.as_deref(), &context.config.settings.curator)?;
    let project = context.project(args.project.as_deref())?;
    if args.dry_run || args.json {
        once_more(|| across::on_record(&context, &context.store()?, &project, "distill"))?;
    }
    once_more(|| finish_what_was_begun(&context, &project))?;
    if args.retry {
        let store = context.store()?;
        once_more(|| Ok(store.unpark(&store.trust()?, &project.id, context.now)?))?;
    }
    tell_of_the_cap(&context, &choice)?;
    loop {
        let outcome = once_more(|| once(args, &context, &project, &choice))?;
        report(args, &project.name, &outcome)?;
        if matches!(outcome, Outcome::Nothing { .. }) && !args.json && !args.from_start {
            tell_of_what_was_before(&context, &project)?;
        }
        if args.auto {
            once_more(|| apply_unattended(&context, &project, &outcome, args.json))?;
        }
        let waits = matches!(outcome, Outcome::Proposed { waiting, .. } if waiting > 0);
        if !args.all || args.dry_run || !waits {
            return Ok(());
        }
        if let Some(reached) = cap(&context, &choice)? {
            return Err(Failure::known(format!("{reached}; --all goes no further")));
        }
    }
}

/// The cap that this day has reached, if the curator is one that costs.
fn cap(context: &Context, choice: &CuratorChoice) -> Result<Option<Reached>, Failure> {
    if *choice == CuratorChoice::Builtin {
        return Ok(None);
    }
    let spent = context.store()?.spent(context.now)?;
    Ok(spent.reached(&context.config.settings.caps, 0))
}

fn tell_of_the_cap(context: &Context, choice: &CuratorChoice) -> Result<(), Failure> {
    if let Some(reached) = cap(context, choice)? {
        out::problem(&format!(
            "memd: {reached}; this distill was asked for and goes on"
        ));
    }
    Ok(())
}

/// The curator is shown memory as it was decided, not half of it. Standard output is the proposal's.
fn finish_what_was_begun(context: &Context, project: &Project) -> Result<(), Failure> {
    let store = context.store()?;
    let trust = store.trust()?;
    for line in begun::finish(context, &store, &trust, project)? {
        out::problem(&format!("memd: {line}"));
    }
    Ok(())
}

fn choose(named: Option<&str>, configured: &CuratorChoice) -> Result<CuratorChoice, Failure> {
    match (named, configured) {
        (None, configured) => Ok(configured.clone()),
        (Some("claude"), _) => Ok(CuratorChoice::Claude),
        (Some("builtin"), _) => Ok(CuratorChoice::Builtin),
        (Some("command"), CuratorChoice::Command(argv)) => Ok(CuratorChoice::Command(argv.clone())),
        (Some("command"), _) => Err(Failure::usage("no \"curator_cmd\" is configured")
            .hint("put the program and its arguments there, as a list")),
        (Some(other), _) => Err(Failure::usage(format!(
            "{other:?} is no curator; choose claude, command or builtin"
        ))),
    }
}

fn once(
    args: &Args,
    context: &Context,
    project: &Project,
    choice: &CuratorChoice,
) -> Result<Outcome, Failure> {
    let store = context.store()?;
    let trust = store.trust()?;
    let redactor = context.redactor_with(&store, &trust);
    let env = Environment::for_curator(std::env::vars_os()).through(std::env::current_exe().ok());
    let progress = Progress::start(&format!("distilling {}", project.name));
    let tools = Tools {
        places: &context.places,
        settings: &context.config.settings,
        store: &store,
        trust: &trust,
        redactor: &redactor,
        env: &env,
        limits: &Limits::default(),
        asking: Asking::ATTENDED,
        now: context.now,
        progress: &|what| progress.say(what),
        sleep: &std::thread::sleep,
    };
    let request = Request {
        project,
        transcript: args.transcript.as_deref(),
        among: None,
        trigger: &args.trigger,
        curator: choice,
        from_start: args.from_start,
        dry_run: args.dry_run,
    };
    Ok(distill::run(&request, &tools)
        .inspect_err(|_| refused_file::on_record(context, &store, project))?)
}

/// Applies what may go in without a person, and says what it came to. Where the project is not
/// trusted all of it waits, as without `--auto`.
fn apply_unattended(
    context: &Context,
    project: &Project,
    outcome: &Outcome,
    is_json: bool,
) -> Result<(), Failure> {
    let Outcome::Proposed { proposal, .. } = outcome else {
        return Ok(());
    };
    let store = context.store()?;
    let trust = store.trust()?;
    let occasion = Occasion::Command;
    let came = unattended::apply(context, &store, &trust, project, &proposal.id, occasion)?;
    let line = format!("{}: {}", project.name, unattended::words(&came));
    match is_json {
        // Standard output is the proposal's.
        true => out::problem(&format!("memd: {line}")),
        false => out::line(&line),
    }
    for warning in came.done.iter().flat_map(|done| &done.warnings) {
        out::problem(&format!("memd: {warning}"));
    }
    Ok(())
}

/// Says that sessions were there before the memory, which only count as read.
fn tell_of_what_was_before(context: &Context, project: &Project) -> Result<(), Failure> {
    let known = std::slice::from_ref(project);
    let unread = pending::pending(context, &context.store()?, known)?;
    let before = unread.by_project.get(&project.id).map_or(0, |p| p.before);
    if before > 0 {
        let what = count(before, "session", "sessions");
        out::line(&format!(
            "{what} from before memd init count as read: memd distill --from-start reads them"
        ));
    }
    Ok(())
}

fn report(args: &Args, project: &str, outcome: &Outcome) -> Result<(), Failure> {
    match outcome {
        Outcome::Nothing { unread } => {
            name_unread(unread);
            if args.json {
                out::data("null");
            } else {
                out::line(&format!("{project}: nothing new"));
            }
        }
        Outcome::Proposed {
            proposal,
            waiting,
            unread,
        } => {
            name_unread(unread);
            if args.json {
                out::data(&serde_json::to_string_pretty(proposal).map_err(Failure::known)?);
            } else {
                tell(args, project, proposal, *waiting);
            }
        }
    }
    Ok(())
}

fn name_unread(unread: &[String]) {
    for what in unread {
        out::problem(&format!("memd: not read: {what}"));
    }
}

fn tell(args: &Args, project: &str, proposal: &Proposal, waiting: usize) {
    if args.dry_run {
        sketch(proposal);
        out::line("dry run: nothing was staged");
        return;
    }
    let id = &proposal.id;
    if proposal.changes.is_empty() {
        let turns = count(proposal.turns(), "turn", "turns");
        out::line(&format!(
            "{project}: nothing proposed from {turns}; staged as {id}: memd review lets the material go (D) or gives it back (B)"
        ));
    } else {
        let changes = count(proposal.changes.len(), "change", "changes");
        out::line(&format!("{project}: staged {changes} as {id}: memd review"));
    }
    if waiting > 0 && !args.all {
        let sessions = count(waiting, "more session is", "more sessions are");
        out::line(&format!(
            "{sessions} not read yet (--all goes on until none is left)"
        ));
    }
}

/// What a dry run would stage, a line each.
fn sketch(proposal: &Proposal) {
    for change in &proposal.changes {
        let op = match change.op {
            Op::Add => "add",
            Op::Edit => "edit",
            Op::Archive => "archive",
            Op::Tombstone => "tombstone",
        };
        let lines = count(change.evidence.len(), "line", "lines");
        let title = memory::title(change.said());
        out::line(&format!(
            "{op} {}: {title} (rests on {lines})",
            change.file.name()
        ));
        for verdict in change.verdicts.iter().filter(|v| v.level != Level::Pass) {
            out::line(&format!("  {}: {}", verdict.guard, verdict.reason));
        }
    }
    for dropped in &proposal.dropped {
        out::line(&format!("left out: {} ({})", dropped.what, dropped.why));
    }
}
