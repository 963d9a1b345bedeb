//! The review in lines decides what the screen decides: the same journal, the same memory.

use super::staged::{PORT, Staged, decided};
use crate::seed::{addition, edit};
use crate::terminal::Terminal;
use memd::memory::MemoryFile::{self, Decisions, State, Todo};

/// Changes that no guardrail flags.
fn staged() -> Staged {
    Staged::new(vec![
        edit(1, State, PORT, &PORT.replace("8080", "9090")),
        addition(
            2,
            Decisions,
            "### The queue is SQLite\n\nOne writer is enough.",
        ),
        addition(3, Todo, "- [ ] Retries are 3"),
    ])
}

fn now(staged: &Staged) -> String {
    decided(&staged.seed, &staged.id, 3)
}

/// Plays the keys on the screen: the decisions after each.
fn on_screen(staged: &Staged, keys: &[&str]) -> Vec<String> {
    let mut screen = staged.review().size(100, 50).start();
    screen.wait_ready();
    screen.quiet();
    let mut told = Vec::new();
    for key in keys {
        screen.press(key);
        screen.quiet();
        told.push(now(staged));
    }
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
    told
}

/// The same in lines. Every byte is added at the end: nothing moves, nothing is erased.
fn in_lines(staged: &Staged, keys: &[&str]) -> Vec<String> {
    let root = &staged.seed.root;
    let plain = [("NO_COLOR", "1")];
    let mut terminal = Terminal::start(&staged.home, root, &["review", "--plain"], &plain);
    let mut told = Vec::new();
    terminal.wait_for("?] ");
    for key in keys {
        terminal.type_line(key);
        terminal.wait_for(match *key {
            "A" | "R" | "w" => "back: ",
            "y" if keys.contains(&"w") => "nothing is left to review",
            _ => "?] ",
        });
        told.push(now(staged));
    }
    if !keys.contains(&"w") {
        terminal.type_line("q");
    }
    let (code, bytes) = terminal.finish();
    assert_eq!(code, 0);
    let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
    let moves = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(moves), "{text:?}");
    told
}

#[test]
fn the_same_keys_make_the_same_decisions_in_lines_and_on_the_screen() {
    let scripts: [&[&str]; 6] = [
        &["a", "r", "s"],
        &["r", "a", "u", "u", "U", "a"],
        &["a", "[", "x", "a", "a"],
        &["a", "A", "y", "u"],
        &["a", "s", "R", "y", "u", "U"],
        &["A", "n", "R", "q", "r"],
    ];
    for keys in scripts {
        let (one, other) = (staged(), staged());
        let told = on_screen(&one, keys);
        assert_eq!(told, in_lines(&other, keys), "{keys:?}");
        assert!(told.iter().any(|t| t != "[ ] [ ] [ ]"), "{keys:?}");
    }
}

#[test]
fn what_is_applied_in_lines_is_what_is_applied_on_the_screen() {
    let keys = ["a", "r", "a", "w", "y"];
    let (one, other) = (staged(), staged());
    on_screen(&one, &keys);
    in_lines(&other, &keys);
    for file in MemoryFile::ALL {
        let text = one.seed.text(file);
        assert_eq!(text, other.seed.text(file), "{}", file.name());
    }
    assert!(one.seed.text(State).contains("9090"));
    assert!(!one.seed.text(Decisions).contains("SQLite"));
    assert!(one.seed.text(Todo).contains("Retries are 3"));
}

#[test]
fn a_paste_of_any_length_decides_nothing_in_lines() {
    // The terminal holds only a part of the longer one at a time.
    for lines in [2, 200_000] {
        let staged = staged();
        let root = &staged.seed.root;
        let plain = [("NO_COLOR", "1")];
        let mut terminal = Terminal::start(&staged.home, root, &["review", "--plain"], &plain);
        terminal.wait_for("?] ");
        terminal.type_line(&"a\nw\ny\n".repeat(lines));
        terminal.wait_for("all of it is ignored)");
        terminal.answer("q");
        assert_eq!(terminal.finish().0, 0);
        assert_eq!(now(&staged), "[ ] [ ] [ ]", "{lines}");
    }
}

#[test]
fn what_comes_before_the_first_prompt_decides_nothing_however_long_it_is() {
    let staged = staged();
    let root = &staged.seed.root;
    let plain = [("NO_COLOR", "1")];
    let mut terminal = Terminal::start(&staged.home, root, &["review", "--plain"], &plain);
    terminal.type_line(&"a\nw\ny\n".repeat(200_000));
    terminal.wait_for("is ignored)");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    assert_eq!(now(&staged), "[ ] [ ] [ ]");
}
