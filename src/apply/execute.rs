//! All of a plan or nothing, whatever moment a crash picks.
//!
//! Five steps: what a person changed by hand is committed; the intent is stored; the files are
//! written; the intent becomes fact; the commit is made. Up to the second nothing has happened,
//! from the second on [`super::recover`] finishes it.

use super::by_hand::{Held, Keeper};
use super::files::{self, Stand};
use super::plan::{By, Plan};
use super::recover::recover;
use super::settle::settle;
use crate::fs::FsError;
use crate::git::{GitError, Message, Repo};
use crate::id::{EntryId, ProposalId};
use crate::lock::ProjectLock;
use crate::memory::{MemoryError, MemoryFile};
use crate::proposal::State;
use crate::redact::Redactor;
use crate::store::{Applied, FileIntent, Intent, Seq, Shown, Store, StoreError};
use crate::trust::Trust;
use jiff::Timestamp;
use std::ops::ControlFlow;
use std::path::Path;

/// Where an apply is. A test stops it after any of these; what follows is as after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What a person had changed by hand is committed, if anything.
    HandCommitted,
    /// The database knows what is about to be written.
    Begun,
    /// So many files are written.
    Written(usize),
    /// Records, spans and audit record say that it is done; the commit is owed.
    Finished,
    /// The commit is made; the database does not know yet.
    Committed,
    /// Consumed notes are deleted; nothing is left to do.
    Cleaned,
}

/// Says after each step whether to go on; the product always does.
pub type Watch<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// Goes on, whatever the step.
pub fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// What an apply works on.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The database.
    pub store: &'a Store,
    /// The key.
    pub trust: &'a Trust,
    /// The project's `.memory` folder.
    pub memory: &'a Path,
    /// Whether commits are made.
    pub git_commit: bool,
    /// Finds secrets: what was written by hand takes none into history.
    pub redactor: &'a Redactor,
    /// The moment.
    pub now: Timestamp,
}

/// What an apply came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What the database says.
    pub applied: Applied,
    /// The commit that holds what a person had changed by hand before.
    pub by_hand: Option<String>,
    /// The commit; `None`: none was needed, or it is owed.
    pub commit: Option<String>,
    /// What went wrong after the decision held, for the user to read: a commit that is owed, a
    /// note that could not be deleted.
    pub warnings: Vec<String>,
}

/// Why an apply did not happen, or is not finished.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A guardrail forbids it.
    #[error("a guardrail blocks this: {reason}")]
    Blocked {
        /// The first reason.
        reason: String,
    },
    /// The lock held is another project's.
    #[error("the lock held is not that of this project")]
    WrongLock,
    /// A file is not what the plan was made over. Nothing was written.
    #[error("{path} in memory was changed while this was decided; look at the plan again")]
    Changed {
        /// The file, in the memory folder.
        path: String,
    },
    /// Only what was applied can be reversed.
    #[error("proposal {id} is {}, not applied: there is nothing to reverse", state.name())]
    NotApplied {
        /// Which.
        id: ProposalId,
        /// Where it is in its life.
        state: State,
    },
    /// No valid seal vouches for what stands there.
    #[error("entry {entry}: {why}; nothing was done")]
    NotSound {
        /// Which.
        entry: EntryId,
        /// Why, as a sentence.
        why: String,
    },
    /// The entry is not to be put back from there.
    #[error(
        "entry {entry} did not stand in memory at commit {commit} as it was ever let in; nothing was done"
    )]
    NotThere {
        /// Which.
        entry: EntryId,
        /// The commit.
        commit: String,
    },
    /// What a person wrote holds a secret.
    #[error(
        "the text holds what looks like a credential ({rule}); it was not kept, nothing was staged"
    )]
    Credential {
        /// Which rule found it.
        rule: String,
    },
    /// The database asks for a file that is none of memory's.
    #[error("{path:?} is no file of memory; nothing was written")]
    Outside {
        /// What was asked for.
        path: String,
    },
    /// A test stopped it.
    #[error("stopped after {0:?}")]
    Stopped(Step),
    /// Memory cannot be read.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// The repository, before anything happened.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Applies a plan. `shown` is the proposal and the journal's last step that the plan was made from.
