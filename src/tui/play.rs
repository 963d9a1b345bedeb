//! The screen without a terminal: keys in, the last frame out as text.
//!
//! The same model, messages and painting as on a terminal; time goes on by itself between two
//! keys. Writes nothing: it is given hands that cannot.

use super::app::App;
use super::engine::{Engine, Outer};
use super::frame;
use super::hands::Hands;
use super::input::Chord;
use super::msg::Msg;
use super::view::view;
use crate::review::diff::compare;
use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;

/// More milliseconds than keys are held off after a view came up.
const BETWEEN: u64 = 1_000;

/// Plays keys, each after the frame that answers the one before; the rows of the last frame,
/// without spaces at their ends.
#[must_use]
pub fn play(app: App, hands: &mut dyn Hands, keys: &[Chord], now: Timestamp) -> Vec<String> {
    let (columns, rows) = app.size;
    let mut play = Play {
        buffer: Buffer::empty(Rect::new(0, 0, columns, rows)),
        engine: Engine::new(app, hands),
        frame: 0,
        clock: 0,
        now,
        left: false,
    };
    play.engine.start();
    play.settle();
    play.paint();
    for &chord in keys {
        let frame = play.frame;
        play.engine.send(Msg::Key { chord, frame });
        play.settle();
        if play.left {
            break;
        }
        play.paint();
    }
    frame::text(&play.buffer)
}

struct Play<'h> {
    engine: Engine<'h>,
    buffer: Buffer,
    frame: u64,
    clock: u64,
    now: Timestamp,
    left: bool,
}

impl Play<'_> {
    /// Does all that is asked for, until nothing is.
    fn settle(&mut self) {
        loop {
            let outer = self.engine.outer();
            if outer.is_empty() && !self.engine.has_work() {
                return;
            }
            for outer in outer {
                match outer {
                    Outer::Diff { key, old, new } => {
                        let diff = Arc::new(compare(&old, &new));
                        self.engine.send(Msg::Diffed(key, diff));
                    }
                    Outer::Edit(change) => self.engine.edit(change),
                    Outer::Quit => self.left = true,
                    Outer::Copy(_) | Outer::Suspend | Outer::Redraw => {}
                }
            }
            self.engine.work();
        }
    }

    fn paint(&mut self) {
        // What a frame shows may change what the next one says of it.
        for _ in 0..2 {
            self.buffer.reset();
            view(&self.engine.app, &mut self.buffer);
            self.frame += 1;
            self.engine.send(Msg::Painted(self.frame));
            self.clock += BETWEEN;
            self.engine.tick(self.now, self.clock);
            self.settle();
        }
        self.buffer.reset();
        view(&self.engine.app, &mut self.buffer);
    }
}
