//! Which program a tool was told to call: its version, and the hash of its bytes.

use crate::fs::open_plain;
use crate::id::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::path::Path;

/// One build of memd.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Its version.
    pub version: String,
    /// The SHA-256 of its bytes, in hex.
    pub hash: String,
}

impl Binary {
    /// The program at this path, which is of this version.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(path: &Path, version: &str) -> io::Result<Self> {
        let mut file = open_plain(path)?;
        let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut piece)? {
                0 => break,
                n => hash.update(&piece[..n]),
            }
        }
        Ok(Self {
            version: version.to_owned(),
            hash: hex(&hash.finalize()),
        })
    }

    /// Whether this is the other with other bytes: a newer version has them rightly.
    #[must_use]
    pub fn is_changed(&self, installed: &Self) -> bool {
        self.version == installed.version && self.hash != installed.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_bytes_of_the_same_version_were_changed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memd");
        let of = |bytes: &str, version| {
            std::fs::write(&path, bytes).unwrap();
            Binary::of(&path, version).unwrap()
        };
        let installed = of("abc", "1");
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(installed.hash, known);
        assert!(!of("abc", "1").is_changed(&installed));
        assert!(of("abd", "1").is_changed(&installed));
        assert!(!of("abd", "2").is_changed(&installed));
    }
}
