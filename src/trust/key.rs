//! The key file, and the keys derived from it.
//!
//! One file of 32 random bytes, made exclusively, readable by its owner only. Every use has its
//! own key, derived with HKDF-SHA256 under its own label. It is never made anew while data sealed
//! with it exist: that would turn all of it into untrusted data without a word. A rotation puts
//! another in its place ([`Trust::successor`]); what of the old one must go on is in the new file.

mod file;
mod next;
mod retired;

pub use next::{Settled, Successor, is_laid_down, leftovers, settle};
pub use retired::Retired;

use crate::config::Places;
use crate::fs::FsError;
use crate::id::hex;
use hkdf::Hkdf;
use sha2::Sha256;
use std::fmt;
use std::path::PathBuf;
use zeroize::Zeroizing;

const BYTES: usize = 32;

/// What a derived key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Entry records.
    Seal,
    /// The manifest of a project's records.
    Manifest,
    /// The audit chain.
    Audit,
    /// Staged proposals, decisions on them and what is about to be written.
    Proposal,
    /// Fingerprints of what the redactor hid.
    Redact,
    /// Words of a person that a hidden value is no secret.
    NotSecret,
    /// Leaves to apply without a person.
    Grant,
    /// Words of a person that a shown value is a secret.
    AlsoSecret,
    /// The key file itself, once it holds more than a key.
    KeyFile,
}

/// How many purposes there are.
const PURPOSES: usize = 9;

impl Purpose {
    const ALL: [Purpose; PURPOSES] = [
        Purpose::Seal,
        Purpose::Manifest,
        Purpose::Audit,
        Purpose::Proposal,
        Purpose::Redact,
        Purpose::NotSecret,
        Purpose::Grant,
        Purpose::AlsoSecret,
        Purpose::KeyFile,
    ];

    fn label(self) -> &'static str {
        match self {
            Purpose::Seal => "memd 1 seal",
            Purpose::Manifest => "memd 1 manifest",
            Purpose::Audit => "memd 1 audit",
            Purpose::Proposal => "memd 1 proposal",
            Purpose::Redact => "memd 1 redact",
            Purpose::NotSecret => "memd 1 not secret",
            Purpose::Grant => "memd 1 grant",
            Purpose::AlsoSecret => "memd 1 also secret",
            Purpose::KeyFile => "memd 1 key file",
        }
    }
}

/// Why there is no key to work with.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The key file cannot be read or made.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// Group or others may read it.
    #[error(
        "the key {path:?} can be read by others (mode {mode:03o}); see who could have read it, then run: chmod 600 {path:?}"
    )]
    Exposed {
        /// The key file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It is another user's, who can read it.
    #[error(
        "the key {path:?} belongs to user {owner}, and memd runs as user {me}; run memd as that user, or see who put it there and put your own back from a backup"
    )]
    Foreign {
        /// The key file.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who runs memd.
        me: u32,
    },
    /// Not 32 bytes.
    #[error(
        "the key {path:?} holds {size} bytes instead of 32; put it back from a backup, or move it and the database away to begin anew: what stands in .memory/ can then be adopted"
    )]
    Size {
        /// The key file.
        path: PathBuf,
        /// Its size in bytes.
        size: usize,
    },
    /// Sealed data exist, the key does not.
    #[error(
        "the key {path:?} is gone, and what it sealed is still there; put it back from a backup, or move the database away too to begin anew: what stands in .memory/ can then be adopted"
    )]
    Lost {
        /// The key file.
        path: PathBuf,
    },
    /// The key is not the one the database was sealed with.
    #[error(
        "the key {path:?} is {here}, the database was sealed with {sealed}; put the right key back, or move the database away to begin anew: what stands in .memory/ can then be adopted"
    )]
    Other {
        /// The key file.
        path: PathBuf,
        /// The id of the key that is there.
        here: String,
        /// The id of the key that sealed the data.
        sealed: String,
    },
    /// The file of a rotated key, changed or cut.
    #[error(
        "the key {path:?} was changed or cut since memd wrote it; put it back from a backup, or move it and the database away to begin anew: what stands in .memory/ can then be adopted"
    )]
    Damaged {
        /// The key file.
        path: PathBuf,
    },
    /// The database is from before the key was rotated.
    #[error(
        "the database was sealed with {sealed}, which was retired for {here}: it is an older copy; put the newest database back, or with this one the key of its time from a backup ({path:?})"
    )]
    Retired {
        /// The key file.
        path: PathBuf,
        /// The id of the key that is there.
        here: String,
        /// The id of the key that sealed the data.
        sealed: String,
    },
    /// The database is sealed with another key than when this memd opened it.
    #[error(
        "the key was rotated while this memd was running ({began} is now {sealed}); nothing was done: end it and run it again"
    )]
    RotatedMeanwhile {
        /// The id of the key that this memd began with.
        began: String,
        /// The id of the key that seals the data now.
        sealed: String,
    },
    /// A folder has the place of the next key.
    #[error(
        "{path:?} is a folder, and no rotation of the key can be finished or begun while it is there; memd did not put it there: remove it by hand"
    )]
    InTheWay {
        /// The place of the next key.
        path: PathBuf,
    },
    /// It was rotated more often than a key file holds.
    #[error(
        "the key was rotated {0} times, and its file holds no more; move it and the database away to begin anew: what stands in .memory/ can then be adopted"
    )]
    TooOften(usize),
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes for a new key")]
    NoRandom,
    /// A key could not be derived.
    #[error("cannot derive a key")]
    Derive,
}

