//! Identities: random, opaque, never derived from a path or a text.
//!
//! Each is lower-case hex, so that it is safe in a file name, a commit trailer and a prompt.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A text that is no identity of the asked kind.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{text:?} is no {kind} id: expected {digits} lower-case hex digits")]
pub struct BadId {
    text: String,
    kind: &'static str,
    digits: usize,
}

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes: {0}")]
pub struct NoRandom(pub(crate) getrandom::Error);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// A new random identity.
            ///
            /// # Errors
            /// When the operating system gives no random bytes.
            pub fn random() -> Result<Self, NoRandom> {
                let mut bytes = [0u8; $bytes];
                getrandom::fill(&mut bytes).map_err(NoRandom)?;
                Ok(Self(hex(&bytes)))
            }

            /// The hex digits.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                if text.len() == $bytes * 2 && text.bytes().all(digit) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(BadId { text: text.chars().take(40).collect(), kind: $kind, digits: $bytes * 2 })
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;
            fn try_from(text: String) -> Result<Self, BadId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// A project; its path may change, this does not. 16 hex digits.
    ProjectId, "project", 8
);
id!(
    /// An entry of memory, archived ones included. 12 hex digits; prompts show the first six or more.
    EntryId, "entry", 6
);
id!(
    /// A proposal, and the distill it becomes once applied. 8 hex digits.
    ProposalId, "proposal", 4
);

/// Bytes as lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut out, b| {
            // Writing to a String cannot fail.
            let _ = write!(out, "{b:02x}");
            out
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_id_reads_back_and_a_foreign_text_does_not() {
        let id = EntryId::random().unwrap();
        assert_eq!(id.as_str().parse::<EntryId>().unwrap(), id);
        for bad in ["", "xyz", "ABCDEF012345", "0123456789ab0", "../etc/passwd"] {
            assert!(bad.parse::<EntryId>().is_err(), "{bad}");
        }
    }
}
