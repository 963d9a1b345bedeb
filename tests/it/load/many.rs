//! Eight processes at once on one project and on several: none says that the database is locked,
//! nothing is lost or doubled, and all verifies in the end.
//!
//! `MEMD_TEST_LOAD=SECONDS` has the same go on for so long.

use super::field::{Field, both};
use crate::terminal::Terminal;
use crate::world::git;
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a person must never read, whoever else is at work.
const NEVER: [&str; 6] = [
    "database is locked",
    "is held by another process",
    "panicked",
    "was changed outside memd",
    "refused:",
    "damaged",
];

/// What is said of somebody else at work, and is no fault.
const ELSEWHERE: [&str; 4] = [
    "held by another memd",
    "nothing new",
    "in the meantime",
    "the key was rotated while this memd was running",
];

struct Run<'a> {
    field: &'a Field,
    /// What was said that nobody should have read.
    faults: Mutex<Vec<String>>,
    over: AtomicBool,
}

impl Run<'_> {
    fn fault(&self, what: &str, said: &str) {
        self.faults.lock().unwrap().push(format!("{what}: {said}"));
    }

    /// A command that may meet others at work, and otherwise succeeds.
    fn heard(&self, what: &str, run: &Output) -> String {
        let said = both(run);
        let elsewhere = ELSEWHERE.iter().any(|known| said.contains(known));
        if !run.status.success() && !elsewhere {
            self.fault(what, &said);
        }
        self.listen(what, &said);
        said
    }

    fn listen(&self, what: &str, said: &str) {
        if NEVER.iter().any(|never| said.contains(never)) {
            self.fault(what, said);
        }
    }

    fn memd(&self, project: &Path, args: &[&str]) -> String {
        self.heard(args[0], &self.field.memd(project, args))
    }

    /// What one of the eight does in its `round`th turn on a project.
    fn turn(&self, who: usize, round: usize) {
        let n = (who + round) % self.field.projects.len();
        let project = &self.field.projects[n];
        match who {
            0 | 1 => {
                self.field.say(n);
                self.memd(project, &["distill"]);
            }
            2 => self.listen("review", &self.field.review(project)),
            3 => {
                let brief = self.memd(project, &["brief"]);
                let hook = self.memd(project, &["hook", "session-start"]);
                for said in [brief, hook] {
                    if !said.contains("memd-brief:begin") {
                        self.fault("brief", &said);
                    }
                }
            }
            4 => {
                let said = both(&self.field.memd(project, &["verify", "--json"]));
                self.listen("verify", &said);
                let json = said.lines().next().unwrap_or_default();
                let json: Value = serde_json::from_str(json).unwrap_or_default();
                // What one of the eight wrote by hand is no fault.
                let by_hand = |b: &Value| b["place"].as_str().unwrap().contains("todo.md");
                let is_well = match json["breaks"].as_array() {
                    Some(breaks) => breaks.iter().all(by_hand),
                    None => ELSEWHERE.iter().any(|known| said.contains(known)),
                };
                if !is_well {
                    self.fault("verify", &said);
                }
            }
            5 => {
                for args in [&["status"][..], &["log"], &["audit"], &["key"]] {
                    self.memd(project, args);
                }
            }
            6 => {
                self.field
                    .by_hand(project, &format!("- [ ] by hand {round}\n"));
                self.listen("adopt", &self.field.review(project));
            }
            _ => self.rotate_or_restore(project, round),
        }
    }

    fn rotate_or_restore(&self, project: &Path, round: usize) {
        if round % 8 == 1 {
            let root = git(
                &project.join(".memory"),
                &["rev-list", "--max-parents=0", "HEAD"],
            );
            let args = ["restore", "todo", "--at", root.trim()];
            return self.listen("restore", &both(&self.field.memd(project, &args)));
        }
        let (args, plain) = (["key", "rotate"], [("NO_COLOR", "1")]);
        let mut terminal = Terminal::start(&self.field.home, project, &args, &plain);
        if terminal.next_of(&["changes nothing]"]).is_some() {
            terminal.type_line("y");
        }
        let said = String::from_utf8_lossy(&terminal.finish().1).into_owned();
        self.listen("key rotate", &said);
    }
}

/// Eight at once, each taking turns until `rounds` are done or the time is over; what was done.
fn play(field: &Field, rounds: usize, time: Option<Duration>) -> String {
    let run = Run {
        field,
        faults: Mutex::default(),
        over: AtomicBool::new(false),
    };
    let until = time.map(|time| Instant::now() + time);
    std::thread::scope(|scope| {
        for who in 0..8 {
            let run = &run;
            scope.spawn(move || {
                for round in 0.. {
                    let is_over = match until {
                        Some(until) => Instant::now() >= until,
                        None => round >= rounds,
                    };
                    if is_over || run.over.load(Relaxed) {
                        break;
                    }
                    run.turn(who, round);
                }
            });
        }
    });
    let faults = run.faults.into_inner().unwrap();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    field.drain();
    field.check();
    field.acts()
}

/// How long a maintainer wants it.
fn long() -> Option<Duration> {
    let seconds = std::env::var("MEMD_TEST_LOAD").ok()?;
    Some(Duration::from_secs(seconds.parse().unwrap()))
}

#[test]
fn eight_processes_at_once_on_one_project_lose_nothing() {
    println!("{}", play(&Field::new(1), 3, long()));
}

#[test]
fn eight_processes_at_once_on_several_projects_lose_nothing() {
    println!("{}", play(&Field::new(3), 3, long()));
}
