//! A secret that a person wrote into memory by hand: it is offered hidden, can be settled, and enters
//! no history.

use crate::attacks::scene::{Scene, add, both};
use crate::world::git;
use jiff::Timestamp;
use memd::redact::Redactor;
use serde_json::json;
use std::path::PathBuf;

fn secret() -> String {
    format!("Vq7wZk2m{}", "Xr9TtYbn")
}

/// One accepted entry.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.user("s", "The port is 8443.");
    scene.staged(&json!([add("state.md", "- The port is 8443.")]));
    scene.review(&["a"]);
    scene
}

fn state(scene: &Scene) -> PathBuf {
    scene.root.join(".memory/state.md")
}

fn text(scene: &Scene) -> String {
    std::fs::read_to_string(state(scene)).unwrap()
}

fn write(scene: &Scene, from: &str, to: &str) {
    let text = text(scene);
    assert!(text.contains(from), "{text}");
    std::fs::write(state(scene), text.replace(from, to)).unwrap();
}

/// Appends an entry with a secret.
fn write_secret(scene: &Scene) {
    let more = format!(
        "{}\n- The database: DB_PASSWORD={}\n",
        text(scene),
        secret()
    );
    std::fs::write(state(scene), more).unwrap();
}

#[track_caller]
fn history_is_clean(scene: &Scene) {
    let memory = scene.root.join(".memory");
    let all = git(&memory, &["log", "-p", "--all"]);
    assert!(!all.contains(&secret()), "{all}");
    let mut database = std::fs::read(scene.home.state().join("memd.db")).unwrap();
    database.extend(std::fs::read(scene.home.state().join("memd.db-wal")).unwrap_or_default());
    assert!(memchr::memmem::find(&database, secret().as_bytes()).is_none());
    let verify = scene.memd(&["verify"]);
    assert!(!both(&verify).contains("BROKEN"), "{verify:?}");
}

#[test]
fn it_is_offered_hidden_and_adopted_with_its_placeholder_in_the_file() {
    let scene = scene();
    write_secret(&scene);
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.wait_for("The database: DB_PASSWORD=[REDACTED:");
    terminal.wait_for("memd scan --history");
    terminal.answer("h");
    terminal.wait_for("assignment  by name");
    terminal.wait_for("Enter goes back: ");
    terminal.type_line("");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1");
    assert!(!terminal.text().contains(&secret()));
    assert_eq!(terminal.finish().0, 0);
    let text = text(&scene);
    assert!(
        text.contains("- The database: DB_PASSWORD=[REDACTED:"),
        "{text}"
    );
    assert!(!text.contains(&secret()) && text.contains("8443"), "{text}");
    assert!(scene.brief().contains("The database"), "{}", scene.brief());
    history_is_clean(&scene);
    assert!(scene.memd(&["verify"]).status.success());
    let again = both(&scene.memd(&["review"]));
    assert!(!again.contains("on disk"), "{again}");
}

#[test]
fn undecided_it_stays_out_of_history_and_of_the_brief_and_is_told_with_its_line() {
    let scene = scene();
    write_secret(&scene);
    assert!(!scene.brief().contains("database"), "{}", scene.brief());
    scene.user("t", "The host is web1.");
    scene.staged(&json!([add("state.md", "- The host is web1.")]));
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.wait_for("- The host is web1");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1");
    terminal.wait_for("state.md line ");
    terminal.wait_for("looks like a credential");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    assert!(text(&scene).contains(&secret()) && text(&scene).contains("web1"));
    let log = git(&scene.root.join(".memory"), &["log", "-p"]);
    assert!(log.contains("DB_PASSWORD=[REDACTED:"), "{log}");
    history_is_clean(&scene);
    let mut again = scene.terminal(&["review", "--plain"]);
    again.wait_for("DB_PASSWORD=[REDACTED:");
    again.answer("q");
    again.finish();
}

#[test]
fn rejected_it_leaves_its_file_and_history_keeps_its_placeholder() {
    let scene = scene();
    write_secret(&scene);
    scene.review(&["r"]);
    let text = text(&scene);
    assert!(
        !text.contains("DB_PASSWORD") && text.contains("8443"),
        "{text}"
    );
    let log = git(&scene.root.join(".memory"), &["log", "-p"]);
    assert!(log.contains("DB_PASSWORD=[REDACTED:"), "{log}");
    history_is_clean(&scene);
    assert!(scene.memd(&["verify"]).status.success());
    let again = both(&scene.memd(&["review"]));
    assert!(!again.contains("on disk"), "{again}");
    let log = scene.says(&["log"]);
    assert!(log.contains("1 restored or taken out"), "{log}");
    assert!(!log.contains("rejected"), "{log}");
}

