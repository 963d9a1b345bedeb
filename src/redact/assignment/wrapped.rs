//! A value that was broken into lines: by a narrow screen, a mail, or whoever wrote the file.

use super::super::lines;
use super::super::value;
use std::ops::Range;

/// The shortest first line, in bytes.
const FIRST: usize = 16;
/// The shortest line after it, in bytes.
const NEXT: usize = 6;
/// The most lines.
const LINES: usize = 64;

/// The lines below a value's first that go on with it.
pub(super) fn pieces(text: &[u8], first: &Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let body = text.get(first.clone()).unwrap_or(&[]);
    let head = body.strip_suffix(b"=").unwrap_or(body);
    let goes_on = lines::continuation(text, first.end).is_some();
    if !goes_on || head.len() < FIRST || !head.iter().all(is_token) || value::is_name_like(head) {
        return pieces;
    }
    let hex = head.iter().all(u8::is_ascii_hexdigit);
    let mut end = first.end;
    while let Some(next) = lines::continuation(text, end).filter(|_| pieces.len() < LINES) {
        let rest = text.get(next..).unwrap_or(&[]);
        let len = rest.iter().take(1024).take_while(|b| is_token(b)).count();
        let piece = rest.get(..len).unwrap_or(rest);
        if !lines::ends_line(text, next + len) || !is_more(piece, hex) {
            break;
        }
        end = next + len;
        pieces.push(next..end);
        if len < head.len() {
            break;
        }
    }
    pieces
}

/// Whether a line is no word, no name and no setting.
fn is_more(piece: &[u8], hex: bool) -> bool {
    if hex {
        return piece.len() >= NEXT
            && piece.iter().all(u8::is_ascii_hexdigit)
            && value::digits(piece) > 0;
    }
    let body = piece.iter().rev().skip_while(|b| **b == b'=');
    piece.len() >= NEXT
        && body.clone().all(|b| *b != b'=')
        && value::classes(piece) >= 2
        && value::digits(piece) > 0
        && !value::is_name_like(piece)
}

fn is_token(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}
