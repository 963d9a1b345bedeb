//! The rows of "Recovering" in docs/state.md, one by one, with the real binary: what is lost or put
//! back, what every command says of it, and that what the row advises ends it.

mod begun;
mod committed;
mod hands;
mod older;
mod owed;
mod own_files;
pub mod stray;

use crate::attacks::scene::{Scene, both};
use serde_json::Value;

/// What a command says on both streams, whatever its exit code.
fn said(scene: &Scene, args: &[&str]) -> String {
    both(&scene.memd(args))
}

/// The kinds of what verify finds broken.
fn kinds(scene: &Scene) -> Vec<String> {
    let run = scene.memd(&["verify", "--json"]);
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    let kind = |b: &Value| b["kind"].as_str().unwrap().to_owned();
    json["breaks"]
        .as_array()
        .unwrap()
        .iter()
        .map(kind)
        .collect()
}

/// Settles what can be settled, with a reason.
fn settle(scene: &Scene) {
    let mut terminal = scene.terminal(&["verify", "--settle"]);
    terminal.wait_for("settles nothing]");
    terminal.type_line("put back a backup");
    terminal.wait_for("changes nothing]");
    terminal.type_line("y");
    terminal.wait_for("settled, and on record");
    terminal.finish();
}
