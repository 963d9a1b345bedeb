//! The process's own terminal: standard input's modes, bytes to standard output.

use super::Wire;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{
    OptionalActions, QueueSelector, SpecialCodeIndex, Termios, isatty, tcflush, tcgetattr,
    tcgetwinsize, tcsetattr,
};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A size for a terminal that does not tell its own.
const USUAL: (u16, u16) = (80, 24);

/// The terminal's columns and rows.
#[must_use]
pub fn size() -> (u16, u16) {
    match tcgetwinsize(stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        _ => USUAL,
    }
}

/// Standard input and output, both a terminal. A clone is the same terminal.
#[derive(Clone)]
pub struct Tty {
    before: Arc<Mutex<Option<Termios>>>,
    /// As it was given back last.
    given: Arc<Mutex<Option<Termios>>>,
}

impl Tty {
    /// The terminal; none where standard input or output is none.
    #[must_use]
    pub fn open() -> Option<Self> {
        (isatty(stdin()) && isatty(stdout())).then(|| Self {
            before: Arc::default(),
            given: Arc::default(),
        })
    }

    /// At once: a terminal that takes no more output must not keep us.
    fn set(&self, modes: &Termios) -> io::Result<()> {
        loop {
            match tcsetattr(stdin(), OptionalActions::Now, modes) {
                Err(Errno::INTR) => {}
                done => return Ok(done?),
            }
        }
    }
}

impl Write for Tty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::io::write(stdout(), bytes) {
                // Another program may have left the terminal in this mode.
                Err(Errno::AGAIN) => {
                    let out = stdout();
                    let _ = poll(&mut [PollFd::new(&out, PollFlags::OUT)], None);
                }
                Err(Errno::INTR) => {}
                done => return Ok(done?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Wire for Tty {
    fn raw(&mut self) -> io::Result<()> {
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        *self.before.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        self.set(&raw)
    }

    fn cooked(&mut self) -> io::Result<()> {
        // A panic may hold the lock; it is never held for longer than a store.
        let mut saved = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        match saved.take() {
            Some(before) => {
                let done = self.set(&before);
                *self.given.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
                done
            }
            None => Ok(()),
        }
    }

    fn mend(&mut self) -> io::Result<()> {
        match &*self.given.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(given) => self.set(given),
            None => Ok(()),
        }
    }

    fn forget_typed(&mut self) {
        let _ = tcflush(stdin(), QueueSelector::IFlush);
    }

    fn stop(&mut self) -> io::Result<bool> {
        // In the group of the session's leader there is no shell that would continue us.
        if getpgrp() == getsid(None)? {
            return Ok(false);
        }
        kill_current_process_group(Signal::STOP)?;
        Ok(true)
    }
}
