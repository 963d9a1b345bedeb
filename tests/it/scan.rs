//! `memd scan`: secrets that stand in memory already are found wherever they stand, told without a
//! character of them, and nothing is written.

use crate::attacks::scene::{Scene, add, both};
use crate::support::Home;
use crate::world::git;
use serde_json::{Value, json};
use std::path::Path;

/// One character of each is escaped, so that no scanner takes this file for a leak.
const SECRET: &str = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
const OTHER: &str = "gl\u{70}at-Zk8vQ2mXw5RtY7nLbC3s";

/// A scan's report; its exit code and whether it shows a piece of a secret are checked.
#[track_caller]
fn scan(home: &Home, cwd: &Path, args: &[&str], code: i32) -> (Value, String) {
    let mut said = Vec::new();
    for json in [&["--json"][..], &[]] {
        let out = home
            .memd(cwd)
            .arg("scan")
            .args(args)
            .args(json)
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(code), "{}", both(&out));
        let text = both(&out);
        for secret in [SECRET, OTHER] {
            let shows = (4..secret.len() - 8).any(|n| text.contains(&secret[n..n + 8]));
            assert!(!shows, "{text}");
        }
        said.push(text);
    }
    let text = said.pop().unwrap();
    (serde_json::from_str(&said[0]).unwrap(), text)
}

fn places(report: &Value) -> Vec<String> {
    let secrets = report["secrets"].as_array().unwrap().iter();
    let places = secrets.flat_map(|s| s["places"].as_array().unwrap());
    places
        .map(|p| format!("{} {}:{}", p["kind"], p["place"], p["line"]).replace('"', ""))
        .collect()
}

/// The files of a folder and what is in them.
fn state(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            all.extend(state(&path));
        } else {
            all.push((
                path.to_string_lossy().into_owned(),
                std::fs::read(&path).unwrap(),
            ));
        }
    }
    all.sort();
    all
}

fn write(root: &Path, name: &str, text: &str) {
    std::fs::write(root.join(".memory").join(name), text).unwrap();
}

#[test]
fn a_clean_memory_is_said_to_be_clean() {
    let scene = Scene::new();
    let (report, text) = scan(&scene.home, &scene.root, &["--history"], 0);
    assert_eq!(report["secrets"], json!([]));
    assert!(text.contains("1 memory: no secret found"), "{text}");
}

#[test]
fn what_stands_and_what_stood_is_found_by_fingerprint_and_nothing_is_written() {
    let scene = Scene::new();
    let memory = scene.root.join(".memory");
    let clean = std::fs::read_to_string(memory.join("state.md")).unwrap();
    write(
        &scene.root,
        "state.md",
        &format!("{clean}\n- token {SECRET}\n"),
    );
    git(&memory, &["add", "-A"]);
    git(&memory, &["commit", "-qm", &format!("note {OTHER}")]);
    write(&scene.root, "state.md", &clean);
    git(&memory, &["commit", "-qam", "clean again"]);
    write(&scene.root, "inbox/1.md", &format!("use {SECRET}"));
    let before = state(&scene.root);
    let (report, text) = scan(&scene.home, &scene.root, &[], 1);
    assert_eq!(places(&report), ["file inbox/1.md:1"]);
    assert!(text.contains("--history"), "{text}");
    let (report, text) = scan(&scene.home, &scene.root, &["--history"], 1);
    let line = clean.lines().count() + 2;
    let places = places(&report);
    assert!(
        places.contains(&format!("history state.md:{line}")),
        "{places:?}"
    );
    assert!(
        places.contains(&"history message of a commit:1".to_owned()),
        "{places:?}"
    );
    assert_eq!(report["secrets"].as_array().unwrap().len(), 2);
    assert!(
        text.contains("in 2 places") && text.contains("git filter-repo"),
        "{text}"
    );
    assert!(
        text.contains("Revoke") && text.contains("memd review"),
        "{text}"
    );
    assert!(state(&scene.root) == before, "a scan wrote");
}

#[test]
fn what_no_commit_holds_any_more_is_found_until_git_lets_it_go() {
    let scene = Scene::new();
    let memory = scene.root.join(".memory");
    write(&scene.root, "state.md", &format!("- {SECRET}\n"));
    git(&memory, &["commit", "-qam", "x"]);
    git(&memory, &["reset", "-q", "--hard", "HEAD~1"]);
    let (report, _) = scan(&scene.home, &scene.root, &["--history"], 1);
    assert_eq!(places(&report), ["history state.md:1"], "by the reflog");
    git(&memory, &["reflog", "expire", "--expire=now", "--all"]);
    let (report, text) = scan(&scene.home, &scene.root, &["--history"], 1);
    assert_eq!(
        places(&report),
        ["history an object that no commit holds any more:1"]
    );
    assert!(text.contains("object "), "{text}");
    git(&memory, &["gc", "-q", "--prune=now"]);
    scan(&scene.home, &scene.root, &["--history"], 0);
}

