//! Which words of replaced lines changed.
//!
//! Pure. What a reader takes in at once is one word: a name, a number with its sign and point, an
//! operator of several characters. None is ever marked in part.

use super::diff::Piece;
use similar::{Algorithm, DiffTag, DiffableStr, TextDiff};
use std::ops::Range;
use std::time::Instant;

/// Lines less alike than this carry no marked words.
const ALIKE: f32 = 0.3;
/// What operators and marks of several characters are made of: `!=`, `->`, `&&`, `**`.
const OPERATORS: &str = "=!<>+-*/%&|^~:?.";

/// Some lines, each as its pieces.
pub(super) type Lines = Vec<Vec<Piece>>;

/// The old lines and the new ones with their changed words marked; none when they have too little
/// in common. Comparing ends at `until`: what was not reached is marked as changed.
pub(super) fn mark(old: &[&str], new: &[&str], until: Instant) -> Option<(Lines, Lines)> {
    let (before, after) = (tokens_of(old), tokens_of(new));
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .deadline(until)
        .diff_slices(&before, &after);
    if diff.ratio() < ALIKE {
        return None;
    }
    let mut lines = (vec![Vec::new()], vec![Vec::new()]);
    for op in diff.ops() {
        let changed = op.tag() != DiffTag::Equal;
        push(&mut lines.0, &before, op.old_range(), changed);
        push(&mut lines.1, &after, op.new_range(), changed);
    }
    // Each line ended with a line feed of its own.
    lines.0.pop();
    lines.1.pop();
    Some(lines)
}

fn push(lines: &mut Lines, tokens: &[&str], range: Range<usize>, changed: bool) {
    for &token in tokens.get(range).unwrap_or_default() {
        let Some(line) = lines.last_mut() else { return };
        match line.last_mut() {
            _ if token == "\n" => lines.push(Vec::new()),
            Some(last) if last.changed == changed => last.text.push_str(token),
            _ => line.push(Piece {
                text: token.to_owned(),
                changed,
            }),
        }
    }
}

/// The words of lines, a line feed after each line.
fn tokens_of<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let mut out = Vec::new();
    for line in lines {
        out.append(&mut tokens(line.strip_suffix('\n').unwrap_or(line)));
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
