//! What was hidden, by secret, and what a person says of it.

use super::*;
use crate::redact::{Confidence, Hit, Pass};
use crate::source::Place;

fn hit(fingerprint: &str, rule: &str, confidence: Confidence, place: Option<(&str, u64)>) -> Hit {
    Hit {
        rule: rule.to_owned(),
        offset: 3,
        length: "32-63".to_owned(),
        fingerprint: fingerprint.repeat(8),
        confidence,
        pass: match place {
            Some(_) => Pass::Material,
            None => Pass::Reply,
        },
        place: place.map(|(source, offset)| Place {
            source: format!("/home/user/.claude/projects/demo/{source}.jsonl"),
            offset,
        }),
    }
}

fn item() -> Item {
    let mut item = made_up::item("0000000a", 0, &[Level::Pass]);
    let (sure, named) = (Confidence::Certain, Confidence::ByName);
    item.proposal.hits = vec![
        hit("aa01", "github_pat", sure, Some(("7f3a", 40))),
        hit("3f9a", "assignment", named, Some(("7f3a", 90))),
        hit("3f9a", "assignment", named, Some(("7f3a", 90))),
        hit("3f9a", "known_value", named, Some(("91c2", 700))),
        hit("77b0", "jwt", Confidence::Likely, None),
    ];
    item
}

#[test]
fn secrets_are_rows_with_their_places_at_every_size() {
    let sizes = [
        ((120, 36), "large"),
        ((60, 30), "narrow"),
        ((40, 10), "small"),
    ];
    for (size, called) in sizes {
        let (mut fake, _) = fake(vec![item()]);
        let mut screen = Screen::new(&mut fake, size);
        match called {
            "small" => screen.press(&["t", "t", "t", "t", "Enter", "Enter"]),
            _ => screen.press(&["t", "t", "t", "Tab", "Enter"]),
        }
        insta::assert_snapshot!(format!("secrets-{called}"), screen.text());
    }
}

#[test]
fn a_row_is_opened_and_a_place_leads_to_its_session() {
    let (mut fake, asked) = fake(vec![item()]);
    let mut screen = Screen::new(&mut fake, (100, 36));
    screen.press(&["t", "t", "t", "Tab"]);
    assert!(!screen.text().contains("700 of"), "{}", screen.text());
    screen.press(&["Enter"]);
    assert!(screen.text().contains("700 of"), "{}", screen.text());
    screen.press(&["j", "j", "Enter"]);
    let found = |w: &Wish| matches!(w, Wish::HiddenAt(_, place, mark) if place.offset == 700 && mark == "#3f9a]");
    assert!(asked.borrow().iter().any(found));
    screen.press(&["k", "k", "Enter"]);
    assert!(!screen.text().contains("700 of"), "{}", screen.text());
}

#[test]
fn what_is_certainly_a_secret_takes_a_word_besides() {
    let (mut fake, asked) = fake(vec![item()]);
    let mut screen = Screen::new(&mut fake, (100, 36));
    screen.press(&["t", "t", "t", "Tab", "j", "j", "!"]);
    let text = screen.text();
    assert!(text.contains("its checksum fits"), "{text}");
    screen.press(&["y"]);
    assert!(
        screen.text().contains("Type \"no secret\""),
        "{}",
        screen.text()
    );
    let said = |w: &Wish| matches!(w, Wish::NotSecret(_));
    screen.press(&["y", "e", "s", "Enter"]);
    assert!(
        screen.text().contains("nothing was done"),
        "{}",
        screen.text()
    );
    assert!(!asked.borrow().iter().any(said));
    screen.press(&["!", "y"]);
    let keys = ["n", "o", "Space", "s", "e", "c", "r", "e", "t", "Enter"];
    screen.press(&keys);
    assert!(asked.borrow().iter().any(said));
}

#[test]
fn a_text_is_selected_and_asked_about_before_it_is_called_a_secret() {
    let (mut fake, asked) = fake(vec![item()]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["*", "W", "W"]);
    insta::assert_snapshot!("marking-usual", screen.text());
    screen.press(&["Enter"]);
    insta::assert_snapshot!("also-secret-usual", screen.text());
    let said = |w: &Wish| matches!(w, Wish::AlsoSecret(_));
    screen.press(&["Esc", "Esc"]);
    assert!(!asked.borrow().iter().any(said));
    screen.press(&["*", "W", "W", "Enter", "Space", "y"]);
    assert!(asked.borrow().iter().any(said));
    assert!(
        screen.text().contains("a secret from now on"),
        "{}",
        screen.text()
    );
    // What was said is printed nowhere, not even for the sake of a trace.
    let spoken = crate::tui::shelf::Spoken::new("the text");
    assert_eq!(
        format!("{:?}", Wish::AlsoSecret(spoken)),
        "AlsoSecret(Spoken)"
    );
}

#[test]
fn what_is_selected_is_in_sight_on_a_long_line_of_a_small_screen() {
    let words: Vec<String> = (0..60).map(|n| format!("word{n:03}")).collect();
    for size in [(40, 8), (40, 11), (80, 24)] {
        let mut item = item();
        item.proposal.changes[0].text = format!("- {}", words.join(" "));
        let (mut fake, _) = fake(vec![item]);
        let mut screen = Screen::new(&mut fake, size);
        screen.press(&["*"]);
        for word in &words {
            let text = screen.text();
            let rows = text.lines().filter(|row| row.contains(word.as_str()));
            assert!(text.contains(&format!("selected: {word}")), "{text}");
            assert!(rows.count() >= 2, "{text}");
            screen.press(&["w"]);
        }
    }
}

#[test]
fn what_is_listed_can_be_selected_from_where_nothing_waits() {
    for keys in [
        &["2"][..],
        &["2", "h", "h", "h"],
        &["3", "Enter"],
        &["3", "h", "h"],
        &["4"],
        &["4", "Enter"],
    ] {
        for size in [(100, 36), (60, 20)] {
            let (mut fake, _) = fake(Vec::new());
            let mut screen = Screen::new(&mut fake, size);
            screen.press(keys);
            screen.press(&["*"]);
            let text = screen.text();
            assert!(text.contains("which text is a secret"), "{keys:?} {text}");
        }
    }
}

#[test]
fn no_key_on_a_selection_breaks_at_any_size() {
    for size in [(1, 1), (20, 4), (40, 8), (60, 10), (200, 60)] {
        let (mut fake, _) = fake(vec![item()]);
        let mut screen = Screen::new(&mut fake, size);
        screen.press(&["*"]);
        for key in [
            "j", "w", "L", "L", "H", "h", "h", "l", "W", "b", "k", "k", "G", "Enter", "Esc",
        ] {
            screen.press(&[key]);
            screen.text();
        }
    }
}
