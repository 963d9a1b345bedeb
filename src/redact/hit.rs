//! What is told of a secret that was hidden; never a byte of it.

use super::confidence::Confidence;
use super::found::Found;
use super::redacted::{self, Redacted};
use crate::source::Place;
use serde::{Deserialize, Serialize};

/// The fingerprint of what has none: a part that was withheld whole. It can never be let through.
pub const NO_FINGERPRINT: &str = "00000000000000000000000000000000";

/// What stands for a part that could not be searched.
pub const WITHHELD: &str = "[part withheld]";

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
    /// How sure it is that it is one.
    #[serde(default)]
    pub confidence: Confidence,
    /// On which way it was found.
    #[serde(default, skip_serializing_if = "Pass::is_material")]
    pub pass: Pass,
    /// Where the part stands; set by who knows it. Not flattened: a place has an offset of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// On which way a secret was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    /// In what was read.
    #[default]
    Material,
    /// In the prompt, once it was complete.
    Prompt,
    /// In what the curator answered.
    Reply,
}

impl Pass {
    fn is_material(&self) -> bool {
        *self == Pass::Material
    }

    /// These hits, found on this way.
    #[must_use]
    pub fn of(self, hits: Vec<Hit>) -> Vec<Hit> {
        let of = |hit| Hit { pass: self, ..hit };
        hits.into_iter().map(of).collect()
    }
}

impl Hit {
    /// Whether the search failed and the whole part was withheld.
    #[must_use]
    pub fn is_withheld(&self) -> bool {
        self.fingerprint == NO_FINGERPRINT
    }

    /// What stands in the secret's place.
    #[must_use]
    pub fn placeholder(&self) -> String {
        redacted::placeholder(&self.rule, &self.fingerprint)
    }
}

/// The most hits of one part that are told of; all are hidden.
const MOST_HITS: usize = 10_000;

/// Appends what was found in a piece that begins `at` bytes into its part.
pub(super) fn note(hits: &mut Vec<Hit>, found: &[Found], at: usize) {
    let room = MOST_HITS.saturating_sub(hits.len());
    hits.extend(found.iter().take(room).map(|found| {
        let mut hit = hit(found);
        hit.offset += at;
        hit
    }));
}

/// What comes of a part that could not be searched.
pub(super) fn withheld(text: &str) -> (Redacted, Vec<Hit>) {
    let hit = Hit {
        rule: "withheld".to_owned(),
        offset: 0,
        length: bucket(text.len()).to_owned(),
        fingerprint: NO_FINGERPRINT.to_owned(),
        confidence: Confidence::Withheld,
        pass: Pass::Material,
        place: None,
    };
    (Redacted::literal(WITHHELD), vec![hit])
}

/// What is told of one finding.
pub(super) fn hit(found: &Found) -> Hit {
    Hit {
        rule: found.rule.to_string(),
        offset: found.range.start,
        length: bucket(found.range.len()).to_owned(),
        fingerprint: found.fingerprint.clone(),
        confidence: found.confidence,
        pass: Pass::Material,
        place: None,
    }
}

fn bucket(len: usize) -> &'static str {
    match len {
        0..8 => "<8",
        8..16 => "8-15",
        16..32 => "16-31",
        32..64 => "32-63",
        64..128 => "64-127",
        _ => "128+",
    }
}
