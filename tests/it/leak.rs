//! No secret leaves memd: one session full of them, a curator that repeats every one, everything
//! that memd does with it, and then a search through everything that memd wrote.

mod secrets;

use crate::attacks::scene::{Scene, add, both};
use crate::screen::Screen;
use crate::world::git;
use memd::curator::Limits;
use secrets::{Bait, Net, bait, baits};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// One character of each is escaped, so that no scanner takes this file for a leak.
const FOLDER: &str = "app-g\u{68}p_R7tKq2WmZx4LvB9nYcD3sHfJ6gP1uE8aT5oQ";
const IN_MEMORY: &str = "sk-\u{61}nt-api03-uV3kXw9RzTq7LmN2bYcP5sHdJ8fG1aE6oKiQ4tWxZrMvBnCyDhSjFgUpLkOeIaTqRw7XzNm3VbK5YcPdJ2AA";
const IN_NOTE: &str = "gl\u{70}at-Zk8vQ2mXw5RtY7nLbC3s";
const IN_ENV: &str = "Vq7wZk2mXr9TtYbnLcC3sPd5";

/// What memd printed, by what it was asked.
struct Heard {
    scene: Scene,
    said: Vec<(String, Vec<u8>)>,
}

impl Heard {
    fn run(&mut self, args: &[&str]) -> std::process::Output {
        self.run_with(args, "")
    }

    fn run_with(&mut self, args: &[&str], input: &str) -> std::process::Output {
        let mut command = self.scene.home.memd(&self.scene.root);
        let command = command
            .args(args)
            .env("MEMD_LOG", "trace")
            .env("RUST_LOG", "trace");
        let command = command
            .env("RUST_BACKTRACE", "full")
            .env("SERVICE_TOKEN", IN_ENV);
        let out = command.write_stdin(input).output().unwrap();
        let said = [&out.stdout[..], &out.stderr].concat();
        self.said.push((format!("memd {}", args.join(" ")), said));
        out
    }

    #[track_caller]
    fn done(&mut self, args: &[&str]) -> String {
        let out = self.run(args);
        assert!(out.status.success(), "{args:?}: {}", both(&out));
        String::from_utf8(out.stdout).unwrap()
    }
}

fn row(kind: &str, n: usize, scene: &Scene, message: Value) -> Value {
    json!({
        "type": kind, "uuid": format!("00000000-0000-4000-8000-{n:012}"), "sessionId": "s",
        "cwd": scene.root, "gitBranch": format!("fix/{IN_NOTE}"), "timestamp": "2026-11-29T10:00:00Z",
        "version": "2.0.0", "message": message,
    })
}

/// Each text said by the user, by the agent, in a call, in what came of it, and in an error.
fn session(scene: &Scene, baits: &[Bait]) {
    let mut text = format!(
        "{}\n",
        json!({"type": "summary", "summary": baits[0].text, "leafUuid": "x"})
    );
    let mut n = 0;
    let mut add = |kind: &str, message: Value| {
        n += 1;
        writeln!(text, "{}", row(kind, n, scene, message)).unwrap();
    };
    for (n, bait) in baits.iter().enumerate() {
        let secret = &bait.text;
        let id = format!("t{n}");
        match n % 5 {
            0 => add("user", json!({"role": "user", "content": secret})),
            1 => add(
                "assistant",
                json!({"role": "assistant", "content": [{"type": "text", "text": secret}]}),
            ),
            2 => {
                let input = json!({"command": secret, "file_path": format!("/srv/{IN_NOTE}/x")});
                add(
                    "assistant",
                    json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": input}]}),
                );
            }
            _ => {
                let result = json!({"type": "tool_result", "tool_use_id": id, "content": secret, "is_error": n % 5 == 3});
                add("user", json!({"role": "user", "content": [result]}));
            }
        }
    }
    add(
        "user",
        json!({"role": "user", "content": "Decision: the API listens on port 8443."}),
    );
    let dir = scene.home.folder(".claude/projects/-app");
    std::fs::write(dir.join("s.jsonl"), text).unwrap();
}

/// A reply that repeats the texts wherever a reply has room.
fn reply(baits: &[Bait]) -> String {
    let add = |(n, bait): (usize, &Bait)| {
        json!({
            "op": if n % 40 == 39 { "archive" } else { "add" }, "file": "state.md", "entry": bait.text,
            "section": (bait.text.lines().count() == 1).then_some(&bait.text), "text": format!("- The API listens on port 8443, {}", bait.text),
            "reason": bait.text, "evidence": [1], "confirmed": bait.text, &bait.text: 1,
        })
    };
    let some = baits.iter().take(150).enumerate();
    let mut changes: Vec<Value> = some.map(add).collect();
    changes.push(json!({"op": "add", "file": "state.md", "text": "- The API listens on port 8443.", "evidence": [1]}));
    changes.push(json!({"op": IN_NOTE, "file": IN_NOTE}));
    json!({"version": 2, "summary": baits.iter().map(|b| b.text.as_str()).collect::<Vec<_>>().join(" "), "changes": changes})
        .to_string()
}

