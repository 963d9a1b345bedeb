//! What came of each project: one line as it ends, all of it at the end.

use super::material;
use super::run::End;
use crate::cli::{Failure, gate, out};
use crate::text::{count, visible_line};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What came of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "result")]
pub(super) enum Result {
    /// It is new and has a memory now.
    New { warnings: Vec<String> },
    /// There was nothing to ask about.
    Nothing,
    /// Something was proposed. What a person has given leave for is applied, unreviewed; the others
    /// wait for review.
    Staged {
        proposal: String,
        changes: usize,
        applied: usize,
    },
    /// A dry run: what would be asked about.
    Would {
        sessions: usize,
        notes: usize,
        chars: usize,
    },
    /// It was not its turn, or somebody else is at it.
    Later { why: String },
    /// Its folder is not there.
    Gone,
    /// It failed.
    Failed { error: String },
}

impl Result {
    pub fn failed(error: impl ToString) -> Self {
        Self::Failed {
            error: error.to_string(),
        }
    }
}

/// A project's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    pub project: String,
    pub root: String,
    #[serde(flatten)]
    pub result: Result,
    /// Sessions with something new that this sweep did not read.
    pub waiting: usize,
    /// Sessions that were changed just now, and are left alone.
    pub busy: usize,
    /// What could not be read.
    pub unread: Vec<String>,
}

/// Keeps the account of a sweep.
pub(super) struct Account {
    lines: Mutex<Vec<Line>>,
    bar: ProgressBar,
    quiet: bool,
    json: bool,
    dry_run: bool,
}

impl Account {
    pub fn new(quiet: bool, json: bool, dry_run: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        if quiet || !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        bar.set_message("looking for sessions");
        Self {
            lines: Mutex::default(),
            bar,
            quiet,
            json,
            dry_run,
        }
    }

    /// What goes on now.
    pub fn say(&self, what: &str) {
        self.bar.set_message(visible_line(&gate::hide(what)));
    }

    /// Names what cannot be read of all tools' folders.
    pub fn closed(&self, closed: &[String]) {
        for what in closed {
            self.problem(&format!("memd: not read: {what}"));
        }
    }

    fn problem(&self, line: &str) {
        self.bar.suspend(|| out::problem(line));
    }

    /// A project that needed no reading.
    pub fn add(&self, project: &str, root: &Path, result: Result) {
        self.end(Line {
            project: project.to_owned(),
            root: root.to_string_lossy().into_owned(),
            result,
            waiting: 0,
            busy: 0,
            unread: Vec::new(),
        });
    }

    /// A project's end.
    pub fn end(&self, line: Line) {
        let is_failure = matches!(line.result, Result::Failed { .. });
        if is_failure || !self.quiet {
            self.problem(&told(&line));
            for what in &line.unread {
                self.problem(&format!("  not read: {what}"));
            }
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line);
    }

    /// The end of all: the exit code tells whether any failed.
    pub fn finish(self, end: End) -> std::result::Result<(), Failure> {
        self.bar.finish_and_clear();
        let mut lines = self
            .lines
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        lines.sort_by(|a, b| a.root.cmp(&b.root));
        let failed: Vec<String> = lines
            .iter()
            .filter(|line| matches!(line.result, Result::Failed { .. }))
            .map(|line| name(line).to_owned())
            .collect();
        if self.json {
            let all =
                serde_json::json!({ "version": 1, "dry_run": self.dry_run, "projects": lines });
            out::json(&all);
        } else if !self.quiet && lines.is_empty() {
            out::line("no project has a memory yet; `memd init` in one makes it");
        }
        match end {
            End::Interrupted => Err(Failure::interrupted(
                "the sweep was interrupted; what is new is read by the next one",
            )),
            End::NoCurator(error) => Err(Failure::usage(error)),
            End::Done if failed.is_empty() => Ok(()),
            End::Done => Err(Failure::known(format!(
                "{} failed: {}",
                count(failed.len(), "project", "projects"),
                failed.join(", ")
            ))),
        }
    }
}

