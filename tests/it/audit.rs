//! `memd audit` on the real binary: reading, following, copying the chain, and checking a copy.

use crate::support::Home;
use jiff::Timestamp;
use memd::store::{Project, Store};
use memd::trust::{Act, Trust};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A home whose chain has two records: a project that was registered, and a refusal.
struct Case {
    home: Home,
    store: Store,
    trust: Trust,
    project: Project,
}

impl Case {
    fn new() -> Self {
        let home = Home::new();
        let root = home.folder("demo");
        let places = home.places();
        let store = Store::open(&places).unwrap();
        let trust = store.trust().unwrap();
        let now = Timestamp::now();
        let project = store.ensure_project(&trust, &root, "demo", now).unwrap();
        let case = Self {
            home,
            store,
            trust,
            project,
        };
        case.refuse("no terminal");
        case
    }

    /// One more record.
    fn refuse(&self, why: &str) {
        let details = json!({ "what": "trust", "why": why });
        let id = Some(&self.project.id);
        let now = Timestamp::now();
        let done = self
            .store
            .audit(&self.trust, Act::Refuse, id, &[], details, now);
        done.unwrap();
    }

    /// Exit code, standard output, standard error.
    fn memd(&self, args: &[&str]) -> (i32, String, String) {
        let run = self
            .home
            .memd(&self.project.root)
            .args(args)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            run.status.code().unwrap(),
            text(run.stdout),
            text(run.stderr),
        )
    }
}

#[test]
fn each_act_is_a_line_in_order_and_a_changed_one_is_marked() {
    let case = Case::new();
    let (code, out, err) = case.memd(&["audit"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].contains("register") && lines[1].contains("refuse"),
        "{out}"
    );
    assert!(
        lines[1].ends_with("demo  what=trust  why=no terminal"),
        "{out}"
    );
    let (_, last, _) = case.memd(&["audit", "-n", "1", "--project", ".", "--json"]);
    let last: serde_json::Value = serde_json::from_str(&last).unwrap();
    assert_eq!(
        (
            &last["seq"],
            &last["name"],
            &last["details"]["why"],
            &last["holds"]
        ),
        (
            &2.into(),
            &"demo".into(),
            &"no terminal".into(),
            &true.into()
        )
    );
    let database = rusqlite::Connection::open(case.store.path()).unwrap();
    let attack = "DROP TRIGGER audit_no_update; UPDATE audit SET act = 'confirm' WHERE seq = 2;";
    database.execute_batch(attack).unwrap();
    let (_, out, _) = case.memd(&["audit"]);
    assert!(
        out.trim_end().ends_with("(changed since: memd verify)"),
        "{out}"
    );
}

#[test]
fn following_shows_what_is_done_from_now_on() {
    let case = Case::new();
    let mut memd = Command::new(env!("CARGO_BIN_EXE_memd"));
    memd.args(["audit", "-n", "1", "--follow"])
        .env_clear()
        .envs(case.home.env());
    memd.stdout(Stdio::piped()).current_dir(&case.project.root);
    let mut memd = memd.spawn().unwrap();
    let out = BufReader::new(memd.stdout.take().unwrap());
    let (send, lines) = channel();
    std::thread::spawn(move || out.lines().try_for_each(|line| send.send(line.unwrap())));
    let next = || lines.recv_timeout(PATIENCE).unwrap();
    assert!(next().contains("why=no terminal"));
    case.refuse("a pipe");
    assert!(next().contains("why=a pipe"));
    case.refuse("a hook");
    assert!(next().contains("why=a hook"));
    // Another key seals from now on: what is done with it is as it was written.
    let lock = memd::lock::KeyLock::take(&case.home.places().locks()).unwrap();
    let now = Timestamp::now();
    case.store.rotate_key(&lock, &case.trust, now).unwrap();
    let trust = case.store.trust().unwrap();
    let details = serde_json::json!({ "why": "after it" });
    case.store
        .audit(&trust, Act::Refuse, None, &[], details, now)
        .unwrap();
    for said in ["what=retired", "what=rotated", "why=after it"] {
        let line = next();
        assert!(
            line.contains(said) && !line.contains("changed since"),
            "{line}"
        );
    }
    memd.kill().unwrap();
    memd.wait().unwrap();
}

#[test]
fn a_copy_is_private_never_overwrites_and_is_checked_with_the_key() {
    let case = Case::new();
    let (code, out, _) = case.memd(&["audit", "--export", "chain.jsonl"]);
    assert!(code == 0 && out.starts_with("2 audit records in "), "{out}");
    let copy = case.project.root.join("chain.jsonl");
    let mode = std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    let (code, _, err) = case.memd(&["audit", "--export", "chain.jsonl"]);
    assert!(
        code == 1 && err.contains("chain.jsonl") && err.contains("choose another name"),
        "{err}"
    );

    case.refuse("later");
    let (code, out, _) = case.memd(&["verify", "--file", "chain.jsonl"]);
    assert_eq!(code, 0);
    assert!(
        out.ends_with("the chain here goes on with 1 record\n"),
        "{out}"
    );

    let text = std::fs::read_to_string(&copy).unwrap();
    std::fs::write(&copy, text.replace("no terminal", "no person!!")).unwrap();
    let (code, out, _) = case.memd(&["verify", "--file", "chain.jsonl", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &report["breaks"][0]["kind"]),
        (1, &"audit-edited".into())
    );

    std::fs::write(&copy, "no chain\n").unwrap();
    let (code, _, err) = case.memd(&["verify", "--file", "chain.jsonl"]);
    assert!(
        code == 1 && err.contains("chain.jsonl: line 1 is no audit record"),
        "{err}"
    );
    let (code, _, err) = case.memd(&["verify", "--file", "missing.jsonl"]);
    assert!(code == 2 && err.contains("missing.jsonl"), "{err}");
    std::fs::write(&copy, "\n").unwrap();
    let (code, out, _) = case.memd(&["verify", "--file", "chain.jsonl"]);
    assert!(code == 1 && !out.contains("all good"), "{out}");
    let (code, _, err) = case.memd(&["verify", "--file", "."]);
    assert!(
        code == 2 && err.contains("no plain file") && !err.contains("session"),
        "{err}"
    );
}

