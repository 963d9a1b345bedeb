//! The encoding that is sealed, and the seal itself.
//!
//! Every field is written as its length (eight bytes, big-endian) and its bytes, after a label
//! that names the kind of thing: no field can shift another's boundary, and no two kinds share an
//! encoding.

use super::key::{Purpose, Trust};
use crate::id::hex;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;

/// The format of every seal this version writes. A seal of another format is not trusted.
pub const FORMAT: u32 = 1;

/// The canonical bytes of a tuple of fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields(Vec<u8>);

impl Fields {
    /// Begins with the label of the kind of thing, such as `record`.
    #[must_use]
    pub fn new(label: &str) -> Self {
        Self(Vec::with_capacity(256)).bytes(label.as_bytes())
    }

    /// A field of bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0
            .extend_from_slice(&(bytes.len() as u64).to_be_bytes());
        self.0.extend_from_slice(bytes);
        self
    }

    /// A field of text.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    /// A field of text in its display form.
    #[must_use]
    pub fn shown(self, value: &impl fmt::Display) -> Self {
        self.text(&value.to_string())
    }

    /// A field that may be absent; absent and empty are told apart.
    #[must_use]
    pub fn optional(self, value: Option<&impl fmt::Display>) -> Self {
        match value {
            None => self.bytes(&[0]),
            Some(value) => self.bytes(&[1]).shown(value),
        }
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A keyed hash over [`Fields`]: 64 lower-case hex digits, or empty when nothing was sealed yet.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seal(String);

impl Seal {
    /// A seal as it was stored; whether it holds is for [`Trust::check`] to say.
    #[must_use]
    pub fn stored(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn raw(&self) -> Option<[u8; 32]> {
        let digits = self.0.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut raw = [0u8; 32];
        for (byte, pair) in raw.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(raw)
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seal({})", self.0)
    }
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why something is not trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// Nobody sealed it.
    #[error("it has no seal")]
    Missing,
    /// Not 64 hex digits.
    #[error("its seal is not one")]
    Malformed,
    /// Sealed by a newer memd, or not by memd.
    #[error("its seal has the unknown format {0}")]
    UnknownFormat(u32),
    /// Sealed with a key that is not here.
    #[error("it was sealed with another key ({0})")]
    OtherKey(String),
    /// The seal does not fit: something was changed.
    #[error("its seal does not fit: it was changed outside memd")]
    Wrong,
}

fn mac(key: &[u8; 32], fields: &Fields) -> Hmac<Sha256> {
    // A key shorter than the block is padded with zeros; done here, since it cannot fail.
    let mut block = zeroize::Zeroizing::new([0u8; 64]);
    block[..32].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new((&*block).into());
    mac.update(fields.as_bytes());
    mac
}

/// The seal of fields with a key.
pub(super) fn made(key: &[u8; 32], fields: &Fields) -> Seal {
    Seal(hex(&mac(key, fields).finalize().into_bytes()))
}

/// Compares a seal with what this key makes of the fields, in constant time.
pub(super) fn check(key: &[u8; 32], fields: &Fields, seal: &Seal) -> Result<(), SealError> {
    if seal.0.is_empty() {
        return Err(SealError::Missing);
    }
    let raw = seal.raw().ok_or(SealError::Malformed)?;
    mac(key, fields)
        .verify_slice(&raw)
        .map_err(|_| SealError::Wrong)
}

impl Trust {
    /// Seals fields for one purpose.
    #[must_use]
    pub fn tag(&self, purpose: Purpose, fields: &Fields) -> Seal {
        made(self.key(purpose), fields)
    }

    /// Checks a seal in constant time.
    ///
    /// # Errors
    /// When it is missing, malformed or wrong.
    pub fn check(&self, purpose: Purpose, fields: &Fields, seal: &Seal) -> Result<(), SealError> {
        check(self.key(purpose), fields, seal)
    }

    /// The seal of the `next` key in the place of one that this key made.
    ///
    /// # Errors
    /// As [`Trust::check`]: what this key did not seal, the next one does not.
    pub fn reseal(
        &self,
        next: &Trust,
        purpose: Purpose,
        fields: &Fields,
        seal: &Seal,
    ) -> Result<Seal, SealError> {
        self.check(purpose, fields, seal)?;
        Ok(next.tag(purpose, fields))
    }

    /// Checks format and key id, which every sealed thing carries, and then the seal.
    pub(super) fn check_whole(
        &self,
        purpose: Purpose,
        format: u32,
        key: &str,
        fields: &Fields,
        seal: &Seal,
    ) -> Result<(), SealError> {
        if seal.0.is_empty() {
            return Err(SealError::Missing);
        }
        if format != FORMAT {
            return Err(SealError::UnknownFormat(format));
        }
        if key != self.key_id() {
            return Err(SealError::OtherKey(key.chars().take(16).collect()));
        }
        self.check(purpose, fields, seal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(fields: &[Option<String>]) -> Fields {
        fields
            .iter()
            .fold(Fields::new("t"), |f, v| f.optional(v.as_ref()))
    }

    proptest! {
        #[test]
        fn no_two_tuples_share_an_encoding(
            a in proptest::collection::vec(proptest::option::of("[ab\0]{0,3}"), 0..5),
            b in proptest::collection::vec(proptest::option::of("[ab\0]{0,3}"), 0..5),
        ) {
            prop_assert_eq!(a == b, encode(&a) == encode(&b));
        }

        #[test]
        fn a_boundary_cannot_shift(text in "\\PC{0,40}", at in 0usize..40, other in 0usize..40) {
            let cut = |n: usize| {
                let n = text.char_indices().map(|(i, _)| i).chain([text.len()]).nth(n).unwrap_or(text.len());
                (n, Fields::new("t").text(&text[..n]).text(&text[n..]))
            };
            let ((a, x), (b, y)) = (cut(at), cut(other));
            prop_assert_eq!(a == b, x == y);
        }
    }

    #[test]
    fn what_is_no_seal_is_never_trusted() {
        let trust = Trust::for_tests(1);
        let fields = Fields::new("x").text("y");
        let good = trust.tag(Purpose::Seal, &fields);
        assert_eq!(trust.check(Purpose::Seal, &fields, &good), Ok(()));
        let cases = [
            ("", SealError::Missing),
            ("00", SealError::Malformed),
            (&"g".repeat(64), SealError::Malformed),
            (&good.as_str().to_uppercase(), SealError::Malformed),
            (&"0".repeat(64), SealError::Wrong),
        ];
        for (text, error) in cases {
            assert_eq!(
                trust.check(Purpose::Seal, &fields, &Seal::stored(text)),
                Err(error),
                "{text}"
            );
        }
        // The same bytes under another purpose or another key are another seal.
        assert!(trust.check(Purpose::Audit, &fields, &good).is_err());
        assert!(
            Trust::for_tests(2)
                .check(Purpose::Seal, &fields, &good)
                .is_err()
        );
    }

    #[test]
    fn absent_and_empty_are_two_things() {
        let empty = String::new();
        assert_ne!(
            Fields::new("t").optional(Some(&empty)),
            Fields::new("t").optional(None::<&String>)
        );
    }
}