/// What every failing curator writes: all of the texts, whole and cut.
fn noise(baits: &[Bait]) -> String {
    let mut all: String = baits.iter().map(|b| format!("{}\n\n", b.text)).collect();
    all.push_str(IN_NOTE);
    all
}

/// Everything below a folder, but what others put there.
fn written(dir: &Path, to: &mut Vec<(String, Vec<u8>)>) {
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() {
            written(&path, to);
        } else if let Ok(bytes) = std::fs::read(&path) {
            to.push((name, bytes));
        }
    }
}

/// All that memd wrote and said.
fn everything(heard: &Heard) -> Vec<(String, Vec<u8>)> {
    let home = heard.scene.home.path();
    let mut all = Vec::new();
    written(&home, &mut all);
    let inputs = [".claude/", "curator.sh", "reply", "noise"].map(|name| home.join(name));
    all.retain(|(name, _)| !inputs.iter().any(|i| Path::new(name).starts_with(i)));
    let memory = heard.scene.root.join(".memory");
    let objects = git(&memory, &["cat-file", "--batch-all-objects", "--batch"]);
    all.push(("git objects".to_owned(), objects.into_bytes()));
    all.extend(heard.said.iter().cloned());
    all
}

/// What of it holds a piece of these secrets, but for places where they stand on purpose.
fn caught<'a>(
    all: &[(String, Vec<u8>)],
    baits: impl IntoIterator<Item = &'a Bait>,
    but: &[&str],
) -> Vec<String> {
    let net = Net::new(baits);
    let judged = all
        .iter()
        .filter(|(name, _)| !but.iter().any(|b| name.contains(b)));
    judged
        .flat_map(|(name, bytes)| net.catches(name, bytes))
        .collect()
}

/// Curators that fail in every way, one after the other.
fn failures(heard: &mut Heard, baits: &[Bait]) {
    let scene = &heard.scene;
    std::fs::write(scene.home.path().join("noise"), noise(baits)).unwrap();
    std::fs::write(scene.home.path().join("reply"), reply(baits)).unwrap();
    let once = Limits {
        retries: Vec::new(),
        ..Limits::default()
    };
    let mut said = Vec::new();
    for script in [
        "cat \"$1/noise\" >&2; exit 7",
        "head -c 3000 \"$1/noise\" >&2; kill -9 $$",
        "cat \"$1/noise\"",
        "printf '\\377'; cat \"$1/noise\"",
        "head -c 4000 \"$1/reply\"",
        "cat \"$1/reply\" \"$1/reply\"",
        "printf '{\"version\": \"'; cut -c-80 \"$1/noise\" | tr -d '\\n\"\\\\\\\\'; printf '\"}'",
    ] {
        scene.script(&format!("cat > /dev/null; {script}"));
        let error = scene.distill(&once).unwrap_err();
        said.push((script.to_owned(), format!("{error} {error:?}").into_bytes()));
        // What was set aside is tried again.
        let (_, store, project) = scene.open();
        let trust = store.trust().unwrap();
        store
            .unpark(&trust, &project.id, jiff::Timestamp::now())
            .unwrap();
    }
    heard.said.extend(said);
}

/// Every page of the screen.
fn screens(heard: &mut Heard) {
    let scene = &heard.scene;
    let start = Screen::memd(&scene.home, &scene.root, &["review"]).size(160, 60);
    let mut screen = start.env("MEMD_LOG", "trace").start();
    screen.wait_for("Memory");
    for key in [
        "Tab", "t", "t", "t", "t", "j", "j", "Space", "Space", ")", "t", "t", "d", "d", "?", "Esc",
        "2", "Enter", "Esc", "3", "Enter", "Esc", "4", "Enter", "Esc", "1",
    ] {
        screen.press(key);
        screen.quiet();
    }
    screen.press("Q");
    let bytes = screen.bytes().to_vec();
    drop(screen);
    heard.said.push(("the screen".to_owned(), bytes));
}

/// What can be accepted is, then it is applied, looked at and reversed.
fn accepted_and_reversed(heard: &mut Heard) {
    let mut terminal = heard.scene.terminal(&["review", "--plain"]);
    for key in ["a", "r", "a", "a", "w"] {
        terminal.answer(key);
    }
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied ");
    heard
        .said
        .push(("a review in lines".to_owned(), terminal.text().into_bytes()));
    terminal.kill();
    let events: Value = serde_json::from_str(&heard.done(&["log", "--json"])).unwrap();
    let commit = events[0]["commit"].as_str().unwrap().to_owned();
    for args in [
        &["show", &commit][..],
        &["show", &commit, "--json"],
        &["revert", &commit],
        &["verify"],
        &["log"],
        &["brief"],
        &["status"],
    ] {
        heard.run(args);
    }
    heard.run(&["distill", "--curator", "builtin"]);
    heard.run(&["review"]);
}

