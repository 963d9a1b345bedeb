//! `memd trust`: a person's leave to apply in a project without them, asked for on a terminal.

use super::{Context, Failure, look, out, person, revert};
use crate::config::Lapses;
use crate::store::Project;
use crate::trust::Mode;
use serde_json::json;
use std::path::PathBuf;

/// Let memd apply in a project without you. Asks on a terminal.
///
/// From then on `memd distill --auto` applies there what passes every guardrail without a warning.
/// Such entries are marked unreviewed, wait in `memd review`, and lapse unless you accept them. What
/// you accepted is never changed without you. `memd untrust` takes it back.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project's folder
    path: PathBuf,
    /// Also from hooks and sweeps, while nobody looks
    #[arg(long)]
    hooks: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = revert::existing(&context)?;
    let trust = store.trust()?;
    let project = look::asked_project(&context, &store, Some(&args.path))?;
    if !person::is_here() {
        let details = json!({ "hooks": args.hooks });
        person::refused(&context, &store, &trust, Some(&project), "trust", details);
        return Err(person::needed("trusting a project", "granted"));
    }
    let before = store.mode(&trust, &project.id)?;
    let lapses = context.config.settings.lapse_days;
    for line in terms(&project, before, args.hooks, lapses) {
        out::line(&line);
    }
    if !is_yes()? {
        out::line("nothing was granted");
        return Ok(());
    }
    store.grant(&trust, &project.id, args.hooks, context.now)?;
    out::line(&format!(
        "{} is trusted; to take it back: memd untrust",
        project.name
    ));
    Ok(())
}

/// What a yes would mean.
fn terms(project: &Project, before: Mode, hooks: bool, lapses: Lapses) -> Vec<String> {
    let when = match hooks {
        false => "when `memd distill --auto` is run: by you, a script, a timer, or an agent",
        true => "when `memd distill --auto` is run, and by hooks and sweeps, while nobody looks",
    };
    let now = match before {
        Mode::Stages => "everything waits for your review",
        Mode::Applies => "`memd distill --auto` applies, hooks and sweeps do not",
        Mode::AppliesFromHooks => "`memd distill --auto`, hooks and sweeps apply",
    };
    let Lapses {
        state,
        todo,
        decisions,
        mistakes,
    } = lapses;
    vec![
        format!("{}  {}", project.name, project.root.display()),
        format!("  now: {now}"),
        format!("  with a yes memd writes to this project's memory without you {when}."),
        "  - only what passes every guardrail without a warning; the rest waits for you".to_owned(),
        "  - only what you or the model said in a session; what a tool's output (a page, a file, a command) or a note says too waits"
            .to_owned(),
        "  - additions, and changes of what was added like this; what you accepted stays"
            .to_owned(),
        "  - agents are given it at once, marked unreviewed".to_owned(),
        format!(
            "  - it lapses unless you accept it in memd review: state after {state} days, todo {todo}, decisions {decisions}, mistakes {mistakes}"
        ),
        "  Guardrails are no proof: what a session read may get in. memd untrust takes this back."
            .to_owned(),
    ]
}

fn is_yes() -> Result<bool, Failure> {
    person::says_yes("trust it? [y, anything else grants nothing]")
}
