//! Hooks of AI tools: nothing they are given breaks a session or holds it up, and nothing they leave
//! is lost, done twice, or goes round in circles.

mod payloads;
mod work;

use crate::attacks::scene::{Scene, add};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// A hook of a tool, run as the tool runs it.
fn hook(scene: &Scene, event: &str, payload: &str) -> Output {
    let mut command = scene.home.memd(&scene.root);
    command.args(["hook", event]).write_stdin(payload);
    command.output().unwrap()
}

/// The same, begun: what it reads is written, and its standard input is closed.
fn begin(scene: &Scene, event: &str, payload: &str) -> Child {
    use std::os::unix::process::CommandExt;
    let mut child = Command::new(env!("CARGO_BIN_EXE_memd"))
        .args(["hook", event])
        .env_clear()
        .envs(scene.home.env())
        .current_dir(&scene.root)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    // It may be gone already.
    let _ = pipe.write_all(payload.as_bytes());
    child
}

/// What Claude Code tells of a session.
fn payload(scene: &Scene, session: &str) -> String {
    json!({
        "session_id": session, "cwd": scene.root, "transcript_path": transcript(scene, session),
    })
    .to_string()
}

fn transcript(scene: &Scene, session: &str) -> PathBuf {
    let name = format!(".claude/projects/-app/{session}.jsonl");
    scene.home.path().join(name)
}

/// The jobs that wait or were begun.
fn jobs(scene: &Scene) -> Vec<String> {
    let items = std::fs::read_dir(scene.home.state().join("jobs"));
    let names = items.into_iter().flatten().map(|i| i.unwrap().file_name());
    let names = names.map(|n| n.into_string().unwrap());
    names
        .filter(|n| n.ends_with(".json") || n.ends_with(".taken"))
        .collect()
}

/// Works until nothing is left: beside a worker that runs, or in its place.
fn settle(scene: &Scene) {
    while !jobs(scene).is_empty() {
        scene.says(&["work", "--here"]);
    }
    still(scene);
}

/// Waits for the end of a worker, which holds the lock until it is done with its last job.
fn still(scene: &Scene) {
    let lock = scene.home.state().join("locks/work");
    if let Ok(lock) = std::fs::File::open(lock) {
        fs2::FileExt::lock_exclusive(&lock).unwrap();
    }
}

/// Every staged proposal.
fn staged(scene: &Scene) -> Vec<Value> {
    let (_, store, project) = scene.open();
    let queue = store.queue(Some(&project.id), jiff::Timestamp::now());
    let trust = store.trust().unwrap();
    let ids = queue.unwrap().into_iter().map(|item| item.id);
    ids.map(|id| serde_json::to_value(store.proposal(&trust, &id).unwrap()).unwrap())
        .collect()
}

/// The curator counts its calls and proposes one thing.
fn counting(scene: &Scene) {
    let changes = json!([add("state.md", "- The API listens on port 8443.")]);
    let reply = json!({"version": 2, "summary": "s", "changes": changes});
    std::fs::write(scene.home.path().join("reply"), reply.to_string()).unwrap();
    scene.script(
        "mkdir \"$1/busy\" || echo two >> \"$1/overlap\"; cat > /dev/null\n\
         echo x >> \"$1/calls\"; rmdir \"$1/busy\"; cat \"$1/reply\"",
    );
}

fn calls(scene: &Scene) -> usize {
    scene.file("calls").lines().count()
}
