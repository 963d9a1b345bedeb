//! What comes before a review: what expired may come back; what changed on disk, and what was let in
//! unattended, become proposals like any other.

use crate::apply::{Ground, adopt, unreviewed};
use crate::cli::look::{self, Look};
use crate::cli::{Context, Failure, out, refused_file};
use crate::lock::{PATIENCE, ProjectLock};
use crate::proposal::Kind;
use crate::store::{Project, Store};
use crate::text::count;
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
    // What stands on disk or was let in unattended is offered anew by itself.
    for proposal in expired.into_iter().filter(|p| !p.kind.is_on_disk()) {
        store
            .revive(trust, &proposal.id, context.now)
            .map_err(Failure::known)?;
    }
    Ok(())
}

/// Stages what stands on disk and nobody let in, and what was let in unattended and nobody reviewed,
/// unless that is staged already.
pub(super) fn offer_what_stands(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&Project>,
) -> Result<(), Failure> {
    for project in projects(store, only)? {
        let queue = store
            .queue(Some(&project.id), context.now)
            .map_err(Failure::known)?;
        let waits = |kind| queue.iter().any(|q| q.kind == kind);
        // A memory that cannot be read is named, and does not keep the rest from being reviewed.
        let seen = match Look::at_all(store, &project, context.now) {
            Ok(seen) => seen,
            Err(failure) => {
                refused_file::on_record(context, store, &project);
                out::line(&look::not_read(context, store, &project, &failure)?);
                continue;
            }
        };
        if let Some(problem) = seen.problem {
            out::line(&format!("{}: {problem}", project.name));
            continue;
        }
        let on_disk = !seen.matched.is_whole() || waits(Kind::ChangedOnDisk);
        let unattended = unreviewed::standing(&seen.matched).next().is_some();
        let unattended = unattended || waits(Kind::Unreviewed);
        if !on_disk && !unattended {
            continue;
        }
        let lock = ProjectLock::take(&context.places.locks(), &project.id, PATIENCE)
            .map_err(Failure::known)?;
        let redactor = context.redactor_with(store, trust);
        let ground = Ground {
            store,
            trust,
            memory: &project.memory(),
            git_commit: context.config.settings.git_commit,
            redactor: &redactor,
            now: context.now,
        };
        let limits = &context.config.settings.limits;
        let check = |text: &str| redactor.check(text);
        let mut failed = Vec::new();
        if on_disk {
            failed.extend(adopt::offer(ground, &lock, limits, &check).err());
            for (file, n) in adopt::not_offered(&seen.matched, &redactor) {
                let what = count(n, "entry", "entries");
                out::line(&format!(
                    "{}: {what} of {} cannot be offered, since they cannot be searched for secrets: take them out by hand",
                    project.name,
                    file.name()
                ));
            }
        }
        if unattended {
            failed.extend(unreviewed::offer(ground, &lock, limits, &check).err());
        }
        for error in failed {
            out::line(&format!("{}: {error}", project.name));
        }
    }
    Ok(())
}
