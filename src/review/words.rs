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
/// little in common. A line of which no word stays has no marks. Comparing ends at `until`: what
/// was not reached is marked as changed.
pub(super) fn mark(old: &[&str], new: &[&str], until: Instant) -> Option<Marked> {
    let within = match (old, new) {
        ([old], [new]) => mark_within(old, new, until),
        _ => None,
    };
    let mut marked = match within {
        Some(marked) => marked,
        None => compare(old, new, ALIKE, until)?,
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

/// Two lines that begin and end alike, which most do: only what is between is compared.
fn mark_within(old: &str, new: &str, until: Instant) -> Option<Marked> {
    let (head, tail) = shared(old, new);
    let alike = 2.0 * (head + tail) as f32 / (old.len() + new.len()).max(1) as f32;
    if alike < ALIKE {
        return None;
    }
    let old = old.get(head..old.len() - tail)?;
    let new = new.get(head..new.len() - tail)?;
    let mut marked = compare(&[old], &[new], 0.0, until)?;
    for span in marked.old.iter_mut().chain(&mut marked.new).flatten() {
        *span = span.start + head..span.end + head;
    }
    Some(marked)
}

/// How many bytes two lines share at their beginning and at their end, up to a space between two
/// words.
fn shared(old: &str, new: &str) -> (usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let word = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    let mut head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    while head > 0 && !(a[head - 1] == b' ' && word(a.get(head)) && word(b.get(head))) {
        head -= 1;
    }
    let (a, b) = (&a[head..], &b[head..]);
    let ends = a.iter().rev().zip(b.iter().rev());
    let mut tail = ends.take_while(|(a, b)| a == b).count();
    let before = |side: &[u8], tail: usize| {
        let at = side.len() - tail;
        at > 0 && side[at - 1].is_ascii_graphic()
    };
    while tail > 0 && !(a[a.len() - tail] == b' ' && before(a, tail) && before(b, tail)) {
        tail -= 1;
    }
    (head, tail)
}

/// The changed words of lines that are at least so alike.
fn compare(old: &[&str], new: &[&str], least: f32, until: Instant) -> Option<Marked> {
    let (before, after) = (tokens_of(old), tokens_of(new));
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .deadline(until)
        .diff_slices(&before, &after);
    if diff.ratio() < least {
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
    Some(Marked {
        old: removed.lines,
        new: added.lines,
    })
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
    use proptest::prelude::*;
    use std::time::Duration;

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

    fn pieces(line: &str, changed: &[Range<usize>]) -> (String, String) {
        let (mut stays, mut goes, mut at) = (String::new(), String::new(), 0);
        for span in changed {
            stays.push_str(&line[at..span.start]);
            goes.push_str(&line[span.clone()]);
            at = span.end;
        }
        stays.push_str(&line[at..]);
        (stays, goes)
    }

    proptest! {
        #[test]
        fn what_is_not_marked_is_the_same_on_both_sides(
            head in "([a-c]{1,4}[ ,=日\u{301}]{1,2}){0,6}", old in "[a-c =!é]{0,9}", new in "[a-c =!é]{0,9}", tail in "([ ,=日\u{301}]{1,2}[a-c]{1,4}){0,6}",
        ) {
            let (old, new) = (format!("{head}{old}{tail}"), format!("{head}{new}{tail}"));
            let until = Instant::now() + Duration::from_secs(60);
            if let Some(marked) = mark(&[&old], &[&new], until) {
                prop_assert_eq!(pieces(&old, &marked.old[0]).0, pieces(&new, &marked.new[0]).0);
            }
            // What lines share at their ends up to a space is never marked.
            if let Some(ours) = mark_within(&old, &new, until) {
                let (head, tail) = shared(&old, &new);
                for (line, spans) in [(&old, &ours.old[0]), (&new, &ours.new[0])] {
                    let within = head..line.len() - tail;
                    prop_assert!(spans.iter().all(|s| within.start <= s.start && s.end <= within.end), "{:?}", ours);
                }
            }
        }
    }
}
