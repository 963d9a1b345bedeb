//! Every size of a terminal, in every view and with everything that lies on top.

use super::staged::{Staged, many};
use crate::screen::Screen;
use crate::support::Home;

/// From one cell to a wall.
const SIZES: [(u16, u16); 17] = [
    (1, 2),
    (1, 9),
    (2, 2),
    (5, 3),
    (10, 5),
    (39, 7),
    (39, 8),
    (40, 7),
    (40, 8),
    (40, 10),
    (60, 13),
    (80, 14),
    (80, 24),
    (99, 29),
    (100, 30),
    (120, 36),
    (200, 60),
];

/// Keys that open something on top, and what closes it.
const ON_TOP: [&str; 8] = ["", "?", "w", "A", "R", "/", "t", "i"];

#[test]
fn no_size_of_any_view_is_a_fault_and_everything_on_top_closes() {
    let home = Home::new();
    let seeds = many(&home);
    let mut screen = Screen::memd(&home, &seeds[0].root, &["review", "--all"]).start();
    screen.wait_for("demo-api");
    for view in ["1", "2", "3", "4"] {
        for top in ON_TOP {
            screen.resize(81, 24);
            screen.quiet();
            screen.press(view);
            screen.quiet();
            if !top.is_empty() {
                screen.press(top);
            }
            for (columns, rows) in SIZES {
                screen.resize_seen(columns, rows);
                assert!(
                    screen.screen().alternate_screen(),
                    "{view}{top} at {columns}x{rows}"
                );
            }
            for (columns, rows) in [(40, 8), (80, 24)] {
                screen.resize_seen(columns, rows);
                screen.press("PgDn");
            }
            screen.press("Esc");
            screen.press("Esc");
            screen.wait_for("[");
        }
    }
    screen.resize(80, 24);
    screen.quiet();
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
}

#[test]
fn each_size_alone_starts_and_leaves() {
    let staged = Staged::facts(2);
    for (columns, rows) in [(1, 1), (39, 7), (40, 8), (80, 24), (200, 60)] {
        let mut screen = staged.review().size(columns, rows).start();
        screen.wait_until("a screen", |s| s.screen().alternate_screen());
        screen.quiet();
        screen.press("q");
        assert_eq!(screen.finish(), 0, "{columns}x{rows}");
        screen.assert_given_back();
    }
}

#[test]
fn after_many_resizes_it_looks_as_if_started_at_the_last_size() {
    let staged = Staged::facts(4);
    let mut screen = staged.open();
    let mut state = 12_345_u32;
    let mut random = |below: u16| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u16 % below
    };
    for _ in 0..200 {
        screen.resize(1 + random(200), 2 + random(58));
        screen.take_in();
    }
    // Where all fits nothing is scrolled; how far it was depends on which sizes were painted.
    screen.resize(200, 60);
    screen.quiet();
    screen.resize(100, 30);
    screen.quiet();
    screen.press("Ctrl-l");
    screen.quiet();
    let mut fresh = staged.review().size(100, 30).start();
    fresh.wait_ready();
    fresh.quiet();
    assert_eq!(screen.text(), fresh.text());
}

#[test]
fn the_selected_change_stays_in_sight_at_every_size() {
    let staged = Staged::facts(6);
    let mut screen = staged.review().size(120, 36).start();
    screen.wait_ready();
    for key in ["j", "j", "j"] {
        screen.press(key);
        screen.quiet();
    }
    for (columns, rows) in [(80, 24), (40, 8), (60, 15), (99, 12), (120, 36)] {
        screen.resize_seen(columns, rows);
        screen.wait_until("the selected change", |s| {
            s.rows()
                .iter()
                .any(|row| row.contains("▌") && row.contains("Fact 4"))
        });
    }
}
