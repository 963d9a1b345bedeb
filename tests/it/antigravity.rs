//! Antigravity's conversations, through what the rest of memd asks: sessions and their turns.

use crate::support::shared;
use memd::config::{Places, Settings};
use memd::digest::Coverage;
use memd::source::{Found, Reading, Role, Session, SourceError, Turn, Where, discover};
use memd::text::TextHash;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A home with the tool's folder in it.
struct Agy {
    dir: TempDir,
    places: Places,
    settings: Settings,
}

impl Agy {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let places = Places::from_env(|n| (n == "HOME").then(|| home.clone().into())).unwrap();
        let settings = Settings::defaults(&home);
        let agy = Self {
            dir,
            places,
            settings,
        };
        std::fs::create_dir_all(agy.conversations()).unwrap();
        agy
    }

    /// A home with a copy of the shared cases; none where they are not at hand.
    fn shared() -> Option<Self> {
        let cases = shared()?.join("cases/transcripts/antigravity");
        let agy = Self::new();
        copy(&cases, &agy.root());
        Some(agy)
    }

    fn root(&self) -> PathBuf {
        self.settings.antigravity_dir.clone()
    }

    fn conversations(&self) -> PathBuf {
        self.root().join("conversations")
    }

    fn database(&self, id: &str) -> PathBuf {
        self.conversations().join(format!("{id}.db"))
    }

    fn log(&self, id: &str, text: &str) {
        let logs = self
            .root()
            .join("brain")
            .join(id)
            .join(".system_generated/logs");
        std::fs::create_dir_all(&logs).unwrap();
        std::fs::write(logs.join("transcript_full.jsonl"), text).unwrap();
    }

    fn at(&self) -> Where<'_> {
        Where::new(&self.places, &self.settings)
    }

    fn found(&self) -> Found {
        discover(self.at())
    }

    fn session(&self, id: &str) -> Result<Session, SourceError> {
        Session::at(self.at(), &self.database(id))
    }

    /// The turns from a step on, as `U: text`, and what became of the rest.
    fn read_from(&self, session: &Session, from: u64, project: &str) -> (Vec<String>, Coverage) {
        let belongs = |dir: &Path| dir == Path::new(project);
        let reading = Reading {
            project: Some(&belongs),
            own: &self.places,
            seen: &|_| false,
        };
        let mut turns: Vec<Turn> = Vec::new();
        let coverage = session
            .read(from..session.size, &reading, &mut turns)
            .unwrap();
        let line = |t: &Turn| format!("{}: {}", t.role.letter(), t.text.unredacted());
        (turns.iter().map(line).collect(), coverage)
    }

    fn read(&self, id: &str, project: &str) -> (Vec<String>, Coverage) {
        self.read_from(&self.session(id).unwrap(), 0, project)
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for item in std::fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let to = to.join(item.file_name());
        if item.path().is_dir() {
            copy(&item.path(), &to);
        } else {
            std::fs::write(&to, std::fs::read(item.path()).unwrap()).unwrap();
        }
    }
}

/// Every file below a folder, with the hash of its bytes; none of the memory that SQLite's readers
/// and writers share.
fn listing(dir: &Path) -> Vec<(PathBuf, Option<TextHash>)> {
    let mut all = Vec::new();
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            all.extend(listing(&path));
            continue;
        }
        let is_shared = path.to_string_lossy().ends_with("-shm");
        let hash = (!is_shared).then(|| TextHash::of(std::fs::read(&path).unwrap()));
        all.push((path, hash));
    }
    all.sort();
    all
}

fn said(lines: &[String]) -> Vec<&str> {
    let said = lines.iter().map(String::as_str);
    said.filter(|l| l.starts_with("U: ") || l.starts_with("A: "))
        .collect()
}

mod wire {
    //! Payloads as the tool writes them.

    fn varint(mut value: u64, into: &mut Vec<u8>) {
        while value >= 0x80 {
            into.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        into.push(value as u8);
    }

    pub fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        varint(number << 3 | 2, &mut out);
        varint(bytes.len() as u64, &mut out);
        out.extend(bytes);
        out
    }

    pub fn user(text: &str) -> Vec<u8> {
        field(19, &field(2, text.as_bytes()))
    }

    pub fn model(text: &str) -> Vec<u8> {
        field(
            20,
            &[field(1, text.as_bytes()), field(3, b"private")].concat(),
        )
    }

    pub fn call(name: &str, args: &str) -> Vec<u8> {
        let call = [field(2, name.as_bytes()), field(3, args.as_bytes())].concat();
        field(20, &field(7, &call))
    }

    pub fn command(command: &str, output: &str) -> Vec<u8> {
        let run = [field(1, command.as_bytes()), field(2, output.as_bytes())].concat();
        field(28, &run)
    }

