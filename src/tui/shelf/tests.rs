//! The other views played without a terminal: what they ask, what they do, how they look.

mod kinds;
mod samples;
mod secrets;
mod typed;

use super::{Side, Wish};
use crate::apply;
use crate::proposal::Level;
use crate::review::{Item, samples as made_up};
use crate::tui::tests::Screen;
use samples::{Asked, fake, project, proposal, reverse};

const SIZES: [((u16, u16), &str); 3] = [
    ((120, 36), "large"),
    ((80, 24), "usual"),
    ((40, 10), "small"),
];

/// Plays keys and keeps the frame at each size.
fn frames(name: &str, items: &[Item], keys: &[&str]) {
    for (size, called) in SIZES {
        let (mut fake, _) = fake(items.to_vec());
        let mut screen = Screen::new(&mut fake, size);
        screen.press(keys);
        let text = screen.text();
        assert!(!text.contains(['\u{1b}', '\u{202E}', '\u{200B}']), "{text}");
        insta::assert_snapshot!(format!("{name}-{called}"), text);
    }
}

#[test]
fn memory_is_calm_at_every_size() {
    frames("memory", &[], &["2"]);
    frames("memory-basis", &[], &["2", "Enter"]);
    frames("memory-seal", &[], &["2", "t", "t", "t"]);
    frames("memory-list", &[], &["2", "h"]);
    frames("memory-confirm", &[], &["2", "C"]);
    frames("memory-archive", &[], &["2", "m", "o", "l", "d"]);
}

#[test]
fn a_transcript_is_calm_at_every_size() {
    frames("transcript", &[], &["2", "Enter", "j", "j", "Enter"]);
    frames(
        "transcript-gone",
        &[],
        &["2", "Enter", "j", "j", "j", "Enter"],
    );
}

#[test]
fn the_archive_is_calm_at_every_size() {
    frames("archive", &[], &["3", "Enter"]);
    frames("archive-search", &[], &["3", "/", "P", "o", "s"]);
}

#[test]
fn the_log_is_calm_at_every_size() {
    frames("log", &[], &["4"]);
    frames("log-open", &[], &["4", "Enter", "j", "j"]);
    frames("log-revert", &[], &["4", "v"]);
    frames("log-revert-end", &[], &["4", "v", "G"]);
}

#[test]
fn from_an_entry_two_enters_lead_to_its_session() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2", "Enter"]);
    let text = screen.text();
    assert!(text.contains("distill 9f8e7d12"), "{text}");
    assert!(text.contains("session 7f3a91c2"), "{text}");
    screen.press(&["Enter"]);
    assert!(
        screen.text().contains("this is what is cited"),
        "{}",
        screen.text()
    );
    let line = Wish::Transcript(proposal("9f8e7d12"), 1);
    assert!(asked.borrow().contains(&line));
}

#[test]
fn a_transcript_is_read_on_at_its_ends_and_stays_where_it_was() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (80, 12));
    screen.press(&["2", "t", "Enter", "Enter"]);
    screen.press(&["g", "k"]);
    let before = |w: &Wish| matches!(w, Wish::ReadOn(_, _, Side::Before));
    assert_eq!(asked.borrow().iter().filter(|w| before(w)).count(), 1);
    assert!(
        screen.text().contains("Postgres or SQLite"),
        "{}",
        screen.text()
    );
    screen.press(&["G", "j"]);
    let after = |w: &Wish| matches!(w, Wish::ReadOn(_, _, Side::After));
    assert_eq!(asked.borrow().iter().filter(|w| after(w)).count(), 1);
}

#[test]
fn a_confirmation_counts_after_its_page_was_read_and_is_one_act() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2"]);
    screen.at_once(&["C", "y"]);
    let confirmed = || asked.borrow().iter().filter(|w| w.writes()).count();
    assert_eq!(confirmed(), 0, "typed before it was on screen");
    screen.press(&["Enter", "y"]);
    assert_eq!(confirmed(), 1);
    screen.press(&["C", "Esc"]);
    assert_eq!(confirmed(), 1);
}

