//! What an earlier command began and did not finish: an apply that was cut short, commits that are
//! owed. Finished before a command reads memory or decides on it.

use super::{Context, Failure};
use crate::apply::{Ground, recover};
use crate::git;
use crate::lock::{PATIENCE, ProjectLock};
use crate::store::{Project, Store};
use crate::trust::Trust;

/// Rolls an interrupted apply forward and makes owed commits. Gives what there is to say of it.
///
/// # Errors
/// When the database refuses, or a file can be neither read nor written.
pub(super) fn finish(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: &Project,
) -> Result<Vec<String>, Failure> {
    let memory = project.memory();
    let pending = store.pending_apply(trust, &project.id)?;
    let owed = store.commits_owed(Some(&project.id))?;
    if pending.is_none() && owed.is_empty() && !git::is_marked(&memory) {
        return Ok(Vec::new());
    }
    let lock = ProjectLock::take(&context.places.locks(), &project.id, PATIENCE)
        .map_err(Failure::known)?;
    let redactor = context.redactor_with(store, trust);
    let ground = Ground {
        store,
        trust,
        memory: &memory,
        git_commit: context.config.settings.git_commit,
        redactor: &redactor,
        now: context.now,
    };
    let recovered = recover(ground, &lock)?;
    let name = &project.name;
    let finished = recovered
        .finished
        .map(|id| format!("{name}: the apply of {id} was cut short and is finished now"));
    let given_up = recovered.given_up.map(|id| {
        format!(
            "{name}: the apply of {id} was cut short before anything was written; decide on it again"
        )
    });
    let warnings = recovered.warnings.into_iter();
    let warnings = warnings.map(|warning| format!("{name}: {warning}"));
    Ok(finished
        .into_iter()
        .chain(given_up)
        .chain(warnings)
        .collect())
}
