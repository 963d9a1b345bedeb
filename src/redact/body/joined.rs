//! Going on over line breaks and from string to string, up to the usual length of a body, and over
//! no neighbour: a setting, a commit, what stands behind the end of a string.

use super::super::anchors::Anchor;
use super::super::lines;
use super::super::scan::Scan;
use super::super::value;
use super::{LONGEST, PIECES, Token};

/// A body, as far as it was read.
pub(super) struct Body {
    pub bytes: Vec<u8>,
    pub end: usize,
}

impl Token<'_> {
    /// The length up to which a body goes on over line breaks.
    fn most(&self) -> usize {
        self.rule.full.unwrap_or(self.rule.min * 2)
    }

    /// Goes on over line breaks and from string to string, up to the usual length of a body.
    pub(super) fn joined(&self, scan: &Scan<'_>, anchor: &Anchor, end: usize) -> Body {
        let (rule, text) = (self.rule, scan.text);
        let most = self.most();
        let alone = Body {
            bytes: scan.bytes(anchor.end..end).to_vec(),
            end,
        };
        // The punctuation at a line's end belongs to the body if that goes on.
        let mut joined = Body {
            bytes: scan.bytes(anchor.end..self.run).to_vec(),
            end: self.run,
        };
        let mut listed = false;
        for _ in 0..PIECES {
            let len = joined.bytes.len();
            let full = len >= most && !self.is_wrapped(text, joined.end);
            let full = full || joined.bytes.ends_with(b"=");
            let Some(next) = lines::next(text, joined.end).filter(|_| !full) else {
                break;
            };
            let run = self.class.run(text, next.at, 4096);
            let closed = !next.listed && is_closed(text, joined.end, next.at);
            if run == 0 || closed || !self.goes_on(scan, &joined.bytes, next.at, run) {
                break;
            }
            listed |= next.listed;
            joined
                .bytes
                .extend_from_slice(scan.bytes(next.at..next.at + run));
            joined.end = next.at + run;
        }
        let grown = joined.end > self.run && (!listed || rule.full == Some(joined.bytes.len()));
        if grown { joined } else { alone }
    }

    /// Whether a body of no usual length ends where a terminal or an editor breaks its lines: no
    /// mark of a sentence behind it, and the next line holds a run that is no longer and nothing
    /// else.
    fn is_wrapped(&self, text: &[u8], end: usize) -> bool {
        const SHORTEST: usize = 40;
        let head = text.get(end.saturating_sub(LONGEST)..end).unwrap_or(&[]);
        let line = head.iter().rev().take_while(|b| **b != b'\n').count();
        let sign = head.last().is_some_and(|b| matches!(b, b'.' | b','));
        let Some(next) = lines::next(text, end).filter(|next| !next.listed) else {
            return false;
        };
        let run = self.class.run(text, next.at, 4096);
        self.rule.full.is_none()
            && (line >= SHORTEST || end > self.run && line >= 16)
            && !sign
            && (8..=line).contains(&run)
            && !value::is_wordy(text.get(next.at..next.at + run).unwrap_or(&[]))
    }

    /// Whether a body goes on with the run at `at`.
    fn goes_on(&self, scan: &Scan<'_>, body: &[u8], at: usize, run: usize) -> bool {
        let (rule, len) = (self.rule, body.len());
        let piece = scan.bytes(at..at + run);
        if is_setting(scan.text, at, run) || self.is_commit(piece, body) {
            return false;
        }
        let completes = rule.full == Some(len + run);
        let last =
            lines::ends_line(scan.text, at + run) || lines::next(scan.text, at + run).is_some();
        let enough = run >= 8 || rule.before.is_some();
        let likely = if value::is_wordy(piece) && !rule.words {
            completes && last && len >= 16
        } else {
            completes || enough && last
        };
        rule.full.is_none_or(|full| len + run <= full + 8) && likely && !scan.is_other(at)
    }

    /// Hex digits alone below a token of all letters: a commit, or a digest.
    fn is_commit(&self, piece: &[u8], body: &[u8]) -> bool {
        const TAIL: usize = 12;
        let hex = |b: &u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        let tail = body.get(body.len().saturating_sub(TAIL)..).unwrap_or(body);
        body.len() >= 16
            && piece.len() >= 7
            && self.class.has(b'z')
            && self.rule.full != Some(body.len() + piece.len())
            && piece.iter().all(hex)
            && tail.iter().filter(|b| !hex(b)).count() >= 3
    }
}

/// Whether a string ends at `end`, and what stands at `next` is in none: `"ops_…"` above `PORT=3000`.
fn is_closed(text: &[u8], end: usize, next: usize) -> bool {
    let quote = |at: Option<usize>| {
        let byte = at.and_then(|at| text.get(at));
        byte.filter(|b| matches!(b, b'"' | b'\''))
    };
    let closing = quote(Some(end));
    closing.is_some() && closing != quote(next.checked_sub(1))
}

/// `PORT=3000`, `level=info`: the next setting. A few tokens have this sign in them, behind what is
/// no name.
fn is_setting(text: &[u8], at: usize, run: usize) -> bool {
    let piece = text.get(at..(at + run + 2).min(text.len())).unwrap_or(&[]);
    let sign = piece.iter().take(LONGEST).position(|b| *b == b'=');
    let Some((name, rest)) = sign.and_then(|sign| piece.split_at_checked(sign)) else {
        return false;
    };
    let small = |b: &u8| !b.is_ascii_uppercase() && !b.is_ascii_digit();
    let capital = |b: &u8| !b.is_ascii_lowercase() && !b.is_ascii_digit();
    let named = name.iter().all(small) || name.iter().all(capital) || value::is_wordy(name);
    let set = rest.get(1).is_some_and(u8::is_ascii_alphanumeric);
    !name.is_empty() && named && set
}
