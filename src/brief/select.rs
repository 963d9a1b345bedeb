//! Which entries a brief holds, and in which order.

use super::Piece;
use super::quote::quoted;
use crate::memory::{MemoryFile, title};
use crate::text::visible_line;
use jiff::Timestamp;
use jiff::civil::Date;
use std::cmp::Reverse;

/// Open todos that are given.
const TODOS: usize = 8;

/// One entry, quoted, and the heading it goes under.
pub(super) struct Block {
    pub title: String,
    pub text: String,
}

/// The entries in the order in which they are given as long as there is room.
#[derive(Default)]
pub(super) struct Selection {
    pub blocks: Vec<Block>,
    /// Todos and decisions that no cap brings in.
    pub in_files: usize,
}

impl Selection {
    /// Characters of all blocks under their headings.
    pub fn chars(&self) -> usize {
        let mut heading = "";
        let mut chars = 0;
        for block in &self.blocks {
            if heading != block.title {
                chars += block.title.chars().count() + 1;
                heading = &block.title;
            }
            chars += block.text.chars().count();
        }
        chars
    }
}

/// Open todos, recent decisions (newest first), state by section, the newest mistake. What mentions
/// the topic is given whatever its age and number.
pub(super) fn select(
    pieces: &[Piece],
    decision_days: i64,
    topic: Option<&str>,
    now: Timestamp,
) -> Selection {
    let topic = topic.map(str::to_lowercase);
    let topic = topic.as_deref();
    let of = |file| {
        let all = pieces.iter().filter(move |p| p.file == file);
        all.filter(|p| mentions(p, topic))
    };
    let (max_todos, decision_days, newest) = match topic {
        None => (TODOS, decision_days, 1),
        Some(_) => (usize::MAX, i64::MAX, usize::MAX),
    };
    let mut selection = Selection::default();
    todos(&mut selection, of(MemoryFile::Todo), max_todos);
    decisions(
        &mut selection,
        of(MemoryFile::Decisions),
        decision_days,
        now,
    );
    for piece in of(MemoryFile::State) {
        let heading = match piece.section.as_str() {
            "" => "State:".to_owned(),
            section => format!("State, {}:", visible_line(section)),
        };
        push(&mut selection, super::quote::neutral(&heading), piece);
    }
    mistakes(&mut selection, of(MemoryFile::Mistakes).collect(), newest);
    selection
}

/// Whether an entry or its section mentions the topic, if there is one (in lower case).
pub(super) fn mentions(piece: &Piece, topic: Option<&str>) -> bool {
    topic.is_none_or(|word| {
        let holds = |text: &str| text.to_lowercase().contains(word);
        holds(&piece.text) || holds(&piece.section)
    })
}

/// An entry as it is given: quoted, marked where no person has let it in.
pub(super) fn block(piece: &Piece) -> String {
    let mark = match piece.unreviewed {
        true => "(not reviewed by a person yet)\n",
        false => "",
    };
    format!("{mark}{}", quoted(&piece.text))
}

fn push(selection: &mut Selection, title: String, piece: &Piece) {
    let text = block(piece);
    selection.blocks.push(Block { title, text });
}

fn todos<'a>(selection: &mut Selection, all: impl Iterator<Item = &'a Piece>, max: usize) {
    let done = |p: &&Piece| {
        let text = p.text.trim_start().trim_start_matches(['-', '*', '+', ' ']);
        text.starts_with("[x]") || text.starts_with("[X]")
    };
    let open: Vec<_> = all.filter(|p| !done(p)).collect();
    for piece in open.iter().take(max) {
        push(selection, "Open todos:".to_owned(), piece);
    }
    selection.in_files += open.len().saturating_sub(max);
}

fn decisions<'a>(
    selection: &mut Selection,
    all: impl Iterator<Item = &'a Piece>,
    days: i64,
    now: Timestamp,
) {
    let day = |t: Timestamp| jiff::tz::TimeZone::UTC.to_datetime(t).date();
    let today = day(now);
    // One that was let in lately is news, whatever day it was made on.
    let recent = |p: &Piece| match date(p) {
        Some(made) => i64::from((today - made.max(day(p.since))).get_days()) <= days,
        None => true,
    };
    let (mut given, old): (Vec<_>, Vec<_>) = all.partition(|p| recent(p));
    given.sort_by_key(|p| newest_first(p));
    for piece in given {
        push(selection, "Decisions, newest first:".to_owned(), piece);
    }
    selection.in_files += old.len();
}

/// Dated entries by date, then the undated ones by when they were let in.
fn newest_first(piece: &Piece) -> (Reverse<Option<Date>>, Reverse<Timestamp>) {
    (Reverse(date(piece)), Reverse(piece.since))
}

fn mistakes(selection: &mut Selection, mut all: Vec<&Piece>, newest: usize) {
    all.sort_by_key(|p| newest_first(p));
    let title = match newest {
        1 => format!("Mistakes on record: {}; the newest:", all.len()),
        _ => "Mistakes on record, newest first:".to_owned(),
    };
    for piece in all.into_iter().take(newest) {
        push(selection, title.clone(), piece);
    }
}

/// The first ISO date in an entry's title.
fn date(piece: &Piece) -> Option<Date> {
    let title = title(&piece.text);
    title
        .split(|c: char| !(c.is_ascii_digit() || c == '-'))
        .filter(|word| word.len() == 10)
        .find_map(|word| word.parse().ok())
}
