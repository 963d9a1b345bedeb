//! The redactor as a filter for input of any size: windows that overlap.
//!
//! A window is cut at a line's end outside everything hidden, well before its own end, so that a
//! secret is always seen whole with what stands before it.

use super::{Found, Hit, Part, Redactor, hit, redacted, rewrite, withheld};
use std::io::{self, Read, Write};

/// What is read at a time, in bytes.
const WINDOW: u64 = 4 << 20;
/// How much of a window is looked at again with the next one, in bytes.
const OVERLAP: usize = 64 << 10;

/// A hit in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHit {
    /// The line, from 1.
    pub line: usize,
    /// What was hidden; its offset counts from the window's start.
    pub hit: Hit,
}

impl Redactor {
    /// Copies text with its secrets replaced. Bytes that are no UTF-8 become `U+FFFD`. Holds a few
    /// windows of 4 MiB, whatever the input's size.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn filter(&self, from: &mut dyn Read, to: &mut dyn Write) -> io::Result<Vec<LineHit>> {
        let mut hits = Vec::new();
        let (mut bytes, mut text, mut line) = (Vec::new(), String::new(), 1);
        loop {
            let read = Read::take(&mut *from, WINDOW).read_to_end(&mut bytes)?;
            let last = read == 0;
            let whole = if last { bytes.len() } else { complete(&bytes) };
            let rest = bytes.split_off(whole);
            text.push_str(&String::from_utf8_lossy(&bytes));
            bytes = rest;
            let Some(found) = self.search(&text, &Part::default()) else {
                let (part, gone) = withheld(&text);
                to.write_all(part.as_str().as_bytes())?;
                hits.extend(gone.into_iter().map(|hit| LineHit { line, hit }));
                return Ok(hits);
            };
            let cut = if last { text.len() } else { cut(&text, &found) };
            let rest = text.split_off(cut);
            let mine = found.partition_point(|f| f.range.end <= cut);
            let found = found.get(..mine).unwrap_or(&found);
            to.write_all(rewrite(&text, found).0.as_str().as_bytes())?;
            line = number(&text, found, line, &mut hits);
            text = rest;
            if last {
                return Ok(hits);
            }
        }
    }
}

/// How many bytes end with a whole character.
fn complete(bytes: &[u8]) -> usize {
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

/// The last place to cut: after a line, or failing that a character, outside everything hidden.
fn cut(text: &str, found: &[Found]) -> usize {
    let goal = super::floor(text, text.len().saturating_sub(OVERLAP));
    let inside = |at: usize| {
        let before = found.partition_point(|f| f.range.start < at);
        before
            .checked_sub(1)
            .and_then(|n| found.get(n))
            .filter(|f| f.range.end > at)
            .map(|f| f.range.start)
            .or_else(|| redacted::around(text.as_bytes(), at).map(|p| p.start))
    };
    let head = text.as_bytes().get(..goal).unwrap_or(&[]);
    memchr::memrchr_iter(b'\n', head)
        .take(2000)
        .map(|at| at + 1)
        .find(|at| inside(*at).is_none())
        .unwrap_or_else(|| inside(goal).unwrap_or(goal))
}

/// Adds the hits with their lines, and gives the number of the line that follows.
fn number(text: &str, found: &[Found], first: usize, hits: &mut Vec<LineHit>) -> usize {
    let (mut line, mut at) = (first, 0);
    let count = |from: usize, to: usize| {
        memchr::memchr_iter(b'\n', text.as_bytes().get(from..to).unwrap_or(&[])).count()
    };
    for one in found {
        line += count(at, one.range.start);
        at = one.range.start;
        hits.push(LineHit {
            line,
            hit: hit(one),
        });
    }
    line + count(at, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_across_windows_is_hidden_whole_and_its_line_named() {
        let secret = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
        let filler = "an ordinary line of text, é, nothing in it\n";
        for shift in [0, 17] {
            let lines = usize::try_from(WINDOW).unwrap() / filler.len();
            let before = format!("{}{}", "x".repeat(shift), filler.repeat(lines));
            let text = format!("{before}token {secret} end\n{}", filler.repeat(4000));
            let mut out = Vec::new();
            let redactor = Redactor::new(&[], &[1; 32]).0;
            let hits = redactor.filter(&mut text.as_bytes(), &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert_eq!(hits.len(), 1);
            assert_eq!(hits[0].line, lines + 1);
            assert!(!out.contains(&secret[4..12]));
            assert_eq!(
                out.len(),
                text.len() - secret.len() + "[REDACTED:github_pat#0000]".len()
            );
        }
    }

    #[test]
    fn a_half_character_waits_for_its_other_half() {
        assert_eq!(complete("aé".as_bytes()), 3);
        assert_eq!(complete(&"aé".as_bytes()[..2]), 1);
        assert_eq!(complete(&"a→".as_bytes()[..3]), 1);
        assert_eq!(complete(b"abc"), 3);
    }
}
