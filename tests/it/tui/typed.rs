//! What a person typed and no review took: kept, named, and found again.

use super::shelf::{PORT, accepted, leave, open_with};
use super::staged::Staged;
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::path::{Path, PathBuf};

/// The texts that were put aside in a home.
fn kept(state: &Path) -> Vec<PathBuf> {
    let items = std::fs::read_dir(state).unwrap();
    let paths = items.map(|item| item.unwrap().path());
    let is_kept = |path: &PathBuf| path.to_string_lossy().contains("/kept-");
    paths.filter(is_kept).collect()
}

fn state(home: &crate::support::Home) -> PathBuf {
    home.state()
}

#[test]
fn an_entry_that_goes_while_it_is_edited_takes_nothing_of_what_was_typed() {
    let scene = accepted(&[PORT]);
    let editor = scene.home.path().join("editor.sh");
    let file = scene.root.join(".memory/state.md");
    let script = format!(
        "sed -i 's/8443/9999/' '{}'\nprintf -- '- The API listens on port 7443.' > \"$1\"\n",
        file.display()
    );
    std::fs::write(&editor, script).unwrap();
    let mut screen = open_with(&scene, &format!("sh {}", editor.display()));
    screen.press_for("2", "e edit");
    screen.press_for("e", "your text is kept in");
    let told = leave(screen);
    let [path] = kept(&state(&scene.home)).try_into().unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(told.replace('\n', "").contains(&name), "{told}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "- The API listens on port 7443.\n");
    let status = scene.says(&["status"]);
    assert!(
        status.contains("1 text of yours") && status.contains(&name),
        "{status}"
    );
}

#[test]
fn what_is_being_typed_when_the_window_closes_is_found_again() {
    let staged = Staged::facts(1);
    let mut screen = staged.open();
    screen.press_for("i", "Ctrl-s save");
    screen.send(" and more\nof it");
    screen.wait_for("of it");
    assert_eq!(screen.hang_up(), 129);
    assert_eq!(staged.decided(1), "[ ]");
    let [path] = kept(&state(&staged.home)).try_into().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text, "- [ ] Fact 1 of the port and more\nof it\n");
}

#[test]
fn a_fault_of_memd_takes_nothing_of_what_was_typed() {
    if !cfg!(debug_assertions) {
        return;
    }
    let staged = Staged::facts(1);
    let mut screen = staged.review().env("MEMD_TUI_PANIC", "3").start();
    screen.wait_ready();
    screen.press_for("i", "Ctrl-s save");
    screen.press("!");
    screen.press("!");
    assert_eq!(screen.finish(), 101);
    assert_eq!(kept(&state(&staged.home)).len(), 1);
}

#[test]
fn a_reverse_that_is_on_screen_when_the_window_closes_is_not_left_in_the_queue() {
    let scene = accepted(&[PORT]);
    let mut screen = open_with(&scene, "false");
    screen.press_for("4", "v revert");
    screen.press_for("v", "y apply");
    assert_eq!(
        scene
            .says(&["status", "--porcelain"])
            .matches("staged=1")
            .count(),
        1
    );
    assert_eq!(screen.hang_up(), 129);
    let status = scene.says(&["status", "--porcelain"]);
    assert!(status.contains("staged=0"), "{status}");
}

#[test]
fn in_lines_an_interrupt_takes_nothing_of_what_was_typed() {
    for signal in [Signal::INT, Signal::HUP, Signal::TERM] {
        let staged = Staged::facts(1);
        let editor = staged.home.path().join("editor.sh");
        std::fs::write(
            &editor,
            "printf -- '- Hidden \\342\\200\\256 order' > \"$1\"\n",
        )
        .unwrap();
        let editor = format!("sh {}", editor.display());
        let env = [("NO_COLOR", "1"), ("VISUAL", editor.as_str())];
        let root = &staged.seed.root;
        let mut terminal = Terminal::start(&staged.home, root, &["review", "--plain"], &env);
        terminal.answer("e");
        terminal.wait_for("hidden-characters");
        terminal.wait_for("?] ");
        terminal.signal(signal);
        terminal.ended();
        let [path] = kept(&state(&staged.home)).try_into().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains("order"), "{signal:?}: {text}");
        assert_eq!(staged.decided(1), "[ ]");
    }
}