    pub fn workspace(uri: &str) -> Vec<u8> {
        field(1, &field(1, uri.as_bytes()))
    }
}

/// A database as the tool makes it, with these steps: type, status, payload.
fn make(path: &Path, mode: &str, workspace: &str, steps: &[(i64, i64, Vec<u8>)]) -> Connection {
    let db = Connection::open(path).unwrap();
    db.query_row(&format!("PRAGMA journal_mode = {mode}"), [], |_| Ok(()))
        .unwrap();
    db.execute_batch(
        "PRAGMA user_version = 1;
         CREATE TABLE steps(idx INTEGER PRIMARY KEY, step_type INTEGER, status INTEGER, step_payload BLOB);
         CREATE TABLE trajectory_metadata_blob(id TEXT PRIMARY KEY, data BLOB);",
    )
    .unwrap();
    db.execute(
        "INSERT INTO trajectory_metadata_blob VALUES ('main', ?1)",
        [wire::workspace(workspace)],
    )
    .unwrap();
    for step in steps {
        add(&db, step);
    }
    db
}

fn add(db: &Connection, (kind, status, payload): &(i64, i64, Vec<u8>)) {
    db.execute(
        "INSERT INTO steps (step_type, status, step_payload, idx)
         VALUES (?1, ?2, ?3, (SELECT ifnull(max(idx) + 1, 0) FROM steps))",
        (kind, status, payload),
    )
    .unwrap();
}

fn talk() -> Vec<(i64, i64, Vec<u8>)> {
    vec![
        (14, 3, wire::user("ok: retries ≤ 5, Größe")),
        (15, 3, wire::model("I will cap them.")),
    ]
}

/// The key must stay what memd 0.3 called it: its cursors are taken over.
#[test]
fn a_database_at_rest_is_read_and_nothing_is_left_beside_it() {
    for mode in ["DELETE", "WAL"] {
        let agy = Agy::new();
        drop(make(
            &agy.database("c1"),
            mode,
            "file:///home/dev/proj",
            &talk(),
        ));
        let before = listing(&agy.root());
        assert_eq!(before.len(), 1, "{mode}: the tool closed it cleanly");
        let found = agy.found();
        assert_eq!(found.closed.count(), 0);
        let session = &found.sessions[0];
        assert_eq!(session.key, agy.database("c1").to_string_lossy());
        assert_eq!(session.root.as_deref(), Some(Path::new("/home/dev/proj")));
        let (lines, coverage) = agy.read("c1", "/home/dev/proj");
        assert_eq!(lines, ["U: ok: retries ≤ 5, Größe", "A: I will cap them."]);
        assert_eq!((coverage.start, coverage.end), (0, 2));
        assert_eq!(listing(&agy.root()), before, "{mode}");
        // Wherever it lies, and whatever it is called.
        let copy = agy.places.home.join("copy.sqlite");
        std::fs::copy(agy.database("c1"), &copy).unwrap();
        let session = Session::at(agy.at(), &copy).unwrap();
        assert_eq!(
            (session.size, session.root),
            (2, Some("/home/dev/proj".into()))
        );
    }
}

#[test]
fn a_log_that_is_being_written_ahead_is_read_and_not_checkpointed() {
    let agy = Agy::new();
    let path = agy.database("c1");
    let db = make(&path, "WAL", "file:///p", &talk()[..1]);
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    add(&db, &talk()[1]);
    let before = listing(&agy.root());
    assert_eq!(before.len(), 3);
    assert_eq!(agy.read("c1", "/p").0.len(), 2);
    assert_eq!(listing(&agy.root()), before);

    // What a killed tool left, without the memory that its writers shared.
    let other = Agy::new();
    for end in ["", "-wal"] {
        let name = format!("c1.db{end}");
        std::fs::copy(
            agy.conversations().join(&name),
            other.conversations().join(&name),
        )
        .unwrap();
    }
    let before = listing(&other.root());
    assert_eq!(other.read("c1", "/p").0.len(), 2);
    assert_eq!(listing(&other.root()), before);
}

#[test]
fn a_locked_database_is_named_and_read_the_next_time() {
    let agy = Agy::new();
    let db = make(&agy.database("c1"), "DELETE", "file:///p", &talk());
    let session = agy.session("c1").unwrap();
    db.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let found = agy.found();
    assert_eq!(found.sessions, []);
    let lines = found.closed.lines();
    assert!(
        lines[0].contains("cannot read") && lines[0].contains("locked"),
        "{lines:?}"
    );
    let reading = Reading {
        project: None,
        own: &agy.places,
        seen: &|_| false,
    };
    let mut turns: Vec<Turn> = Vec::new();
    let refused = session.read(0..2, &reading, &mut turns).unwrap_err();
    assert!(matches!(refused, SourceError::Locked { .. }) && turns.is_empty());
    db.execute_batch("COMMIT").unwrap();
    assert_eq!(agy.read("c1", "/p").0.len(), 2);
}

