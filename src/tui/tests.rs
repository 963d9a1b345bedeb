//! The screen played without a terminal: keys in, frames out.

use super::app::{App, Look};
use super::engine::{Engine, Outer};
use super::hands::{Hands, Seen};
use super::input::{Chord, Key};
use super::msg::Msg;
use super::shelf::{Heard, Wish};
use super::theme::{Marks, Theme};
use super::view::view;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::proposal::{Decision, Level};
use crate::review::desk::{Decisions, Desk, Done, NotDone};
use crate::review::samples::item;
use crate::review::{ChangeRef, Item, Judged, Sheet, Waiting};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::BTreeMap;

/// Answers for the other views.
pub(super) type Library = std::rc::Rc<dyn Fn(&Wish) -> Option<Heard>>;

/// Hands that keep a journal and write nothing.
#[derive(Clone, Default)]
pub(super) struct Fake {
    pub items: Vec<Item>,
    pub journal: Vec<(ChangeRef, Decision)>,
    pub undone: Vec<(ChangeRef, Decision)>,
    pub applied: Vec<Vec<u32>>,
    pub said: Vec<String>,
    pub busy: usize,
    /// What the other views are told.
    pub library: Option<Library>,
    /// How what is chosen is judged; none: as the items came.
    pub judges: Option<fn(&Item) -> Judged>,
    /// What comes out of the editor.
    pub typed: Option<String>,
    /// With what the editor was begun.
    pub begun: Vec<String>,
    /// Texts that were put aside.
    pub kept: Vec<String>,
    /// Why nothing can be put aside, while so.
    pub full: Option<String>,
    /// Texts that could not be.
    pub unkept: Vec<String>,
}

impl Fake {
    fn item(&self, id: &ProposalId) -> Option<&Item> {
        self.items.iter().find(|i| i.proposal.id == *id)
    }
}

impl Desk for Fake {
    fn queue(&mut self) -> Result<Vec<Waiting>, String> {
        let unread = |item: &Item| Waiting {
            item: None,
            ..Waiting::from(item.clone())
        };
        Ok(self.items.iter().map(unread).collect())
    }

    fn open(&mut self, id: &ProposalId) -> Result<Item, String> {
        let mut item = self.item(id).cloned().ok_or("it is gone".to_owned())?;
        item.decisions.extend(self.decisions(id)?);
        Ok(item)
    }

    fn save(&mut self, change: &ChangeRef, decision: &Decision) -> Result<(), String> {
        self.journal.push((change.clone(), decision.clone()));
        self.undone.clear();
        Ok(())
    }

    fn replay(&mut self, _: &ProposalId, times: usize, again: bool) -> Result<(), String> {
        for _ in 0..times {
            let (from, to) = match again {
                true => (&mut self.undone, &mut self.journal),
                false => (&mut self.journal, &mut self.undone),
            };
            to.extend(from.pop());
        }
        Ok(())
    }

    fn decisions(&mut self, id: &ProposalId) -> Result<Decisions, String> {
        let ours = self.journal.iter().filter(|(c, _)| c.proposal == *id);
        let mut all: BTreeMap<u32, Decision> = ours.map(|(c, d)| (c.n, d.clone())).collect();
        all.retain(|_, d| *d != Decision::Undecided);
        Ok(all)
    }

    fn judge(&mut self, item: &Item) -> Result<Judged, String> {
        Ok(self.judges.map_or_else(|| item.judged.clone(), |f| f(item)))
    }

    fn edit(&mut self, _: &Item, _: u32) -> Result<String, String> {
        Ok(self.typed.clone().unwrap_or("- Edited".to_owned()))
    }

    fn keep(&mut self, text: String) -> Result<String, String> {
        if let Some(why) = self.full.clone() {
            self.unkept.push(text);
            return Err(why);
        }
        self.kept.push(text);
        Ok("kept-1.md".to_owned())
    }

    fn unkept(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unkept)
    }

    fn plan(&mut self, item: &Item) -> Result<Sheet, String> {
        Ok(Sheet {
            subject: format!("distill {}: 1 added", item.proposal.id),
            ..Sheet::of(item)
        })
    }

    fn apply(&mut self, item: &Item, _: Option<&str>) -> Result<Done, NotDone> {
        if self.busy > 0 {
            self.busy -= 1;
            let why = "this project's memory is held by another memd".to_owned();
            return Err(NotDone { why, busy: true });
        }
        self.applied.push(item.chosen());
        self.items.retain(|i| i.proposal.id != item.proposal.id);
        Ok(Done {
            left: item.undecided(),
            said: "applied 1".to_owned(),
            warnings: Vec::new(),
            requeue: false,
        })
    }

    fn discard(&mut self, id: &ProposalId) -> Result<(), String> {
        self.said.push(format!("discard {id}"));
        Ok(())
    }

    fn give_back(&mut self, id: &ProposalId, note: &str) -> Result<(), String> {
        self.said.push(format!("give back {id}: {note}"));
        Ok(())
    }
}

