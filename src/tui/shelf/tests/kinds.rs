//! The log by kinds.

use super::samples::fake;
use super::{Screen, Wish};

const SIZES: [(u16, u16); 3] = [(120, 36), (80, 24), (40, 10)];

#[test]
fn f_in_the_log_shows_one_kind_after_the_other_and_says_which() {
    for size in SIZES {
        let (mut fake, _) = fake(Vec::new());
        let mut screen = Screen::new(&mut fake, size);
        screen.press(&["4"]);
        let shows = |screen: &Screen<'_>| {
            let text = screen.text().replace("by hand:", "");
            let heads = ["session-end", "discarded", "revert of", "by hand"];
            heads.map(|head| text.contains(head))
        };
        assert_eq!(shows(&screen), [true; 4], "{}", screen.text());
        let kinds = [
            ("let in: 1 of 4 events", [true, false, false, false]),
            ("kept out: 2 of 4 events", [true, true, false, false]),
            ("taken back: 1 of 4 events", [false, false, true, false]),
            ("by hand: 1 of 4 events", [false, false, false, true]),
        ];
        for (said, seen) in kinds {
            screen.press(&["f"]);
            let text = screen.text();
            assert!(text.contains(said), "{said}: {text}");
            assert_eq!(shows(&screen), seen, "{text}");
        }
        screen.press(&["f"]);
        let text = screen
            .text()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let none = "No event of this kind: leave, keys, secrets. f shows the next kind.";
        assert!(text.contains(none), "{text}");
        screen.press(&["v"]);
        assert!(screen.text().contains("select what"), "{}", screen.text());
        screen.press(&["f"]);
        assert_eq!(shows(&screen), [true; 4], "{}", screen.text());
    }
}

#[test]
fn keys_and_searches_go_over_what_the_log_shows_alone() {
    let (mut fake, asked) = fake(Vec::new());
    let mut screen = Screen::new(&mut fake, (80, 24));
    // Rejected: the apply that let some out, and what was discarded after what was done by hand.
    screen.press(&["4", "f", "f"]);
    let details = |w: &Wish| match w {
        Wish::Details(event) => Some(event.what.name()),
        _ => None,
    };
    let last = || asked.borrow().iter().filter_map(details).next_back();
    screen.press(&["]"]);
    assert_eq!(last(), Some("discard"));
    screen.press(&["]"]);
    assert_eq!(last(), Some("discard"));
    screen.press(&["k"]);
    assert_eq!(last(), Some("apply"));
    screen.press(&["/", "s", "t", "a", "t", "e", ".", "m", "d", "Enter"]);
    let text = screen.text();
    assert!(!text.contains("by hand"), "{text}");
    // What was selected and is not shown gives way to what is.
    screen.press(&["Esc", "G", "f"]);
    assert_eq!(last(), Some("revert"));
}
