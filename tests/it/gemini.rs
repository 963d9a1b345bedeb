//! Gemini CLI's sessions, through what the rest of memd asks: sessions and their turns.

use crate::support::shared;
use memd::config::{Places, ProjectSettings, Settings};
use memd::digest::Coverage;
use memd::source::{Found, Reading, Session, Turn, Where, discover};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A home with the tool's folder in it.
struct Gemini {
    _dir: TempDir,
    places: Places,
    settings: Settings,
    /// Ids that were read.
    seen: RefCell<HashSet<String>>,
}

impl Gemini {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let places = Places::from_env(|n| (n == "HOME").then(|| home.clone().into())).unwrap();
        let mut settings = Settings::defaults(&home);
        let registered = ProjectSettings::default();
        settings.projects.insert("/home/dev/app".into(), registered);
        Self {
            _dir: dir,
            places,
            settings,
            seen: RefCell::default(),
        }
    }

    fn put(&self, path: &str, text: &str) -> PathBuf {
        let path = self.places.gemini.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn at(&self) -> Where<'_> {
        Where::new(&self.places, &self.settings)
    }

    fn found(&self) -> Found {
        discover(self.at())
    }

    fn only(&self) -> Session {
        let mut found = self.found();
        assert_eq!((found.sessions.len(), found.closed.lines()), (1, vec![]));
        found.sessions.remove(0)
    }

    fn read(&self, session: &Session, from: u64) -> (Vec<String>, Coverage) {
        let belongs = |dir: &Path| dir == Path::new("/home/dev/app");
        let seen = |id: &str| self.seen.borrow().contains(id);
        let reading = Reading {
            project: Some(&belongs),
            own: &self.places,
            seen: &seen,
        };
        let mut turns: Vec<Turn> = Vec::new();
        let coverage = session
            .read(from..session.size, &reading, &mut turns)
            .unwrap();
        let ids = turns
            .iter()
            .filter_map(|t| t.id.as_deref()?.split('#').next());
        let ids: Vec<_> = ids.map(str::to_owned).collect();
        self.seen.borrow_mut().extend(ids);
        let mark = |t: &Turn| if t.abandoned { " (went back)" } else { "" };
        let line = |t: &Turn| format!("{}: {}{}", t.role.letter(), t.text.unredacted(), mark(t));
        (turns.iter().map(line).collect(), coverage)
    }
}

fn hash(root: &str) -> String {
    memd::id::hex(&Sha256::digest(root.as_bytes()))
}

const CHAT: &str = "tmp/app/chats/session-2026-08-01T10-00-aaaaaaaa";
const META: &str = "{\"sessionId\":\"aaaaaaaa-1\",\"projectHash\":\"h\",\"kind\":\"main\"}\n";

fn row(id: &str, kind: &str, text: &str) -> String {
    let tokens = match kind {
        "gemini" => ",\"tokens\":{\"total\":1}",
        _ => "",
    };
    format!("{{\"id\":\"{id}\",\"type\":\"{kind}\",\"content\":\"{text}\"{tokens}}}\n")
}

#[test]
fn messages_are_read_once_each_when_they_are_whole() {
    let gemini = Gemini::new();
    gemini.put("tmp/app/.project_root", "/home/dev/app\n");
    let file = format!("{CHAT}.jsonl");
    let mut text = META.to_owned() + &row("1", "user", "fix the port");
    text += &row("2", "gemini", "I look");
    text += "{\"id\":\"3\",\"type\":\"gemini\",\"content\":\"I th\"}\n";
    gemini.put(&file, &text);
    let session = gemini.only();
    assert_eq!(session.size, 2, "the last answer is still being written");
    assert_eq!(gemini.read(&session, 0).0, ["U: fix the port", "A: I look"]);
    let print = session.fingerprint(2).unwrap();

    text += &row("3", "gemini", "I think it is 8080");
    text += "{\"$set\":{\"summary\":\"x\"}}\n";
    gemini.put(&file, &text);
    let session = gemini.only();
    assert!(session.matches(&print, 2).unwrap(), "it has only grown");
    let (lines, coverage) = gemini.read(&session, 2);
    assert_eq!(lines, ["A: I think it is 8080"]);
    assert_eq!((coverage.start, coverage.end), (2, 3));

    // More of a message that was read: the session is read again, and only that is new.
    let print = session.fingerprint(3).unwrap();
    text += "{\"id\":\"3\",\"type\":\"gemini\",\"content\":\"I think it is 8080\",\"tokens\":{\"total\":1},\"toolCalls\":[{\"id\":\"c\",\"name\":\"read_file\",\"args\":{\"file_path\":\".env\"},\"status\":\"success\",\"result\":[{\"functionResponse\":{\"response\":{\"output\":\"PORT\"}}}]}]}\n";
    gemini.put(&file, &text);
    let session = gemini.only();
    assert!(!session.matches(&print, 3).unwrap());
    let (lines, coverage) = gemini.read(&session, 0);
    assert_eq!(lines, ["T: read_file: .env", "R: PORT"]);
    assert_eq!(coverage.seen, 3);
}

