//! Keys and what they decide: one at a time, on what was on the screen, and nothing else decides.

use super::staged::{Staged, long};
use crate::seed::addition;
use memd::memory::MemoryFile::Todo;
use rustix::process::Signal;

#[test]
fn keys_a_frame_apart_decide_each_its_change_and_go_on_to_the_next() {
    let staged = Staged::facts(4);
    let mut screen = staged.open();
    screen.press_for("a", "[a] Fact 1");
    screen.press_for("r", "[r] Fact 2");
    screen.press_for("s", "▌ [ ] Fact 4");
    assert!(screen.shows("[ ] Fact 3"), "{}", screen.text());
    assert_eq!(staged.decided(4), "[a] [r] [ ] [ ]");
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
}

#[test]
fn keys_in_one_write_decide_once() {
    let staged = Staged::facts(6);
    let mut screen = staged.open();
    screen.send("aaaaa");
    screen.wait_for("4 keys ignored");
    assert_eq!(staged.decided(6), "[a] [ ] [ ] [ ] [ ] [ ]");
}

#[test]
fn many_keys_at_once_are_a_paste_and_decide_nothing() {
    for text in ["a".repeat(20), "awy".repeat(100_000)] {
        let staged = Staged::facts(6);
        let mut screen = staged.open();
        screen.send(&text);
        screen.wait_for("they came all at once");
        screen.quiet();
        assert_eq!(staged.decided(6), "[ ] [ ] [ ] [ ] [ ] [ ]");
        // One by one they count again.
        screen.press_for("a", "[a] Fact 1");
    }
}

#[test]
fn many_keys_at_once_are_text_where_text_is_typed_and_send_none_of_it() {
    let staged = Staged::facts(1);
    let mut screen = staged.open();
    screen.press_for("/", "Enter find");
    screen.send("what has more\rthan one line\r");
    screen.wait_for("what has more than one line");
    screen.press("Esc");
    screen.press_for("i", "Ctrl-s save");
    screen.send(" and more of it than that\x13");
    screen.wait_for("and more of it than that");
    screen.quiet();
    assert_eq!(staged.decided(1), "[ ]");
}

#[test]
fn a_paste_that_breaks_off_is_given_up_and_keys_are_heard_again() {
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    screen.send("\x1b[200~aaRRy");
    screen.wait_for("broke off");
    // Its rest decides nothing either.
    screen.send("a");
    screen.wait_for("ignored");
    screen.quiet();
    assert_eq!(staged.decided(2), "[ ] [ ]");
    screen.press_for("a", "[a] Fact 1");
    screen.send("\x1b[200~aaRRy");
    screen.wait_for("broke off");
    screen.press("Ctrl-c");
    assert_eq!(screen.finish(), 0);
}

#[test]
fn what_was_typed_before_the_first_frame_decides_nothing() {
    let staged = Staged::facts(2);
    let mut screen = staged.review().start();
    screen.send("aaRyAywyaaaa");
    screen.wait_for("[ ] Fact 1");
    screen.wait_ready();
    screen.quiet();
    assert_eq!(staged.decided(2), "[ ] [ ]");
}

#[test]
fn keys_that_only_move_or_close_never_decide() {
    let staged = Staged::facts(3);
    let mut screen = staged.open();
    for view in ["1", "2", "3", "4", "1"] {
        screen.press(view);
        screen.quiet();
        for key in [
            "Enter",
            "Space",
            "Esc",
            "Tab",
            "Up",
            "Down",
            "Left",
            "Right",
            "Home",
            "End",
            "PgUp",
            "PgDn",
            "Shift-Tab",
            "Enter",
            "Esc",
            "Esc",
        ] {
            screen.press(key);
            screen.quiet();
        }
        // A click and a turn of the wheel, as a terminal would tell them.
        screen.send("\x1b[<0;10;10M\x1b[<0;10;10m\x1b[<64;10;10M\x1b[M !!");
        screen.quiet();
    }
    assert_eq!(staged.decided(3), "[ ] [ ] [ ]");
    let journal = staged.seed.store.decisions(&staged.seed.trust, &staged.id);
    assert!(journal.unwrap().decisions.is_empty());
}

