//! A person's words on values: that one the redactor hid is no secret, and that one it shows is one.
//! Both are sealed alike.

use super::key::{Purpose, Trust};
use super::seal::{FORMAT, Fields, Seal, SealError};
use crate::redact::Also;
use jiff::Timestamp;

/// What is said of a value, and which value that is.
pub trait Word {
    /// What the sealed bytes begin with.
    const NAME: &'static str;
    /// Which key seals it.
    const PURPOSE: Purpose;

    /// Adds all of it to what is sealed.
    fn add_to(&self, fields: Fields) -> Fields;
}

/// A word of a person, as it is kept. Every field but the seal is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<W> {
    /// Format of the seal.
    pub format: u32,
    /// The value that is meant.
    pub value: W,
    /// When it was said.
    pub at: Timestamp,
    /// Id of the key that sealed it.
    pub key: String,
    /// The seal; empty until [`Trust::seal_word`].
    pub seal: Seal,
}

/// A value that the redactor hid, known by its fingerprint alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harmless {
    /// Its keyed fingerprint, 32 hex digits.
    pub fingerprint: String,
    /// The rule that hid it.
    pub rule: String,
    /// Its length in bytes, as a bucket.
    pub length: String,
}

/// A value that a person called no secret.
pub type NotSecret = Said<Harmless>;

/// A value that a person called a secret: nothing of its text.
pub type AlsoSecret = Said<Also>;

impl Word for Harmless {
    const NAME: &'static str = "not secret";
    const PURPOSE: Purpose = Purpose::NotSecret;

    fn add_to(&self, fields: Fields) -> Fields {
        fields
            .text(&self.fingerprint)
            .text(&self.rule)
            .text(&self.length)
    }
}

impl Word for Also {
    const NAME: &'static str = "also secret";
    const PURPOSE: Purpose = Purpose::AlsoSecret;

    fn add_to(&self, fields: Fields) -> Fields {
        fields
            .text(&self.fingerprint)
            .shown(&self.bytes)
            .shown(&self.chars)
            .shown(&self.ends.0)
            .shown(&self.ends.1)
    }
}

impl<W: Word> Said<W> {
    /// Said now, not sealed yet.
    #[must_use]
    pub fn new(value: W, at: Timestamp) -> Self {
        Self {
            format: 0,
            value,
            at,
            key: String::new(),
            seal: Seal::default(),
        }
    }

    fn fields(&self) -> Fields {
        let fields = Fields::new(W::NAME).shown(&self.format).text(&self.key);
        self.value.add_to(fields).shown(&self.at)
    }
}

impl Trust {
    /// The same with this key's seal on it.
    #[must_use]
    pub fn seal_word<W: Word>(&self, mut said: Said<W>) -> Said<W> {
        said.format = FORMAT;
        self.key_id().clone_into(&mut said.key);
        said.seal = self.tag(W::PURPOSE, &said.fields());
        said
    }

    /// Whether it is as it was sealed.
    ///
    /// # Errors
    /// When it has no seal, or one that does not fit.
    pub fn verify_word<W: Word>(&self, said: &Said<W>) -> Result<(), SealError> {
        self.check_whole(
            W::PURPOSE,
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

    const PRINT: &str = "0123456789abcdef0123456789abcdef";

    #[track_caller]
    fn any_change_breaks<W: Word + Clone>(value: W, mutations: &[fn(&mut Said<W>)]) {
        let trust = Trust::for_tests(1);
        let good = trust.seal_word(Said::new(value, Timestamp::UNIX_EPOCH));
        assert_eq!(trust.verify_word(&good), Ok(()));
        let general: [fn(&mut Said<W>); 4] = [
            |s| s.format = 2,
            |s| s.at = Timestamp::MAX,
            |s| s.key.clear(),
            |s| s.seal = Seal::default(),
        ];
        for (n, mutate) in mutations.iter().chain(&general).enumerate() {
            let mut bad = good.clone();
            mutate(&mut bad);
            assert!(trust.verify_word(&bad).is_err(), "{n}");
        }
        assert!(Trust::for_tests(2).verify_word(&good).is_err());
    }

    #[test]
    fn changing_any_field_breaks_the_seal() {
        let harmless = Harmless {
            fingerprint: PRINT.into(),
            rule: "assignment".into(),
            length: "8-15".into(),
        };
        any_change_breaks(
            harmless,
            &[
                |s| s.value.fingerprint.replace_range(..1, "f"),
                |s| s.value.rule.push('x'),
                |s| s.value.length.clear(),
            ],
        );
        let also = Also {
            fingerprint: PRINT.into(),
            bytes: 7,
            chars: 6,
            ends: (1, 2),
        };
        any_change_breaks(
            also,
            &[
                |s| s.value.fingerprint.replace_range(..1, "f"),
                |s| s.value.bytes = 8,
                |s| s.value.chars = 7,
                |s| s.value.ends.0 = 0,
                |s| s.value.ends.1 = 0,
            ],
        );
    }
}
