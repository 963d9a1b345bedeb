//! Memory, the archive and the log on a terminal: looked at, acted on, and what stands afterwards.

use crate::attacks::scene::{Scene, add, both};
use crate::screen::Screen;
use crate::world::git;
use serde_json::{Value, json};
use std::path::Path;

/// A project in which these texts were distilled and accepted, one after the other.
pub fn accepted(texts: &[&str]) -> Scene {
    let scene = Scene::new();
    for (n, text) in texts.iter().enumerate() {
        scene.user("s", &format!("{text} And that is decision {n}."));
        let changes = json!([add("state.md", &format!("- {text}"))]);
        scene.staged(&changes);
        scene.review(&["a"]);
    }
    scene
}

/// A screen on a project in which nothing waits.
fn open(scene: &Scene) -> Screen {
    open_with(scene, "false")
}

pub fn open_with(scene: &Scene, editor: &str) -> Screen {
    let start = Screen::memd(&scene.home, &scene.root, &[]);
    let mut screen = start.env("EDITOR", editor).start();
    screen.wait_for("Nothing to review.");
    screen
}

pub fn leave(mut screen: Screen) -> String {
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
    screen.text()
}

fn commits(scene: &Scene) -> usize {
    git(&scene.root.join(".memory"), &["log", "--format=%s"])
        .lines()
        .count()
}

fn text(scene: &Scene, file: &str) -> String {
    std::fs::read_to_string(scene.root.join(".memory").join(file)).unwrap()
}

fn archived(scene: &Scene) -> String {
    let dir = scene.root.join(".memory/archive");
    let files = std::fs::read_dir(dir).unwrap();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    files.map(|f| read(&f.unwrap().path())).collect()
}

/// `memd verify` is content, and nothing waits.
#[track_caller]
fn is_sound(scene: &Scene) {
    let verify = scene.memd(&["verify"]);
    assert!(verify.status.success(), "{verify:?}");
}

pub const PORT: &str = "The API listens on port 8443.";
const RETRY: &str = "Retries stay at three.";

/// The project's log as data.
fn log(scene: &Scene) -> Vec<Value> {
    serde_json::from_str(&scene.says(&["log", "--json"])).unwrap()
}

/// Accepts what is open and applies it.
#[track_caller]
fn decide(screen: &mut Screen) {
    screen.wait_ready();
    screen.press_for("a", "[a]");
    screen.press_for("w", "Apply this proposal?");
    screen.wait_for("y apply");
    screen.press("y");
    screen.wait_for("applied 1");
}

#[test]
fn from_an_accepted_line_two_enters_lead_to_its_session() {
    let scene = accepted(&[PORT]);
    let mut screen = open(&scene);
    screen.press_for("2", "C confirm");
    screen.wait_for(PORT);
    screen.press_for("Enter", "distill");
    screen.wait_for("session s");
    screen.press_for("Enter", "this is what is cited");
    screen.wait_for("And that is decision 0.");
    screen.press("Esc");
    screen.wait_for("[basis]");
    leave(screen);
}

#[test]
fn a_confirmation_is_counted_and_dated_and_asks_first() {
    let scene = accepted(&[PORT]);
    let before = log(&scene).len();
    let mut screen = open(&scene);
    screen.press_for("2", "C confirm");
    screen.press_for("C", "Is this still true?");
    screen.press("Esc");
    screen.wait_for("nothing was done");
    assert_eq!(log(&scene).len(), before);
    screen.press_for("C", "Is this still true?");
    screen.press("Enter");
    screen.quiet();
    screen.press("y");
    screen.wait_for("confirmed 1x");
    let said = leave(screen);
    assert!(said.contains("confirmed, 1 time by now"), "{said}");
    assert_eq!(log(&scene)[0]["what"], "confirm");
    is_sound(&scene);
}

