//! `memd review`: a person decides, on a terminal.

mod full;
mod hands;
pub(super) mod input;
mod keys;
mod library;
mod list;
mod own_words;
pub(super) mod page;
mod plain;
pub(super) mod queue;
mod rehearsal;
pub(super) mod screen;
mod sheet;
mod stale;
mod start;
#[cfg(test)]
mod tests;
mod unattended;
pub(super) mod words;

use super::{Context, Failure, Stage, across, begun, editor, give_up, look, lost, out, person};
use crate::id::ProposalId;
use crate::lock::PATIENCE;
use crate::review::desk::Desk;
use crate::review::{Item, Waiting};
use crate::store::{Project, Store};
use crate::trust::Trust;
use crate::tui;
use hands::Hands;
use input::Tty;
use jiff::Timestamp;
use plain::Plain;
use rehearsal::Rehearsal;
use screen::Screen;
use signal_hook::low_level::emulate_default_handler;
use std::io;
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
    /// Print the screen as text and leave; nothing is written
    #[arg(long, conflicts_with_all = ["plain", "expired"])]
    print: bool,
    /// Play these keys before it is printed, as in ]]a<Ctrl-d><Enter>
    #[arg(long, requires = "print", allow_hyphen_values = true)]
    keys: Option<String>,
    /// Columns and rows of what is printed
    #[arg(long, requires = "print", value_name = "WxH", value_parser = size)]
    size: Option<(u16, u16)>,
    /// Opens the screen whether or not something waits.
    #[arg(skip)]
    is_alone: bool,
}

impl Args {
    /// As `memd` alone has it: the screen comes up also when nothing waits.
    pub(super) fn alone() -> Self {
        Self {
            is_alone: true,
            ..Self::default()
        }
    }
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let (columns, rows) = text.split_once('x').ok_or("write it as 80x24")?;
    let number = |text: &str| match text.parse() {
        Ok(n @ 1..=1000) => Ok(n),
        _ => Err(format!("{text:?} is no number from 1 to 1000")),
    };
    Ok((number(columns)?, number(rows)?))
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = Store::open_existing(&context.places).map_err(Failure::known)?;
    lost::refuse(&context, store.as_ref())?;
    let Some(store) = store else {
        out::line(NOTHING);
        out::line(&no_memory(&context));
        return Ok(());
    };
    let project = scope(args, &context, &store)?;
    // Without a key nothing is told apart: that is all there is to say, to whomever.
    let trust = store.trust().map_err(Failure::known)?;
    if args.print || person::is_here() {
        let shown = start::projects(&store, project.as_ref())?;
        across::all_on_record(&context, &store, &shown, "review")?;
    }
    if args.print {
        return rehearse(args, &context, &store, &trust, project.as_ref());
    }
    if person::is_here() {
        on_terminal(args, &context, &store, &trust, project.as_ref())?;
    } else {
        let broken = give_up::open(&context, &store, &trust, project.as_ref())?;
        list::list(&context, &store, project.as_ref(), &broken)?;
        unsound(broken.len())?;
    }
    if project.is_none() && !args.all {
        let here = std::env::current_dir().ok();
        let moved = here.map(|here| look::moved_to(&context, &store, &here));
        // The look at all memories has said so.
        if moved.transpose()?.flatten().is_none() {
            out::line(&no_memory(&context));
        }
    }
    Ok(())
}

/// What is said on leaving a review within the demo.
const DEMO_GOES_ON: &str = "the demo goes on with what was applied";
const NOTHING: &str = "nothing to review";
/// Said outside of any project with a memory.
const NO_MEMORY: &str = "there is no memory here yet: memd init gives a project one";

/// What is said where no project is around the current directory.
fn no_memory(context: &Context) -> String {
    let here = std::env::current_dir().ok();
    let unknown = here.and_then(|here| look::unknown(context, &here));
    unknown.unwrap_or_else(|| NO_MEMORY.to_owned())
}

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
    trust: &Trust,
    project: Option<&Project>,
) -> Result<(), Failure> {
    editor::sweep(&context.places.state, context.now);
    store.expire(trust, context.now).map_err(Failure::known)?;
    for one in start::projects(store, project)? {
        match begun::finish(context, store, trust, &one) {
            Ok(lines) => lines.iter().for_each(|line| out::line(line)),
            Err(failure) if project.is_some() => return Err(failure),
            // One broken memory does not keep the others from being reviewed.
            Err(failure) => out::line(&format!("{}: {failure}", one.name)),
        }
    }
    if args.expired {
        start::revive(context, store, trust, project)?;
    }
    let left = give_up::open(context, store, trust, project)?;
    let left = give_up::ask(context, store, trust, left)?;
    let hindered = start::offer_what_stands(context, store, trust, project)?;
    hindered.iter().for_each(|line| out::line(line));
    let only = project.map(|p| p.id.clone());
    let tty = tui::term::Tty::open().filter(|_| !args.plain && !is_dumb());
    // On the screen it is told that another memd writes, and tried again.
    let patience = if tty.is_some() {
        Duration::ZERO
    } else {
        PATIENCE
    };
    let mut hands = Hands::new(context, store, trust, only, patience);
    let queue = hands.queue().map_err(Failure::known)?;
    // The other views are looked at although nothing waits.
    let is_empty = queue.is_empty() && !(args.is_alone && tty.is_some() && has_memory(store));
    if is_empty {
        if hindered.is_empty() {
            out::line(NOTHING);
        }
    } else if let Some(tty) = tty {
        let mut app = full::app(context)?;
        // The screen covers what was said before it.
        app.notice = (!hindered.is_empty()).then(|| hindered.join("; "));
        full::show(app, &mut hands, tty)?;
    } else {
        play(&mut hands, queue, context.now)
            .map_err(|e| Failure::known(format!("the terminal failed: {e}")))?;
    }
    list::elsewhere(store, project, context.now)?;
    unsound(left.len())
}

