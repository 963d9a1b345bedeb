//! The editor: it has the terminal to itself, and whatever goes wrong the old text stands.

use super::staged::{Staged, fact};
use crate::screen::Screen;
use rustix::process::Signal;

/// A script in the home, as an editor's command.
fn script(staged: &Staged, text: &str) -> String {
    let path = staged.home.path().join("editor.sh");
    std::fs::write(&path, text).unwrap();
    format!("sh {}", path.display())
}

fn open_with(staged: &Staged, editor: &str) -> Screen {
    let mut screen = staged.review().env("EDITOR", editor).start();
    screen.wait_ready();
    screen
}

#[test]
fn the_editor_has_a_cooked_terminal_and_gets_every_byte() {
    let staged = Staged::facts(2);
    let text = "stty -a < /dev/tty | tr ' ;' '\\n\\n' | grep -x -e icanon -e isig -e echo\n\
                printf 'say: '; read line; printf -- '- [ ] Fact 1 says %s\\n' \"$line\" > \"$1\"\n";
    let editor = script(&staged, text);
    let mut screen = open_with(&staged, &editor);
    screen.press("e");
    screen.wait_for("say:");
    for mode in ["icanon", "isig", "echo"] {
        assert!(screen.shows(mode), "{}", screen.text());
    }
    assert!(!screen.screen().alternate_screen());
    screen.send("aQw y? é日\r");
    screen.wait_until("the screen again", |s| s.screen().alternate_screen());
    screen.wait_for("[e] Fact 1 says aQw y? é日");
    screen.wait_ready();
    assert_eq!(staged.decided(2), "[e] [ ]");
    assert!(!screen.shows("say:"), "{}", screen.text());
    screen.press("r");
    screen.wait_for("[r] Fact 2");
}

#[test]
fn visual_wins_and_arguments_and_quotes_work() {
    let staged = Staged::facts(1);
    let path = staged.home.path().join("my editor.sh");
    std::fs::write(
        &path,
        "[ \"$1\" = 'two words' ] && printf -- '- [ ] Fact 1 by visual' > \"$2\"\n",
    )
    .unwrap();
    let visual = format!("sh '{}' \"two words\"", path.display());
    let mut screen = staged
        .review()
        .env("EDITOR", "/nowhere/editor")
        .env("VISUAL", &visual)
        .start();
    screen.wait_ready();
    screen.press_for("e", "Fact 1 by visual");
    assert_eq!(staged.decided(1), "[e]");
}

#[test]
fn whatever_goes_wrong_in_the_editor_nothing_is_decided() {
    let cases = [
        ("exit 1", "ended with"),
        (": > \"$1\"", "emptied"),
        ("true", "as it was"),
        ("printf 'x\\n' > \"$1\"; kill -9 $$", "ended with"),
    ];
    for (text, told) in cases {
        let staged = Staged::facts(2);
        let editor = script(&staged, text);
        let mut screen = open_with(&staged, &editor);
        let before = screen.row(screen.row_of("Fact 1"));
        screen.press("e");
        screen.wait_until(told, |s| s.screen().alternate_screen() && s.shows(told));
        screen.wait_ready();
        assert_eq!(screen.row(screen.row_of("Fact 1")), before, "{text}");
        assert_eq!(staged.decided(2), "[ ] [ ]", "{text}");
    }
    let staged = Staged::facts(2);
    let mut screen = open_with(&staged, "/nowhere/editor --flag");
    screen.press_for("e", "/nowhere/editor");
    assert_eq!(staged.decided(2), "[ ] [ ]");
}

#[test]
fn a_key_pressed_while_the_editor_closes_decides_nothing() {
    let staged = Staged::new(vec![fact(1), fact(2)]);
    // What is typed ahead is still in the terminal when the editor ends.
    let editor = script(
        &staged,
        "printf 'type: '; while ! [ -e \"$0.go\" ]; do :; done\nprintf -- '- [ ] Fact 1 again' > \"$1\"\n",
    );
    let mut screen = open_with(&staged, &editor);
    screen.press("e");
    screen.wait_for("type:");
    screen.send("rrrAyR\rywy");
    std::fs::write(staged.home.path().join("editor.sh.go"), "").unwrap();
    screen.wait_for("[e] Fact 1 again");
    screen.wait_ready();
    screen.quiet();
    assert_eq!(staged.decided(2), "[e] [ ]");
}

#[test]
fn an_interrupt_in_the_editor_is_the_editors_and_a_resize_is_seen_afterwards() {
    let staged = Staged::facts(2);
    let editor = script(
        &staged,
        "trap 'printf -- \"- [ ] Fact 1 interrupted\" > \"$1\"; exit 0' INT\nprintf 'edit: '; while :; do read line; done\n",
    );
    let mut screen = open_with(&staged, &editor);
    screen.press("e");
    screen.wait_for("edit:");
    screen.resize(120, 36);
    screen.send("\x03");
    screen.wait_for("Fact 1 interrupted");
    screen.wait_ready();
    screen.quiet();
    let there = screen.text();
    let mut fresh = staged.review().size(120, 36).start();
    fresh.wait_ready();
    fresh.quiet();
    let below_title = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    assert_eq!(below_title(&there), below_title(&fresh.text()));
    assert!(screen.shows("QUEUE"), "{there}");
}

#[test]
fn a_hangup_while_the_editor_runs_ends_it_once_the_editor_has() {
    let staged = Staged::facts(2);
    let editor = script(
        &staged,
        "trap 'exit 1' HUP TERM\nprintf 'edit: '; while :; do read line || exit 1; done\n",
    );
    let mut screen = open_with(&staged, &editor);
    screen.press("e");
    screen.wait_for("edit:");
    screen.signal(Signal::TERM);
    screen.send("\x04");
    assert_eq!(screen.finish(), 143);
    screen.assert_given_back();
    assert_eq!(staged.decided(2), "[ ] [ ]");
}

#[test]
fn an_editor_that_leaves_the_terminal_raw_does_not_leave_it_so_to_the_shell() {
    let staged = Staged::facts(1);
    let editor = script(&staged, "stty raw -echo < /dev/tty; exit 1");
    let mut screen = open_with(&staged, &editor);
    screen.press("e");
    screen.wait_until("the screen again", |s| {
        s.screen().alternate_screen() && s.shows("ended with")
    });
    screen.press("Q");
    screen.finish();
    screen.assert_given_back();
}
