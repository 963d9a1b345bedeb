//! `memd init`.

use super::{Context, Failure, here, out};
use crate::git::parent::Kept;
use crate::init::{self, Enlisted, Made, Plan, Request, Tools};
use crate::text::{count, first_chars};
use std::path::PathBuf;

/// Give a project a memory.
///
/// Makes `.memory/` with its four files and its own git repository, registers the project, and
/// counts the sessions that exist as read. What exists is never overwritten.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project's folder (default: the project around the current directory).
    path: Option<PathBuf>,
    /// The project's name, at most 80 characters (default: the folder's).
    #[arg(long)]
    name: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(name) = &args.name {
        init::check_name(name)?;
    }
    let mut context = Context::load()?;
    let here = here()?;
    let mut request = Request {
        path: args
            .path
            .as_ref()
            .map_or_else(|| here.clone(), |p| here.join(p)),
        named: args.path.is_some(),
        name: args.name.clone(),
    };
    let settings = &context.config.settings;
    let mut plan = init::plan(&request, settings, &context.places, context.now)?;
    let redactor = context.redactor()?;
    if !redactor.check(&plan.name).is_empty() {
        // A name that stands in a file there is nothing to keep when it holds a secret.
        request.name = plan.root.file_name().map(|n| n.to_string_lossy().into());
        plan = init::plan(&request, settings, &context.places, context.now)?;
    }
    let made = init::execute(&plan, settings, context.now)?;
    let store = context.store()?;
    let trust = store.trust()?;
    let tools = Tools {
        places: &context.places,
        store: &store,
        trust: &trust,
        credentials: &|text| redactor.check(text),
        now: context.now,
    };
    let enlisted = init::enlist(&plan, &mut context.config, &tools)?;
    tell(&plan, &made, &enlisted);
    Ok(())
}

fn tell(plan: &Plan, made: &Made, enlisted: &Enlisted) {
    let memory = plan.memory();
    let memory = memory.display();
    if made.files == 0 && !enlisted.is_new {
        out::line(&format!(
            "{}: {memory} is complete; nothing was made",
            plan.name
        ));
    } else {
        let files = count(made.files, "file", "files");
        out::line(&format!("{}: made {files} in {memory}", plan.name));
    }
    if let Some(commit) = &made.commit {
        let short = first_chars(commit, 8).0;
        out::line(&format!("committed as {short} in its own git repository"));
    }
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
        let what = count(*changes, "entry stands", "entries stand");
        out::line(&format!(
            "{what} there that no review let in here; no agent is given them until then"
        ));
        out::line(&format!(
            "to look at them and adopt them: memd review (proposal {id})"
        ));
    } else if enlisted.is_new {
        out::line("next: work as you do, then memd distill and memd review");
    }
}

fn kept_line(kept: &Kept) -> String {
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
            "memd: {what} of Claude Code cannot be read now and will be new later: memd status"
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
