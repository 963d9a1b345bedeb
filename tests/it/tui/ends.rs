//! How the screen comes and goes: every way out gives the terminal back and keeps the decisions.

use super::staged::{Staged, fact};
use crate::screen::{Screen, signal_to};
use rustix::process::Signal;
use std::time::Duration;

/// Decides one change, then ends it as `end` does; the exit code.
fn ended_by(end: impl Fn(&mut Screen)) -> (u32, Screen) {
    let staged = Staged::facts(3);
    let mut screen = staged.open();
    screen.press_for("a", "[a] Fact 1");
    end(&mut screen);
    let code = screen.finish();
    screen.assert_given_back();
    assert_eq!(staged.decided(3), "[a] [ ] [ ]");
    (code, screen)
}

#[test]
fn a_signal_gives_the_terminal_back_and_keeps_what_was_decided() {
    for signal in [
        Signal::TERM,
        Signal::HUP,
        Signal::INT,
        Signal::QUIT,
        Signal::USR1,
        Signal::USR2,
        Signal::ALARM,
        Signal::VTALARM,
        Signal::PROF,
        Signal::XCPU,
        Signal::ABORT,
    ] {
        let (ended, _) = ended_by(|screen| screen.signal(signal));
        assert_eq!(
            Ok(ended),
            u32::try_from(128 + signal.as_raw()),
            "{signal:?}"
        );
    }
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    let staged = Staged::facts(3);
    let mut screen = staged.open();
    screen.press_for("a", "[a] Fact 1");
    assert_eq!(screen.hang_up(), 129);
    assert_eq!(staged.decided(3), "[a] [ ] [ ]");
}

#[test]
fn a_fault_is_reported_on_the_main_screen_without_its_words() {
    let staged = Staged::facts(3);
    let mut screen = staged.review().env("MEMD_TUI_PANIC", "2").start();
    screen.wait_ready();
    screen.press_for("a", "[a] Fact 1");
    screen.press("r");
    assert_eq!(screen.finish(), 101);
    screen.assert_given_back();
    assert!(screen.shows("met a fault of its own"), "{}", screen.text());
    assert!(!screen.shows("was asked for"), "{}", screen.text());
    assert!(!screen.shows("Fact"), "{}", screen.text());
    assert_eq!(staged.decided(3), "[a] [ ] [ ]");
}

#[test]
fn q_leaves_from_any_depth_and_capital_q_at_once() {
    let ways: [&[&str]; 5] = [&[], &["?"], &["/"], &["4"], &["2", "?"]];
    for way in ways {
        let staged = Staged::facts(2);
        for (key, presses) in [("q", 3), ("Ctrl-c", 2)] {
            let mut screen = staged.open();
            for key in way {
                screen.press(key);
                screen.quiet();
            }
            for _ in 0..presses {
                if way.last() == Some(&"/") && key == "q" {
                    screen.press("Esc");
                }
                screen.press(key);
                if screen_ended(&mut screen) {
                    break;
                }
            }
            assert_eq!(screen.finish(), 0, "{way:?} {key}");
            screen.assert_given_back();
        }
    }
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    screen.press("4");
    screen.quiet();
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
}

fn screen_ended(screen: &mut Screen) -> bool {
    screen.quiet();
    !screen.screen().alternate_screen()
}

#[test]
fn ctrl_z_stops_it_and_fg_brings_the_same_screen_back() {
    let staged = Staged::facts(3);
    let stops: [fn(&mut Screen); 2] = [
        |screen| screen.press("Ctrl-z"),
        |screen| signal_to(screen.job(), Signal::TSTP),
    ];
    for stop in stops {
        let mut screen = Screen::shell(&staged.home, &staged.seed.root).start();
        screen.wait_for("shell>");
        screen.line("$MEMD review");
        screen.wait_ready();
        screen.press_for("j", "▌ [ ] Fact 2");
        screen.quiet();
        let before = screen.text();
        stop(&mut screen);
        screen.wait_for("Stopped");
        screen.assert_given_back();
        screen.line("stty -a | grep -o ' icanon'; echo back");
        screen.wait_for(" icanon");
        // What others leave in the terminal's modes and on its screen is no matter.
        screen.resize(90, 24);
        screen.resize(80, 24);
        screen.line("fg");
        screen.wait_until("the screen again", |s| s.screen().alternate_screen());
        screen.wait_ready();
        screen.quiet();
        assert_eq!(screen.text(), before);
        // It takes keys as before.
        screen.press_for("k", "▌ [ ] Fact 1");
        screen.press("q");
        screen.wait_until("the shell", |s| !s.screen().alternate_screen());
        screen.line("echo code $?");
        screen.wait_for("code 0");
    }
    assert_eq!(staged.decided(3), "[ ] [ ] [ ]");
}

