//! Reading Codex rollouts: in every form and place that Codex gives them, with the rows that nobody
//! said, and the counts of real sessions.

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
fn one_session_is_found_once_in_every_form_and_place() {
    let rows = text(&session());
    let packed = pack(&rows);
    let plain = format!("sessions/2026/05/14/{NAME}");
    let archived = format!("archived_sessions/{NAME}");
    let (plain_packed, archived_packed) = (format!("{plain}.zst"), format!("{archived}.zst"));
    let mut keys = HashSet::new();
    for files in [
        &[&plain][..],
        &[&plain_packed],
        &[&archived],
        &[&archived_packed],
        &[&plain, &plain_packed, &archived, &archived_packed],
        &[&archived, &plain_packed],
    ] {
        let world = World::new();
        for name in files {
            let is_packed = name.ends_with(".zst");
            world.put(name, if is_packed { &packed } else { rows.as_bytes() });
        }
        let found = world.sessions();
        assert_eq!(found.len(), 1, "{files:?}");
        let one = &found[0];
        let codex = world.home.path().join(".codex");
        assert_eq!(one.path, codex.join(files[0]), "plain wins");
        assert_eq!((one.tool, one.size), (Tool::Codex, rows.len() as u64));
        // By its key, and by any file of it.
        let again = Session::at(world.at(), Path::new(&one.key)).unwrap();
        assert_eq!(&again, one);
        assert_eq!(Session::at(world.at(), &one.path).unwrap().key, one.key);
        let read = world.read(one);
        assert_eq!(
            read.lines(),
            ["U retry five times", "A Done: five retries."]
        );
        assert_eq!(read.coverage.source, one.key);
        assert_eq!(read.coverage.end, rows.len() as u64);
        let key = Path::new(&one.key).strip_prefix(&codex).unwrap().to_owned();
        keys.insert(key);
    }
    assert_eq!(keys, HashSet::from([PathBuf::from(&plain)]));
}

#[test]
fn a_place_in_a_session_is_the_same_once_it_is_compressed() {
    let world = World::new();
    let mut rows = session();
    for n in 0..2000 {
        rows.push(message(
            "assistant",
            &format!("step {n} {}", "x".repeat(50)),
        ));
    }
    let session = world.rollout(&rows);
    let read = world.read(&session);
    let half = read.turns[1000].place.offset;
    let print = session.fingerprint(half).unwrap();
    let expected = world.read_on(&session, half, &HashSet::new());
    let around = |session: &Session| {
        let mut places = session.numbers(&[0, half]);
        for reach in [0, 100, 10_000] {
            places.push(session.before(half, reach).unwrap());
            places.push(session.after(half, reach).unwrap());
        }
        places
    };
    let expected_around = around(&session);
    std::fs::remove_file(&session.path).unwrap();
    world.put(&format!("archived_sessions/{NAME}.zst"), pack(text(&rows)));
    let packed = world.sessions().remove(0);
    assert_eq!((&packed.key, packed.size), (&session.key, session.size));
    assert!(packed.matches(&print, half).unwrap());
    assert_eq!(packed.fingerprint(half).unwrap(), print);
    assert_eq!(packed.mark().unwrap().end, session.size);
    let rest = world.read_on(&packed, half, &HashSet::new());
    assert_eq!(rest.lines(), expected.lines());
    assert_eq!(rest.turns[0].id, expected.turns[0].id, "the turn goes on");
    assert_eq!(around(&packed), expected_around);
    // Another content behind the same beginning is noticed.
    rows[500] = message("assistant", "something else");
    world.put(&format!("archived_sessions/{NAME}.zst"), pack(text(&rows)));
    assert!(!world.sessions()[0].matches(&print, half).unwrap());
}

