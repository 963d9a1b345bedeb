//! The transcript at a cited place: in the session itself, redacted, and never more than a window.

use memd::browse::{Excerpt, Glass, TURN_CHARS, transcript};
use memd::config::{Places, Settings};
use memd::digest::Builder;
use memd::proposal::{Proposal, Span};
use memd::redact::Redactor;
use memd::source::claude::read_claude;
use memd::source::{Reading, Role, Where, fingerprint};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A session file, and a proposal that rests on all of it.
struct Session {
    _dir: tempfile::TempDir,
    path: PathBuf,
    places: Places,
    settings: Settings,
    redactor: Redactor,
    proposal: Proposal,
}

fn row(n: usize, kind: &str, content: Value) -> String {
    let row = json!({
        "type": kind, "uuid": format!("u{n}"), "sessionId": "s1", "cwd": "/w",
        "timestamp": "2026-09-30T14:02:00Z",
        "message": {"role": kind, "content": content},
    });
    format!("{row}\n")
}

fn user(n: usize, text: &str) -> String {
    row(n, "user", json!(text))
}

fn call(n: usize, command: &str) -> String {
    let input = json!({"command": command});
    row(
        n,
        "assistant",
        json!([{"type": "tool_use", "id": format!("c{n}"), "name": "Bash", "input": input}]),
    )
}

fn answer(n: usize, to: usize, text: &str) -> String {
    row(
        n,
        "user",
        json!([{"type": "tool_result", "tool_use_id": format!("c{to}"), "content": text}]),
    )
}

impl Session {
    fn of(text: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, text).unwrap();
        let home = dir.path().join("home").into_os_string();
        let places = Places::from_env(|name| (name == "HOME").then(|| home.clone())).unwrap();
        let first = Redactor::new(&[], &[7; 32]).0;
        let mut builder = Builder::new(&first, 10_000_000);
        let reading = Reading {
            project: None,
            own: &places,
            seen: &|_| false,
        };
        let coverage = read_claude(&path, 0, None, &reading, &mut builder).unwrap();
        let end = coverage.end;
        builder.cover(coverage);
        let digest = builder.finish().digest;
        let span = Span {
            source: path.to_string_lossy().into_owned(),
            start: 0,
            end,
            fingerprint: fingerprint(&path, end).unwrap(),
        };
        let proposal = serde_json::from_value(json!({
            "id": "0000000a", "project": "0123456789abcdef", "kind": "distill",
            "created": "2026-09-30T15:00:00Z", "trigger": "manual", "usage": {
                "backend": "builtin", "model": null, "calls": 1, "prompt_chars": 0,
                "reply_chars": 0, "input_tokens": null, "output_tokens": null, "cost_usd": null,
            },
            "summary": "", "changes": [], "spans": [span], "notes": [], "lines": digest.lines,
            "coverage": digest.coverage, "hits": digest.hits, "dropped": [],
        }));
        Self {
            _dir: dir,
            path,
            settings: Settings::defaults(&places.home),
            places,
            // As a later process has it: nothing of the digest is remembered.
            redactor: Redactor::new(&[], &[7; 32]).0,
            proposal: proposal.unwrap(),
        }
    }

    fn glass(&self) -> Glass<'_> {
        Glass {
            redactor: &self.redactor,
            at: Where::new(&self.places, &self.settings),
            proposal: &self.proposal,
        }
    }

    /// The excerpt at the first digest line that holds a text.
    fn at(&self, text: &str) -> Excerpt {
        let mut lines = self.proposal.lines.iter();
        let line = lines.find(|l| l.text.as_str().contains(text)).unwrap();
        transcript(self.glass(), line.n).unwrap()
    }
}

fn all(excerpt: &Excerpt) -> String {
    excerpt
        .turns
        .iter()
        .map(|t| format!("{}\n", t.text))
        .collect()
}

#[test]
fn the_cited_turn_stands_among_its_neighbours() {
    let text: String = (0..50)
        .map(|n| user(n, &format!("turn number {n} says so")))
        .collect();
    let session = Session::of(&text);
    let excerpt = session.at("number 30 ");
    let cited = excerpt.cited().unwrap();
    assert_eq!(
        (cited.text.as_str(), cited.role),
        ("turn number 30 says so", Role::User)
    );
    assert_eq!(
        (cited.line, excerpt.turns.len(), excerpt.cited),
        (Some(31), 50, 30)
    );
    assert!(!excerpt.is_more_before && !excerpt.is_more_after && excerpt.gone.is_none());
    assert_eq!(excerpt.session, "s1");
}