fn name(line: &Line) -> &str {
    match line.project.as_str() {
        "" => &line.root,
        name => name,
    }
}

/// One line for people.
fn told(line: &Line) -> String {
    let what = match &line.result {
        Result::New { warnings } if warnings.is_empty() => {
            "new; its sessions from now on are read".to_owned()
        }
        Result::New { warnings } => {
            format!(
                "new; its sessions from now on are read ({})",
                warnings.join("; ")
            )
        }
        Result::Nothing => "nothing new".to_owned(),
        Result::Staged {
            proposal,
            changes: 0,
            ..
        } => format!("nothing proposed, staged as {proposal}: memd review"),
        Result::Staged {
            proposal,
            changes,
            applied,
        } => staged(proposal, *changes, *applied),
        Result::Would {
            sessions,
            notes,
            chars,
        } => format!(
            "would ask about {} ({chars} characters)",
            material(*sessions, *notes)
        ),
        Result::Later { why } => format!("left for later: {why}"),
        Result::Gone => {
            "its folder is gone; `memd init` where it is now, or `memd forget`".to_owned()
        }
        Result::Failed { error } => format!("failed: {error}"),
    };
    let waiting = (line.waiting > 0).then(|| {
        let sessions = count(line.waiting, "more session waits", "more sessions wait");
        format!("; {sessions}: memd distill --all")
    });
    let busy = (line.busy > 0).then(|| {
        let sessions = match line.busy {
            1 => "1 session was changed just now and is".to_owned(),
            n => format!("{n} sessions were changed just now and are"),
        };
        format!("; {sessions} left alone")
    });
    let tail = [waiting, busy].into_iter().flatten();
    format!(
        "{}: {what}{}",
        visible_line(name(line)),
        tail.collect::<String>()
    )
}

fn staged(proposal: &str, changes: usize, applied: usize) -> String {
    let waiting = changes.saturating_sub(applied);
    let applied = match applied {
        0 => {
            let changes = count(changes, "change", "changes");
            return format!("staged {changes} as {proposal}: memd review");
        }
        n => count(n, "change", "changes"),
    };
    let rest = match waiting {
        0 => String::new(),
        n => format!(", {} staged", count(n, "change", "changes")),
    };
    format!("applied {applied} of {proposal} without you{rest}: memd review")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_one_line() {
        let line = |result, waiting, busy| {
            told(&Line {
                project: "app".to_owned(),
                root: "/src/app".to_owned(),
                result,
                waiting,
                busy,
                unread: Vec::new(),
            })
        };
        let staged = Result::Staged {
            proposal: "0a1b2c3d".to_owned(),
            changes: 3,
            applied: 0,
        };
        let applied = |n| Result::Staged {
            proposal: "0a1b2c3d".to_owned(),
            changes: 3,
            applied: n,
        };
        assert_eq!(
            line(applied(3), 0, 0),
            "app: applied 3 changes of 0a1b2c3d without you: memd review"
        );
        assert_eq!(
            line(applied(1), 0, 0),
            "app: applied 1 change of 0a1b2c3d without you, 2 changes staged: memd review"
        );
        assert_eq!(
            line(staged, 12, 1),
            "app: staged 3 changes as 0a1b2c3d: memd review; 12 more sessions wait: memd distill --all; 1 session was changed just now and is left alone"
        );
        assert_eq!(
            line(Result::Nothing, 0, 2),
            "app: nothing new; 2 sessions were changed just now and are left alone"
        );
        let would = Result::Would {
            sessions: 1,
            notes: 2,
            chars: 300,
        };
        assert_eq!(
            line(would, 0, 0),
            "app: would ask about 1 session and 2 notes (300 characters)"
        );
        assert_eq!(
            line(Result::failed("no memory"), 0, 0),
            "app: failed: no memory"
        );
    }
}
