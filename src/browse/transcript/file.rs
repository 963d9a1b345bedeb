//! Lines of a large file: where they begin and end, and their numbers, without holding the file.

use super::Said;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes read at once.
const CHUNK: usize = 64 * 1024;
/// A line that goes on for longer than this, in bytes, is not walked over.
const LONGEST: u64 = 64 * 1024 * 1024;
/// A line longer than this, in bytes, is not read for what it says before a cited one.
const BACK: u64 = 4 * 1024 * 1024;
/// Lines are not counted behind this many bytes.
const COUNTED: u64 = 1 << 30;

/// Whether a path is a file that can be read without waiting.
pub(super) fn is_plain(path: &Path) -> Result<(), String> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(()),
        Ok(_) => Err("it is no plain file any more".to_owned()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err("the file is gone".to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

/// Where a line begins that lies at most `reach` bytes before `at`, itself the beginning of a line.
/// Where the line before is longer than that, its own beginning; `at` itself where that is too far.
pub(super) fn line_start(path: &Path, at: u64, reach: u64) -> io::Result<u64> {
    let from = at.saturating_sub(reach);
    if from == 0 {
        return Ok(0);
    }
    // The line feed before `at` ends the line before it, and begins none.
    let upto = at.saturating_sub(1);
    if let Some(found) = line_feed(path, from, upto)? {
        return Ok(found + 1);
    }
    let mut end = from;
    while end > at.saturating_sub(BACK) {
        let start = end.saturating_sub(CHUNK as u64);
        if let Some(found) = last_line_feed(path, start, end)? {
            return Ok(found + 1);
        }
        if start == 0 {
            return Ok(0);
        }
        end = start;
    }
    Ok(at)
}

/// The last line feed of a range no longer than [`CHUNK`].
fn last_line_feed(path: &Path, from: u64, to: u64) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(to.saturating_sub(from)).read_to_end(&mut bytes)?;
    Ok(memchr::memrchr(b'\n', &bytes).map(|found| from + found as u64))
}

/// The end of the line that holds the byte `reach` bytes behind `from`, itself the beginning of a
/// line: behind its line feed, or the end of the file.
pub(super) fn line_end(path: &Path, from: u64, reach: u64) -> io::Result<u64> {
    let size = std::fs::metadata(path)?.len();
    let at = from.saturating_add(reach).min(size);
    let last = at.saturating_add(LONGEST).min(size);
    Ok(line_feed(path, at, last)?.map_or(last, |found| found + 1))
}

/// The first line feed of a range.
fn line_feed(path: &Path, from: u64, to: u64) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut input = file.take(to.saturating_sub(from));
    let mut chunk = vec![0; CHUNK];
    let mut at = from;
    loop {
        let n = input.read(&mut chunk)?;
        let Some(bytes) = chunk.get(..n).filter(|b| !b.is_empty()) else {
            return Ok(None);
        };
        if let Some(found) = memchr::memchr(b'\n', bytes) {
            return Ok(Some(at + found as u64));
        }
        at += n as u64;
    }
}

/// Numbers of lines, counted from the file's beginning.
pub(super) struct Numbers {
    path: PathBuf,
}

impl Numbers {
    pub fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Gives each turn its line; none where they cannot be counted.
    pub fn number(&self, turns: &mut [Said]) {
        let offsets: Vec<u64> = turns.iter().map(|t| t.offset).collect();
        let lines = self.lines(&offsets).unwrap_or_default();
        for (turn, line) in turns.iter_mut().zip(lines) {
            turn.line = Some(line);
        }
    }

    /// The lines at these offsets, which ascend.
    fn lines(&self, offsets: &[u64]) -> io::Result<Vec<u64>> {
        let last = offsets.last().copied().unwrap_or(0);
        if last > COUNTED {
            return Ok(Vec::new());
        }
        let mut input = File::open(&self.path)?.take(last);
        let mut chunk = vec![0; CHUNK];
        let (mut lines, mut line, mut at) = (Vec::new(), 1, 0);
        let mut wanted = offsets.iter().copied().peekable();
        loop {
            let n = input.read(&mut chunk)?;
            let mut bytes = chunk.get(..n).unwrap_or_default();
            while let Some(offset) = wanted.next_if(|o| *o <= at + bytes.len() as u64) {
                let here = usize::try_from(offset.saturating_sub(at)).unwrap_or(bytes.len());
                let (before, rest) = bytes.split_at(here.min(bytes.len()));
                line += memchr::memchr_iter(b'\n', before).count() as u64;
                at += before.len() as u64;
                bytes = rest;
                lines.push(line);
            }
            line += memchr::memchr_iter(b'\n', bytes).count() as u64;
            at += bytes.len() as u64;
            if n == 0 || wanted.peek().is_none() {
                return Ok(lines);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_and_numbered_across_chunks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let row = format!("{}\n", "x".repeat(999));
        std::fs::write(&path, row.repeat(200)).unwrap();
        assert_eq!(line_start(&path, 100_000, 20).unwrap(), 99_000);
        assert_eq!(line_start(&path, 100_000, 1500).unwrap(), 99_000);
        assert_eq!(line_start(&path, 100_000, 2500).unwrap(), 98_000);
        assert_eq!(line_start(&path, 1000, 5000).unwrap(), 0);
        assert_eq!(line_end(&path, 1000, 0).unwrap(), 2000);
        assert_eq!(line_end(&path, 1000, 1500).unwrap(), 3000);
        assert_eq!(line_end(&path, 199_000, 5000).unwrap(), 200_000);
        let lines = Numbers::of(&path).lines(&[0, 1000, 1000, 66_000, 199_000]);
        assert_eq!(lines.unwrap(), [1, 2, 2, 67, 200]);
        std::fs::write(&path, "y".repeat(5_000)).unwrap();
        assert_eq!(line_start(&path, 5_000, 10).unwrap(), 0);
        let long = format!("a\n{}\nb\n", "y".repeat(3 * CHUNK));
        std::fs::write(&path, &long).unwrap();
        let at = long.len() as u64 - 2;
        assert_eq!(line_start(&path, at, 10).unwrap(), 2);
        assert!(is_plain(dir.path()).is_err());
    }
}
