//! Which words of replaced lines changed.
//!
//! Pure. What a reader takes in at once is one word: a name, a number with its sign and point, an
//! operator of several characters. None is ever marked in part.

use similar::{Algorithm, DiffTag, DiffableStr, TextDiff};
use std::ops::Range;
use std::time::Instant;

/// Lines less alike than this carry no marked words.
const ALIKE: f32 = 0.3;
/// What operators and marks of several characters are made of: `!=`, `->`, `&&`, `**`.
const OPERATORS: &str = "=!<>+-*/%&|^~:?.";

/// The changed words of a line: byte ranges, in order, none beside another.
pub type Spans = Vec<Range<usize>>;

/// The changed words of some lines that became others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    /// By line of the old ones.
    pub old: Vec<Spans>,
    /// By line of the new ones.
    pub new: Vec<Spans>,
}

/// The changed words of old lines (without line feeds) and of new ones; none when they have too
/// little in common. A line of which no word stays has no marks. Comparing ends at `until`: what was not reached is marked as changed.
pub(super) fn mark(old: &[&str], new: &[&str], until: Instant) -> Option<Marked> {
    let (before, after) = (tokens_of(old), tokens_of(new));
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .deadline(until)
        .diff_slices(&before, &after);
    if diff.ratio() < ALIKE {
        return None;
    }
    let (mut removed, mut added) = (Side::new(&before), Side::new(&after));
    for op in diff.ops() {
        let changed = op.tag() != DiffTag::Equal;
        removed.push(op.old_range(), changed);
        added.push(op.new_range(), changed);
    }
    // Each line ended with a line feed of its own.
    removed.lines.pop();
    added.lines.pop();
    let mut marked = Marked {
        old: removed.lines,
        new: added.lines,
    };
    let clear = |lines: &mut [Spans], texts: &[&str]| {
        for (spans, line) in lines.iter_mut().zip(texts) {
            if is_another(line, spans) {
                spans.clear();
            }
        }
    };
    clear(&mut marked.old, old);
    clear(&mut marked.new, new);
    let is_marked = |lines: &[Spans]| lines.iter().any(|spans| !spans.is_empty());
    (is_marked(&marked.old) || is_marked(&marked.new)).then_some(marked)
}

/// Whether no word of a line stays: it is another line, and nothing in it stands out.
fn is_another(line: &str, changed: &[Range<usize>]) -> bool {
    let ends = changed.iter().map(|span| span.end);
    let starts = changed.iter().map(|span| span.start);
    let stays = [0].into_iter().chain(ends).zip(starts.chain([line.len()]));
    !stays.into_iter().any(|(from, to)| {
        let text = line.get(from..to).unwrap_or_default();
        text.contains(char::is_alphanumeric)
    })
}

/// The spans of one side, as they are found.
struct Side<'a> {
    tokens: &'a [&'a str],
    lines: Vec<Spans>,
    /// The byte of the line that is reached.
    at: usize,
}

impl<'a> Side<'a> {
    fn new(tokens: &'a [&'a str]) -> Self {
        Self {
            tokens,
            lines: vec![Vec::new()],
            at: 0,
        }
    }

    fn push(&mut self, range: Range<usize>, changed: bool) {
        for token in self.tokens.get(range).unwrap_or_default() {
            if *token == "\n" {
                self.lines.push(Vec::new());
                self.at = 0;
                continue;
            }
            let end = self.at + token.len();
            if let Some(line) = self.lines.last_mut().filter(|_| changed) {
                match line.last_mut() {
                    Some(last) if last.end == self.at => last.end = end,
                    _ => line.push(self.at..end),
                }
            }
            self.at = end;
        }
    }
}

/// The words of lines, a line feed after each line.
fn tokens_of<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let mut out = Vec::new();
    for line in lines {
        out.append(&mut tokens(line));
        out.push("\n");
    }
    out
}

/// A line cut into words, white space and the rest.
fn tokens(line: &str) -> Vec<&str> {
    let (mut out, mut from, mut at) = (Vec::new(), 0, 0);
    for part in line.tokenize_unicode_words() {
        if at > from && !belongs(&line[..from], &line[from..at], part) {
            out.push(&line[from..at]);
            from = at;
        }
        at += part.len();
    }
    if at > from {
        out.push(&line[from..at]);
    }
    out
}

/// Whether a part makes one word with the token before it: operators do, and a sign with its
/// number.
fn belongs(before: &str, token: &str, part: &str) -> bool {
    let is_operator = |text: &str| text.chars().all(|c| OPERATORS.contains(c));
    let signs = matches!(token, "-" | "+") && !before.ends_with(char::is_alphanumeric);
    let is_number = part.starts_with(|c: char| c.is_ascii_digit());
    (is_operator(token) && is_operator(part)) || (signs && is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_a_reader_would() {
        assert_eq!(
            tokens("if a!=-1 && v1.2<=x-5: -3"),
            [
                "if", " ", "a", "!=-", "1", " ", "&&", " ", "v1.2", "<=", "x", "-", "5", ":", " ",
                "-3"
            ]
        );
        assert_eq!(tokens(""), Vec::<&str>::new());
    }
}
