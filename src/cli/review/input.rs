//! Lines a person types. What was typed before a prompt can be thrown away: all that comes until
//! nothing has come for a moment, since of a long paste the terminal holds only a part at a time.
//!
//! While a line is typed that is not shown, a signal ends or stops memd only after the terminal shows
//! again what is typed. A kill that cannot be caught leaves it as it is; `stty sane` mends that.

use crate::tui::signals::Signals;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr,
};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, BufRead};
use std::time::{Duration, Instant};

/// Where lines come from; a double plays them in tests.
pub(crate) trait Input {
    /// From now to the end of the next line a signal ends the input and nothing else, where this
    /// input is ended by signals at all. Called before a prompt is printed: whoever sees it may
    /// answer with a signal at once.
    fn listen(&mut self) -> io::Result<()>;
    /// The next line without its end; none when the input has ended.
    fn line(&mut self) -> io::Result<Option<String>>;
    /// As [`Input::line`], and what is typed is not shown, from before `ask` asks for it. A line with Ctrl-c in it is none.
    fn hidden_line(
        &mut self,
        ask: &mut dyn FnMut() -> io::Result<()>,
    ) -> io::Result<Option<String>>;
    /// Throws away what is already waiting and what follows it at once; says whether there was any.
    /// Right after a line: whether it was one of several that came together. Fails where it does not
    /// end.
    fn drop_waiting(&mut self) -> io::Result<bool>;
}

/// At most this many bytes of one line are taken.
const LIMIT: u64 = 64 * 1024;

/// The terminal on standard input.
#[derive(Default)]
pub(crate) struct Tty {
    /// A signal ends the input rather than the program: whoever reads has something to keep first.
    catches: bool,
    /// Caught since [`Input::listen`].
    signals: Option<Signals>,
    /// The signal that ended the input while a line was waited for.
    ended: Option<i32>,
}

impl Tty {
    /// A terminal whose input a signal ends, so that what was typed can be kept first.
    pub(crate) fn with_signals() -> Self {
        Self {
            catches: true,
            ..Self::default()
        }
    }

    /// The signal that ended the input. It is still to do what it does.
    pub(crate) fn ended(&self) -> Option<i32> {
        let caught = || self.signals.as_ref().and_then(Signals::ended);
        self.ended.or_else(caught)
    }

    /// Waits for a line, or for a signal that ends the input.
    fn is_ended(&mut self) -> io::Result<bool> {
        self.listen()?;
        let Some(signals) = self.signals.take() else {
            return Ok(false);
        };
        loop {
            // First: lines that do not end keep no signal waiting.
            if let Some(signal) = signals.ended() {
                self.ended = Some(signal);
                return Ok(true);
            }
            if signals.stop_asked() {
                emulate_default_handler(SIGTSTP)?;
            }
            if has_line()? {
                return Ok(false);
            }
        }
    }
}

impl Input for Tty {
    fn listen(&mut self) -> io::Result<()> {
        if self.catches && self.signals.is_none() {
            self.signals = Some(Signals::catch()?);
        }
        Ok(())
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        if self.is_ended()? {
            return Ok(None);
        }
        read_line(&mut io::stdin().lock())
    }

    fn hidden_line(
        &mut self,
        ask: &mut dyn FnMut() -> io::Result<()>,
    ) -> io::Result<Option<String>> {
        let signals = Signals::catch()?;
        // First: whoever sees the question may answer at once.
        let mut unseen = Unseen::begin()?;
        ask()?;
        let line = loop {
            if signals.ended().is_some() {
                break None;
            }
            if signals.stop_asked() {
                drop(unseen);
                emulate_default_handler(SIGTSTP)?;
                unseen = Unseen::begin()?;
                ask()?;
            }
            if has_line()? {
                let line = read_line(&mut io::stdin().lock())?;
                // More of what was pasted is not shown either.
                self.drop_waiting()?;
                break line;
            }
        };
        drop(unseen);
        if let Some(signal) = signals.ended() {
            drop(signals);
            emulate_default_handler(signal)?;
            return Ok(None);
        }
        Ok(line.filter(|l| !l.contains('\u{3}')))
    }

    fn drop_waiting(&mut self) -> io::Result<bool> {
        let begun = Instant::now();
        let mut any = false;
        while begun.elapsed() < FLOOD {
            match comes(&QUIET)? {
                Some(true) if has_bytes() && forget() => any = true,
                None if self.ended().is_none() => {}
                _ => {
                    // Also of its last line, which has no end.
                    let _ = any && forget();
                    return Ok(any);
                }
            }
        }
        Err(io::Error::other(
            "lines come without end, faster than anybody types; none of them counts, and what was decided before is kept",
        ))
    }
}

/// What follows within this time belongs to what came before.
const QUIET: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};
/// What goes on for longer is no paste of a person.
const FLOOD: Duration = Duration::from_secs(5);

/// Whether there is more than the input's end.
fn has_bytes() -> bool {
    rustix::io::ioctl_fionread(io::stdin()).is_ok_and(|n| n > 0)
}

/// Throws away what the terminal holds. One that cannot be flushed is no terminal; its lines count as
/// typed.
fn forget() -> bool {
    tcflush(io::stdin(), QueueSelector::IFlush).is_ok()
}

/// How long a signal may wait for what it asks.
const GLANCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Whether a line was typed, or the terminal is gone: then reading it does not wait.
fn has_line() -> io::Result<bool> {
    Ok(comes(&GLANCE)? == Some(true))
}

/// Whether there is something to read before this time is over; none: a signal came first.
fn comes(within: &Timespec) -> io::Result<Option<bool>> {
    let stdin = io::stdin();
    let mut wanted = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut wanted, Some(within)) {
        Ok(n) => Ok(Some(n > 0)),
        Err(rustix::io::Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The terminal does not show what is typed while this lives.
struct Unseen(Termios);

impl Unseen {
    fn begin() -> io::Result<Self> {
        let stdin = io::stdin();
        let before = tcgetattr(&stdin)?;
        let mut unseen = before.clone();
        // Keys that send a signal are typed like any other: Ctrl-c is seen in the line.
        unseen.local_modes -= LocalModes::ECHO | LocalModes::ISIG;
        tcsetattr(&stdin, OptionalActions::Flush, &unseen)?;
        Ok(Self(before))
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        // A terminal that is gone needs none of it.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if io::Read::take(from, LIMIT).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
pub(crate) struct Script<'a>(pub std::str::Lines<'a>);

#[cfg(test)]
impl Input for Script<'_> {
    fn listen(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        Ok(self.0.next().map(str::to_owned))
    }

    fn hidden_line(
        &mut self,
        ask: &mut dyn FnMut() -> io::Result<()>,
    ) -> io::Result<Option<String>> {
        ask()?;
        self.line()
    }

    fn drop_waiting(&mut self) -> io::Result<bool> {
        Ok(false)
    }
}
