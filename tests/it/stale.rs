//! What a person decides holds for what they were shown: what was changed elsewhere meanwhile is
//! refused, shown anew, and decided again; nothing that was typed is lost.

use crate::attacks::scene::{Scene, add};
use crate::screen::Screen;
use crate::terminal::Terminal;
use jiff::Timestamp;
use memd::redact::Redactor;
use memd::store::Rewritten;
use serde_json::json;

/// Nothing that a rule would find.
const SECRET: &str = "kolibri-nest-klippe";
const SAID: &str = "The nest is kolibri-nest-klippe.";
const AFRESH: &str = "decide afresh";

fn staged() -> Scene {
    let scene = Scene::new();
    scene.user("s", SAID);
    scene.user("s", "The port is 8443.");
    let port = json!({"op": "add", "file": "state.md", "section": "Now", "text": "- The port is 8443.", "evidence": [2]});
    scene.staged(&json!([add("state.md", &format!("- {SAID}")), port]));
    scene
}

/// Another review calls it a secret.
fn say(scene: &Scene, secret: &str) -> Rewritten {
    let (_, store, _) = scene.open();
    let trust = store.trust().unwrap();
    let redactor = Redactor::new(&[], trust.redaction_key()).0;
    let value = redactor.also(secret).unwrap();
    let said = store.set_also_secret(&trust, &value, redactor, Timestamp::now());
    said.unwrap()
}

fn lines(scene: &Scene, editor: &str) -> Terminal {
    let env = [("NO_COLOR", "1"), ("EDITOR", editor)];
    let mut terminal = Terminal::start(&scene.home, &scene.root, &["review", "--plain"], &env);
    terminal.wait_for("change 1 of 2");
    terminal
}

#[track_caller]
fn memory_is_clean(scene: &Scene) {
    let state = std::fs::read_to_string(scene.root.join(".memory/state.md")).unwrap();
    assert!(!state.contains("kolibri"), "{state}");
    let verify = scene.memd(&["verify"]);
    assert!(verify.status.success(), "{verify:?}");
}

#[test]
fn in_lines_an_accept_over_a_text_that_was_changed_elsewhere_is_refused_and_shown_anew() {
    let scene = staged();
    let mut terminal = lines(&scene, "true");
    assert_eq!(say(&scene, SECRET).blocked, 1);
    terminal.answer("a");
    let before = terminal.text().len();
    terminal.wait_for(AFRESH);
    terminal.wait_for("change 1 of 2");
    terminal.wait_for("+ - The nest is [REDACTED:also_secret#");
    terminal.answer("a");
    terminal.wait_for("cannot be accepted");
    assert!(!terminal.text()[before..].contains("kolibri"));
    terminal.answer("r");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1, rejected 1");
    assert_eq!(terminal.finish().0, 0);
    memory_is_clean(&scene);
}

#[test]
fn in_lines_nothing_is_printed_again_as_it_was() {
    let scene = staged();
    let mut terminal = lines(&scene, "true");
    say(&scene, SECRET);
    terminal.answer("p");
    let before = terminal.text().len();
    terminal.wait_for("+ - The nest is [REDACTED:also_secret#");
    assert!(!terminal.text()[before..].contains("kolibri"));
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
}

#[test]
fn of_what_was_accepted_together_nothing_goes_in_over_a_text_that_was_changed() {
    let scene = staged();
    let mut terminal = lines(&scene, "true");
    terminal.answer("A");
    terminal.wait_for("y, or anything else to go back: ");
    say(&scene, SECRET);
    terminal.type_line("y");
    terminal.wait_for(AFRESH);
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    let (_, store, project) = scene.open();
    let queue = store.queue(Some(&project.id), Timestamp::now()).unwrap();
    assert_eq!((queue[0].accepted, queue[0].undecided), (0, 2));
    memory_is_clean(&scene);
}

#[test]
fn a_sheet_over_a_text_that_was_changed_is_not_applied() {
    let scene = staged();
    let mut terminal = lines(&scene, "true");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("y applies, anything else goes back: ");
    say(&scene, SECRET);
    terminal.type_line("y");
    terminal.wait_for("nothing was applied");
    terminal.wait_for(AFRESH);
    // What was accepted before is blocked now.
    terminal.answer("w");
    terminal.wait_for("edit or reject it before applying");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    memory_is_clean(&scene);
}

