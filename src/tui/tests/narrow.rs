//! What a narrow or crowded screen must still say.

use super::frames::{item, proposal};
use super::{Fake, Screen};
use crate::proposal::{Change, Level, Verdict};
use crate::review::samples;

const NARROW: (u16, u16) = (40, 12);

fn fake(changes: Vec<Change>) -> Fake {
    Fake {
        items: vec![item(proposal("0000000a", changes))],
        ..Fake::default()
    }
}

fn flat(screen: &Screen<'_>) -> String {
    let text = screen.text();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn where_all_is_flagged_a_few_are_named_and_the_rest_are_counted() {
    let flagged = |n| {
        let mut change = samples::change(n, Level::Warn);
        let again = Verdict {
            guard: "similar".to_owned(),
            level: Level::Warn,
            reason: "twice".to_owned(),
        };
        change.text = format!("- Entry {n} of many");
        change.verdicts = vec![again.clone(), again];
        change
    };
    let mut fake = fake((1..=40).map(flagged).collect());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["A"]);
    let text = flat(&screen);
    let said = "40 changes flagged, to be decided one by one: Entry 1 of many (similar); \
                Entry 2 of many (similar); Entry 3 of many (similar); and 37 more";
    assert!(text.contains(said), "{text}");
}

#[test]
fn a_notice_that_has_no_room_says_that_it_goes_on() {
    let mut fake = fake(vec![samples::change(1, Level::Pass)]);
    let mut screen = Screen::new(&mut fake, NARROW);
    screen.engine.app.notice = Some("word ".repeat(100));
    screen.wait(0);
    let text = screen.text();
    let last = text.lines().rfind(|row| row.contains("word"));
    assert!(last.is_some_and(|row| row.ends_with('…')), "{text}");
}

#[test]
fn the_open_page_of_the_drawer_is_named_on_a_narrow_screen() {
    let pages = ["[evidence", "[checks", "[source", "[redactions"];
    let mut fake = fake(vec![samples::change(1, Level::Warn)]);
    let mut screen = Screen::new(&mut fake, NARROW);
    for page in pages {
        screen.press(&["t"]);
        assert!(screen.text().contains(page), "{page}: {}", screen.text());
    }
}

#[test]
fn a_key_that_cannot_be_used_is_told_by_its_name_on_a_narrow_screen() {
    let mut fake = fake(vec![samples::change(1, Level::Pass)]);
    let mut screen = Screen::new(&mut fake, NARROW);
    screen.press(&["?", "c", "l", "e", "a", "r"]);
    let text = flat(&screen);
    assert!(text.contains("x clear: unavailable:"), "{text}");
}

#[test]
fn a_title_that_is_cut_above_an_edited_text_says_so() {
    let mut change = samples::change(1, Level::Pass);
    change.text = format!("- {}", "long ".repeat(40));
    let mut fake = fake(vec![change]);
    let mut screen = Screen::new(&mut fake, NARROW);
    screen.press(&["i"]);
    let text = screen.text();
    let title = text.lines().find(|row| row.contains("edit: "));
    assert!(title.is_some_and(|row| row.ends_with('…')), "{text}");
}

#[test]
fn how_to_finish_is_in_a_narrow_footer_once_something_is_decided() {
    let changes = (1..=3).map(|n| samples::change(n, Level::Pass)).collect();
    let mut fake = fake(changes);
    let mut screen = Screen::new(&mut fake, NARROW);
    screen.press(&["a"]);
    assert!(screen.text().contains("w apply"), "{}", screen.text());
}
