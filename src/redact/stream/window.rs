//! The part of the input that is held: read on at its end, let go of at its beginning. Bytes that
//! are no UTF-8 become `U+FFFD`; half a character waits for its other half.

use super::super::found::floor;
use std::io::{self, Read};
use std::ops::Range;

/// The part of the input that is held.
#[derive(Default)]
pub(super) struct Window {
    pub text: String,
    /// Up to where the text was handed over; it stays as what stands before the rest.
    pub done: usize,
    /// The beginning of a character.
    bytes: Vec<u8>,
    /// Whether the rest of a line is to be passed over.
    skips: bool,
}

/// What became of reading on.
pub(super) struct Filled {
    /// The input ends here.
    pub last: bool,
    pub read: io::Result<()>,
}

impl Window {
    /// Reads on, as much as is held already or more. Nothing comes after it if that fails, or if
    /// there was less: what was read last is not to be searched twice.
    pub fn fill(&mut self, from: &mut dyn Read, window: usize) -> Filled {
        let more = window.max(self.text.len());
        let read = Read::take(from, more as u64).read_to_end(&mut self.bytes);
        let last = !matches!(read, Ok(read) if read == more);
        let whole = if last {
            self.bytes.len()
        } else {
            complete(&self.bytes)
        };
        let rest = self.bytes.split_off(whole);
        let bytes = std::mem::replace(&mut self.bytes, rest);
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
        }
        if self.skips {
            let line = memchr::memchr(b'\n', self.text.as_bytes());
            self.skips = line.is_none();
            self.text.drain(..line.unwrap_or(self.text.len()));
        }
        Filled {
            last,
            read: read.map(drop),
        }
    }

    /// Notes that all up to `cut` was handed over, and lets go of what is not needed any more. The
    /// header of a table that goes on stays.
    pub fn pass(&mut self, cut: usize, context: usize, head: Option<Range<usize>>) {
        let from = floor(&self.text, cut.saturating_sub(context));
        let before = self.text.as_bytes().get(from..cut).unwrap_or(&[]);
        // Half a line tells nothing; at the very start it is a whole one.
        let line = match from {
            0 => 0,
            _ => memchr::memchr(b'\n', before).map_or(0, |at| at + 1),
        };
        let gone = from + line;
        let head = head.filter(|head| head.start < gone);
        let head = head.and_then(|head| self.text.get(head)).unwrap_or("");
        let head = if head.is_empty() {
            String::new()
        } else {
            format!("{head}\n")
        };
        self.text.replace_range(..gone, &head);
        self.done = cut - gone + head.len();
    }

    /// Lets go of everything, up to the line's end.
    pub fn skip(&mut self) {
        self.text.clear();
        self.done = 0;
        self.skips = true;
    }
}

/// How many bytes end with a whole character.
pub(super) fn complete(bytes: &[u8]) -> usize {
    let tail = bytes
        .iter()
        .rev()
        .take(4)
        .position(|b| *b >= 0xc0)
        .map_or(0, |n| n + 1);
    let lead = bytes.len() - tail;
    let needed = match bytes.get(lead) {
        Some(0xf0..) => 4,
        Some(0xe0..) => 3,
        Some(0xc0..) => 2,
        _ => 0,
    };
    if tail > 0 && tail < needed {
        lead
    } else {
        bytes.len()
    }
}
