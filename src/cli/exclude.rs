//! `memd exclude`: keeps memd away from a folder.

use super::forget::{is_yes, needs_person, take_off, tell, update_index};
use super::{Context, Failure, here, out};
use crate::project::{Known, without_links};
use crate::store::{Project, Store};
use std::path::{Path, PathBuf};

/// Never manage a folder, or anything below it.
///
/// It goes into `exclude` in the configuration: no memory is made there, no session held there is
/// read, none is given anything. A project there is taken off the books, as by `memd forget`; its
/// files stay.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The folder; it may be gone
    path: PathBuf,
    /// Do not ask, where a project is taken off the books. Where something waits for review there, a
    /// terminal is needed all the same
    #[arg(short, long)]
    yes: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut context = Context::load()?;
    let path = without_links(&here()?.join(&args.path));
    check(&context, &path)?;
    let store = Store::open_existing(&context.places)?;
    let below = match &store {
        Some(store) => projects(store, &path)?,
        None => Vec::new(),
    };
    if let Some(store) = store.as_ref().filter(|_| !below.is_empty()) {
        for project in &below {
            tell(store, project, &context)?;
        }
        let all: Vec<_> = below.iter().collect();
        needs_person(&context, store, &all, "exclude")?;
        if !args.yes && !is_yes("take off the books what is there, and keep memd away?")? {
            out::line("nothing was changed");
            return Ok(());
        }
        for project in &below {
            take_off(&mut context, store, project)?;
            let memory = project.memory();
            out::line(&format!("  {} stays as it is", memory.display()));
        }
    }
    exclude(&mut context, &path)?;
    if let Some(store) = &store {
        update_index(&context, store);
    }
    Ok(())
}

fn check(context: &Context, path: &Path) -> Result<(), Failure> {
    let home = without_links(&context.places.home);
    if home.starts_with(path) {
        let what = format!("{path:?} holds all of your home; memd would do nothing at all");
        return Err(Failure::usage(what).hint("name a folder below it"));
    }
    if !Known::new(&home).is_never(path) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{path:?} never is a project; there is nothing to exclude"
    ))
    .hint("name a folder below it"))
}

fn projects(store: &Store, path: &Path) -> Result<Vec<Project>, Failure> {
    let mut all = store.projects()?;
    all.retain(|project| project.root.starts_with(path));
    Ok(all)
}

fn exclude(context: &mut Context, path: &Path) -> Result<(), Failure> {
    let known = Known::configured(&context.config.settings, &context.places);
    if known.is_excluded(path) {
        out::line(&format!("{} is kept from memd already", path.display()));
        return Ok(());
    }
    context.config.change(&context.places, |config| {
        let roots: Vec<_> = config.settings.projects.keys().cloned().collect();
        for root in roots.iter().filter(|root| root.starts_with(path)) {
            config.unregister(root);
        }
        config.exclude(path);
    })?;
    let config = context.places.config.display();
    let path = path.display();
    out::line(&format!(
        "memd keeps away from {path} (\"exclude\" in {config})"
    ));
    Ok(())
}
