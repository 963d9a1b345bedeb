//! The sweep with the real binary: many projects, failures that stay alone, one curator at a time.

use crate::attacks::scene::both;
use crate::support::Home;
use crate::world::git;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A home with projects and a curator that does as the test's script says.
struct Place {
    home: Home,
}

impl Place {
    fn new(config: Value) -> Self {
        let home = Home::new();
        let mut all = json!({
            "curator_cmd": ["sh", home.path().join("curator.sh"), home.path()],
            "quiet_seconds": 0,
        });
        for (key, value) in config.as_object().unwrap() {
            all[key] = value.clone();
        }
        std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
        std::fs::write(home.config(), all.to_string()).unwrap();
        let place = Self { home };
        place.script("");
        place
    }

    /// What the curator does before it proposes one thing.
    fn script(&self, first: &str) {
        let reply = json!({"version": 2, "summary": "s", "changes": [
            {"op": "add", "file": "state.md", "text": "- The API listens on port 8443.", "evidence": [1]},
        ]});
        let text = format!("{first}\necho call >> \"$1/calls\"\ncat > /dev/null\necho '{reply}'\n");
        std::fs::write(self.home.path().join("curator.sh"), text).unwrap();
    }

    /// A project with a memory.
    fn project(&self, name: &str) -> PathBuf {
        let root = self.home.folder(&format!("src/{name}"));
        self.home.memd(&root).arg("init").assert().success();
        root
    }

    /// Says something in a session of a folder.
    fn user(&self, root: &Path, session: &str, text: &str) {
        let dir = self.home.folder(".claude/projects/-x");
        let path = dir.join(format!("{session}.jsonl"));
        let mut file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        let uuid = format!("{session}-{}", file.metadata().unwrap().len());
        let row = json!({
            "type": "user", "uuid": uuid, "sessionId": session, "cwd": root,
            "timestamp": "2026-11-29T10:00:00Z", "version": "2.0.0",
            "message": {"role": "user", "content": text},
        });
        writeln!(file, "{row}").unwrap();
    }

    fn sweep(&self, args: &[&str]) -> (i32, String) {
        let all = [&["sweep"], args].concat();
        let out = self
            .home
            .memd(&self.home.path())
            .args(all)
            .output()
            .unwrap();
        (out.status.code().unwrap(), both(&out))
    }

    fn json(&self, args: &[&str]) -> Value {
        let all = [&["sweep", "--json"], args].concat();
        let out = self
            .home
            .memd(&self.home.path())
            .args(all)
            .output()
            .unwrap();
        serde_json::from_slice(&out.stdout).unwrap()
    }

    fn calls(&self) -> usize {
        let calls = std::fs::read_to_string(self.home.path().join("calls"));
        calls.unwrap_or_default().lines().count()
    }

    fn fifo(&self, name: &str) -> PathBuf {
        let path = self.home.path().join(name);
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        path
    }
}

/// What came of a project, by its name.
fn result<'a>(json: &'a Value, project: &str) -> &'a Value {
    let all = json["projects"].as_array().unwrap();
    let found = all.iter().find(|line| line["project"] == project);
    found.unwrap_or_else(|| panic!("{project} is not in {json}"))
}

#[test]
fn all_projects_are_read_and_one_that_fails_stops_no_other() {
    let place = Place::new(json!({}));
    let names = ["one", "two", "three", "four"];
    let roots = names.map(|name| place.project(name));
    let (broken, odd) = (place.project("broken"), place.project("odd"));
    for (n, root) in roots.iter().chain([&broken, &odd]).enumerate() {
        place.user(
            root,
            &format!("s{n}"),
            "We decided that the API listens on port 8443.",
        );
    }
    // A session of two projects is material of both.
    place.user(&roots[1], "s0", "Here too the API listens on port 8443.");
    let state = broken.join(".memory/state.md");
    std::fs::remove_file(&state).unwrap();
    std::fs::create_dir(&state).unwrap();
    let db = rusqlite::Connection::open(place.home.state().join("memd.db")).unwrap();
    db.pragma_update(None, "foreign_keys", false).unwrap();
    let sql = "UPDATE projects SET id = 'never' WHERE name = 'odd'";
    assert_eq!(db.execute(sql, []).unwrap(), 1);
    drop(db);

    // Two at once would meet in the folder.
    place.script("mkdir \"$1/alone\" || touch \"$1/met\"\nrmdir \"$1/alone\"");
    let (code, said) = place.sweep(&["--jobs", "4"]);
    assert_eq!(code, 1, "{said}");
    for name in names {
        assert!(
            said.contains(&format!("{name}: staged 1 change as ")),
            "{name}: {said}"
        );
    }
    assert!(said.contains("broken: failed: "), "{said}");
    assert!(
        said.contains(&format!("{}: failed: ", odd.display())),
        "{said}"
    );
    assert!(said.contains("2 projects failed: "), "{said}");
    assert_eq!(place.calls(), 4);
    assert!(
        !place.home.path().join("met").exists(),
        "one curator at a time"
    );
    // What was read is not read again, by whomever.
    let (code, said) = place.sweep(&["-q"]);
    assert_eq!(code, 1);
    assert!(!said.contains("one:"), "quiet: {said}");
    assert_eq!(place.calls(), 4);
}

