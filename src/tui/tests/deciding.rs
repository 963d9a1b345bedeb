//! What decides, and on what: changes taller than the screen, all at once, checks that fail until
//! an edit mends them, the sheet.

use super::frames::{item, proposal};
use super::{Fake, Screen};
use crate::memory::MemoryFile;
use crate::proposal::{Change, Decision, Kind, Level, Op, Target, Verdict};
use crate::review::{Item, Judged, samples};
use crate::text::{TextHash, hidden};
use crate::tui::msg::Msg;
use Level::{Block, Pass, Warn};

fn fake(changes: Vec<Change>) -> Fake {
    Fake {
        items: vec![item(proposal("0000000a", changes))],
        ..Fake::default()
    }
}

#[track_caller]
fn assert_shows(screen: &Screen<'_>, text: &str) {
    let all = screen.text();
    assert!(all.contains(text), "{text:?} in\n{all}");
}

#[track_caller]
fn assert_hides(screen: &Screen<'_>, text: &str) {
    let all = screen.text();
    assert!(!all.contains(text), "{text:?} in\n{all}");
}

/// An addition of so many lines.
fn tall(lines: usize, level: Level) -> Change {
    let rows: Vec<_> = (1..=lines).map(|n| format!("  - row {n}.")).collect();
    Change {
        text: format!("- A tall one\n{}", rows.join("\n")),
        ..samples::change(1, level)
    }
}

#[test]
fn the_first_a_on_a_tall_change_reads_on_and_says_so() {
    for level in [Pass, Warn] {
        let mut fake = fake(vec![tall(60, level), samples::change(2, Pass)]);
        let mut screen = Screen::new(&mut fake, (80, 24));
        assert_hides(&screen, "row 60.");
        screen.press(&["a"]);
        assert_shows(&screen, "read it to its end, then a accepts it");
        assert_shows(&screen, "row 20.");
        assert!(screen.engine.app.item().unwrap().decisions.is_empty());
        let mut pressed = 1;
        while !screen.text().contains("row 60.") {
            screen.press(&["Space"]);
            pressed += 1;
            assert!(pressed < 10, "{}", screen.text());
        }
        screen.press(&["a"]);
        assert_eq!(screen.engine.app.review.current.as_ref().unwrap().n, 2);
        assert_eq!(fake.journal.len(), 1, "{level:?}");
        assert_eq!(fake.journal[0].1, Decision::Accepted);
    }
}

