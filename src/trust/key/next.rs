//! The next key: made beside the key while a rotation seals everything with it, and put in its place
//! once the database is.
//!
//! The database decides: which key it was sealed with is changed in the transaction that seals all
//! of it. Whatever moment a rotation is killed at, the file that lies beside the key is either the
//! one the database is sealed with, or was never used.

use super::{Trust, TrustError, file};
use crate::config::Places;
use crate::fs::{self, FsError};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A key that is to follow another.
pub struct Successor {
    /// Its keys.
    pub trust: Trust,
    bytes: Zeroizing<Vec<u8>>,
}

/// What became of a rotation that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// The data were sealed with the new key: it is in its place now. Its id.
    Finished(String),
    /// Nothing was sealed with the new key: it is gone, the old one goes on. The old one's id.
    Undone(String),
}

impl Trust {
    /// A new key to follow this one, whose last record in the audit chain is `last`.
    ///
    /// # Errors
    /// When there are no random bytes, or this one has followed too many.
    pub fn successor(&self, last: u64) -> Result<Successor, TrustError> {
        if self.retired.len() >= file::MOST {
            return Err(TrustError::TooOften(self.retired.len()));
        }
        let bytes = file::following(&*file::random()?, self, last)?;
        let trust = file::parse(&bytes, std::path::Path::new("key.next"))?;
        Ok(Successor { trust, bytes })
    }
}

impl Successor {
    #[cfg(test)]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Keeps it beside the key, before anything sealed with it is.
    ///
    /// # Errors
    /// When another lies there, or it cannot be written.
    pub fn lay_down(&self, places: &Places) -> Result<(), TrustError> {
        let path = places.next_key();
        is_free(&path)?;
        fs::write_new(&path, &self.bytes, 0o600)?;
        Ok(())
    }
}

/// A folder is neither a key nor to be removed with all that is in it.
fn is_free(next: &Path) -> Result<(), TrustError> {
    match std::fs::symlink_metadata(next) {
        Ok(meta) if meta.is_dir() => Err(TrustError::InTheWay {
            path: next.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Files in the state folder that a killed rotation left: written, and not yet moved to the place of
/// the next key. Only who changes the key may remove them: another rotation may be under way.
#[must_use]
pub fn leftovers(places: &Places) -> Vec<PathBuf> {
    let items = std::fs::read_dir(&places.state).into_iter().flatten();
    let is_left = |path: &PathBuf| {
        // Others have temporary files there too.
        let bytes = fs::read_plain(path, file::LARGEST).map(Zeroizing::new);
        bytes.is_ok_and(|bytes| bytes.starts_with(file::MARK))
    };
    items
        .flatten()
        .filter(|item| {
            let name = item.file_name();
            name.as_encoded_bytes()
                .starts_with(fs::TEMPORARY.as_bytes())
        })
        .map(|item| item.path())
        .filter(is_left)
        .collect()
}

/// Whether a next key lies beside the key.
#[must_use]
pub fn is_laid_down(places: &Places) -> bool {
    std::fs::symlink_metadata(places.next_key()).is_ok()
}

/// Puts the next key in the place of the key where the data are `sealed` with it, and takes it away
/// where they are sealed with the key. `None`: they are sealed with neither, and nothing is done.
///
/// # Errors
/// When a file cannot be read or moved.
pub fn settle(places: &Places, sealed: &str) -> Result<Option<Settled>, TrustError> {
    let (key, next) = (places.key(), places.next_key());
    is_free(&next)?;
    let here = Trust::open(places, true);
    if let Ok(here) = &here
        && here.id == sealed
    {
        std::fs::remove_file(&next).map_err(FsError::io("remove", &next))?;
        fs::sync_dir(&places.state)?;
        return Ok(Some(Settled::Undone(here.id.clone())));
    }
    if file::read(&next)?.id != sealed {
        return Ok(None);
    }
    std::fs::rename(&next, &key).map_err(FsError::io("rename", &next))?;
    fs::sync_dir(&places.state)?;
    Ok(Some(Settled::Finished(sealed.to_owned())))
}
