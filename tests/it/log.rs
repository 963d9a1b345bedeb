//! `memd log` and `memd show`, on a memory that has lived.

use crate::world::{World, add, archive, edit, git};
use memd::memory::MemoryFile::{State, Todo};
use memd::proposal::Decision;
use serde_json::Value;
use std::path::Path;

struct Lived {
    home: tempfile::TempDir,
    world: World,
    second: String,
    discarded: String,
}

/// Three entries accepted; one edited, one archived, one rejected; a proposal discarded.
fn lived() -> Lived {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let first = world.stage(vec![
        add(1, State, "Ports", "- api: 8080"),
        add(2, State, "Ports", "- web: 3000"),
        add(3, Todo, "", "- [ ] move the port"),
    ]);
    world.accept(&first, [1, 2, 3]);
    world.apply(&first);
    world.later(10);
    let second = world.stage(vec![
        edit(1, State, "Ports", "- api: 8080", "- api: 9090"),
        archive(2, Todo, "", "- [ ] move the port"),
        add(3, State, "Ports", "- admin: 9091"),
    ]);
    world.accept(&second, [1, 2]);
    world.decide(&second, 3, Decision::Rejected);
    world.apply(&second);
    world.later(10);
    let third = world.stage(vec![add(1, State, "", "- the moon is cheese")]);
    world
        .store
        .discard(&world.trust, &third, world.now)
        .unwrap();
    Lived {
        home,
        world,
        second: second.to_string(),
        discarded: third.to_string(),
    }
}

impl Lived {
    fn run(&self, cwd: &Path, args: &[&str]) -> std::process::Output {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear()
            .env("HOME", self.home.path().canonicalize().unwrap())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TZ", "UTC")
            .current_dir(cwd)
            .args(args);
        memd.output().unwrap()
    }

    fn says(&self, args: &[&str]) -> String {
        let done = self.run(&self.world.root, args);
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.says(args)).unwrap()
    }

    fn foreign(&self, subject: &str, from: &str, to: &str) -> String {
        let state = self.world.memory.join("state.md");
        let text = self.world.text("state.md");
        assert!(text.contains(from));
        std::fs::write(&state, text.replace(from, to)).unwrap();
        git(&self.world.memory, &["commit", "-qam", subject]);
        git(&self.world.memory, &["rev-parse", "HEAD"])
            .trim()
            .to_owned()
    }
}

#[test]
fn the_log_says_what_came_and_went_and_who_decided() {
    let lived = lived();
    let text = lived.says(&["log"]);
    let lines: Vec<&str> = text.lines().collect();
    let (second, discarded) = (&lived.second, &lived.discarded);
    let begins = [
        format!("2026-11-29 12:20  discard  {discarded}  1 rejected: "),
        format!("2026-11-29 12:10  apply    {second}  2 in, 1 rejected, +11 -30: "),
    ];
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(&begin), "{line}\n{begin}");
    }
    assert!(lines[1].ends_with("(manual, builtin)"), "{}", lines[1]);
    assert_eq!(lines.len(), 4);
    let json = lived.json(&["log", "--json", "-n", "2", "-p", "."]);
    assert_eq!(json.as_array().unwrap().len(), 2);
    let apply = &json[1];
    for (key, value) in [
        ("what", "apply"),
        ("who", "person"),
        ("trigger", "manual"),
        ("proposal", second.as_str()),
    ] {
        assert_eq!(apply[key], value, "{key}");
    }
    assert_eq!(
        (&apply["chars_added"], &apply["chars_removed"]),
        (&11.into(), &30.into())
    );
    assert!(
        lived
            .says(&["log", "-n", "0"])
            .starts_with("-n 0 asks for no event")
    );
    assert_eq!(lived.says(&["log", "-n", "0", "--json"]).trim(), "[]");
}

