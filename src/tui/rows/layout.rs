//! Which lines are shown, in which order, and where they are broken.

use super::laid::{Laid, hang};
use super::{Body, DiffStyle, Pos, Role, Shape};
use crate::review::Spans;
use crate::review::diff::{Block, Diff, Fate, Lines};
use crate::text::{is_plain, wrap_into};
use crate::tui::markdown::fence;
use std::time::{Duration, Instant};

/// How long pairs of lines may be compared; the rest is shown as what goes and what comes.
const PAIRS_WITHIN: Duration = Duration::from_millis(500);

/// What is shown of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A line of a text that is no diff.
    Plain,
    /// A line of both texts.
    Same,
    /// A line of the old text.
    Removed,
    /// A line of the new text.
    Added,
    /// A line of the new text in place of one of the old.
    Changed,
    /// Both lines as one.
    Pair,
    /// So many unchanged lines, not shown.
    Fold,
    /// So many lines of the old text, not shown.
    Gone,
}

impl Kind {
    /// What stands in front of its first row.
    pub(super) fn mark(self) -> (&'static str, Role) {
        match self {
            Kind::Plain | Kind::Same => ("  ", Role::Plain),
            Kind::Fold => ("  ", Role::Dim),
            Kind::Removed | Kind::Gone => ("- ", Role::Del),
            Kind::Added => ("+ ", Role::Add),
            Kind::Changed | Kind::Pair => ("~ ", Role::Change),
        }
    }
}

/// A line that is shown, or a fold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) kind: Kind,
    /// The block of the diff that it belongs to.
    pub(super) block: u32,
    /// Its line in the old text.
    pub(super) old: u32,
    /// Its line in the new text.
    pub(super) new: u32,
    /// How many lines a fold stands for, or 1.
    pub(super) count: u32,
    /// The number of the line, folded ones counted.
    pub(super) ordinal: u32,
    /// Its first row.
    pub(super) row: u32,
}

impl Place {
    /// A line of a text that is no diff.
    pub(super) fn plain(n: usize) -> Self {
        Self {
            kind: Kind::Plain,
            block: 0,
            old: 0,
            new: small(n),
            count: 1,
            ordinal: small(n),
            row: 0,
        }
    }

    pub(super) fn start(&self) -> Pos {
        Pos {
            line: self.ordinal,
            byte: 0,
        }
    }

    pub(super) fn end(&self) -> Pos {
        Pos {
            line: self.ordinal + self.count,
            byte: 0,
        }
    }
}

/// Texts are bounded far below 4 GiB.
pub(super) fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The lines of a diff, in the order of its style, and what changes in each pair of them.
pub(super) fn of_diff(diff: &Diff, shape: &Shape) -> (Vec<Place>, Vec<Pair>) {
    let mut walk = Walk {
        diff,
        places: Vec::new(),
        pairs: Vec::new(),
        ordinal: 0,
        until: Instant::now() + PAIRS_WITHIN,
    };
    let last = diff.blocks.len().saturating_sub(1);
    for (n, block) in diff.blocks.iter().enumerate() {
        match (block.fate, shape.style) {
            (Fate::Same, _) => walk.same(n, block, shape.context, (n > 0, n < last)),
            (_, DiffStyle::Lines) => walk.apart(n, block),
            (_, DiffStyle::Words) => walk.pairs(n, block),
            (_, DiffStyle::Final) => walk.outcome(n, block),
        }
    }
    (walk.places, walk.pairs)
}

/// What goes and what comes in two lines shown as one. Kept, because the rows depend on it.
#[derive(Debug)]
pub(super) struct Pair {
    /// The number of the line.
    ordinal: u32,
    pub(super) gone: Spans,
    pub(super) come: Spans,
}

struct Walk<'d> {
    diff: &'d Diff,
    places: Vec<Place>,
    pairs: Vec<Pair>,
    ordinal: u32,
    until: Instant,
}

