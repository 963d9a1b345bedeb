//! Which project a directory and a session belong to, by the real binary and real repositories; and
//! what becomes of a project that moves, is forgotten, is kept away, or is the memory of all.

mod global;
mod identity;
mod leaving;
mod scaffold;
mod within;

use crate::support::Home;
use std::path::{Path, PathBuf};

/// A session that was held in a directory, in the folder in which Claude Code keeps it. Its words are
/// `word`.
fn session(home: &Home, cwd: &Path, word: &str) -> PathBuf {
    let encoded: String = cwd
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let dir = home.folder(&format!(".claude/projects/{encoded}"));
    let row = serde_json::json!({
        "type": "user", "uuid": format!("{word}-1"), "sessionId": word, "cwd": cwd,
        "timestamp": "2026-11-29T10:00:00.000Z", "version": "2.0.0",
        "message": { "role": "user", "content": format!("the word is {word}") },
    });
    let path = dir.join(format!("{word}.jsonl"));
    std::fs::write(&path, format!("{row}\n")).unwrap();
    path
}

/// What a command says on both streams, and its exit code.
fn run(home: &Home, cwd: &Path, args: &[&str]) -> (Option<i32>, String) {
    let out = home.memd(cwd).args(args).output().unwrap();
    let text = [out.stdout, out.stderr].concat();
    (out.status.code(), String::from_utf8(text).unwrap())
}

/// As [`run`], of a command that must not fail.
fn said(home: &Home, cwd: &Path, args: &[&str]) -> String {
    let (code, text) = run(home, cwd, args);
    assert_eq!(code, Some(0), "{args:?}: {text}");
    text
}

/// What a session that starts in a directory is given.
fn given(home: &Home, cwd: &Path) -> String {
    let payload = serde_json::json!({ "cwd": cwd, "hook_event_name": "SessionStart" });
    let out = home
        .memd(&home.path())
        .args(["hook", "session-start"])
        .write_stdin(payload.to_string())
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
    if out.stdout.is_empty() {
        return String::new();
    }
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let text = json["hookSpecificOutput"]["additionalContext"].as_str();
    text.unwrap().to_owned()
}
