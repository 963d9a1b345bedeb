//! Reading Codex rollouts: in every form and place that Codex gives them, with the rows that nobody
//! said, and the counts of real sessions.

mod forks;
mod formats;
mod packed;
mod whole;

use crate::attacks::scene::{Scene, add};
use crate::support::{Home, fixture, shared};
use memd::browse::{Glass, transcript};
use memd::config::{Places, Settings};
use memd::digest::Coverage;
use memd::source::{
    BRIEF_END, BRIEF_MARK, Reading, Role, Session, SourceError, Tool, Turn, Where, discover,
};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const NAME: &str = "rollout-2026-05-14T19-24-58-019e27f2-b7de-71c3-a0f9-70d6539231ba.jsonl";
const ID: &str = "019e27f2-b7de-71c3-a0f9-70d6539231ba";

/// A home with Codex's folder in it.
struct World {
    home: Home,
    places: Places,
    settings: Settings,
}

impl World {
    fn new() -> Self {
        let home = Home::new();
        let places = home.places();
        let settings = Settings::defaults(&places.home);
        Self {
            home,
            places,
            settings,
        }
    }

    fn at(&self) -> Where<'_> {
        Where::new(&self.places, &self.settings)
    }

    /// Writes a file below Codex's folder.
    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home.path().join(".codex").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// A rollout of these rows in its usual place.
    fn rollout(&self, rows: &[Value]) -> Session {
        let path = self.put(&format!("sessions/2026/05/14/{NAME}"), text(rows));
        Session::at(self.at(), &path).unwrap()
    }

    fn sessions(&self) -> Vec<Session> {
        discover(self.at()).sessions
    }

    fn read(&self, session: &Session) -> Read {
        self.read_on(session, 0, &HashSet::new())
    }

    fn read_on(&self, session: &Session, from: u64, known: &HashSet<String>) -> Read {
        let seen = |id: &str| known.contains(id);
        let reading = Reading {
            project: None,
            own: &self.places,
            seen: &seen,
        };
        let mut turns = Vec::new();
        let coverage = session.read(from..session.size, &reading, &mut turns);
        let coverage = coverage.unwrap();
        Read { turns, coverage }
    }
}

/// What a reading gave.
struct Read {
    turns: Vec<Turn>,
    coverage: Coverage,
}

impl Read {
    fn lines(&self) -> Vec<String> {
        let line = |t: &Turn| format!("{} {}", t.role.letter(), t.text.unredacted());
        self.turns.iter().map(line).collect()
    }

    fn count(&self, role: Role) -> usize {
        self.turns.iter().filter(|t| t.role == role).count()
    }

    /// The ids of messages as they are remembered.
    fn ids(&self) -> HashSet<String> {
        let ids = self.turns.iter().filter_map(|t| t.id.as_deref());
        ids.map(|id| id.rsplit_once('#').unwrap().0.to_owned())
            .collect()
    }
}