#[test]
fn one_distill_a_project_and_so_many_calls_a_run_then_the_rest_is_offered() {
    let place = Place::new(json!({"sweep_calls": 2, "digest_cap_chars": 1250}));
    let roots = ["one", "two", "three"].map(|name| place.project(name));
    for root in &roots {
        for n in 0..3 {
            let name = root.file_name().unwrap().to_string_lossy();
            place.user(
                root,
                &format!("{name}-{n}"),
                &format!("Port {n}. {}", "word ".repeat(230)),
            );
        }
    }
    let all = place.json(&["--jobs", "1"]);
    let staged = |all: &Value| {
        let lines = all["projects"].as_array().unwrap().iter();
        lines.filter(|line| line["result"] == "staged").count()
    };
    assert_eq!((staged(&all), place.calls()), (2, 2), "{all}");
    // The one whose material waits longest is asked about first.
    assert_eq!(result(&all, "one")["waiting"], 1, "{all}");
    assert_eq!(result(&all, "three")["result"], "later", "{all}");
    assert_eq!(result(&all, "three")["waiting"], 3, "{all}");
    let (_, said) = place.sweep(&["--jobs", "1"]);
    assert!(
        said.contains("; 3 more sessions wait: memd distill --all"),
        "{said}"
    );
    assert_eq!(place.calls(), 4);
}

#[test]
fn what_is_being_written_is_left_alone_and_named() {
    let place = Place::new(json!({"quiet_seconds": 600}));
    let root = place.project("app");
    place.user(&root, "s", "We decided that the API listens on port 8443.");
    let (code, said) = place.sweep(&[]);
    assert_eq!(code, 0);
    assert!(
        said.contains("app: nothing new; 1 session was changed just now and is left alone"),
        "{said}"
    );
    let note = ["note", "-m", "use port 8443"];
    place.home.memd(&root).args(note).assert().success();
    let (_, said) = place.sweep(&["--dry-run"]);
    assert!(said.contains("app: would ask about 1 note ("), "{said}");
    assert_eq!(place.calls(), 0);
    let (_, said) = place.sweep(&[]);
    assert!(
        said.contains("app: staged 1 change"),
        "an inbox is never busy: {said}"
    );
}

#[test]
fn a_new_repository_gets_a_memory_and_is_read_from_then_on() {
    let place = Place::new(json!({}));
    let root = place.home.folder("src/new");
    git(&root, &["init", "-q"]);
    place.user(
        &root.join(""),
        "old",
        "We decided that the API listens on port 8443.",
    );
    let (_, said) = place.sweep(&["--dry-run"]);
    assert!(
        said.contains("new: new; its sessions from now on are read"),
        "{said}"
    );
    assert!(!root.join(".memory").exists());
    let (code, said) = place.sweep(&[]);
    assert_eq!(code, 0, "{said}");
    assert!(root.join(".memory/state.md").exists(), "{said}");
    assert!(said.contains("new: nothing new"), "{said}");
    place.user(&root, "later", "We decided that retries are three.");
    let all = place.json(&[]);
    assert_eq!(result(&all, "new")["result"], "staged", "{all}");
    assert_eq!(place.calls(), 1);

    let off = Place::new(json!({"auto_scaffold": false}));
    let root = off.home.folder("src/new");
    git(&root, &["init", "-q"]);
    off.user(
        &root,
        "old",
        "We decided that the API listens on port 8443.",
    );
    assert_eq!(off.sweep(&[]).0, 0);
    assert!(!root.join(".memory").exists());
}

