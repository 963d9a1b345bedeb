//! A person's word that a value the redactor hid is no secret.

use super::key::{Purpose, Trust};
use super::seal::{FORMAT, Fields, Seal, SealError};
use jiff::Timestamp;

/// A value that a person called no secret, known by its fingerprint alone. Every field but the seal
/// is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotSecret {
    /// Format of the seal.
    pub format: u32,
    /// The value's keyed fingerprint, 32 hex digits.
    pub fingerprint: String,
    /// The rule that hid it.
    pub rule: String,
    /// Its length in bytes, as a bucket.
    pub length: String,
    /// When it was said.
    pub at: Timestamp,
    /// Id of the key that sealed it.
    pub key: String,
    /// The seal; empty until [`Trust::seal_not_secret`].
    pub seal: Seal,
}

impl NotSecret {
    fn fields(&self) -> Fields {
        Fields::new("not secret")
            .shown(&self.format)
            .text(&self.key)
            .text(&self.fingerprint)
            .text(&self.rule)
            .text(&self.length)
            .shown(&self.at)
    }
}

impl Trust {
    /// The same with this key's seal on it.
    #[must_use]
    pub fn seal_not_secret(&self, mut said: NotSecret) -> NotSecret {
        said.format = FORMAT;
        self.key_id().clone_into(&mut said.key);
        said.seal = self.tag(Purpose::NotSecret, &said.fields());
        said
    }

    /// Whether it is as it was sealed.
    ///
    /// # Errors
    /// When it has no seal, or one that does not fit.
    pub fn verify_not_secret(&self, said: &NotSecret) -> Result<(), SealError> {
        self.check_whole(
            Purpose::NotSecret,
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
        let good = trust.seal_not_secret(NotSecret {
            format: 0,
            fingerprint: "0123456789abcdef0123456789abcdef".into(),
            rule: "assignment".into(),
            length: "8-15".into(),
            at: Timestamp::UNIX_EPOCH,
            key: String::new(),
            seal: Seal::default(),
        });
        assert_eq!(trust.verify_not_secret(&good), Ok(()));
        let mutations: [fn(&mut NotSecret); 7] = [
            |s| s.format = 2,
            |s| s.fingerprint.replace_range(..1, "f"),
            |s| s.rule.push('x'),
            |s| s.length.clear(),
            |s| s.at = Timestamp::MAX,
            |s| s.key.clear(),
            |s| s.seal = Seal::default(),
        ];
        for (n, mutate) in mutations.iter().enumerate() {
            let mut bad = good.clone();
            mutate(&mut bad);
            assert!(trust.verify_not_secret(&bad).is_err(), "{n}");
        }
        assert!(Trust::for_tests(2).verify_not_secret(&good).is_err());
    }
}
