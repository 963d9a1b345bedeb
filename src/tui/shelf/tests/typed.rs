//! What a person typed is not lost, whatever happens to what it was typed for.

use super::samples::fake;
use crate::apply;
use crate::proposal::Level;
use crate::review::samples::item;
use crate::tui::shelf::{Heard, Wish};
use crate::tui::tests::{Fake, Screen};
use std::cell::Cell;
use std::rc::Rc;

const WHY: &str = "it no longer stands as it was let in";

/// Hands that stage nothing of one's own; the entry stands while `stands` says so.
fn refusing(stands: &Rc<Cell<bool>>) -> Fake {
    let (mut fake, _) = fake(Vec::new());
    let known = fake.library.take().unwrap();
    let stands = Rc::clone(stands);
    let answer = move |wish: &Wish| match wish {
        Wish::Own(..) => Some(Heard::NotWritten(WHY.to_owned())),
        Wish::EntryText(project, entry) if !stands.get() => {
            let gone = Err(WHY.to_owned());
            Some(Heard::EntryText(project.clone(), entry.clone(), gone))
        }
        wish => known(wish),
    };
    fake.library = Some(Rc::new(answer));
    fake.typed = Some("- As I want it".to_owned());
    fake
}

fn edit(screen: &mut Screen<'_>) {
    screen.press(&["e"]);
    screen.come_back_from_editor();
    screen.wait(200);
}

#[test]
fn an_edit_of_an_entry_that_went_meanwhile_is_put_aside_and_named() {
    let stands = Rc::new(Cell::new(false));
    let mut fake = refusing(&stands);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2"]);
    edit(&mut screen);
    let text = screen.text();
    assert!(text.contains("your text is kept in kept-1.md"), "{text}");
    screen.engine.leave();
    let farewell = screen.engine.app.farewell.join("\n");
    assert_eq!(farewell.matches("kept-1.md").count(), 1, "{farewell}");
    assert_eq!(fake.kept, ["- As I want it"]);
}

#[test]
fn an_edit_that_is_not_taken_is_gone_on_with_here_and_in_the_editor() {
    let stands = Rc::new(Cell::new(true));
    let mut fake = refusing(&stands);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2"]);
    edit(&mut screen);
    let text = screen.text();
    assert!(text.contains("e and i go on from your text"), "{text}");
    screen.press(&["i"]);
    assert!(screen.text().contains("As I want it"), "{}", screen.text());
    screen.press(&["!", "Ctrl-s"]);
    edit(&mut screen);
    screen.engine.leave();
    let farewell = screen.engine.app.farewell.join("\n");
    assert!(farewell.contains("kept-1.md"), "{farewell}");
    assert_eq!(fake.begun, ["", "- As I want it!"]);
    assert_eq!(fake.kept, ["- As I want it"]);
}

#[test]
fn an_entry_is_edited_here_and_what_was_typed_is_staged() {
    let (mut fake, asked) = fake(vec![item("0000000c", 0, &[Level::Pass])]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2", "i"]);
    assert!(screen.text().contains("As it stands"), "{}", screen.text());
    screen.press(&["Esc"]);
    screen.press(&["i", ".", "Ctrl-s"]);
    let text = screen.text();
    assert!(text.contains("staged as your own change"), "{text}");
    let own = asked.borrow().iter().find_map(|w| match w {
        Wish::Own(_, apply::Wish::Edit { text, .. }) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(own.as_deref(), Some("- As it stands."));
    screen.engine.leave();
    assert!(fake.kept.is_empty(), "{:?}", fake.kept);
}

#[test]
fn a_reason_that_was_left_or_came_to_nothing_is_not_typed_twice() {
    let stands = Rc::new(Cell::new(true));
    let mut fake = refusing(&stands);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2", "X", "o", "l", "d", "Esc", "X"]);
    assert!(screen.text().contains("> old_"), "{}", screen.text());
    screen.press(&["Enter"]);
    assert!(screen.text().contains(WHY), "{}", screen.text());
    // Another act has words of its own.
    screen.press(&["m"]);
    assert!(!screen.text().contains("> old_"), "{}", screen.text());
    screen.press(&["Esc", "X"]);
    assert!(screen.text().contains("> old_"), "{}", screen.text());
    screen.press(&["Enter", "q"]);
    screen.engine.leave();
    assert_eq!(fake.kept, ["old"]);
}

#[test]
fn what_is_being_typed_when_the_terminal_goes_is_put_aside() {
    let (mut fake, _) = fake(vec![item("0000000c", 0, &[Level::Pass])]);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["i", "!"]);
    screen.engine.leave();
    screen.press(&["Q"]);
    let mut again = Screen::new(&mut fake, (80, 24));
    again.press(&["B", "n", "o"]);
    again.engine.leave();
    let mut left = Screen::new(&mut fake, (80, 24));
    left.press(&["i", "!", "Esc", "Esc", "/", "x"]);
    left.engine.leave();
    assert_eq!(fake.kept, ["- Fact 1!", "no"]);
}

#[test]
fn what_is_typed_on_a_full_disk_is_asked_about_before_one_leaves_and_printed_then() {
    let stands = Rc::new(Cell::new(true));
    let mut fake = refusing(&stands);
    fake.full = Some("no space left on device".to_owned());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2"]);
    edit(&mut screen);
    for stay in ["Esc", "n", "q", "Enter"] {
        screen.press(&["q"]);
        let text = screen.text();
        for said in ["no space left", "As I want it", "y leave"] {
            assert!(text.contains(said), "{said}: {text}");
        }
        screen.press(&[stay]);
        assert!(!screen.engine.app.leaving);
    }
    screen.press(&["y"]);
    assert!(screen.engine.app.leaving);
    screen.engine.leave();
    let farewell = screen.engine.app.farewell.join("\n");
    assert_eq!(farewell.matches("could not be kept").count(), 1);
    assert!(
        farewell.ends_with("this is it:\n  | - As I want it"),
        "{farewell}"
    );
}

#[test]
fn what_could_not_be_kept_while_the_disk_was_full_is_tried_again_and_leaves_without_a_question() {
    let stands = Rc::new(Cell::new(false));
    let mut fake = refusing(&stands);
    fake.full = Some("no space left on device".to_owned());
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["2"]);
    edit(&mut screen);
    let text = screen.text();
    assert!(text.contains("printed when the review"), "{text}");
    let app = screen.engine.app.clone();
    fake.full = None;
    let mut screen = Screen::at(&mut fake, &app);
    screen.press(&["q"]);
    assert!(screen.engine.app.leaving);
    screen.engine.leave();
    let farewell = screen.engine.app.farewell.join("\n");
    assert_eq!(farewell.matches("kept-1.md").count(), 1, "{farewell}");
    assert_eq!(fake.kept, ["- As I want it"]);
}

#[test]
fn the_end_of_a_long_line_that_is_typed_is_in_sight_on_a_small_screen() {
    let (mut fake, _) = fake(vec![item("0000000c", 0, &[Level::Pass])]);
    let mut screen = Screen::new(&mut fake, (40, 10));
    screen.press(&["B"]);
    for word in 0..60 {
        let paste = format!("word{word} ");
        screen.engine.send(crate::tui::msg::Msg::Paste(paste));
    }
    let text = screen.text();
    assert!(
        text.contains("word59") && text.contains("the end"),
        "{text}"
    );
}
