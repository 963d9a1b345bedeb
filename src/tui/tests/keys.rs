//! The list of keys: it holds every key of every view, running a row of it is pressing its key, and
//! what cannot be done now says why.

use super::{Fake, Screen};
use crate::tui::app::{App, View};
use crate::tui::keymap::{self, Binding};
use crate::tui::overlay::Overlay;
use crate::tui::palette;
use std::fmt::Write;

/// Where keys are pressed: after these, from the start.
const SCENES: [&[&str]; 9] = [
    &[],
    &["Tab"],
    &["a", "s"],
    &["a", "r", "j"],
    &["/", "f", "a", "Enter"],
    &["t", "Tab"],
    &["2"],
    &["3"],
    &["4"],
];

/// The screen there, and the hands as they are then.
fn at(scene: &[&str]) -> (App, Fake) {
    let mut fake = super::frames::fake();
    let mut screen = Screen::new(&mut fake, (120, 36));
    screen.press(scene);
    let app = screen.engine.app.clone();
    (app, fake)
}

/// All that a key may have done, apart from time.
fn state(screen: &mut Screen<'_>) -> String {
    let outer = screen.engine.outer();
    let app = &screen.engine.app;
    let mut state = screen.text();
    let places = (
        &app.view,
        &app.places,
        &app.review.open,
        &app.review.current,
    );
    let decided = app.item().map(|item| (&item.decisions, &item.order));
    let _ = write!(
        state,
        "\n{places:?}\n{decided:?}\n{outer:?} {} {}",
        app.leaving,
        app.overlays.len()
    );
    state
}

/// Opens the list and selects a row of it.
fn select(screen: &mut Screen<'_>, binding: &Binding) {
    screen.at_once(&["?"]);
    let rows = palette::rows(&screen.engine.app);
    let row = rows.iter().position(|r| r.binding.name == binding.name);
    // As so many Downs would.
    if let Some(Overlay::Help { at, .. }) = screen.engine.app.overlays.last_mut() {
        *at = row.unwrap();
    }
}

#[test]
fn running_a_row_of_the_list_is_pressing_its_key() {
    for scene in SCENES {
        let (app, fake) = at(scene);
        for binding in keymap::of(app.view) {
            let Some(key) = binding.keys.first() else {
                continue;
            };
            let (mut by_key, mut by_row) = (fake.clone(), fake.clone());
            let pressed = {
                let mut screen = Screen::at(&mut by_key, &app);
                screen.press(&[key]);
                state(&mut screen)
            };
            let run = {
                let mut screen = Screen::at(&mut by_row, &app);
                select(&mut screen, binding);
                screen.press(&["Enter"]);
                state(&mut screen)
            };
            assert_eq!(pressed, run, "{} after {scene:?}", binding.name);
            assert_eq!(by_key.journal, by_row.journal, "{}", binding.name);
            assert_eq!(by_key.said, by_row.said, "{}", binding.name);
            assert!(by_key.applied.is_empty() && by_row.applied.is_empty());
        }
    }
}

#[test]
fn a_row_that_was_not_on_the_screen_decides_nothing() {
    let (app, mut fake) = at(&[]);
    let mut screen = Screen::at(&mut fake, &app);
    screen.at_once(&["?", "a", "c", "c", "Enter"]);
    assert!(screen.text().contains("1 key ignored"), "{}", screen.text());
    screen.press(&["?"]);
    screen.at_once(&["r", "e", "j", "Enter"]);
    assert!(screen.text().contains("1 key ignored"), "{}", screen.text());
    screen.press(&["?", "r", "e", "j", "Enter"]);
    assert!(screen.text().contains("[r]"), "{}", screen.text());
    assert_eq!(fake.journal.len(), 1);
}

#[test]
fn the_list_holds_every_key_of_the_view_and_why_one_does_nothing_now() {
    for scene in SCENES {
        let (app, mut fake) = at(scene);
        let view = app.view;
        let mut other = fake.clone();
        let mut screen = Screen::at(&mut fake, &app);
        screen.press(&["?"]);
        let rows = palette::rows(&screen.engine.app);
        let mut listed = screen.text();
        for _ in 0..rows.len().div_ceil(10) {
            screen.at_once(&["Down"; 10]);
            listed.push_str(&screen.text());
        }
        screen.press(&["Esc"]);
        for binding in keymap::of(view) {
            let keys = binding.keys_text();
            let row = listed.lines().find(|row| {
                let mut words = row.trim_start_matches(['▌', ' ']).split("  ");
                let first = words.next().unwrap_or_default();
                let names = row.contains(&format!(" {} ", binding.name));
                (first == keys || keys.is_empty() || keys.len() > 13) && names
            });
            let row = row.unwrap_or_else(|| panic!("{} in {view:?}:\n{listed}", binding.name));
            let why = rows.iter().find(|r| r.binding.name == binding.name);
            let why = why.unwrap().why_not.clone();
            assert_eq!(row.contains("unavailable: "), why.is_some(), "{row}");
            let (Some(why), Some(key)) = (why, binding.keys.first()) else {
                continue;
            };
            let mut screen = Screen::at(&mut other, &app);
            screen.press(&[key]);
            let said = screen.engine.app.notice.clone();
            assert_eq!(said, Some(why), "{} after {scene:?}", binding.name);
        }
    }
}

#[test]
fn the_footer_names_keys_of_the_table_that_can_be_pressed_now() {
    for scene in SCENES {
        let (app, mut fake) = at(scene);
        let screen = Screen::at(&mut fake, &app);
        let footer = screen.text().lines().last().unwrap_or_default().to_owned();
        assert!(footer.trim_end().ends_with("? all keys"), "{footer}");
        let pairs = footer.trim().split("  ").filter(|p| !p.is_empty());
        for pair in pairs {
            let (key, label) = pair.trim().split_once(' ').unwrap();
            let binding = keymap::find(app.view, key).unwrap_or_else(|| panic!("{pair:?}"));
            assert!(label.starts_with(binding.label), "{pair:?}");
            let can = crate::tui::enabled::check(&app, binding.action).is_ok();
            assert!(can || binding.name == "apply", "{pair:?} after {scene:?}");
        }
    }
}

#[test]
fn no_key_that_can_be_pressed_is_silent() {
    let moves = "down up next-entry previous-entry next-file previous-file next-proposal \
        previous-proposal read-on line-down line-up half-page-down half-page-up page-down page-up \
        first last left right next-pane previous-pane escape redraw view-review view-memory \
        view-archive view-log not-secret open";
    for scene in SCENES {
        let (app, fake) = at(scene);
        if app.view != View::Review {
            continue;
        }
        for binding in keymap::of(app.view) {
            let Some(key) = binding.keys.first() else {
                continue;
            };
            let mut fake = fake.clone();
            let mut screen = Screen::at(&mut fake, &app);
            screen.engine.app.notice = None;
            let before = state(&mut screen);
            screen.press(&[key]);
            let after = state(&mut screen);
            let is_move = moves.split_whitespace().any(|name| name == binding.name);
            assert!(is_move || before != after, "{key} after {scene:?}");
        }
    }
}
