//! `memd review`: a person decides, on a terminal.

mod full;
mod hands;
pub(super) mod input;
mod keys;
mod list;
pub(super) mod page;
mod plain;
pub(super) mod queue;
pub(super) mod screen;
mod sheet;
mod start;
#[cfg(test)]
mod tests;

use super::{Context, Failure, Stage, begun, editor, look, out};
use crate::lock::PATIENCE;
use crate::review::Waiting;
use crate::review::desk::Desk;
use crate::store::{Project, Store};
use crate::tui;
use hands::Hands;
use input::Tty;
use jiff::Timestamp;
use plain::Plain;
use screen::Screen;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

/// Decide on what is staged. Needs a terminal; without one it lists what waits.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Line by line, as for a screen reader or a dumb terminal
    #[arg(long)]
    plain: bool,
    /// Only the project at or around this directory (default: the one around the current directory)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// All projects
    #[arg(long, conflicts_with = "project")]
    all: bool,
    /// Also what left the queue by its age: it is put back
    #[arg(long)]
    expired: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let Some(store) = Store::open_existing(&context.places).map_err(Failure::known)? else {
        out::line(NOTHING);
        out::line(NO_MEMORY);
        return Ok(());
    };
    let project = scope(args, &context, &store)?;
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        on_terminal(args, &context, &store, project.as_ref())?;
    } else {
        list::list(&store, project.as_ref(), context.now)?;
    }
    if project.is_none() && !args.all {
        out::line(NO_MEMORY);
    }
    Ok(())
}

const NOTHING: &str = "nothing to review";
/// Said outside of any project with a memory.
const NO_MEMORY: &str = "there is no memory here yet: memd init gives a project one";

/// The project that is meant; none: all of them.
fn scope(args: &Args, context: &Context, store: &Store) -> Result<Option<Project>, Failure> {
    if args.all {
        return Ok(None);
    }
    match &args.project {
        Some(dir) => look::asked_project(context, store, Some(dir)).map(Some),
        None => match std::env::current_dir() {
            Ok(here) => look::project_at(context, store, &here),
            Err(_) => Ok(None),
        },
    }
}

fn on_terminal(
    args: &Args,
    context: &Context,
    store: &Store,
    project: Option<&Project>,
) -> Result<(), Failure> {
    let trust = store.trust().map_err(Failure::known)?;
    editor::sweep(&context.places.state, context.now);
    store.expire(&trust, context.now).map_err(Failure::known)?;
    for one in start::projects(store, project)? {
        match begun::finish(context, store, &trust, &one) {
            Ok(lines) => lines.iter().for_each(|line| out::line(line)),
            Err(failure) if project.is_some() => return Err(failure),
            // One broken memory does not keep the others from being reviewed.
            Err(failure) => out::line(&format!("{}: {failure}", one.name)),
        }
    }
    if args.expired {
        start::revive(context, store, &trust, project)?;
    }
    start::offer_what_is_on_disk(context, store, &trust, project)?;
    let only = project.map(|p| p.id.clone());
    let tty = tui::term::Tty::open().filter(|_| !args.plain && !is_dumb());
    // On the screen it is told that another memd writes, and tried again.
    let patience = if tty.is_some() {
        Duration::ZERO
    } else {
        PATIENCE
    };
    let mut hands = Hands::new(context, store, &trust, only, patience);
    let queue = hands.queue().map_err(Failure::known)?;
    if queue.is_empty() {
        out::line(NOTHING);
    } else if let Some(tty) = tty {
        full::show(context, &mut hands, tty)?;
    } else {
        play(&mut hands, queue, context.now)
            .map_err(|e| Failure::known(format!("the terminal failed: {e}")))?;
    }
    list::elsewhere(store, project, context.now)
}

fn play(hands: &mut Hands<'_>, queue: Vec<Waiting>, now: Timestamp) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let screen = Screen::new(&mut stdout, has_colour());
    let mut tty = Tty;
    let mut plain = Plain::new(screen, &mut tty, hands, now);
    if Stage::places().is_some() {
        plain.leave_with("the demo goes on with what was applied");
    }
    plain.run(queue)
}

/// Whether styles may be used at all.
fn has_colour() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !set("NO_COLOR") && !is_dumb()
}

/// Whether the terminal can only be written to, line by line.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty())
}