#[test]
fn what_one_does_to_an_entry_is_staged_and_decided_in_the_review() {
    for (key, reason) in [
        ("m", &["o", "l", "d", "Enter"][..]),
        ("X", &["n", "o", "Enter"]),
    ] {
        let own = made_up::item("0000000c", 0, &[Level::Pass]);
        let (mut fake, asked) = fake(vec![own]);
        let mut screen = Screen::new(&mut fake, (80, 24));
        screen.press(&["2", key]);
        screen.press(reason);
        let text = screen.text();
        assert!(text.contains("[1 Review 1]"), "{text}");
        assert!(text.contains("staged as your own change"), "{text}");
        let asked = asked.borrow();
        let own = asked.iter().find_map(|w| match w {
            Wish::Own(_, wish) => Some(wish.clone()),
            _ => None,
        });
        match own.unwrap() {
            apply::Wish::Archive { reason, .. } => assert_eq!((key, reason.as_str()), ("m", "old")),
            apply::Wish::Tombstone { reason, .. } => {
                assert_eq!((key, reason.as_str()), ("X", "no"))
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn nobody_acts_on_what_nothing_vouches_for() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2", "j", "C"]);
    assert!(
        screen.text().contains("changed on disk"),
        "{}",
        screen.text()
    );
    screen.press(&["m", "X", "e"]);
    assert!(asked.borrow().iter().all(|w| !w.writes()));
}

#[test]
fn the_archive_is_searched_while_one_types_and_around_its_end() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (120, 36));
    screen.press(&["3", "/", "P", "o", "s"]);
    assert!(screen.text().contains("/Pos_"), "{}", screen.text());
    let finds = |w: &&Wish| matches!(w, Wish::Find(..));
    assert_eq!(asked.borrow().iter().filter(finds).count(), 3);
    screen.press(&["Enter"]);
    assert!(screen.text().contains("hit 1 of 2"), "{}", screen.text());
    screen.press(&["n"]);
    assert!(
        screen.text().contains("Postgres for the queue, 2026-08"),
        "{}",
        screen.text()
    );
    screen.press(&["n", "n"]);
    assert!(screen.text().contains("hit 2 of 2"), "{}", screen.text());
    screen.press(&["N"]);
    assert!(screen.text().contains("hit 1 of 2"), "{}", screen.text());
    screen.press(&["Esc", "n"]);
    assert!(
        screen.text().contains("nothing was searched for"),
        "{}",
        screen.text()
    );
}

#[test]
fn a_piece_comes_back_as_a_proposal_of_ones_own() {
    let own = made_up::item("0000000c", 0, &[Level::Pass]);
    let (mut fake, asked) = fake(vec![own]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["3", "Enter", "b"]);
    assert!(screen.text().contains("[1 Review 1]"), "{}", screen.text());
    let back = |w: &Wish| matches!(w, Wish::BringBack(_, month, 0, _) if month.name == "2026-09");
    assert!(asked.borrow().iter().any(back));
}

#[test]
fn a_revert_is_read_then_applied_as_one_and_what_conflicts_is_left() {
    let shown = reverse();
    let mut item = shown.item.clone();
    item.decisions.clear();
    let (mut fake, asked) = fake(vec![item]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["4"]);
    screen.at_once(&["v", "y"]);
    assert!(
        screen.text().contains("revert of 9f8e7d12"),
        "{}",
        screen.text()
    );
    screen.press(&["G", "Enter", "y"]);
    assert!(screen.text().contains("applied 1"), "{}", screen.text());
    let dropped = |w: &Wish| matches!(w, Wish::DropReverse(_));
    assert!(!asked.borrow().iter().any(dropped));
    drop(screen);
    assert_eq!(fake.applied, [vec![1]]);
    assert_eq!(fake.journal.len(), 1);
}

#[test]
fn a_revert_that_is_left_leaves_nothing() {
    for keys in [&["Esc"][..], &["q"], &["n"], &["Q"]] {
        let mut item = reverse().item;
        item.decisions.clear();
        let (mut fake, asked) = fake(vec![item]);
        let mut screen = Screen::new(&mut fake, (80, 24));
        screen.press(&["4", "v"]);
        screen.press(keys);
        let dropped = |w: &Wish| matches!(w, Wish::DropReverse(_));
        assert!(asked.borrow().iter().any(dropped), "{keys:?}");
        drop(screen);
        assert!(fake.applied.is_empty() && fake.journal.is_empty());
    }
}

#[test]
fn what_a_screen_was_started_for_comes_up_by_itself() {
    let mut item = reverse().item;
    item.decisions.clear();
    let (mut fake, _) = fake(vec![item]);
    let now = "2026-10-01T12:00:00Z".parse().unwrap();
    let mut app = crate::tui::App::new((80, 24), crate::tui::tests::look(), now);
    super::start_at_revert(&mut app, project(), proposal("9f8e7d12"));
    let mut engine = crate::tui::Engine::new(app, &mut fake);
    engine.start();
    assert_eq!(engine.app.overlays.len(), 1);
    assert_eq!(engine.app.view, crate::tui::app::View::Log);
}

#[test]
fn a_view_reads_what_it_shows_and_nothing_else() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2"]);
    let names = |asked: &Asked| -> Vec<String> {
        let name = |w: &Wish| {
            format!("{w:?}")
                .split(['(', ' '])
                .next()
                .unwrap()
                .to_owned()
        };
        asked.borrow().iter().map(name).collect()
    };
    assert_eq!(names(&asked), ["Last", "Projects", "Memory"]);
    screen.press(&["j", "k", "1", "2"]);
    assert_eq!(names(&asked).len(), 3, "nothing is read twice");
    assert!(!screen.engine.has_work());
}

