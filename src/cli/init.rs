//! `memd init`.

use super::{Context, Failure, here, out};
use crate::apply::Begun;
use crate::curator::{self, Environment};
use crate::git::parent::Kept;
use crate::init::{self, Enlisted, Made, Plan, Request, Tools};
use crate::proposal::Op;
use crate::store::Store;
use crate::text::{count, first_chars};
use crate::trust::Trust;
use std::path::{Path, PathBuf};

/// Give a project a memory.
///
/// Makes `.memory/` with its four files (and two that keep its empty folders in git) and its own git
/// repository, registers the project, and
/// counts the sessions that exist as read. What exists is never overwritten.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project's folder (default: the project around the current directory).
    path: Option<PathBuf>,
    /// The project's name, at most 80 characters (default: the one it has, else the folder's).
    #[arg(long)]
    name: Option<String>,
    /// The memory of all projects, in global_root (your home): notes go in, and every brief holds an
    /// excerpt.
    #[arg(long)]
    global: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(name) = &args.name {
        init::check_name(name)?;
    }
    let mut context = Context::load()?;
    let request = request(args, &context, &here()?);
    // What is refused makes no database.
    init::plan(
        &request,
        &context.config.settings,
        &context.places,
        context.now,
    )?;
    let redactor = context.redactor()?;
    let store = context.store()?;
    let trust = store.trust()?;
    let tools = Tools {
        places: &context.places,
        store: &store,
        trust: &trust,
        credentials: &|text| redactor.check(text),
        redactor: &redactor,
        except: None,
        now: context.now,
    };
    let plan = init::named_safely(request, &context.config.settings, &tools)?;
    let begun = init::begin_anew(&plan, &context.config.settings, &tools)?;
    let made = init::execute(&plan, &context.config.settings, &redactor, context.now)?;
    let enlisted = init::enlist(&plan, &mut context.config, &tools)?;
    super::forget::update_index(&context, &store);
    let gone = gone(&store, &trust, &enlisted);
    tell(&plan, begun.as_ref(), &made, &enlisted, gone);
    without_curator(&context);
    Ok(())
}

/// Says at once what the first distill would only find out: that nobody is there to be asked.
fn without_curator(context: &Context) {
    let settings = &context.config.settings;
    let env = Environment::for_curator(std::env::vars_os());
    if let Err(error) = curator::program(&settings.curator, settings, &context.places, &env) {
        out::problem(&format!("memd: nothing can be distilled yet: {error}"));
    }
}

fn request(args: &Args, context: &Context, here: &Path) -> Request {
    let global = args
        .global
        .then(|| context.config.settings.global_root.clone());
    let path = args.path.as_ref().map(|path| here.join(path));
    Request {
        named: args.global || path.is_some(),
        path: path.or(global).unwrap_or_else(|| here.to_owned()),
        name: args.name.clone(),
        global: args.global,
    }
}

/// How much of what is offered was accepted and is not on disk any more.
fn gone(store: &Store, trust: &Trust, enlisted: &Enlisted) -> usize {
    let offer = enlisted.adoptable.as_ref();
    let offer = offer.and_then(|(id, _)| store.proposal(trust, id).ok());
    let changes = offer.map_or_else(Vec::new, |offer| offer.changes);
    changes.iter().filter(|c| c.op == Op::Archive).count()
}