#[test]
fn nothing_beyond_a_step_that_is_not_finished_is_read() {
    let agy = Agy::new();
    let mut steps = talk();
    steps.push((15, 8, wire::model("Still generat")));
    steps.push((14, 3, wire::user("later")));
    let db = make(&agy.database("c1"), "DELETE", "file:///p", &steps);
    let session = agy.session("c1").unwrap();
    assert_eq!((session.size, session.mark().unwrap().end), (2, 2));
    let (lines, coverage) = agy.read("c1", "/p");
    assert_eq!((lines.len(), coverage.end), (2, 2));
    let print = session.fingerprint(2).unwrap();
    let done = wire::model("Still generating, and done.");
    db.execute(
        "UPDATE steps SET status = 3, step_payload = ?1 WHERE idx = 2",
        [done],
    )
    .unwrap();
    let session = agy.session("c1").unwrap();
    assert!(session.matches(&print, 2).unwrap(), "it has only grown");
    let (lines, _) = agy.read_from(&session, 2, "/p");
    assert_eq!(lines, ["A: Still generating, and done.", "U: later"]);
    // The tool went back and wrote another step under the same number.
    db.execute(
        "UPDATE steps SET step_payload = ?1 WHERE idx = 1",
        [wire::model("No.")],
    )
    .unwrap();
    assert!(!agy.session("c1").unwrap().matches(&print, 2).unwrap());
}

#[test]
fn the_log_is_read_first_and_the_database_when_it_is_empty_or_damaged() {
    let agy = Agy::new();
    drop(make(&agy.database("c1"), "DELETE", "file:///p", &talk()));
    let row = |n: u64, kind: &str, text: &str| {
        let row =
            serde_json::json!({ "step_index": n, "type": kind, "status": "DONE", "content": text });
        format!("{row}\n")
    };
    let log = row(
        0,
        "USER_INPUT",
        "<USER_REQUEST>\nok: retries ≤ 5, Größe\n</USER_REQUEST>\n<ADDITIONAL_METADATA>x</ADDITIONAL_METADATA>",
    ) + &row(1, "PLANNER_RESPONSE", "I will cap them.")
        + &row(2, "SEARCH_WEB", "a dump");
    agy.log("c1", &log);
    let from_log = agy.read("c1", "/p").0;
    assert_eq!(
        said(&from_log),
        ["U: ok: retries ≤ 5, Größe", "A: I will cap them."]
    );
    assert_eq!(from_log[2], "R: a dump");
    let print = agy.session("c1").unwrap().fingerprint(2).unwrap();
    for log in [
        String::new(),
        "damaged\n".to_owned() + &log[..log.len() / 2],
    ] {
        agy.log("c1", &log);
        assert_eq!(agy.read("c1", "/p").0, said(&from_log));
        // What was distilled from the log is known again in the database.
        assert!(agy.session("c1").unwrap().matches(&print, 2).unwrap());
    }
    // A conversation of an encrypted format has a log only.
    agy.log("c2", &row(0, "USER_INPUT", "only here"));
    std::fs::write(
        agy.root().join("history.jsonl"),
        "{\"workspace\":\"/p\",\"conversationId\":\"c2\"}\n",
    )
    .unwrap();
    assert_eq!(agy.read("c2", "/p").0, ["U: only here"]);
    assert_eq!(agy.found().sessions.len(), 2);
}

#[test]
fn what_memd_printed_and_its_own_sessions_are_no_material() {
    let agy = Agy::new();
    let brief = "hello\n<!-- memd-brief:begin x -->\nfacts\n<!-- memd-brief:end x -->";
    let args = r#"{"CommandLine":"memd brief"}"#;
    let steps = [
        (14, 3, wire::user(brief)),
        (15, 3, wire::call("run_command", args)),
        (21, 3, wire::command("memd brief", "facts")),
        (21, 7, wire::command("make", "failed")),
    ];
    drop(make(&agy.database("c1"), "DELETE", "file:///p", &steps));
    let (lines, coverage) = agy.read("c1", "/p");
    assert_eq!(
        lines,
        ["U: hello", "T: run_command: memd brief", "E: failed"]
    );
    assert_eq!(coverage.skipped["memd's own output"], 1);
    let (lines, coverage) = agy.read("c1", "/other");
    assert_eq!((lines.len(), coverage.end), (0, 0));
    assert_eq!(coverage.skipped["row of another project"], 1);

    let curator = format!("file://{}", agy.places.curator().display());
    drop(make(&agy.database("c2"), "DELETE", &curator, &talk()));
    assert_eq!(agy.found().sessions.len(), 1);
}

