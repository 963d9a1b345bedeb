//! What a person sees and calls a secret is hidden from then on, and leaves all that is staged.

use crate::attacks::scene::{Scene, add};
use crate::screen::Screen;
use crate::terminal::Terminal;
use jiff::Timestamp;
use memd::redact::Redactor;
use serde_json::json;
use std::path::Path;

/// Nothing that a rule would find.
const SECRET: &str = "kolibri-nest-klippe";
const SAID: &str = "The nest is kolibri-nest-klippe.";

/// A proposal that quotes the secret, in evidence and in what is proposed.
fn staged() -> Scene {
    let scene = Scene::new();
    scene.user("s", SAID);
    let proposal = scene.staged(&json!([add("state.md", &format!("- {SAID}"))]));
    assert!(proposal.to_string().contains(SECRET), "{proposal}");
    scene
}

/// Every file of memd's own that holds a text.
fn holders(dir: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holders(&path, text));
        } else if memchr::memmem::find(&std::fs::read(&path).unwrap(), text.as_bytes()).is_some() {
            found.push(path.display().to_string());
        }
    }
    found
}

/// No file keeps it, what is staged shows a placeholder, and what is read later does too.
#[track_caller]
fn is_gone(scene: &Scene) {
    for part in [SECRET, "kolibri-n", "st-klippe"] {
        assert_eq!(holders(&scene.home.state(), part), [] as [String; 0]);
    }
    assert!(
        scene
            .says(&["redact", "--also-secret"])
            .contains("19 characters")
    );
    scene.user("t", &format!("{SAID} And it stays there."));
    scene.user("t", "The port is 8443.");
    let proposal = scene.staged(&json!([add("state.md", "- The port is 8443.")]));
    let shown = proposal.to_string();
    assert!(!shown.contains("kolibri"), "{shown}");
    assert!(shown.contains("\"rule\":\"also_secret\""), "{shown}");
    let prompt = std::fs::read_to_string(scene.home.path().join("prompt")).unwrap();
    assert!(!prompt.contains("kolibri"), "{prompt}");
    assert!(prompt.contains("[REDACTED:also_secret#"), "{prompt}");
    let verify = scene.memd(&["verify"]);
    assert!(verify.status.success(), "{verify:?}");
}

#[test]
fn show_counts_verdicts_as_the_review_does_once_a_text_is_a_secret() {
    let scene = staged();
    let checks = |text: &str| {
        let line = text
            .lines()
            .rfind(|l| l.contains("  proposal ") && l.contains(" FAIL"));
        line.unwrap().trim_end().to_owned()
    };
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("*");
    terminal.wait_for("it is not shown");
    terminal.type_line(SECRET);
    terminal.wait_for("goes back:");
    terminal.type_line("y");
    terminal.wait_for("hidden from now on");
    terminal.answer("q");
    terminal.finish();
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("q");
    let reviewed = String::from_utf8(terminal.finish().1)
        .unwrap()
        .replace('\r', "");
    let reviewed = checks(&reviewed);
    assert!(reviewed.contains("1 FAIL"), "{reviewed}");
    let id = reviewed.split_whitespace().nth(1).unwrap();
    assert_eq!(checks(&scene.says(&["show", id])), reviewed);
}

#[test]
fn a_signal_while_it_is_typed_unseen_leaves_the_terminal_as_it_was() {
    use rustix::process::Signal;
    for signal in [
        Signal::TERM,
        Signal::INT,
        Signal::HUP,
        Signal::QUIT,
        Signal::USR1,
        Signal::ALARM,
    ] {
        let scene = staged();
        let mut terminal = scene.terminal(&["review", "--plain"]);
        terminal.answer("*");
        terminal.wait_for("it is not shown");
        assert!(!terminal.is_sane(), "what is typed is not shown");
        terminal.signal(signal);
        terminal.ended();
        assert!(terminal.is_sane(), "{signal:?}");
    }
}

