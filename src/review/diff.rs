//! What a change does to an entry: which lines stay, go and come, and on request which words.
//!
//! Pure: values out, no colours, no terminal. Compares the raw text, so that a hidden character is
//! a difference; whoever paints a piece passes it through [`crate::text::visible`]. Keeps the two
//! texts and the ranges of lines that differ; words are compared for the lines that are looked at.

use super::words::{self, Marked};
use similar::{Algorithm, DiffTag, TextDiff};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long lines may be compared before the rest is shown as one replacement.
const LINES_WITHIN: Duration = Duration::from_millis(500);
/// How long the words of one block may be compared; what was not reached is marked as changed.
const WORDS_WITHIN: Duration = Duration::from_millis(50);
/// A replaced block of no more lines (of both texts) and bytes is compared as a whole.
const WHOLE_LINES: usize = 200;
const WHOLE_BYTES: usize = 64 << 10;
/// A larger one is compared in parts of so many lines of each text, the first with the first.
const PART_LINES: usize = 20;

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

/// A text and where its lines are. A line feed is the only end of a line: a carriage return is
/// content, and is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    text: Arc<str>,
    /// The byte after each line's line feed.
    ends: Vec<usize>,
}

impl Lines {
    /// The lines of a text; an empty text has none.
    #[must_use]
    pub fn new(text: Arc<str>) -> Self {
        let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes())
            .map(|at| at + 1)
            .collect();
        if ends.last().copied().unwrap_or(0) < text.len() {
            ends.push(text.len());
        }
        Self { text, ends }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A line without its line feed; empty where there is no such line.
    #[must_use]
    pub fn get(&self, n: usize) -> &str {
        let line = self.text.get(self.bytes(&(n..n + 1))).unwrap_or_default();
        line.strip_suffix('\n').unwrap_or(line)
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of a range of lines, line feeds and all.
    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let end = |n: usize| match n.checked_sub(1) {
            Some(last) => self.ends.get(last).copied().unwrap_or(self.text.len()),
            None => 0,
        };
        end(lines.start)..end(lines.end)
    }

    fn some(&self, lines: &Range<usize>) -> Vec<&str> {
        lines.clone().map(|n| self.get(n)).collect()
    }
}

/// What happens to a block of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stands in both texts.
    Same,
    /// It goes.
    Removed,
    /// It comes.
    Added,
    /// It becomes another one.
    Replaced,
}

/// A block of lines that share their fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What happens to it.
    pub fate: Fate,
    /// Its lines in the old text, by number from 0.
    pub old: Range<usize>,
    /// Its lines in the new text.
    pub new: Range<usize>,
}

/// A comparison of two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The text before.
    pub old: Lines,
    /// The text after.
    pub new: Lines,
    /// Every line of both, in reading order.
    pub blocks: Vec<Block>,
    /// Comparing took too long: what is shown as replaced may be alike.
    pub cut_short: bool,
}

/// Compares an entry's old text with its new one. An empty text has no lines.
#[must_use]
pub fn compare(old: &str, new: &str) -> Diff {
    compare_lines(Lines::new(Arc::from(old)), Lines::new(Arc::from(new)))
}

/// As [`compare`], of texts that are at hand as lines.
#[must_use]
pub fn compare_lines(old: Lines, new: Lines) -> Diff {
    let started = Instant::now();
    let blocks = {
        let before: Vec<&str> = old.text.split_inclusive('\n').collect();
        let after: Vec<&str> = new.text.split_inclusive('\n').collect();
        let diff = TextDiff::configure()
            .algorithm(Algorithm::Patience)
            .timeout(LINES_WITHIN)
            .diff_slices(&before, &after);
        let block = |op: &similar::DiffOp| Block {
            fate: match op.tag() {
                DiffTag::Equal => Fate::Same,
                DiffTag::Delete => Fate::Removed,
                DiffTag::Insert => Fate::Added,
                DiffTag::Replace => Fate::Replaced,
            },
            old: op.old_range(),
            new: op.new_range(),
        };
        diff.ops().iter().map(block).collect()
    };
    Diff {
        old,
        new,
        blocks,
        cut_short: started.elapsed() >= LINES_WITHIN,
    }
}

