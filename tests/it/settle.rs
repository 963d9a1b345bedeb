//! What is put back or purged: memd names it, says what ends it, and a person's word on record ends
//! what nothing else can. With real git and real files.

mod gaps;
mod given_up;
mod put_back;
mod refused;
mod values;

use crate::attacks::scene::{Scene, add, both};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const PORT: &str = "- The API listens on port 9090.";

const QUEUE: &str = "- The queue is SQLite.";

/// A project in which a person accepted one entry.
fn accepted() -> Scene {
    let scene = Scene::new();
    accept(&scene, "one", PORT);
    scene
}

/// Something that was said in a session, proposed and accepted.
fn accept(scene: &Scene, session: &str, text: &str) {
    scene.user(session, &format!("Decision: {text}"));
    scene.staged(&json!([add("state.md", text)]));
    scene.review(&["a"]);
}

fn memory(scene: &Scene) -> PathBuf {
    scene.root.join(".memory")
}

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    let done = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(done.unwrap().success());
}

/// Exit code and what is said.
fn verify(scene: &Scene) -> (i32, String) {
    let run = scene.memd(&["verify"]);
    (run.status.code().unwrap(), both(&run))
}

/// What is broken and what was settled, by kind.
fn kinds(scene: &Scene) -> (Vec<String>, Vec<String>) {
    let run = scene.memd(&["verify", "--json"]);
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(json["ok"], json["breaks"].as_array().unwrap().is_empty());
    let of = |key: &str| {
        let all = json[key].as_array().unwrap().iter();
        all.map(|b| b["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    (of("breaks"), of("settled"))
}

/// Settles on a terminal: exit code and what it said.
fn settle(scene: &Scene, why: &str) -> (u32, String) {
    let mut terminal = scene.terminal(&["verify", "--settle"]);
    terminal.wait_for("an empty line settles nothing]");
    terminal.type_line(why);
    terminal.wait_for("anything else changes nothing]");
    terminal.type_line("y");
    let (code, text) = terminal.finish();
    (code, String::from_utf8(text).unwrap())
}

fn rotates(scene: &Scene) -> bool {
    let mut terminal = scene.terminal(&["key", "rotate"]);
    terminal.wait_for("rotate it? [y, anything else changes nothing]");
    terminal.type_line("y");
    let (code, text) = terminal.finish();
    code == 0 && String::from_utf8_lossy(&text).contains("seals from now on")
}

fn last_act(scene: &Scene) -> (String, Value) {
    let (_, store, _) = scene.open();
    let row = store.audit_rows().unwrap().pop().unwrap();
    (row.act, serde_json::from_str(&row.details).unwrap())
}

/// Adopts whatever a review offers.
fn adopt_all(scene: &Scene) {
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied ");
    terminal.kill();
}

#[test]
fn what_stands_on_disk_and_commits_have_no_say_in_a_rotation() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    assert!(scene.memd(&["init"]).status.success());
    std::fs::write(memory(&scene).join("todo.md"), "- [ ] by hand\n").unwrap();
    let before = kinds(&scene).0;
    assert_eq!(before, ["commit-gone", "entry-unsealed"]);
    assert!(rotates(&scene));
    assert_eq!(kinds(&scene).0, before);
}

/// SQL as somebody with write access to the database would run it.
fn attack(scene: &Scene, sql: &str) {
    let db = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    for guard in ["audit", "records", "journal"] {
        let guards = format!(
            "DROP TRIGGER IF EXISTS {guard}_no_update; DROP TRIGGER IF EXISTS {guard}_no_delete"
        );
        db.execute_batch(&guards).unwrap();
    }
    db.execute_batch(sql).unwrap();
    // The guards come back, so that nothing but the attack is told.
    scene.open().1.mend().unwrap();
}
