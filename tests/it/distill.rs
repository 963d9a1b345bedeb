//! What a distill reads, and what it takes for read already.

use crate::attacks::scene::{Scene, add};
use crate::world::git;
use memd::curator::Limits;
use memd::distill::{DistillError, Outcome};
use memd::store::SpanState;
use serde_json::json;

/// What is taken of a session: from, to, and as what.
fn taken(scene: &Scene, session: &str) -> Vec<(u64, u64, SpanState)> {
    let (_, store, project) = scene.open();
    let spans = store.spans(&project.id, session).unwrap().into_iter();
    spans.map(|s| (s.span.start, s.span.end, s.state)).collect()
}

#[test]
fn a_session_that_is_away_for_a_moment_keeps_what_counts_as_read() {
    let scene = Scene::bare("app");
    scene.user("s", "We decided to use port 8443 for the API.");
    scene.says(&["init"]);
    scene.user("s", "We decided to use port 9090 for the metrics.");
    let session = scene.home.path().join(".claude/projects/-app/s.jsonl");
    let source = session.to_str().unwrap();
    let before = taken(&scene, source);
    assert!(matches!(before[..], [(0, _, SpanState::Baseline)]));
    // It has failed, so that it is looked at by its name, wherever it is.
    scene.script("exit 1");
    let once = Limits {
        retries: Vec::new(),
        ..Limits::default()
    };
    for _ in 0..2 {
        let error = scene.distill(&once).unwrap_err();
        assert!(matches!(error, DistillError::Curator(_)), "{error}");
    }
    let away = session.with_extension("away");
    std::fs::rename(&session, &away).unwrap();
    let nothing = scene.distill(&once).unwrap();
    assert!(matches!(nothing, Outcome::Nothing { .. }), "{nothing:?}");
    std::fs::rename(&away, &session).unwrap();
    assert_eq!(taken(&scene, source), before);
    let changes = json!([add("state.md", "- Metrics are on port 9090.")]);
    let proposal = scene.staged(&changes);
    assert_eq!(proposal["spans"][0]["start"], before[0].1);
}

#[test]
fn a_proposal_of_nothing_is_said_to_be_one() {
    let scene = Scene::new();
    scene.user("s", "Good morning.");
    scene.replies(&json!({"version": 2, "summary": "s", "changes": []}).to_string());
    let said = scene.says(&["distill"]);
    assert!(said.contains("nothing proposed from 1 turn;"), "{said}");
    let list = scene.says(&["review"]);
    assert!(list.contains("nothing proposed"), "{list}");
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.wait_for("the curator proposes nothing from 1 turn; D lets the material go");
    terminal.answer("D");
    terminal.wait_for("Its material is not read again");
    terminal.wait_for("go back: ");
    terminal.type_line("y");
    terminal.wait_for("nothing is left to review");
    terminal.finish();
    assert!(scene.says(&["distill"]).contains("nothing new"));
}

#[test]
fn what_was_decided_is_one_commit_is_read_no_more_and_only_the_accepted_is_given() {
    let scene = Scene::new();
    scene.user("s", "The API listens on port 8443. Retries stay at three.");
    let proposal = scene.staged(&json!([
        add("state.md", "- The API listens on port 8443."),
        add("state.md", "- Retries stay at three."),
    ]));
    assert_eq!(proposal["changes"].as_array().unwrap().len(), 2);
    let memory = scene.root.join(".memory");
    let commits = || git(&memory, &["log", "--format=%s"]).lines().count();
    let before = commits();
    assert!(scene.says(&["distill"]).contains("nothing new"), "staged");
    scene.review(&["a", "r"]);
    assert_eq!(commits(), before + 1);
    assert_eq!(git(&memory, &["status", "--porcelain"]), "");
    let session = scene.home.path().join(".claude/projects/-app/s.jsonl");
    let spans = taken(&scene, session.to_str().unwrap());
    assert!(matches!(spans[..], [(0, _, SpanState::Consumed)]));
    assert!(scene.says(&["distill"]).contains("nothing new"), "consumed");
    let brief = scene.brief();
    assert!(brief.contains("port 8443"), "{brief}");
    assert!(!brief.contains("Retries"), "{brief}");
    scene.says(&["verify"]);
}

/// Its messages count as read one by one, since the tool writes the whole file anew.
#[test]
fn from_the_start_reads_what_a_tool_without_bytes_had_said_before_the_project_had_a_memory() {
    let scene = Scene::bare("app");
    let folder = scene.home.folder(".gemini/tmp/app");
    let root = scene.root.to_str().unwrap();
    std::fs::write(folder.join(".project_root"), root).unwrap();
    std::fs::create_dir_all(folder.join("chats")).unwrap();
    let said = "Decision: we use port 8443 for the API because the proxy needs it.";
    let session = json!({
        "sessionId": "aaaaaaaa-1", "projectHash": "h",
        "messages": [{"id": "1", "type": "user", "content": said}],
    });
    let file = folder.join("chats/session-2026-08-01T10-00-aaaaaaaa.json");
    std::fs::write(file, session.to_string()).unwrap();
    assert!(scene.says(&["init"]).contains("1 session so far"));
    let nothing = scene.says(&["distill", "--curator", "builtin"]);
    assert!(nothing.contains("nothing new"), "{nothing}");
    // Once, and once more after it was given back.
    let from_start = ["distill", "--curator", "builtin", "--from-start"];
    for _ in 0..2 {
        let staged = scene.says(&from_start);
        assert!(staged.contains("staged 1 change"), "{staged}");
        let again = scene.says(&from_start);
        assert!(again.contains("nothing new"), "{again}");
        let mut terminal = scene.terminal(&["review", "--plain"]);
        terminal.wait_for("port 8443");
        terminal.answer("B");
        terminal.wait_for("go back: ");
        terminal.type_line("once more");
        terminal.wait_for("anything else to go back: ");
        terminal.type_line("y");
        terminal.wait_for("given back");
    }
}