#[test]
fn what_is_changed_in_a_repository_that_nobody_named_is_said() {
    let place = Place::new(json!({}));
    let root = place.home.folder("src/new/.memory");
    let root = root.parent().unwrap();
    std::fs::write(root.join(".memory/notes.md"), "ours\n").unwrap();
    git(root, &["init", "-q"]);
    git(root, &["add", "."]);
    place.user(&root.join(""), "old", "Hello.");
    let (_, said) = place.sweep(&[]);
    assert!(said.contains("taken out of its index"), "{said}");
}

#[test]
fn a_second_sweep_does_nothing_and_an_interrupted_one_leaves_nothing() {
    let place = Place::new(json!({}));
    let roots = ["one", "two"].map(|name| place.project(name));
    for root in &roots {
        let name = root.file_name().unwrap().to_string_lossy();
        place.user(root, &name, "We decided that the API listens on port 8443.");
    }
    let (begun, never) = (place.fifo("begun"), place.fifo("never"));
    // Says that it runs, then waits for what never comes.
    place.script("echo $$ > \"$1/begun\"\ncat \"$1/never\"");
    let mut first = Command::new(env!("CARGO_BIN_EXE_memd"))
        .args(["sweep", "--jobs", "2"])
        .env_clear()
        .envs(place.home.env())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let curator = std::fs::read_to_string(&begun).unwrap();
    let (code, said) = place.sweep(&[]);
    assert_eq!(code, 0);
    assert!(said.contains("another sweep runs"), "{said}");
    let pid = rustix::process::Pid::from_child(&first);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ended = first.wait().unwrap();
    assert_eq!(ended.code(), Some(130));
    let curator = Path::new("/proc").join(curator.trim());
    assert!(
        !cfg!(target_os = "linux") || !curator.exists(),
        "the curator went with it"
    );
    drop(never);
    assert_eq!(place.calls(), 0);

    place.script("");
    let all = place.json(&[]);
    for name in ["one", "two"] {
        assert_eq!(result(&all, name)["result"], "staged", "{all}");
    }
    assert_eq!(place.calls(), 2, "nothing was lost or doubled");
}

#[test]
fn the_cap_of_a_day_and_a_missing_curator_are_said_once() {
    let place = Place::new(json!({"daily_calls": 1}));
    for name in ["one", "two"] {
        let root = place.project(name);
        place.user(&root, name, "We decided that the API listens on port 8443.");
    }
    let all = place.json(&["--jobs", "1"]);
    assert_eq!(result(&all, "one")["result"], "staged");
    assert_eq!(result(&all, "two")["result"], "later", "{all}");
    assert_eq!(place.calls(), 1);
    let config = json!({"curator_cmd": ["/none/such"], "quiet_seconds": 0});
    std::fs::write(place.home.config(), config.to_string()).unwrap();
    let (code, said) = place.sweep(&[]);
    assert_eq!(code, 2, "{said}");
    assert_eq!(said.matches("/none/such").count(), 1, "{said}");
}

#[test]
fn the_timer_is_written_once_and_taken_away() {
    let place = Place::new(json!({}));
    let memd = |args: &[&str]| {
        let all = [&["install-timer"], args].concat();
        let out = place
            .home
            .memd(&place.home.path())
            .args(all)
            .output()
            .unwrap();
        (out.status.code().unwrap(), both(&out))
    };
    let dir = place.home.path().join("config/systemd/user");
    let (code, said) = memd(&["--dry-run"]);
    assert_eq!(code, 0);
    assert!(said.contains("ExecStart=\"") && !dir.exists(), "{said}");
    let (_, said) = memd(&[]);
    assert!(
        said.contains("systemctl --user enable --now memd-sweep.timer"),
        "{said}"
    );
    let service = std::fs::read_to_string(dir.join("memd-sweep.service")).unwrap();
    assert!(service.contains(&format!(
        "ExecStart=\"{}\" sweep --quiet",
        env!("CARGO_BIN_EXE_memd")
    )));
    let state = place.home.path().join("state");
    assert!(
        service.contains(&format!("XDG_STATE_HOME={}", state.display())),
        "{service}"
    );
    let (_, said) = memd(&[]);
    assert_eq!(said.matches("is there already").count(), 2, "{said}");
    std::fs::write(dir.join("memd-sweep.timer"), "[Timer]\n").unwrap();
    assert_eq!(memd(&[]).0, 1);
    assert_eq!(memd(&["--remove"]).0, 1);
    std::fs::remove_file(dir.join("memd-sweep.timer")).unwrap();
    assert_eq!(memd(&["--remove"]).0, 0);
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
}
