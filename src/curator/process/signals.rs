//! SIGINT, SIGTERM and SIGHUP while a curator runs: it is ended first, then memd.
//!
//! A child in a group of its own does not get the terminal's Ctrl-C. So while at least one runs,
//! these signals only set a flag, which its loop looks at; at all other times they do what they
//! always do.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

struct Handlers {
    /// No curator runs: signals have their usual effect.
    idle: Arc<AtomicBool>,
    /// A signal came while one ran.
    interrupted: Arc<AtomicBool>,
    /// How many run.
    running: Mutex<usize>,
}

static HANDLERS: OnceLock<Handlers> = OnceLock::new();

/// Holds the signals back until it is dropped.
pub(super) struct Watch(&'static Handlers);

/// Begins to hold the signals back.
pub(super) fn watch() -> io::Result<Watch> {
    let handlers = handlers()?;
    let mut running = handlers
        .running
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if *running == 0 {
        handlers.interrupted.store(false, Ordering::SeqCst);
        handlers.idle.store(false, Ordering::SeqCst);
    }
    *running += 1;
    drop(running);
    Ok(Watch(handlers))
}

impl Watch {
    /// Whether memd was told to end.
    pub fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::SeqCst)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut running = self
            .0
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        if *running == 0 {
            self.0.idle.store(true, Ordering::SeqCst);
        }
    }
}

/// Installs the handlers, once per process.
fn handlers() -> io::Result<&'static Handlers> {
    if let Some(handlers) = HANDLERS.get() {
        return Ok(handlers);
    }
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _guard = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handlers) = HANDLERS.get() {
        return Ok(handlers);
    }
    let idle = Arc::new(AtomicBool::new(true));
    let interrupted = Arc::new(AtomicBool::new(false));
    let ignored = ignored();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored & (1 << (signal - 1)) != 0 {
            continue;
        }
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&idle))?;
    }
    Ok(HANDLERS.get_or_init(|| Handlers {
        idle,
        interrupted,
        running: Mutex::new(0),
    }))
}

/// The signals that memd was started to ignore, as a bit set: `nohup` and background jobs of a
/// script. They stay ignored. Empty where the system does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok())
        .unwrap_or(0)
}
