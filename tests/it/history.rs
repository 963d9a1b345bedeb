//! `memd history`: one entry as a graph.

use crate::world::{World, add, archive, edit};
use memd::memory::MemoryFile::{State, Todo};
use memd::proposal::Decision;
use serde_json::Value;

fn run(world: &World, args: &[&str]) -> std::process::Output {
    let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
    memd.env_clear()
        .env("HOME", &world.places.home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("TZ", "UTC")
        .current_dir(&world.root)
        .arg("history")
        .args(args);
    memd.output().unwrap()
}

fn says(world: &World, args: &[&str]) -> String {
    let done = run(world, args);
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// Accepted, edited, put back; one edit rejected, one given up to its age, one that waits.
fn lived(world: &mut World) {
    let first = world.stage(vec![add(1, State, "Ports", "- api: 8080")]);
    world.accept(&first, [1]);
    world.apply(&first);
    world.later(1);
    let second = world.stage(vec![edit(1, State, "Ports", "- api: 8080", "- api: 9090")]);
    world.accept(&second, [1]);
    world.apply(&second);
    world.later(1);
    let third = world.stage(vec![edit(1, State, "Ports", "- api: 9090", "- api: 9191")]);
    world.decide(&third, 1, Decision::Rejected);
    world.apply(&third);
    world.later(1);
    let back = world.reverse(&second);
    world.take(&back);
    world.later(1);
    world.stage(vec![edit(1, State, "Ports", "- api: 8080", "- api: 7070")]);
}

#[test]
fn versions_are_one_line_and_what_was_not_taken_branches_off() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    lived(&mut world);
    let graph: Value = serde_json::from_str(&says(&world, &["api: 8080", "--json"])).unwrap();
    let of = |at: &str, key: &str| {
        let all = graph[at].as_array().unwrap().iter();
        all.map(|v| v[key].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of("versions", "version"), ["3", "2", "1"]);
    assert_eq!(
        of("versions", "what"),
        [r#""put-back""#, r#""edited""#, r#""accepted""#]
    );
    assert_eq!(
        of("versions", "again"),
        ["1", "null", "null"],
        "the circle is closed"
    );
    assert_eq!(of("branches", "end"), [r#""waits""#, r#""rejected""#]);
    assert_eq!(of("branches", "of"), ["3", "2"]);
    assert_eq!(
        of("branches", "text"),
        [r#""- api: 7070""#, r#""- api: 9191""#]
    );
    let id = graph["entry"].as_str().unwrap();
    assert_eq!(says(&world, &[&id[..6]]), says(&world, &["api: 8080"]));
}

#[test]
fn a_person_reads_the_graph_from_the_newest_down() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    lived(&mut world);
    let text = says(&world, &["api: 8080"]);
    let places = [
        "state.md › Ports, entry ",
        ": it stands",
        "  an edit: waits for a decision",
        "* version 3 ",
        "put back as before, the text of version 1 again",
        "| * 20",
        "  an edit: rejected",
        "[-9090-]",
        "{+9191+}",
        "|/",
        "* version 2 ",
        "* version 1 ",
        "origin ",
    ];
    let mut at = 0;
    for place in places {
        let found = text[at..].find(place);
        at += found.unwrap_or_else(|| panic!("no {place:?} after byte {at} of\n{text}"));
    }
}

fn offer(world: &World) -> memd::id::ProposalId {
    let budgets = &world.settings.limits;
    let offered =
        memd::apply::adopt::offer(world.ground(), &world.lock(), budgets, &|_| Vec::new());
    offered.unwrap().unwrap().0
}

#[test]
fn what_became_of_an_offer_of_what_stood_on_disk_has_the_word_of_the_act() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let first = world.stage(vec![add(1, State, "Ports", "- api: 8080")]);
    world.accept(&first, [1]);
    world.apply(&first);
    let write = |world: &World, text: &str| {
        let before = world.text("state.md");
        let line = before.lines().find(|l| l.starts_with("- api")).unwrap();
        let after = before.replace(line, text);
        std::fs::write(world.memory.join("state.md"), after).unwrap();
    };
    let mut offers = Vec::new();
    for port in ["1111", "2222", "3333"] {
        world.later(1);
        write(&world, &format!("- api: {port}"));
        offers.push(offer(&world));
    }
    // The last one is discarded and offered again; then a person says no.
    world
        .store
        .discard(&world.trust, &offers[2], world.now)
        .unwrap();
    world.later(1);
    let last = offer(&world);
    world.decide(&last, 1, Decision::Rejected);
    world.apply(&last);
    // A reverse that was looked at and left.
    world.later(1);
    let left = world.reverse(&first).id.unwrap();
    world
        .store
        .return_(&world.trust, &left, "", world.now)
        .unwrap();
    let text = says(&world, &["api: 8080"]);
    let words = |word: &str| text.matches(word).count();
    assert_eq!(words(": replaced by a newer look"), 2, "{text}");
    assert_eq!(words(": left undecided"), 2, "{text}");
    assert_eq!(words("changed on disk: put back"), 1, "{text}");
    assert_eq!(words("given back") + words("rejected"), 0, "{text}");
}

#[test]
fn what_is_archived_has_a_history_and_what_is_unknown_none() {
    let home = tempfile::tempdir().unwrap();
    let world = World::at(home.path());
    let first = world.stage(vec![add(1, Todo, "", "- [ ] ship the moon")]);
    world.accept(&first, [1]);
    world.apply(&first);
    let second = world.stage(vec![archive(1, Todo, "", "- [ ] ship the moon")]);
    world.accept(&second, [1]);
    world.apply(&second);
    let text = says(&world, &["the moon"]);
    assert!(text.contains(": it is in the archive"), "{text}");
    assert!(text.contains("archived"), "{text}");
    let done = run(&world, &["no such words"]);
    assert_eq!(done.status.code(), Some(1));
    let error = String::from_utf8(done.stderr).unwrap();
    assert!(error.contains("no entry of "), "{error}");
}

#[test]
fn what_was_changed_since_is_marked_and_a_missing_version_gives_no_graph() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    lived(&mut world);
    let db = rusqlite::Connection::open(world.places.database()).unwrap();
    let changed = db
        .execute(
            "UPDATE proposals SET body = replace(body, '9191', '6666')",
            [],
        )
        .unwrap();
    assert!(changed > 0);
    let text = says(&world, &["api: 8080"]);
    assert!(text.contains("do not verify: memd verify"), "{text}");
    assert!(!text.contains("6666"), "{text}");
    let attack = "DROP TRIGGER records_no_update;
                  UPDATE records SET text = '- api: 1' WHERE version = 1";
    db.execute_batch(attack).unwrap();
    let text = says(&world, &["api: 8080"]);
    assert_eq!(text.matches("its seal does not hold").count(), 1, "{text}");
    db.execute_batch("DROP TRIGGER records_no_delete; DELETE FROM records WHERE version = 2")
        .unwrap();
    let done = run(&world, &["api: 8080"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(done.stdout.is_empty());
}

#[test]
fn a_newest_version_that_the_file_does_not_hold_is_marked_and_leads_to_the_review() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    lived(&mut world);
    let id = world.entry("- api: 8080").to_string();
    let accepted = world.text("state.md");
    let on_disk = || -> Value {
        let graph: Value = serde_json::from_str(&says(&world, &[&id, "--json"])).unwrap();
        graph["on_disk"].clone()
    };
    assert_eq!(on_disk(), serde_json::json!({ "is": "as-recorded" }));
    assert!(!says(&world, &[&id]).contains("on disk"));
    let twice = "- api: 8080\n- api: 8080";
    let cases = [
        ("changed", accepted.replace("8080", "6666"), "it reads"),
        ("gone", accepted.replace("- api: 8080\n", ""), "it is gone"),
        (
            "moved",
            accepted.replace("## Ports", "## Other"),
            "elsewhere",
        ),
        (
            "doubled",
            accepted.replace("- api: 8080", twice),
            "more than once",
        ),
        (
            "rolled-back",
            accepted.replace("8080", "9090"),
            "an older version",
        ),
    ];
    for (is, text, said) in cases {
        assert_ne!(text, accepted, "{is}");
        std::fs::write(world.memory.join("state.md"), &text).unwrap();
        let stand = on_disk();
        assert_eq!(stand["is"], is, "{stand}");
        let next = stand["next"].as_str().unwrap_or_default();
        assert!(next.contains("`memd review`"), "{is}: {stand}");
        let text = says(&world, &[&id]);
        assert!(!text.contains(": it stands\n"), "{is}: {text}");
        let mark = text.find("the file says otherwise since").unwrap();
        assert!(mark < text.find("* version 3").unwrap(), "{is}: {text}");
        assert!(
            text.contains(said) && text.contains("memd review"),
            "{text}"
        );
    }
    std::fs::write(world.memory.join("state.md"), b"\xff").unwrap();
    assert_eq!(on_disk()["is"], "unknown");
}

#[test]
fn an_archived_entry_that_is_back_in_its_file_is_told() {
    let home = tempfile::tempdir().unwrap();
    let world = World::at(home.path());
    let first = world.stage(vec![add(1, Todo, "", "- [ ] ship the moon")]);
    world.accept(&first, [1]);
    world.apply(&first);
    let stood = world.text("todo.md");
    let second = world.stage(vec![archive(1, Todo, "", "- [ ] ship the moon")]);
    world.accept(&second, [1]);
    world.apply(&second);
    std::fs::write(world.memory.join("todo.md"), stood).unwrap();
    let graph: Value = serde_json::from_str(&says(&world, &["the moon", "--json"])).unwrap();
    assert_eq!(graph["on_disk"]["is"], "came-back", "{graph}");
}