#[test]
fn what_is_no_conversation_of_the_tools_is_named_and_what_has_no_directory_is_counted() {
    let agy = Agy::new();
    std::fs::write(agy.database("text"), "this is no database at all").unwrap();
    std::fs::write(agy.database("empty"), "").unwrap();
    std::fs::write(agy.conversations().join("old.pb"), [7; 100]).unwrap();
    drop(make(&agy.database("nowhere"), "DELETE", "", &talk()));
    let view = Connection::open(agy.database("view")).unwrap();
    view.execute_batch("CREATE VIEW steps AS WITH RECURSIVE n(idx) AS (SELECT 0 UNION ALL SELECT idx + 1 FROM n) SELECT idx, 14 AS step_type, 3 AS status, 'x' AS step_payload FROM n")
        .unwrap();
    let found = agy.found();
    assert_eq!(found.sessions, []);
    assert_eq!(
        found.closed.lines(),
        [
            "1 session of Antigravity of a project that cannot be told",
            "cannot read 1 session of Antigravity (format a database without steps)",
            "cannot read 1 session of Antigravity (format no SQLite database)",
        ]
    );
    assert!(agy.dir.path().exists());
}

#[test]
fn the_shared_cases_behave() {
    let Some(agy) = Agy::shared() else { return };
    let id = |short: &str| format!("{short}-1111-4222-8333-444444444444");
    let before = listing(&agy.conversations());
    let read = |short: &str, project: &str| agy.read(&id(short), project);
    let prompt =
        "U: Refactor the sync loop; keep retries ≤ 5 (vendor limit). Größe & 日本語 must survive.";
    let first = "A: I will cap retries at 5 and add a test.";
    let last = "A: Done: retries are capped at 5, test added in tests/sync.rs.";

    // The log of this one is read; without it, its database.
    let (lines, coverage) = read("0a0a0a0a", "/home/dev/proj");
    assert_eq!(said(&lines), [prompt, first, last]);
    assert_eq!(coverage.end, 10);
    std::fs::remove_dir_all(agy.root().join("brain")).unwrap();
    for short in ["0a0a0a0a", "0aaa0aaa"] {
        let (lines, coverage) = read(short, "/home/dev/proj");
        assert_eq!(said(&lines), [prompt, first, last, "U: ok"], "{short}");
        assert_eq!(
            coverage.end, 11,
            "before the step that is still being written"
        );
        assert!(lines.contains(&"E: Model provider is overloaded, please retry".to_owned()));
        assert!(lines.contains(&"R: generic tool result text".to_owned()));
        let all = lines.join("\n");
        assert!(!all.contains("Private plan") && !all.contains("Still generating"));
        let dump = lines.iter().find(|l| l.contains("backoff is a crate"));
        assert!(dump.is_some_and(|l| l.starts_with("R: ")));
    }
    let (lines, coverage) = read("0b0b0b0b", "/home/dev/my proj ü");
    assert_eq!((said(&lines).len(), coverage.end), (2, 4));
    let (lines, _) = read("0c0c0c0c", "c:/Users/Dev/proj");
    assert_eq!(lines, ["U: https://go.dev", "A: Short."]);
    let (lines, coverage) = read("0d0d0d0d", "/home/dev/proj");
    assert_eq!((lines.len(), coverage.end), (0, 4));
    assert_eq!(coverage.unreadable["damaged step"], 2);
    let (lines, _) = agy.read("11111111-1111-4111-8111-111111111111", "/home/dev/proj");
    assert_eq!(
        lines,
        [
            "U: AGY_FIXTURE_USER_ALPHA",
            "A: AGY_FIXTURE_ASSISTANT_OMEGA",
            "T: echo_marker: TOOL_INPUT_ALPHA",
            "R: TOOL_RESULT_OMEGA",
        ]
    );
    let closed = agy.found().closed.lines();
    assert_eq!(
        closed,
        ["cannot read 1 session of Antigravity (format no SQLite database)"]
    );
    assert_eq!(listing(&agy.conversations()), before);
    assert_eq!(Role::User.letter(), 'U');
}

#[test]
fn a_pipe_in_the_place_of_a_log_is_named_and_nobody_waits_for_it() {
    let agy = Agy::new();
    agy.log("a", "");
    let log = agy
        .root()
        .join("brain/a/.system_generated/logs/transcript_full.jsonl");
    std::fs::remove_file(&log).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&log).status();
    assert!(made.unwrap().success());
    let found = agy.found();
    assert!(found.sessions.is_empty());
    let named = found.closed.lines();
    assert!(
        named.iter().any(|l| l.contains("no plain file")),
        "{named:?}"
    );
}
