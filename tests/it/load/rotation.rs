//! `memd key rotate` killed for real, at every step and at moments of chance: the rotation is
//! finished or undone by whatever runs next, which says so, and all that was sealed verifies.

use crate::attacks::scene::{Scene, add, both};
use crate::support::places_of;
use jiff::Timestamp;
use memd::lock::KeyLock;
use memd::store::{RotationStep, Store};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Names the home that a child process rotates in.
const HOME: &str = "MEMD_TEST_ROTATION_HOME";
const STEPS: [RotationStep; 5] = [
    RotationStep::Checked,
    RotationStep::Resealed,
    RotationStep::LaidDown,
    RotationStep::Committed,
    RotationStep::InPlace,
];

/// Only in the child: stands still after each step until it is told to go on.
#[test]
fn child_rotates_step_by_step() {
    let Some(home) = std::env::var_os(HOME) else {
        return;
    };
    let places = places_of(home.as_ref());
    let store = Store::open(&places).unwrap();
    let trust = store.trust().unwrap();
    let lock = KeyLock::take(&places.locks()).unwrap();
    let (mut out, mut go_on) = (std::io::stdout().lock(), String::new());
    let mut watch = |step| {
        writeln!(out, "\nstep {step:?}").unwrap();
        out.flush().unwrap();
        std::io::stdin().read_line(&mut go_on).unwrap();
    };
    let now = Timestamp::now();
    store
        .rotate_key_watched(&lock, &trust, now, &mut watch)
        .unwrap();
}

struct Case {
    scene: Scene,
    /// What the chain held before the first rotation.
    copy: String,
}

impl Case {
    /// A project with accepted entries, and with a proposal that waits.
    fn new() -> Self {
        let scene = Scene::new();
        scene.user("s", "Decision: the API listens on port 9090.");
        scene.staged(&json!([add("state.md", "- The API listens on port 9090.")]));
        scene.review(&["a"]);
        scene.user("s", "The queue is SQLite.");
        scene.staged(&json!([add("state.md", "- The queue is SQLite.")]));
        let copy = scene.home.path().join("copy.jsonl");
        let copy = copy.to_str().unwrap().to_owned();
        scene.says(&["audit", "--export", &copy]);
        Self { scene, copy }
    }

    fn key_id(&self) -> String {
        let store = Store::open(&self.scene.home.places()).unwrap();
        store.trust().unwrap().key_id().to_owned()
    }

    /// Kills a rotation that stands still after a step.
    fn killed_after(&self, step: RotationStep) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "load::rotation::child_rotates_step_by_step",
                "--nocapture",
            ])
            .env(HOME, self.scene.home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for known in STEPS {
            let line = format!("step {known:?}");
            assert!(lines.any(|l| l.unwrap() == line), "{line} did not come");
            if known == step {
                break;
            }
            child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// What holds whatever was killed, once any command has run.
    fn check(&self, at: &str) {
        let scene = &self.scene;
        let told = both(&scene.memd(&["verify"]));
        assert!(told.starts_with("all good"), "{at}: {told}");
        let copy = scene.memd(&["verify", "--file", &self.copy]);
        assert!(copy.status.success(), "{at}: {}", both(&copy));
        assert!(scene.brief().contains("port 9090"), "{at}");
        let status = scene.says(&["status", "--json"]);
        let status: Value = serde_json::from_str(&status).unwrap();
        assert_eq!(status[0]["staged"], 1, "{at}: {status}");
        let items = std::fs::read_dir(scene.home.state()).unwrap();
        let names = items.map(|item| item.unwrap().file_name().into_string().unwrap());
        let left: Vec<_> = names
            .filter(|name| name == "key.next" || name.starts_with(".memd-"))
            .collect();
        assert_eq!(left, Vec::<String>::new(), "{at}");
    }
}

#[test]
fn a_rotation_killed_after_any_step_is_finished_or_undone_by_whatever_runs_next() {
    let case = Case::new();
    let firsts: [&[&str]; 7] = [
        &["verify"],
        &["status"],
        &["brief"],
        &["doctor"],
        &["key"],
        &["log"],
        &["distill"],
    ];
    for step in STEPS {
        let (said, is_new) = match step {
            RotationStep::Checked | RotationStep::Resealed => (None, false),
            RotationStep::LaidDown => (Some("it is undone"), false),
            RotationStep::Committed => (Some("it is finished"), true),
            RotationStep::InPlace => (None, true),
        };
        let firsts = &firsts[..if said.is_some() { firsts.len() } else { 1 }];
        for first in firsts {
            let at = format!("after {step:?}, {first:?} first");
            let before = case.key_id();
            case.killed_after(step);
            // A hook has no time for it; what it gives verifies all the same.
            let hook = case.scene.says(&["hook", "session-start"]);
            assert!(hook.contains("port 9090"), "{at}: {hook}");
            let told = both(&case.scene.memd(first));
            match said {
                Some(said) => assert!(
                    told.contains("cut off") && told.contains(said),
                    "{at}: {told}"
                ),
                None => assert!(!told.contains("cut off"), "{at}: {told}"),
            }
            case.check(&at);
            assert_eq!(case.key_id() != before, is_new, "{at}");
        }
    }
}

#[test]
fn a_rotation_on_a_terminal_is_killed_at_moments_of_chance() {
    let case = Case::new();
    let next = case.scene.home.places().next_key();
    let mut dice = crate::crash::Dice(20_261_130);
    for round in 0..8 {
        let before = case.key_id();
        let mut terminal = case.scene.terminal(&["key", "rotate"]);
        terminal.wait_for("anything else changes nothing]");
        terminal.type_line("y");
        // Every other time as soon as the next key is there, or all is done.
        while round % 2 == 0 && !next.exists() && case.key_id() == before {
            std::thread::yield_now();
        }
        for _ in 0..dice.roll(2_000_000) {
            std::hint::spin_loop();
        }
        terminal.kill();
        case.scene.memd(&["status"]);
        case.check(&format!("round {round}"));
    }
    let mut terminal = case.scene.terminal(&["key", "rotate"]);
    terminal.wait_for("anything else changes nothing]");
    terminal.type_line("y");
    let (code, text) = terminal.finish();
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&text));
    case.check("at the end");
}
