//! Rows that a statement puts into a table: `INSERT INTO t (id, password) VALUES (1, '…'), (2, '…')`.
//!
//! A statement is read once, at the first of its columns that names a secret.

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::cells::{self, Sep};
use super::fields;
use super::names::{self, Kind};
use super::reading::Value;
use super::written::Place;
use std::ops::Range;

/// How far its columns' parentheses stand from a name at most, in bytes.
const COLUMNS: usize = 2048;
/// The longest row beside its strings, in bytes.
const ROW: usize = 1024;

/// Hides the secrets of the rows below a column's name; `false` if it is none of a statement.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, name: &Range<usize>) -> bool {
    let text = scan.text;
    if name.start < scan.tables || !ends_column(text, name.end) {
        return false;
    }
    let Some((columns, rows)) = statement(text, name) else {
        return false;
    };
    scan.tables = columns.end;
    let all = cells::cells(text, columns, Sep::Comma);
    let kind = |column: &Range<usize>| names::kind(text.get(column.clone())?);
    let kinds: Vec<Option<Kind>> = all.iter().map(kind).collect();
    let mut at = rows;
    while let Some(row) = row(text, at) {
        for (cell, kind) in row.cells.iter().zip(&kinds) {
            if let (Some(cell), Some(kind)) = (cell, kind) {
                let found = Value::new(cell.clone(), true);
                super::offer(scan, rule, *kind, found, Place::Text);
            }
        }
        let comma = fields::space(text, row.end);
        if text.get(comma) != Some(&b',') {
            break;
        }
        at = comma + 1;
    }
    true
}

/// Whether a column's name may end here.
fn ends_column(text: &[u8], at: usize) -> bool {
    let quoted = matches!(text.get(at), Some(b'"' | b'`' | b']' | b'\''));
    let after = fields::space(text, at + usize::from(quoted));
    matches!(text.get(after), Some(b',' | b')'))
}

/// The columns around a name, and where the rows begin.
fn statement(text: &[u8], name: &Range<usize>) -> Option<(Range<usize>, usize)> {
    let from = name.start.saturating_sub(COLUMNS);
    let open = memchr::memrchr2(b'(', b')', text.get(from..name.start)?)?;
    let open = (text.get(from + open) == Some(&b'(')).then_some(from + open + 1)?;
    let rest = text.get(name.end..)?;
    let rest = rest.get(..COLUMNS).unwrap_or(rest);
    let close = name.end + memchr::memchr2(b'(', b')', rest)?;
    let after = fields::space(text, close + 1);
    let word = text.get(after..after + b"VALUES".len())?;
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b" _\"`'[].,\r\n\t".contains(b);
    let columns = text.get(open..close)?.iter().all(plain);
    let fits = columns && word.eq_ignore_ascii_case(b"VALUES") && text.get(close) == Some(&b')');
    fits.then_some((open..close, after + word.len()))
}

/// The cells of a row, each if it is a string, and where the row ends.
struct Row {
    cells: Vec<Option<Range<usize>>>,
    end: usize,
}

/// The row that begins here, in parentheses.
fn row(text: &[u8], at: usize) -> Option<Row> {
    let open = fields::space(text, at);
    (text.get(open) == Some(&b'(')).then_some(())?;
    let (mut at, mut depth) = (open + 1, 0_usize);
    let mut cells = vec![None];
    for _ in 0..ROW {
        match text.get(at)? {
            quote @ (b'\'' | b'"') => {
                let end = string(text, at + 1, *quote)?;
                if let Some(cell) = cells.last_mut().filter(|_| depth == 0) {
                    *cell = Some(at + 1..end);
                }
                at = end;
            }
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(Row { cells, end: at + 1 }),
            b')' => depth -= 1,
            b',' if depth == 0 => cells.push(None),
            b';' => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the string ends that begins here; a quote in it is doubled or escaped.
fn string(text: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr2(quote, b'\\', text.get(at..)?)?;
        let doubled = text.get(at) == Some(&b'\\') || text.get(at + 1) == Some(&quote);
        if !doubled {
            return Some(at);
        }
        at += 2;
    }
}
