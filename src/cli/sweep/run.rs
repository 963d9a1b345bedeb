//! All projects, several at a time: reading goes on side by side, a curator is asked for one project
//! after the other.

use super::account::{Account, Line, Result as Ending};
use super::project;
use crate::cli::Context;
use crate::curator::Environment;
use crate::redact::Redactor;
use crate::sweep::Todo;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How a sweep ended.
#[derive(Debug)]
pub(super) enum End {
    /// Every project had its turn.
    Done,
    /// A signal ended it.
    Interrupted,
    /// There is no curator to ask.
    NoCurator(String),
}

/// What the projects of one sweep share.
pub(super) struct Shared<'a> {
    pub env: &'a Environment,
    pub redactor: &'a Redactor,
    pub account: &'a Account,
    pub dry_run: bool,
    /// Held while a curator is asked: the calls that are left to this sweep.
    pub calls: Mutex<usize>,
    /// Nobody is asked any more.
    pub stop: AtomicBool,
    end: Mutex<End>,
}

impl Shared<'_> {
    /// Stops the sweep: what did not begin does not begin.
    pub fn end(&self, end: End) {
        self.stop.store(true, Ordering::SeqCst);
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// Does what there is to do, `jobs` projects at a time.
pub(super) fn all(
    context: &Context,
    todos: &[Todo],
    jobs: usize,
    dry_run: bool,
    redactor: &Redactor,
    account: &Account,
) -> End {
    let env = Environment::for_curator(std::env::vars_os()).through(std::env::current_exe().ok());
    let shared = Shared {
        env: &env,
        redactor,
        account,
        dry_run,
        calls: Mutex::new(context.config.settings.sweep_calls),
        stop: AtomicBool::new(false),
        end: Mutex::new(End::Done),
    };
    let next = AtomicUsize::new(0);
    let contexts: Vec<Context> = (0..jobs.min(todos.len()))
        .map(|_| context.again())
        .collect();
    std::thread::scope(|scope| {
        for context in contexts {
            let (shared, next) = (&shared, &next);
            scope.spawn(move || {
                while let Some(todo) = todos.get(next.fetch_add(1, Ordering::SeqCst)) {
                    account.end(isolated(todo, || project::one(&context, todo, shared)));
                }
            });
        }
    });
    shared
        .end
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
}

/// A fault in one project is its own: it was reported where it happened.
fn isolated(todo: &Todo, one: impl FnOnce() -> Line) -> Line {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(one)).unwrap_or_else(|_| {
        let fault = Ending::failed("memd met a fault of its own there");
        project::line(todo, fault)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ProjectId;
    use crate::store::Project;

    #[test]
    fn a_fault_in_one_project_is_its_failure() {
        let todo = Todo {
            project: Project {
                id: ProjectId::random().unwrap(),
                root: "/src/app".into(),
                name: "app".to_owned(),
                created: jiff::Timestamp::UNIX_EPOCH,
            },
            sessions: Vec::new(),
            busy: 0,
            since: None,
        };
        // As a panic does, without its report.
        let line = isolated(&todo, || std::panic::resume_unwind(Box::new("of the test")));
        assert_eq!(line.project, "app");
        assert!(matches!(line.result, Ending::Failed { .. }));
    }
}
