//! Lines of a large session: where they begin and end, and their numbers, without holding it.

use super::SourceError;
use super::span::Bytes;
use std::io::{self, Read};
use std::path::Path;

/// Bytes read at once.
const CHUNK: usize = 64 * 1024;
/// A line that goes on for longer than this, in bytes, is not walked over.
const LONGEST: u64 = 64 * 1024 * 1024;
/// A line longer than this, in bytes, is not read for what it says before a cited one.
const BACK: u64 = 4 * 1024 * 1024;
/// Lines are not counted behind this many bytes.
const COUNTED: u64 = 1 << 30;

/// Where a line begins that lies at most `reach` bytes before `at`, itself the beginning of a line.
/// Where the line before is longer than that, its own beginning; `at` itself where that is too far.
pub(super) fn line_start(at: u64, reach: u64, bytes: &Bytes<'_>) -> Result<u64, SourceError> {
    let from = at.saturating_sub(reach);
    if from == 0 {
        return Ok(0);
    }
    // The line feed before `at` ends the line before it, and begins none.
    let upto = at.saturating_sub(1);
    if let Some(found) = line_feed(from, upto, bytes)? {
        return Ok(found + 1);
    }
    let mut end = from;
    while end > at.saturating_sub(BACK) {
        let start = end.saturating_sub(CHUNK as u64);
        if let Some(found) = last_line_feed(start, end, bytes)? {
            return Ok(found + 1);
        }
        if start == 0 {
            return Ok(0);
        }
        end = start;
    }
    Ok(at)
}