#[test]
fn a_commit_is_shown_whoever_made_it() {
    let lived = lived();
    let subject = "quiet\u{1b}[2J change";
    let commit = lived.foreign(subject, "- web: 3000", "- web: 1");
    let text = lived.says(&["show", &commit[..9]]);
    for part in [
        "without memd",
        "quiet<U+001B ESC>[2J change",
        "state.md › Ports  changed: web: 1",
        "- - web: [-3000-]",
        "+ - web: {+1+}",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('\u{1b}'));
    let json = lived.json(&["show", &commit, "--json"]);
    assert_eq!(json["event"]["what"], "commit");
    assert_eq!(json["changes"][0]["before"], "- web: 3000");
    // One that an apply made says what was decided.
    let made = git(&lived.world.memory, &["rev-parse", "HEAD~1"]);
    let text = lived.says(&["show", made.trim()]);
    for part in [
        "by a person",
        "state.md › Ports  changed: api: 9090",
        "todo.md  to the archive: move the port",
        "state.md › Ports  rejected, new: admin: 9091",
        "distill ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // From elsewhere, all projects are looked at; one can be named.
    let home = lived.home.path();
    assert!(lived.run(home, &["show", &commit]).status.success());
    let named = lived.run(home, &["show", &commit, "-p", "app"]);
    assert!(named.status.success());
    let none = lived.run(home, &["show", "ffffffffff"]);
    let said = String::from_utf8(none.stderr).unwrap();
    assert_eq!(none.status.code(), Some(1));
    assert!(said.contains("no proposal and no commit"), "{said}");
}

#[test]
fn what_was_discarded_can_still_be_read() {
    let lived = lived();
    let text = lived.says(&["show", &lived.discarded]);
    for part in [
        "state: discarded",
        "[r] new: the moon is cheese",
        "discard by a person",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = lived.json(&["show", &lived.discarded, "--json"]);
    assert_eq!(json["state"], "discarded");
    assert_eq!(json["events"][0]["what"], "discard");
    assert_eq!(json["open"]["1"]["text"], "- the moon is cheese");
    let json = lived.json(&["show", &lived.second, "--json"]);
    assert_eq!(json["events"][0]["commit"].as_str().unwrap().len(), 40);
}

#[test]
fn what_stands_on_disk_is_shown_without_its_secrets() {
    let lived = lived();
    let value = ["hunter2", "Xk9q"].concat();
    let commit = lived.foreign("by hand", "- web: 3000", &format!("- DB_PASSWORD={value}"));
    for args in [&["show", &commit][..], &["show", &commit, "--json"]] {
        let text = lived.says(args);
        assert!(
            text.contains("DB_PASSWORD=[REDACTED:") && !text.contains(&value),
            "{text}"
        );
    }
    let memory = memd::memory::Memory::read(&lived.world.memory).unwrap();
    let records = lived
        .world
        .store
        .all_records(&lived.world.trust, &lived.world.project.id);
    let (world, now) = (&lived.world, lived.world.now);
    let matched =
        memd::trust::match_entries(memory.entries(), &records.unwrap(), &world.trust, now);
    let id = memd::id::ProposalId::random().unwrap();
    let found = memd::apply::adopt::adopt(&world.project.id, id.clone(), &matched, now).unwrap();
    world.store.stage(&world.trust, &found, &[], now).unwrap();
    for args in [&["show", id.as_str()][..], &["show", id.as_str(), "--json"]] {
        let text = lived.says(args);
        assert!(
            text.contains("DB_PASSWORD=[REDACTED:") && !text.contains(&value),
            "{text}"
        );
    }
}

#[test]
fn a_broken_history_is_named_and_the_acts_are_told() {
    let lived = lived();
    std::fs::write(lived.world.memory.join(".git/HEAD"), "nonsense\n").unwrap();
    let done = lived.run(&lived.world.root, &["log"]);
    assert!(done.status.success());
    let (said, warned) = (
        String::from_utf8(done.stdout).unwrap(),
        String::from_utf8(done.stderr).unwrap(),
    );
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(warned.contains("commits are missing"), "{warned}");
}
