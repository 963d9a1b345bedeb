//! Lines as rows of cells: separated by commas, tabs, bars, or standing under each other.

use std::ops::Range;

/// The most cells of a row.
const CELLS: usize = 64;

/// What separates the cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sep {
    /// `|`, or a drawn one.
    Bar,
    Tab,
    Comma,
    Semicolon,
    /// Two blanks or more; the cells of a column begin at the same place.
    Blanks,
}

impl Sep {
    /// What separates the cells of a line.
    pub fn of(line: &[u8]) -> Option<Self> {
        let has = |byte: u8| memchr::memchr(byte, line).is_some();
        if memchr::memchr2_iter(b'|', 0xe2, line).any(|at| bar(line, at) > 0) {
            Some(Self::Bar)
        } else if has(b'\t') {
            Some(Self::Tab)
        } else if has(b',') {
            Some(Self::Comma)
        } else if has(b';') {
            Some(Self::Semicolon)
        } else {
            memchr::memmem::find(line, b"  ").map(|_| Self::Blanks)
        }
    }

    /// The length of the separator that stands here.
    fn len(self, line: &[u8], at: usize) -> usize {
        let is = |byte: u8| usize::from(line.get(at) == Some(&byte));
        match self {
            Self::Bar => bar(line, at),
            Self::Tab => is(b'\t'),
            Self::Comma => is(b','),
            Self::Semicolon => is(b';'),
            Self::Blanks => {
                let rest = line.get(at..).unwrap_or(&[]);
                let len = rest.iter().take_while(|b| **b == b' ').count();
                if len < 2 { 0 } else { len }
            }
        }
    }
}

/// The length of a bar that stands here.
fn bar(line: &[u8], at: usize) -> usize {
    match line.get(at..).unwrap_or(&[]) {
        [b'|', ..] => 1,
        [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] => 3,
        _ => 0,
    }
}

/// The line that holds `at`, without its end.
pub(super) fn line(text: &[u8], at: usize) -> Option<Range<usize>> {
    let head = text.get(..at)?;
    let start = memchr::memrchr(b'\n', head).map_or(0, |feed| feed + 1);
    let rest = text.get(start..)?;
    let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let len = match rest.get(..len)? {
        [.., b'\r'] => len - 1,
        _ => len,
    };
    Some(start + gutter(text, start..start + len)..start + len)
}

/// The length of a listing's line number and arrow.
fn gutter(text: &[u8], line: Range<usize>) -> usize {
    let line = text.get(line).unwrap_or(&[]);
    let blanks = line.iter().take(8).take_while(|b| **b == b' ').count();
    let rest = line.get(blanks..).unwrap_or(&[]);
    let digits = rest.iter().take(8).take_while(|b| b.is_ascii_digit());
    let digits = digits.count();
    let arrow = rest
        .get(digits..)
        .unwrap_or(&[])
        .starts_with("→".as_bytes());
    if digits > 0 && arrow {
        blanks + digits + "→".len()
    } else {
        0
    }
}

/// The cells of a line, without the blanks and quotes around them; none if there are too many.
pub(super) fn cells(text: &[u8], line: Range<usize>, sep: Sep) -> Vec<Range<usize>> {
    let row = text.get(line.clone()).unwrap_or(&[]);
    let mut cells = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < row.len() {
        let quoted = at == start && row.get(at) == Some(&b'"');
        if let Some(len) = quoted.then(|| string(row, at, sep)).flatten() {
            at += len;
            continue;
        }
        let len = sep.len(row, at);
        if len == 0 {
            at += 1;
            continue;
        }
        // Blanks before the first cell are no separator.
        if sep != Sep::Blanks || at > start {
            cells.push(line.start + start..line.start + at);
        }
        at += len;
        start = at;
        if cells.len() > CELLS {
            return Vec::new();
        }
    }
    if sep != Sep::Blanks || start < row.len() {
        cells.push(line.start + start..line.start + row.len());
    }
    cells.into_iter().map(|cell| bare(text, cell)).collect()
}

/// The length of a quoted cell, where one ends with its quote.
fn string(row: &[u8], at: usize, sep: Sep) -> Option<usize> {
    let body = row.get(at + 1..)?;
    let mut quotes = memchr::memchr_iter(b'"', body);
    let end = quotes.find(|n| *n + 1 == body.len() || sep.len(body, n + 1) > 0)?;
    Some(end + 2)
}

/// A cell without the blanks, quotes and marks around it.
pub(super) fn bare(text: &[u8], cell: Range<usize>) -> Range<usize> {
    let body = text.get(cell.clone()).unwrap_or(&[]);
    let around = |b: &u8| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`');
    let head = body.iter().take_while(|b| around(b)).count();
    let rest = body.get(head..).unwrap_or(&[]);
    let tail = rest.iter().rev().take_while(|b| around(b)).count();
    cell.start + head..cell.end - tail
}

/// Whether a line only draws: `---+---`, `|:--|--:|`, `├───┼───┤`.
pub(super) fn is_rule(line: &[u8]) -> bool {
    let drawn = |b: &u8| b" -+|:=_\t".contains(b) || !b.is_ascii();
    !line.is_empty() && line.iter().all(drawn) && line.iter().any(|b| *b != b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_cell_by_cell() {
        for (line, sep, read) in [
            ("a,b c,\"d, e\",", Sep::Comma, &["a", "b c", "d, e", ""][..]),
            ("a\tb\t\tc", Sep::Tab, &["a", "b", "", "c"]),
            ("| a | `b` |", Sep::Bar, &["", "a", "b", ""]),
            (" a | b", Sep::Bar, &["a", "b"]),
            ("│ a │ b │", Sep::Bar, &["", "a", "b", ""]),
            ("a;b;c", Sep::Semicolon, &["a", "b", "c"]),
            ("A B   C  D", Sep::Blanks, &["A B", "C", "D"]),
            ("  3→a,b", Sep::Comma, &["a", "b"]),
            ("\"a\",\"b\"\r", Sep::Comma, &["a", "b"]),
        ] {
            let text = format!("x\n{line}\ny");
            let range = super::line(text.as_bytes(), 3).unwrap();
            assert_eq!(
                Sep::of(&text.as_bytes()[range.clone()]),
                Some(sep),
                "{line}"
            );
            let found = cells(text.as_bytes(), range, sep);
            let found: Vec<_> = found.into_iter().map(|r| &text[r]).collect();
            assert_eq!(found, read, "{line}");
        }
        assert!(is_rule(b"|:--|---|") && is_rule("├──┼──┤".as_bytes()) && !is_rule(b"| a |"));
    }
}
