//! The ids of the messages that were read, in little room: a transcript may hold half a million.

use crate::source::row_id;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Messages remembered; about 20 MiB. What comes after is read, but a copy of it in another session
/// would be read again.
const MOST: usize = 450_000;
/// Ids remembered that are no UUIDs.
const MOST_OTHERS: usize = 4096;

/// A set of message ids, of rows: the parts of a row come and go with it.
#[derive(Debug, Default)]
pub struct Ids {
    /// By id: how many parts were taken.
    rows: HashMap<[u8; 16], u16>,
    /// Those ids that are no UUIDs, as they are.
    others: Vec<String>,
}

impl Ids {
    /// Adds a part's id (`row#part`); says whether it is new. What has no id is new.
    pub(super) fn add(&mut self, id: Option<&str>) -> bool {
        let Some(id) = id else { return true };
        let row = row_id(id);
        let part = id[row.len()..].trim_start_matches('#').parse().unwrap_or(0);
        let key = uuid(row).unwrap_or_else(|| digest(row));
        if let Some(parts) = self.rows.get_mut(&key) {
            let new = part >= *parts;
            *parts = (*parts).max(part.saturating_add(1));
            return new;
        }
        if self.rows.len() < MOST {
            self.rows.insert(key, part.saturating_add(1));
            if uuid(row).is_none() && self.others.len() < MOST_OTHERS {
                self.others.push(row.to_owned());
            }
        }
        true
    }

    /// The ids as they stand in the rows, in no order.
    pub fn iter(&self) -> impl Iterator<Item = String> {
        let others = self.others.iter().map(|id| digest(id));
        let others: HashSet<_> = others.collect();
        let uuids = self.rows.keys().filter(move |key| !others.contains(*key));
        uuids.map(hyphenated).chain(self.others.iter().cloned())
    }
}

/// The bytes of an id in the usual form of a UUID, lower case.
fn uuid(id: &str) -> Option<[u8; 16]> {
    let mut key = [0; 16];
    let mut digits = 0;
    for (at, byte) in id.bytes().enumerate() {
        match byte {
            b'-' if matches!(at, 8 | 13 | 18 | 23) => {}
            b'0'..=b'9' | b'a'..=b'f' if digits < 32 && !matches!(at, 8 | 13 | 18 | 23) => {
                let value = if byte < b'a' {
                    byte - b'0'
                } else {
                    byte - b'a' + 10
                };
                key[digits / 2] = key[digits / 2] << 4 | value;
                digits += 1;
            }
            _ => return None,
        }
    }
    (digits == 32).then_some(key)
}

fn hyphenated(key: &[u8; 16]) -> String {
    let mut text = crate::id::hex(key);
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

fn digest(id: &str) -> [u8; 16] {
    let mut key = [0; 16];
    key.copy_from_slice(&Sha256::digest(id)[..16]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_new_once_and_comes_back_as_it_was() {
        let mut ids = Ids::default();
        let uuid = "aaaaaaaa-0000-4000-8000-00000000000f";
        assert!(ids.add(Some(&format!("{uuid}#0"))));
        assert!(ids.add(Some(&format!("{uuid}#1"))));
        assert!(!ids.add(Some(&format!("{uuid}#0"))));
        assert!(
            ids.add(Some("AAAAAAAA-0000-4000-8000-00000000000F#0")),
            "another spelling"
        );
        assert!(ids.add(Some("note-7")));
        assert!(!ids.add(Some("note-7")));
        assert!(ids.add(None) && ids.add(None));
        let mut all: Vec<_> = ids.iter().collect();
        all.sort_unstable();
        assert_eq!(
            all,
            ["AAAAAAAA-0000-4000-8000-00000000000F", uuid, "note-7"]
        );
    }
}