#[test]
fn a_long_session_is_read_a_window_at_a_time() {
    let long = "words ".repeat(500);
    let text: String = (0..600)
        .map(|n| user(n, &format!("turn {n}. {long}")))
        .collect();
    let session = Session::of(&text);
    let mut excerpt = session.at("turn 300. ");
    assert!(excerpt.turns.len() < 60, "{}", excerpt.turns.len());
    assert!(excerpt.is_more_before && excerpt.is_more_after);
    let before = excerpt.turns.len();
    let came = excerpt.more_before(session.glass());
    assert!(came > 10 && excerpt.turns.len() == before + came);
    assert!(excerpt.cited().unwrap().text.starts_with("turn 300. "));
    while excerpt.is_more_after {
        assert!(excerpt.more_after(session.glass()) > 0);
    }
    while excerpt.is_more_before {
        assert!(excerpt.more_before(session.glass()) > 0);
    }
    let numbers: Vec<_> = excerpt
        .turns
        .iter()
        .map(|t| t.text.split('.').next().unwrap())
        .collect();
    let expected: Vec<_> = (0..600).map(|n| format!("turn {n}")).collect();
    assert_eq!(numbers, expected);
    let lines: Vec<_> = excerpt.turns.iter().map(|t| t.line.unwrap()).collect();
    assert_eq!(lines, (1..=600).collect::<Vec<_>>());
    assert_eq!(excerpt.more_after(session.glass()), 0);
}

#[test]
fn no_secret_comes_back_by_reading_less() {
    let secret = "hunter2Xk9q7Lm";
    let filler: String = (10..40)
        .map(|n| user(n, &"filler ".repeat(1_000)))
        .collect();
    let text = [
        user(1, &format!("the DB_PASSWORD={secret} is set")),
        filler.clone(),
        user(2, &format!("login failed for {secret} again, port 9090")),
        call(3, "cat .env"),
        filler,
        answer(4, 3, "STALL=kranich-haus\nMODE=plain-words-here"),
        user(5, "and now port 9091"),
    ];
    let session = Session::of(&text.concat());
    // Hidden by the digest since it was named far above.
    let excerpt = session.at("port 9090");
    assert!(!all(&excerpt).contains(secret));
    assert!(excerpt.cited().unwrap().is_stored);
    // The call that says what file was shown is far above.
    let excerpt = session.at("port 9091");
    assert!(!all(&excerpt).contains("kranich-haus"), "{}", all(&excerpt));
    let row = &excerpt.turns[excerpt.cited - 1];
    assert!(
        row.role == Role::ToolResult && row.text.contains("STALL="),
        "{row:?}"
    );
}

#[test]
fn a_secret_is_found_before_its_message_is_cut() {
    let secret = "hunter2Xk9q7Lm";
    let at = TURN_CHARS - 20;
    let text = format!(
        "{} DB_PASSWORD={secret} {}",
        "a ".repeat(at / 2),
        "b ".repeat(TURN_CHARS)
    );
    let session = Session::of(&(user(1, &text) + &user(2, "next")));
    let excerpt = session.at("next");
    let first = &excerpt.turns[0];
    assert!(first.cut > 0 && first.text.chars().count() <= TURN_CHARS);
    assert!(
        !first.text.contains("hunter2"),
        "{:?}",
        first.text.get(at - 10..)
    );
}

#[test]
fn what_is_gone_or_rewritten_leaves_what_was_stored() {
    let session = Session::of(&(user(1, "use port 9090 here") + &user(2, "fine")));
    let sha = session.proposal.spans[0].fingerprint.tail[..8].to_owned();
    let gone = |what: &str| {
        let excerpt = session.at("port 9090");
        let gone = excerpt.gone.clone().unwrap();
        assert!(gone.why.contains(what), "{gone:?}");
        assert_eq!(gone.sha.as_deref(), Some(sha.as_str()));
        let cited = excerpt.cited().unwrap();
        assert!(cited.is_stored && cited.text == "use port 9090 here");
        assert!(!excerpt.is_more_before && !excerpt.is_more_after);
    };
    std::fs::write(
        &session.path,
        user(1, "use port 6666 here") + &user(2, "fine"),
    )
    .unwrap();
    gone("rewritten");
    std::fs::remove_file(&session.path).unwrap();
    gone("gone");
    make_pipe(&session.path);
    gone("no plain file");
    assert_eq!(transcript(session.glass(), 99), None);
}

fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo")
        .arg(path)
        .status()
        .unwrap();
    assert!(made.success());
}
