//! Payloads of every tool, whole and broken.

use super::{hook, jobs, payload};
use crate::attacks::scene::Scene;
use crate::support::shared;
use serde_json::Value;
use std::process::{Command, Stdio};

const EVENTS: [&str; 9] = [
    "session-start",
    "session-end",
    "pre-compact",
    "stop",
    "SessionStart",
    "PreCompress",
    "no-such-event",
    "--help-me",
    "",
];

/// Ends with 0, and says one JSON object of the one shape that all tools take, or nothing.
fn check(scene: &Scene, event: &str, payload: &str) {
    let out = hook(scene, event, payload);
    assert_eq!(out.status.code(), Some(0), "{event} {payload}: {out:?}");
    if out.stdout.is_empty() {
        return;
    }
    let said: Value = serde_json::from_slice(&out.stdout).unwrap();
    let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&said), ["hookSpecificOutput"], "{event} {payload}");
    let inner = &said["hookSpecificOutput"];
    assert_eq!(keys(inner), ["hookEventName", "additionalContext"]);
    assert_eq!(inner["hookEventName"], "SessionStart");
    assert!(inner["additionalContext"].as_str().unwrap().len() < 9_500);
}

/// Shapes of our own, each a trap of its own.
const SHAPES: [&str; 14] = [
    "",
    "hello",
    "[]",
    "null",
    "{",
    r#"{"session_id": 7, "transcript_path": ["x"], "cwd": {}}"#,
    r#"{"session_id": "../../../../etc/cron.d/x", "transcript_path": "/nonexistent/x.jsonl", "reason": "other"}"#,
    r#"{"session_id": "s", "transcript_path": null, "cwd": null, "source": "startup"}"#,
    r#"{"session_id": "s", "transcript_path": "~/.claude/projects/-p/x.jsonl", "cwd": "/gone/dir"}"#,
    r#"{"session_id": "s", "transcript_path": "C:\\Users\\D\\x.jsonl", "cwd": "c:\\Users\\D"}"#,
    r#"{"session_id": "s", "transcript_path": "/dev/zero", "cwd": "/", "reason": "a future one"}"#,
    r#"{"session_id": "s", "transcript_path": "/a/../../etc/passwd", "cwd": "/a/../.."}"#,
    r#"{"session_id": "s", "agent_id": "a", "cwd": "/tmp", "stop_hook_active": true}"#,
    r#"{"session_id": "s", "cwd": "/tmp", "last_assistant_message": "cut off he"#,
];

#[test]
fn whatever_a_tool_says_no_session_breaks() {
    let scene = Scene::new();
    for shape in SHAPES {
        for event in EVENTS {
            check(&scene, event, shape);
        }
    }
    scene.says(&["work", "--here"]);
    let log = std::fs::read_to_string(scene.home.state().join("memd.log")).unwrap();
    assert!(!log.contains("set aside"), "{log}");
}

#[test]
fn the_payloads_of_every_tool_are_taken() {
    let Some(shared) = shared() else { return };
    let scene = Scene::new();
    let dir = shared.join("cases/transcripts/hooks");
    let mut seen = 0;
    for item in std::fs::read_dir(dir).unwrap() {
        let text = std::fs::read_to_string(item.unwrap().path()).unwrap();
        for event in ["session-start", "session-end", "pre-compact", "stop"] {
            check(&scene, event, &text);
        }
        seen += 1;
    }
    assert!(seen > 30);
    scene.says(&["work", "--here"]);
}

#[test]
fn a_standard_input_that_nobody_closes_holds_nothing_up() {
    let scene = Scene::new();
    scene.user("s", "The API listens on port 8443.");
    for (said, left) in [("", 0), (payload(&scene, "s").as_str(), 1)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_memd"))
            .args(["hook", "stop"])
            .env_clear()
            .envs(scene.home.env())
            .current_dir("/")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut pipe, said.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(jobs(&scene).len(), left);
        drop(pipe);
    }
}

#[test]
fn where_nothing_can_be_written_or_read_a_hook_still_ends_well() {
    let scene = Scene::new();
    std::fs::write(
        scene.home.state().join("jobs"),
        "a file where the folder goes",
    )
    .unwrap();
    for event in EVENTS {
        check(&scene, event, &payload(&scene, "s"));
    }
    std::fs::write(scene.home.config(), "{ broken").unwrap();
    std::fs::write(scene.home.state().join("memd.db"), "no database").unwrap();
    for event in EVENTS {
        check(&scene, event, &payload(&scene, "s"));
    }
    let mut command = scene.home.memd(&scene.root);
    command.env_remove("HOME").args(["hook", "session-end"]);
    assert!(command.output().unwrap().status.success());
}

#[test]
fn a_full_output_is_no_error_of_the_hook() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let scene = Scene::new();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_memd"))
        .args(["hook", "session-start"])
        .env_clear()
        .envs(scene.home.env())
        .current_dir(&scene.root)
        .stdin(Stdio::null())
        .stdout(full)
        .status();
    assert!(ended.unwrap().success());
}
