//! What commands share that do without a person: a new project's memory, and an apply where one has
//! given leave for it.

use super::init::kept_line;
use super::{Context, Failure};
use crate::apply::{self, Ground, Rules, Unattended};
use crate::git::parent::Kept;
use crate::id::ProposalId;
use crate::init::{self, Tools};
use crate::lock::{PATIENCE, ProjectLock};
use crate::store::{Project, Store};
use crate::text::count;
use crate::trust::{Occasion, Trust};
use jiff::Timestamp;
use std::path::Path;

/// A project that got its memory without anybody asking.
pub(super) struct New {
    pub project: Project,
    /// What its user is to know: what went wrong, and what was changed outside of the memory.
    pub said: Vec<String>,
}

/// Gives the project around a directory its memory, if it is a new one. The session `except` is
/// material; all others count as read.
pub(super) fn scaffold(
    context: &mut Context,
    store: &Store,
    dir: &Path,
    except: Option<&Path>,
) -> Result<Option<New>, Failure> {
    let trust = store.trust()?;
    let redactor = context.redactor_with(store, &trust);
    let tools = Tools {
        places: &context.places,
        store,
        trust: &trust,
        credentials: &|text| redactor.check(text),
        redactor: &redactor,
        except,
        now: context.now,
    };
    let made = init::scaffold(dir, &mut context.config, &tools)?;
    Ok(made.map(|made| {
        let is_lasting = |kept: &&Kept| matches!(kept, Kept::Untracked(_));
        let kept = made.made.kept.iter().filter(is_lasting).map(kept_line);
        New {
            said: kept.chain(made.made.warnings.iter().cloned()).collect(),
            project: made.enlisted.project,
        }
    }))
}

/// Applies of a proposal that was just staged what may go in without a person. Takes the project's
/// lock; no curator may be running for it.
///
/// # Errors
/// When the project is in use, or the apply fails: the proposal waits then, or is finished by the
/// next command.
pub(super) fn apply(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: &Project,
    id: &ProposalId,
    occasion: Occasion,
) -> Result<Unattended, Failure> {
    let settings = &context.config.settings;
    let memory = project.memory();
    let redactor = context.redactor_with(store, trust);
    let lock = ProjectLock::take(&context.places.locks(), &project.id, PATIENCE)
        .map_err(Failure::known)?;
    let ground = Ground {
        store,
        trust,
        memory: &memory,
        git_commit: settings.git_commit,
        redactor: &redactor,
        // A curator may have taken minutes.
        now: Timestamp::now(),
    };
    let rules = Rules {
        limits: &settings.limits,
        lapses: settings.lapse_days,
        credentials: &|text| redactor.check(text),
    };
    Ok(apply::auto(ground, &lock, id, occasion, rules)?)
}

/// As [`apply`], for whoever has no terminal: what it came to is in the log, and a failure leaves
/// the proposal for review. Gives how many changes are in memory now, unreviewed.
pub(super) fn logged(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: &Project,
    id: &ProposalId,
    occasion: Occasion,
) -> usize {
    match apply(context, store, trust, project, id, occasion) {
        Ok(came) => {
            for warning in came.done.iter().flat_map(|done| &done.warnings) {
                tracing::warn!(project = %project.id, "{warning}");
            }
            tracing::info!(project = %project.id, proposal = %id, "{}", words(&came));
            came.applied
        }
        Err(error) => {
            tracing::warn!(project = %project.id, proposal = %id, "nothing was applied: {error}");
            0
        }
    }
}

/// Such as "2 changes applied, unreviewed; 1 waits for memd review: why".
pub(super) fn words(came: &Unattended) -> String {
    let applied = match came.applied {
        0 => "nothing applied".to_owned(),
        n => format!("{} applied, unreviewed", count(n, "change", "changes")),
    };
    match &came.why {
        None => applied,
        Some(why) => {
            let staged = count(came.staged, "change waits", "changes wait");
            format!("{applied}; {staged} for memd review: {why}")
        }
    }
}
