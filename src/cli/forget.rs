//! `memd forget`: a project leaves memd's books; its memory stays.

use super::look::{self, Look};
use super::{Context, Failure, gate, here, out, person};
use crate::config::Places;
use crate::init;
use crate::lock::{DistillLock, PATIENCE, ProjectLock};
use crate::store::{Project, Store};
use crate::text::count;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Take a project off memd's books; no file is touched.
///
/// What waits for review there is discarded, trust in its folder is revoked, and its entry leaves the
/// configuration. `.memory/` and its history stay as they are: `memd init` there brings the project back.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project's folder; it may be gone
    path: PathBuf,
    /// Do not ask. Where something waits for review, a terminal is needed all the same
    #[arg(short, long)]
    yes: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut context = Context::load()?;
    let path = here()?.join(&args.path);
    let store =
        Store::open_existing(&context.places)?.ok_or_else(|| look::none_at(&context, &path))?;
    let Some(project) = project(&context, &store, &path)? else {
        return leftover(&mut context, &path);
    };
    tell(&store, &project, &context)?;
    needs_person(&context, &store, &[&project], "forget")?;
    if !args.yes && !is_yes(&format!("take {} off the books?", project.name))? {
        out::line("nothing was changed");
        return Ok(());
    }
    take_off(&mut context, &store, &project)?;
    if project.memory().exists() {
        let memory = project.memory();
        let memory = memory.display();
        out::line(&format!(
            "  {memory} stays as it is; memd init there brings the project back"
        ));
    }
    update_index(&context, &store);
    Ok(())
}

/// The project whose folder this is; one below a project's is none.
fn project(context: &Context, store: &Store, path: &Path) -> Result<Option<Project>, Failure> {
    let known = store.known(&context.config.settings, &context.places)?;
    let root = known.root_at(path).map(Path::to_owned);
    let root = root.or_else(|| path.canonicalize().ok());
    let found = root.map(|root| store.project_at(&root)).transpose()?;
    if let Some(project) = found.flatten() {
        return Ok(Some(project));
    }
    match known.root_of(path) {
        Some(around) if known.is_root(&around) && around != path => Err(Failure::known(format!(
            "{path:?} is no project of its own but part of {around:?}"
        ))
        .hint("name that folder")),
        _ => Ok(None),
    }
}

/// A project that only the configuration knows.
fn leftover(context: &mut Context, path: &Path) -> Result<(), Failure> {
    if context.config.settings.project(path).is_none() {
        return Err(look::none_at(context, path));
    }
    unregister(context, path)?;
    out::line("its entry is out of the configuration; nothing else knew it");
    Ok(())
}

/// Says what would go.
pub(super) fn tell(store: &Store, project: &Project, context: &Context) -> Result<(), Failure> {
    let what = match waits(store, project, context)? {
        None => "nothing waits for review".to_owned(),
        Some(waits) => format!("{waits} would be discarded"),
    };
    let (name, root) = (&project.name, project.root.display());
    out::line(&format!("{name}  {root}: {what}"));
    if let Ok(look) = Look::at(store, project, context.now)
        && look.problem.is_none()
        && let n @ 1.. = look.matched.untrusted().len()
    {
        let what = count(n, "entry on disk that", "entries on disk that");
        out::line(&format!("  {what} nobody accepted: no agent is given that"));
    }
    Ok(())
}

/// What waits for a person there, whatever its age: proposals, and offers of what is there anyhow, on
/// disk or applied unattended, and would be offered again.
fn waits(store: &Store, project: &Project, context: &Context) -> Result<Option<String>, Failure> {
    let (mut proposals, mut offers) = (0, 0);
    for id in store.undecided(&project.id)? {
        match store.status(&id, context.now)?.kind.is_on_disk() {
            true => offers += 1,
            false => proposals += 1,
        }
    }
    let proposals = (proposals > 0).then(|| count(proposals, "proposal", "proposals"));
    let offers = (offers > 0).then(|| {
        let offers = count(offers, "offer", "offers");
        format!("{offers} of what stands in memory already")
    });
    let all: Vec<_> = proposals.into_iter().chain(offers).collect();
    Ok((!all.is_empty()).then(|| all.join(" and ")))
}

/// What waits is discarded by a person only, who is there to read that it is; `--yes` is none. The
/// refusal is kept.
pub(super) fn needs_person(
    context: &Context,
    store: &Store,
    projects: &[&Project],
    what: &str,
) -> Result<(), Failure> {
    if person::is_here() {
        return Ok(());
    }
    let trust = store.trust()?;
    for project in projects {
        if let Some(waits) = waits(store, project, context)? {
            let waiting = store.undecided(&project.id)?.len();
            let details = json!({ "undecided": waiting });
            person::refused(context, store, &trust, Some(project), what, details);
            let why = format!(
                "{waits} of {} would be discarded, and that needs a person on a terminal; nothing was changed",
                project.name
            );
            return Err(Failure::usage(why)
                .hint("decide it in `memd review` first, or do this on a terminal"));
        }
    }
    Ok(())
}

/// Asks on the terminal; what was typed before is no answer.
pub(super) fn is_yes(question: &str) -> Result<bool, Failure> {
    if !person::is_here() {
        return Err(person::needed("a question", "changed").hint("--yes goes on without asking"));
    }
    person::says_yes(&format!("{question} [y, anything else changes nothing]"))
}

/// Takes a project off the books and says what that was.
pub(super) fn take_off(
    context: &mut Context,
    store: &Store,
    project: &Project,
) -> Result<(), Failure> {
    let locks = Places::locks(&context.places);
    let _distill = DistillLock::take(&locks, &project.id).map_err(Failure::known)?;
    let _memory = ProjectLock::take(&locks, &project.id, PATIENCE).map_err(Failure::known)?;
    let trust = store.trust()?;
    let waits = waits(store, project, context)?;
    let gone = store.forget_project(&trust, &project.id, by(), context.now)?;
    unregister(context, &project.root)?;
    let name = &project.name;
    out::line(&format!("{name} is off the books"));
    if let Some(what) = waits {
        out::line(&format!(
            "  discarded: {what}; notes stay in the inbox, and no session counts as read for it"
        ));
    }
    if gone.was_trusted {
        out::line("  revoked: the trust to apply there without you");
    }
    Ok(())
}

/// Who does it, for the record.
fn by() -> &'static str {
    match person::is_here() {
        true => "a person on a terminal",
        false => "whoever ran it, without a terminal",
    }
}

fn unregister(context: &mut Context, root: &Path) -> Result<(), Failure> {
    let change = context.config.change(&context.places, |config| {
        config.unregister(root);
    });
    Ok(change?)
}

/// The index of all projects follows; what fails is said and changes nothing else.
pub(super) fn update_index(context: &Context, store: &Store) {
    let (settings, locks) = (&context.config.settings, context.places.locks());
    if let Err(error) = init::write_index(store, settings, &locks, &gate::shown_text, context.now) {
        out::problem(&format!("memd: {}: {error}", init::INDEX));
    }
}
