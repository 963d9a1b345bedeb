//! Takes secrets out of text, before anything else may happen to it.
//!
//! Pure: text in, [`Redacted`] text and [`Hit`]s out. A hit never holds a byte of the secret.

use crate::source::Place;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Text that went through the redactor. Only this module makes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One secret that was hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The rule, such as `github_pat`.
    pub rule: String,
    /// Byte offset in the redacted part's own text, before redaction.
    pub offset: usize,
    /// Length of what was hidden, in bytes, as a bucket: `<8`, `8-15`, `16-31`, `32-63`, `64-127`,
    /// `128+`.
    pub length: String,
    /// Keyed hash of the secret, 32 hex digits: equal secrets have equal ones, and nothing else
    /// can be read from it.
    pub fingerprint: String,
    /// Where the part stands; set by who knows it.
    #[serde(flatten, default)]
    pub place: Option<Place>,
}
