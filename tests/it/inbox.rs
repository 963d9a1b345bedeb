//! The inbox with real processes: many writers beside a reader, and what `memd note` takes.

use crate::support::Home;
use memd::proposal::Proposal;
use memd::store::{Project, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Writers, and notes that each leaves.
const WRITERS: usize = 8;
const NOTES: usize = 4;

fn project(home: &Home) -> PathBuf {
    let root = home.folder("app");
    home.memd(&root).arg("init").assert().success();
    root
}

fn open(home: &Home) -> (Store, Project) {
    let store = Store::open(&home.places()).unwrap();
    let project = store.projects().unwrap().remove(0);
    (store, project)
}

fn staged(home: &Home) -> Vec<Proposal> {
    let (store, project) = open(home);
    let trust = store.trust().unwrap();
    let queue = store
        .queue(Some(&project.id), jiff::Timestamp::now())
        .unwrap();
    let read = |item: &memd::store::QueueItem| store.proposal(&trust, &item.id).unwrap();
    queue.iter().map(read).collect()
}

fn distill(home: &Home, root: &Path) {
    let args = ["distill", "--curator", "builtin"];
    home.memd(root).args(args).assert().success();
}

#[test]
fn eight_writers_beside_a_reading_distill_and_sweep_lose_and_double_nothing() {
    let home = Home::new();
    let root = project(&home);
    let mut config: serde_json::Value =
        serde_json::from_slice(&std::fs::read(home.config()).unwrap()).unwrap();
    config["curator"] = "builtin".into();
    std::fs::write(home.config(), config.to_string()).unwrap();
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (home, root, done) = (&home, &root, &done);
            scope.spawn(move || {
                for n in 0..NOTES {
                    let text = format!("Note {n} of writer {writer}: the port is {writer}00{n}.");
                    let args = ["note", "-m", &text, "--source", "test"];
                    home.memd(root).args(args).assert().success();
                }
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        while done.load(Ordering::SeqCst) < WRITERS {
            distill(&home, &root);
            home.memd(&root).args(["sweep", "-q"]).assert().success();
        }
    });
    distill(&home, &root);
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for proposal in staged(&home) {
        for name in proposal.notes {
            *taken.entry(name).or_default() += 1;
        }
    }
    let names: Vec<String> = std::fs::read_dir(root.join(".memory/inbox"))
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .collect();
    assert_eq!(
        names.len(),
        WRITERS * NOTES,
        "no file goes before its proposal is applied"
    );
    assert_eq!(taken.len(), WRITERS * NOTES);
    assert!(taken.values().all(|times| *times == 1), "{taken:?}");
    assert!(names.iter().all(|name| taken.contains_key(name)));
}

#[test]
fn notes_that_the_digest_has_no_room_for_wait_for_the_next_one() {
    let home = Home::new();
    let root = project(&home);
    std::fs::write(home.config(), "{\"digest_cap_chars\": 9000}").unwrap();
    let inbox = root.join(".memory/inbox");
    for n in 0..5 {
        let text = format!("Decided {n}: we use port {n}000. {}", "word ".repeat(900));
        std::fs::write(inbox.join(format!("{n}.md")), text).unwrap();
    }
    let args = ["distill", "--curator", "builtin", "--all"];
    home.memd(&root).args(args).assert().success();
    let mut taken: Vec<Vec<String>> = staged(&home).into_iter().map(|p| p.notes).collect();
    taken.sort();
    assert_eq!(taken.len(), 3, "{taken:?}");
    assert_eq!(taken.concat(), ["0.md", "1.md", "2.md", "3.md", "4.md"]);
}

#[test]
fn other_writers_notes_are_read_and_secrets_in_them_reach_nobody() {
    let home = Home::new();
    let root = project(&home);
    let memory = root.join(".memory");
    let inbox = memory.join("inbox");
    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    // One publishes by rename, one by a link, one across the 4,000th character.
    let long = format!("{} {token} and the end says so", "x y ".repeat(990));
    for (name, text) in [("1.md", format!("use {token}")), ("2.txt", long)] {
        std::fs::write(memory.join(".staging"), text).unwrap();
        std::fs::rename(memory.join(".staging"), inbox.join(name)).unwrap();
    }
    std::fs::write(
        memory.join(".staging"),
        "---\nsource: mail\ntopic: ports\n---\n9000",
    )
    .unwrap();
    std::fs::hard_link(memory.join(".staging"), inbox.join("3.md")).unwrap();
    for name in [".4.md", "5.json", "6.md.tmp"] {
        std::fs::write(inbox.join(name), "not a note").unwrap();
    }
    distill(&home, &root);
    let staged = staged(&home);
    assert_eq!(staged[0].notes, ["1.md", "2.txt", "3.md"]);
    let all = serde_json::to_string(&staged).unwrap();
    assert!(
        !all.contains(&token) && !all.contains("not a note"),
        "{all}"
    );
    for name in [".4.md", "5.json", "6.md.tmp", "1.md", "2.txt", "3.md"] {
        assert!(inbox.join(name).exists(), "{name}");
    }
}

#[test]
fn note_takes_every_option_and_refuses_what_is_none() {
    let home = Home::new();
    let root = project(&home);
    let here = home.path();
    let inbox = root.join(".memory/inbox");
    let only = || {
        let item = std::fs::read_dir(&inbox).unwrap().map(Result::unwrap);
        let mut notes = item.filter(|i| i.file_name() != ".gitkeep");
        let path = notes.next().unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(notes.next().is_none());
        text
    };
    let project = root.to_str().unwrap();
    let note = |args: &[&str]| {
        let mut command = home.memd(&here);
        command.arg("note").args(args);
        command
    };
    note(&["-m", "use 9000", "--project", project])
        .assert()
        .success();
    assert_eq!(only(), "use 9000\n");
    let piped = note(&["-p", project, "--source", "my tool"])
        .write_stdin("two\nlines\n")
        .assert();
    piped.success();
    assert_eq!(only(), "<!-- source: my tool -->\ntwo\nlines\n");
    let long = "é".repeat(100_000);
    note(&["-p", project])
        .write_stdin(long.clone())
        .assert()
        .success();
    assert_eq!(only(), format!("{long}\n"));

    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    note(&["-p", project, "-m", &token]).assert().success();
    assert!(!only().contains(&token));

    for args in [
        &["-p", project, "-m", " \n "][..],
        &["-p", project, "-m", "x", "--source", "a --> b"],
        &["-p", project, "-m", "x", "--source", ""],
        &["-p", project, "-m", "x", "--source", &token],
        &["-p", project, "-m", "x", "--source", &"l".repeat(81)],
        &["-p", project, "--global", "-m", "x"],
    ] {
        note(args).assert().code(2);
    }
    note(&["-p", project]).write_stdin("").assert().code(2);
    note(&["-m", "x"]).assert().code(1);
    note(&["--global", "-m", "x"]).assert().code(1);
    let left = std::fs::read_dir(&inbox).unwrap().count();
    assert_eq!(left, 1, "nothing but .gitkeep");
}