/// Proposals that do not hold are left.
fn unsound(n: usize) -> Result<(), Failure> {
    if n == 0 {
        return Ok(());
    }
    let what = crate::text::count(n, "proposal was", "proposals were");
    Err(
        Failure::known(format!("{what} changed outside memd and cannot be decided on"))
            .hint("`memd review` on a terminal asks whether to give it up, so that what it was made of is read again"),
    )
}

/// Whether there is anything to look at.
fn has_memory(store: &Store) -> bool {
    store.projects().is_ok_and(|all| !all.is_empty())
}

/// Puts what the guardrails say now of the changes that still wait in the place of what they said when
/// they were staged: what a review shows, for `memd show` to count the same. Where memory cannot be
/// read it stays as it was.
pub(super) fn judge(context: &Context, store: &Store, trust: &Trust, shown: &mut Item) {
    let mut hands = Hands::new(context, store, trust, None, Duration::ZERO);
    let Ok(open) = hands.open(&shown.proposal.id) else {
        return;
    };
    let Ok(judged) = hands.judge(&open) else {
        return;
    };
    for n in open.order {
        match judged.changes.get(&n) {
            Some(said) => shown.judged.changes.insert(n, said.clone()),
            None => shown.judged.changes.remove(&n),
        };
    }
    shown.judged.files = judged.files;
    shown.judged.standing = judged.standing;
    shown.judged.lapsed = judged.lapsed;
}

/// The reverse of an applied proposal, shown to be read and applied; false where there is no screen
/// to show it on.
pub(super) fn at_revert(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: &Project,
    id: &ProposalId,
) -> Result<bool, Failure> {
    if !person::is_here() {
        return Ok(false);
    }
    let Some(tty) = tui::term::Tty::open().filter(|_| !is_dumb()) else {
        return Ok(false);
    };
    across::on_record(context, store, project, "revert")?;
    let lines = begun::finish(context, store, trust, project)?;
    lines.iter().for_each(|line| out::line(line));
    let only = Some(project.id.clone());
    let mut hands = Hands::new(context, store, trust, only, Duration::ZERO);
    let mut app = full::app(context)?;
    tui::shelf::start_at_revert(&mut app, project.id.clone(), id.clone());
    full::show(app, &mut hands, tty)?;
    Ok(true)
}

/// The screen after some keys, as text. Reads only: nothing is finished, expired or offered first.
fn rehearse(
    args: &Args,
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: Option<&Project>,
) -> Result<(), Failure> {
    let keys =
        tui::input::keys(args.keys.as_deref().unwrap_or_default()).map_err(Failure::usage)?;
    let only = project.map(|p| p.id.clone());
    let hands = Hands::new(context, store, trust, only, PATIENCE);
    let size = args.size.unwrap_or((80, 24));
    let app = tui::App::new(size, full::look()?, context.now);
    let mut hands = Rehearsal::new(hands);
    for row in tui::play::play(app, &mut hands, &keys, context.now) {
        out::line(&row);
    }
    list::unstaged(context, store, project)
}

fn play(hands: &mut Hands<'_>, queue: Vec<Waiting>, now: Timestamp) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let screen = Screen::new(&mut stdout, has_colour());
    let mut tty = Tty::with_signals();
    let mut plain = Plain::new(screen, &mut tty, hands, now);
    if Stage::places().is_some() {
        plain.leave_with(DEMO_GOES_ON);
    }
    let done = plain.run(queue);
    match tty.ended() {
        Some(signal) => {
            // A terminal that is gone takes nothing any more.
            let _ = io::Write::flush(&mut stdout);
            emulate_default_handler(signal)
        }
        None => done,
    }
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
