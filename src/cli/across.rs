//! Reading the memory of one project from within another one: on record before anything of it is
//! shown, else refused.
//!
//! Who reads is told by the working directory. In a folder that is in no project there is nobody to
//! tell apart from the person at the keyboard; there nothing is recorded.

use super::{Context, Failure, gate, here, look, person};
use crate::project::Known;
use crate::store::{Project, Store};
use crate::trust::Act;
use serde_json::{Value, json};
use std::path::Path;

/// Puts on record that `command` is about to show something of this project's memory, where it runs
/// within another project. The memory of all projects is no other's.
///
/// # Errors
/// When the configuration refuses it, or it cannot be put on record: then nothing may be shown.
pub(super) fn on_record(
    context: &Context,
    store: &Store,
    project: &Project,
    command: &str,
) -> Result<(), Failure> {
    all_on_record(context, store, std::slice::from_ref(project), command)
}

/// As [`on_record`], of several projects: one record for each.
///
/// # Errors
/// As [`on_record`], at the first that is refused.
pub(super) fn all_on_record(
    context: &Context,
    store: &Store,
    projects: &[Project],
    command: &str,
) -> Result<(), Failure> {
    if projects.is_empty() {
        return Ok(());
    }
    let (known, here) = (look::known(context, store)?, here()?);
    let mut projects = projects.iter();
    projects.try_for_each(|project| record(context, store, (&known, &here), project, command))
}

/// As [`on_record`], of a directory, with what is known.
///
/// # Errors
/// As [`on_record`].
pub(super) fn record(
    context: &Context,
    store: &Store,
    (known, here): (&Known, &Path),
    project: &Project,
    command: &str,
) -> Result<(), Failure> {
    let Some(from) = reader(store, known, here, project)? else {
        return Ok(());
    };
    let global = look::global_project(context, store)?;
    if global.is_some_and(|global| global.id == project.id) {
        return Ok(());
    }
    let name = &project.name;
    let what = format!("the memory of {name} was not read: this is another project");
    if !context.config.settings.read_across_projects {
        refused(context, store, project, command, from);
        return Err(
            Failure::known(format!("{what}, and the configuration keeps them apart")).hint(
                "\"read_across_projects\" in config.json says so; a person looks in its own folder",
            ),
        );
    }
    let kept = store.trust().and_then(|trust| {
        let details = details(command, from);
        store.audit(
            &trust,
            Act::Read,
            Some(&project.id),
            &[],
            details,
            context.now,
        )
    });
    kept.map(drop).map_err(|error| {
        let failure = Failure::from(error);
        let why = format!("{what}, and that it is read cannot be put on record: {failure}");
        failure.told(why)
    })
}

/// Whether a directory is another project's than this one: what is said there of all projects holds no
/// word of its memory.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn is_elsewhere(
    store: &Store,
    (known, here): (&Known, &Path),
    project: &Project,
) -> Result<bool, Failure> {
    Ok(reader(store, known, here, project)?.is_some())
}

/// Where the reader is: a project by its id, or the folder of one that memd does not know.
enum From {
    Project(String),
    Folder(String),
}

/// Who would read a project from this directory; none where it is the project's own, or no project's.
fn reader(
    store: &Store,
    known: &Known,
    here: &Path,
    project: &Project,
) -> Result<Option<From>, Failure> {
    // A session in a folder that memd is kept away from is no less another one's.
    let away = || known.is_kept_away(here).then(|| here.to_owned());
    let Some(root) = known.root_of(here).or_else(away) else {
        return Ok(None);
    };
    if root == project.root {
        return Ok(None);
    }
    let from = store.project_at(&root)?;
    if from.as_ref().is_some_and(|from| from.id == project.id) {
        return Ok(None);
    }
    Ok(Some(match from {
        Some(from) => From::Project(from.id.to_string()),
        None => From::Folder(gate::shown_text(&root.to_string_lossy())),
    }))
}

fn details(command: &str, from: From) -> Value {
    match from {
        From::Project(id) => json!({ "command": command, "from": id }),
        From::Folder(folder) => json!({ "command": command, "folder": folder }),
    }
}

fn refused(context: &Context, store: &Store, project: &Project, command: &str, from: From) {
    let Ok(trust) = store.trust() else { return };
    let mut details = details(command, from);
    details["why"] = "read_across_projects is false".into();
    person::refused(context, store, &trust, Some(project), "read", details);
}
