//! Where a visible line is broken into rows.
//!
//! Pure. Breaks at spaces and beside wide characters; a word longer than a row is broken at a
//! cluster. Nothing is dropped at a break: the rows put together are the line. A space that does
//! not fit takes its word to the next row, so that rows begin with words.

use super::width::{clusters, width};
use std::ops::Range;

const JOINERS: [char; 2] = ['\u{200C}', '\u{200D}'];

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
    // No text has more columns than bytes.
    if line.len() <= columns {
        return;
    }
    let mut state = Row {
        limit: columns.max(1),
        used: 0,
        chance: None,
    };
    for unit in units(line, rest.max(1), solid) {
        while state.used > 0 && state.used + unit.columns > state.limit {
            let (at, before) = state.chance_or(unit.at);
            row(at);
            state = Row {
                limit: rest.max(1),
                used: state.used - before,
                chance: None,
            };
        }
        if unit.is_apart && state.used > 0 {
            state.chance = Some((unit.at, state.used));
        }
        state.used += unit.columns;
        if unit.ends_word || unit.is_apart {
            state.chance = Some((unit.end, state.used));
        }
    }
}

/// The row that is being filled.
struct Row {
    limit: usize,
    used: usize,
    /// The last place where the row may end: byte offset, columns before it.
    chance: Option<(usize, usize)>,
}

impl Row {
    /// Where the row ends, and its columns. A word that takes most of a row is broken, rather
    /// than leaving the row nearly empty.
    fn chance_or(&self, at: usize) -> (usize, usize) {
        match self.chance {
            Some((chance, before)) if before * 4 >= self.limit || chance == at => (chance, before),
            _ => (at, self.used),
        }
    }
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

fn units<'t>(
    line: &'t str,
    most: usize,
    solid: &'t [Range<usize>],
) -> impl Iterator<Item = Unit> + 't {
    let mut solid = solid.iter().filter(move |s| {
        let text = line.get(s.start..s.end).unwrap_or_default();
        width(text) <= most
    });
    let mut next = solid.next();
    let mut clusters = clusters(line).peekable();
    std::iter::from_fn(move || {
        let (at, cluster, columns) = clusters.next()?;
        let mut unit = Unit {
            at,
            end: at + cluster.len(),
            columns,
            ends_word: cluster == " ",
            is_apart: columns > 1,
        };
        // A joiner at the end of a row would join nothing.
        while line[..unit.end].ends_with(JOINERS) {
            let Some((at, cluster, columns)) = clusters.next() else {
                break;
            };
            unit.end = at + cluster.len();
            unit.columns += columns;
        }
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
        fn rows_are_the_line_and_fit(line in "([a-z]{1,12} {0,3}|[日本👩é\u{301}🇫🇷])*", columns in 2usize..40) {
            let rows = rows(&line, columns);
            prop_assert!(rows.iter().all(|row| width(row) <= columns), "{:?}", rows);
            prop_assert!(line.is_empty() || rows.iter().all(|row| !row.is_empty()));
            prop_assert_eq!(rows.concat(), line);
        }
    }
}