#[test]
fn what_the_user_went_back_from_is_marked_and_a_copy_of_the_history_adds_nothing() {
    let gemini = Gemini::new();
    gemini.put("tmp/app/.project_root", "/home/dev/app");
    let text = META.to_owned()
        + &row("1", "user", "use sqlite")
        + &row("2", "gemini", "done")
        + "{\"$rewindTo\":\"1\"}\n"
        + &row("3", "user", "use postgres")
        + "{\"$set\":{\"messages\":[{\"id\":\"3\",\"type\":\"user\",\"content\":[{\"text\":\"use postgres\"}]},{\"id\":\"9\",\"type\":\"user\",\"content\":\"<state_snapshot>x\"}]}}\n";
    gemini.put(&format!("{CHAT}.jsonl"), &text);
    let (lines, coverage) = gemini.read(&gemini.only(), 0);
    assert_eq!(
        lines,
        [
            "U: use sqlite (went back)",
            "A: done (went back)",
            "U: use postgres"
        ]
    );
    assert_eq!(coverage.skipped["remark of the tool"], 1);
}

#[test]
fn a_session_in_both_forms_is_one_and_a_half_written_one_is_read_later() {
    let gemini = Gemini::new();
    let list = "{\"projects\":{\"/home/dev/app\":\"app\"}}";
    gemini.put("projects.json", list);
    let whole = format!(
        "{{\"sessionId\":\"aaaaaaaa-1\",\"projectHash\":\"h\",\n\"messages\":[{},{}]}}",
        row("1", "user", "one").trim_end(),
        row("2", "gemini", "two").trim_end()
    );
    gemini.put(&format!("{CHAT}.json"), &whole[..whole.len() - 30]);
    let found = gemini.found();
    assert_eq!(found.sessions, []);
    assert!(found.closed.lines()[0].contains("half written"));

    gemini.put(&format!("{CHAT}.json"), &whole);
    let session = gemini.only();
    assert_eq!(gemini.read(&session, 0).0, ["U: one", "A: two"]);
    let print = session.fingerprint(2).unwrap();
    let lines = META.to_owned()
        + &row("1", "user", "one")
        + &row("2", "gemini", "two")
        + &row("3", "user", "three");
    gemini.put(&format!("{CHAT}.jsonl"), &lines);
    let moved = gemini.only();
    assert_eq!(moved.key, session.key);
    assert!(moved.matches(&print, 2).unwrap());
    assert_eq!(gemini.read(&moved, 2).0, ["U: three"]);
    let named = Session::at(gemini.at(), Path::new(&session.key)).unwrap();
    assert_eq!(named, moved);
    let mark = moved.mark().unwrap();
    assert_eq!((mark.end, mark.seen.len()), (3, 3));
}

#[test]
fn a_project_is_found_by_its_hash_and_one_that_cannot_be_told_is_counted() {
    let gemini = Gemini::new();
    let text = META.to_owned() + &row("1", "user", "one");
    let at = |folder: &str| format!("tmp/{folder}/chats/session-2026-08-01T10-00-aaaaaaaa.jsonl");
    gemini.put(&at(&hash("/home/dev/app")), &text);
    gemini.put(&at(&hash("/home/dev/gone")), &text);
    gemini.put(
        &at(&hash(&gemini.places.curator().to_string_lossy())),
        &text,
    );
    gemini.put(
        &at("slug"),
        &text.replace("\"h\"", &format!("\"{}\"", hash("/home/dev/app"))),
    );
    gemini.put("tmp/app/chats/aaaaaaaa-1/inner.jsonl", &text);
    gemini.put(&at("inner"), &text.replace("main", "subagent"));
    let found = gemini.found();
    let roots: Vec<_> = found
        .sessions
        .iter()
        .filter_map(|s| s.root.as_deref())
        .collect();
    assert_eq!(roots, [Path::new("/home/dev/app"); 2]);
    assert_eq!(
        found.closed.lines(),
        ["1 session of Gemini CLI of a project that cannot be told"]
    );
    // A later look, with the project known, still finds it.
    assert_eq!(gemini.read(&found.sessions[0], 0).0, ["U: one"]);
}