#[test]
fn a_damaged_or_hostile_compressed_file_is_named_and_the_rest_is_read() {
    let world = World::new();
    let mut rows = session();
    for n in 0..20_000 {
        rows.push(message("assistant", &format!("step {n}")));
    }
    let packed = pack(text(&rows));
    let folder = "sessions/2026/05/14/rollout-2026-05-14T00-00-00-";
    world.put(
        &format!("{folder}1.jsonl.zst"),
        &packed[..packed.len() - 1000],
    );
    world.put(&format!("{folder}2.jsonl.zst"), b"no zstd at all");
    // A frame of blocks that each repeat one byte: 256 MiB in 8 KiB.
    let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for _ in 0..2048 {
        bomb.extend(((128 * 1024u32) << 3 | 1 << 1).to_le_bytes()[..3].iter());
        bomb.push(b'\n');
    }
    bomb.extend([1, 0, 0]);
    world.put(&format!("{folder}3.jsonl.zst"), bomb);
    world.put(&format!("{folder}4.jsonl"), text(&session()));
    let found = discover(world.at());
    let closed = found.closed.lines().join("\n");
    for part in [
        "1.jsonl.zst",
        "2.jsonl.zst: it is not compressed",
        "more than 64 MiB",
    ] {
        assert!(closed.contains(part), "{part} in {closed}");
    }
    let name = |end: &str| {
        let is_it = |s: &&Session| s.key.ends_with(end);
        found.sessions.iter().find(is_it).unwrap()
    };
    let cut = world.read(name("1.jsonl"));
    assert!(cut.turns.len() > 1000, "{}", cut.turns.len());
    assert_eq!(world.read(name("4.jsonl")).turns.len(), 2);
}

#[test]
fn how_much_a_file_unpacks_to_is_remembered_and_told_anew_when_it_changes() {
    let world = World::new();
    let rows = text(&session());
    let name = format!("sessions/2026/05/14/{NAME}.zst");
    let path = world.put(&name, pack(&rows));
    assert_eq!(world.sessions()[0].size, rows.len() as u64);
    let kept = world.places.state.join("unpacked.json");
    assert!(
        !kept.exists(),
        "where memd keeps nothing yet, looking leaves nothing"
    );
    std::fs::create_dir_all(&world.places.state).unwrap();
    for _ in 0..2 {
        assert_eq!(world.sessions()[0].size, rows.len() as u64);
        let known = std::fs::read_to_string(&kept).unwrap();
        assert!(known.contains(path.to_str().unwrap()), "{known}");
    }
    std::fs::write(&kept, "no json").unwrap();
    world.put(&name, pack(rows.repeat(2)));
    assert_eq!(world.sessions()[0].size, 2 * rows.len() as u64);
    std::fs::remove_file(path).unwrap();
    assert!(world.sessions().is_empty());
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "{}");
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
fn a_fork_is_read_from_where_it_leaves_its_parent() {
    let world = World::new();
    let parent = [
        session(),
        vec![
            call("c1", "make"),
            result("c1", "built"),
            message("user", "yes"),
        ],
    ]
    .concat();
    let first = world.rollout(&parent);
    let known = world.read(&first).ids();
    // The history is written again, with new times, behind a description of its own.
    let mut fork = vec![meta("fork", json!({"forked_from_id": ID}))];
    fork.extend(parent.iter().cloned().map(|mut row| {
        row["timestamp"] = json!("2026-06-01T00:00:00.000Z");
        row
    }));
    fork.push(turn("t2", "/home/dev/app"));
    fork.push(message("user", "yes"));
    let name = format!(
        "sessions/2026/06/01/rollout-2026-06-01T00-00-00-{}.jsonl",
        "fork"
    );
    let path = world.put(&name, text(&fork));
    let fork = Session::at(world.at(), &path).unwrap();
    let read = world.read_on(&fork, 0, &known);
    assert_eq!(read.lines(), ["U yes"]);
    assert_eq!(read.coverage.seen, 5);
    assert_eq!(read.coverage.sessions, ["fork"]);
}

#[test]
fn a_fork_without_turns_is_told_too_and_repeated_words_are_not() {
    let world = World::new();
    let say = |n: usize| message("user", ["first", "go on", "go on"][n]);
    let parent = vec![meta(ID, json!({})), say(0), say(1), say(2)];
    let first = world.read(&world.rollout(&parent));
    assert_eq!(first.lines(), ["U first", "U go on", "U go on"]);
    let fork = [
        vec![meta("fork", json!({}))],
        parent,
        vec![message("user", "go on")],
    ]
    .concat();
    let fork = world.rollout(&fork);
    let read = world.read_on(&fork, 0, &first.ids());
    assert_eq!(read.lines(), ["U go on"]);
}

