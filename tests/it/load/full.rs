//! A disk that takes no more, at whatever point of an act: the limit on the size of a file stands in
//! for it, since it needs no rights. What is refused is said, nothing is lost, and once there is room
//! it goes on.

use crate::attacks::scene::{Scene, add, both};
use crate::terminal::Terminal;
use crate::world::git;
use serde_json::{Value, json};
use std::process::{Command, Output};

/// Blocks of 512 bytes that a file may grow to: nothing, a lock's mark, a memory file, the database,
/// its log at different lengths.
const ROOM: [&str; FACTS.len()] = ["0", "1", "2", "32", "96", "256", "300", "400"];
/// Runs what follows with no larger files than that; writing more is an error and no signal.
const LIMITED: &str = "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"";
/// Of which none speaks of what another does.
const FACTS: [&str; 8] = [
    "The queue is SQLite",
    "Backups leave every night",
    "Amber marks what is late",
    "Retries double their delay",
    "Logs go to the journal",
    "Invoices are rounded down",
    "Maps load before markers",
    "Users sign in by mail",
];
/// What somebody can be told where nothing can be written.
const TOLD: [&str; 4] = ["File too large", "disk is full", "disk I/O error", "owed"];

fn memd() -> &'static str {
    env!("CARGO_BIN_EXE_memd")
}

fn limited(scene: &Scene, room: &str, args: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", LIMITED, room, memd()])
        .args(args)
        .env_clear()
        .envs(scene.home.env())
        .current_dir(&scene.root)
        .output()
        .unwrap()
}

/// A review under that limit, in which all is accepted and applied; what the terminal showed.
fn review(scene: &Scene, room: &str) -> String {
    let args = ["-c", LIMITED, room, memd(), "review", "--plain"];
    let env = [("NO_COLOR", "1")];
    let mut terminal = Terminal::run("sh", &scene.home, &scene.root, &args, &env);
    let mut asked = 0;
    while let Some(prompt) = terminal.next_of(&["?] ", "goes back: "]) {
        let text = terminal.since_last();
        let answer = match prompt {
            1 => "y",
            _ if asked > 5 => "q",
            _ if text.contains("\n  [ ] ") => "a",
            _ if text.contains("[a] ") => "w",
            _ => "q",
        };
        asked += 1;
        terminal.type_line(answer);
    }
    String::from_utf8_lossy(&terminal.finish().1).into_owned()
}

/// What failed says why.
fn is_told(what: &str, said: &str) {
    assert!(TOLD.iter().any(|t| said.contains(t)), "{what}: {said}");
    assert!(!said.contains("panicked"), "{what}: {said}");
}

#[test]
fn whatever_does_not_fit_is_said_and_goes_on_once_there_is_room() {
    let scene = Scene::new();
    let (mut refused, mut applied) = (0, 0);
    for (n, room) in ROOM.iter().enumerate() {
        let fact = format!("- {}.", FACTS[n]);
        let path = format!("session{n}");
        scene.user(&path, &format!("Decision: {}", &fact[2..]));
        let changes = json!({"version": 2, "summary": "s", "changes": [add("state.md", &fact)]});
        scene.replies(&changes.to_string());

        let run = limited(&scene, room, &["distill"]);
        if !run.status.success() {
            refused += 1;
            is_told(room, &both(&run));
            // Nothing of the material was lost.
            assert!(scene.memd(&["distill"]).status.success(), "{room}");
        }
        let status: Value = serde_json::from_str(&scene.says(&["status", "--json"])).unwrap();
        assert_eq!(status[0]["staged"], 1, "{room}: {status}");

        let said = review(&scene, room);
        assert!(!said.contains("panicked"), "{room}: {said}");
        let is_applied = said.contains("applied 1, rejected 0, 0 left");
        match is_applied {
            true => applied += 1,
            false => is_told(room, &said),
        }
        for args in [&["brief"][..], &["doctor"], &["verify"]] {
            let run = limited(&scene, room, args);
            let said = both(&run);
            assert!(!said.contains("panicked"), "{room} {args:?}: {said}");
            if !run.status.success() && args != ["doctor"] {
                is_told(room, &said);
            }
        }
        // There is room again: what was cut short is finished, what was refused is decided.
        let said = review(&scene, "unlimited");
        assert!(
            is_applied || !said.contains("owed and will be"),
            "{room}: {said}"
        );
        let verified = both(&scene.memd(&["verify"]));
        assert!(verified.starts_with("all good"), "{room}: {verified}");
        assert_eq!(scene.brief().matches(&fact).count(), 1, "{room}: {said}");
        let status: Value = serde_json::from_str(&scene.says(&["status", "--json"])).unwrap();
        assert_eq!(status[0]["staged"], 0, "{room}: {status}");
        assert_eq!(status[0]["commits_owed"], 0, "{room}: {status}");
        let memory = scene.root.join(".memory");
        let held = git(&memory, &["show", "HEAD:state.md"]);
        assert_eq!(held.matches(&fact).count(), 1, "{room}: {held}");
        assert_eq!(git(&memory, &["fsck", "--strict"]), "", "{room}");
    }
    assert!(refused > 2, "{refused} distills did not fit");
    assert!(applied > 0, "none of {} fitted", ROOM.len());
}

#[test]
fn what_only_looks_is_answered_where_nothing_can_be_written() {
    let scene = Scene::new();
    scene.user("one", "Decision: the API listens on port 9090.");
    scene.staged(&json!([add("state.md", "- The API listens on port 9090.")]));
    scene.review(&["a"]);
    for args in [
        &["status"][..],
        &["log"],
        &["verify"],
        &["audit"],
        &["audit", "--json"],
        &["key"],
        &["key", "show", "--json"],
        &["redact", "--not-secret"],
        &["show"],
    ] {
        let with_room = scene.memd(args);
        let without = limited(&scene, "0", args);
        assert_eq!(without.status, with_room.status, "{args:?}: {without:?}");
        if args != ["status"] {
            assert_eq!(without.stdout, with_room.stdout, "{args:?}");
        }
    }
    let said = both(&limited(&scene, "0", &["status"]));
    assert!(
        said.contains("nothing is read, decided or committed"),
        "{said}"
    );
    assert!(!scene.says(&["status"]).contains("nothing is read, decided"));
}