#[test]
fn nothing_that_memd_writes_or_says_holds_a_piece_of_a_secret() {
    let baits = baits();
    let scene = Scene::named(FOLDER);
    let memory = scene.root.join(".memory");
    session(&scene, &baits);
    std::fs::write(
        memory.join("inbox/1.md"),
        format!("<!-- source: {IN_NOTE} -->\nuse {IN_NOTE} there\n"),
    )
    .unwrap();
    let state = std::fs::read_to_string(memory.join("state.md")).unwrap();
    std::fs::write(
        memory.join("state.md"),
        format!("{state}\n## Keys\n\n- The key is {IN_MEMORY}.\n"),
    )
    .unwrap();
    let mut config: Value =
        serde_json::from_slice(&std::fs::read(scene.home.config()).unwrap()).unwrap();
    config["digest_cap_chars"] = json!(400_000);
    std::fs::write(scene.home.config(), config.to_string()).unwrap();
    let mut heard = Heard {
        scene,
        said: Vec::new(),
    };
    failures(&mut heard, &baits);
    heard.done(&["distill", "--dry-run", "--curator", "builtin"]);
    heard
        .scene
        .script("cat > \"$1/prompt\"; cat \"$1/noise\" >&2; cat \"$1/reply\"");
    heard.done(&["distill", "--retry"]);
    for args in [
        &["digest"][..],
        &["digest", "--json"],
        &["status"],
        &["status", "--json"],
        &["status", "--porcelain"],
        &["doctor"],
        &["brief"],
        &["log"],
        &["log", "--json"],
        &["verify"],
        &["review"],
        &["redact", "--not-secret"],
        &["sweep"],
        &["sweep", "--json"],
        &["show", IN_NOTE],
        &["status", "--project", IN_NOTE],
        &["note", "--source", IN_NOTE, "-m", "x"],
        &[IN_NOTE],
        &["log", &format!("--{IN_NOTE}")],
        &["review", "--print", "--keys", "]]t)t2"],
    ] {
        heard.run(args);
    }
    for event in ["session-start", "session-end", "pre-compact", "stop"] {
        let payload = json!({"session_id": IN_NOTE, "cwd": heard.scene.root, "transcript_path": format!("/x/{IN_NOTE}.jsonl"), "hook_event_name": IN_NOTE});
        heard.run_with(&["hook", event], &payload.to_string());
    }
    heard.run_with(&["note"], &noise(&baits));
    screens(&mut heard);
    accepted_and_reversed(&mut heard);
    let scan = heard.run(&["scan", "--history"]);
    assert_eq!(
        scan.status.code(),
        Some(1),
        "what stands in memory is named"
    );
    let all = everything(&heard);
    let one = |rule: &str, text: String| [bait(rule, text)];
    // The path of a project and a session is kept in files that only the user reads; what a person put
    // into a memory file is theirs, and in its history.
    let found = [
        caught(&all, &baits, &[]),
        caught(
            &all,
            &one("note", format!("x {IN_NOTE} y")),
            &["inbox/1.md", "state/memd/jobs"],
        ),
        caught(
            &all,
            &one("environment", format!("SERVICE_TOKEN={IN_ENV}")),
            &[],
        ),
        caught(
            &all,
            &one("memory", IN_MEMORY.to_owned()),
            &[".memory/state.md", "git objects"],
        ),
        caught(
            &all,
            &one("folder", FOLDER.to_owned()),
            &[
                "memd.db",
                "config.json",
                "state/memd/jobs",
                "state/memd/sessions.json",
                "the screen",
            ],
        ),
    ];
    let found = found.concat();
    assert!(found.is_empty(), "{}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn what_a_change_takes_away_is_shown_without_its_secret_and_is_found_all_the_same() {
    let scene = Scene::new();
    let words = "seven blue geese";
    let fact = format!("- The gate opens to {words}.");
    scene.user("s", &format!("The gate opens to {words}."));
    scene.staged(&json!([add("state.md", &fact)]));
    scene.review(&["a"]);
    let (_, store, project) = scene.open();
    let trust = store.trust().unwrap();
    let entry = store.all_records(&trust, &project.id).unwrap()[0]
        .entry
        .clone();
    let redactor = memd::redact::Redactor::new(&[], trust.redaction_key()).0;
    let value = redactor.also(words).unwrap();
    let now = jiff::Timestamp::now();
    store
        .set_also_secret(&trust, &value, redactor, now)
        .unwrap();
    drop(store);
    scene.user("t", "The gate is gone.");
    scene.staged(
        &json!([{"op": "archive", "entry": entry, "reason": "the gate is gone", "evidence": [1]}]),
    );
    let mut screen = Screen::memd(&scene.home, &scene.root, &["review"])
        .size(160, 60)
        .start();
    screen.wait_for("also_secret");
    screen.quiet();
    assert!(!screen.shows("blue geese"));
    screen.press("Q");
    drop(screen);
    scene.review(&["a"]);
    let left = std::fs::read_to_string(scene.root.join(".memory/state.md")).unwrap();
    assert!(!left.contains("blue geese"), "{left}");
}