#[test]
fn only_what_a_subagent_gave_back_is_read() {
    let world = World::new();
    let work = |id: &str, source: Value| {
        vec![
            meta(id, json!({"source": source})),
            message("user", "look into it"),
            message("assistant", "on it"),
            call("c1", "ls"),
            row(
                "response_item",
                json!({"type": "message", "role": "assistant", "phase": "final_answer",
                "content": [{"type": "output_text", "text": "it leaks"}]}),
            ),
        ]
    };
    // Started by a session that has a file of its own, with the result in it.
    let read = world.read(&world.rollout(&work(ID, json!({"subagent": {"thread_spawn": {}}}))));
    assert_eq!(read.lines(), [""; 0]);
    assert_eq!(read.coverage.skipped["row of a sub-agent"], 4);
    let arguments = json!({"message": "look into it"}).to_string();
    let parent = world.rollout(&[
        meta(ID, json!({})),
        row("response_item", json!({"type": "function_call", "name": "spawn_agent", "call_id": "c", "arguments": arguments})),
        row("response_item", json!({"type": "function_call_output", "call_id": "c", "output": "it leaks"})),
        message("user", "<subagent_notification>\n{\"status\": \"it leaks\"}\n</subagent_notification>"),
    ]);
    assert_eq!(
        world.read(&parent).lines(),
        ["T spawn_agent: look into it", "R it leaks"]
    );
    // The file is named after the session that asked, which left nothing else.
    let read = world.read(&world.rollout(&work("another", json!({"subagent": "review"}))));
    assert_eq!(read.lines(), ["R it leaks"]);
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
fn the_oldest_format_is_read() {
    let world = World::new();
    let environment =
        "<environment_context>\nCurrent working directory: /home/dev/app\n</environment_context>";
    let item = |role: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]});
    let session = world.rollout(&[
        json!({"id": ID, "timestamp": "2025-05-07T17:24:21.500Z", "instructions": null, "git": {}}),
        item("user", environment),
        json!({"record_type": "state"}),
        item("user", "why does it fail?"),
        json!({"type": "reasoning", "summary": [], "encrypted_content": "x"}),
        json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"bash\",\"-lc\",\"make\"]}", "call_id": "c"}),
        json!({"type": "function_call_output", "call_id": "c", "output": "{\"output\":\"no rule\",\"metadata\":{\"exit_code\":2}}"}),
        item("assistant", "There is no rule."),
    ]);
    let read = world.read(&session);
    let expected = [
        "U why does it fail?",
        "T shell: make",
        "E no rule",
        "A There is no rule.",
    ];
    assert_eq!(read.lines(), expected);
    assert_eq!(session.first_dir().unwrap(), Some("/home/dev/app".into()));
    assert!(
        read.turns
            .iter()
            .all(|t| t.cwd == Some("/home/dev/app".into()))
    );
    let ours = |dir: &Path| dir == Path::new("/home/dev/app");
    assert_eq!(
        session.any_in(&mut memd::source::Rows::of(&ours)),
        Some(true)
    );
}

#[test]
fn a_rollout_that_holds_events_only_is_read_and_nothing_doubles() {
    let world = World::new();
    let talk = [
        event("user_message", json!({"message": "hello"})),
        event("agent_message", json!({"message": "hi"})),
    ];
    let only = [vec![meta(ID, json!({}))], talk.to_vec()].concat();
    assert_eq!(
        world.read(&world.rollout(&only)).lines(),
        ["U hello", "A hi"]
    );
    // In the order in which Codex writes both.
    let both = [
        meta(ID, json!({})),
        message("user", "hello"),
        talk[0].clone(),
        talk[1].clone(),
        message("assistant", "hi"),
    ];
    assert_eq!(
        world.read(&world.rollout(&both)).lines(),
        ["U hello", "A hi"]
    );
}

