//! The key file, and the keys derived from it.
//!
//! One file of 32 random bytes, made exclusively, readable by its owner only. Every use has its
//! own key, derived with HKDF-SHA256 under its own label. It is never made anew while data sealed
//! with it exist: that would turn all of it into untrusted data without a word.

use crate::config::Places;
use crate::fs::{self, FsError};
use crate::id::hex;
use hkdf::Hkdf;
use sha2::Sha256;
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use zeroize::{Zeroize, Zeroizing};

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
}

impl Purpose {
    const ALL: [Purpose; 8] = [
        Purpose::Seal,
        Purpose::Manifest,
        Purpose::Audit,
        Purpose::Proposal,
        Purpose::Redact,
        Purpose::NotSecret,
        Purpose::Grant,
        Purpose::AlsoSecret,
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
    keys: [Zeroizing<[u8; BYTES]>; 8],
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
        match read(&path) {
            Ok(key) => Self::derive(&key),
            Err(TrustError::Fs(e)) if e.is_missing() => {
                if sealed_data_exists {
                    return Err(TrustError::Lost { path });
                }
                make(&path)?;
                Self::derive(&*read(&path)?)
            }
            Err(e) => Err(e),
        }
    }

    /// As [`Trust::open`], and sure that it is the key with this id.
    ///
    /// # Errors
    /// As [`Trust::open`], and when it is another key.
    pub fn open_sealed(places: &Places, sealed_with: &str) -> Result<Self, TrustError> {
        let trust = Self::open(places, true)?;
        if trust.id == sealed_with {
            return Ok(trust);
        }
        Err(TrustError::Other {
            path: places.key(),
            here: trust.id.clone(),
            sealed: sealed_with.chars().take(16).collect(),
        })
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

    fn derive(master: &[u8; BYTES]) -> Result<Self, TrustError> {
        let hkdf = Hkdf::<Sha256>::new(None, master);
        let mut keys: [Zeroizing<[u8; BYTES]>; 8] = Default::default();
        for purpose in Purpose::ALL {
            hkdf.expand(purpose.label().as_bytes(), keys[purpose as usize].as_mut())
                .map_err(|_| TrustError::Derive)?;
        }
        let mut id = [0u8; 8];
        hkdf.expand(b"memd 1 key id", &mut id)
            .map_err(|_| TrustError::Derive)?;
        Ok(Self { id: hex(&id), keys })
    }

    /// Keys from one byte, for tests of other rooms.
    #[cfg(test)]
    #[must_use]
    pub fn for_tests(byte: u8) -> Self {
        Self::derive(&[byte; BYTES]).unwrap()
    }
}

fn read(path: &Path) -> Result<Zeroizing<[u8; BYTES]>, TrustError> {
    let mut bytes = fs::read_plain(path, 4096)?;
    let mode = std::fs::metadata(path)
        .map_err(FsError::io("read", path))?
        .mode()
        & 0o777;
    let key = <[u8; BYTES]>::try_from(bytes.as_slice()).map(Zeroizing::new);
    let size = bytes.len();
    bytes.zeroize();
    if mode & 0o077 != 0 {
        let path = path.to_owned();
        return Err(TrustError::Exposed { path, mode });
    }
    key.map_err(|_| TrustError::Size {
        path: path.to_owned(),
        size,
    })
}

/// Makes the key whole or not at all. Whoever loses that race reads the winner's.
fn make(path: &Path) -> Result<(), TrustError> {
    fs::private_dir(path.parent().unwrap_or(Path::new(".")))?;
    let mut key = Zeroizing::new([0u8; BYTES]);
    getrandom::fill(key.as_mut()).map_err(|_| TrustError::NoRandom)?;
    match fs::write_new(path, key.as_ref(), 0o600) {
        Err(error) if !error.is_taken() => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn places(dir: &Path) -> Places {
        let home = dir.to_owned();
        Places::from_env(|name| (name == "HOME").then(|| home.clone().into())).unwrap()
    }

    #[test]
    fn a_key_is_made_once_private_and_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        let first = Trust::open(&places, false).unwrap();
        let meta = std::fs::metadata(places.key()).unwrap();
        assert_eq!((meta.mode() & 0o777, meta.len()), (0o600, 32));
        assert_eq!(
            std::fs::metadata(&places.state).unwrap().mode() & 0o777,
            0o700
        );
        assert_eq!(std::fs::read_dir(&places.state).unwrap().count(), 1);
        let again = Trust::open(&places, true).unwrap();
        assert_eq!(first.key_id(), again.key_id());
        assert_eq!(first.redaction_key(), again.redaction_key());
        assert!(Trust::open_sealed(&places, first.key_id()).is_ok());
        assert!(matches!(
            Trust::open_sealed(&places, "0000000000000000"),
            Err(TrustError::Other { .. })
        ));
    }

    #[test]
    fn a_lost_exposed_or_damaged_key_is_refused_and_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        assert!(matches!(
            Trust::open(&places, true),
            Err(TrustError::Lost { .. })
        ));
        assert!(!places.key().exists());
        Trust::open(&places, false).unwrap();
        for mode in [0o640, 0o604, 0o644, 0o620] {
            std::fs::set_permissions(places.key(), std::fs::Permissions::from_mode(mode)).unwrap();
            let error = Trust::open(&places, false).unwrap_err();
            assert!(matches!(error, TrustError::Exposed { .. }), "{mode:o}");
            assert!(error.to_string().contains("chmod 600"));
        }
        std::fs::set_permissions(places.key(), std::fs::Permissions::from_mode(0o600)).unwrap();
        for size in [0, 31, 33] {
            std::fs::write(places.key(), vec![7u8; size]).unwrap();
            assert!(
                matches!(Trust::open(&places, false), Err(TrustError::Size { size: s, .. }) if s == size)
            );
        }
        std::fs::remove_file(places.key()).unwrap();
        std::os::unix::fs::symlink("/dev/zero", places.key()).unwrap();
        assert!(matches!(
            Trust::open(&places, false),
            Err(TrustError::Fs(FsError::NotAFile { .. }))
        ));
    }

    #[test]
    fn eight_first_starts_agree_on_one_key() {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        let ids: std::collections::BTreeSet<String> = std::thread::scope(|s| {
            let all: Vec<_> = (0..8)
                .map(|_| s.spawn(|| Trust::open(&places, false).unwrap().key_id().to_owned()))
                .collect();
            all.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert_eq!(ids.len(), 1);
    }

    #[test]
    fn each_purpose_has_its_own_key_and_none_is_printed() {
        let trust = Trust::for_tests(9);
        let keys: std::collections::BTreeSet<_> =
            Purpose::ALL.iter().map(|p| *trust.key(*p)).collect();
        assert_eq!(keys.len(), Purpose::ALL.len());
        assert!(!keys.contains(&[9; 32]));
        let shown = format!("{trust:?}");
        assert!(
            shown.len() < 40
                && Purpose::ALL
                    .iter()
                    .all(|p| !shown.contains(&hex(trust.key(*p))))
        );
    }
}
