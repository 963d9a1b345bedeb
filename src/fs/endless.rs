//! Pipes and devices: what a reader would wait for, or never see the end of.
//!
//! Owns the look ahead for libraries that open what they find. Never opens anything itself.

use super::FsError;
use super::error::kind_name;
use std::path::Path;

/// Refuses a pipe or a device, also behind a link: another library would wait for it where it
/// opens what it finds. What is not there is none.
///
/// # Errors
/// When it is one.
pub fn refuse_endless(path: &Path) -> Result<(), FsError> {
    match std::fs::metadata(path) {
        Ok(meta) if is_endless(meta.file_type()) => Err(FsError::NotAFile {
            path: path.to_owned(),
            kind: kind_name(meta.file_type()),
        }),
        _ => Ok(()),
    }
}

/// As [`refuse_endless`], of all that lies in a folder and, down to `depth`, in those below it. A
/// link to a folder is followed from the top one only.
///
/// # Errors
/// When there is one.
pub fn refuse_endless_in(dir: &Path, depth: usize) -> Result<(), FsError> {
    below(dir, depth, true)
}

fn below(dir: &Path, depth: usize, follows: bool) -> Result<(), FsError> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        // No folder, or a closed one: nothing in it can be opened.
        return Ok(());
    };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let linked = kind.is_symlink();
        if linked || is_endless(kind) {
            refuse_endless(&entry.path())?;
        }
        if depth > 0 && (kind.is_dir() || linked && follows) {
            below(&entry.path(), depth - 1, false)?;
        }
    }
    Ok(())
}

fn is_endless(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::Mode;

    #[test]
    fn a_pipe_is_refused_wherever_it_lies_and_a_socket_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        refuse_endless_in(dir.path(), 9).unwrap();
        let pipe = deep.join("pipe");
        let mode = Mode::from_bits_truncate(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        refuse_endless_in(dir.path(), 1).unwrap();
        for found in [refuse_endless_in(dir.path(), 2), refuse_endless(&pipe)] {
            let told = found.unwrap_err().to_string();
            assert!(
                told.contains("a/b/pipe\" is a named pipe, not a plain file"),
                "{told}"
            );
        }
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert!(refuse_endless_in(dir.path(), 0).is_err());
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(&deep, &link).unwrap();
        assert!(refuse_endless_in(dir.path(), 1).is_err());
    }
}
