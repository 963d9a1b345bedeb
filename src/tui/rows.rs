//! Text as the rows of a screen: what is scrolled, counted, read to its end and painted.
//!
//! Owns the layout of a diff or a text at one width ([`Body`]): where each row begins, as offsets
//! of some bytes. The rows themselves are made when they are looked at, and only then are words
//! compared. Content is wrapped, never cut; every text of a [`Segment`] is safe to paint, because
//! it passed [`crate::text::pieces`]. Draws nothing.

mod laid;
mod layout;
#[cfg(test)]
mod tests;

use super::lines::fit;
use super::theme::{Marks, Role};
use crate::review::diff::{Diff, Lines};
use crate::text::{PieceKind, pieces, wrap_into};
use laid::{Cache, Laid};
use layout::{Pair, Place};
use std::sync::{Arc, Mutex, PoisonError};

/// A part of a row that looks the same throughout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// What is painted: safe, on one row.
    pub text: String,
    /// What it is.
    pub role: Role,
}

/// A row: its segments from left to right.
pub type Line = Vec<Segment>;

/// How a diff is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum DiffStyle {
    /// What goes as `- ` lines, what comes as `+ ` lines, changed words set off.
    #[default]
    Lines,
    /// One `~ ` line for a changed one, with what goes and what comes side by side.
    Words,
    /// The new text; lines that changed are `~ `, new ones `+ `, what goes is a count.
    Final,
}

impl DiffStyle {
    /// The style after this one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            DiffStyle::Lines => DiffStyle::Words,
            DiffStyle::Words => DiffStyle::Final,
            DiffStyle::Final => DiffStyle::Lines,
        }
    }

    /// Its name, for a notice.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DiffStyle::Lines => "lines",
            DiffStyle::Words => "words",
            DiffStyle::Final => "final",
        }
    }
}

/// What a layout depends on. Equal shapes of one diff have equal rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Columns of a row: the mark in front and the text, without the caller's gutter.
    pub width: u16,
    /// How a diff is shown.
    pub style: DiffStyle,
    /// Unchanged lines kept around what changes; none keeps all.
    pub context: Option<usize>,
    /// Whether colours tell changed words apart. Without, the words style writes `[-x-]{+y+}`.
    pub words: bool,
    /// Our own marks in ASCII.
    pub ascii: bool,
}

/// A place in what is shown, whatever the width: comparable between the bodies of one diff in one
/// style.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// The line, by number from 0 as the style puts them, folded ones counted.
    pub line: u32,
    /// The byte in the line's source.
    pub byte: u32,
}

/// A diff or a text, laid out.
#[derive(Debug)]
pub struct Body {
    diff: Arc<Diff>,
    shape: Shape,
    /// Columns of the mark in front of a row.
    mark: usize,
    /// Lines and folds, in order.
    places: Vec<Place>,
    /// What changes in the lines that are shown as one, in order.
    pairs: Vec<Pair>,
    /// The byte of its line's visible text at which each row begins.
    rows: Vec<u32>,
    /// Lines of the new text that open or close a code block.
    fences: Vec<usize>,
    cache: Mutex<Cache>,
}

impl Body {
    /// Lays out a diff. Reads both texts once; the words style also compares the words of every
    /// changed line.
    #[must_use]
    pub fn new(diff: &Arc<Diff>, shape: &Shape) -> Self {
        let (places, pairs) = layout::of_diff(diff, shape);
        Self::laid_out(Arc::clone(diff), *shape, (places, pairs), 2)
    }

