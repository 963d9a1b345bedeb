//! Going back on entries of high impact: each is decided by itself, whatever takes the rest along.

use super::shelf::leave;
use crate::attacks::scene::{Scene, add};
use crate::screen::Screen;
use serde_json::json;

const DEPLOY: &str = "The service deploys from main.";
const PASSWORD: &str = "Passwords hold 20 characters.";
const LISTS: &str = "Lists are sorted by date.";

/// A project in which these three were accepted with one distill and left for the archive with the
/// next, whose proposal it gives too.
fn archived() -> (Scene, String) {
    let scene = Scene::new();
    scene.user("s", &format!("{DEPLOY} {PASSWORD} {LISTS}"));
    let texts = [DEPLOY, PASSWORD, LISTS];
    let changes = texts.map(|text| add("state.md", &format!("- {text}")));
    scene.staged(&json!(changes));
    scene.review(&["a", "a", "a"]);
    let (_, store, project) = scene.open();
    let records = store.records(&store.trust().unwrap(), &project.id).unwrap();
    scene.user("s", &format!("No longer true: {DEPLOY} {PASSWORD} {LISTS}"));
    let gone = |text: &&str| {
        let record = records.iter().find(|r| r.text.contains(text)).unwrap();
        json!({"op": "archive", "entry": record.entry, "reason": "no longer true", "evidence": [1]})
    };
    let changes: Vec<_> = texts.iter().map(gone).collect();
    let proposal = scene.staged(&json!(changes));
    // A flagged one is accepted by a second `a`.
    scene.review(&["a", "a", "a", "a", "a"]);
    assert!(!scene.brief().contains("Lists"), "{}", scene.brief());
    (scene, proposal["id"].as_str().unwrap().to_owned())
}

/// Which of the three agents are given.
fn given(scene: &Scene) -> [bool; 3] {
    let brief = scene.brief();
    [DEPLOY, PASSWORD, LISTS].map(|text| brief.contains(text))
}

#[test]
fn a_y_on_a_reverse_takes_no_entry_of_high_impact_along() {
    let (scene, id) = archived();
    let mut screen = Screen::memd(&scene.home, &scene.root, &["revert", &id])
        .size(100, 40)
        .start();
    screen.wait_for("1 in   2 to decide");
    screen.wait_for("it brings back an entry about \"deploy\"");
    screen.wait_for("it brings back an entry about \"password\"");
    screen.wait_for("y apply");
    screen.press_for("y", "applied 1, rejected 0, 2 left");
    assert_eq!(given(&scene), [false, false, true]);
    screen.press("1");
    screen.wait_for("apply 0 of 2");
    screen.wait_ready();
    screen.press_for("A", "nothing to accept all of: 2 changes flagged");
    screen.press_for("a", "apply 1 of 2");
    screen.press_for("a", "apply 2 of 2");
    screen.press_for("w", "2 accepted over a warning");
    screen.wait_for("y apply");
    screen.press_for("y", "applied 2");
    leave(screen);
    assert_eq!(given(&scene), [true; 3]);
}

#[test]
fn in_lines_all_of_a_revert_is_accepted_but_what_is_of_high_impact_and_both_are_counted() {
    let (scene, id) = archived();
    scene.says(&["revert", &id]);
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("A");
    terminal.wait_for("accept 1 change, as shown above?");
    terminal.wait_for("go back: ");
    terminal.type_line("y");
    terminal.wait_for("1 change accepted; 2 flagged and passed over: ");
    terminal.wait_for("?] ");
    let text = terminal.text();
    for of in [DEPLOY, PASSWORD].map(|text| format!("{text} (high-impact)")) {
        let times = text.matches(&of).count();
        assert_eq!(times, 2, "asked and told of {of}: {text}");
    }
    terminal.type_line("w");
    terminal.wait_for("2 undecided");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1, rejected 0, 2 left");
    terminal.kill();
    assert_eq!(given(&scene), [false, false, true]);
}

#[test]
fn a_restore_brings_no_two_entries_of_high_impact_back_with_one_key() {
    let (scene, _) = archived();
    let repo = memd::git::Repo::open(&scene.root.join(".memory")).unwrap();
    let before = repo.log(2).unwrap()[1].id.clone();
    scene.says(&["restore", "state.md", "--at", &before]);
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("A");
    terminal.wait_for("accept 1 change, as shown above?");
    terminal.wait_for("go back: ");
    terminal.type_line("y");
    terminal.wait_for("2 flagged and passed over");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1, rejected 0, 2 left");
    terminal.kill();
    assert_eq!(given(&scene), [false, false, true]);
}