///
/// # Errors
/// When a guardrail blocks, memory or decisions changed meanwhile, or a file cannot be written. An
/// apply that was cut short before is finished first.
pub fn execute(
    plan: &Plan,
    shown: impl Into<Shown>,
    ground: Ground<'_>,
    lock: &ProjectLock,
    watch: &mut Watch<'_>,
) -> Result<Done, ApplyError> {
    if *lock.project() != plan.project {
        return Err(ApplyError::WrongLock);
    }
    if let Some(blocked) = plan.blocked.first() {
        let reason = blocked.verdict.reason.clone();
        return Err(ApplyError::Blocked { reason });
    }
    let mut warnings = recover(ground, lock)?.warnings;
    check_unchanged(plan, ground)?;
    let mut not_kept = None;
    let by_hand = match commit_by_hand(ground) {
        Ok((commit, held)) => {
            // Of what is written now it is said with its own commit, if it still holds one.
            let written = |h: &Held| plan.files.iter().any(|f| f.path == h.path);
            let held = held.into_iter().filter(|h| !written(h));
            warnings.extend(held.map(|h| h.said));
            commit
        }
        // What a person wrote is replaced only when history keeps it.
        Err(e) if plan.goes_over_by_hand() => return Err(e.into()),
        Err(e) => {
            not_kept = Some(format!(
                "whether anything was changed by hand is not known, and nothing of it is committed: {e}"
            ));
            None
        }
    };
    step(watch, Step::HandCommitted)?;
    let shown = shown.into();
    let intent = intent(plan, shown.last, ground);
    ground
        .store
        .begin_apply_of(ground.trust, &intent, &shown, ground.now)?;
    step(watch, Step::Begun)?;
    if let Some(path) = can_be_given_up(&intent, ground)? {
        give_up(&intent, ground)?;
        return Err(ApplyError::Changed { path });
    }
    let mut done = carry_out(&intent, ground, watch)?;
    done.by_hand = by_hand;
    // Where its own commit is owed, that says why none is made.
    if done.commit.is_some() {
        warnings.extend(not_kept);
    }
    done.warnings.splice(0..0, warnings);
    Ok(done)
}

pub(super) fn step(watch: &mut Watch<'_>, step: Step) -> Result<(), ApplyError> {
    match watch(step) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ApplyError::Stopped(step)),
    }
}

/// Every file the plan writes must be as it was when the plan was made.
fn check_unchanged(plan: &Plan, ground: Ground<'_>) -> Result<(), ApplyError> {
    for write in &plan.files {
        let place = files::place(ground.memory, &write.path)?;
        if place.hash()? != write.before_hash() {
            return Err(ApplyError::Changed {
                path: write.path.clone(),
            });
        }
    }
    Ok(())
}

/// A person's edit enters history before an apply writes over it; it does not enter trust. Secrets in
/// it stay out.
fn commit_by_hand(ground: Ground<'_>) -> Result<(Option<String>, Vec<Held>), GitError> {
    if !ground.git_commit {
        return Ok((None, Vec::new()));
    }
    let repo = Repo::open_or_init(ground.memory)?;
    let keeper = Keeper::new(ground.redactor);
    let instead = |path: &str, text: &str, last: Option<&str>| keeper.instead(path, text, last);
    let commit = repo.commit_disk_with(&instead, &Message::by_hand(), ground.now)?;
    Ok((commit, keeper.held()))
}