#[test]
fn what_was_jumped_over_was_not_read() {
    let mut fake = fake(vec![tall(200, Pass)]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    // To its end, past what lies between.
    screen.press(&["G"]);
    for _ in 0..20 {
        screen.press(&["J"]);
    }
    screen.press(&["a"]);
    // Back to where reading had come to.
    assert_shows(&screen, "row 20.");
    assert_shows(&screen, "read it to its end, then a accepts it");
    assert!(fake.journal.is_empty());
}

#[test]
fn all_is_accepted_only_by_a_y_and_what_is_flagged_or_unseen_is_named() {
    let mut changes: Vec<_> = (1..=3).map(|n| samples::change(n, Pass)).collect();
    changes.push(samples::change(4, Warn));
    changes.push(Change {
        n: 5,
        ..tall(60, Pass)
    });
    let mut fake = fake(changes);
    let mut screen = Screen::new(&mut fake, (80, 24));
    for answer in ["A", "Enter", "Space", "Down", "a", "w", "Esc"] {
        screen.press(&["A"]);
        assert_shows(&screen, "Accept 3 undecided changes?");
        for n in 1..=3 {
            assert_shows(&screen, &format!("   Fact {n}"));
        }
        assert_shows(
            &screen,
            "1 has not been on screen to its end and stays undecided:",
        );
        assert_shows(&screen, "1 flagged, to be decided one by one:");
        assert_shows(&screen, "! Fact 4 (near-duplicate)");
        screen.press(&[answer]);
        assert_eq!(screen.engine.app.item().unwrap().decisions.len(), 0);
        screen.press(&["Esc"]);
    }
    screen.press(&["A", "y"]);
    let open = screen.engine.app.item().unwrap().undecided();
    assert!(open.contains(&4) && open.contains(&5), "{open:?}");
    assert_shows(
        &screen,
        "3 changes accepted; 1 not shown to the end and not accepted",
    );
    // What stands in one batch with the question answers nothing.
    screen.press(&["u"]);
    screen.at_once(&["A", "y"]);
    assert_eq!(screen.engine.app.item().unwrap().decisions.len(), 0);
    assert_shows(&screen, "ignored");
}

#[test]
fn what_was_changed_on_disk_says_what_its_keys_do_and_how_it_comes_back() {
    let mut fake = fake(vec![samples::change(1, Pass)]);
    fake.items[0].proposal.kind = Kind::ChangedOnDisk;
    let mut screen = Screen::new(&mut fake, (110, 30));
    screen.press(&["B"]);
    assert_shows(&screen, "made from no material");
    assert_hides(&screen, "A note to the curator");
    screen.press(&["?", "r", "e", "j", "e", "c", "t"]);
    assert_shows(&screen, "reject: it is taken out of its file");
    assert_hides(&screen, "memory stays as it is");
    screen.press(&["Esc", "Esc", "R"]);
    assert_shows(&screen, "of a secret its placeholder only");
    screen.press(&["y", "w"]);
    assert_shows(&screen, "memd restore FILE --at");
    assert_hides(&screen, "memd revert");
}

#[test]
fn all_is_rejected_by_a_y_and_comes_back_whole() {
    let mut fake = fake((1..=5).map(|n| samples::change(n, Pass)).collect());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["a", "r", "s", "a"]);
    let before = screen.engine.app.item().unwrap().decisions.clone();
    assert_eq!(before.len(), 3);
    for answer in ["n", "Esc", "q", "Enter", "R"] {
        screen.press(&["R"]);
        assert_shows(&screen, "Reject 4 changes?");
        assert_shows(&screen, "2 of them are accepted so far");
        screen.press(&[answer, "Esc"]);
        assert_eq!(screen.engine.app.item().unwrap().decisions, before);
    }
    screen.press(&["R", "y"]);
    let item = screen.engine.app.item().unwrap();
    assert!(item.decisions.values().all(|d| *d == Decision::Rejected));
    assert_eq!(item.decisions.len(), 5);
    screen.press(&["u"]);
    assert_eq!(screen.engine.app.item().unwrap().decisions, before);
    assert!(!screen.engine.app.leaving);
}

/// Hidden characters block; a file may lose one of its entries.
fn judge(item: &Item) -> Judged {
    let verdict = |guard: &str, level, reason: &str| Verdict {
        guard: guard.to_owned(),
        level,
        reason: reason.to_owned(),
    };
    let bad = |n: &u32| !hidden(item.text(*n)).is_empty();
    let of = |n: u32| (n, vec![verdict("hidden", Block, "a ZWSP in it")]);
    let goes = |n: &u32| item.change(*n).is_some_and(|c| c.op == Op::Archive);
    let lost = item.chosen().iter().filter(|n| goes(n)).count();
    let loss = vec![verdict(
        "loss",
        Block,
        "state.md would lose 90 % of its text",
    )];
    Judged {
        changes: item.order.iter().copied().filter(bad).map(of).collect(),
        files: (lost > 1)
            .then_some((MemoryFile::State, loss))
            .into_iter()
            .collect(),
        ..item.judged.clone()
    }
}

