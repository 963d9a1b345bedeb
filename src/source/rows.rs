//! Whose sessions there are: the directories that a session's rows name, found without parsing it.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What stands before a row's directory.
const KEY: &[u8] = b"\"cwd\":";
/// How much of a session is held at a time, in bytes.
const PIECE: usize = 1 << 20;
/// No directory is longer, in bytes: as much of a piece is looked at again with the next.
const OVERLAP: usize = 8 << 10;
/// Of each session so much is looked at, once the budget is used up.
const HEAD: u64 = 1 << 20;
/// So many bytes of all sessions together are looked at whole.
const BUDGET: u64 = 4 << 30;

/// Tells which sessions hold rows that were written in a project.
pub struct Rows<'a> {
    belongs: &'a dyn Fn(&Path) -> bool,
    known: HashMap<PathBuf, bool>,
    budget: u64,
}

impl<'a> Rows<'a> {
    /// Asks for the project whose directories `belongs` tells.
    #[must_use]
    pub fn of(belongs: &'a dyn Fn(&Path) -> bool) -> Self {
        Self {
            belongs,
            known: HashMap::new(),
            budget: BUDGET,
        }
    }

    /// Whether any row of a session of this size was written in the project.
    pub(super) fn any(&mut self, session: impl Read, size: u64) -> std::io::Result<bool> {
        let limit = if size <= self.budget { size } else { HEAD };
        self.budget = self.budget.saturating_sub(limit);
        self.search(&mut session.take(limit))
    }

    fn search(&mut self, from: &mut dyn Read) -> std::io::Result<bool> {
        let mut bytes = Vec::with_capacity(PIECE + OVERLAP);
        loop {
            let read = from.take(PIECE as u64).read_to_end(&mut bytes)?;
            let is_last = read == 0;
            // A directory that may be cut at the end of the piece waits for the rest.
            let whole = if is_last {
                bytes.len()
            } else {
                bytes.len().saturating_sub(OVERLAP)
            };
            for at in memchr::memmem::find_iter(&bytes, KEY) {
                if at < whole && self.is_ours(&bytes[at + KEY.len()..]) {
                    return Ok(true);
                }
            }
            if is_last {
                return Ok(false);
            }
            bytes.drain(..whole);
        }
    }

    /// Whether the JSON string that begins here names a directory of the project.
    fn is_ours(&mut self, rest: &[u8]) -> bool {
        dir(rest).is_some_and(|dir| self.is_in(&dir))
    }

    /// Whether a directory is the project's.
    pub(super) fn is_in(&mut self, dir: &Path) -> bool {
        if let Some(known) = self.known.get(dir) {
            return *known;
        }
        let ours = (self.belongs)(dir);
        self.known.insert(dir.to_owned(), ours);
        ours
    }
}

/// The directories that the rows in these bytes name.
pub(super) fn dirs(bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    let keys = memchr::memmem::find_iter(bytes, KEY);
    keys.filter_map(|at| dir(&bytes[at + KEY.len()..]))
}

/// The JSON string that begins here.
fn dir(rest: &[u8]) -> Option<PathBuf> {
    let rest = &rest[..rest.len().min(OVERLAP)];
    let mut value = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
    Some(PathBuf::from(value.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any(text: &str) -> bool {
        let belongs = |dir: &Path| dir == Path::new("/app");
        let mut rows = Rows::of(&belongs);
        rows.any(text.as_bytes(), text.len() as u64).unwrap()
    }

    #[test]
    fn rows_are_found_wherever_they_stand_and_quoted_ones_are_none() {
        let row = |dir: &str| format!("{{\"type\":\"user\",\"cwd\":{dir:?}}}\n");
        assert!(any(&row("/app")));
        assert!(!any(&row("/other")));
        assert!(!any(""));
        let quoted = serde_json::to_string(&row("/app")).unwrap();
        assert!(!any(&format!("{{\"text\":{quoted}}}\n")));
        // Across the edge of what is held at a time.
        for before in [PIECE - 30, PIECE - 12, PIECE - 3, 3 * PIECE - 20] {
            let text = format!("{}\n{}", "x".repeat(before), row("/app"));
            assert!(any(&text), "{before}");
            assert!(any(&(text + &"y".repeat(PIECE))), "{before}");
        }
    }
}
