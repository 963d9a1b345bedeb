//! A byte stream to lines, in bounded memory.
//!
//! Lines end at the byte `\n` and nowhere else. A line that fits the chunk is lent from it, a
//! longer one is gathered through [`Squeeze`], which leaves base64 out. What is too long is walked
//! over, not held. Knows nothing of JSON beyond where strings begin and end.

mod squeeze;

use squeeze::Squeeze;
use std::io::{self, Read};

/// Bytes read at once.
const CHUNK: usize = 256 * 1024;
/// The longest line that is read, in bytes of the file.
pub(super) const LINE_LIMIT: u64 = 64 * 1024 * 1024;
/// The longest line that is held, once base64 is out of it.
const HELD_LIMIT: usize = 16 * 1024 * 1024;
/// What the gathering buffer keeps from one long line to the next.
const KEEP: usize = 1024 * 1024;

/// One line of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Where its first byte lies; NUL padding before it is not part of it.
    pub offset: u64,
    /// One past its last byte, the line feed included.
    pub end: u64,
    /// Whether a line feed ends it.
    pub terminated: bool,
    /// Its content.
    pub content: Content<'a>,
}

/// What of a line is at hand.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content<'a> {
    /// Its bytes without the line feed.
    Bytes(&'a [u8]),
    /// Its bytes, but a very long string in it was cut.
    Cut(&'a [u8]),
    /// Over [`LINE_LIMIT`].
    TooLong,
    /// Over what is held of a line.
    TooFull,
}

/// Reads lines.
pub(super) struct Lines<R> {
    input: R,
    chunk: Vec<u8>,
    at: usize,
    filled: usize,
    /// Place in the stream of the next byte to be looked at.
    offset: u64,
    gathered: Vec<u8>,
}

/// How far a gathered line got.
struct Gathering {
    squeeze: Squeeze,
    length: u64,
    full: bool,
}

impl<R: Read> Lines<R> {
    /// Lines of `input`, whose first byte lies at `offset` of its source.
    pub fn new(input: R, offset: u64) -> Self {
        Self {
            input,
            chunk: vec![0; CHUNK],
            at: 0,
            filled: 0,
            offset,
            gathered: Vec::new(),
        }
    }

    /// The next line; `None` at the end. NUL padding at the end is no line.
    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if !self.skip_padding()? {
            return Ok(None);
        }
        let offset = self.offset;
        if let Some(n) = memchr::memchr(b'\n', &self.chunk[self.at..self.filled]) {
            let start = self.at;
            self.advance(n + 1);
            return Ok(Some(Line {
                offset,
                end: self.offset,
                terminated: true,
                content: Content::Bytes(&self.chunk[start..start + n]),
            }));
        }
        self.gather(offset).map(Some)
    }

    /// Walks over NUL bytes to the start of a line; `false` at the end of the stream.
    fn skip_padding(&mut self) -> io::Result<bool> {
        while self.fill()? {
            match self.chunk[self.at..self.filled]
                .iter()
                .position(|b| *b != 0)
            {
                Some(0) => return Ok(true),
                Some(n) => self.advance(n),
                None => self.advance(self.filled - self.at),
            }
        }
        Ok(false)
    }

    fn advance(&mut self, n: usize) {
        self.at += n;
        self.offset += n as u64;
    }

    /// Makes sure that a byte is at hand; `false` at the end of the stream.
    fn fill(&mut self) -> io::Result<bool> {
        while self.at == self.filled {
            match self.input.read(&mut self.chunk) {
                Ok(0) => return Ok(false),
                Ok(n) => (self.at, self.filled) = (0, n),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }

    /// A line that does not end in this chunk.
    fn gather(&mut self, offset: u64) -> io::Result<Line<'_>> {
        self.gathered.clear();
        self.gathered.shrink_to(KEEP);
        let mut line = Gathering {
            squeeze: Squeeze::default(),
            length: 0,
            full: false,
        };
        let mut terminated = false;
        while !terminated && self.fill()? {
            let rest = &self.chunk[self.at..self.filled];
            let n = memchr::memchr(b'\n', rest);
            let piece = &rest[..n.unwrap_or(rest.len())];
            line.push(piece, &mut self.gathered);
            terminated = n.is_some();
            self.advance(piece.len() + usize::from(terminated));
        }
        Ok(Line {
            offset,
            end: self.offset,
            terminated,
            content: match () {
                () if line.length > LINE_LIMIT => Content::TooLong,
                () if line.full => Content::TooFull,
                () if line.squeeze.has_cut() => Content::Cut(&self.gathered),
                () => Content::Bytes(&self.gathered),
            },
        })
    }
}

impl Gathering {
    fn push(&mut self, piece: &[u8], into: &mut Vec<u8>) {
        self.length += piece.len() as u64;
        if self.full {
            return;
        }
        self.squeeze.push(piece, into);
        if into.len() > HELD_LIMIT || self.length > LINE_LIMIT {
            self.full = true;
            *into = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives at most `step` bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(into.len());
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    type Seen = (u64, u64, bool, Option<Vec<u8>>);

    fn all(bytes: &[u8], step: usize) -> Vec<Seen> {
        let mut lines = Lines::new(Slow(bytes, step), 100);
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            let content = match line.content {
                Content::Bytes(b) | Content::Cut(b) => Some(b.to_vec()),
                Content::TooLong | Content::TooFull => None,
            };
            seen.push((line.offset, line.end, line.terminated, content));
        }
        seen
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_arrive() {
        let bytes = "a\u{2028}b\n\n\0\0\0c\r\nlast".as_bytes();
        let expected = vec![
            (100, 106, true, Some("a\u{2028}b".as_bytes().to_vec())),
            (106, 107, true, Some(vec![])),
            (110, 113, true, Some(b"c\r".to_vec())),
            (113, 117, false, Some(b"last".to_vec())),
        ];
        for step in 1..bytes.len() + 1 {
            assert_eq!(all(bytes, step), expected, "step {step}");
        }
    }

    #[test]
    fn padding_at_the_end_is_no_line() {
        assert_eq!(all(b"\0\0\0", 2), []);
        assert_eq!(all(b"x\n\0\0", 9).len(), 1);
        assert_eq!(all(b"", 1), []);
    }

    #[test]
    fn a_line_over_the_limit_is_walked_over_and_not_held() {
        let mut bytes = vec![b' '; 20 * 1024 * 1024];
        bytes.extend(b"\nnext\n");
        let mut lines = Lines::new(&bytes[..], 0);
        assert_eq!(lines.next().unwrap().unwrap().content, Content::TooFull);
        assert!(lines.gathered.capacity() <= KEEP);
        assert_eq!(
            lines.next().unwrap().unwrap().content,
            Content::Bytes(b"next")
        );

        let long = io::repeat(b'x').take(LINE_LIMIT + 1).chain(&b"\nnext"[..]);
        let mut lines = Lines::new(long, 0);
        let line = lines.next().unwrap().unwrap();
        assert_eq!(line.content, Content::TooLong);
        assert_eq!(line.end, LINE_LIMIT + 2);
        assert_eq!(
            lines.next().unwrap().unwrap().content,
            Content::Bytes(b"next")
        );
    }
}
