//! A person's word that a value which the redactor shows is a secret.

use super::key::{Purpose, Trust};
use super::seal::{FORMAT, Fields, Seal, SealError};
use crate::redact::Also;
use jiff::Timestamp;

/// A value that a person called a secret: nothing of its text. Every field but the seal is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlsoSecret {
    /// Format of the seal.
    pub format: u32,
    /// What it is found by.
    pub value: Also,
    /// When it was said.
    pub at: Timestamp,
    /// Id of the key that sealed it.
    pub key: String,
    /// The seal; empty until [`Trust::seal_also_secret`].
    pub seal: Seal,
}

impl AlsoSecret {
    fn fields(&self) -> Fields {
        Fields::new("also secret")
            .shown(&self.format)
            .text(&self.key)
            .text(&self.value.fingerprint)
            .shown(&self.value.bytes)
            .shown(&self.value.chars)
            .shown(&self.value.ends.0)
            .shown(&self.value.ends.1)
            .shown(&self.at)
    }
}

impl Trust {
    /// The same with this key's seal on it.
    #[must_use]
    pub fn seal_also_secret(&self, mut said: AlsoSecret) -> AlsoSecret {
        said.format = FORMAT;
        self.key_id().clone_into(&mut said.key);
        said.seal = self.tag(Purpose::AlsoSecret, &said.fields());
        said
    }

    /// Whether it is as it was sealed.
    ///
    /// # Errors
    /// When it has no seal, or one that does not fit.
    pub fn verify_also_secret(&self, said: &AlsoSecret) -> Result<(), SealError> {
        self.check_whole(
            Purpose::AlsoSecret,
            said.format,
            &said.key,
            &said.fields(),
            &said.seal,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changing_any_field_breaks_the_seal() {
        let trust = Trust::for_tests(1);
        let good = trust.seal_also_secret(AlsoSecret {
            format: 0,
            value: Also {
                fingerprint: "0123456789abcdef0123456789abcdef".into(),
                bytes: 7,
                chars: 6,
                ends: (1, 2),
            },
            at: Timestamp::UNIX_EPOCH,
            key: String::new(),
            seal: Seal::default(),
        });
        assert_eq!(trust.verify_also_secret(&good), Ok(()));
        let mutations: [fn(&mut AlsoSecret); 9] = [
            |s| s.format = 2,
            |s| s.value.fingerprint.replace_range(..1, "f"),
            |s| s.value.bytes = 8,
            |s| s.value.chars = 7,
            |s| s.value.ends.0 = 0,
            |s| s.value.ends.1 = 0,
            |s| s.at = Timestamp::MAX,
            |s| s.key.clear(),
            |s| s.seal = Seal::default(),
        ];
        for (n, mutate) in mutations.iter().enumerate() {
            let mut bad = good.clone();
            mutate(&mut bad);
            assert!(trust.verify_also_secret(&bad).is_err(), "{n}");
        }
        assert!(Trust::for_tests(2).verify_also_secret(&good).is_err());
    }
}