impl Hands for Fake {
    fn watch(&mut self) -> Seen {
        Seen::default()
    }

    fn check_text(&mut self, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn edit_entry(
        &mut self,
        _: &ProjectId,
        _: &EntryId,
        begun: Option<&str>,
    ) -> Result<String, String> {
        self.begun.push(begun.unwrap_or_default().to_owned());
        Ok(self.typed.clone().unwrap_or("- Edited".to_owned()))
    }

    fn grant(&mut self, wish: &Wish) -> Option<Msg> {
        self.library.as_ref()?(wish).map(Msg::Shelf)
    }
}

/// A screen that paints after every key.
pub(super) struct Screen<'h> {
    pub engine: Engine<'h>,
    frame: u64,
    clock: u64,
}

/// The look of the tests: no colour, so that all state is in the text.
pub(super) fn look() -> Look {
    Look {
        theme: Theme::Mono,
        marks: Marks::new(false),
        ascii: false,
        colour: false,
        style: super::rows::DiffStyle::Lines,
        context: Some(3),
        drawer: None,
        page: Default::default(),
        filter: Default::default(),
    }
}

impl<'h> Screen<'h> {
    pub fn new(hands: &'h mut Fake, size: (u16, u16)) -> Self {
        Self::with(hands, size, look())
    }

    /// On a terminal that knows ASCII only.
    pub fn in_ascii(hands: &'h mut Fake, size: (u16, u16)) -> Self {
        let look = Look {
            marks: Marks::new(true),
            ascii: true,
            ..look()
        };
        Self::with(hands, size, look)
    }

    fn with(hands: &'h mut Fake, size: (u16, u16), look: Look) -> Self {
        let now = "2026-10-01T12:00:00Z".parse().unwrap();
        let mut engine = Engine::new(App::new(size, look, now), hands);
        engine.start();
        let mut screen = Self {
            engine,
            frame: 0,
            clock: 0,
        };
        screen.paint();
        screen.wait(200);
        screen
    }

    /// A screen that stands where another one did.
    pub fn at(hands: &'h mut Fake, app: &App) -> Self {
        Self {
            frame: app.frame,
            clock: app.clock,
            engine: Engine::new(app.clone(), hands),
        }
    }

    /// Lets time pass.
    pub fn wait(&mut self, milliseconds: u64) {
        self.clock += milliseconds;
        let now = self.engine.app.now;
        self.engine.tick(now, self.clock);
        self.paint();
    }

    fn paint(&mut self) {
        while self.engine.has_work() {
            self.engine.work();
        }
        self.frame += 1;
        self.engine.send(Msg::Painted(self.frame));
    }

    /// Keys that were read together.
    pub fn at_once(&mut self, keys: &[&str]) {
        let frame = self.frame;
        for key in keys {
            let chord = chord(key);
            self.engine.send(Msg::Key { chord, frame });
        }
        self.paint();
    }

    /// Keys with a frame after each.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            self.at_once(&[key]);
            self.wait(200);
        }
    }

    /// What the owner of the terminal does when the editor is asked for.
    pub fn come_back_from_editor(&mut self) {
        for outer in self.engine.outer() {
            if let Outer::Edit(change) = outer {
                self.engine.edit(change);
                self.engine.send(Msg::Resumed);
            }
        }
        self.paint();
    }

    /// The frame as text.
    pub fn text(&self) -> String {
        let (width, height) = self.engine.app.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        view(&self.engine.app, &mut buffer);
        let row = |y| {
            let mut text = String::new();
            let mut skip = 0;
            for x in 0..width {
                let symbol = buffer[(x, y)].symbol();
                if skip == 0 {
                    text.push_str(symbol);
                    skip = crate::text::width(symbol).max(1);
                }
                skip -= 1;
            }
            text.trim_end().to_owned()
        };
        (0..height).map(row).collect::<Vec<_>>().join("\n")
    }
}

fn chord(name: &str) -> Chord {
    match name {
        // More of them than the table names.
        "Space" => Chord::plain(Key::Char(' ')),
        name => name.parse().unwrap(),
    }
}

mod deciding;
mod frames;
mod hostile;
mod keys;
mod narrow;
mod unseen;

use Level::{Pass, Warn};

