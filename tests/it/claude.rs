//! Reading Claude Code sessions: the cases that damaged, wrapped and repeated rows make, and the
//! counts of real sessions.

mod edge;
mod growth;
mod roles;

use crate::support::{fixture, shared};
use memd::config::{Places, Settings};
use memd::digest::Coverage;
use memd::project::Known;
use memd::source::claude::read_claude;
use memd::source::{BRIEF_END, BRIEF_MARK, Reading, Role, Turn, Where, discover};
use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn places() -> Places {
    let home = PathBuf::from("/home/dev");
    Places {
        config: home.join(".config/memd/config.json"),
        state: home.join(".local/state/memd"),
        claude: home.join(".claude"),
        codex: home.join(".codex"),
        gemini: home.join(".gemini"),
        home,
    }
}

/// What a reading gave.
struct Read {
    turns: Vec<Turn>,
    coverage: Coverage,
}

impl Read {
    fn of(&self, role: Role) -> Vec<&str> {
        self.turns
            .iter()
            .filter(|turn| turn.role == role)
            .map(|turn| turn.text.unredacted())
            .collect()
    }

    fn users(&self) -> Vec<&str> {
        self.of(Role::User)
    }

    fn replies(&self) -> Vec<&str> {
        self.of(Role::Assistant)
    }

    /// Numbers of user turns and replies.
    fn counts(&self) -> (usize, usize) {
        (self.users().len(), self.replies().len())
    }

    fn all(&self) -> String {
        self.turns
            .iter()
            .map(|turn| turn.text.unredacted())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn read_from(path: &Path, from: u64) -> Read {
    let own = places();
    let reading = Reading {
        project: None,
        own: &own,
        seen: &|_| false,
    };
    let mut turns = Vec::new();
    let coverage = read_claude(path, from, None, &reading, &mut turns).unwrap();
    Read { turns, coverage }
}

fn read(path: &Path) -> Read {
    read_from(path, 0)
}

fn read_for(path: &Path, project: &dyn Fn(&Path) -> bool) -> Read {
    let own = places();
    let reading = Reading {
        project: Some(project),
        own: &own,
        seen: &|_| false,
    };
    let mut turns = Vec::new();
    let coverage = read_claude(path, 0, None, &reading, &mut turns).unwrap();
    Read { turns, coverage }
}

/// A session written for one test.
struct Session {
    dir: tempfile::TempDir,
    text: RefCell<Vec<u8>>,
}

impl Session {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            text: RefCell::default(),
        }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("session.jsonl")
    }

    /// Appends bytes and reads what is new since `from`.
    fn append(&self, bytes: impl AsRef<[u8]>, from: u64) -> Read {
        self.text.borrow_mut().extend_from_slice(bytes.as_ref());
        std::fs::write(self.path(), &*self.text.borrow()).unwrap();
        read_from(&self.path(), from)
    }
}

fn row(kind: &str, id: u32, parent: u32, body: &str) -> String {
    format!(
        r#"{{"type":"{kind}","uuid":"bbbbbbbb-0000-4000-8000-{id:012}","parentUuid":"bbbbbbbb-0000-4000-8000-{parent:012}","sessionId":"s-1","cwd":"/home/dev/app","timestamp":"2026-03-01T09:00:00Z",{body}}}"#
    )
}

fn user(id: u32, text: &str) -> String {
    let content = serde_json::json!(text);
    row(
        "user",
        id,
        id - 1,
        &format!(r#""message":{{"role":"user","content":{content}}}"#),
    )
}

fn call(id: u32, name: &str, input: &str) -> String {
    let block =
        format!(r#"{{"type":"tool_use","id":"call-{id}","name":"{name}","input":{input}}}"#);
    row(
        "assistant",
        id,
        id - 1,
        &format!(r#""message":{{"content":[{block}]}}"#),
    )
}

fn result(id: u32, call: u32, text: &str) -> String {
    let content = serde_json::json!(text);
    let block =
        format!(r#"{{"type":"tool_result","tool_use_id":"call-{call}","content":{content}}}"#);
    row(
        "user",
        id,
        id - 1,
        &format!(r#""message":{{"content":[{block}]}}"#),
    )
}

#[test]
fn what_a_person_ran_in_the_session_is_known_with_its_output() {
    let rows = [
        user(1, "<bash-input>cat a .env</bash-input>"),
        user(
            2,
            "<bash-stdout>HOST=kranich</bash-stdout><bash-stderr></bash-stderr>",
        ),
    ];
    let read = Session::new().append(rows.join("\n") + "\n", 0);
    let output = read.turns.iter().find(|t| t.role == Role::ToolResult);
    let shell = output.unwrap().tool.as_ref().unwrap();
    assert_eq!(shell.command.as_deref(), Some("cat a .env"));
}

#[test]
fn a_session_of_our_own_reads_as_it_was_meant() {
    let read = read(&fixture("claude/session.jsonl"));
    let lines: Vec<String> = read
        .turns
        .iter()
        .map(|turn| format!("{} {}", turn.role.letter(), turn.text.unredacted()))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
    insta::assert_json_snapshot!(read.coverage, { ".source" => "[path]" });
}

#[test]
fn a_session_of_an_unknown_format_is_not_nothing_new() {
    let session = Session::new();
    let read = session.append(
        "{\"type\":\"hologram\",\"text\":\"x\"}\n{\"type\":\"hologram\"}\n",
        0,
    );
    assert_eq!(
        read.coverage.unreadable["session in a format that this version does not know"],
        1
    );
    assert_eq!(read.coverage.skipped["row of unknown type hologram"], 2);
}

/// User turns that memd counts more or less than the index, by a part of the file's name. The
/// reasons stand in docs/sources.md.
const DIFFERENCES: [(&str, i64); 7] = [
    ("2026-01-19-8b418ea5", -1),
    ("77e148b8", -1),
    ("aefcb05b", -1),
    ("493c22a8", 1),
    ("76731dd6", 2),
    ("5632e712", 3),
    ("f82fa48e", 1),
];

#[test]
fn real_sessions_have_the_counts_of_the_index() {
    let Some(shared) = shared() else { return };
    let corpus = shared.join("corpus");
    let index = std::fs::read_to_string(corpus.join("index.json")).unwrap();
    let index: Vec<serde_json::Value> = serde_json::from_str(&index).unwrap();
    let mut wrong = Vec::new();
    for entry in index.iter().filter(|entry| entry["tool"] == "claude-code") {
        let name = entry["file"].as_str().unwrap();
        let read = read(&corpus.join(name));
        let number = |key: &str| entry[key].as_i64().unwrap();
        let expected = (
            number("user_prompts") + number("slash_commands") + number("bash_inputs"),
            number("assistant_texts"),
            number("bad_lines"),
        );
        let (users, replies) = read.counts();
        let more = DIFFERENCES.iter().find(|(part, _)| name.contains(part));
        let bad: u32 = read.coverage.unreadable.values().sum();
        let found = (
            i64::try_from(users).unwrap() - more.map_or(0, |(_, n)| *n),
            i64::try_from(replies).unwrap(),
            i64::from(bad),
        );
        if found != expected {
            wrong.push(format!("{name}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