#[test]
fn a_text_that_is_selected_on_the_screen_is_hidden_at_once_and_from_then_on() {
    let scene = staged();
    let start = Screen::memd(&scene.home, &scene.root, &["review"]);
    let mut screen = start.size(100, 36).start();
    screen.wait_ready();
    screen.press_for("*", "which text is a secret");
    screen.wait_for("selected: The ");
    for selected in ["nest", "is", SECRET] {
        screen.press_for("w", &format!("selected: {selected} "));
    }
    assert!(screen.shows("19 characters"), "{}", screen.text());
    screen.press_for("Enter", "Is this a secret?");
    screen.press("Esc");
    screen.wait_for("nothing was done");
    screen.press_for("Enter", "y hide it");
    screen.press("y");
    screen.wait_for("is hidden from now on");
    screen.wait_for("[REDACTED:also_secret#");
    screen.wait_for("Cannot be accepted while a check fails");
    assert!(!screen.shows("kolibri"), "{}", screen.text());
    screen.press_for("a", "cannot be accepted");
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
    is_gone(&scene);
}

#[test]
fn in_lines_it_is_typed_unseen_listed_and_taken_back() {
    let scene = staged();
    let args = ["review", "--plain"];
    let mut terminal = Terminal::start(&scene.home, &scene.root, &args, &[("NO_COLOR", "1")]);
    terminal.answer("*");
    terminal.wait_for("goes back): ");
    terminal.type_line("kurz");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("at least 6 characters");
    terminal.answer("*");
    terminal.wait_for("goes back): ");
    let before = terminal.text().len();
    terminal.type_line(SECRET);
    terminal.wait_for("19 characters; it stands");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("is hidden from now on");
    terminal.wait_for("[REDACTED:also_secret#");
    terminal.answer("h");
    terminal.wait_for("   1  #");
    terminal.wait_for("you said so");
    let text = terminal.text();
    assert!(!text[before..].contains("kolibri"), "{text}");
    terminal.wait_for("goes back: ");
    terminal.type_line("");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    is_gone(&scene);
    let mut terminal = Terminal::start(&scene.home, &scene.root, &args, &[("NO_COLOR", "1")]);
    terminal.answer("h");
    terminal.wait_for("goes back: ");
    terminal.type_line("!1");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("not kept as a secret any more");
    terminal.wait_for("goes back: ");
    terminal.type_line("");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    let listed = scene.says(&["redact", "--also-secret"]);
    assert!(listed.starts_with("nothing was called"), "{listed}");
}

#[test]
fn without_a_terminal_nobody_says_anything_of_secrets() {
    let scene = staged();
    for lines in [format!("*\n{SECRET}\ny\nq\n"), "h\n!1\ny\n\nq\n".to_owned()] {
        let mut memd = scene.home.memd(&scene.root);
        memd.args(["review", "--plain"]).write_stdin(lines);
        memd.assert().success();
    }
    let played = ["review", "--print", "--keys", "*wwww<Enter>yy"];
    scene.memd(&played);
    for list in ["--also-secret", "--not-secret"] {
        let listed = scene.says(&["redact", list]);
        assert!(listed.starts_with("nothing was called"), "{listed}");
    }
    assert!(!holders(&scene.home.state(), SECRET).is_empty());
}

#[test]
fn what_was_let_in_before_reaches_no_agent_and_no_screen() {
    let scene = staged();
    scene.review(&["a"]);
    assert!(scene.brief().contains(SECRET));
    let (_, store, _) = scene.open();
    let trust = store.trust().unwrap();
    let redactor = Redactor::new(&[], trust.redaction_key()).0;
    let value = redactor.also(SECRET).unwrap();
    store
        .set_also_secret(&trust, &value, redactor, Timestamp::now())
        .unwrap();
    let payload = json!({"session_id": "n", "cwd": scene.root, "source": "startup"}).to_string();
    let mut hook = scene.home.memd(&scene.root);
    let hook = hook.args(["hook", "session-start"]).write_stdin(payload);
    let given = String::from_utf8(hook.output().unwrap().stdout).unwrap();
    for shown in [scene.brief(), given] {
        assert!(
            shown.contains("The nest is [REDACTED:also_secret#"),
            "{shown}"
        );
        assert!(!shown.contains("kolibri"), "{shown}");
    }
    // A file's name is shown as well.
    std::fs::write(
        scene.root.join(".memory").join(format!("{SECRET}.md")),
        SECRET,
    )
    .unwrap();
    let scan = scene.memd(&["scan"]);
    let told = crate::attacks::scene::both(&scan);
    assert!(
        told.contains("also_secret") && !told.contains("kolibri"),
        "{told}"
    );
}
