//! What a change does to an entry, as rows of pieces: removed and added lines, changed words marked.
//!
//! Pure: values out, no colours, no terminal. Compares the raw text, so that a hidden character is
//! a difference; whoever paints a piece passes it through [`crate::text::visible`].

use super::words;
use similar::{Algorithm, DiffOp, DiffTag, TextDiff};
use std::time::{Duration, Instant};

/// How long lines may be compared before the rest is shown as one replacement.
const LINES_WITHIN: Duration = Duration::from_millis(500);
/// How long words may be compared; lines beyond it carry no marked words.
const WORDS_WITHIN: Duration = Duration::from_millis(50);

/// Which side a row stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// On both.
    Same,
    /// Only in the old text.
    Removed,
    /// Only in the new text.
    Added,
}

impl Side {
    /// The mark in front of the row: ` `, `-` or `+`.
    #[must_use]
    pub fn mark(self) -> char {
        match self {
            Side::Same => ' ',
            Side::Removed => '-',
            Side::Added => '+',
        }
    }
}

/// A part of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its raw text, without line feeds.
    pub text: String,
    /// Whether it is one of the changed words of a line that is otherwise alike.
    pub changed: bool,
}

/// One line of the old or the new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Which side.
    pub side: Side,
    /// The line, in order.
    pub pieces: Vec<Piece>,
}

impl Row {
    /// The line's raw text.
    #[must_use]
    pub fn text(&self) -> String {
        self.pieces.iter().map(|p| p.text.as_str()).collect()
    }
}

/// A comparison of two texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// Every line of both, in reading order.
    pub rows: Vec<Row>,
    /// Comparing took too long: what is shown as replaced may be alike.
    pub cut_short: bool,
}

/// Compares an entry's old text with its new one. An empty text has no lines.
#[must_use]
pub fn compare(old: &str, new: &str) -> Diff {
    let (before, after) = (lines(old), lines(new));
    let started = Instant::now();
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .timeout(LINES_WITHIN)
        .diff_slices(&before, &after);
    let cut_short = started.elapsed() >= LINES_WITHIN;
    let words_until = Instant::now() + WORDS_WITHIN;
    let mut rows = Vec::with_capacity(before.len().max(after.len()));
    for op in diff.ops() {
        push(&before, &after, op, words_until, &mut rows);
    }
    Diff { rows, cut_short }
}

/// A line feed is the only end of a line: a carriage return is content, and is shown.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn push(before: &[&str], after: &[&str], op: &DiffOp, words_until: Instant, rows: &mut Vec<Row>) {
    let old = before.get(op.old_range()).unwrap_or_default();
    let new = after.get(op.new_range()).unwrap_or_default();
    if op.tag() == DiffTag::Equal {
        return rows.extend(whole(Side::Same, old));
    }
    let marked = match op.tag() {
        DiffTag::Replace => words::mark(old, new, words_until),
        _ => None,
    };
    match marked {
        Some((old, new)) => {
            rows.extend(old.into_iter().map(|pieces| Row {
                side: Side::Removed,
                pieces,
            }));
            rows.extend(new.into_iter().map(|pieces| Row {
                side: Side::Added,
                pieces,
            }));
        }
        None => {
            rows.extend(whole(Side::Removed, old));
            rows.extend(whole(Side::Added, new));
        }
    }
}

/// Lines without marked words.
fn whole(side: Side, lines: &[&str]) -> impl Iterator<Item = Row> {
    lines.iter().map(move |line| {
        let text = line.strip_suffix('\n').unwrap_or(line);
        let piece = (!text.is_empty()).then(|| Piece {
            text: text.to_owned(),
            changed: false,
        });
        Row {
            side,
            pieces: piece.into_iter().collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A diff as a reader without colours sees it.
    fn drawn(old: &str, new: &str) -> Vec<String> {
        let row = |row: &Row| {
            let pieces = row.pieces.iter().map(|p| match (p.changed, row.side) {
                (true, Side::Removed) => format!("[-{}-]", p.text),
                (true, _) => format!("{{+{}+}}", p.text),
                _ => p.text.clone(),
            });
            format!("{} {}", row.side.mark(), pieces.collect::<String>())
        };
        compare(old, new).rows.iter().map(row).collect()
    }

    #[test]
    fn the_changed_word_of_a_line_is_marked_and_the_rest_stands() {
        assert_eq!(
            drawn(
                "- Retries: 5 attempts, then the job is parked.\n  With jitter.",
                "- Retries: 3 attempts, then the job is parked.\n  With jitter."
            ),
            [
                "- - Retries: [-5-] attempts, then the job is parked.",
                "+ - Retries: {+3+} attempts, then the job is parked.",
                "    With jitter."
            ]
        );
    }

    #[test]
    fn several_edits_in_one_long_line_are_each_marked() {
        let filler = "and the paragraph goes on with the same words for long ".repeat(30);
        let old = format!("always {filler} port 500 {filler} a == b {filler}");
        let new = format!("never {filler} port 5000 {filler} a != b {filler}");
        let added = &drawn(&old, &new)[1];
        for word in ["{+never+}", "{+5000+}", "{+!=+}"] {
            assert!(added.contains(word), "{word} in {added}");
        }
    }

    #[test]
    fn a_word_a_number_and_an_operator_are_replaced_whole() {
        for (old, new) in [
            ("==", "!="),
            ("=", "=="),
            ("<", "<="),
            ("&&", "||"),
            ("->", "=>"),
            ("500", "5000"),
            ("500", "-500"),
            ("-1", "-2"),
            ("0.5", "0.75"),
            ("25,000", "25,001"),
            ("v1.2", "v1.3"),
            ("1.2.3", "1.2.4"),
            ("never", "always"),
            ("don't", "doesn't"),
            ("max_rows", "max_row"),
            ("Größe", "Große"),
        ] {
            let line = |word: &str| format!("- In `x` it is a {word} b, in all of the files.");
            assert_eq!(
                drawn(&line(old), &line(new)),
                [
                    format!("- {}", line(&format!("[-{old}-]"))),
                    format!("+ {}", line(&format!("{{+{new}+}}"))),
                ]
            );
        }
    }

    #[test]
    fn new_and_removed_texts_are_whole_rows() {
        assert_eq!(drawn("", "a\n\nb"), ["+ a", "+ ", "+ b"]);
        assert_eq!(drawn("a\nb", ""), ["- a", "- b"]);
        assert_eq!(drawn("", ""), Vec::<String>::new());
    }

    #[test]
    fn a_hidden_difference_is_a_difference() {
        assert_eq!(drawn("a b", "a\u{200B} b").len(), 2);
        assert_eq!(drawn("a<U+202E RLO>", "a\u{202E}").len(), 2);
        assert_eq!(drawn("one\rtwo", "one\rtwo"), ["  one\rtwo"]);
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(old in "([a-c \r\u{200b}日]{0,6}\n?){0,5}", new in "([a-c \r\u{200b}日]{0,6}\n?){0,5}") {
            let rows = compare(&old, &new).rows;
            let side = |other: Side| rows.iter().filter(|r| r.side != other).map(Row::text).collect::<Vec<_>>();
            let plain = |t: &str| lines(t).iter().map(|l| l.trim_end_matches('\n').to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(side(Side::Added), plain(&old));
            prop_assert_eq!(side(Side::Removed), plain(&new));
        }
    }
}