#[test]
fn a_stop_while_resized_comes_back_in_the_new_size() {
    let staged = Staged::facts(3);
    let mut screen = Screen::shell(&staged.home, &staged.seed.root).start();
    screen.wait_for("shell>");
    screen.line("$MEMD review");
    screen.wait_ready();
    screen.press("Ctrl-z");
    screen.wait_for("Stopped");
    screen.resize(120, 36);
    screen.line("fg");
    screen.wait_until("the screen again", |s| s.screen().alternate_screen());
    screen.wait_ready();
    screen.quiet();
    let there = screen.text();
    let mut fresh = staged.review().size(120, 36).start();
    fresh.wait_ready();
    fresh.quiet();
    assert_eq!(there, fresh.text());
}

#[test]
fn where_no_shell_could_continue_it_a_stop_is_refused() {
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    screen.press_for("Ctrl-z", "no shell");
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
}

#[test]
fn it_asks_the_terminal_nothing_and_takes_no_mouse() {
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    screen.press("q");
    screen.finish();
    let text = String::from_utf8_lossy(screen.bytes()).into_owned();
    for sequence in [
        "\x1b[?1000h",
        "\x1b[?1002h",
        "\x1b[?1003h",
        "\x1b[?1006h",
        "\x1b[6n",
        "\x1b[c",
        "\x1b[>",
        "\x1b]",
        "\x1bP",
    ] {
        assert!(!text.contains(sequence), "{sequence:?}");
    }
    assert!(
        text.starts_with("\x1b[?1049h\x1b[?25l\x1b[?2004h"),
        "{text:?}"
    );
    // Every frame is one synchronized update.
    let begun = text.matches("\x1b[?2026h").count();
    assert!(begun > 0 && begun == text.matches("\x1b[?2026l").count());
}

#[test]
fn without_a_terminal_no_escape_byte_is_written() {
    let staged = Staged::facts(2);
    let run = |args: &[&str], term: &str| {
        let mut command = staged.home.memd(&staged.seed.root);
        let run = command
            .args(args)
            .env("TERM", term)
            .write_stdin("a\nw\ny\n");
        let output = run.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
        String::from_utf8(output.stdout).unwrap()
    };
    for term in ["xterm-256color", "dumb"] {
        let text = run(&["review"], term);
        assert!(text.contains("memd review, on a terminal"), "{text}");
    }
    assert_eq!(staged.decided(2), "[ ] [ ]");
    let mut screen = staged.review().env("TERM", "dumb").start();
    screen.wait_for("?]");
    screen.line("q");
    assert_eq!(screen.finish(), 0);
    assert!(!screen.bytes().contains(&0x1b), "{}", screen.text());
}

#[test]
fn an_idle_screen_sends_nothing() {
    let staged = Staged::facts(3);
    let mut screen = staged.open();
    screen.quiet();
    assert_eq!(screen.listen(Duration::from_secs(2)), 0);
}

#[test]
fn a_move_sends_little() {
    let staged = Staged::new((1..=6).map(fact).collect());
    let mut screen = staged.review().size(120, 36).start();
    screen.wait_ready();
    screen.quiet();
    let before = screen.bytes().len();
    screen.press("j");
    screen.quiet();
    let sent = screen.bytes().len() - before;
    assert!(sent > 0 && sent <= 2048, "{sent} bytes");
}
