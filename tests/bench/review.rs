//! The review screen: from a queue to a frame, and from a key to the next frame, without a
//! terminal.
//!
//! `cargo bench --bench review`. Goals (frames of 120x36): a key in a change of 5,000 or 50,000
//! lines to its frame within 5 ms, a half page within 20 ms, a frame within 1 ms, the first frame
//! of 1,000 proposals over 200 projects within 60 ms, reading them from the database included
//! (that part is measured on the program itself: `memd review --keys "" --print`).

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark whose input cannot be made has nothing to measure"
)]

use divan::{Bencher, black_box};
use memd::id::{ProjectId, ProposalId};
use memd::memory::MemoryFile;
use memd::proposal::{Change, Decision, Kind, Op, Origin, Proposal, Target, Usage};
use memd::review::desk::{Decisions, Desk, Done, NotDone};
use memd::review::diff::compare;
use memd::review::{ChangeRef, Item, Judged, Sheet, Waiting};
use memd::text::TextHash;
use memd::tui::app::{App, Look};
use memd::tui::engine::{Engine, Outer};
use memd::tui::hands::{Hands, Seen};
use memd::tui::input::{Chord, Key};
use memd::tui::msg::Msg;
use memd::tui::shelf::Wish;
use memd::tui::theme::{Marks, Theme};
use memd::tui::view::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const SIZE: (u16, u16) = (120, 36);

fn main() {
    divan::main();
}

/// Hands that give out what they were given.
struct Given(Vec<Item>);

impl Desk for Given {
    fn queue(&mut self) -> Result<Vec<Waiting>, String> {
        let unread = |item: &Item| Waiting {
            item: None,
            ..Waiting::from(item.clone())
        };
        Ok(self.0.iter().map(unread).collect())
    }
    fn open(&mut self, id: &ProposalId) -> Result<Item, String> {
        let item = self.0.iter().find(|i| i.proposal.id == *id);
        item.cloned().ok_or_else(String::new)
    }
    fn save(&mut self, _: &ChangeRef, _: &Decision) -> Result<(), String> {
        Ok(())
    }
    fn replay(&mut self, _: &ProposalId, _: usize, _: bool) -> Result<(), String> {
        Ok(())
    }
    fn decisions(&mut self, _: &ProposalId) -> Result<Decisions, String> {
        Ok(Decisions::new())
    }
    fn judge(&mut self, item: &Item) -> Result<Judged, String> {
        Ok(item.judged.clone())
    }
    fn edit(&mut self, _: &Item, _: u32) -> Result<String, String> {
        Err(String::new())
    }
    fn plan(&mut self, item: &Item) -> Result<Sheet, String> {
        Ok(Sheet::of(item))
    }
    fn apply(&mut self, _: &Item, _: Option<&str>) -> Result<Done, NotDone> {
        Err(String::new().into())
    }
    fn discard(&mut self, _: &ProposalId) -> Result<(), String> {
        Ok(())
    }
    fn give_back(&mut self, _: &ProposalId, _: &str) -> Result<(), String> {
        Ok(())
    }
}

