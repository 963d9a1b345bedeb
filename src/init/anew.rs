//! A known project whose memory has lost its history: a new one begins with what was accepted, before
//! anything else is made.

use super::{InitError, Plan, Tools, moved_here};
use crate::apply::{Begun, Ground, begin};
use crate::config::Settings;
use crate::git::refuse_under_way;
use crate::lock::{PATIENCE, ProjectLock};

/// Begins a history where a project that the database knows has none. `None`: it has one, or nothing
/// was accepted there.
///
/// # Errors
/// When memory, records or the repository cannot be read or written.
pub fn begin_anew(
    plan: &Plan,
    settings: &Settings,
    tools: &Tools<'_>,
) -> Result<Option<Begun>, InitError> {
    let (store, memory) = (tools.store, plan.memory());
    let project = match store.ever_at(&plan.root)? {
        Some(project) => project.id,
        None => match moved_here(store, &plan.root)? {
            Some(moved) => moved.id,
            None => return Ok(None),
        },
    };
    refuse_under_way(&memory)?;
    let _lock = ProjectLock::take(&tools.places.locks(), &project, PATIENCE)?;
    let ground = Ground {
        store,
        trust: tools.trust,
        memory: &memory,
        git_commit: settings.git_commit,
        redactor: tools.redactor,
        now: tools.now,
    };
    Ok(begin(ground, &project)?)
}
