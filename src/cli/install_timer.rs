//! `memd install-timer`: unit files that start `memd sweep`; runs nothing.

use super::{Context, Failure, out};
use crate::sweep::{Timer, TimerError, UnitState};

/// Have your system start `memd sweep` every half hour.
///
/// Writes systemd user units (on macOS a launchd agent) and prints the command that starts them. Runs
/// nothing itself, and touches no file that memd did not write.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Print what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Take the files away again
    #[arg(long)]
    remove: bool,
}

/// What memd, curators and their programs are found by.
const ENVIRONMENT: [&str; 6] = [
    "PATH",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
];

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let timer = timer(&Context::load()?)?;
    if args.remove {
        return remove(&timer, args.dry_run);
    }
    let states = timer.states()?;
    if args.dry_run {
        for unit in &timer.units {
            out::line(&format!("# {}", unit.path.display()));
            out::block(&unit.text);
        }
        out::line(&format!("# then: {}", timer.start));
        return Ok(());
    }
    timer.install()?;
    for (unit, state) in timer.units.iter().zip(states) {
        let what = match state {
            UnitState::Same => "is there already",
            UnitState::Missing => "written",
            UnitState::Ours | UnitState::Foreign => "written anew",
        };
        out::line(&format!("{}: {what}", unit.path.display()));
    }
    out::line("to start it:");
    out::line(&format!("  {}", timer.start));
    Ok(())
}

fn remove(timer: &Timer, dry_run: bool) -> Result<(), Failure> {
    let there: Vec<_> = timer
        .units
        .iter()
        .zip(timer.states()?)
        .filter(|(_, state)| *state != UnitState::Missing)
        .map(|(unit, _)| unit.path.as_path())
        .collect();
    if there.is_empty() {
        out::line("no timer of memd's is installed");
        return Ok(());
    }
    if !dry_run {
        timer.remove()?;
    }
    for path in there {
        let what = if dry_run {
            "would be removed"
        } else {
            "removed"
        };
        out::line(&format!("{}: {what}", path.display()));
    }
    out::line("if it was started, stop it:");
    out::line(&format!("  {}", timer.stop));
    Ok(())
}

fn timer(context: &Context) -> Result<Timer, Failure> {
    let memd = std::env::current_exe()
        .map_err(|e| Failure::known(format!("memd's own path cannot be found: {e}")))?;
    let environment = ENVIRONMENT.iter().filter_map(|name| {
        let value = std::env::var(name).ok()?;
        let is_good = !value.is_empty() && !value.contains(char::is_control);
        is_good.then(|| ((*name).to_owned(), value))
    });
    let environment: Vec<_> = environment.collect();
    let places = &context.places;
    Ok(match cfg!(target_os = "macos") {
        true => Timer::launchd(&places.home, &memd, &environment)?,
        false => {
            let config = places.config.parent().and_then(|memd| memd.parent());
            let config = config.unwrap_or(&places.home);
            Timer::systemd(config, &memd, &environment)?
        }
    })
}

impl From<TimerError> for Failure {
    fn from(error: TimerError) -> Self {
        Self::known(error)
    }
}
