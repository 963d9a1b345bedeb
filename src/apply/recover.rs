//! Finishing what a crash cut short, at the start of every command that writes.

use super::begin::begin;
use super::execute::{ApplyError, Ground, can_be_given_up, carry_out, give_up, go_on};
use super::files;
use super::settle::settle;
use crate::git::{self, Repo};
use crate::id::ProposalId;
use crate::lock::ProjectLock;

/// What was finished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The proposal whose apply was rolled forward.
    pub finished: Option<ProposalId>,
    /// The proposal whose apply was given up, since nothing of it had been written and memory has
    /// changed since; it is as it was before.
    pub given_up: Option<ProposalId>,
    /// Commits that were owed, with their proposals.
    pub commits: Vec<(ProposalId, String)>,
    /// What is still owed, for the user to read.
    pub warnings: Vec<String>,
}

impl Recovered {
    /// Whether there was nothing to do.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Rolls an apply that was cut short forward, makes owed commits, deletes consumed notes.
///
/// # Errors
/// [`GitError::UnderWay`](git::GitError::UnderWay) while the user's git waits there: nothing is
/// touched. Otherwise when the database or a file cannot be read or written. A file that somebody has
/// written since is no error: it is left as it is, and said.
pub fn recover(ground: Ground<'_>, lock: &ProjectLock) -> Result<Recovered, ApplyError> {
    let project = lock.project();
    git::refuse_under_way(ground.memory)?;
    files::sweep(ground.memory, ground.now);
    let mut recovered = Recovered::default();
    let mut said: Vec<String> = clear_leftovers(ground).into_iter().collect();
    // What git cannot do is said where a commit is made.
    if let Ok(Some(begun)) = begin(ground, project) {
        said.push(begun.said());
        said.extend(begun.warnings);
    }
    if let Some(intent) = ground.store.pending_apply(ground.trust, project)? {
        let id = intent.proposal.clone();
        if can_be_given_up(&intent, ground)?.is_some() {
            give_up(&intent, ground)?;
            recovered.given_up = Some(id);
        } else {
            let done = carry_out(&intent, ground, &mut go_on)?;
            recovered
                .commits
                .extend(done.commit.map(|commit| (id.clone(), commit)));
            recovered.warnings = done.warnings;
            recovered.finished = Some(id);
            recovered.warnings.extend(said);
            return Ok(recovered);
        }
    }
    let settled = settle(ground, project, None, &mut go_on)?;
    recovered.commits = settled.commits;
    recovered.warnings = settled.warnings;
    recovered.warnings.extend(said);
    Ok(recovered)
}

/// Takes away the locks of a git that was killed; why not, when that fails.
fn clear_leftovers(ground: Ground<'_>) -> Option<String> {
    if !ground.git_commit || !git::is_marked(ground.memory) {
        return None;
    }
    let done = Repo::open(ground.memory).and_then(|repo| repo.clear_leftovers());
    done.err().map(|e| e.to_string())
}
