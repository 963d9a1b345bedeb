//! Quiet markdown: which parts of a line are headings, bold or code.
//!
//! Pure. Every character stays where it is and is shown; only how it looks is said here. Knows
//! one line at a time, and of the lines before it only whether a code block is open.

use std::ops::Range;

/// How a part of a line is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emphasis {
    /// A heading, or bold.
    Strong,
    /// Code.
    Code,
}

/// The parts of a line that are set off: byte ranges in order, without overlap, marks included.
pub(crate) fn parts(line: &str, in_code: bool) -> Vec<(Range<usize>, Emphasis)> {
    if in_code || fence(line).is_some() {
        return vec![(0..line.len(), Emphasis::Code)];
    }
    if is_heading(line) {
        return vec![(0..line.len(), Emphasis::Strong)];
    }
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = line.get(at..).and_then(|rest| rest.find(['`', '*', '\\'])) {
        let start = at + found;
        let rest = line.get(start..).unwrap_or_default();
        let (len, emphasis) = match rest.as_bytes().first() {
            Some(b'\\') => (1 + rest.chars().nth(1).map_or(0, char::len_utf8), None),
            Some(b'`') => code(rest),
            _ => bold(rest),
        };
        if let Some(emphasis) = emphasis {
            out.push((start..start + len, emphasis));
        }
        at = start + len;
    }
    out
}

/// The mark and its length, where a line opens or closes a code block.
pub(crate) fn fence(line: &str) -> Option<(char, usize)> {
    let text = line.trim_start_matches(' ');
    let mark = text.chars().next().filter(|c| "`~".contains(*c))?;
    let count = text.len() - text.trim_start_matches(mark).len();
    let is_inline = mark == '`' && text[count..].contains('`');
    (count >= 3 && line.len() - text.len() < 4 && !is_inline).then_some((mark, count))
}

fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level) && (text.is_empty() || text.starts_with(' '))
}

/// A code span: from a run of backticks to the next run of the same length.
fn code(text: &str) -> (usize, Option<Emphasis>) {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let mut at = ticks;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        at = start + run;
        if run == ticks {
            return (at, Some(Emphasis::Code));
        }
    }
    (ticks, None)
}

/// Bold: from `**` before a word to `**` after one.
fn bold(text: &str) -> (usize, Option<Emphasis>) {
    let stars = text.len() - text.trim_start_matches('*').len();
    let inner = &text[stars..];
    if stars == 2 && inner.starts_with(|c: char| !c.is_whitespace()) {
        let is_end = |at: &usize| !inner[..*at].ends_with(char::is_whitespace);
        if let Some(end) = inner.find("**").filter(is_end) {
            return (stars + end + 2, Some(Emphasis::Strong));
        }
    }
    (stars, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_bold_and_code_are_set_off() {
        let drawn = |line: &str| {
            let parts = parts(line, false).into_iter();
            let parts = parts.map(|(range, how)| (line[range].to_owned(), how));
            parts.collect::<Vec<_>>()
        };
        let strong = |text: &str| (text.to_owned(), Emphasis::Strong);
        let code = |text: &str| (text.to_owned(), Emphasis::Code);
        assert_eq!(drawn("### Queue"), [strong("### Queue")]);
        assert_eq!(drawn("#tag and text"), []);
        assert_eq!(
            drawn("- **Why:** `a **b**` and **c** \\`d"),
            [strong("**Why:**"), code("`a **b**`"), strong("**c**")]
        );
        assert_eq!(drawn("``a ` b`` c"), [code("``a ` b``")]);
        assert_eq!(drawn("2 ** 3 ** 4, `open, **open"), []);
        assert_eq!(drawn("```sh"), [code("```sh")]);
        assert_eq!(drawn("日**本**語"), [strong("**本**")]);
        assert_eq!(fence("```a`b"), None);
        assert_eq!(fence("  ~~~~"), Some(('~', 4)));
    }
}
