//! Byte ranges of a source: which are free, and whether the file is still the one they were read
//! from.

use super::SourceError;
use crate::fs::open_plain;
use crate::id::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// Bytes of the beginning, and of the end, that a fingerprint covers.
const REACH: u64 = 4096;

/// What lies before the end of a span, so that a rewrite is noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// SHA-256 of the first bytes of the source (at most 4 KiB, at most up to the span's end).
    pub head: String,
    /// How many bytes `head` covers.
    pub head_len: u64,
    /// SHA-256 of the last bytes before the span's end (at most 4 KiB).
    pub tail: String,
    /// How many bytes `tail` covers.
    pub tail_len: u64,
}

/// The fingerprint of what lies before `end` in a file.
///
/// # Errors
/// When the file cannot be read up to `end`.
pub fn fingerprint(path: &Path, end: u64) -> Result<Fingerprint, SourceError> {
    fingerprint_of(path, end, &|from| {
        let io = |e| SourceError::io(path)(e);
        let mut file = open_plain(path).map_err(io)?;
        file.seek(SeekFrom::Start(from)).map_err(io)?;
        Ok(Box::new(file))
    })
}

/// The fingerprint of what lies before `end` in what `bytes` gives from a place on.
pub(super) fn fingerprint_of(
    path: &Path,
    end: u64,
    bytes: &Bytes<'_>,
) -> Result<Fingerprint, SourceError> {
    let reach = REACH.min(end);
    let hash = |from: u64| -> Result<String, SourceError> {
        let mut piece = vec![0; usize::try_from(reach).unwrap_or_default()];
        let read = bytes(from)?.read_exact(&mut piece);
        read.map_err(SourceError::io(path))?;
        Ok(hex(&Sha256::digest(&piece)))
    };
    Ok(Fingerprint {
        head: hash(0)?,
        head_len: reach,
        tail: hash(end - reach)?,
        tail_len: reach,
    })
}

/// A source's bytes from a place on.
pub(super) type Bytes<'a> = dyn Fn(u64) -> Result<Box<dyn Read>, SourceError> + 'a;

/// Whether a file still is what it was when the fingerprint was taken at `end`: it may have grown.
///
/// # Errors
/// When the file is gone or cannot be read: that says nothing about what it holds.
pub fn matches(path: &Path, known: &Fingerprint, end: u64) -> Result<bool, SourceError> {
    is_same(fingerprint(path, end), known)
}

/// Whether a fingerprint that was taken now is the known one. What ends earlier is another.
pub(super) fn is_same(
    now: Result<Fingerprint, SourceError>,
    known: &Fingerprint,
) -> Result<bool, SourceError> {
    match now {
        Ok(now) => Ok(now == *known),
        Err(SourceError::Io { source, .. }) if source.kind() == ErrorKind::UnexpectedEof => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// The ranges of a file of `size` bytes that none of `taken` covers, in order.
#[must_use]
pub fn free_ranges(taken: &[(u64, u64)], size: u64) -> Vec<Range<u64>> {
    let mut taken = taken.to_vec();
    taken.sort_unstable();
    let mut free = Vec::new();
    let mut at = 0;
    for (start, end) in taken {
        if start.min(size) > at {
            free.push(at..start.min(size));
        }
        at = at.max(end);
    }
    if at < size {
        free.push(at..size);
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grown_file_matches_and_a_changed_one_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let old: Vec<u8> = (0..20_000u32).map(|n| b'a' + (n % 23) as u8).collect();
        std::fs::write(&path, &old).unwrap();
        let print = fingerprint(&path, 20_000).unwrap();
        let becomes = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            matches(&path, &print, 20_000).unwrap()
        };
        assert!(becomes(&[&old[..], b"more"].concat()), "grown");
        assert!(!becomes(&old[..19_999]), "truncated");
        let mut same_size = old.clone();
        same_size[0] = b'#';
        assert!(!becomes(&same_size), "another beginning");
        let mut same_size = old.clone();
        same_size[19_000] = 0;
        assert!(!becomes(&same_size), "another end");
        std::fs::remove_file(&path).unwrap();
        let gone = matches(&path, &print, 20_000).unwrap_err();
        assert!(gone.is_missing(), "a file that is gone was not rewritten");
    }

    #[test]
    fn a_nul_tail_that_is_overwritten_later_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, [&b"{}\n"[..], &[0; 100]].concat()).unwrap();
        let print = fingerprint(&path, 103).unwrap();
        std::fs::write(&path, [&b"{}\n"[..], &[b'x'; 100]].concat()).unwrap();
        assert!(!matches(&path, &print, 103).unwrap());
    }

    #[test]
    fn free_ranges_are_what_is_left_between() {
        let free = |taken: &[(u64, u64)], size| -> Vec<(u64, u64)> {
            let ranges = free_ranges(taken, size);
            ranges
                .iter()
                .map(|range| (range.start, range.end))
                .collect()
        };
        assert_eq!(free(&[], 0), []);
        assert_eq!(free(&[], 10), [(0, 10)]);
        assert_eq!(free(&[(0, 10)], 10), []);
        assert_eq!(free(&[(5, 7), (0, 2)], 10), [(2, 5), (7, 10)]);
        assert_eq!(free(&[(2, 6), (4, 5)], 10), [(0, 2), (6, 10)]);
        assert_eq!(free(&[(2, 60)], 10), [(0, 2)]);
        assert_eq!(free(&[(50, 60)], 10), [(0, 10)]);
    }
}
