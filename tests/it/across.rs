//! What is read of one project from within another: on record first, or not at all.

use crate::seed::{Seed, addition};
use crate::support::Home;
use memd::id::ProposalId;
use memd::memory::MemoryFile;
use memd::trust::AuditRow;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Two projects, each with a fact of its own and a proposal that waits.
struct Two {
    home: Home,
    one: Seed,
    other: Seed,
    waits: ProposalId,
}

impl Two {
    fn new() -> Self {
        let home = Home::new();
        let seed = |name: &str| {
            let seed = Seed::new(&home, name);
            let fact = format!("- The harbour of {name} is deep.");
            seed.write(MemoryFile::State, &fact);
            seed.accept_all();
            seed
        };
        let (one, other) = (seed("one"), seed("other"));
        let text = "- The ferry of other is late.";
        let waits = other.stage(vec![addition(1, MemoryFile::State, text)]);
        Self {
            home,
            one,
            other,
            waits,
        }
    }

    /// Exit code and both streams.
    fn run(&self, cwd: &Path, args: &[&str]) -> (i32, String) {
        let run = self.home.memd(cwd).args(args).output().unwrap();
        let text = String::from_utf8([run.stdout, run.stderr].concat()).unwrap();
        (run.status.code().unwrap(), text)
    }

    /// The records that a command adds to the chain.
    fn adds(&self, act: impl FnOnce()) -> Vec<AuditRow> {
        let before = self.one.store.audit_rows().unwrap().len();
        act();
        self.one.store.audit_rows().unwrap().split_off(before)
    }

    /// A command by which something of the other project is read, each with a word that it shows.
    fn reading(&self) -> Vec<(&'static str, Vec<String>, &'static str)> {
        let at = self.other.root.to_str().unwrap();
        let args = |text: &str| {
            let id = self.waits.to_string();
            let words = text.split(' ').map(|word| match word {
                "AT" => at.to_owned(),
                "ID" => id.clone(),
                word => word.to_owned(),
            });
            words.collect::<Vec<_>>()
        };
        vec![
            ("brief", args("brief AT"), "harbour of other"),
            ("brief", args("brief -p AT"), "harbour of other"),
            ("history", args("history harbour -p AT"), "harbour of other"),
            ("show", args("show ID"), "ferry of other"),
            ("show", args("show ID --json"), "ferry of other"),
            ("log", args("log -p AT"), "adopt"),
            ("status", args("status -p AT"), "other"),
            ("digest", args("digest --project AT"), "nothing"),
            (
                "distill",
                args("distill --dry-run -p AT --curator builtin"),
                "nothing new",
            ),
            ("restore", args("restore The --at 00 -p AT"), ""),
            ("review", args("review --print -p AT"), "ferry of other"),
        ]
    }

    fn config(&self, config: &Value) {
        let path = self.home.config();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, config.to_string()).unwrap();
    }
}

fn of(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

#[test]
fn what_is_read_of_another_project_is_on_record_and_in_words() {
    let two = Two::new();
    for (command, args, shown) in two.reading() {
        let added = two.adds(|| {
            let (_, text) = two.run(&two.one.root, &of(&args));
            assert!(text.contains(shown), "{args:?}: {text}");
        });
        let read: Vec<_> = added.iter().filter(|row| row.act == "read").collect();
        assert_eq!(read.len(), 1, "{args:?}: {added:?}");
        assert_eq!(read[0].project, two.other.project.id.as_str());
        let details: Value = serde_json::from_str(&read[0].details).unwrap();
        let from = two.one.project.id.as_str();
        assert_eq!(details, json!({ "command": command, "from": from }));
    }
    let (code, text) = two.run(
        &two.one.root,
        &["audit", "-p", two.other.root.to_str().unwrap()],
    );
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("read            other  read from within one, by memd brief\n"),
        "{text}"
    );
}

#[test]
fn what_is_read_at_home_or_from_no_project_leaves_no_record() {
    let two = Two::new();
    let below = two.home.folder("other/src");
    let nowhere = two.home.folder("nowhere");
    for cwd in [&two.other.root, &below, &nowhere, &two.home.path()] {
        for (_, args, shown) in two.reading() {
            let added = two.adds(|| {
                let (_, text) = two.run(cwd, &of(&args));
                assert!(text.contains(shown), "{args:?}: {text}");
            });
            assert!(
                added.iter().all(|row| row.act != "read"),
                "{args:?}: {added:?}"
            );
        }
    }
}

