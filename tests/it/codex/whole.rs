//! Codex sessions through the whole program: distill, status, the place of a line.

use super::*;

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
