//! From a painted buffer to the bytes that change the screen: one synchronized update per frame.
//!
//! Owns the two buffers that are compared. Sends nothing when nothing has changed, and asks the
//! terminal nothing.

use crate::text::cluster_width;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";
const HIDE: &[u8] = b"\x1b[?25l";
const SHOW: &[u8] = b"\x1b[?25h";
const CLEAR: &[u8] = b"\x1b[0m\x1b[H\x1b[2J";

/// Bytes that are not sent yet.
#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Paints frames.
pub struct Painter {
    before: Buffer,
    now: Buffer,
    whole: bool,
    cursor: Option<Position>,
    bytes: Bytes,
    frame: u64,
}

impl Default for Painter {
    fn default() -> Self {
        Self {
            before: Buffer::empty(Rect::ZERO),
            now: Buffer::empty(Rect::ZERO),
            whole: true,
            cursor: None,
            bytes: Bytes::default(),
            frame: 0,
        }
    }
}

impl Painter {
    /// Every cell is sent with the next frame: others have written to the screen.
    pub fn forget(&mut self) {
        self.whole = true;
        self.cursor = None;
    }

    /// Paints the next frame of so many columns and rows; nothing is sent yet. `draw` says where
    /// the cursor is to be shown.
    ///
    /// # Errors
    /// None in practice: bytes are collected in memory.
    pub fn compose(
        &mut self,
        (columns, rows): (u16, u16),
        draw: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let area = Rect::new(0, 0, columns, rows);
        if self.now.area != area {
            self.now.resize(area);
            self.whole = true;
        }
        self.now.reset();
        let cursor = draw(&mut self.now);
        let mut out = self.bytes.clone();
        if self.whole {
            self.before = Buffer::empty(area);
            out.write_all(HIDE)?;
            out.write_all(CLEAR)?;
            self.cursor = None;
        }
        let changed = self.before.diff(&self.now);
        if self.cursor.is_some() && (cursor.is_none() || !changed.is_empty()) {
            out.write_all(HIDE)?;
        }
        let mut backend = CrosstermBackend::new(&mut out);
        if !changed.is_empty() {
            backend.draw(changed.into_iter())?;
        }
        if let Some(at) = cursor
            && (self.cursor != cursor || !self.bytes.0.borrow().is_empty())
        {
            backend.set_cursor_position(at)?;
            out.write_all(SHOW)?;
        }
        self.cursor = cursor;
        self.whole = false;
        std::mem::swap(&mut self.before, &mut self.now);
        Ok(())
    }

    /// Sends what was composed, in one write; how many bytes it was. The frame counts from now on.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn send(&mut self, to: &mut impl Write) -> io::Result<usize> {
        self.frame += 1;
        let bytes = std::mem::take(&mut *self.bytes.0.borrow_mut());
        if bytes.is_empty() {
            return Ok(0);
        }
        let update = [BEGIN, &bytes, END].concat();
        to.write_all(&update)?;
        to.flush()?;
        Ok(update.len())
    }

    /// The number of the frame that was sent last; 0: none yet.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }
}

/// How many columns a cell's cluster takes.
fn columns(symbol: &str) -> u16 {
    u16::try_from(cluster_width(symbol)).unwrap_or(1).max(1)
}

/// What stands in a buffer, row by row, without styles and without spaces at the end.
#[must_use]
pub fn text(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    let row = |y| {
        let mut row = String::new();
        let mut covered = area.x;
        for x in area.x..area.right() {
            let Some(cell) = buffer.cell((x, y)) else {
                continue;
            };
            // A wide cluster covers the cell after it.
            if x >= covered {
                row.push_str(cell.symbol());
                covered = x.saturating_add(columns(cell.symbol()));
            }
        }
        row.truncate(row.trim_end().len());
        row
    };
    (area.y..area.bottom()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn sent(
        painter: &mut Painter,
        size: (u16, u16),
        text: &str,
        cursor: Option<Position>,
    ) -> String {
        let draw = |buffer: &mut Buffer| {
            for (y, line) in text.lines().enumerate() {
                buffer.set_string(0, y as u16, line, Style::new().bold());
            }
            cursor
        };
        painter.compose(size, draw).unwrap();
        let mut out = Vec::new();
        let n = painter.send(&mut out).unwrap();
        assert_eq!(n, out.len());
        String::from_utf8(out).unwrap()
    }

    /// What a terminal shows after these bytes.
    fn screen(bytes: &str, (columns, rows): (u16, u16)) -> String {
        let mut parser = vt100::Parser::new(rows, columns, 0);
        parser.process(bytes.as_bytes());
        parser.screen().contents()
    }

    #[test]
    fn a_frame_is_one_update_and_the_next_sends_the_difference_only() {
        let mut painter = Painter::default();
        let first = sent(&mut painter, (10, 3), "one\ntwo", None);
        assert!(first.starts_with("\x1b[?2026h\x1b[?25l\x1b[0m\x1b[H\x1b[2J"));
        assert!(first.ends_with("\x1b[?2026l"));
        let second = sent(&mut painter, (10, 3), "one\ntwa", None);
        assert!(second.len() < 60 && !second.contains("one"), "{second:?}");
        assert_eq!(screen(&(first + &second), (10, 3)), "one\ntwa");
        assert_eq!(painter.frame(), 2);
    }

    #[test]
    fn what_has_not_changed_sends_nothing_and_counts_as_a_frame() {
        let mut painter = Painter::default();
        sent(&mut painter, (10, 2), "one", Some(Position::new(1, 0)));
        assert_eq!(
            sent(&mut painter, (10, 2), "one", Some(Position::new(1, 0))),
            ""
        );
        assert_eq!(painter.frame(), 2);
    }

    #[test]
    fn another_size_and_another_programs_output_repaint_everything() {
        let mut painter = Painter::default();
        sent(&mut painter, (10, 2), "one\ntwo", None);
        let small = sent(&mut painter, (3, 1), "one", None);
        assert_eq!(screen(&format!("x{small}"), (3, 1)), "one");
        painter.forget();
        let again = sent(&mut painter, (3, 1), "one", None);
        assert_eq!(again, small);
        for size in [(0, 0), (1, 1), (200, 60)] {
            sent(&mut painter, size, "日本", None);
        }
    }

    #[test]
    fn the_cursor_is_shown_where_it_is_asked_for_and_hidden_else() {
        let mut painter = Painter::default();
        let shown = sent(&mut painter, (10, 2), "one", Some(Position::new(2, 1)));
        assert!(
            shown.ends_with("\x1b[2;3H\x1b[?25h\x1b[?2026l"),
            "{shown:?}"
        );
        let moved = sent(&mut painter, (10, 2), "one", Some(Position::new(3, 1)));
        assert_eq!(moved, "\x1b[?2026h\x1b[2;4H\x1b[?25h\x1b[?2026l");
        let hidden = sent(&mut painter, (10, 2), "one", None);
        assert_eq!(hidden, "\x1b[?2026h\x1b[?25l\x1b[?2026l");
    }

    #[test]
    fn a_buffer_is_read_as_a_person_reads_it() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "日本 e\u{301}x", Style::new());
        assert_eq!(text(&buffer), ["日本 e\u{301}x", ""]);
    }
}
