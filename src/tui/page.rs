//! Content that scrolls: blocks of rows, each made only when it is painted.
//!
//! Heights, scrolling, what counts as seen and painting all come from here, so that they cannot
//! disagree. Pure.

use super::rows::{Body, Line};
use crate::id::{ProjectId, ProposalId};
use crate::memory::MemoryFile;
use crate::review::{ChangeRef, Group};
use std::sync::Arc;

/// What a block or a list row stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A project.
    Project(ProjectId),
    /// A proposal of the queue.
    Proposal(ProposalId),
    /// A proposal's changes to one file, or what it moves to the archive.
    Group(ProposalId, Group),
    /// One change.
    Change(ChangeRef),
    /// A memory file.
    File(ProjectId, MemoryFile),
    /// A section of a memory file, by the place of its first entry.
    Section(ProjectId, MemoryFile, usize),
    /// An entry of a memory file, by its place in it.
    Entry(ProjectId, MemoryFile, usize),
    /// A month of the archive.
    Month(ProjectId, String),
    /// A piece of a month, by its place in it.
    Piece(ProjectId, String, usize),
    /// Something that happened, by its place in the list.
    Event(usize),
    /// A row of a drawer or of an overlay, by its place.
    Row(usize),
}

/// Rows that belong together: fixed rows, a text laid out, fixed rows.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// What it stands for; none: it cannot be selected.
    pub key: Option<Key>,
    /// Rows before the text.
    pub head: Vec<Line>,
    /// The text, and how far it is indented, in columns.
    pub body: Option<(Arc<Body>, u16)>,
    /// At most so many rows of the text are shown.
    pub limit: Option<usize>,
    /// The text is still to come: what is shown so far is not all there is to read.
    pub pending: bool,
    /// Rows after the text.
    pub tail: Vec<Line>,
}

impl Block {
    /// A block of fixed rows.
    #[must_use]
    pub fn of(key: Option<Key>, head: Vec<Line>) -> Self {
        Self {
            key,
            head,
            ..Self::default()
        }
    }

    /// How many rows it has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.head.len() + self.body_rows() + self.tail.len()
    }

    /// Whether lines that go are not among its rows, but only their number.
    #[must_use]
    pub fn counts_only(&self) -> bool {
        self.body.as_ref().is_some_and(|(body, _)| body.counts())
    }

    fn body_rows(&self) -> usize {
        let rows = self.body.as_ref().map_or(0, |(body, _)| body.len());
        self.limit.map_or(rows, |limit| rows.min(limit))
    }

    /// Row `i` from its top.
    #[must_use]
    pub fn line(&self, i: usize) -> Line {
        if let Some(line) = self.head.get(i) {
            return line.clone();
        }
        let i = i.saturating_sub(self.head.len());
        match &self.body {
            Some((body, indent)) if i < self.body_rows() => {
                let mut line = super::lines::indent(*indent);
                line.extend(body.line(i));
                line
            }
            _ => {
                let i = i.saturating_sub(self.body_rows());
                self.tail.get(i).cloned().unwrap_or_default()
            }
        }
    }
}

/// Blocks below one another.
#[derive(Debug, Clone, Default)]
pub struct Page {
    blocks: Vec<Block>,
    /// The first row of each block, and the number of rows at the end.
    starts: Vec<usize>,
}

impl Page {
    /// These blocks in this order.
    #[must_use]
    pub fn new(blocks: Vec<Block>) -> Self {
        let mut at = 0;
        let mut starts = Vec::with_capacity(blocks.len() + 1);
        for block in &blocks {
            starts.push(at);
            at += block.rows();
        }
        starts.push(at);
        Self { blocks, starts }
    }

    /// The blocks.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many rows it has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The block at a row, and the row within it.
    #[must_use]
    pub fn at(&self, row: usize) -> Option<(&Block, usize)> {
        let i = self.starts.partition_point(|start| *start <= row);
        let i = i.checked_sub(1)?;
        let block = self.blocks.get(i)?;
        Some((block, row - self.starts.get(i)?))
    }

