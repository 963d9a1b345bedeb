//! Keys that were in use before: of each only what verifies the records of the audit chain that it
//! sealed, and the number of the last of them.
//!
//! Nothing is sealed with one again. A record behind its last is not verified with it, whatever its
//! MAC; and the records until there are held by the first record under the next key, which holds
//! the MAC of the one before it: who has a retired key can write no record anew, nor another in the
//! place of one.

use super::{Purpose, Trust};
use crate::id::hex;
use crate::trust::seal::{self, Fields, Seal};
use zeroize::Zeroizing;

/// Bytes of one in a file: number, id, key.
pub(super) const BYTES: usize = 8 + 8 + super::BYTES;

/// So many are named in a commit, the newest first.
const TOLD: usize = 4;

/// What is sealed of a key that follows.
fn after(id: &str) -> Fields {
    Fields::new("key after").text(id)
}

/// A key that was in use before.
pub struct Retired {
    /// Its id.
    pub id: String,
    /// The last record of the audit chain that it sealed.
    pub last: u64,
    audit: Zeroizing<[u8; super::BYTES]>,
}

impl std::fmt::Debug for Retired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Retired(key {} until record {})", self.id, self.last)
    }
}

impl Retired {
    pub(super) fn of(trust: &Trust, last: u64) -> Self {
        Self {
            id: trust.id.clone(),
            last,
            audit: trust.keys[Purpose::Audit as usize].clone(),
        }
    }

    pub(super) fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.last.to_be_bytes());
        // Sixteen digits are always read back as eight bytes.
        let id = u64::from_str_radix(&self.id, 16).unwrap_or_default();
        to.extend_from_slice(&id.to_be_bytes());
        to.extend_from_slice(self.audit.as_ref());
    }

    /// One, and what stands behind it.
    pub(super) fn read(from: &[u8]) -> Option<(Self, &[u8])> {
        let (last, from) = from.split_first_chunk()?;
        let (id, from) = from.split_first_chunk::<8>()?;
        let (audit, from) = from.split_first_chunk()?;
        let key = Self {
            id: hex(id),
            last: u64::from_be_bytes(*last),
            audit: Zeroizing::new(*audit),
        };
        Some((key, from))
    }
}

impl Trust {
    /// The key that a record of the audit chain with this number is sealed with.
    pub(in crate::trust) fn audit_key(&self, seq: u64) -> &[u8; super::BYTES] {
        match self.retired.iter().find(|key| seq <= key.last) {
            Some(key) => &key.audit,
            None => self.key(Purpose::Audit),
        }
    }

    /// Whether a record with this number was sealed with a key that is retired. Then only the
    /// chain from it to its end proves it: whoever had that key could write its like.
    #[must_use]
    pub fn is_of_retired(&self, seq: u64) -> bool {
        self.retired.last().is_some_and(|key| seq <= key.last)
    }

    /// What a commit says of keys that this one took the place of: ids, each with a tag that whoever
    /// has that key can check. It tells a state from before a rotation from a colleague's.
    #[must_use]
    pub fn said_to_follow(&self) -> Option<String> {
        let tag = |key: &Retired| {
            let tag = seal::made(&key.audit, &after(&self.id));
            format!("{}:{tag}", key.id)
        };
        let newest = self.retired.iter().rev().take(TOLD);
        let all: Vec<_> = newest.map(tag).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    /// Whether a key with this id took the place of this one, by what a commit says of it
    /// ([`Trust::said_to_follow`]): only whoever had this key can have said so.
    #[must_use]
    pub fn is_followed_by(&self, id: &str, said: &str) -> bool {
        let tags = said.split(' ').filter_map(|one| one.split_once(':'));
        let is_of_this = |tag: &str| {
            let key = self.key(Purpose::Audit);
            seal::check(key, &after(id), &Seal::stored(tag)).is_ok()
        };
        tags.take(TOLD)
            .any(|(key, tag)| key == self.id && is_of_this(tag))
    }

    /// The number that a chain which is begun with this key goes on from. A chain that was lost had
    /// the numbers until there: with them a record would be taken for one of a retired key's.
    #[must_use]
    pub fn begins_after(&self) -> u64 {
        self.retired.last().map_or(0, |key| key.last)
    }

    /// Whether a chain may have been begun with a record of this number: the first of all, or the
    /// first of a key whose chain before was lost. Only whoever has that key can have written it.
    pub(in crate::trust) fn may_begin_with(&self, seq: u64) -> bool {
        seq == 1 || self.retired.iter().any(|key| key.last + 1 == seq)
    }
}