#[test]
fn what_was_typed_over_it_goes_on_without_the_secret() {
    let scene = staged();
    let editor = scene.home.path().join("editor.sh");
    let seen = scene.home.path().join("seen");
    let script =
        "cat \"$1\" >> \"$(dirname \"$0\")/seen\"; sed -i 's/The nest/My burrow/' \"$1\"\n";
    std::fs::write(&editor, script).unwrap();
    let mut terminal = lines(&scene, &format!("sh {}", editor.display()));
    say(&scene, SECRET);
    terminal.answer("e");
    terminal.wait_for("not taken");
    terminal.wait_for("e goes on from your text");
    terminal.answer("e");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(
        seen.contains("My burrow is [REDACTED:also_secret#"),
        "{seen}"
    );
    memory_is_clean(&scene);
}

#[test]
fn a_row_that_was_changed_by_hand_is_never_accepted() {
    let scene = staged();
    let mut terminal = lines(&scene, "true");
    let db = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    let sql = "UPDATE proposals SET body = replace(body, '8443', '9999')";
    assert_eq!(db.execute(sql, []).unwrap(), 1);
    terminal.answer("a");
    terminal.wait_for("was changed outside memd");
    assert_eq!(terminal.finish().0, 0);
    let state = std::fs::read_to_string(scene.root.join(".memory/state.md")).unwrap();
    assert!(
        !state.contains("9999") && !state.contains("nest"),
        "{state}"
    );
}

#[test]
fn memory_that_was_changed_under_a_change_is_shown_before_it_is_accepted() {
    let scene = staged();
    let mut terminal = lines(&scene, "true");
    let state = scene.root.join(".memory/state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    std::fs::write(&state, format!("{text}\n- {SAID}\n")).unwrap();
    terminal.answer("a");
    terminal.wait_for("memory was changed here since this was shown");
    terminal.wait_for("change 1 of 2");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
}

#[test]
fn the_screen_shows_it_anew_and_keeps_what_is_being_typed() {
    let scene = staged();
    let start = Screen::memd(&scene.home, &scene.root, &["review"]);
    let mut screen = start.size(100, 36).start();
    screen.wait_ready();
    screen.press_for("i", "Ctrl-s");
    screen.send("XY");
    screen.wait_for("XY");
    say(&scene, SECRET);
    screen.press_for("Ctrl-s", "not taken");
    screen.wait_for("[REDACTED:also_secret#");
    screen.wait_for("Cannot be accepted while a check fails");
    assert!(!screen.shows("kolibri"), "{}", screen.text());
    screen.press_for("a", "cannot be accepted");
    screen.press_for("i", "XY");
    screen.press("Esc");
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
    memory_is_clean(&scene);
}

#[test]
fn an_edit_of_an_entry_that_is_gone_is_taken_as_a_new_one_or_rejected_and_said_to_be() {
    for (key, stands) in [("a", true), ("r", false)] {
        let scene = Scene::new();
        scene.user("s", "The gateway listens on port 8080.");
        scene.staged(&json!([add(
            "state.md",
            "- The gateway listens on port 8080."
        )]));
        scene.review(&["a"]);
        let (_, store, project) = scene.open();
        let records = store.records(&store.trust().unwrap(), &project.id).unwrap();
        let id = records[0].entry.as_str().to_owned();
        drop(store);
        scene.user("s", "The gateway listens on port 9090 from today on.");
        let text = "- The gateway listens on port 9090 from today on.";
        scene.staged(&json!([{"op": "edit", "entry": id, "text": text, "evidence": [1]}]));
        scene.user("s", "The gateway on port 8080 is gone.");
        scene.staged(
            &json!([{"op": "archive", "entry": id, "reason": "the gateway is gone", "evidence": [1]}]),
        );
        let mut terminal = scene.terminal(&["review", "--plain"]);
        terminal.wait_for("proposal 1 of 2");
        terminal.answer(")");
        terminal.wait_for("to the archive");
        terminal.answer("a");
        terminal.answer("w");
        terminal.wait_for("goes back: ");
        terminal.type_line("y");
        terminal.wait_for("STALE: the entry is gone");
        terminal.wait_for("a adds this text as a new one, r leaves memory as it is");
        terminal.wait_for("+ - The gateway listens on port 9090");
        terminal.answer(key);
        if stands {
            // What stands otherwise than it was proposed for takes a second one.
            terminal.answer("a");
        }
        terminal.answer("w");
        terminal.wait_for("goes back: ");
        terminal.type_line("y");
        terminal.wait_for(", 0 left");
        terminal.wait_for("nothing is left to review");
        assert_eq!(terminal.finish().0, 0);
        assert_eq!(scene.brief().contains("9090"), stands);
        assert!(scene.memd(&["verify"]).status.success());
    }
}