fn intent(plan: &Plan, decided: Seq, ground: Ground<'_>) -> Intent {
    let files = plan.files.iter().map(|write| FileIntent {
        path: write.path.clone(),
        before: write.before_hash(),
        after: Some(write.after.clone()),
    });
    Intent {
        proposal: plan.proposal.clone(),
        project: plan.project.clone(),
        decided,
        files: files.collect(),
        records: plan.records.clone(),
        applied: plan.applied.clone(),
        rejected: plan.rejected.clone(),
        dropped: plan.already_there.clone(),
        reopened: plan.conflicts.iter().map(|c| c.n).collect(),
        message: (ground.git_commit && !plan.is_quiet).then(|| plan.message.text()),
        despite: plan.despite.clone(),
        unattended: match plan.by {
            By::Person => None,
            By::Policy(policy) => Some(policy.occasion),
        },
        at: plan.at,
    }
}

/// The file that somebody has written since it was planned over, where nothing of the apply is on disk:
/// there is nothing to roll forward.
pub(super) fn can_be_given_up(
    intent: &Intent,
    ground: Ground<'_>,
) -> Result<Option<String>, ApplyError> {
    let mut foreign = None;
    for file in &intent.files {
        let place = files::place(ground.memory, &file.path)?;
        match place.stand(file.before.as_ref(), file.after_hash().as_ref())? {
            Stand::Foreign => foreign = foreign.or_else(|| Some(file.path.clone())),
            Stand::After => return Ok(None),
            Stand::Before => {}
        }
    }
    Ok(foreign)
}

/// An apply of which nothing is on disk is as if it had never begun.
pub(super) fn give_up(intent: &Intent, ground: Ground<'_>) -> Result<(), ApplyError> {
    let why = "memory was changed before anything of it was written";
    let Ground {
        store, trust, now, ..
    } = ground;
    Ok(store.abort_apply(trust, &intent.proposal, why, now)?)
}

/// From a stored intent to its end: files, facts, commit, notes.
pub(super) fn carry_out(
    intent: &Intent,
    ground: Ground<'_>,
    watch: &mut Watch<'_>,
) -> Result<Done, ApplyError> {
    let left = write_files(intent, ground, watch)?;
    let applied = ground
        .store
        .finish_apply(ground.trust, &intent.proposal, ground.now)?;
    step(watch, Step::Finished)?;
    let settled = settle(ground, &intent.project, Some(intent), watch)?;
    let ours = |(id, _): &&(ProposalId, String)| *id == intent.proposal;
    let mut warnings: Vec<String> = left.iter().map(|path| by_hand_since(path)).collect();
    warnings.extend(settled.warnings);
    Ok(Done {
        applied,
        by_hand: None,
        commit: settled.commits.iter().find(ours).map(|(_, id)| id.clone()),
        warnings,
    })
}

/// Writes what is not as it is to be. A file that a person has written meanwhile is never overwritten:
/// it stays, as any that is changed on disk, and what was accepted stands in its record and in the
/// commit. Gives those.
fn write_files(
    intent: &Intent,
    ground: Ground<'_>,
    watch: &mut Watch<'_>,
) -> Result<Vec<String>, ApplyError> {
    let (mut left, mut written) = (Vec::new(), 0);
    for file in &intent.files {
        let place = files::place(ground.memory, &file.path)?;
        // Looked at right before it is written: whoever saves it now is seen.
        match place.stand(file.before.as_ref(), file.after_hash().as_ref())? {
            Stand::After => {}
            Stand::Before => {
                place.write(file.after.as_deref())?;
                written += 1;
                step(watch, Step::Written(written))?;
            }
            Stand::Foreign => left.push(file.path.clone()),
        }
    }
    Ok(left)
}

/// What is said of a file that was edited while an apply was writing.
fn by_hand_since(path: &str) -> String {
    match MemoryFile::from_name(path) {
        Some(_) => format!(
            "{path} was changed by hand in the middle of an apply: it stays as it is, nothing of it was overwritten; `memd review` offers where it differs from what was accepted (r restores that, a keeps yours)"
        ),
        None => format!(
            "{path} was changed by hand in the middle of an apply: it stays as it is, without what the apply moved there, which its commit and `memd history` hold"
        ),
    }
}