#[test]
fn a_repository_without_a_memory_and_a_folder_kept_away_from_are_readers_too() {
    let two = Two::new();
    let repository = two.home.folder("repository");
    crate::world::git(&repository, &["init", "-q"]);
    let away = two.home.folder("away");
    two.config(&json!({ "exclude": [away] }));
    for cwd in [&repository, &away] {
        let added = two.adds(|| {
            let (code, text) = two.run(cwd, &["brief", two.other.root.to_str().unwrap()]);
            assert!(code == 0 && text.contains("harbour of other"), "{text}");
        });
        let details: Value = serde_json::from_str(&added[0].details).unwrap();
        assert_eq!(details, json!({ "command": "brief", "folder": cwd }));
    }
    let (_, text) = two.run(&two.other.root, &["audit"]);
    let words = format!("read from within {repository:?}, by memd brief");
    assert!(text.contains(&words), "{text}");
}

#[test]
fn what_cannot_be_put_on_record_is_not_read() {
    let two = Two::new();
    let database = rusqlite::Connection::open(two.one.store.path()).unwrap();
    let forged = "UPDATE meta SET value = replace(value, ' ', ' 0') WHERE name = 'audit'";
    assert_eq!(database.execute(forged, []).unwrap(), 1);
    for (_, args, _) in two.reading() {
        let (code, text) = two.run(&two.one.root, &of(&args));
        assert_eq!(code, 1, "{args:?}: {text}");
        for said in [
            "the memory of other was not read",
            "be put on record",
            "audit chain",
        ] {
            assert!(text.contains(said), "{args:?}: {text}");
        }
        assert!(
            !text.contains("harbour") && !text.contains("ferry"),
            "{text}"
        );
    }
    // Both ways.
    let (code, text) = two.run(
        &two.other.root,
        &["log", "-p", two.one.root.to_str().unwrap()],
    );
    assert!(
        code == 1 && text.contains("the memory of one was not read"),
        "{text}"
    );
    let (code, text) = two.run(&two.other.root, &["log"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_setting_keeps_projects_apart_and_the_refusal_is_on_record() {
    let two = Two::new();
    two.config(&json!({ "read_across_projects": false }));
    for (command, args, _) in two.reading() {
        let added = two.adds(|| {
            let (code, text) = two.run(&two.one.root, &of(&args));
            assert_eq!(code, 1, "{args:?}: {text}");
            assert!(text.contains("read_across_projects"), "{args:?}: {text}");
            assert!(
                !text.contains("harbour") && !text.contains("ferry"),
                "{text}"
            );
        });
        assert_eq!(added.len(), 1, "{args:?}: {added:?}");
        assert_eq!(added[0].act, "refuse");
        assert!(added[0].details.contains(command), "{added:?}");
    }
    let (code, text) = two.run(&two.other.root, &["brief"]);
    assert!(code == 0 && text.contains("harbour of other"), "{text}");
}

#[test]
fn a_hook_that_is_called_from_another_project_is_a_reader() {
    let two = Two::new();
    let given = |cwd: &Path, session: &PathBuf| {
        let payload = json!({ "cwd": session, "hook_event_name": "SessionStart" });
        let mut memd = two.home.memd(cwd);
        memd.args(["hook", "session-start"]);
        let run = memd.write_stdin(payload.to_string()).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let added = two.adds(|| {
        assert!(given(&two.other.root, &two.other.root).contains("harbour of other"));
        assert!(given(&two.home.path(), &two.other.root).contains("harbour of other"));
    });
    assert!(added.is_empty(), "{added:?}");
    let added = two.adds(|| {
        assert!(given(&two.one.root, &two.other.root).contains("harbour of other"));
    });
    assert!(added[0].details.contains("hook session-start"), "{added:?}");
    two.config(&json!({ "read_across_projects": false }));
    let told = given(&two.one.root, &two.other.root);
    assert!(
        told.contains("was not read") && !told.contains("harbour"),
        "{told}"
    );
}

#[test]
fn status_of_all_projects_shows_no_word_of_another_ones_memory() {
    let home = Home::new();
    let mut world = crate::world::World::at(&home.path());
    let one = Seed::new(&home, "one");
    let id = world.stage(vec![crate::world::add(1, MemoryFile::State, "", "- x: 1")]);
    world.accept(&id, [1]);
    world.apply(&id);
    world.later(1);
    drop(one);
    let said = |cwd: &Path| {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear().env("HOME", home.path());
        memd.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        memd.current_dir(cwd).args(["status", "--json"]);
        String::from_utf8(memd.output().unwrap().stdout).unwrap()
    };
    assert!(said(&world.root).contains("what happened"));
    assert!(said(&home.path()).contains("what happened"));
    let elsewhere = home.folder("elsewhere");
    crate::world::git(&elsewhere, &["init", "-q"]);
    let text = said(&elsewhere);
    assert!(
        text.contains("\"app\"") && !text.contains("what happened"),
        "{text}"
    );
}