#[test]
fn an_entry_goes_to_the_archive_and_comes_back_each_decided_in_the_review() {
    let scene = accepted(&[PORT, RETRY]);
    let before = commits(&scene);
    let mut screen = open(&scene);
    screen.press_for("2", "m archive");
    screen.press_for("m", "Why does this go to the archive?");
    screen.send("not any more");
    screen.press("Enter");
    screen.wait_for("staged as your own change");
    assert!(text(&scene, "state.md").contains(PORT), "only staged");
    decide(&mut screen);
    assert!(!text(&scene, "state.md").contains(PORT));
    assert!(archived(&scene).contains(PORT) && archived(&scene).contains("not any more"));
    assert!(!scene.brief().contains(PORT) && scene.brief().contains(RETRY));
    is_sound(&scene);
    screen.press_for("3", "not any more");
    screen.wait_for("b bring back");
    screen.press("b");
    screen.wait_for("staged as your own change");
    decide(&mut screen);
    leave(screen);
    assert!(text(&scene, "state.md").contains(PORT));
    assert!(scene.brief().contains(PORT));
    assert_eq!(commits(&scene), before + 2);
    is_sound(&scene);
}

#[test]
fn an_entry_is_taken_back_and_edited_as_one_s_own_change() {
    let scene = accepted(&[PORT, RETRY]);
    let script = scene.home.path().join("editor.sh");
    std::fs::write(&script, "printf -- '- Retries stay at four.' > \"$1\"\n").unwrap();
    let mut screen = open_with(&scene, &format!("sh {}", script.display()));
    screen.press_for("2", "X tombstone");
    screen.press_for("X", "Why is this taken back?");
    screen.send("it was a lie");
    screen.press("Enter");
    screen.wait_for("staged as your own change");
    decide(&mut screen);
    assert!(!scene.brief().contains(PORT));
    is_sound(&scene);
    screen.press_for("2", "/ search");
    screen.press("/");
    screen.send("retries");
    screen.press("Enter");
    screen.wait_for("match 1 of");
    screen.wait_for("e edit");
    screen.press("e");
    screen.wait_for("staged as your own change");
    decide(&mut screen);
    leave(screen);
    assert!(text(&scene, "state.md").contains("- Retries stay at four."));
    assert!(scene.brief().contains("Retries stay at four."));
    is_sound(&scene);
}

#[test]
fn an_old_distill_is_taken_back_as_one_commit_and_the_later_one_stays() {
    let scene = accepted(&[PORT, RETRY]);
    let before = commits(&scene);
    let mut screen = open(&scene);
    screen.press_for("4", "v revert");
    screen.press("j");
    screen.wait_until("the older one", |s| s.row(3).starts_with('▌'));
    screen.press("v");
    screen.wait_for("revert of");
    screen.wait_for(PORT);
    assert_eq!(commits(&scene), before, "only staged");
    screen.press("y");
    screen.wait_for("applied 1");
    let said = leave(screen);
    assert!(
        said.contains("applied 1, rejected 0, 0 left (app"),
        "{said}"
    );
    assert_eq!(commits(&scene), before + 1);
    assert!(!text(&scene, "state.md").contains(PORT));
    assert!(text(&scene, "state.md").contains(RETRY));
    assert!(!scene.brief().contains(PORT) && scene.brief().contains(RETRY));
    assert_eq!(log(&scene)[0]["what"], "revert");
    is_sound(&scene);
}

#[test]
fn a_revert_that_is_left_leaves_nothing() {
    let scene = accepted(&[PORT]);
    let (before, events) = (commits(&scene), log(&scene).len());
    let mut screen = open(&scene);
    screen.press_for("4", "v revert");
    screen.press_for("v", "revert of");
    screen.press("Esc");
    screen.wait_for("nothing was done");
    screen.press_for("v", "revert of");
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
    assert_eq!((commits(&scene), log(&scene).len()), (before, events));
    let list = scene.says(&["review"]);
    assert!(list.contains("nothing to review"), "{list}");
    is_sound(&scene);
}

#[test]
fn a_later_edit_is_a_conflict_that_is_left_to_be_decided() {
    let scene = accepted(&[PORT]);
    let first = log(&scene)[0]["proposal"].as_str().unwrap().to_owned();
    scene.user("s", "The API listens on port 9090.");
    let (_, store, project) = scene.open();
    let id = &store.records(&store.trust().unwrap(), &project.id).unwrap()[0].entry;
    let later = "- The API listens on port 9090.";
    scene.staged(&json!([{"op": "edit", "entry": id, "text": later, "evidence": [1]}]));
    scene.review(&["a"]);
    let before = commits(&scene);
    let start = Screen::memd(&scene.home, &scene.root, &["revert", &first]);
    let mut screen = start.start();
    screen.wait_for("CONFLICT");
    screen.wait_for("0 in   1 to decide");
    screen.wait_for("y to Review");
    screen.press("y");
    screen.wait_for("[1 Review 1]");
    screen.wait_ready();
    leave(screen);
    assert_eq!(commits(&scene), before);
    assert!(text(&scene, "state.md").contains("9090"), "not forced");
    is_sound(&scene);
}

