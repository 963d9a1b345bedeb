//! How much compressed rollouts unpack to, remembered between runs: telling it means to unpack them.
//!
//! A file in memd's state, good for nothing else and made anew when it is lost. It holds for a file
//! of the same path, size and time.

use super::packed::{Size, size};
use crate::config::Places;
use crate::fs;
use crate::source::SourceError;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The file's name in memd's state.
const NAME: &str = "unpacked.json";
/// At most this many bytes of it are read.
const LIMIT: u64 = 64 << 20;

/// Size, seconds and nanoseconds of a file, and how much it unpacks to.
type Known = (u64, i64, i64, u64);

/// What is remembered.
pub(super) struct Sizes {
    path: PathBuf,
    known: BTreeMap<String, Known>,
    /// What of it was asked for, or is new: the rest is gone.
    met: BTreeMap<String, Known>,
}

impl Sizes {
    /// What an earlier run remembered.
    pub fn load(places: &Places) -> Self {
        let path = places.state.join(NAME);
        let text = fs::read_text(&path, LIMIT).unwrap_or_default();
        Self {
            path,
            known: serde_json::from_str(&text).unwrap_or_default(),
            met: BTreeMap::new(),
        }
    }

    /// How much a file unpacks to. What is damaged is looked at every time.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(&mut self, file: &Path) -> Result<Size, SourceError> {
        let meta = std::fs::metadata(file).map_err(SourceError::io(file))?;
        let told = |plain| (meta.len(), meta.mtime(), meta.mtime_nsec(), plain);
        let name = file.to_str().unwrap_or_default();
        if let Some(known) = self.known.get(name).filter(|k| **k == told(k.3)) {
            self.met.insert(name.to_owned(), *known);
            return Ok(Size {
                plain: known.3,
                damage: None,
            });
        }
        let size = size(file)?;
        if size.damage.is_none() && !name.is_empty() {
            self.met.insert(name.to_owned(), told(size.plain));
        }
        Ok(size)
    }

    /// Remembers it for the next run. What cannot be written is only told again.
    pub fn keep(&self) {
        if self.met == self.known || !fs::is_own_folder(&state(&self.path)).unwrap_or(false) {
            return;
        }
        if let Ok(text) = serde_json::to_string(&self.met) {
            let _ = fs::write_renamed(&self.path, text.as_bytes(), 0o600);
        }
    }
}

fn state(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}