/// The derived keys. Cloned by nobody, printed by nothing, wiped when dropped.
pub struct Trust {
    id: String,
    keys: [Zeroizing<[u8; BYTES]>; PURPOSES],
    /// Oldest first.
    retired: Vec<Retired>,
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trust(key {})", self.id)
    }
}

impl Trust {
    /// Opens the key, or makes one when there is none and nothing was ever sealed.
    ///
    /// # Errors
    /// When others can read the key, it is damaged, or it is gone while sealed data exist.
    pub fn open(places: &Places, sealed_data_exists: bool) -> Result<Self, TrustError> {
        let path = places.key();
        match file::read(&path) {
            Err(TrustError::Fs(e)) if e.is_missing() => {
                if sealed_data_exists {
                    return Err(TrustError::Lost { path });
                }
                file::make(&path)?;
                file::read(&path)
            }
            read => read,
        }
    }

    /// As [`Trust::open`], and sure that it is the key with this id: also the next one, where a
    /// rotation has sealed the data with it and did not come to put it in its place.
    ///
    /// # Errors
    /// As [`Trust::open`], and when it is another key.
    pub fn open_sealed(places: &Places, sealed_with: &str) -> Result<Self, TrustError> {
        let is_it = |trust: &Trust| trust.id == sealed_with;
        let trust = Self::open(places, true)?;
        if is_it(&trust) {
            return Ok(trust);
        }
        if let Some(next) = file::read(&places.next_key()).ok().filter(is_it) {
            return Ok(next);
        }
        // It may have been put in its place between the two looks.
        let trust = Self::open(places, true)?;
        if is_it(&trust) {
            return Ok(trust);
        }
        let (path, here) = (places.key(), trust.id.clone());
        let sealed: String = sealed_with.chars().take(16).collect();
        Err(match trust.retired.iter().any(|key| key.id == sealed) {
            true => TrustError::Retired { path, here, sealed },
            false => TrustError::Other { path, here, sealed },
        })
    }

    /// Whether this is the id of the key, or of one that was retired for it.
    #[must_use]
    pub fn is_ours(&self, id: &str) -> bool {
        self.key_id() == id || self.retired().iter().any(|retired| retired.id == id)
    }

    /// The public name of the key: 16 hex digits that reveal nothing of it.
    #[must_use]
    pub fn key_id(&self) -> &str {
        &self.id
    }

    /// The key for fingerprints of hidden secrets.
    #[must_use]
    pub fn redaction_key(&self) -> &[u8; 32] {
        self.key(Purpose::Redact)
    }

    pub(super) fn key(&self, purpose: Purpose) -> &[u8; BYTES] {
        &self.keys[purpose as usize]
    }

    /// Keys that were in use before, oldest first.
    #[must_use]
    pub fn retired(&self) -> &[Retired] {
        &self.retired
    }

    fn derive(master: &[u8; BYTES]) -> Result<Self, TrustError> {
        let hkdf = Hkdf::<Sha256>::new(None, master);
        let mut keys: [Zeroizing<[u8; BYTES]>; PURPOSES] = Default::default();
        for purpose in Purpose::ALL {
            hkdf.expand(purpose.label().as_bytes(), keys[purpose as usize].as_mut())
                .map_err(|_| TrustError::Derive)?;
        }
        let mut id = [0u8; 8];
        hkdf.expand(b"memd 1 key id", &mut id)
            .map_err(|_| TrustError::Derive)?;
        let (id, retired) = (hex(&id), Vec::new());
        Ok(Self { id, keys, retired })
    }

    /// Keys from one byte, for tests of other rooms.
    #[cfg(test)]
    #[must_use]
    pub fn for_tests(byte: u8) -> Self {
        Self::derive(&[byte; BYTES]).unwrap()
    }
}

#[cfg(test)]
mod tests;