    fn laid_out(
        diff: Arc<Diff>,
        shape: Shape,
        (places, pairs): (Vec<Place>, Vec<Pair>),
        mark: usize,
    ) -> Self {
        let mut body = Self {
            fences: layout::fences(&diff.new),
            diff,
            shape,
            mark,
            places,
            pairs,
            rows: Vec::new(),
            cache: Mutex::default(),
        };
        body.break_lines();
        body
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The shape it was laid out in.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Comparing took too long: what is shown as replaced may be alike. To be said beside it.
    #[must_use]
    pub fn cut_short(&self) -> bool {
        self.diff.cut_short
    }

    /// Whether lines that go are not among the rows, but only their number.
    #[must_use]
    pub fn counts(&self) -> bool {
        let counted = |place: &Place| place.kind == layout::Kind::Gone;
        self.shape.style == DiffStyle::Final && self.places.iter().any(counted)
    }

    /// A row, from left to right; empty where there is none.
    #[must_use]
    pub fn line(&self, row: usize) -> Line {
        let Some((place, from, to)) = self.row(row) else {
            return Line::new();
        };
        let laid = self.laid(place);
        let to = to.unwrap_or(laid.text.len());
        let mut line = Line::new();
        if self.mark > 0 {
            let (mark, role) = match from {
                0 => place.kind.mark(),
                _ => ("  ", Role::Plain),
            };
            push(&mut line, mark, role);
        }
        if from > 0 {
            push(&mut line, &" ".repeat(laid.hang), Role::Plain);
        }
        laid.cut(from..to, |text, role| push(&mut line, text, role));
        line
    }

    /// Where a row begins.
    #[must_use]
    pub fn start(&self, row: usize) -> Pos {
        match self.row(row) {
            Some((place, 0, _)) => place.start(),
            Some((place, from, _)) => Pos {
                line: place.ordinal,
                byte: self.laid(place).source(from),
            },
            None => self.places.last().map_or(Pos::default(), Place::end),
        }
    }

    /// Where a row ends: where the next one begins.
    #[must_use]
    pub fn end(&self, row: usize) -> Pos {
        self.start(row.saturating_add(1))
    }

    /// The row that shows a place: the last one that begins at or before it.
    #[must_use]
    pub fn row_at(&self, pos: Pos) -> usize {
        let after = self.places.partition_point(|p| p.start() <= pos);
        let Some(place) = after.checked_sub(1).and_then(|at| self.places.get(at)) else {
            return 0;
        };
        let first = place.row as usize;
        let next = self.places.get(after);
        let end = next.map_or(self.rows.len(), |next| next.row as usize);
        let starts = (first + 1..end).take_while(|&row| self.start(row) <= pos);
        first + starts.count()
    }

    /// The line of a row, its first byte there, and the byte after it (none: the line's end).
    fn row(&self, row: usize) -> Option<(&Place, usize, Option<usize>)> {
        let from = *self.rows.get(row)? as usize;
        let after = self.places.partition_point(|p| p.row as usize <= row);
        let place = self.places.get(after.checked_sub(1)?)?;
        let next = self.rows.get(row + 1).map(|&at| at as usize);
        Some((place, from, next.filter(|&at| at > 0)))
    }

    fn laid(&self, place: &Place) -> Arc<Laid> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.line(self, place)
    }

    /// Columns for text, mark and all taken off.
    fn columns(&self) -> usize {
        usize::from(self.shape.width)
            .saturating_sub(self.mark)
            .max(1)
    }
}

fn push(line: &mut Line, text: &str, role: Role) {
    match line.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.role == role => last.text.push_str(text),
        _ => line.push(Segment {
            text: text.to_owned(),
            role,
        }),
    }
}

/// Lays out a text that is no diff: memory as it stands, a transcript, evidence. No marks in
/// front.
#[must_use]
pub fn text_rows(text: &str, width: u16, ascii: bool) -> Body {
    let shape = Shape {
        width,
        style: DiffStyle::Final,
        context: None,
        words: true,
        ascii,
    };
    let diff = Diff {
        old: Lines::new(Arc::from("")),
        new: Lines::new(Arc::from(text)),
        blocks: Vec::new(),
        cut_short: false,
    };
    let places = (0..diff.new.len()).map(Place::plain).collect();
    Body::laid_out(Arc::new(diff), shape, (places, Vec::new()), 0)
}

/// A foreign text on one row, as wide as it is: what a reader would not see stands apart as
/// tokens, line feeds among them. For what is put together with text of our own.
#[must_use]
pub fn foreign(text: &str, role: Role, ascii: bool) -> Line {
    let mut line = Line::new();
    for piece in pieces(text, ascii) {
        let role = match piece.kind {
            PieceKind::Token => Role::Token,
            PieceKind::Text | PieceKind::Tab => role,
        };
        push(&mut line, &piece.text, role);
    }
    line
}

/// One line of what is said around content, safe and cut to fit: a title, a name, a path.
#[must_use]
pub fn chrome(text: &str, width: u16, role: Role, marks: &Marks) -> Line {
    let line = foreign(text, role, marks.ellipsis.is_ascii());
    fit(line, usize::from(width), marks.ellipsis)
}

/// Something said of content, over as many rows as it takes, in one role: a verdict, a summary, a
/// reason. Tokens stand apart; a line feed is one.
#[must_use]
pub fn told(text: &str, width: u16, role: Role, ascii: bool) -> Vec<Line> {
    told_below(text, (width, 0), role, ascii)
}

/// As [`told`], with the rows after the first so many columns to the right: no text can make one of
/// them pass for a row of our own. A narrow screen has less room for that.
#[must_use]
pub fn told_below(text: &str, (width, by): (u16, u16), role: Role, ascii: bool) -> Vec<Line> {
    let columns = usize::from(width).max(1);
    let by = by.min(width / 4);
    let rest = columns - usize::from(by);
    let laid = Laid::told(text, role, ascii);
    let mut starts = Vec::new();
    wrap_into(&laid.text, columns, rest, &laid.solid, |at| starts.push(at));
    starts.push(laid.text.len());
    let row = |ends: &[usize]| {
        let mut line = Line::new();
        if ends.first().is_some_and(|from| *from > 0) {
            line.extend(super::lines::indent(by));
        }
        if let [from, to] = *ends {
            laid.cut(from..to, |text, role| push(&mut line, text, role));
        }
        line
    };
    starts.windows(2).map(row).collect()
}