#[test]
fn a_format_that_memd_does_not_know_is_said_to_be_so() {
    let world = World::new();
    let path = world.put(
        &format!("sessions/2026/05/14/{NAME}"),
        text(&[row("session_head", json!({})), row("says", json!({}))]),
    );
    let session = Session::at(world.at(), &path).unwrap();
    let reading = Reading {
        project: None,
        own: &world.places,
        seen: &|_| false,
    };
    let error = session
        .read(0..session.size, &reading, &mut Vec::new())
        .unwrap_err();
    assert!(matches!(
        error,
        SourceError::UnknownFormat {
            tool: Tool::Codex,
            ..
        }
    ));
    let other = world.put("notes.bin", b"\x00\x01\x02 nobody knows this\n");
    let error = Session::at(world.at(), &other).unwrap_err();
    assert!(
        error.to_string().contains("in no format that memd knows"),
        "{error}"
    );
    let out = world
        .home
        .memd(&world.home.path())
        .args(["digest", "--transcript"])
        .arg(&other)
        .assert();
    out.failure();
}

#[test]
fn a_file_anywhere_is_told_by_its_first_rows() {
    let world = World::new();
    let rows = text(&session());
    for (name, bytes) in [("a.txt", rows.as_bytes().to_vec()), ("b.zst", pack(&rows))] {
        let path = world.home.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let session = Session::at(world.at(), &path).unwrap();
        assert_eq!(
            (session.tool, session.size),
            (Tool::Codex, rows.len() as u64)
        );
        assert_eq!(world.read(&session).turns.len(), 2);
    }
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

/// A project with one Codex session, and a curator that does as it is told.
fn project() -> (Scene, PathBuf) {
    let scene = Scene::bare("app");
    let path = scene
        .home
        .path()
        .join(format!(".codex/sessions/2026/05/14/{NAME}"));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let root = scene.root.to_str().unwrap();
    let rows = [
        meta(ID, json!({"cwd": root})),
        turn("t1", root),
        message("user", "We decided to use port 8443 for the API."),
    ];
    std::fs::write(&path, text(&rows)).unwrap();
    (scene, path)
}

fn append(path: &Path, rows: &[Value]) {
    let bytes = [std::fs::read(path).unwrap(), text(rows).into_bytes()].concat();
    std::fs::write(path, bytes).unwrap();
}

/// Codex compresses the file and moves it to the archive.
fn archive(path: &Path) -> PathBuf {
    let archive = path.ancestors().nth(5).unwrap().join("archived_sessions");
    std::fs::create_dir_all(&archive).unwrap();
    let to = archive.join(format!("{NAME}.zst"));
    std::fs::write(&to, pack(std::fs::read(path).unwrap())).unwrap();
    std::fs::remove_file(path).unwrap();
    to
}

#[test]
fn a_session_is_distilled_once_whatever_becomes_of_its_file() {
    let (scene, path) = project();
    let key = path.to_str().unwrap().to_owned();
    let start = std::fs::metadata(&path).unwrap().len();
    scene.says(&["init"]);
    append(&path, &[turn("t2", scene.root.to_str().unwrap())]);
    append(
        &path,
        &[message(
            "user",
            "We decided to use port 9090 for the metrics.",
        )],
    );
    let changes = json!([add("state.md", "- Metrics are on port 9090.")]);
    let proposal = scene.staged(&changes);
    assert_eq!(proposal["spans"][0]["source"], key);
    assert_eq!(
        proposal["spans"][0]["start"], start,
        "what was there counts as read"
    );
    let prompt = std::fs::read_to_string(scene.home.path().join("prompt")).unwrap();
    assert!(prompt.contains("port 9090") && !prompt.contains("port 8443"));
    let plain = std::fs::read(&path).unwrap();
    let packed = archive(&path);
    assert!(scene.says(&["distill"]).contains("nothing new"));
    // Resumed: it is there again, and goes on.
    std::fs::write(&path, plain).unwrap();
    append(&path, &[message("user", "We decided to drop the metrics.")]);
    let proposal = scene.staged(&json!([add("state.md", "- There are no metrics.")]));
    let prompt = std::fs::read_to_string(scene.home.path().join("prompt")).unwrap();
    assert!(prompt.contains("drop the metrics") && !prompt.contains("port 9090 for"));
    assert_eq!(proposal["spans"].as_array().unwrap().len(), 1);
    std::fs::remove_file(packed).unwrap();
    archive(&path);
    assert!(scene.says(&["distill"]).contains("nothing new"));
}

#[test]
fn a_place_is_opened_in_a_plain_and_in_a_compressed_session() {
    let (scene, path) = project();
    scene.says(&["init"]);
    let talk = (0..400).map(|n| message("assistant", &format!("step {n} {}", "x".repeat(500))));
    append(&path, &talk.collect::<Vec<_>>());
    append(
        &path,
        &[message(
            "user",
            "We decided to use port 9090 for the metrics.",
        )],
    );
    let talk = (0..400).map(|n| message("assistant", &format!("later {n} {}", "x".repeat(500))));
    append(&path, &talk.collect::<Vec<_>>());
    let mut change = add("state.md", "- Metrics are on port 9090.");
    change["evidence"] = json!([401]);
    let shown = scene.staged(&json!([change]));
    let (places, store, _) = scene.open();
    let trust = store.trust().unwrap();
    let id = shown["id"].as_str().unwrap().parse().unwrap();
    let proposal = store.proposal(&trust, &id).unwrap();
    let settings = Settings::defaults(&places.home);
    let redactor = memd::redact::Redactor::new(&[], trust.redaction_key()).0;
    let glass = Glass {
        redactor: &redactor,
        at: Where::new(&places, &settings),
        proposal: &proposal,
    };
    let cited = proposal
        .lines
        .iter()
        .find(|l| l.text.as_str().contains("9090"));
    let n = cited.unwrap().n;
    let plain = transcript(glass, n).unwrap();
    assert_eq!(plain.gone, None);
    let said = plain.cited().unwrap();
    assert_eq!(said.text, "We decided to use port 9090 for the metrics.");
    assert_eq!(said.line, Some(404));
    assert!(plain.is_more_before && plain.is_more_after && plain.turns.len() < 300);
    archive(&path);
    let mut packed = transcript(glass, n).unwrap();
    assert_eq!(packed, plain);
    assert!(packed.more_before(glass) > 50 && packed.more_after(glass) > 50);
}

#[test]
fn an_unknown_format_is_named_by_distill_and_status() {
    let (scene, path) = project();
    scene.says(&["init"]);
    for n in 0..2 {
        let other = path.with_file_name(format!("rollout-2026-05-15T00-00-0{n}-x.jsonl"));
        std::fs::write(other, text(&[row("hologram", json!({}))])).unwrap();
    }
    let claude = scene.home.folder(".claude/projects/-app").join("s.jsonl");
    std::fs::write(claude, "{\"type\":\"hologram\",\"uuid\":\"a\"}\n").unwrap();
    for command in ["distill", "status"] {
        let out = scene.memd(&[command]);
        let said = [out.stdout, out.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        for what in ["2 sessions of Codex", "1 session of Claude Code"] {
            let expected = format!("cannot read {what} (format with rows of type hologram)");
            assert!(said.contains(&expected), "{command}: {said}");
        }
    }
}

/// A later version may begin as before and say everything else in a way of its own.
#[test]
fn a_session_that_says_all_in_unknown_rows_is_not_used_up() {
    let (scene, path) = project();
    scene.says(&["init"]);
    let other = path.with_file_name("rollout-2026-05-15T00-00-00-x.jsonl");
    let meta = row("session_meta", json!({"id": "x", "cwd": scene.root}));
    std::fs::write(other, text(&[meta, row("hologram", json!({}))])).unwrap();
    for _ in 0..2 {
        let out = scene.memd(&["distill"]);
        let said = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        let expected = "cannot read 1 session of Codex (format with rows of type hologram)";
        assert!(said.contains(expected), "{said}");
    }
}
