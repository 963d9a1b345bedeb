//! Ids for messages of tools that give them none which are unique.

use crate::id::hex;
use sha2::{Digest, Sha256};

/// An id that is the same whenever the same parts are read again: SHA-256 over them, in the form of
/// a UUID, since those are kept in little room.
pub(super) fn message_id(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // With its length, so that no two lists of parts run together to one text.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let mut id = hex(&hash.finalize());
    id.truncate(32);
    for at in [20, 16, 12, 8] {
        id.insert(at, '-');
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_give_equal_ids_and_others_do_not() {
        let id = message_id(&["agy", "conversation", "7", "text"]);
        assert_eq!(id, message_id(&["agy", "conversation", "7", "text"]));
        assert_ne!(id, message_id(&["agy", "conversation", "7t", "ext"]));
        assert_eq!(id.len(), 36);
    }
}
