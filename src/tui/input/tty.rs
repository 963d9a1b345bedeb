//! The process's own terminal as a source of bytes.

use super::{Ready, Source};
use crate::tui::term;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Standard input, and whether the size may have changed.
pub struct Tty {
    resized: Arc<AtomicBool>,
    started: Instant,
}

impl Tty {
    /// Reads standard input; the flag is raised when the terminal's size changes.
    #[must_use]
    pub fn new(resized: Arc<AtomicBool>) -> Self {
        Self {
            resized,
            started: Instant::now(),
        }
    }
}

impl Source for Tty {
    fn wait(&mut self, timeout: Duration) -> io::Result<Ready> {
        let stdin = stdin();
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        let timeout = Timespec::try_from(timeout).unwrap_or_default();
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) | Err(Errno::INTR) => return Ok(Ready::Nothing),
            Ok(_) => {}
            Err(e) => return Err(e.into()),
        }
        let came = fds
            .first()
            .map(PollFd::revents)
            .unwrap_or(PollFlags::empty());
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        // What is left in a terminal that has gone away cannot be read any more.
        Ok(match came.intersects(gone) {
            true => Ready::Gone,
            false => Ready::Bytes,
        })
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match rustix::io::read(stdin(), into) {
            Ok(n) => Ok(n),
            Err(Errno::INTR | Errno::AGAIN) => Ok(0),
            // As a terminal answers that has just gone away: the next wait says so.
            Err(Errno::IO) => Ok(0),
            Err(e) => Err(e.into()),
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn resized(&mut self) -> Option<(u16, u16)> {
        self.resized.swap(false, Ordering::SeqCst).then(term::size)
    }
}