#[test]
fn a_hidden_value_is_called_no_secret_after_a_page_that_says_what_that_means() {
    let mut item = made_up::item("0000000a", 0, &[Level::Pass]);
    item.proposal.hits = vec![crate::redact::Hit {
        rule: "assignment".to_owned(),
        offset: 3,
        length: "16-31".to_owned(),
        fingerprint: "0f".repeat(16),
        confidence: Default::default(),
        pass: Default::default(),
        place: None,
    }];
    let (mut fake, asked) = fake(vec![item]);
    let mut screen = Screen::new(&mut fake, (80, 30));
    screen.press(&["!"]);
    assert!(screen.text().contains("select a row"), "{}", screen.text());
    screen.press(&["t", "t", "t", "Tab", "j"]);
    screen.press(&["k", "!"]);
    let text = screen.text();
    assert!(text.contains("Is this value no secret?"), "{text}");
    assert!(text.contains("is no longer hidden"), "{text}");
    let said = |w: &Wish| matches!(w, Wish::NotSecret(h) if !h.is_secret && h.rule == "assignment");
    assert!(!asked.borrow().iter().any(said));
    screen.press(&["y"]);
    assert!(asked.borrow().iter().any(said));
    assert!(
        screen.text().contains("no secret from now on"),
        "{}",
        screen.text()
    );
}

#[test]
fn the_final_files_are_read_from_the_sheet() {
    let item = made_up::item("0000000a", 0, &[Level::Pass]);
    let (mut fake, _) = fake(vec![item]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["a", "w", "d"]);
    let text = screen.text();
    assert!(text.contains("the files as they would be"), "{text}");
    screen.press(&["Esc"]);
    assert!(
        screen.text().contains("Apply this proposal?"),
        "{}",
        screen.text()
    );
}

#[test]
fn every_size_of_every_view_and_page_is_painted_without_a_fault() {
    for size in [
        (1, 1),
        (39, 7),
        (40, 8),
        (60, 14),
        (80, 24),
        (99, 30),
        (100, 8),
        (200, 60),
    ] {
        let item = made_up::item("0000000a", 0, &[Level::Warn, Level::Pass]);
        for keys in [
            &["2", "Enter", "Enter", "k", "G", "j", "Esc", "Esc"][..],
            &["2", "t", "t", "t", "t", "C", "Space", "Esc"],
            &["2", "h", "g", "h", "l", "Enter", "p", "/", "q", "Esc"],
            &["3", "Enter", "Enter", "/", "P", "Enter", "n", "N", "Esc"],
            &[
                "4", "Enter", "j", "Esc", "v", "d", "G", "Esc", "p", "]", "[",
            ],
        ] {
            let (mut fake, _) = fake(vec![item.clone()]);
            let mut screen = Screen::new(&mut fake, size);
            for key in keys {
                screen.press(&[key]);
                let text = screen.text();
                assert!(size.0 < 40 || size.1 < 8 || text.contains("memd"), "{text}");
            }
        }
    }
}
