//! One project of a sweep.

use super::account::{Line, Result as Ending};
use super::run::{End, Shared};
use crate::cli::{Context, Failure, begun, unattended};
use crate::curator::{CuratorError, Limits};
use crate::distill::{self, Asking, DistillError, Gathered, Outcome, Request, Tools};
use crate::lock::LockError;
use crate::proposal::Proposal;
use crate::store::StoreError;
use crate::sweep::Todo;
use crate::trust::Occasion;
use std::sync::PoisonError;
use std::time::Duration;

/// Another memd's curator is waited for; it is one call.
const ASKING: Asking = Asking {
    capped: true,
    wait: Duration::from_secs(120),
};

/// A project's end, before it is known what could not be read.
pub(super) fn line(todo: &Todo, result: Ending) -> Line {
    Line {
        project: todo.project.name.clone(),
        root: todo.project.root.to_string_lossy().into_owned(),
        result,
        waiting: 0,
        busy: todo.busy,
        unread: Vec::new(),
    }
}

/// Reads what is new in a project, and asks about it when it is its turn.
pub(super) fn one(context: &Context, todo: &Todo, shared: &Shared<'_>) -> Line {
    if shared.is_stopped() {
        return line(todo, later("the sweep ended before"));
    }
    swept(context, todo, shared).unwrap_or_else(|failure| line(todo, Ending::failed(failure)))
}

fn swept(context: &Context, todo: &Todo, shared: &Shared<'_>) -> Result<Line, Failure> {
    let project = &todo.project;
    let name = &project.name;
    let store = context.store()?;
    let trust = store.trust()?;
    if !shared.dry_run {
        for said in begun::finish(context, &store, &trust, project)? {
            tracing::info!("{said}");
        }
    }
    let progress = |what: &str| shared.account.say(&format!("{name}: {what}"));
    let tools = Tools {
        places: &context.places,
        settings: &context.config.settings,
        store: &store,
        trust: &trust,
        redactor: shared.redactor,
        env: shared.env,
        limits: &Limits::default(),
        asking: ASKING,
        now: context.now,
        progress: &progress,
        sleep: &std::thread::sleep,
    };
    let request = Request {
        project,
        transcript: None,
        among: Some(&todo.sessions),
        trigger: "sweep",
        curator: &context.config.settings.curator,
        from_start: false,
        dry_run: shared.dry_run,
    };
    let gathered = match distill::read(&request, &tools) {
        Ok(gathered) => gathered,
        Err(error) => return Ok(line(todo, stopped(error, shared))),
    };
    let batch = gathered.batch();
    let mut line = Line {
        waiting: batch.waiting,
        unread: batch.unread.clone(),
        ..line(todo, Ending::Nothing)
    };
    if gathered.is_empty() {
        return Ok(line);
    }
    if shared.dry_run {
        line.result = would(&gathered);
        return Ok(line);
    }
    let read = batch.material.spans.len();
    line.result = match asked(gathered, &request, &tools, shared) {
        Ok(proposal) => {
            let (id, sweep) = (&proposal.id, Occasion::Sweep);
            Ending::Staged {
                applied: unattended::logged(context, &store, &trust, project, id, sweep),
                proposal: proposal.id.to_string(),
                changes: proposal.changes.len(),
            }
        }
        Err(ending) => ending,
    };
    if matches!(line.result, Ending::Later { .. }) {
        line.waiting += read;
    }
    Ok(line)
}

fn would(gathered: &Gathered) -> Ending {
    let material = &gathered.batch().material;
    let lines = material.finished.digest.lines.iter();
    Ending::Would {
        sessions: material.spans.len(),
        notes: material.notes.len(),
        chars: lines.map(|line| line.text.chars()).sum(),
    }
}

/// Asks the curator, alone of all projects of this sweep.
fn asked(
    gathered: Gathered,
    request: &Request<'_>,
    tools: &Tools<'_>,
    shared: &Shared<'_>,
) -> Result<Box<Proposal>, Ending> {
    let mut calls = shared.calls.lock().unwrap_or_else(PoisonError::into_inner);
    if shared.is_stopped() {
        return Err(later("the sweep ended before"));
    }
    let Some(left) = calls.checked_sub(1) else {
        return Err(later(
            "this sweep has asked as often as it may (sweep_calls)",
        ));
    };
    *calls = left;
    match distill::ask(gathered, request, tools) {
        Ok(Outcome::Nothing { .. }) => Err(Ending::Nothing),
        Ok(Outcome::Proposed { proposal, .. }) => Ok(proposal),
        Err(error) => Err(stopped(error, shared)),
    }
}

fn later(why: impl ToString) -> Ending {
    Ending::Later {
        why: why.to_string(),
    }
}

/// What an error comes to: a failure of the project's, or none of its fault.
fn stopped(error: DistillError, shared: &Shared<'_>) -> Ending {
    match error {
        DistillError::Curator(CuratorError::Interrupted) => {
            shared.end(End::Interrupted);
            later("the sweep was interrupted")
        }
        DistillError::Curator(e) if e.is_config() => {
            shared.end(End::NoCurator(e.to_string()));
            later("there is no curator to ask")
        }
        DistillError::Lock(LockError::Held { .. })
        | DistillError::Store(StoreError::Busy { .. })
        | DistillError::Curator(CuratorError::Busy | CuratorError::Capped(_)) => later(error),
        error => Ending::failed(error),
    }
}
