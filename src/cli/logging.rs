//! The log file: hooks have no terminal. Rotated at 1 MB, three old ones kept (memd 0.3's figures).
//!
//! Only typed facts are logged (a rule, a count, a project's id), never text from a transcript, a
//! curator or a child. What an error quotes, such as a path, passes the [`gate`] like all that is
//! printed. `MEMD_LOG` sets the filter, as in `MEMD_LOG=debug`.

use super::gate;
use crate::config::Places;
use crate::fs::{self, Writing};
use crate::text::visible_line;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use tracing_subscriber::EnvFilter;

const ROTATE_AT: u64 = 1_000_000;
const KEPT: u32 = 3;

/// Starts logging where the state folder already exists; a log that cannot be opened stops nothing.
pub(super) fn start(places: &Places) {
    let path = places.log();
    if !places.state.is_dir() {
        return;
    }
    rotate(&path);
    let Ok(file) = fs::open_own(&path, Writing::Behind) else {
        return;
    };
    let filter = EnvFilter::try_from_env("MEMD_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    // A second start in one process keeps the first.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Mutex::new(Gated(file)))
        .with_ansi(false)
        .with_target(false)
        .try_init();
}

/// The log file behind the gate: each event is one line.
struct Gated(File);

impl Write for Gated {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = visible_line(&gate::hide(text.trim_end()));
        self.0.write_all(format!("{line}\n").as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn rotate(path: &Path) {
    if !std::fs::metadata(path).is_ok_and(|m| m.len() > ROTATE_AT) {
        return;
    }
    let old = |n: u32| path.with_extension(format!("log.{n}"));
    for n in (1..KEPT).rev() {
        // A gap in the row of old logs is normal.
        let _ = std::fs::rename(old(n), old(n + 1));
    }
    let _ = std::fs::rename(path, old(1));
    if let Some(dir) = path.parent() {
        let _ = fs::sync_dir(dir);
    }
}
