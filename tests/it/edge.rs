//! What commands say alike: refusals without a terminal, errors for programs, what is named and is not
//! there.

use crate::seed::Seed;
use crate::support::Home;
use crate::world::git;
use memd::memory::MemoryFile;
use serde_json::Value;
use std::path::Path;

struct Edge {
    home: Home,
    seed: Seed,
}

impl Edge {
    fn new() -> Self {
        let home = Home::new();
        let seed = Seed::new(&home, "app");
        seed.write(
            MemoryFile::State,
            "- The api listens on port 9090.\n- The web is on port 3000.",
        );
        seed.accept_all();
        Self { home, seed }
    }

    /// Exit code, standard output, standard error.
    fn run(&self, cwd: &Path, args: &[&str]) -> (i32, String, String) {
        let run = self.home.memd(cwd).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            run.status.code().unwrap(),
            text(run.stdout),
            text(run.stderr),
        )
    }

    fn here(&self, args: &[&str]) -> (i32, String, String) {
        self.run(&self.seed.root, args)
    }
}

#[test]
fn what_needs_a_person_is_refused_alike_without_a_terminal() {
    let edge = Edge::new();
    for args in [
        &["confirm", "port 9090"][..],
        &["trust", "."],
        &["key", "rotate"],
        &["verify", "--settle"],
        &["forget", "."],
        &["exclude", "."],
        &["install-hooks", "--claude"],
    ] {
        let (code, _, err) = edge.here(args);
        assert_eq!(code, 2, "{args:?}: {err}");
        let says = "needs a person on a terminal; nothing was ";
        assert!(err.contains(says), "{args:?}: {err}");
    }
}

#[test]
fn json_says_why_there_is_none_with_the_same_exit_code() {
    let edge = Edge::new();
    std::fs::remove_file(edge.home.state().join("key")).unwrap();
    let mut failed = 0;
    for args in [
        &["verify"][..],
        &["status"],
        &["log"],
        &["history", "port"],
        &["audit"],
        &["doctor"],
        &["show", "00000000"],
        &["guards"],
        &["verify", "--file", "none.jsonl"],
        &["log", "-p", "/"],
    ] {
        let (plain, _, _) = edge.here(args);
        let (code, out, err) = edge.here(&[args, &["--json"]].concat());
        assert_eq!(code, plain, "{args:?}");
        let told: Value =
            serde_json::from_str(&out).unwrap_or_else(|e| panic!("{args:?}: {e}: {out:?} {err}"));
        if let Some(error) = told.get("error") {
            failed += 1;
            assert!(err.contains(error.as_str().unwrap()), "{args:?}: {err}");
            assert_eq!(told["exit"], code, "{args:?}");
        }
    }
    assert!(failed >= 7, "{failed}");
    // Who has their answer is told no second one.
    let edge = Edge::new();
    let state = edge.seed.root.join(".memory/state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    std::fs::write(&state, text.replace("9090", "9191")).unwrap();
    let (code, out, _) = edge.here(&["verify", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert!(code == 1 && told.get("error").is_none(), "{out}");
}

#[test]
fn verify_status_history_and_audit_name_a_project_alike() {
    let edge = Edge::new();
    let state = edge.seed.root.join(".memory/state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    std::fs::write(&state, text.replace("9090", "9191")).unwrap();
    let json = |args: &[&str]| -> Value { serde_json::from_str(&edge.here(args).1).unwrap() };
    let id = edge.seed.project.id.as_str();
    assert_eq!(json(&["verify", "--json"])["breaks"][0]["project"], id);
    assert_eq!(json(&["status", "--json"])[0]["id"], id);
    assert_eq!(json(&["history", "port 3000", "--json"])["project"], id);
    assert_eq!(json(&["audit", "--json", "-n", "1"])["project"], id);
}

#[test]
fn status_counts_what_differs_by_kind_and_names_refused_files() {
    let edge = Edge::new();
    let memory = edge.seed.root.join(".memory");
    let text = edge.seed.text(MemoryFile::State).replace("9090", "9191");
    let text = text.replace("- The web is on port 3000.", "") + "\n- Something new.\n";
    std::fs::write(memory.join("state.md"), text).unwrap();
    std::fs::write(memory.join("todo.md"), [0xff, 0xfe]).unwrap();
    let status: Value = serde_json::from_str(&edge.here(&["status", "--json"]).1).unwrap();
    let expected = serde_json::json!({ "edited": 1, "missing": 1, "unsealed": 1 });
    assert_eq!(status[0]["on_disk"], expected, "{status}");
    let refused = serde_json::json!([{ "file": "todo.md", "why": "not UTF-8" }]);
    assert_eq!(status[0]["refused_files"], refused);
}

#[test]
fn a_copy_of_the_chain_goes_to_standard_output_and_verifies() {
    let edge = Edge::new();
    let (code, out, err) = edge.here(&["audit", "--export", "-"]);
    assert!(
        code == 0 && err.contains("audit records in standard output"),
        "{err}"
    );
    assert!(!edge.seed.root.join("-").exists());
    let copy = edge.home.path().join("copy.jsonl");
    std::fs::write(&copy, out).unwrap();
    let (code, out, err) = edge.here(&["verify", "--file", copy.to_str().unwrap()]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_path_of_no_project_is_told_alike() {
    let edge = Edge::new();
    let nowhere = edge.home.folder("nowhere");
    git(&nowhere, &["init", "-q"]);
    let at = nowhere.to_str().unwrap();
    for args in [
        &["brief", at][..],
        &["status", "-p", at],
        &["log", "-p", at],
        &["history", "port", "-p", at],
        &["show", "abcd", "-p", at],
        &["revert", "abcd", "-p", at],
        &["restore", "--all", "--at", "abcd", "-p", at],
        &["confirm", "port", "-p", at],
        &["note", "-m", "x", "-p", at],
        &["distill", "-p", at],
        &["verify", "-p", at],
        &["audit", "-p", at],
        &["guards", "-p", at],
        &["scan", at],
        &["trust", at],
        &["untrust", at],
        &["forget", at],
        &["review", "-p", at],
    ] {
        let (code, _, err) = edge.here(args);
        assert_eq!(code, 1, "{args:?}: {err}");
        let says = format!("{nowhere:?} belongs to no project that memd knows");
        assert!(
            err.contains(&says) && err.contains("memd init"),
            "{args:?}: {err}"
        );
    }
}

#[test]
fn what_is_named_and_is_not_there_says_what_to_do() {
    let edge = Edge::new();
    for args in [
        &["history", "ffffffffffff"][..],
        &["show", "ffffffff"],
        &["revert", "ffffffff"],
        &["restore", "ffffffffffff", "--at", "ffffffff"],
        &["restore", "--all", "--at", "ffffffff"],
    ] {
        let (code, _, err) = edge.here(args);
        assert_eq!(code, 1, "{args:?}: {err}");
        assert!(err.contains('`'), "{args:?} names no command: {err}");
    }
    let (code, _, err) = edge.here(&["history", "port"]);
    assert!(
        code == 1 && err.contains("2 entries hold \"port\""),
        "{err}"
    );
    assert!(err.contains("say which by its id"), "{err}");
}
