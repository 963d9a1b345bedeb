//! Whether a folder that memd writes to can be written, and whether its disk has room.

use rustix::fs::{Access, access, statvfs};
use std::path::Path;

/// Less than this is as good as full: a commit or a log of the database does not fit.
const ROOM: u64 = 1 << 20;

/// What keeps memd from writing there, and what to look at.
pub(super) fn lacks(dir: &Path) -> Option<(String, &'static str)> {
    if let Err(error) = access(dir, Access::WRITE_OK) {
        let why = std::io::Error::from(error);
        let advice = "see whether the folder or its disk is read-only";
        return Some((format!("{dir:?} cannot be written: {why}"), advice));
    }
    let disk = statvfs(dir).ok()?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    // Of some disks nothing is known.
    (disk.f_blocks > 0 && free < ROOM).then(|| {
        let advice = "make room: what does not fit is refused, and goes on once it does";
        (
            format!("the disk of {dir:?} is full: {free} bytes are free"),
            advice,
        )
    })
}
