//! The terminal's modes: taken at the start, given back however the program ends.
//!
//! Owns raw mode, the alternate screen, the cursor and bracketed paste. Asks the terminal nothing,
//! pushes no keyboard flags, takes no mouse. Giving back happens once, whoever asks first: the end
//! of the loop, a panic, a signal or a stop.

mod tty;

pub use tty::{Tty, size};

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Alternate screen, cursor hidden, bracketed paste.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h";
/// The same in reverse, after the styles.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// The line to a terminal: bytes out, and how its keys come in.
pub trait Wire: Write {
    /// Every key is handed over as it is pressed, unechoed.
    ///
    /// # Errors
    /// The terminal refuses.
    fn raw(&mut self) -> io::Result<()>;

    /// As it was before [`Wire::raw`].
    ///
    /// # Errors
    /// The terminal refuses.
    fn cooked(&mut self) -> io::Result<()>;

    /// As it was given back last, whatever a program that was run meanwhile made of it.
    ///
    /// # Errors
    /// The terminal refuses.
    fn mend(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Throws away what was typed and not read.
    fn forget_typed(&mut self);

    /// Stops this program and those it runs with until the shell continues them; `false` where no
    /// shell could.
    ///
    /// # Errors
    /// The signal cannot be sent.
    fn stop(&mut self) -> io::Result<bool>;
}

/// A terminal that is ours.
pub struct Session<W: Wire> {
    wire: W,
    inside: Arc<AtomicBool>,
}

impl<W: Wire> Session<W> {
    /// Takes the terminal.
    ///
    /// # Errors
    /// The terminal refuses; then it is as it was.
    pub fn enter(wire: W) -> io::Result<Self> {
        let mut session = Self {
            wire,
            inside: Arc::default(),
        };
        session.again()?;
        Ok(session)
    }

    /// Takes it again after [`Session::leave`], or once more where another program may have
    /// changed it. Every cell must be painted afterwards.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn again(&mut self) -> io::Result<()> {
        if self.inside.load(Ordering::SeqCst) {
            self.wire.cooked()?;
        }
        // From here on there is something to give back.
        self.inside.store(true, Ordering::SeqCst);
        self.wire.raw()?;
        self.wire.write_all(ENTER)?;
        self.wire.flush()
    }

    /// Gives the terminal back. Twice is once.
    pub fn leave(&mut self) {
        give_back(&mut self.wire, &self.inside);
    }

    /// Whether the terminal is ours. Not any more: a panic elsewhere has given it back.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.inside.load(Ordering::SeqCst)
    }

    /// Gives the terminal back, stops until the shell continues us, and takes it again. `false`:
    /// there is no shell that could, and nothing was done.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn suspend(&mut self) -> io::Result<bool> {
        self.leave();
        let stopped = self.wire.stop();
        self.again()?;
        stopped
    }

    /// Where frames are written.
    pub fn wire(&mut self) -> &mut W {
        &mut self.wire
    }
}

impl<W: Wire + Clone + Send + Sync + 'static> Session<W> {
    /// From now on a panic, of whichever thread, first gives the terminal back, so that the report
    /// stands on the ordinary screen.
    pub fn leave_on_panic(&self) {
        let before = std::panic::take_hook();
        let (wire, inside) = (self.wire.clone(), Arc::clone(&self.inside));
        std::panic::set_hook(Box::new(move |info| {
            give_back(&mut wire.clone(), &inside);
            before(info);
        }));
    }
}

impl<W: Wire> Drop for Session<W> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// A terminal that has gone away cannot be given back; nobody is left to be told.
fn give_back(wire: &mut impl Wire, inside: &AtomicBool) {
    if inside.swap(false, Ordering::SeqCst) {
        // It was meant for the screen, not for the shell.
        wire.forget_typed();
        // Before the screen changes: whoever sees the shell again may type at once.
        let _ = wire.cooked();
        let _ = wire.write_all(LEAVE);
        let _ = wire.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// A terminal that keeps what happens to it.
    #[derive(Clone, Default)]
    struct Record(Arc<Mutex<String>>);

    impl Record {
        fn note(&self, text: &str) {
            self.0.lock().unwrap().push_str(text);
        }

        fn taken(&self) -> String {
            std::mem::take(&mut self.0.lock().unwrap())
        }
    }

    impl Write for Record {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.note(&String::from_utf8_lossy(bytes).replace('\x1b', "^"));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Wire for Record {
        fn raw(&mut self) -> io::Result<()> {
            self.note("(raw)");
            Ok(())
        }

        fn cooked(&mut self) -> io::Result<()> {
            self.note("(cooked)");
            Ok(())
        }

        fn forget_typed(&mut self) {
            self.note("(forget)");
        }

        fn stop(&mut self) -> io::Result<bool> {
            self.note("(stop)");
            Ok(true)
        }
    }

    const IN: &str = "(raw)^[?1049h^[?25l^[?2004h";
    const OUT: &str = "(forget)(cooked)^[0m^[?2004l^[?25h^[?1049l";

    #[test]
    fn taken_and_given_back_in_reverse_and_once() {
        let wire = Record::default();
        let mut session = Session::enter(wire.clone()).unwrap();
        assert_eq!(wire.taken(), IN);
        session.leave();
        session.leave();
        assert!(!session.is_inside());
        drop(session);
        assert_eq!(wire.taken(), OUT);
    }

    #[test]
    fn a_stop_gives_it_back_and_takes_it_again() {
        let wire = Record::default();
        let mut session = Session::enter(wire.clone()).unwrap();
        wire.taken();
        assert!(session.suspend().unwrap());
        assert_eq!(wire.taken(), format!("{OUT}(stop){IN}"));
        session.again().unwrap();
        assert_eq!(wire.taken(), format!("(cooked){IN}"));
    }
}