fn tell(plan: &Plan, begun: Option<&Begun>, made: &Made, enlisted: &Enlisted, gone: usize) {
    if let Some(before) = &enlisted.moved_from {
        let before = before.display();
        out::line(&format!(
            "{}: moved here from {before}; it is the same project, and nothing is read twice",
            plan.name
        ));
    }
    if enlisted.is_back {
        out::line(&format!("{}: back on the books", plan.name));
    }
    what_was_made(plan, begun, made, enlisted);
    if let Some(worktree) = plan.worktree.as_ref().filter(|_| made.warnings.is_empty()) {
        out::line(&format!("{} shares it", worktree.display()));
    }
    for kept in &made.kept {
        out::line(&kept_line(kept));
    }
    sessions(enlisted);
    for warning in made.warnings.iter().chain(&enlisted.recovered.warnings) {
        out::problem(&format!("memd: {warning}"));
    }
    if let Some((id, changes)) = &enlisted.adoptable {
        let stand = changes.saturating_sub(gone);
        if stand > 0 {
            let what = count(stand, "entry stands", "entries stand");
            out::line(&format!(
                "{what} there that no review let in here; no agent is given them until then"
            ));
        }
        if gone > 0 {
            let what = count(
                gone,
                "entry that was let in is",
                "entries that were let in are",
            );
            out::line(&format!(
                "{what} not there any more; no agent is given them"
            ));
        }
        out::line(&format!(
            "to look at them and decide: memd review (proposal {id})"
        ));
    } else if enlisted.is_new {
        out::line("next: work as you do, then memd distill and memd review");
    }
}

/// How many files were made, and what for besides memory.
fn files(made: usize, plan: &Plan) -> String {
    let files = count(made, "file", "files");
    let is_keeper = |path: &Path| path.ends_with(".gitkeep");
    match plan
        .files
        .iter()
        .filter(|(path, _)| is_keeper(path))
        .count()
    {
        0 => files,
        n => format!("{files} ({n} of them empty, to keep empty folders in git)"),
    }
}

/// Files and commits.
fn what_was_made(plan: &Plan, begun: Option<&Begun>, made: &Made, enlisted: &Enlisted) {
    let memory = plan.memory();
    let (name, memory) = (&plan.name, memory.display());
    let is_known = !enlisted.is_new || enlisted.is_back;
    if made.files > 0 {
        let files = files(made.files, plan);
        out::line(&format!("{name}: made {files} in {memory}"));
    } else if !is_known || begun.is_some() || made.by_hand.is_some() {
        out::line(&format!("{name}: {memory} holds all its files"));
    } else {
        out::line(&format!("{name}: {memory} is complete; nothing was made"));
    }
    if let Some(begun) = begun {
        out::line(&begun.said());
        out::line(
            "`memd verify` names what the old history held as gone; `memd verify --settle` ends that, where you know why",
        );
        for warning in &begun.warnings {
            out::problem(&format!("memd: {warning}"));
        }
    }
    if let Some(commit) = &made.by_hand {
        let short = first_chars(commit, 8).0;
        out::line(&format!(
            "what stood there is committed as {short} (by hand, not adopted)"
        ));
    }
    if let Some(commit) = &made.commit {
        let short = first_chars(commit, 8).0;
        out::line(&format!("committed as {short} in its own git repository"));
    }
}

/// What was done to the project's own repository, for people.
pub(super) fn kept_line(kept: &Kept) -> String {
    match kept {
        Kept::Ignored(path) => format!(
            "memory stays out of the project's git: a line in {}",
            path.display()
        ),
        Kept::Untracked(n) => format!(
            "the project's git tracked {} of memory; taken out of its index, kept on disk: commit that",
            count(*n, "file", "files")
        ),
    }
}

fn sessions(enlisted: &Enlisted) {
    let baselined = &enlisted.baselined;
    if baselined.unreadable > 0 {
        let what = count(
            baselined.unreadable,
            "session or folder",
            "sessions or folders",
        );
        out::problem(&format!(
            "memd: {what} cannot be read now and will be new later: memd status"
        ));
    }
    let n = baselined.spans.len();
    if n == 0 {
        return;
    }
    let (one, many) = match baselined.from_cursors {
        true => ("session goes", "sessions go"),
        false => ("session so far counts", "sessions so far count"),
    };
    let how = match baselined.from_cursors {
        true => "on where memd 0.3 had read to",
        false => "as read; to distill older ones too: memd distill --from-start",
    };
    out::line(&format!("{} {how}", count(n, one, many)));
}