impl Diff {
    /// Every line of both texts, in reading order, changed words marked.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.blocks.iter().flat_map(|block| self.block_rows(block))
    }

    fn block_rows(&self, block: &Block) -> Vec<Row> {
        let plain = |side: Side, lines: &Lines, range: &Range<usize>| -> Vec<Row> {
            range
                .clone()
                .map(|n| row(side, lines.get(n), &[]))
                .collect()
        };
        match block.fate {
            Fate::Same => plain(Side::Same, &self.old, &block.old),
            Fate::Removed => plain(Side::Removed, &self.old, &block.old),
            Fate::Added => plain(Side::Added, &self.new, &block.new),
            Fate::Replaced => {
                let parts: Vec<_> = (0..self.parts(block))
                    .map(|n| self.part(block, n))
                    .collect();
                let marked: Vec<_> = parts.iter().map(|part| self.marked(part)).collect();
                let (mut removed, mut added) = (Vec::new(), Vec::new());
                for (part, marked) in parts.iter().zip(&marked) {
                    let spans = |lines: Option<&words::Spans>| lines.cloned().unwrap_or_default();
                    for (i, n) in part.old.clone().enumerate() {
                        let spans = spans(marked.as_ref().and_then(|m| m.old.get(i)));
                        removed.push(row(Side::Removed, self.old.get(n), &spans));
                    }
                    for (i, n) in part.new.clone().enumerate() {
                        let spans = spans(marked.as_ref().and_then(|m| m.new.get(i)));
                        added.push(row(Side::Added, self.new.get(n), &spans));
                    }
                }
                removed.append(&mut added);
                removed
            }
        }
    }

    /// In how many parts the words of a replaced block are compared.
    #[must_use]
    pub fn parts(&self, block: &Block) -> usize {
        let lines = block.old.len().max(block.new.len());
        lines.div_ceil(self.part_lines(block))
    }

    /// Which part of its block a line stands in; `n` counts from the block's first line.
    #[must_use]
    pub fn part_of(&self, block: &Block, n: usize) -> usize {
        n / self.part_lines(block)
    }

    fn part_lines(&self, block: &Block) -> usize {
        let bytes = self.old.bytes(&block.old).len() + self.new.bytes(&block.new).len();
        if block.old.len() + block.new.len() <= WHOLE_LINES && bytes <= WHOLE_BYTES {
            WHOLE_LINES
        } else {
            PART_LINES
        }
    }

    /// A part of a replaced block, as a block.
    #[must_use]
    pub fn part(&self, block: &Block, n: usize) -> Block {
        let lines = self.part_lines(block);
        let cut = |range: &Range<usize>| {
            let start = range.end.min(range.start + n * lines);
            start..range.end.min(start + lines)
        };
        Block {
            fate: block.fate,
            old: cut(&block.old),
            new: cut(&block.new),
        }
    }

    /// The changed words of a block, line by line; none when its two sides have too little in
    /// common. Takes up to 50 ms: for what is looked at.
    #[must_use]
    pub fn marked(&self, block: &Block) -> Option<Marked> {
        if block.old.is_empty() || block.new.is_empty() {
            return None;
        }
        let (old, new) = (self.old.some(&block.old), self.new.some(&block.new));
        words::mark(&old, &new, Instant::now() + WORDS_WITHIN)
    }
}

/// A line cut into pieces at its changed words.
fn row(side: Side, line: &str, changed: &[Range<usize>]) -> Row {
    let mut pieces = Vec::new();
    let mut push = |range: Range<usize>, changed: bool| {
        if !range.is_empty() {
            let text = line.get(range).unwrap_or_default().to_owned();
            pieces.push(Piece { text, changed });
        }
    };
    let mut from = 0;
    for span in changed {
        push(from..span.start, false);
        push(span.clone(), true);
        from = span.end;
    }
    push(from..line.len(), false);
    Row { side, pieces }
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
        compare(old, new).rows().map(|r| row(&r)).collect()
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

    #[test]
    fn a_large_block_is_compared_in_parts() {
        let text = |word: &str| {
            (0..500).fold(String::new(), |all, n| {
                all + &format!("line {n} says {word} and goes on as before\n")
            })
        };
        let diff = compare(&text("old"), &text("new"));
        let [block] = diff.blocks.as_slice() else {
            panic!("{:?}", diff.blocks)
        };
        assert_eq!((diff.parts(block), diff.part_of(block, 499)), (25, 24));
        let last = diff.part(block, 24);
        assert_eq!((last.old.clone(), last.new.clone()), (480..500, 480..500));
        let marked = diff.marked(&last).unwrap();
        let words = |(line, spans): (&str, &Vec<Range<usize>>)| line[spans[0].clone()].to_owned();
        assert_eq!(words((diff.old.get(499), &marked.old[19])), "old");
        assert_eq!(words((diff.new.get(480), &marked.new[0])), "new");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(old in "([a-c \r\u{200b}日]{0,6}\n?){0,5}", new in "([a-c \r\u{200b}日]{0,6}\n?){0,5}") {
            let rows: Vec<Row> = compare(&old, &new).rows().collect();
            let side = |other: Side| rows.iter().filter(|r| r.side != other).map(Row::text).collect::<Vec<_>>();
            let plain = |t: &str| t.split_inclusive('\n').map(|l| l.trim_end_matches('\n').to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(side(Side::Added), plain(&old));
            prop_assert_eq!(side(Side::Removed), plain(&new));
        }
    }
}
