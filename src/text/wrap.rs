//! Where a visible line is broken into rows.
//!
//! Pure. Breaks at spaces and beside wide characters; a word longer than a row is broken at a
//! cluster. Nothing is dropped at a break: the rows put together are the line. A space that does
//! not fit takes its word to the next row, so that rows begin with words.

use super::width::{clusters, width};
use std::ops::Range;

/// The byte offsets at which the rows of a line begin; the first is 0. Every row has at most
/// `columns` columns, but for a wide character at one column, which is a row of its own.
#[must_use]
pub fn wrap(line: &str, columns: usize) -> Vec<usize> {
    let mut starts = Vec::new();
    wrap_into(line, columns, columns, &[], |at| starts.push(at));
    starts
}

/// As [`wrap`]: rows after the first have `rest` columns, and the ranges of `solid` (in order) are
/// not broken where one fits into a row. Each row's start is handed to `row`.
pub fn wrap_into(
    line: &str,
    columns: usize,
    rest: usize,
    solid: &[Range<usize>],
    mut row: impl FnMut(usize),
) {
    row(0);
    let is_ascii = line.len() > columns && line.is_ascii() && solid.is_empty();
    let (mut at, mut limit) = (0, columns.max(1));
    // No text has more columns than bytes.
    while line.len() - at > limit {
        let end = if is_ascii {
            Some(ascii_row(line, at, limit))
        } else {
            row_end(line, at, limit, solid)
        };
        let Some(end) = end else { return };
        row(end);
        (at, limit) = (end, rest.max(1));
    }
}

/// Where a row of a longer line ends. The rest is wider than `limit`.
fn ascii_row(line: &str, at: usize, limit: usize) -> usize {
    let row = line.as_bytes().get(at..at + limit).unwrap_or_default();
    match memchr::memrchr(b' ', row).map(|space| space + 1) {
        Some(before) if is_worth(before, limit) => at + before,
        _ => at + limit,
    }
}

/// Whether a row may end after so many columns. A word that takes most of a row is broken, rather
/// than leaving the row nearly empty.
fn is_worth(before: usize, limit: usize) -> bool {
    before * 4 >= limit
}

/// Where the row that begins at `at` ends, if the line goes on after it.
fn row_end(line: &str, at: usize, limit: usize, solid: &[Range<usize>]) -> Option<usize> {
    let mut used = 0;
    // The last place where the row may end, and the columns before it.
    let mut chance = None;
    for unit in units(line, at, limit, solid) {
        if used > 0 && used + unit.columns > limit {
            let (end, before) = chance.unwrap_or((unit.at, limit));
            let end = if is_worth(before, limit) {
                end
            } else {
                unit.at
            };
            return Some(end);
        }
        if unit.is_apart && used > 0 {
            chance = Some((unit.at, used));
        }
        used += unit.columns;
        if unit.ends_word || unit.is_apart {
            chance = Some((unit.end, used));
        }
    }
    None
}

/// What is never broken: a cluster, or a solid range.
struct Unit {
    at: usize,
    end: usize,
    columns: usize,
    /// A row may end after it.
    ends_word: bool,
    /// A row may end before it and after it.
    is_apart: bool,
}