fn text(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn pack(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    compress_to_vec(bytes.as_ref(), CompressionLevel::Fastest)
}

fn row(kind: &str, payload: Value) -> Value {
    json!({"timestamp": "2026-05-14T19:24:58.000Z", "type": kind, "payload": payload})
}

fn meta(id: &str, more: Value) -> Value {
    let mut payload = json!({"id": id, "cwd": "/home/dev/app", "cli_version": "0.149.0"});
    let more = more.as_object().unwrap().clone();
    payload.as_object_mut().unwrap().extend(more);
    row("session_meta", payload)
}

fn turn(id: &str, cwd: &str) -> Value {
    row("turn_context", json!({"turn_id": id, "cwd": cwd}))
}

fn event(kind: &str, more: Value) -> Value {
    let mut payload = json!({"type": kind});
    let more = more.as_object().unwrap().clone();
    payload.as_object_mut().unwrap().extend(more);
    row("event_msg", payload)
}

fn message(role: &str, text: &str) -> Value {
    let content = json!([{"type": "input_text", "text": text}]);
    row(
        "response_item",
        json!({"type": "message", "role": role, "content": content}),
    )
}

fn call(id: &str, command: &str) -> Value {
    let arguments = json!({"cmd": command}).to_string();
    row(
        "response_item",
        json!({"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id}),
    )
}

fn result(id: &str, output: &str) -> Value {
    let output = format!("Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{output}");
    row(
        "response_item",
        json!({"type": "function_call_output", "call_id": id, "output": output}),
    )
}

/// A session of one turn.
fn session() -> Vec<Value> {
    vec![
        meta(ID, json!({"source": "cli"})),
        turn("t1", "/home/dev/app"),
        message("user", "retry five times"),
        message("assistant", "Done: five retries."),
    ]
}

#[test]
fn a_session_of_our_own_reads_as_it_was_meant() {
    let world = World::new();
    let bytes = std::fs::read(fixture("codex/rollout.jsonl")).unwrap();
    let path = world.put(&format!("sessions/2026/05/14/{NAME}"), bytes);
    let read = world.read(&Session::at(world.at(), &path).unwrap());
    insta::assert_snapshot!(read.lines().join("\n"));
    insta::assert_json_snapshot!(read.coverage, { ".source" => "[path]" });
    let abandoned = read.turns.iter().filter(|t| t.abandoned);
    let abandoned: Vec<_> = abandoned.map(|t| t.text.unredacted()).collect();
    assert_eq!(abandoned, ["use sqlite instead", "Switched to sqlite."]);
}

#[test]
fn a_session_that_grows_gives_what_it_gives_at_once() {
    let world = World::new();
    let bytes = std::fs::read(fixture("codex/rollout.jsonl")).unwrap();
    let path = world.put(&format!("sessions/2026/05/14/{NAME}"), &bytes);
    let talk = |read: &Read| -> Vec<String> {
        let line = |t: &Turn| format!("{:?} {}", t.id, t.text.unredacted());
        read.turns.iter().map(line).collect()
    };
    let expected = talk(&world.read(&Session::at(world.at(), &path).unwrap()));
    for cut in (0..bytes.len()).step_by(97) {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let first = world.read(&Session::at(world.at(), &path).unwrap());
        std::fs::write(&path, &bytes).unwrap();
        let session = Session::at(world.at(), &path).unwrap();
        let rest = world.read_on(&session, first.coverage.end, &first.ids());
        let all = [talk(&first), talk(&rest)].concat();
        assert_eq!(all, expected, "cut at {cut}");
    }
}

#[test]
fn rows_are_told_apart_by_the_directory_of_their_turn() {
    let world = World::new();
    let session = world.rollout(&[
        meta(ID, json!({})),
        message("user", "here"),
        turn("t1", "/home/dev/other"),
        message("user", "elsewhere"),
        turn("t2", "/home/dev/app/sub"),
        message("user", "here again"),
        turn("t3", world.places.state.to_str().unwrap()),
        message("user", "memd itself"),
    ]);
    let project = |dir: &Path| dir.starts_with("/home/dev/app");
    let reading = Reading {
        project: Some(&project),
        own: &world.places,
        seen: &|_| false,
    };
    let mut turns = Vec::new();
    let coverage = session.read(0..session.size, &reading, &mut turns).unwrap();
    let said: Vec<_> = turns.iter().map(|t| t.text.unredacted()).collect();
    assert_eq!(said, ["here", "here again"]);
    assert_eq!(coverage.skipped["row of another project"], 1);
    assert_eq!(coverage.skipped["memd's own session"], 1);
}

#[test]
fn memds_own_traces_are_left_out() {
    let world = World::new();
    let brief = format!("<!-- {BRIEF_MARK} n1 -->\nfacts\n<!-- {BRIEF_END} n1 -->");
    let read = world.read(&world.rollout(&[
        meta(ID, json!({})),
        message("user", &format!("{brief}\nhello")),
        message("user", &brief),
        call("c1", "memd brief"),
        result("c1", "what memd said"),
        call("c2", "ls"),
        result("c2", "a.rs"),
    ]));
    let expected = [
        "U hello",
        "T exec_command: memd brief",
        "T exec_command: ls",
        "R a.rs",
    ];
    assert_eq!(read.lines(), expected);
}

#[test]
fn real_sessions_have_the_counts_of_the_index() {
    let Some(shared) = shared() else { return };
    let world = World::new();
    let corpus = shared.join("corpus");
    let index = std::fs::read_to_string(corpus.join("index.json")).unwrap();
    let index: Vec<Value> = serde_json::from_str(&index).unwrap();
    let mut met = 0;
    for entry in index.iter().filter(|entry| entry["tool"] == "codex") {
        let name = entry["file"].as_str().unwrap();
        let session = Session::at(world.at(), &corpus.join(name)).unwrap();
        let read = world.read(&session);
        let number = |key: &str| entry["types"][key].as_u64().unwrap_or(0) as usize;
        met += 1;
        assert!(read.coverage.unreadable.is_empty(), "{name}");
        if read.coverage.skipped.contains_key("row of a sub-agent") {
            // A review of its own: only its result is read.
            assert_eq!(read.lines().len(), 1, "{name}");
            assert_eq!(read.count(Role::ToolResult), 1, "{name}");
            continue;
        }
        assert_eq!(
            read.count(Role::User),
            number("event_msg:user_message"),
            "{name}"
        );
        assert_eq!(
            read.count(Role::Assistant),
            number("event_msg:agent_message"),
            "{name}"
        );
        let calls =
            number("response_item:function_call") + number("response_item:custom_tool_call");
        let waits = read.coverage.skipped.get("wait for a running command");
        let waits = waits.map_or(0, |n| *n as usize);
        assert_eq!(read.count(Role::ToolCall) + waits, calls, "{name}");
        let twice = read.coverage.skipped.get("row that stands twice");
        assert_eq!(twice, None, "{name}");
    }
    assert_eq!(met, 9);
}
