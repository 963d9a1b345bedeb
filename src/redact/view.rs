//! The text as the rules see it: escapes decoded, terminal colours and invisible characters gone.
//!
//! One pass; only the places where view and raw part company are stored, so plain text costs a
//! copy. Rules work on the view, and their spans are mapped back.

mod escape;
mod specials;
mod unseen;

use escape::{Escape, begins_token, escape, short};
use specials::Specials;
use std::borrow::Cow;
use std::ops::Range;

/// The byte of the view at `view` stands for the `width` raw bytes at `raw`; after it, view and raw
/// text run in step.
#[derive(Debug, Clone, Copy)]
struct Break {
    view: usize,
    raw: usize,
    width: usize,
}

/// A normalised text with the way back. A text without escapes is its own view.
pub(super) struct View<'t> {
    bytes: Cow<'t, [u8]>,
    breaks: Vec<Break>,
}

impl<'t> View<'t> {
    pub fn new(raw: &'t [u8]) -> Self {
        let mut view = Self {
            bytes: Cow::Borrowed(&[]),
            breaks: Vec::new(),
        };
        let (mut copied, mut at) = (0, 0);
        let mut specials = Specials::new(raw);
        while let Some(found) = specials.next(at) {
            let rest = raw.get(found..).unwrap_or(&[]);
            // Most of them, in JSON.
            if let [b'\\', mark, ..] = rest
                && let Some(byte) = short(*mark)
            {
                view.copy(raw, copied..found);
                view.put(found, 2, byte);
                at = found + 2;
                copied = at;
                continue;
            }
            let hidden = || unseen::hidden(raw, found).map(|raw| Escape { raw, byte: None });
            let Some(escape) = escape(rest).or_else(hidden) else {
                at = found + 1;
                continue;
            };
            view.copy(raw, copied..found);
            let after = rest.get(escape.raw..).unwrap_or(&[]);
            view.take(found, &escape, after);
            at = found + escape.raw;
            copied = at;
        }
        if copied == 0 {
            view.bytes = Cow::Borrowed(raw);
        } else {
            view.copy(raw, copied..raw.len());
        }
        view
    }

    /// Appends what means itself; the first time, makes the view one of its own.
    fn copy(&mut self, raw: &[u8], range: Range<usize>) {
        if let Cow::Borrowed(_) = self.bytes {
            // As long as the text, so that it never moves.
            self.bytes = Cow::Owned(Vec::with_capacity(raw.len()));
        }
        if let Cow::Owned(bytes) = &mut self.bytes {
            bytes.extend_from_slice(raw.get(range).unwrap_or(&[]));
        }
    }

    /// `rest` is what follows in the raw text. What is dropped keeps two words apart where the
    /// second one is a token: a colour often stands where a space would.
    fn take(&mut self, raw: usize, escape: &Escape, rest: &[u8]) {
        let view = self.bytes.len();
        let apart = || {
            let after_word = self.bytes.last().is_some_and(u8::is_ascii_alphanumeric);
            (after_word && begins_token(rest)).then_some(b' ')
        };
        match escape.byte.or_else(apart) {
            Some(byte) => self.put(raw, escape.raw, byte),
            None => self.part(view, raw + escape.raw, 1),
        }
    }

    /// A byte that so many raw ones mean.
    #[inline]
    fn put(&mut self, raw: usize, width: usize, byte: u8) {
        let view = self.bytes.len();
        if let Cow::Owned(bytes) = &mut self.bytes {
            bytes.push(byte);
        }
        self.part(view, raw, width);
    }

    #[inline]
    fn part(&mut self, view: usize, raw: usize, width: usize) {
        let here = Break { view, raw, width };
        match self.breaks.last_mut() {
            // Of two at one place, nothing stands between them: the later one says where raw goes on.
            Some(last) if last.view == view => *last = here,
            _ => self.breaks.push(here),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The raw bytes that a range of the view stands for.
    pub fn raw(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.place(range.start).start;
        let end = match range.end.checked_sub(1) {
            Some(last) if range.end > range.start => self.place(last).end,
            _ => start,
        };
        start..end
    }

    /// The raw bytes of one byte of the view.
    fn place(&self, at: usize) -> Range<usize> {
        let after = self.breaks.partition_point(|b| b.view <= at);
        match after.checked_sub(1).and_then(|n| self.breaks.get(n)) {
            Some(b) if b.view == at => b.raw..b.raw + b.width,
            Some(b) => {
                let raw = b.raw + b.width + (at - b.view - 1);
                raw..raw + 1
            }
            None => at..at + 1,
        }
    }
}

#[cfg(test)]
mod tests;
