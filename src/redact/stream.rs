//! The redactor over input of any size: windows that overlap.
//!
//! A window is cut at a line's end outside everything hidden, well before its own end, and the next
//! one begins well before the cut: a secret is always seen whole, with what stands around it.

mod window;

use super::found::{Found, floor, rewrite};
use super::hit::{Hit, hit, withheld};
use super::{Part, Redactor, redacted};
use std::io::{self, Read, Write};
use std::ops::Range;
use window::{Filled, Window};

/// A part up to this size is searched as one, in bytes.
pub(super) const WHOLE: usize = 8 << 20;

/// How input is taken apart, in bytes.
struct Sizes {
    /// What is read at a time.
    window: usize,
    /// How much of a window's end is looked at again with the next one.
    overlap: usize,
    /// How much before a cut is looked at again: what may stand around a secret.
    context: usize,
    /// The largest window: one that cannot be cut, because one secret fills it, grows up to this.
    most: usize,
}

const USUAL: Sizes = Sizes {
    window: 4 << 20,
    overlap: 64 << 10,
    context: 32 << 10,
    most: 64 << 20,
};

/// The most findings of a part that are kept while all of it is read for the first time.
const MOST_KEPT: usize = 100_000;

/// A hit in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHit {
    /// The line, from 1.
    pub line: usize,
    /// What was hidden; its offset counts from the start of a piece of the input.
    pub hit: Hit,
}

/// A piece of the input, and what was found in it; nothing if it is to be withheld.
struct Piece<'p> {
    text: &'p str,
    found: Option<Vec<Found>>,
}

type Sink<'s> = dyn FnMut(Piece<'_>) -> io::Result<()> + 's;

impl Redactor {
    /// Copies text with its secrets replaced. Bytes that are no UTF-8 become `U+FFFD`. Holds a few
    /// windows of 4 MiB, whatever the input's size. What cannot be searched is withheld, up to a
    /// line's end, and the rest goes on. Each hit is handed over once its piece was copied.
    ///
    /// # Errors
    /// When reading or writing fails; what was read before is copied.
    pub fn filter(
        &self,
        from: &mut dyn Read,
        to: &mut dyn Write,
        told: &mut dyn FnMut(LineHit),
    ) -> io::Result<()> {
        self.filter_by(&USUAL, from, to, told)
    }

    fn filter_by(
        &self,
        sizes: &Sizes,
        from: &mut dyn Read,
        to: &mut dyn Write,
        told: &mut dyn FnMut(LineHit),
    ) -> io::Result<()> {
        let (mut line, mut out) = (1, String::new());
        self.pieces(sizes, from, &Part::default(), &mut |piece| {
            out.clear();
            let mut gone = Vec::new();
            if let Some(found) = &piece.found {
                rewrite(piece.text, found, &mut out);
            } else {
                let (part, hits) = withheld(piece.text);
                out.push_str(part.as_str());
                out.push_str(if piece.text.ends_with('\n') { "\n" } else { "" });
                gone = hits;
            }
            to.write_all(out.as_bytes())?;
            gone.into_iter().for_each(|hit| told(LineHit { line, hit }));
            let found = piece.found.as_deref().unwrap_or(&[]);
            line = number(piece.text, found, line, told);
            Ok(())
        })
    }

    /// Searches a large part, and hands its pieces over with their offsets and what was found in
    /// them. Nothing comes back when a search failed.
    pub(super) fn large(
        &self,
        text: &str,
        part: &Part<'_>,
        sink: &mut dyn FnMut(&str, usize, &[Found]),
    ) -> Option<()> {
        // The first time to learn the values that are named anywhere in it; where there are none,
        // that was all.
        let before = self.count_known();
        let (mut kept, mut most) = (Vec::new(), MOST_KEPT);
        self.each_piece(text, part, &mut |piece, _, found| {
            most = most.saturating_sub(found.len() + 1);
            match most {
                0 => kept = Vec::new(),
                _ => kept.push((piece.len(), found)),
            }
        })?;
        if most == 0 || self.count_known() > before {
            return self.each_piece(text, part, &mut |piece, at, found| sink(piece, at, &found));
        }
        let mut at = 0;
        for (len, found) in kept {
            sink(text.get(at..at + len)?, at, &found);
            at += len;
        }
        Some(())
    }