#[test]
fn a_paste_decides_nothing_and_is_told() {
    let staged = Staged::facts(3);
    let mut screen = staged.open();
    screen.paste("aaRRy\rw\ry");
    screen.wait_for("paste");
    screen.quiet();
    assert!(!screen.shows("apply this"), "{}", screen.text());
    assert_eq!(staged.decided(3), "[ ] [ ] [ ]");
}

#[test]
fn a_paste_into_an_inline_edit_is_text() {
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    screen.press("i");
    screen.wait_for("Ctrl-s");
    screen.press("End");
    screen.paste(" aaRRy w y");
    screen.wait_for("Fact 1 of the port aaRRy w y");
    assert_eq!(staged.decided(2), "[ ] [ ]");
    screen.press_for("Ctrl-s", "[e]");
    assert_eq!(staged.decided(2), "[e] [ ]");
}

#[test]
fn a_change_taller_than_the_screen_is_read_to_its_end_before_it_is_accepted() {
    let staged = Staged::new(vec![long(1, 40)]);
    let mut screen = staged.review().start();
    screen.wait_for("A long story");
    screen.wait_for("a ");
    screen.quiet();
    screen.press("a");
    screen.quiet();
    assert_eq!(staged.decided(1), "[ ]");
    for _ in 0..20 {
        if screen.shows("The very end.") {
            break;
        }
        screen.press("Space");
        screen.quiet();
    }
    screen.wait_for("The very end.");
    screen.quiet();
    screen.press("a");
    screen.quiet();
    assert_eq!(staged.decided(1), "[a]");
}

#[test]
fn fifty_decisions_are_undone_and_done_again_and_survive_a_kill() {
    let changes = (1..=50).map(|n| addition(n, Todo, &format!("- [ ] Task {n}, of the port")));
    let staged = Staged::new(changes.collect());
    let mut screen = staged.open();
    let all = |mark: &str| vec![mark; 50].join(" ");
    for n in 1..=50 {
        screen.press("a");
        let counted = format!("apply {n} of 50");
        screen.wait_for(&counted);
    }
    assert_eq!(staged.decided(50), all("[a]"));
    for n in (0..50).rev() {
        screen.press("u");
        let counted = format!("apply {n} of 50");
        let none_left = n == 0;
        screen.wait_until(&counted, |s| {
            s.shows(&counted) || (none_left && !s.shows("apply 1 of 50"))
        });
    }
    assert_eq!(staged.decided(50), all("[ ]"));
    for n in 1..=25 {
        screen.press("Ctrl-r");
        screen.wait_for(&format!("apply {n} of 50"));
    }
    screen.signal(Signal::KILL);
    screen.finish();
    let half = staged.decided(50);
    assert_eq!(half.matches("[a]").count(), 25, "{half}");
    let mut screen = staged.open();
    screen.wait_for("apply 25 of 50");
    for n in 26..=50 {
        screen.press("Ctrl-r");
        screen.wait_for(&format!("apply {n} of 50"));
    }
    assert_eq!(staged.decided(50), all("[a]"));
}

#[test]
fn a_kill_between_keys_leaves_the_state_before_or_after_the_last_one() {
    // What each is answered with: a busy machine may be quiet for long before it is.
    let keys = [
        ("a", "1 decided"),
        ("r", "2 decided"),
        ("u", "1 decided"),
        ("a", "2 decided"),
        ("s", "change 4 of 5"),
        ("r", "3 decided"),
        ("u", "2 decided"),
        ("Ctrl-r", "3 decided"),
    ];
    let played = |keys: &[(&str, &str)]| {
        let staged = Staged::facts(5);
        let mut screen = staged.open();
        for (key, answer) in keys {
            screen.press_for(key, answer);
            // A key that comes before its frame is whole is ignored.
            screen.quiet();
        }
        (staged, screen)
    };
    let mut before = "[ ] [ ] [ ] [ ] [ ]".to_owned();
    for n in 0..keys.len() {
        let (staged, mut screen) = played(&keys[..n]);
        assert_eq!(staged.decided(5), before);
        screen.press(keys[n].0);
        screen.signal(Signal::KILL);
        screen.finish();
        let left = staged.decided(5);
        let (whole, _screen) = played(&keys[..=n]);
        let after = whole.decided(5);
        assert!(
            left == before || left == after,
            "{left} after {:?}",
            &keys[..=n]
        );
        // What is left is gone on from.
        staged.open();
        before = after;
    }
}