/// One past the last line feed of the first `size` bytes; what follows it is still being written.
pub(super) fn last_line_end(size: u64, bytes: &Bytes<'_>) -> Result<u64, SourceError> {
    let mut end = size;
    while end > 0 {
        let start = end.saturating_sub(CHUNK as u64);
        if let Some(found) = last_line_feed(start, end, bytes)? {
            return Ok(found + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The same of a stream that can only be read forwards.
pub(super) fn last_line_end_forward(mut input: impl Read) -> io::Result<u64> {
    let mut chunk = vec![0; CHUNK];
    let (mut at, mut end) = (0, 0);
    loop {
        let n = match input.read(&mut chunk) {
            Ok(0) => return Ok(end),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if let Some(found) = memchr::memrchr(b'\n', &chunk[..n]) {
            end = at + found as u64 + 1;
        }
        at += n as u64;
    }
}

/// As [`line_start`], of a stream that can only be read forwards.
pub(super) fn line_start_forward(at: u64, reach: u64, input: impl Read) -> io::Result<u64> {
    let from = at.saturating_sub(reach);
    if from == at {
        return Ok(at);
    }
    let mut input = input.take(at.saturating_sub(1));
    let mut chunk = vec![0; CHUNK];
    let (mut place, mut start) = (0, 0);
    while place < at {
        let n = input.read(&mut chunk)?;
        if n == 0 {
            break;
        }
        for found in memchr::memchr_iter(b'\n', &chunk[..n]) {
            start = place + found as u64 + 1;
            if start > from {
                return Ok(start);
            }
        }
        place += n as u64;
    }
    Ok(if from == 0 { 0 } else { start })
}

/// The last line feed of a range no longer than [`CHUNK`].
fn last_line_feed(from: u64, to: u64, bytes: &Bytes<'_>) -> Result<Option<u64>, SourceError> {
    let mut piece = Vec::new();
    let input = bytes(from)?;
    let mut input = input.take(to.saturating_sub(from));
    input.read_to_end(&mut piece).map_err(failed)?;
    Ok(memchr::memrchr(b'\n', &piece).map(|found| from + found as u64))
}

/// The end of the line that holds the byte `reach` bytes behind `from`, itself the beginning of a
/// line: behind its line feed, or the end of the session.
pub(super) fn line_end(
    size: u64,
    from: u64,
    reach: u64,
    bytes: &Bytes<'_>,
) -> Result<u64, SourceError> {
    let at = from.saturating_add(reach).min(size);
    let last = at.saturating_add(LONGEST).min(size);
    Ok(line_feed(at, last, bytes)?.map_or(last, |found| found + 1))
}

/// The first line feed of a range.
fn line_feed(from: u64, to: u64, bytes: &Bytes<'_>) -> Result<Option<u64>, SourceError> {
    let mut input = bytes(from)?.take(to.saturating_sub(from));
    let mut chunk = vec![0; CHUNK];
    let mut at = from;
    loop {
        let n = input.read(&mut chunk).map_err(failed)?;
        let Some(piece) = chunk.get(..n).filter(|b| !b.is_empty()) else {
            return Ok(None);
        };
        if let Some(found) = memchr::memchr(b'\n', piece) {
            return Ok(Some(at + found as u64));
        }
        at += n as u64;
    }
}

fn failed(error: io::Error) -> SourceError {
    SourceError::io(Path::new("the session"))(error)
}

/// The lines, from 1, at these offsets, which ascend; none where they lie too far on.
pub(super) fn numbers(offsets: &[u64], bytes: &Bytes<'_>) -> Result<Vec<u64>, SourceError> {
    let last = offsets.last().copied().unwrap_or(0);
    if last > COUNTED {
        return Ok(Vec::new());
    }
    let mut input = bytes(0)?.take(last);
    let mut chunk = vec![0; CHUNK];
    let (mut lines, mut line, mut at) = (Vec::new(), 1, 0);
    let mut wanted = offsets.iter().copied().peekable();
    loop {
        let n = input.read(&mut chunk).map_err(failed)?;
        let mut piece = chunk.get(..n).unwrap_or_default();
        while let Some(offset) = wanted.next_if(|o| *o <= at + piece.len() as u64) {
            let here = usize::try_from(offset.saturating_sub(at)).unwrap_or(piece.len());
            let (before, rest) = piece.split_at(here.min(piece.len()));
            line += memchr::memchr_iter(b'\n', before).count() as u64;
            at += before.len() as u64;
            piece = rest;
            lines.push(line);
        }
        line += memchr::memchr_iter(b'\n', piece).count() as u64;
        at += piece.len() as u64;
        if n == 0 || wanted.peek().is_none() {
            return Ok(lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session of these bytes.
    fn of(text: &[u8]) -> impl Fn(u64) -> Result<Box<dyn Read>, SourceError> {
        let text = text.to_vec();
        move |from| {
            let from = usize::try_from(from).unwrap().min(text.len());
            Ok(Box::new(io::Cursor::new(text[from..].to_vec())))
        }
    }

    #[test]
    fn lines_are_found_and_numbered_across_chunks() {
        let text = format!("{}\n", "x".repeat(999)).repeat(200);
        let (size, bytes) = (text.len() as u64, of(text.as_bytes()));
        assert_eq!(line_start(100_000, 20, &bytes).unwrap(), 99_000);
        assert_eq!(line_start(100_000, 1500, &bytes).unwrap(), 99_000);
        assert_eq!(line_start(100_000, 2500, &bytes).unwrap(), 98_000);
        assert_eq!(line_start(1000, 5000, &bytes).unwrap(), 0);
        for (at, reach) in [
            (100_000, 20),
            (100_000, 1500),
            (100_000, 2500),
            (1000, 5000),
            (5000, 1),
        ] {
            assert_eq!(
                line_start_forward(at, reach, text.as_bytes()).unwrap(),
                line_start(at, reach, &bytes).unwrap(),
                "{at} {reach}"
            );
        }
        assert_eq!(line_end(size, 1000, 0, &bytes).unwrap(), 2000);
        assert_eq!(line_end(size, 1000, 1500, &bytes).unwrap(), 3000);
        assert_eq!(line_end(size, 199_000, 5000, &bytes).unwrap(), 200_000);
        let lines = numbers(&[0, 1000, 1000, 66_000, 199_000], &bytes);
        assert_eq!(lines.unwrap(), [1, 2, 2, 67, 200]);
        assert_eq!(line_start(5_000, 10, &of(&[b'y'; 5_000])).unwrap(), 0);
        let long = format!("a\n{}\nb\n", "y".repeat(3 * CHUNK));
        let at = long.len() as u64 - 2;
        assert_eq!(line_start(at, 10, &of(long.as_bytes())).unwrap(), 2);
    }

    #[test]
    fn a_line_still_being_written_is_not_passed() {
        let long = "x".repeat(3 * CHUNK);
        for (text, end) in [
            (String::new(), 0),
            ("{}\n{}\n".to_owned(), 6),
            ("{}\n{\"a".to_owned(), 3),
            (format!("{{}}\n{long}"), 3),
            (long, 0),
        ] {
            let size = text.len() as u64;
            assert_eq!(last_line_end(size, &of(text.as_bytes())).unwrap(), end);
            assert_eq!(last_line_end_forward(text.as_bytes()).unwrap(), end);
        }
    }
}
