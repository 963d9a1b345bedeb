//! Tables whose header names a column's values: CSV, Markdown, what `psql` and `kubectl` print;
//! or which have a column of names beside one of values.
//!
//! A table is read once, from its header to its last row, whatever stands in it.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::cells::{self, Sep};
use super::fields;
use super::names::{self, Kind};
use super::reading::Value;
use super::written::Place;
use memchr::memmem::Finder;
use std::ops::Range;
use std::sync::LazyLock;

/// How far above a row its header is looked for, in bytes.
const ABOVE: usize = 1024;
/// The longest header, in bytes: it has nothing but titles.
const HEADER: usize = 4096;
/// The longest title of a column, in bytes.
const TITLE: usize = 40;

/// How titles of columns end that hold what another one names.
static VALUE: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new(b"alue"), Finder::new(b"ALUE")]);

/// What a header says of the columns.
#[derive(Debug)]
struct Header {
    sep: Sep,
    titles: Vec<Range<usize>>,
    /// Where the header's line begins, which columns are counted from.
    start: usize,
    /// Columns whose titles name a secret.
    named: Vec<(usize, Kind)>,
    /// A column of names and one of what they name.
    pair: Option<(usize, usize)>,
    /// Tabs are repeated to fill a column up, so that an empty cell is none.
    filled: bool,
}

/// Reads the table whose header, or one of whose rows, holds this name.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, name: &Range<usize>) {
    let text = scan.text;
    if name.start < scan.tables || !is_cell_end(text, name.end) {
        return;
    }
    let Some(line) = cells::line(text, name.start) else {
        return;
    };
    scan.tables = line.end;
    if let Some(header) = Header::copied(text, &line) {
        return rows(scan, rule, &header, line.end);
    }
    let Some(sep) = Sep::of(text.get(line.clone()).unwrap_or(&[])) else {
        return;
    };
    let here = || Header::read(text, line.clone(), sep).map(|header| (header, line.end));
    if let Some((header, end)) = above(scan, line.clone(), sep).or_else(here) {
        rows(scan, rule, &header, end);
    }
}

/// The header of the table whose row ends right before a place, if it names a secret's column: what
/// a reader of the rest must know.
pub(in crate::redact) fn head(text: &[u8], cut: usize) -> Option<Range<usize>> {
    let feed = cut.checked_sub(1)?;
    let row = (text.get(feed) == Some(&b'\n')).then(|| cells::line(text, feed))??;
    let content = |line: &Range<usize>| text.get(line.clone()).unwrap_or(&[]);
    let sep = Sep::of(content(&row)).filter(|sep| *sep != Sep::Blanks)?;
    let count = |line: &Range<usize>| cells::cells(text, line.clone(), sep).len();
    let columns = Some(count(&row)).filter(|columns| *columns >= 2)?;
    let begin =
        |at: usize| memchr::memrchr(b'\n', text.get(..at).unwrap_or(&[])).map_or(0, |n| n + 1);
    let (mut top, mut start) = (row.clone(), begin(row.start));
    while let Some(above) = start
        .checked_sub(1)
        .and_then(|feed| cells::line(text, feed))
    {
        if count(&above) != columns && !cells::is_rule(content(&above)) {
            break;
        }
        start = begin(above.start);
        top = above;
    }
    Header::read(text, top.clone(), sep).map(|_| start..top.end)
}

/// Whether a cell may end here.
fn is_cell_end(text: &[u8], at: usize) -> bool {
    let quoted = matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
    let after = fields::blanks(text, at + usize::from(quoted));
    let ends = matches!(
        text.get(after),
        None | Some(b'|' | b',' | b';' | b')' | b'\n' | b'\r' | 0xe2)
    );
    ends || after >= at + 2 || text.get(at) == Some(&b'\t')
}

impl Header {
    fn read(text: &[u8], line: Range<usize>, sep: Sep) -> Option<Self> {
        // No title is made of anything else, nor what stands around it: most lines are told so.
        let plain = |b: &u8| is_of_title(*b) || b"\"'`|\t,;".contains(b);
        let content = text.get(line.clone()).unwrap_or(&[]);
        if line.len() > HEADER || !content.iter().all(plain) {
            return None;
        }
        let mut titles = cells::cells(text, line.clone(), sep);
        let filled = sep == Sep::Tab && titles.iter().any(Range::is_empty);
        titles.retain(|title| !filled || !title.is_empty());
        let cell = |range: &Range<usize>| text.get(range.clone()).unwrap_or(&[]);
        let inner = match titles.as_slice() {
            [first, rest @ .., last] if sep == Sep::Bar && first.is_empty() && last.is_empty() => {
                rest
            }
            all => all,
        };
        let titled = inner.iter().all(|range| is_title(cell(range)));
        if inner.len() < 2 || !titled {
            return None;
        }
        let place = |test: fn(&[u8]) -> bool| titles.iter().position(|t| test(cell(t)));
        let named: Vec<_> = titles
            .iter()
            .enumerate()
            .filter_map(|(n, title)| Some((n, names::kind(cell(title))?)))
            .collect();
        let pair = place(fields::names).zip(place(fields::holds));
        (!named.is_empty() || pair.is_some()).then_some(Self {
            sep,
            titles,
            start: line.start,
            named,
            pair,
            filled,
        })
    }