impl Walk<'_> {
    fn push(&mut self, kind: Kind, block: usize, old: usize, new: usize, count: usize) {
        self.places.push(Place {
            kind,
            block: small(block),
            old: small(old),
            new: small(new),
            count: small(count),
            ordinal: self.ordinal,
            row: 0,
        });
        self.ordinal = self.ordinal.saturating_add(small(count));
    }

    /// Unchanged lines: those near a change, the rest as a fold where that saves a row.
    fn same(&mut self, n: usize, block: &Block, context: Option<usize>, sides: (bool, bool)) {
        let count = block.old.len();
        let keep = |side: bool| match context {
            Some(context) if side => context.min(count),
            Some(_) => 0,
            None => count,
        };
        let (head, tail) = (keep(sides.0), keep(sides.1));
        let folded = match count.saturating_sub(head.saturating_add(tail)) {
            1 => 0,
            folded => folded,
        };
        let at = |i: usize| (block.old.start + i, block.new.start + i);
        for i in 0..count {
            let (old, new) = at(i);
            if folded > 0 && i == head {
                self.push(Kind::Fold, n, old, new, folded);
            } else if folded == 0 || i < head || i >= head + folded {
                self.push(Kind::Same, n, old, new, 1);
            }
        }
    }

    fn apart(&mut self, n: usize, block: &Block) {
        for old in block.old.clone() {
            self.push(Kind::Removed, n, old, block.new.start, 1);
        }
        for new in block.new.clone() {
            self.push(Kind::Added, n, block.old.end, new, 1);
        }
    }

    /// Line by line: the first old one with the first new one, if they are alike.
    fn pairs(&mut self, n: usize, block: &Block) {
        let both = block.old.len().min(block.new.len());
        for i in 0..both {
            let (old, new) = (block.old.start + i, block.new.start + i);
            if let Some((gone, come)) = self.alike(old, new) {
                self.pairs.push(Pair {
                    ordinal: self.ordinal,
                    gone,
                    come,
                });
                self.push(Kind::Pair, n, old, new, 1);
            } else {
                self.push(Kind::Removed, n, old, new, 1);
                self.push(Kind::Added, n, old, new, 1);
            }
        }
        let (old, new) = (block.old.start + both, block.new.start + both);
        self.apart(
            n,
            &Block {
                fate: block.fate,
                old: old..block.old.end,
                new: new..block.new.end,
            },
        );
    }

    /// The words that go and come, where two lines can be shown as one.
    fn alike(&self, old: usize, new: usize) -> Option<(Spans, Spans)> {
        if Instant::now() >= self.until {
            return None;
        }
        let mut marked = self.diff.marked(&Block {
            fate: Fate::Replaced,
            old: old..old + 1,
            new: new..new + 1,
        })?;
        Some((marked.old.pop()?, marked.new.pop()?))
    }

    fn outcome(&mut self, n: usize, block: &Block) {
        let both = block.old.len().min(block.new.len());
        for (i, new) in block.new.clone().enumerate() {
            let kind = if i < both { Kind::Changed } else { Kind::Added };
            self.push(kind, n, block.old.start + i.min(both), new, 1);
        }
        let gone = block.old.len() - both;
        if gone > 0 {
            self.push(Kind::Gone, n, block.old.start + both, block.new.end, gone);
        }
    }
}

/// The lines that open or close a code block. A fence is closed by one of its kind, as long.
pub(super) fn fences(lines: &Lines) -> Vec<usize> {
    let mut out = Vec::new();
    let mut open: Option<(char, usize)> = None;
    for n in 0..lines.len() {
        let Some((mark, len)) = fence(lines.get(n)) else {
            continue;
        };
        let closes = open.is_none_or(|(with, least)| with == mark && len >= least);
        if closes {
            open = match open {
                None => Some((mark, len)),
                Some(_) => None,
            };
            out.push(n);
        }
    }
    out
}

impl Body {
    /// Breaks every line into rows.
    pub(super) fn break_lines(&mut self) {
        let columns = self.columns();
        let mut places = std::mem::take(&mut self.places);
        let mut rows = Vec::with_capacity(places.len());
        for place in &mut places {
            place.row = small(rows.len());
            let plain = self.plain(place).filter(|line| is_plain(line));
            match plain {
                Some(line) if line.len() <= columns => rows.push(0),
                Some(line) => {
                    let rest = columns - hang(line, columns);
                    wrap_into(line, columns, rest, &[], |at| rows.push(small(at)));
                }
                None => {
                    let laid = Laid::new(self, place, None);
                    let rest = columns - laid.hang;
                    wrap_into(&laid.text, columns, rest, &laid.solid, |at| {
                        rows.push(small(at));
                    });
                }
            }
        }
        self.places = places;
        self.rows = rows;
    }

    /// What changes in a pair of lines.
    pub(super) fn pair(&self, place: &Place) -> Option<&Pair> {
        let at = self.pairs.partition_point(|p| p.ordinal < place.ordinal);
        self.pairs.get(at)
    }

    /// The one line of a text that a place shows, if it does.
    pub(super) fn plain(&self, place: &Place) -> Option<&str> {
        match place.kind {
            Kind::Removed => Some(self.diff.old.get(place.old as usize)),
            Kind::Plain | Kind::Same | Kind::Added | Kind::Changed => {
                Some(self.diff.new.get(place.new as usize))
            }
            Kind::Pair | Kind::Fold | Kind::Gone => None,
        }
    }
}
