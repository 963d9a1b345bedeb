//! Rows of tables as tools print them: between bars, tabs, or gaps of blanks.

use std::ops::Range;

/// The cells of a row: between bars, tabs, or gaps of two blanks and more.
pub(super) fn cells(line: &[u8]) -> Vec<Range<usize>> {
    let barred = memchr::memchr(b'|', line).is_some()
        || memchr::memmem::find(line, b"\xe2\x94\x82").is_some();
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    let mut close = |from: usize, to: usize| {
        let cell = line.get(from..to).unwrap_or(&[]);
        let before = cell.len() - cell.trim_ascii_start().len();
        let body = cell.trim_ascii();
        if !body.is_empty() {
            found.push(from + before..from + before + body.len());
        }
    };
    while at < line.len() {
        let rest = line.get(at..).unwrap_or(&[]);
        let len = match rest {
            [b'|', ..] if barred => 1,
            [0xe2, 0x94 | 0x95, _, ..] => 3,
            [b'\t', ..] => 1,
            [b' ', b' ', ..] if !barred => rest.iter().take_while(|b| **b == b' ').count(),
            _ => {
                at += 1;
                continue;
            }
        };
        close(start, at);
        at += len;
        start = at;
    }
    close(start, line.len());
    found
}

/// Whether a row heads a table, and which of its cells the value's is.
pub(super) fn header(line: &[u8], row: &[Range<usize>]) -> Option<Option<usize>> {
    const NAMES: [&str; 8] = [
        "name",
        "key",
        "field",
        "variable",
        "secret name",
        "namespace",
        "id",
        "property",
    ];
    const VALUES: [&str; 5] = [
        "value",
        "secret value",
        "values",
        "raw value",
        "current value",
    ];
    let cells: Vec<_> = row
        .iter()
        .map(|range| {
            let text = String::from_utf8_lossy(line.get(range.clone()).unwrap_or(&[]));
            text.to_ascii_lowercase()
        })
        .collect();
    let heads = cells.iter().any(|cell| NAMES.contains(&cell.as_str()));
    let value = cells
        .iter()
        .position(|cell| VALUES.contains(&cell.as_str()));
    let capitals = line
        .iter()
        .all(|b| !b.is_ascii_lowercase() && !b.is_ascii_digit());
    (heads && (value.is_some() || capitals)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_apart_and_a_header_says_which_cell_is_the_value() {
        for (row, expected) in [
            ("│ NAME │ VALUE x │", ["NAME", "VALUE x"]),
            ("| a b | c |", ["a b", "c"]),
            ("a b    c", ["a b", "c"]),
            ("a\tc", ["a", "c"]),
        ] {
            let all: Vec<_> = cells(row.as_bytes()).into_iter().map(|r| &row[r]).collect();
            assert_eq!(all, expected, "{row}");
        }
        let head = |line: &str| header(line.as_bytes(), &cells(line.as_bytes()));
        assert_eq!(head("Key   Value"), Some(Some(1)));
        assert_eq!(head("NAME   DIGEST   CREATED AT"), Some(None));
        assert_eq!(head("stall   kranich"), None);
    }
}