/// The units from `from` on; a solid range wider than `most` is its clusters.
fn units<'t>(
    line: &'t str,
    from: usize,
    most: usize,
    solid: &'t [Range<usize>],
) -> impl Iterator<Item = Unit> + 't {
    let solid = &solid[solid.partition_point(|s| s.end <= from)..];
    let mut solid = solid.iter().filter(move |s| {
        let text = line.get(s.start..s.end).unwrap_or_default();
        s.start >= from && width(text) <= most
    });
    let mut next = solid.next();
    let rest = line.get(from..).unwrap_or_default();
    let mut clusters = clusters(rest)
        .map(move |(at, cluster, columns)| (from + at, cluster, columns))
        .peekable();
    std::iter::from_fn(move || {
        let (at, cluster, columns) = clusters.next()?;
        let mut unit = Unit {
            at,
            end: at + cluster.len(),
            columns,
            ends_word: cluster == " ",
            is_apart: columns > 1,
        };
        while next.is_some_and(|s| s.end <= at) {
            next = solid.next();
        }
        if let Some(whole) = next.filter(|s| s.start <= at) {
            while let Some((at, cluster, columns)) = clusters.next_if(|(at, ..)| *at < whole.end) {
                unit.end = at + cluster.len();
                unit.columns += columns;
            }
            (unit.ends_word, unit.is_apart) = (false, true);
        }
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(line: &str, columns: usize) -> Vec<&str> {
        let starts = wrap(line, columns);
        let ends = starts.iter().skip(1).copied().chain([line.len()]);
        starts.iter().zip(ends).map(|(&a, b)| &line[a..b]).collect()
    }

    #[test]
    fn rows_break_at_words_and_long_words_at_clusters() {
        assert_eq!(rows("", 5), [""]);
        assert_eq!(rows("one two three", 8), ["one two ", "three"]);
        assert_eq!(rows("one two three", 7), ["one ", "two ", "three"]);
        assert_eq!(rows("one two", 7), ["one two"]);
        assert_eq!(rows("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(rows("- abcdefghijkl", 9), ["- abcdefg", "hijkl"]);
        assert_eq!(rows("see abcdefghij", 8), ["see ", "abcdefgh", "ij"]);
        assert_eq!(rows("日本語", 3), ["日", "本", "語"]);
        assert_eq!(rows("日本語", 1), ["日", "本", "語"]);
        assert_eq!(rows("ab漢字", 5), ["ab漢", "字"]);
    }

    #[test]
    fn a_solid_range_is_whole_where_it_fits() {
        let line = "ab<U+202E RLO>cd";
        let solid = 2..14;
        let at = |columns| {
            let mut out = Vec::new();
            wrap_into(line, columns, columns, std::slice::from_ref(&solid), |at| {
                out.push(at);
            });
            out
        };
        assert_eq!(at(12), [0, 2, 14]);
        assert_eq!(at(14), [0, 14]);
        assert_eq!(at(8), [0, 8]);
    }

    #[test]
    fn wide_and_joined_characters_are_whole_at_every_offset_of_the_edge() {
        for what in ["日本語のテキスト", "👩‍👩‍👧‍👦", "🇫🇷", "e\u{301}"]
        {
            for offset in 0..80 {
                let line = format!("{}{}", "x".repeat(offset), what.repeat(60));
                for row in rows(&line, 80) {
                    assert!(width(row) <= 80, "{row:?}");
                    let cut = clusters(row).all(|(_, c, _)| line.contains(c) && c != "\u{301}");
                    assert!(cut && !row.starts_with('\u{200D}'), "{row:?}");
                }
                assert_eq!(rows(&line, 80).concat(), line);
            }
        }
    }

    proptest! {
        #[test]
        fn both_ways_break_alike(line in "([a-z]{1,24} {0,3}){0,12}", limit in 1usize..30) {
            let end = row_end(&line, 0, limit, &[]);
            let ours = (line.len() > limit).then(|| ascii_row(&line, 0, limit));
            prop_assert_eq!(end, ours);
        }

        #[test]
        fn later_rows_fit_their_own_columns(line in "([a-z]{1,24} {0,2}|[日👩])*", columns in 3usize..40, hang in 0usize..13) {
            let rest = columns - hang.min(columns / 3);
            let mut starts = Vec::new();
            wrap_into(&line, columns, rest, &[], |at| starts.push(at));
            starts.push(line.len());
            let rows: Vec<&str> = starts.windows(2).map(|w| &line[w[0]..w[1]]).collect();
            prop_assert!(width(rows[0]) <= columns, "{:?}", rows);
            prop_assert!(rows[1..].iter().all(|row| width(row) <= rest), "{:?}", rows);
            prop_assert_eq!(rows.concat(), line);
        }

        #[test]
        fn rows_are_the_line_and_fit(line in "([a-z]{1,12} {0,3}|[日本👩é\u{301}🇫🇷])*", columns in 2usize..40) {
            let rows = rows(&line, columns);
            prop_assert!(rows.iter().all(|row| width(row) <= columns), "{:?}", rows);
            prop_assert!(line.is_empty() || rows.iter().all(|row| !row.is_empty()));
            prop_assert_eq!(rows.concat(), line);
        }
    }
}
