//! The loop: input to messages, messages to frames, and what only the owner of the terminal can do.
//!
//! Owns the terminal while the screen is up. One thread reads the keys, updates the model and
//! paints; others only compare texts. Waits in one place, so that a signal, a key and a finished
//! comparison are each answered at once. Decides nothing and writes no memory.

mod clipboard;
mod jobs;

use super::engine::{Engine, Outer};
use super::frame::Painter;
use super::hands::Hands;
use super::input::{Input, Reader, Received, Tty as Keys};
use super::msg::Msg;
use super::overlay::Overlay;
use super::signals::{SIGHUP, Signals};
use super::term::{self, Session, Tty, Wire};
use super::trace::{Kind, Trace};
use super::view::view;
use super::{App, input};
use crate::text::visible_line;
use jiff::Timestamp;
use jobs::Jobs;
use rustix::io::Errno;
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

/// How long nothing is waited for while nothing is expected.
const IDLE: Duration = Duration::from_millis(100);
/// The same, while something is being compared.
const BUSY: Duration = Duration::from_millis(8);

/// How the screen came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The person left it.
    Left,
    /// This signal asked for it.
    Signal(i32),
    /// A fault elsewhere took the terminal away; it has been reported.
    Fault,
}

/// What the screen is started with, beside its model and hands.
pub struct Outside<'a> {
    /// Asks the clock.
    pub now: &'a dyn Fn() -> Timestamp,
    /// Where each input's time to its frame is written.
    pub trace: Trace,
    /// Fail after so many keys, to show that a fault leaves the terminal as it was.
    pub fault_after: Option<u32>,
}

/// Shows the screen until it is left. The size in `app` is set from the terminal.
///
/// # Errors
/// The terminal failed. It has been given back.
pub fn run(
    mut app: App,
    hands: &mut dyn Hands,
    tty: Tty,
    outside: Outside<'_>,
) -> io::Result<(App, Ended)> {
    let signals = Signals::catch()?;
    app.size = term::size();
    let mut engine = Engine::new(app, hands);
    engine.start();
    let session = Session::enter(tty)?;
    session.leave_on_panic();
    let mut screen = Screen {
        engine: Kept(engine),
        session,
        reader: Reader::new(Box::new(Keys::new(signals.resized()))),
        signals,
        painter: Painter::default(),
        jobs: Jobs::default(),
        started: Instant::now(),
        dirty: true,
        leaving: false,
        outside,
    };
    let ended = match screen.play() {
        Err(error) if is_gone(&error) => Ok(Ended::Signal(SIGHUP)),
        ended => ended,
    };
    let Screen {
        mut engine,
        mut session,
        ..
    } = screen;
    session.leave();
    engine.0.leave();
    ended.map(|ended| (engine.0.app.clone(), ended))
}

/// As writing to a terminal fails that has gone away.
fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}

/// However the screen ends, also by a fault, what was typed is not lost with it.
struct Kept<'h>(Engine<'h>);

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.0.leave();
        if std::thread::panicking() {
            // Nobody else says any more where it is. A terminal that has gone has no reader.
            for line in std::mem::take(&mut self.0.app.farewell) {
                let _ = writeln!(io::stderr(), "{}", visible_line(&line));
            }
        }
    }
}

impl<'h> Deref for Kept<'h> {
    type Target = Engine<'h>;

    fn deref(&self) -> &Engine<'h> {
        &self.0
    }
}

impl DerefMut for Kept<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

struct Screen<'h, 'o> {
    engine: Kept<'h>,
    session: Session<Tty>,
    reader: Reader,
    signals: Signals,
    painter: Painter,
    jobs: Jobs,
    started: Instant,
    /// What is on the terminal is not what should be.
    dirty: bool,
    leaving: bool,
    outside: Outside<'o>,
}

impl Screen<'_, '_> {
    fn play(&mut self) -> io::Result<Ended> {
        self.throw_away()?;
        loop {
            if let Some(ended) = self.ended() {
                return Ok(ended);
            }
            self.answer_signals()?;
            self.tick();
            self.hear_jobs();
            self.hear_input();
            self.do_outer()?;
            if self.leaving {
                return Ok(Ended::Left);
            }
            if self.dirty {
                self.paint()?;
            } else if self.engine.has_work() && !self.reader.has_more() {
                self.engine.work();
                self.dirty = true;
                continue;
            }
            self.wait()?;
        }
    }

    fn ended(&self) -> Option<Ended> {
        if let Some(signal) = self.signals.ended() {
            return Some(Ended::Signal(signal));
        }
        if !self.session.is_inside() {
            return Some(Ended::Fault);
        }
        self.reader.is_gone().then_some(Ended::Signal(SIGHUP))
    }

    fn answer_signals(&mut self) -> io::Result<()> {
        if self.signals.stop_asked() {
            self.suspend()?;
        }
        if self.signals.continued() {
            // Whoever stopped us may have used the terminal.
            self.session.again()?;
            self.resumed()?;
        }
        Ok(())
    }

