//! Where this process's things are when they are not where the environment says: the demo's home.
//!
//! While one stands, no command of this process sees the user's own
//! places.

use crate::config::Places;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static PLACES: Mutex<Option<Places>> = Mutex::new(None);

/// A stage that stands; dropping it brings back the user's own places and directory.
pub(super) struct Stage {
    back: PathBuf,
}

impl Stage {
    /// From now on every command of this process finds its places here and stands in this
    /// directory.
    ///
    /// # Errors
    /// When there is no current directory, or the new one cannot be entered.
    pub(super) fn enter(places: &Places, directory: &Path) -> io::Result<Self> {
        let back = std::env::current_dir()?;
        std::env::set_current_dir(directory)?;
        set(Some(places.clone()));
        Ok(Self { back })
    }

    /// The stage's places, while one stands.
    pub(super) fn places() -> Option<Places> {
        PLACES
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        set(None);
        // The directory may have gone meanwhile; nobody needs it any more.
        let _ = std::env::set_current_dir(&self.back);
    }
}

fn set(places: Option<Places>) {
    *PLACES.lock().unwrap_or_else(PoisonError::into_inner) = places;
}