#[test]
fn four_keys_lead_from_the_start_to_a_written_commit() {
    let mut fake = Fake {
        items: vec![item("0000000a", 0, &[Pass])],
        ..Fake::default()
    };
    let mut screen = Screen::new(&mut fake, (80, 24));
    assert!(screen.text().contains("a accept"), "{}", screen.text());
    screen.press(&["a", "w"]);
    assert!(
        screen.text().contains("Apply this proposal?"),
        "{}",
        screen.text()
    );
    screen.press(&["Enter"]);
    screen.press(&["y"]);
    assert!(
        screen.text().contains("Nothing to review."),
        "{}",
        screen.text()
    );
    screen.press(&["q"]);
    assert!(screen.engine.app.leaving);
    assert_eq!(fake.applied, [vec![1]]);
}

#[test]
fn of_keys_read_together_one_decides_and_the_others_are_counted() {
    let mut fake = Fake {
        items: vec![item("0000000a", 0, &[Pass; 6])],
        ..Fake::default()
    };
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.at_once(&["a", "a", "a", "a", "a"]);
    assert!(
        screen.text().contains("4 keys ignored"),
        "{}",
        screen.text()
    );
    assert_eq!(fake.journal.len(), 1);
}

#[test]
fn an_apply_waits_for_another_memd_and_can_be_left() {
    let mut fake = Fake {
        items: vec![item("0000000a", 0, &[Pass])],
        busy: 3,
        ..Fake::default()
    };
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["a", "w"]);
    screen.at_once(&["y"]);
    assert!(screen.text().contains("waiting"), "{}", screen.text());
    screen.wait(250);
    screen.press(&["Esc"]);
    assert!(
        screen.text().contains("nothing was applied"),
        "{}",
        screen.text()
    );
    screen.press(&["w"]);
    screen.at_once(&["y"]);
    screen.wait(250);
    screen.wait(250);
    assert_eq!(fake.applied, [vec![1]]);
}

#[test]
fn every_size_and_every_overlay_is_painted_without_a_fault() {
    for size in [
        (1, 1),
        (39, 7),
        (40, 8),
        (80, 24),
        (99, 30),
        (120, 36),
        (200, 60),
    ] {
        let mut fake = Fake {
            items: vec![
                item("0000000a", 0, &[Warn, Pass, Pass]),
                item("0000000b", 3, &[Pass]),
            ],
            ..Fake::default()
        };
        let mut screen = Screen::new(&mut fake, size);
        for keys in [
            &["?", "Down", "Esc"][..],
            &["A", "Esc"],
            &["a", "a", "w", "Space", "Esc"],
            &["/", "f", "Enter", "n"],
            &["i", "x", "Esc", "Esc"],
            &["B", "x", "Esc"],
            &["Tab", "j", "j", "j", "j", "Enter"],
            &["t", "t", "t", "t"],
        ] {
            screen.press(keys);
            let text = screen.text();
            assert!(size.1 < 8 || text.contains("memd"), "{text}");
        }
    }
}

/// One change with a text of so many lines.
fn long(lines: usize) -> Fake {
    let mut long = item("0000000a", 0, &[Pass]);
    let text: String = (0..lines)
        .map(|n| format!("- fact {n} of many\n"))
        .collect();
    long.proposal.changes[0].text = text;
    Fake {
        items: vec![long],
        ..Fake::default()
    }
}

#[test]
fn a_long_change_is_accepted_only_after_all_of_it_was_on_the_screen() {
    let mut fake = long(500);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["a", "a", "a"]);
    assert!(
        screen.text().contains("read it to its end"),
        "{}",
        screen.text()
    );
    for _ in 0..60 {
        screen.press(&["Space"]);
    }
    screen.press(&["a"]);
    assert_eq!(fake.journal.len(), 1);
}

#[test]
fn a_jump_to_the_end_is_no_reading() {
    let mut fake = long(60);
    let mut screen = Screen::new(&mut fake, (80, 24));
    screen.press(&["G", "Ctrl-d", "Ctrl-d", "Ctrl-d", "Ctrl-d", "a"]);
    assert_eq!(
        screen.engine.app.review.current.as_ref().map(|c| c.n),
        Some(1)
    );
    let mut jumped = long(60);
    let mut screen = Screen::new(&mut jumped, (80, 24));
    screen.engine.app.place_mut().top = 40;
    screen.press(&["J", "a"]);
    assert_eq!(jumped.journal, []);
}

#[test]
fn what_is_still_being_compared_was_not_read() {
    let mut fake = long(20_000);
    let mut screen = Screen::new(&mut fake, (80, 24));
    assert!(screen.text().contains("comparing"), "{}", screen.text());
    screen.press(&["a", "a"]);
    assert_eq!(fake.journal, []);
}
