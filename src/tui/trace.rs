//! How long each input took to reach the screen: one JSON line per event, for whoever measures.
//!
//! Owns one file. Never keeps what was typed into a field or pasted. Bounded.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Instant;

/// How many lines are written; then the file ends with one that says so.
const MOST: usize = 100_000;

/// What happened, as far as a trace tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A key by its name, outside of any field.
    Key(String),
    /// A key in a field.
    Typed,
    /// A paste.
    Paste,
    /// Another size.
    Resize,
    /// Something that was read or computed.
    News,
    /// Nothing but time.
    Tick,
}

impl Kind {
    fn name(&self) -> &str {
        match self {
            Kind::Key(name) => name,
            Kind::Typed => "typed",
            Kind::Paste => "paste",
            Kind::Resize => "resize",
            Kind::News => "news",
            Kind::Tick => "tick",
        }
    }
}

/// A trace, or none.
#[derive(Default)]
pub struct Trace {
    file: Option<BufWriter<File>>,
    waiting: Vec<(Kind, Instant)>,
    lines: usize,
}

impl Trace {
    /// Writes to this file from now on; what stood in it is gone. It can be read by its owner only.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn to(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(path)?;
        Ok(Self {
            file: Some(BufWriter::new(file)),
            ..Self::default()
        })
    }

    /// Something was read at this moment.
    pub fn read(&mut self, kind: Kind, at: Instant) {
        if self.file.is_some() && self.waiting.len() < MOST {
            self.waiting.push((kind, at));
        }
    }

    /// The frame that answers what was read is on the screen. A trace that cannot be written ends.
    pub fn painted(&mut self, frame: u64, bytes: usize, at: Instant) {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(file) = &mut self.file else { return };
        let mut write = || {
            for (kind, read) in &waiting {
                if self.lines >= MOST {
                    writeln!(file, r#"{{"kind":"full"}}"#)?;
                    file.flush()?;
                    return Ok(false);
                }
                let ms = at.saturating_duration_since(*read).as_secs_f64() * 1000.0;
                let line = serde_json::json!({
                    "kind": kind.name(),
                    "ms": (ms * 1000.0).round() / 1000.0,
                    "frame": frame,
                    "bytes": bytes,
                });
                writeln!(file, "{line}")?;
                self.lines += 1;
            }
            file.flush()?;
            Ok::<_, io::Error>(true)
        };
        if !write().unwrap_or(false) {
            self.file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    #[test]
    fn a_line_per_event_says_how_long_it_took_and_nothing_typed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("trace");
        let mut trace = Trace::to(&path).unwrap();
        let start = Instant::now();
        trace.read(Kind::Key("Ctrl-r".to_owned()), start);
        trace.read(Kind::Typed, start);
        trace.painted(3, 120, start + Duration::from_micros(2500));
        trace.painted(4, 0, start);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "{\"kind\":\"Ctrl-r\",\"ms\":2.5,\"frame\":3,\"bytes\":120}\n\
             {\"kind\":\"typed\",\"ms\":2.5,\"frame\":3,\"bytes\":120}\n"
        );
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn it_ends_where_it_is_full() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("trace");
        let mut trace = Trace::to(&path).unwrap();
        trace.lines = MOST - 1;
        for frame in 0..3 {
            trace.read(Kind::Tick, Instant::now());
            trace.painted(frame, 0, Instant::now());
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.ends_with("{\"kind\":\"full\"}\n"), "{text}");
    }
}