impl Hands for Given {
    fn watch(&mut self) -> Seen {
        Seen::default()
    }
    fn check_text(&mut self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn grant(&mut self, _: &Wish) -> Option<Msg> {
        None
    }
}

fn change(n: u32, old: &str, new: &str) -> Change {
    Change {
        n,
        op: if old.is_empty() { Op::Add } else { Op::Edit },
        file: MemoryFile::State,
        section: String::new(),
        target: (!old.is_empty()).then(|| Target {
            entry: None,
            text: old.to_owned(),
            hash: TextHash::of(old),
            ordinal: 0,
        }),
        text: new.to_owned(),
        reason: None,
        evidence: Vec::new(),
        origin: Origin::User,
        also: Vec::new(),
        earlier: None,
        verdicts: Vec::new(),
    }
}

fn item(project: &ProjectId, changes: Vec<Change>) -> Item {
    let proposal = Proposal {
        id: ProposalId::random().unwrap(),
        project: project.clone(),
        kind: Kind::Distill,
        created: "2026-10-01T12:00:00Z".parse().unwrap(),
        trigger: "session-end".to_owned(),
        usage: Usage::default(),
        summary: "what the session was about".to_owned(),
        changes,
        spans: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        coverage: Vec::new(),
        hits: Vec::new(),
        dropped: Vec::new(),
        back: None,
    };
    Item::new(
        proposal,
        "demo-api".to_owned(),
        &BTreeSet::new(),
        BTreeMap::new(),
    )
}

fn prose(n: usize, word: &str) -> String {
    format!(
        "- Fact {n}: the API listens on port {word}; see `src/part_{}.rs`, **always**.\n",
        n % 97
    )
}

/// One change in which so many lines change.
fn long(lines: usize) -> Vec<Item> {
    let text = |word: &str| (0..lines / 2).map(|n| prose(n, word)).collect::<String>();
    let project = ProjectId::random().unwrap();
    vec![item(
        &project,
        vec![change(1, &text("9090"), &text("9091"))],
    )]
}

/// So many proposals over a fifth as many projects.
fn many(proposals: usize) -> Vec<Item> {
    let projects: Vec<_> = (0..proposals / 5)
        .map(|_| ProjectId::random().unwrap())
        .collect();
    let of = |n: usize| {
        let changes = (1..=4).map(|c| change(c, "", &prose(n * 4 + c as usize, "9090")));
        item(&projects[n % projects.len()], changes.collect())
    };
    (0..proposals).map(of).collect()
}

fn app() -> App {
    let look = Look {
        theme: Theme::Ansi,
        marks: Marks::new(false),
        ascii: false,
        colour: true,
        style: Default::default(),
        context: None,
        drawer: None,
        page: Default::default(),
        filter: Default::default(),
    };
    App::new(SIZE, look, "2026-10-01T13:00:00Z".parse().unwrap())
}

fn paint(engine: &Engine<'_>, buffer: &mut Buffer) {
    buffer.reset();
    view(&engine.app, buffer);
}

/// Until nothing is left to compare or to judge.
fn settle(engine: &mut Engine<'_>) {
    loop {
        for outer in engine.outer() {
            if let Outer::Diff { key, old, new } = outer {
                engine.send(Msg::Diffed(key, Arc::new(compare(&old, &new))));
            }
        }
        if !engine.has_work() {
            return;
        }
        engine.work();
    }
}

fn buffer() -> Buffer {
    Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1))
}

fn key(engine: &mut Engine<'_>, key: Chord, frame: &mut u64, buffer: &mut Buffer) {
    engine.send(Msg::Key {
        chord: key,
        frame: *frame,
    });
    paint(engine, buffer);
    *frame += 1;
    engine.send(Msg::Painted(*frame));
}

/// From a queue to its first frame.
#[divan::bench(args = [50, 1_000])]
fn first_frame(bencher: Bencher, proposals: usize) {
    bencher
        .with_inputs(|| Given(many(proposals)))
        .bench_local_values(|mut given| {
            let mut buffer = buffer();
            let mut engine = Engine::new(app(), &mut given);
            engine.start();
            paint(&engine, &mut buffer);
            black_box(buffer);
        });
}

/// From a queue to all rows of a long change.
#[divan::bench(args = [5_000, 50_000])]
fn first_frame_of_a_long_change(bencher: Bencher, lines: usize) {
    bencher
        .with_inputs(|| Given(long(lines)))
        .bench_local_values(|mut given| {
            let mut buffer = buffer();
            let mut engine = Engine::new(app(), &mut given);
            engine.start();
            settle(&mut engine);
            paint(&engine, &mut buffer);
            black_box(buffer);
        });
}

/// A key and its frame in a long change that is shown whole; `J` a row, `Ctrl-d` half a page.
#[divan::bench(args = [5_000, 50_000], consts = [true, false])]
fn key_to_frame<const ROW: bool>(bencher: Bencher, lines: usize) {
    let mut given = Given(long(lines));
    let mut engine = Engine::new(app(), &mut given);
    let (mut buffer, mut frame) = (buffer(), 1);
    engine.start();
    settle(&mut engine);
    engine.send(Msg::Painted(frame));
    key(
        &mut engine,
        Chord::plain(Key::Enter),
        &mut frame,
        &mut buffer,
    );
    let press = match ROW {
        true => Chord::plain(Key::Char('J')),
        false => Chord::ctrl('d'),
    };
    bencher.bench_local(|| key(&mut engine, press, &mut frame, &mut buffer));
}

/// A move through the outline of 1,000 proposals.
#[divan::bench]
fn step_through_a_long_queue(bencher: Bencher) {
    let mut given = Given(many(1_000));
    let mut engine = Engine::new(app(), &mut given);
    let (mut buffer, mut frame) = (buffer(), 1);
    engine.start();
    engine.send(Msg::Painted(frame));
    bencher.bench_local(|| {
        key(
            &mut engine,
            Chord::plain(Key::Char(')')),
            &mut frame,
            &mut buffer,
        )
    });
}

/// A frame alone.
#[divan::bench(args = [5_000, 50_000])]
fn frame(bencher: Bencher, lines: usize) {
    let mut given = Given(long(lines));
    let mut engine = Engine::new(app(), &mut given);
    let mut buffer = buffer();
    engine.start();
    settle(&mut engine);
    bencher.bench_local(|| paint(&engine, &mut buffer));
}