#[test]
fn an_edit_that_mends_a_failing_change_is_taken_and_the_failure_is_gone_with_it() {
    let change = Change {
        text: "- Deploys\u{200B} go through make".to_owned(),
        ..samples::change(1, Pass)
    };
    let mut fake = fake(vec![change, samples::change(2, Pass)]);
    fake.judges = Some(judge);
    fake.typed = Some("- Deploys go\u{200B} through make".to_owned());
    let blocked = judge(&fake.items[0]);
    fake.items[0].judged = blocked;
    let mut screen = Screen::new(&mut fake, (80, 24));
    assert_shows(&screen, "x FAIL hidden: a ZWSP in it");
    assert_shows(&screen, "1 FAIL");
    screen.press(&["a"]);
    assert_shows(&screen, "cannot be accepted: hidden: a ZWSP in it");
    assert_hides(&screen, "[a]");
    screen.press(&["e"]);
    screen.come_back_from_editor();
    // Still hidden: nothing is decided, and the text is kept for the next try.
    assert_shows(&screen, "not taken: hidden: a ZWSP in it");
    assert_shows(&screen, "[ ] Deploys");
    screen.wait(200);
    screen.press(&[":", "s", "t", "r", "i", "p", "Enter"]);
    assert_shows(&screen, "[e] Deploys go through make");
    assert_hides(&screen, "x FAIL");
    assert_shows(&screen, "0 FAIL");
    drop(screen);
    fake.typed = Some("- Deploys go through just".to_owned());
    fake.journal.clear();
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["e"]);
    screen.come_back_from_editor();
    // The same frame.
    assert_shows(&screen, "[e] Deploys go through just");
    assert_hides(&screen, "x FAIL");
    assert_shows(&screen, "0 FAIL");
    let edited = Decision::Edited("- Deploys go through just".to_owned());
    assert_eq!(fake.journal.last().unwrap().1, edited);
}

fn goes(n: u32) -> Change {
    let text = format!("- Entry {n} that leaves");
    Change {
        op: Op::Archive,
        target: Some(Target {
            entry: None,
            hash: TextHash::of(&text),
            text,
            ordinal: 0,
        }),
        text: String::new(),
        ..samples::change(n, Pass)
    }
}

#[test]
fn what_a_file_would_lose_is_judged_with_each_decision() {
    let beside = samples::change(3, Pass);
    for changes in [vec![goes(1), goes(2), beside], vec![goes(1), goes(2)]] {
        let n = changes.len();
        let mut fake = fake(changes);
        fake.judges = Some(judge);
        let mut screen = Screen::new(&mut fake, (80, 24));
        screen.press(&vec!["a"; n]);
        assert_shows(&screen, "x FAIL loss: state.md would lose 90 %");
        assert_shows(&screen, "1 FAIL");
        screen.press(&["G", "r"]);
        assert_hides(&screen, "x FAIL loss");
        assert_shows(&screen, "0 FAIL");
        screen.press(&["G", "a"]);
        assert_shows(&screen, "x FAIL loss: state.md would lose 90 %");
    }
}

#[test]
fn an_archive_move_is_one_change_shown_once() {
    let mut fake = fake(vec![goes(1), samples::change(2, Pass)]);
    let screen = Screen::new(&mut fake, (120, 36));
    let text = screen.text();
    let of = |what: &str| text.matches(what).count();
    // In the list, as a title, and as the line that goes.
    assert_eq!(of("[ ] Entry 1 that leav"), 2, "{text}");
    assert_eq!(of("- - Entry 1 that leaves"), 1, "{text}");
    assert_eq!(of("+ - Entry 1"), 0, "{text}");
}

#[test]
fn what_was_typed_for_a_proposal_that_went_meanwhile_is_kept() {
    let mut fake = fake(vec![samples::change(1, Pass)]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["i", "x", "y"]);
    screen.engine.send(Msg::News(Vec::new()));
    screen.press(&["Ctrl-s"]);
    assert_shows(&screen, "your text is kept in kept-1.md");
    drop(screen);
    assert!(fake.kept[0].ends_with("xy"), "{:?}", fake.kept);

    // One that a check refused is not lost either.
    fake.judges = Some(|item| {
        let mut judged = item.judged.clone();
        let verdict = Verdict {
            guard: "hidden".to_owned(),
            level: Level::Block,
            reason: "a ZWSP in it".to_owned(),
        };
        judged.changes.insert(1, vec![verdict]);
        judged
    });
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["e"]);
    screen.come_back_from_editor();
    assert_shows(&screen, "not taken");
    screen.engine.send(Msg::News(Vec::new()));
    drop(screen);
    assert_eq!(fake.kept[1..], ["- Edited"]);
}