    fn tick(&mut self) {
        let clock = self.started.elapsed().as_millis();
        let clock = u64::try_from(clock).unwrap_or(u64::MAX);
        self.dirty |= self.engine.tick((self.outside.now)(), clock);
    }

    fn hear_jobs(&mut self) {
        while let Some((key, diff)) = self.jobs.done() {
            self.outside.trace.read(Kind::News, Instant::now());
            self.engine.send(Msg::Diffed(key, diff));
            self.dirty = true;
        }
    }

    fn hear_input(&mut self) {
        let read = Instant::now();
        for Received { input, after_frame } in self.reader.take() {
            self.outside.trace.read(self.kind(&input), read);
            let msg = match input {
                Input::Key(chord) => {
                    self.maybe_fail();
                    Msg::Key {
                        chord,
                        frame: after_frame,
                    }
                }
                Input::Paste(text) => Msg::Paste(text),
                Input::Resize(columns, rows) => Msg::Resize(columns, rows),
            };
            self.engine.send(msg);
            self.dirty = true;
        }
    }

    /// What a trace may say of an input: nothing of what is typed into a field.
    fn kind(&self, input: &Input) -> Kind {
        let field = matches!(
            self.engine.app.overlays.last(),
            Some(Overlay::Line { .. } | Overlay::Inline { .. } | Overlay::Help { .. })
        );
        match input {
            Input::Key(chord) => match chord.key {
                input::Key::Char(_) if field && !chord.ctrl => Kind::Typed,
                _ => Kind::Key(chord.to_string()),
            },
            Input::Paste(_) => Kind::Paste,
            Input::Resize(..) => Kind::Resize,
        }
    }

    fn maybe_fail(&mut self) {
        if let Some(left) = &mut self.outside.fault_after {
            *left = left.saturating_sub(1);
            #[expect(clippy::panic, reason = "asked for, to see what a fault leaves behind")]
            if *left == 0 {
                panic!("a fault was asked for");
            }
        }
    }

    fn do_outer(&mut self) -> io::Result<()> {
        for outer in self.engine.outer() {
            match outer {
                Outer::Edit(change) => {
                    self.session.leave();
                    let lent = self.signals.lend();
                    self.engine.edit(change);
                    drop(lent);
                    self.session.wire().mend()?;
                    self.session.again()?;
                    self.resumed()?;
                }
                Outer::Diff { key, old, new } => self.jobs.compare(key, old, new),
                Outer::Copy(text) => match clipboard::sequence(&text) {
                    Some(sequence) => self.session.wire().write_all(sequence.as_bytes())?,
                    None => self.say("this is too long for a terminal's clipboard"),
                },
                Outer::Suspend => self.suspend()?,
                Outer::Redraw => {
                    self.painter.forget();
                    self.dirty = true;
                }
                Outer::Quit => self.leaving = true,
            }
        }
        Ok(())
    }

    fn say(&mut self, what: &str) {
        self.engine.send(Msg::Say(what.to_owned()));
        self.dirty = true;
    }

    fn suspend(&mut self) -> io::Result<()> {
        let stopped = self.session.suspend()?;
        let _ = self.signals.continued();
        self.resumed()?;
        if !stopped {
            self.say("there is no shell to go back to: q leaves");
        }
        Ok(())
    }

    /// The terminal is ours again, and another program's bytes may be on it.
    fn resumed(&mut self) -> io::Result<()> {
        self.painter.forget();
        // Nobody tells a stopped program of another size.
        let (columns, rows) = term::size();
        self.engine.send(Msg::Resize(columns, rows));
        self.engine.send(Msg::Resumed);
        self.dirty = true;
        self.throw_away()
    }

    /// What was typed before anything was on screen counts for nothing.
    fn throw_away(&mut self) -> io::Result<()> {
        if self.reader.drain()? {
            self.engine.send(Msg::Dropped);
            self.dirty = true;
        }
        Ok(())
    }

    fn paint(&mut self) -> io::Result<()> {
        let app = &self.engine.app;
        self.painter.compose(app.size, |buffer| {
            view(app, buffer);
            None
        })?;
        // What has come by now was typed before the new frame could be seen.
        self.reader.gather(self.painter.frame())?;
        let bytes = self.painter.send(self.session.wire())?;
        let frame = self.painter.frame();
        self.dirty = false;
        self.engine.send(Msg::Painted(frame));
        self.outside.trace.painted(frame, bytes, Instant::now());
        Ok(())
    }

    fn wait(&mut self) -> io::Result<()> {
        let timeout = if self.dirty || self.engine.has_work() {
            Duration::ZERO
        } else if self.jobs.are_pending() {
            BUSY
        } else {
            IDLE.min(self.until_keys_count())
        };
        self.reader.wait(timeout)?;
        self.reader.gather(self.painter.frame())
    }

    fn until_keys_count(&self) -> Duration {
        let app = &self.engine.app;
        match app.inert_until {
            Some(at) if at > app.clock => Duration::from_millis(at - app.clock),
            _ => IDLE,
        }
    }
}
