//! The signals that a full-screen program answers, as flags that the loop looks at.
//!
//! Owns the handlers while the screen is up. A handler only raises a flag; what is to be done is
//! done by the loop, between two frames. When this is dropped, signals do again what they do by
//! default.

pub use signal_hook::consts::SIGHUP;

use signal_hook::SigId;
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGWINCH, SIGXCPU,
};
use signal_hook::flag::{register, register_conditional_default};
use signal_hook::low_level::unregister;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Signals that end the program, the weightiest first. Also those that nobody sends to ask for it: by
/// default they end it all the same, and would leave the terminal as it is. Not SIGXFSZ: a write that is
/// too large fails, and is told.
const ENDING: [i32; 11] = [
    SIGHUP, SIGTERM, SIGQUIT, SIGINT, SIGABRT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1,
    SIGUSR2,
];

/// Raised while no screen is up: the default action is taken. A handler that was once installed
/// must take it itself, since none is ever taken away.
static OVER: OnceLock<Arc<AtomicBool>> = OnceLock::new();

fn over() -> io::Result<&'static Arc<AtomicBool>> {
    if let Some(over) = OVER.get() {
        return Ok(over);
    }
    let over = Arc::default();
    for signal in ENDING.into_iter().chain([SIGTSTP]) {
        register_conditional_default(signal, Arc::clone(&over))?;
    }
    Ok(OVER.get_or_init(|| over))
}

/// The flags.
pub struct Signals {
    ended: [Arc<AtomicBool>; ENDING.len()],
    stop: Arc<AtomicBool>,
    continued: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
    /// The terminal is another program's for now: a stop stops at once.
    lent: Arc<AtomicBool>,
    ids: Vec<SigId>,
}

impl Signals {
    /// Catches them from now on.
    ///
    /// # Errors
    /// A handler cannot be installed.
    pub fn catch() -> io::Result<Self> {
        let mut signals = Self {
            ended: Default::default(),
            stop: Arc::default(),
            continued: Arc::default(),
            resized: Arc::default(),
            lent: Arc::default(),
            ids: Vec::new(),
        };
        over()?.store(false, Ordering::SeqCst);
        let lent = Arc::clone(&signals.lent);
        signals
            .ids
            .push(register_conditional_default(SIGTSTP, lent)?);
        let others = [
            (SIGTSTP, Arc::clone(&signals.stop)),
            (SIGCONT, Arc::clone(&signals.continued)),
            (SIGWINCH, Arc::clone(&signals.resized)),
        ];
        for (signal, flag) in ENDING.into_iter().zip(signals.ended.clone()).chain(others) {
            signals.ids.push(register(signal, flag)?);
        }
        Ok(signals)
    }

    /// The signal that asks the program to end, if one came.
    #[must_use]
    pub fn ended(&self) -> Option<i32> {
        let came = |flag: &Arc<AtomicBool>| flag.load(Ordering::SeqCst);
        let at = self.ended.iter().position(came)?;
        ENDING.get(at).copied()
    }

    /// Whether it was asked to stop since this was called last.
    #[must_use]
    pub fn stop_asked(&self) -> bool {
        self.stop.swap(false, Ordering::SeqCst)
    }

    /// Whether it was continued since this was called last: others may have had the terminal.
    #[must_use]
    pub fn continued(&self) -> bool {
        self.continued.swap(false, Ordering::SeqCst)
    }

    /// The flag that is raised when the terminal's size changes.
    #[must_use]
    pub fn resized(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.resized)
    }

    /// Another program has the terminal until what this gives is dropped. Meanwhile a stop stops
    /// this one too, as the shell expects of all of a job, and an interrupt is not for it.
    #[must_use]
    pub fn lend(&self) -> Lent<'_> {
        self.lent.store(true, Ordering::SeqCst);
        Lent(self)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        if let Some(over) = OVER.get() {
            over.store(true, Ordering::SeqCst);
        }
        for id in self.ids.drain(..) {
            unregister(id);
        }
    }
}

/// The terminal is another program's.
pub struct Lent<'a>(&'a Signals);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let signals = self.0;
        signals.lent.store(false, Ordering::SeqCst);
        if let Some(at) = ENDING.iter().position(|signal| *signal == SIGINT)
            && let Some(interrupt) = signals.ended.get(at)
        {
            interrupt.store(false, Ordering::SeqCst);
        }
        signals.stop.store(false, Ordering::SeqCst);
        signals.continued.store(false, Ordering::SeqCst);
        // The size may have changed under the other program.
        signals.resized.store(true, Ordering::SeqCst);
    }
}

/// The exit code of a program that a signal ended.
#[must_use]
pub fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use signal_hook::low_level::raise;

    // One test, since signals are the whole process's.
    #[test]
    fn a_signal_raises_its_flag_and_nothing_else() {
        let signals = Signals::catch().unwrap();
        assert_eq!(signals.ended(), None);
        assert!(!signals.stop_asked());
        raise(SIGTSTP).unwrap();
        raise(SIGCONT).unwrap();
        raise(SIGWINCH).unwrap();
        assert!(signals.stop_asked() && !signals.stop_asked());
        assert!(signals.continued() && !signals.continued());
        assert!(signals.resized().swap(false, Ordering::SeqCst));
        let lent = signals.lend();
        raise(SIGINT).unwrap();
        drop(lent);
        assert_eq!(signals.ended(), None);
        assert!(signals.resized().load(Ordering::SeqCst));
        raise(SIGUSR1).unwrap();
        assert_eq!(signals.ended(), Some(SIGUSR1));
        raise(SIGINT).unwrap();
        assert_eq!(signals.ended().map(exit_code), Some(130));
        raise(SIGTERM).unwrap();
        assert_eq!(signals.ended().map(exit_code), Some(143));
        raise(SIGHUP).unwrap();
        assert_eq!(signals.ended().map(exit_code), Some(129));
    }
}