#[test]
fn a_copy_that_another_memd_made_is_not_called_forged() {
    let (there, here) = (Case::new(), Case::new());
    let copy = here.project.root.join("there.jsonl");
    there.memd(&["audit", "--export", copy.to_str().unwrap()]);
    let (code, out, err) = here.memd(&["verify", "--file", "there.jsonl"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.starts_with("copy made with another key (1)\n") && out.lines().count() == 2,
        "{out}"
    );
    for case in [&there, &here] {
        let id = case.store.trust().unwrap().key_id().to_owned();
        assert!(out.contains(&id), "{out}");
    }
    assert!(
        err.contains("memd key") && !err.contains("changed"),
        "{err}"
    );
    let (_, out, _) = here.memd(&["verify", "--file", "there.jsonl", "--json"]);
    assert!(out.contains("\"other-key\""), "{out}");
}

#[test]
fn a_database_that_was_put_back_whole_is_told_by_a_copy_alone() {
    let case = Case::new();
    let before = case.home.path().join("before.db");
    let database = rusqlite::Connection::open(case.store.path()).unwrap();
    let to = before.to_str().unwrap();
    database.execute("VACUUM INTO ?1", [to]).unwrap();
    case.refuse("later");
    case.memd(&["audit", "--export", "chain.jsonl"]);
    drop(database);
    let live = case.store.path().to_owned();
    let root = case.project.root.clone();
    let Case { home, store, .. } = case;
    drop(store);
    for end in ["-wal", "-shm"] {
        // It may be gone already: the last connection takes it along.
        let _ = std::fs::remove_file(format!("{}{end}", live.display()));
    }
    std::fs::rename(&before, &live).unwrap();
    // What others could read is mended on record, which would be one record more.
    std::fs::set_permissions(&live, PermissionsExt::from_mode(0o600)).unwrap();
    let run = |args: &[&str]| home.memd(&root).args(args).output().unwrap();
    let plain = run(&["verify"]);
    assert!(plain.status.success(), "nothing within the database tells");
    let told = run(&["verify", "--file", "chain.jsonl"]);
    assert_eq!(told.status.code(), Some(1));
    let out = String::from_utf8(told.stdout).unwrap();
    assert!(
        out.contains("ends here at record 2, the export at 3"),
        "{out}"
    );
    let err = String::from_utf8(told.stderr).unwrap();
    assert!(
        err.contains("older database back") && err.contains("memd audit --export"),
        "{err}"
    );
    // A copy that does not hold by itself says nothing of the chain here.
    let copy = root.join("chain.jsonl");
    let text = std::fs::read_to_string(&copy).unwrap();
    std::fs::write(&copy, text.replace("later", "never")).unwrap();
    let told = run(&["verify", "--file", "chain.jsonl", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let breaks = report["breaks"].as_array().unwrap().iter();
    let kinds: Vec<_> = breaks.map(|b| b["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["audit-edited"]);
    assert!(
        !String::from_utf8(told.stderr)
            .unwrap()
            .contains("older database")
    );
}

#[test]
fn a_copy_of_a_chain_that_was_tampered_with_is_written_and_said_to_prove_nothing() {
    let case = Case::new();
    let database = rusqlite::Connection::open(case.store.path()).unwrap();
    let triggers: Vec<String> = {
        let mut query = database
            .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            .unwrap();
        let names = query.query_map([], |row| row.get(0)).unwrap();
        names.map(Result::unwrap).collect()
    };
    for name in triggers {
        database
            .execute(&format!("DROP TRIGGER \"{name}\""), [])
            .unwrap();
    }
    let changed = "UPDATE audit SET details = '{}' WHERE seq = 2";
    assert_eq!(database.execute(changed, []).unwrap(), 1);
    let (code, _, err) = case.memd(&["audit", "--export", "chain.jsonl"]);
    assert!(code == 1 && err.contains("does not hold"), "{err}");
    assert!(case.project.root.join("chain.jsonl").exists());
}

#[test]
fn none_asked_for_is_none_shown() {
    let (code, out, _) = Case::new().memd(&["audit", "-n", "0"]);
    assert_eq!((code, out.as_str()), (0, ""));
}

#[test]
fn following_ends_when_nothing_can_be_printed_or_read_any_more() {
    let case = Case::new();
    let follow = |out: Stdio| {
        let mut memd = Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.args(["audit", "--follow"])
            .env_clear()
            .envs(case.home.env());
        memd.stdout(out).stderr(Stdio::piped());
        memd.current_dir(&case.project.root).spawn().unwrap()
    };
    let full = std::fs::File::options().write(true).open("/dev/full");
    let run = follow(full.unwrap().into()).wait_with_output().unwrap();
    assert_eq!(run.status.code(), Some(1));

    let mut memd = follow(Stdio::piped());
    let mut lines = BufReader::new(memd.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        lines.next().unwrap().unwrap();
    }
    let state = case.home.path().join("state");
    std::fs::rename(&state, case.home.path().join("away")).unwrap();
    let run = memd.wait_with_output().unwrap();
    let err = String::from_utf8(run.stderr).unwrap();
    assert!(
        run.status.code() == Some(1) && err.contains("moved away"),
        "{err}"
    );
}