    /// The rows of a key's block: its first, and one past its last.
    #[must_use]
    pub fn span(&self, key: &Key) -> Option<(usize, usize)> {
        let i = self
            .blocks
            .iter()
            .position(|b| b.key.as_ref() == Some(key))?;
        Some((*self.starts.get(i)?, *self.starts.get(i + 1)?))
    }

    /// The last first row at which `height` rows still fill the pane.
    #[must_use]
    pub fn last_top(&self, height: usize) -> usize {
        self.rows().saturating_sub(height)
    }

    /// The nearest key that can be selected `by` blocks from `key`; from the ends when it is not
    /// there.
    #[must_use]
    pub fn step(&self, key: Option<&Key>, by: isize) -> Option<Key> {
        let keys: Vec<&Key> = self.blocks.iter().filter_map(|b| b.key.as_ref()).collect();
        let at = key.and_then(|key| keys.iter().position(|k| *k == key));
        let last = keys.len().checked_sub(1)?;
        let to = match at {
            Some(at) => at.saturating_add_signed(by).min(last),
            None if by > 0 => 0,
            None => last,
        };
        keys.get(to).map(|k| (*k).clone())
    }
}

/// One row of a list.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it stands for.
    pub key: Key,
    /// Its text, without the mark of the selection.
    pub line: Line,
    /// How deep it stands, from 0.
    pub depth: usize,
    /// Whether it can be folded, and is.
    pub folded: Option<bool>,
}

/// A list of rows with a selection.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// The rows.
    pub entries: Vec<Entry>,
}

impl List {
    /// Where a key stands.
    #[must_use]
    pub fn position(&self, key: &Key) -> Option<usize> {
        self.entries.iter().position(|e| e.key == *key)
    }

    /// The key `by` rows from another, within the list.
    #[must_use]
    pub fn step(&self, key: Option<&Key>, by: isize) -> Option<Key> {
        let at = key.and_then(|key| self.position(key));
        let last = self.entries.len().checked_sub(1)?;
        let to = match at {
            Some(at) => at.saturating_add_signed(by).min(last),
            None => 0,
        };
        self.entries.get(to).map(|e| e.key.clone())
    }

    /// The row that a row stands below.
    #[must_use]
    pub fn parent(&self, key: &Key) -> Option<Key> {
        let at = self.position(key)?;
        let depth = self.entries.get(at)?.depth;
        let above = self.entries.get(..at)?;
        let parent = above.iter().rev().find(|e| e.depth < depth)?;
        Some(parent.key.clone())
    }
}

/// The first row to paint, so that rows `from..to` are in sight of a pane `height` rows high: as
/// near to `top` as can be; the beginning wins when not all fits.
#[must_use]
pub fn scrolled(top: usize, from: usize, to: usize, height: usize) -> usize {
    if from < top || to.saturating_sub(from) >= height {
        from
    } else if to > top + height {
        to - height
    } else {
        top
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_number_and_by_key() {
        let block = |n: usize, rows: usize| Block::of(Some(Key::Row(n)), vec![Line::new(); rows]);
        let page = Page::new(vec![block(0, 2), block(1, 0), block(2, 3)]);
        assert_eq!(page.rows(), 5);
        let key = |row| page.at(row).and_then(|(b, i)| Some((b.key.clone()?, i)));
        assert_eq!(key(1), Some((Key::Row(0), 1)));
        assert_eq!(key(2), Some((Key::Row(2), 0)));
        assert_eq!(key(5), None);
        assert_eq!(page.span(&Key::Row(2)), Some((2, 5)));
        assert_eq!(page.step(Some(&Key::Row(0)), 1), Some(Key::Row(1)));
        assert_eq!(page.step(None, -1), Some(Key::Row(2)));
    }

    #[test]
    fn scrolling_moves_as_little_as_it_must() {
        assert_eq!(scrolled(0, 3, 5, 10), 0);
        assert_eq!(scrolled(0, 8, 12, 10), 2);
        assert_eq!(scrolled(20, 8, 12, 10), 8);
        assert_eq!(scrolled(0, 8, 80, 10), 8);
        assert_eq!(scrolled(10, 8, 80, 10), 8);
    }
}
