//! What comes before a review: what expired may come back, and what changed on disk becomes a
//! proposal like any other.

use crate::apply::{Ground, adopt};
use crate::cli::look::Look;
use crate::cli::{Context, Failure, out};
use crate::lock::{PATIENCE, ProjectLock};
use crate::proposal::Kind;
use crate::store::{Project, Store};
use crate::trust::Trust;

/// Those that are meant.
pub(super) fn projects(store: &Store, only: Option<&Project>) -> Result<Vec<Project>, Failure> {
    match only {
        Some(project) => Ok(vec![project.clone()]),
        None => store.projects().map_err(Failure::known),
    }
}

/// Puts what left the queue by its age back into it.
pub(super) fn revive(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&Project>,
) -> Result<(), Failure> {
    let expired = store
        .expired(only.map(|p| &p.id), context.now)
        .map_err(Failure::known)?;
    for proposal in expired {
        store
            .revive(trust, &proposal.id, context.now)
            .map_err(Failure::known)?;
    }
    Ok(())
}

/// Stages what stands on disk and nobody let in, unless that is staged already.
pub(super) fn offer_what_is_on_disk(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&Project>,
) -> Result<(), Failure> {
    for project in projects(store, only)? {
        let queue = store
            .queue(Some(&project.id), context.now)
            .map_err(Failure::known)?;
        let waits = queue.iter().any(|q| q.kind == Kind::ChangedOnDisk);
        // A memory that cannot be read is named, and does not keep the rest from being reviewed.
        let look = match Look::at_all(store, &project, context.now) {
            Ok(look) => look,
            Err(failure) => {
                out::line(&format!("{}: {failure}", project.name));
                continue;
            }
        };
        if let Some(problem) = look.problem {
            out::line(&format!("{}: {problem}", project.name));
            continue;
        }
        if look.matched.is_whole() && !waits {
            continue;
        }
        let lock = ProjectLock::take(&context.places.locks(), &project.id, PATIENCE)
            .map_err(Failure::known)?;
        let ground = Ground {
            store,
            trust,
            memory: &project.memory(),
            git_commit: context.config.settings.git_commit,
            now: context.now,
        };
        let redactor = context.redactor_with(store, trust);
        let budgets = &context.config.settings.budgets;
        let offered = adopt::offer(ground, &lock, budgets, &|text| redactor.check(text));
        if let Err(error) = offered {
            out::line(&format!("{}: {error}", project.name));
        }
    }
    Ok(())
}
