//! Crash and load on the real binary: kills, many processes, a full disk, damaged files. Nothing is
//! lost, and each command says what is the matter.

mod damaged;
mod field;
mod full;
mod many;
mod rotation;

use std::path::Path;

/// A folder with all that is in it; links as what they lead to.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for item in std::fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let (from, to) = (item.path(), to.join(item.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}