#[test]
fn revert_by_its_command_is_shown_and_applied() {
    let scene = accepted(&[PORT]);
    let id = log(&scene)[0]["proposal"].as_str().unwrap().to_owned();
    let mut screen = Screen::memd(&scene.home, &scene.root, &["revert", &id]).start();
    screen.wait_for("revert of");
    screen.wait_for("y apply");
    screen.press("y");
    screen.wait_for("applied 1");
    let said = leave(screen);
    assert!(said.contains("applied 1"), "{said}");
    assert!(!text(&scene, "state.md").contains(PORT));
    is_sound(&scene);
}

#[test]
fn months_of_an_archive_are_searched_from_the_newest_on_and_around() {
    let scene = accepted(&[PORT]);
    let dir = scene.root.join(".memory/archive");
    for month in 0..24 {
        let name = format!("{}-{:02}.md", 2024 + month / 12, month % 12 + 1);
        let mut text = String::new();
        for n in 0..900 {
            text.push_str(&format!(
                "\n### Piece {n} of {name}\n\n{}\n",
                "Nothing much was said about it, and it was moved. ".repeat(4)
            ));
        }
        if month == 3 || month == 20 {
            text.push_str("\n### The needle\n\nA needle in the hay.\n");
        }
        std::fs::write(dir.join(name), text).unwrap();
    }
    let mut screen = open(&scene);
    screen.press_for("3", "2025-12");
    screen.press("/");
    screen.send("a needle in");
    screen.press("Enter");
    screen.wait_for("A needle in the hay.");
    screen.wait_for("hit 1 of 2");
    screen.wait_gone("so far");
    screen.press("n");
    screen.wait_for("hit 2 of 2");
    screen.press_for("n", "hit 1 of 2");
    screen.press_for("N", "hit 2 of 2");
    screen.press("Esc");
    screen.press_for("n", "nothing was searched for");
    leave(screen);
    let said = both(&scene.memd(&["verify"]));
    let told = "text in the archive that memd did not put there (24)";
    assert!(
        said.starts_with(told) && said.contains("24 breaks found"),
        "{said}"
    );
}

#[test]
fn a_line_of_the_review_opens_its_session_and_a_hidden_value_can_be_called_no_secret() {
    let scene = Scene::new();
    let token = format!("gh{}_{}", "p", "9aB4cD7eF1gH6iJ2kL8mN3oP5qR0sT4uV6wX");
    scene.user("s", &format!("{PORT} The token is {token} for now."));
    scene.staged(&json!([add("state.md", &format!("- {PORT}"))]));
    let start = Screen::memd(&scene.home, &scene.root, &["review"]);
    let mut screen = start.size(100, 36).start();
    screen.wait_ready();
    screen.press_for("Enter", "origin user");
    screen.press_for("Enter", "this is what is cited");
    screen.wait_for("for now.");
    assert!(!screen.shows(&token), "{}", screen.text());
    screen.press("Esc");
    screen.wait_ready();
    screen.press("t");
    screen.press("t");
    screen.press_for("t", "Enter lists its places");
    screen.press_for("Enter", "jsonl");
    screen.press("j");
    screen.press_for("Enter", "this is what is cited");
    screen.wait_for("[REDACTED:github_pat#");
    screen.press("Esc");
    screen.wait_ready();
    screen.press("k");
    screen.press_for("!", "Is this value no secret?");
    screen.press("Esc");
    screen.wait_for("nothing was done");
    screen.press_for("!", "y yes");
    screen.press("y");
    screen.wait_for("not a secret");
    leave(screen);
    let audit = scene.open().1.audit_rows().unwrap();
    assert_eq!(audit.iter().filter(|r| r.act == "not-secret").count(), 1);
    is_sound(&scene);
}