    fn each_piece(
        &self,
        text: &str,
        part: &Part<'_>,
        sink: &mut dyn FnMut(&str, usize, Vec<Found>),
    ) -> Option<()> {
        let mut at = 0;
        let searched = self.pieces(&USUAL, &mut text.as_bytes(), part, &mut |piece| {
            let found = piece.found.ok_or_else(|| io::Error::other("withheld"))?;
            sink(piece.text, at, found);
            at += piece.text.len();
            Ok(())
        });
        searched.ok()
    }

    /// Searches input window by window, and hands over all of it in pieces.
    fn pieces(
        &self,
        sizes: &Sizes,
        from: &mut dyn Read,
        part: &Part<'_>,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        let mut window = Window::default();
        loop {
            let Filled { last, read } = window.fill(from, sizes.window);
            let found = self.search(&window.text, part);
            let cut = if last {
                window.text.len()
            } else {
                cut(&window.text, found.as_deref().unwrap_or(&[]), sizes)
            };
            if cut > window.done {
                let found = found.map(|found| within(found, &(window.done..cut)));
                let text = window.text.get(window.done..cut).unwrap_or("");
                sink(Piece { text, found })?;
                let head = super::assignment::head(window.text.as_bytes(), cut);
                window.pass(cut, sizes.context, head);
            } else if window.text.len() >= sizes.most {
                let text = window.text.get(window.done..).unwrap_or("");
                sink(Piece { text, found: None })?;
                window.skip();
            }
            if last {
                return read;
            }
        }
    }
}

/// What was found in a range, its places counted from there.
fn within(found: Vec<Found>, range: &Range<usize>) -> Vec<Found> {
    let inside = found.into_iter().filter_map(|mut one| {
        let start = one.range.start.clamp(range.start, range.end);
        let end = one.range.end.clamp(range.start, range.end);
        one.range = start - range.start..end - range.start;
        (!one.range.is_empty()).then_some(one)
    });
    inside.collect()
}

/// The last place to cut: after a line, or failing that a character, outside everything hidden.
fn cut(text: &str, found: &[Found], sizes: &Sizes) -> usize {
    let goal = floor(text, text.len().saturating_sub(sizes.overlap));
    let inside = |at: usize| {
        let before = found.partition_point(|f| f.range.start < at);
        before
            .checked_sub(1)
            .and_then(|n| found.get(n))
            .filter(|f| f.range.end > at)
            .map(|f| f.range.start)
            .or_else(|| redacted::around(text.as_bytes(), at).map(|p| p.start))
    };
    let head = text.as_bytes().get(..goal).unwrap_or(&[]);
    memchr::memrchr_iter(b'\n', head)
        .take(2000)
        .map(|at| at + 1)
        .find(|at| inside(*at).is_none())
        .unwrap_or_else(|| inside(goal).unwrap_or(goal))
}

/// Hands over the hits with their lines, and gives the number of the line that follows.
fn number(text: &str, found: &[Found], first: usize, told: &mut dyn FnMut(LineHit)) -> usize {
    let (mut line, mut at) = (first, 0);
    let count = |from: usize, to: usize| {
        memchr::memchr_iter(b'\n', text.as_bytes().get(from..to).unwrap_or(&[])).count()
    };
    for one in found {
        line += count(at, one.range.start);
        at = one.range.start;
        told(LineHit {
            line,
            hit: hit(one),
        });
    }
    line + count(at, text.len())
}

#[cfg(test)]
mod tests;