#[test]
fn a_named_session_of_a_project_that_cannot_be_told_does_not_count_as_read() {
    let mut gemini = Gemini::new();
    let path = format!(
        "tmp/{}/chats/session-2026-08-01T10-00-aaaaaaaa.jsonl",
        hash("/home/dev/app/sub")
    );
    let path = gemini.put(&path, &(META.to_owned() + &row("1", "user", "one")));
    let session = |gemini: &Gemini| Session::at(gemini.at(), &path).unwrap();
    let (turns, coverage) = gemini.read(&session(&gemini), 0);
    assert_eq!((turns.len(), coverage.start, coverage.end), (0, 0, 0));
    assert_eq!(coverage.skipped["row without a directory"], 1);
    let registered = ProjectSettings::default();
    let sub = "/home/dev/app/sub".into();
    gemini.settings.projects.insert(sub, registered);
    assert_eq!(
        session(&gemini).root.as_deref(),
        Some(Path::new("/home/dev/app/sub"))
    );
}

#[test]
fn counts_of_real_sessions_agree_with_the_reference() {
    let Some(shared) = shared() else { return };
    let corpus = shared.join("corpus");
    let index = std::fs::read_to_string(corpus.join("index.json")).unwrap();
    let index: Vec<serde_json::Value> = serde_json::from_str(&index).unwrap();
    let mut read = 0;
    for entry in index.iter().filter(|entry| entry["tool"] == "gemini") {
        let gemini = Gemini::new();
        let path = corpus.join(entry["file"].as_str().unwrap());
        let session = Session::at(gemini.at(), &path).unwrap();
        let reading = Reading {
            project: None,
            own: &gemini.places,
            seen: &|_| false,
        };
        let mut turns: Vec<Turn> = Vec::new();
        let coverage = session.read(0..session.size, &reading, &mut turns).unwrap();
        let count = |kind: &str| entry["types"][kind].as_u64().unwrap_or(0);
        let all =
            count("msg:user") + count("msg:gemini") + count("msg:info") + count("msg:warning");
        assert_eq!(session.size, all, "{path:?}");
        assert_eq!(
            u64::from(coverage.found.user),
            count("msg:user"),
            "{path:?}"
        );
        let remarks = coverage
            .skipped
            .get("remark of the tool")
            .copied()
            .unwrap_or(0);
        assert_eq!(
            u64::from(remarks),
            count("msg:info") + count("msg:warning"),
            "{path:?}"
        );
        assert!(coverage.unreadable.is_empty());
        read += 1;
    }
    assert_eq!(read, 3);
}

#[test]
fn what_nobody_has_met_yet_is_named_and_is_not_nothing_new() {
    let gemini = Gemini::new();
    gemini.put("tmp/app/.project_root", "/home/dev/app\n");
    let file = format!("{CHAT}.jsonl");
    gemini.put(&file, "{\"schema\":9,\"kind\":\"new\"}\n{\"said\":\"x\"}\n");
    let found = gemini.found();
    assert!(found.sessions.is_empty());
    let named = found.closed.lines();
    assert!(
        named[0].contains("cannot read 1 session of Gemini CLI"),
        "{named:?}"
    );
    // Its rows, but of types that say nothing here.
    gemini.put(
        &file,
        &(META.to_owned() + &row("1", "prompt", "fix the port")),
    );
    let session = gemini.only();
    let reading = Reading {
        project: None,
        own: &gemini.places,
        seen: &|_| false,
    };
    let read = session.read(0..1, &reading, &mut Vec::<Turn>::new());
    let error = read.unwrap_err().to_string();
    assert!(error.contains("with rows of type prompt"), "{error}");
}