#[test]
fn what_an_earlier_tool_committed_into_the_projects_own_history_is_found_without_a_database() {
    let home = Home::new();
    let root = home.folder("old");
    std::fs::create_dir_all(root.join(".memory")).unwrap();
    git(&root, &["init", "-q"]);
    write(&root, "decisions.md", &format!("# D\n\n- {SECRET}\n"));
    std::fs::write(root.join("code.rs"), format!("let x = {OTHER:?};\n")).unwrap();
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "memd: distill"]);
    git(&root, &["rm", "-rq", "--cached", ".memory"]);
    git(&root, &["commit", "-qm", "out"]);
    write(&root, "decisions.md", "# D\n");
    let (report, text) = scan(&home, &root, &[".", "--history"], 1);
    assert_eq!(places(&report), ["project_history .memory/decisions.md:3"]);
    assert!(text.contains("--invert-paths"), "{text}");
    assert!(!home.state().exists(), "no state is made");
}

#[test]
fn what_a_person_called_no_secret_is_counted_and_a_place_without_memory_is_an_error() {
    let scene = Scene::new();
    write(&scene.root, "inbox/1.md", &format!("use {SECRET}"));
    let (report, _) = scan(&scene.home, &scene.root, &[], 1);
    let print = report["secrets"][0]["fingerprint"].as_str().unwrap();
    let (_, store, _) = scene.open();
    let value = memd::store::HiddenValue {
        fingerprint: print,
        rule: "github_pat",
        length: "32-63",
    };
    let trust = store.trust().unwrap();
    store
        .set_not_secret(&trust, value, jiff::Timestamp::now())
        .unwrap();
    drop(store);
    let (report, text) = scan(&scene.home, &scene.root, &[], 0);
    assert_eq!(report["let_through"], 1);
    assert!(text.contains("1 place let through as no secret"), "{text}");
    let out = scene
        .home
        .memd(&scene.root)
        .args(["scan", "/"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(1), "{}", both(&out));
}

#[test]
fn what_is_staged_is_clean_since_it_was_redacted_on_its_way_in() {
    let scene = Scene::new();
    scene.user(
        "s",
        &format!("The API listens on port 8443. The token is {SECRET}."),
    );
    scene.staged(&json!([add(
        "state.md",
        &format!("- The API listens on port 8443 with {SECRET}.")
    )]));
    scan(&scene.home, &scene.root, &["--history"], 0);
}

#[test]
fn what_was_decided_and_what_is_noted_besides_is_looked_at_too() {
    let scene = Scene::new();
    scene.user("s", "The API listens on port 8443.");
    scene.staged(&json!([add("state.md", "- The API listens on port 8443.")]));
    let db = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    db.execute(
        "UPDATE proposals SET state = 'returned', note = ?1",
        [SECRET],
    )
    .unwrap();
    let (_, _, project) = scene.open();
    db.execute(
        "INSERT INTO tries VALUES (?1, '/s', 0, 1, 1, ?2, '2026-01-01T00:00:00Z')",
        [project.id.as_str(), &format!("said {OTHER}")],
    )
    .unwrap();
    drop(db);
    let (report, text) = scan(&scene.home, &scene.root, &[], 1);
    let places = places(&report);
    assert_eq!(
        places,
        [
            "noted your note to the curator:null",
            "noted why a distill failed:null"
        ]
    );
    assert!(
        text.contains("why a distill failed, in the database"),
        "{text}"
    );
    assert!(text.contains("audit chain"), "{text}");
}

#[test]
fn a_returned_proposal_with_a_secret_in_it_is_found() {
    let scene = Scene::new();
    scene.user("s", "The API listens on port 8443.");
    scene.staged(&json!([add("state.md", "- The API listens on port 8443.")]));
    let (_, store, project) = scene.open();
    let trust = store.trust().unwrap();
    let staged = store.all_proposals(&project.id).unwrap();
    let mut proposal = store.proposal(&trust, &staged[0].id).unwrap();
    proposal.id = "0badcafe".parse().unwrap();
    proposal.changes[0].text = format!("- {SECRET}");
    (proposal.spans, proposal.notes) = (Vec::new(), Vec::new());
    let now = jiff::Timestamp::now();
    store.stage(&trust, &proposal, &[], now).unwrap();
    let (report, _) = scan(&scene.home, &scene.root, &[], 1);
    assert_eq!(
        places(&report),
        ["staged proposal 0badcafe: change 1, the text proposed, for state.md:null"]
    );
    store.return_(&trust, &proposal.id, "shorter", now).unwrap();
    drop(store);
    let (report, _) = scan(&scene.home, &scene.root, &[], 1);
    assert_eq!(
        places(&report),
        ["noted proposal 0badcafe: change 1, the text proposed, for state.md:null"]
    );
}

#[test]
fn a_tags_message_is_read_and_a_folder_that_lies_too_deep_is_named() {
    let scene = Scene::new();
    let memory = scene.root.join(".memory");
    git(
        &memory,
        &["tag", "-a", "v1", "-m", &format!("use {SECRET}")],
    );
    let (report, _) = scan(&scene.home, &scene.root, &["--history"], 1);
    assert_eq!(places(&report), ["history message of a tag:1"]);
    assert_eq!(report["not_read"], json!([]));
    git(&memory, &["tag", "-d", "v1"]);
    git(&memory, &["gc", "-q", "--prune=now"]);
    let deep = memory.join(vec!["d"; 40].join("/"));
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(deep.join("a"), "x").unwrap();
    git(&memory, &["add", "-Af", "d"]);
    git(&memory, &["commit", "-qm", "deep"]);
    std::fs::remove_dir_all(memory.join("d")).unwrap();
    let (report, text) = scan(&scene.home, &scene.root, &["--history"], 1);
    assert_eq!(report["secrets"], json!([]));
    assert_eq!(report["not_read"].as_array().unwrap().len(), 1, "{text}");
    assert!(text.contains("lies too deep"), "{text}");
}

#[test]
fn a_pipe_among_the_files_of_git_is_named_and_not_waited_for() {
    let scene = Scene::new();
    git(&scene.root, &["init", "-q"]);
    let heads = [".memory/.git/refs/heads/x", ".git/refs/heads/x"];
    for head in heads {
        let pipe = scene.root.join(head);
        std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
    }
    let (report, _) = scan(&scene.home, &scene.root, &["--history"], 1);
    let told = report["not_read"].to_string();
    for head in heads {
        let named = told.contains(&format!("{head}\\\" is a named pipe"));
        assert!(named, "{head}: {told}");
    }
    for command in ["verify", "log", "status"] {
        let out = scene.home.memd(&scene.root).arg(command).output().unwrap();
        assert!(out.status.code().is_some(), "{command}: {}", both(&out));
    }
}

#[test]
fn what_memd_keeps_beside_the_database_is_looked_at_too() {
    let scene = Scene::new();
    let state = scene.home.state();
    let (_, _, project) = scene.open();
    let row = json!({ "table": "records", "text": format!("a \"{SECRET}\"") });
    let of = |id: &str| format!("given-up-{id}-7.jsonl");
    let (ours, others) = (of(project.id.as_str()), of("0123456789abcdef"));
    let rows = format!("{}\n{row}\n", json!({ "table": "records" }));
    std::fs::write(state.join(&ours), &rows).unwrap();
    std::fs::write(state.join(&others), &rows).unwrap();
    std::fs::write(state.join("kept-1.md"), format!("- {OTHER}\n")).unwrap();
    // What others could read is mended with a word, by whatever comes first.
    scene.says(&["status"]);
    let (report, text) = scan(&scene.home, &scene.root, &[], 1);
    let found = places(&report);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|p| p.starts_with("kept ")), "{found:?}");
    assert!(found.contains(&format!("kept {others}:2")), "{found:?}");
    assert!(
        found.contains(&"kept kept-1.md:null".to_owned()),
        "{found:?}"
    );
    assert!(text.contains("until you delete it"), "{text}");
    // Of one project alone.
    let (report, _) = scan(&scene.home, &scene.root, &["."], 1);
    let found = places(&report);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(!found.iter().any(|p| p.contains(&others)), "{found:?}");
    // A database that is kept is named, whatever is in it.
    for name in [&*ours, &*others, "kept-1.md"] {
        std::fs::remove_file(state.join(name)).unwrap();
    }
    std::fs::write(state.join("damaged-4.db"), "").unwrap();
    let run = scene.memd(&["scan"]);
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let said = both(&run);
    assert!(
        said.contains("damaged-4.db") && said.contains("not looked through"),
        "{said}"
    );
}
