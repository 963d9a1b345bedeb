//! The key file, byte by byte.
//!
//! A key that was never rotated is 32 random bytes and nothing else. After a rotation the file is a
//! mark of eight bytes, the 32 random bytes, the key for fingerprints (32, which goes on so that
//! placeholders stay the same), the retired keys (48 each, oldest first), and a keyed tag over all
//! of it (64 hex digits): a file that was cut or changed is no key.

use super::retired::{self, Retired};
use super::{BYTES, Purpose, Trust, TrustError};
use crate::fs::{self, FsError};
use crate::trust::seal::{Fields, Seal};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use zeroize::{Zeroize, Zeroizing};

pub(super) const MARK: &[u8; 8] = b"memd-k2\n";
const TAG: usize = 64;
/// More rotations than a person makes in a life.
pub(super) const MOST: usize = 1000;
pub(super) const LARGEST: u64 = (MARK.len() + 2 * BYTES + MOST * retired::BYTES + TAG) as u64;

/// What the tag is over.
fn fields(body: &[u8]) -> Fields {
    Fields::new("key file").bytes(body)
}

/// The file of a key that follows another: with what goes on of that one, which seals nothing from
/// record `last` of the audit chain on.
pub(super) fn following(
    master: &[u8; BYTES],
    before: &Trust,
    last: u64,
) -> Result<Zeroizing<Vec<u8>>, TrustError> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(LARGEST as usize));
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(master);
    bytes.extend_from_slice(before.key(Purpose::Redact));
    for key in &before.retired {
        key.write(&mut bytes);
    }
    Retired::of(before, last).write(&mut bytes);
    let tag = Trust::derive(master)?.tag(Purpose::KeyFile, &fields(&bytes));
    bytes.extend_from_slice(tag.as_str().as_bytes());
    Ok(bytes)
}

/// Keys from the bytes of a file; `path` is for what is said of it.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Trust, TrustError> {
    if let Ok(master) = <[u8; BYTES]>::try_from(bytes).map(Zeroizing::new) {
        return Trust::derive(&master);
    }
    if bytes.starts_with(MARK) {
        let path = path.to_owned();
        return rotated(bytes).unwrap_or(Err(TrustError::Damaged { path }));
    }
    Err(TrustError::Size {
        path: path.to_owned(),
        size: bytes.len(),
    })
}

/// `None`: it is not as it was written.
fn rotated(bytes: &[u8]) -> Option<Result<Trust, TrustError>> {
    let (body, tag) = bytes.split_at_checked(bytes.len().checked_sub(TAG)?)?;
    let (master, rest) = body.strip_prefix(MARK)?.split_first_chunk::<BYTES>()?;
    let (redact, mut rest) = rest.split_first_chunk::<BYTES>()?;
    let mut trust = match Trust::derive(master) {
        Ok(trust) => trust,
        Err(e) => return Some(Err(e)),
    };
    let tag = Seal::stored(std::str::from_utf8(tag).ok()?);
    trust.check(Purpose::KeyFile, &fields(body), &tag).ok()?;
    trust.keys[Purpose::Redact as usize].copy_from_slice(redact);
    while !rest.is_empty() {
        let (key, after) = Retired::read(rest)?;
        trust.retired.push(key);
        rest = after;
    }
    Some(Ok(trust))
}

/// A key file that nobody else can read.
pub(super) fn read(path: &Path) -> Result<Trust, TrustError> {
    let mut bytes = fs::read_plain(path, LARGEST)?;
    let trust = own(path).and_then(|()| parse(&bytes, path));
    bytes.zeroize();
    trust
}

/// Refuses one that others can read or that is another's.
fn own(path: &Path) -> Result<(), TrustError> {
    let meta = std::fs::metadata(path).map_err(FsError::io("read", path))?;
    let (owner, me) = (meta.uid(), rustix::process::geteuid().as_raw());
    if owner != me {
        let path = path.to_owned();
        return Err(TrustError::Foreign { path, owner, me });
    }
    let mode = meta.mode() & 0o777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let path = path.to_owned();
    Err(TrustError::Exposed { path, mode })
}

/// Makes the key whole or not at all. Whoever loses that race reads the winner's.
pub(super) fn make(path: &Path) -> Result<(), TrustError> {
    fs::private_dir(path.parent().unwrap_or(Path::new(".")))?;
    match fs::write_new(path, random()?.as_ref(), 0o600) {
        Err(error) if !error.is_taken() => Err(error.into()),
        _ => Ok(()),
    }
}

/// A key that nobody has.
pub(super) fn random() -> Result<Zeroizing<[u8; BYTES]>, TrustError> {
    let mut key = Zeroizing::new([0u8; BYTES]);
    getrandom::fill(key.as_mut()).map_err(|_| TrustError::NoRandom)?;
    Ok(key)
}
