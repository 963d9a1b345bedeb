//! How it feels: a stranger finds the way out by the footer, and keys that come faster than frames
//! are answered by few of them.

use super::staged::Staged;
use crate::screen::Screen;
use crate::seed::addition;
use memd::git::Repo;
use memd::memory::MemoryFile::Todo;

/// The footer as a person reads it: keys, and what each does.
fn footer(screen: &Screen) -> Vec<(String, String)> {
    let footer = screen.rows().last().cloned().unwrap_or_default();
    let pairs = footer.trim().split("  ").map(str::trim);
    let pairs = pairs.filter_map(|pair| pair.split_once(' '));
    pairs
        .map(|(k, what)| (k.to_owned(), what.to_owned()))
        .collect()
}

/// The key that the footer names for this, and before it the one that reads on.
#[track_caller]
fn offered(screen: &mut Screen, label: &str) -> String {
    let of = |screen: &Screen| {
        let all = footer(screen);
        let means = |what: &str| what.split(' ').next() == Some(label);
        let more = all.iter().find(|(_, what)| what == "read on");
        let named = all.iter().find(|(_, what)| means(what));
        let more = more.filter(|(k, _)| k == "Space");
        more.or(named).map(|(key, _)| key.clone())
    };
    let what = format!("{label} in the footer");
    screen.wait_until(&what, |s| of(s).is_some());
    of(screen).unwrap()
}

#[test]
fn a_stranger_reaches_a_written_commit_by_the_footer_alone() {
    for size in [(120, 36), (80, 24), (40, 10)] {
        let staged = Staged::new(vec![addition(1, Todo, "- [ ] Retries are 3")]);
        let mut screen = staged.review().size(size.0, size.1).start();
        let mut pressed = Vec::new();
        for label in ["accept", "apply", "apply", "quit"] {
            loop {
                let key = offered(&mut screen, label);
                screen.press(&key);
                screen.quiet();
                pressed.push(key);
                if pressed.last().is_some_and(|key| key != "Space") {
                    break;
                }
            }
        }
        assert!(pressed.len() <= 6, "{pressed:?}");
        pressed.retain(|key| key != "Space");
        assert_eq!(pressed, ["a", "w", "y", "q"], "{size:?}");
        assert_eq!(screen.finish(), 0);
        screen.wait_for("applied 1, rejected 0, 0 left");
        assert!(staged.seed.text(Todo).contains("Retries are 3"));
        let repo = Repo::open(&staged.seed.root.join(".memory")).unwrap();
        let log = format!("{:?}", repo.log(10).unwrap());
        assert!(log.contains(staged.id.as_str()), "{log}");
    }
}

#[test]
fn a_key_held_down_is_answered_by_few_frames_each_sent_as_one() {
    let staged = Staged::facts(40);
    let mut screen = staged.open();
    screen.quiet();
    let before = screen.bytes().len();
    // As a slow link delivers it.
    screen.send(&"jk".repeat(150));
    screen.send("j");
    screen.wait_for("▌ [ ] Fact 2");
    screen.quiet();
    let new = String::from_utf8(screen.bytes()[before..].to_vec()).unwrap();
    let frames = new.matches("\x1b[?2026h").count();
    assert!((1..=40).contains(&frames), "{frames} frames for 301 keys");
    assert_eq!(new.matches("\x1b[?2026l").count(), frames);
    // Nothing is sent beside the frames.
    let mut rest = new.as_str();
    while let Some(frame) = rest.strip_prefix("\x1b[?2026h") {
        let (inside, after) = frame.split_once("\x1b[?2026l").unwrap();
        assert!(!inside.contains("\x1b[?2026h"), "{inside:?}");
        rest = after;
    }
    assert_eq!(rest, "");
    assert!(new.len() < 40 * 1_024, "{} bytes", new.len());
}

#[test]
fn the_mouse_is_the_terminals_own() {
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    screen.press_for("%", "no key here");
    screen.press("Q");
    screen.finish();
    let bytes = String::from_utf8_lossy(screen.bytes()).into_owned();
    for mode in ["?1000h", "?1002h", "?1003h", "?1006h"] {
        assert!(!bytes.contains(mode), "{mode}");
    }
}