    /// `COPY users (id, password) FROM stdin;` of a dump: rows of tabs follow.
    fn copied(text: &[u8], line: &Range<usize>) -> Option<Self> {
        let copy = text.get(line.clone())?.trim_ascii_end();
        if !copy.starts_with(b"COPY ") || !copy.ends_with(b" FROM stdin;") {
            return None;
        }
        let open = memchr::memchr(b'(', copy)?;
        let close = memchr::memrchr(b')', copy).filter(|close| *close > open)?;
        let columns = line.start + open + 1..line.start + close;
        let titles = cells::cells(text, columns, Sep::Comma);
        let kind = |title: &Range<usize>| names::kind(text.get(title.clone())?);
        let named = titles.iter().enumerate();
        let named = named.filter_map(|(n, title)| Some((n, kind(title)?)));
        Some(Self {
            sep: Sep::Tab,
            named: named.collect(),
            titles,
            start: line.start,
            pair: None,
            filled: false,
        })
    }

    /// The cells of a row, by column; none if it is no row of this table.
    fn row(&self, text: &[u8], line: &Range<usize>) -> Vec<Range<usize>> {
        let mut cells = cells::cells(text, line.clone(), self.sep);
        cells.retain(|cell| !self.filled || !cell.is_empty());
        if cells.len() == self.titles.len() {
            return cells;
        }
        if self.sep != Sep::Blanks {
            return Vec::new();
        }
        // Where a cell is empty, the others still begin under their titles.
        let column = |title: &Range<usize>| line.start + title.start - self.start;
        let starts = |cell: &&Range<usize>, at| cell.start == at;
        let cell = |title| cells.iter().find(|cell| starts(cell, column(title)));
        let none = line.end..line.end;
        let cells = self.titles.iter().map(cell);
        cells.map(|cell| cell.unwrap_or(&none).clone()).collect()
    }
}

/// `github.com/a/token-auth`, `v1.2.3`, `token-helper.js`: what rows hold, and no title.
fn is_thing(cell: &[u8]) -> bool {
    let count = |byte: u8| cell.iter().filter(|b| **b == byte).count();
    let figures = cell.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = cell.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let version = count(b'.') > 0 && figures >= 2 && figures >= letters;
    count(b'/') > 1 || count(b'/') > 0 && count(b'.') > 0 || version
}

fn is_of_title(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" _-./#%".contains(&byte) || !byte.is_ascii()
}

/// Words that may stand over a column.
fn is_title(cell: &[u8]) -> bool {
    (1..=TITLE).contains(&cell.len())
        && !is_thing(cell)
        && cell.iter().all(|b| is_of_title(*b))
        && cell.iter().any(u8::is_ascii_alphabetic)
        && cell.split(|b| *b == b' ').count() <= 3
}

/// The header of names and values above a row.
fn above(scan: &mut Scan<'_>, row: Range<usize>, sep: Sep) -> Option<(Header, usize)> {
    let text = scan.text;
    // What is above the row before this one has been looked at.
    let seen = std::mem::replace(&mut scan.headless, row.end);
    let from = row.start.saturating_sub(ABOVE);
    if seen + 2 >= row.start && seen > 0 {
        return None;
    }
    let head = text.get(from..row.start)?;
    // Forwards: that way a search takes many bytes at a time.
    let value = VALUE
        .iter()
        .find_map(|title| title.find_iter(head).last())?;
    let line = cells::line(text, from + value)?;
    let header = Header::read(text, line.clone(), sep).filter(|h| h.pair.is_some())?;
    Some((header, line.end))
}

/// Hides the secrets of the rows that follow.
fn rows(scan: &mut Scan<'_>, rule: &'static Rule, header: &Header, end: usize) {
    let text = scan.text;
    let mut end = end;
    loop {
        let start = match text.get(end..).unwrap_or(&[]) {
            [b'\r', b'\n', _, ..] => end + 2,
            [b'\n', _, ..] => end + 1,
            _ => break,
        };
        let Some(line) = cells::line(text, start) else {
            break;
        };
        let content = text.get(line.clone()).unwrap_or(&[]);
        if !cells::is_rule(content) {
            let row = header.row(text, &line);
            if row.is_empty() || content.trim_ascii().is_empty() {
                break;
            }
            hide(scan, rule, header, &row);
        }
        end = line.end;
    }
    scan.tables = scan.tables.max(end);
}

fn hide(scan: &mut Scan<'_>, rule: &'static Rule, header: &Header, row: &[Range<usize>]) {
    for (column, kind) in &header.named {
        if let Some(cell) = row.get(*column) {
            offer(scan, rule, *kind, cell);
        }
    }
    let pair = header
        .pair
        .and_then(|(name, value)| row.get(name).zip(row.get(value)));
    if let Some((name, value)) = pair
        && let Some(kind) = names::kind(scan.bytes(name.clone()))
    {
        offer(scan, rule, kind, value);
    }
}

/// A password's cell holds nothing else, whatever it looks like; a token may be a word's.
fn offer(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, cell: &Range<usize>) {
    let sure = kind == Kind::Password;
    if is_moment(scan.bytes(cell.clone())) {
        return;
    }
    let place = if sure { Place::Text } else { Place::Code };
    super::offer(scan, rule, kind, Value::new(cell.clone(), sure), place);
}

/// `2026-11-30T10:11:12Z`: when a password was set, not what it is.
fn is_moment(cell: &[u8]) -> bool {
    let shape = |n: usize, b: &u8| match n {
        4 | 7 => *b == b'-' || *b == b'/',
        _ => b.is_ascii_digit(),
    };
    let date = cell.get(..10).unwrap_or(&[]);
    !date.is_empty() && date.iter().enumerate().all(|(n, b)| shape(n, b))
}