#[test]
fn one_that_comes_again_beside_its_accepted_placeholder_goes_and_the_placeholder_stays() {
    let scene = scene();
    write_secret(&scene);
    scene.review(&["a"]);
    let placeholders = |n: usize| {
        let text = text(&scene);
        assert!(!text.contains(&secret()), "{text}");
        assert_eq!(text.matches("DB_PASSWORD=[REDACTED:").count(), n, "{text}");
        history_is_clean(&scene);
        assert!(scene.memd(&["verify"]).status.success());
        let again = both(&scene.memd(&["review"]));
        assert!(!again.contains("on disk"), "{again}");
    };
    placeholders(1);
    write_secret(&scene);
    scene.review(&["r"]);
    placeholders(1);
    write_secret(&scene);
    scene.review(&["a"]);
    placeholders(2);
    // In the place of one of two that were accepted.
    let of_two = text(&scene);
    let line = of_two.lines().find(|l| l.contains("DB_PASSWORD")).unwrap();
    for keys in [&["r"][..], &["a", "a"]] {
        std::fs::write(state(&scene), of_two.replacen(&format!("{line}\n"), "", 1)).unwrap();
        write_secret(&scene);
        scene.review(keys);
        placeholders(2);
    }
}

#[test]
fn what_moved_on_before_the_sheet_is_offered_anew_without_a_commit_of_nothing() {
    let scene = scene();
    write(&scene, "8443.\n", "8443.\n- The first.\n");
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.wait_for("The first.");
    terminal.answer("a");
    terminal.wait_for("1 accepted");
    write(&scene, "The first.", "Some other words.");
    terminal.answer("w");
    terminal.wait_for("since it no longer stands there as it was shown: The first.");
    terminal.wait_for("no commit");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 0");
    terminal.wait_for("Some other words.");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1");
    assert_eq!(terminal.finish().0, 0);
    let log = git(&scene.root.join(".memory"), &["log", "--format=%s"]);
    assert!(
        !log.contains("nothing") && log.contains(": 1 adopted"),
        "{log}"
    );
    assert!(scene.memd(&["verify"]).status.success());
}

#[test]
fn an_accepted_entry_that_was_given_one_is_put_back_as_it_was() {
    let scene = scene();
    let with = format!("The port is 8443, DB_PASSWORD={}", secret());
    write(&scene, "The port is 8443.", &with);
    scene.review(&["r"]);
    let text = text(&scene);
    assert!(text.contains("- The port is 8443.\n"), "{text}");
    assert!(!text.contains(&secret()), "{text}");
    assert!(scene.brief().contains("The port is 8443."));
    history_is_clean(&scene);
    assert!(scene.memd(&["verify"]).status.success());
}

#[test]
fn what_a_person_called_a_secret_is_settled_the_same_way() {
    let scene = scene();
    let (_, store, _) = scene.open();
    let trust = store.trust().unwrap();
    let redactor = || Redactor::new(&[], trust.redaction_key()).0;
    let value = redactor().also("kolibri-nest-klippe").unwrap();
    store
        .set_also_secret(&trust, &value, redactor(), Timestamp::now())
        .unwrap();
    write(
        &scene,
        "The port is 8443.",
        "The nest is kolibri-nest-klippe.",
    );
    scene.review(&["a", "a"]);
    let text = text(&scene);
    assert!(
        text.contains("- The nest is [REDACTED:also_secret#"),
        "{text}"
    );
    let log = git(&scene.root.join(".memory"), &["log", "-p"]);
    assert!(!log.contains("kolibri"), "{log}");
    assert!(scene.memd(&["verify"]).status.success());
}

#[test]
fn a_memory_that_is_taken_over_brings_none_into_its_first_commit() {
    let scene = Scene::bare("app");
    let memory = scene.root.join(".memory");
    std::fs::create_dir_all(&memory).unwrap();
    let text = format!("# State\n\n- The database: DB_PASSWORD={}\n", secret());
    std::fs::write(memory.join("state.md"), text).unwrap();
    let init = scene.memd(&["init"]);
    assert!(init.status.success(), "{init:?}");
    assert!(both(&init).contains("state.md line 3"), "{init:?}");
    history_is_clean(&scene);
    scene.review(&["a"]);
    let text = std::fs::read_to_string(memory.join("state.md")).unwrap();
    assert!(text.contains("DB_PASSWORD=[REDACTED:"), "{text}");
    history_is_clean(&scene);
}
