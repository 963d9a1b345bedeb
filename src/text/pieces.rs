//! A line as it is shown: its plain text, and apart from it the tokens for what a reader would not
//! see.
//!
//! Pure. Adds to [`hidden`] what only matters on a screen: tabs, spaces that would push text out
//! of sight, and clusters that nothing is painted for.

use super::hidden::{hidden, token};
use super::width::{clusters, width};
use std::borrow::Cow;
use std::ops::Range;

/// More blanks than this in a row are shown as a count: text must not push text out of sight.
const BLANKS: usize = 16;
/// More blanks than this at the beginning of a line are; fewer are the indent of code.
const LEADING: usize = 32;
/// More blanks than this at the end of a line are shown as a count. Two are a line break in
/// markdown.
const TRAILING: usize = 2;
/// Columns between tab stops.
const TAB: usize = 4;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// The line's own text, byte for byte.
    Text,
    /// A token such as `<U+202E RLO>` or `<240 spaces>`, in ASCII.
    Token,
    /// An arrow and the blanks up to the next tab stop.
    Tab,
}

/// A part of a line as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'t> {
    /// What is shown: safe to paint, on one row.
    pub text: Cow<'t, str>,
    /// What it is.
    pub kind: PieceKind,
    /// The bytes of the line that it stands for.
    pub source: Range<usize>,
}

/// The pieces of one line, in order. A line feed in it is a token; `ascii`: a tab is `>` instead
/// of an arrow.
#[must_use]
pub fn pieces(line: &str, ascii: bool) -> Vec<Piece<'_>> {
    pieces_of(line, ascii, true)
}

/// As [`pieces`], of a part of a line; `ends`: whether the line ends with it. What is shown of
/// blanks at the end of a line does not matter within it.
#[must_use]
pub fn pieces_of(line: &str, ascii: bool, ends: bool) -> Vec<Piece<'_>> {
    if line.is_empty() {
        return Vec::new();
    }
    if is_plain(line) {
        return vec![Piece {
            text: Cow::Borrowed(line),
            kind: PieceKind::Text,
            source: 0..line.len(),
        }];
    }
    let mut out = Pieces {
        line,
        ascii,
        ends,
        column: 0,
        pieces: Vec::new(),
    };
    let mut from = 0;
    for place in hidden(line) {
        out.stretch(from..place.offset);
        from = place.offset + place.len;
        out.token(place.offset..from, place.token);
    }
    out.stretch(from..line.len());
    out.pieces
}

/// A line as [`pieces`] shows it, in one string.
#[must_use]
pub fn shown(line: &str, ascii: bool) -> Cow<'_, str> {
    joined(pieces(line, ascii))
}

/// As [`shown`], of a part of a line that goes on after it.
#[must_use]
pub fn shown_part(line: &str, ascii: bool) -> Cow<'_, str> {
    joined(pieces_of(line, ascii, false))
}

fn joined(mut pieces: Vec<Piece<'_>>) -> Cow<'_, str> {
    match pieces.len() {
        0 => Cow::Borrowed(""),
        1 => pieces.swap_remove(0).text,
        _ => Cow::Owned(pieces.iter().map(|p| p.text.as_ref()).collect()),
    }
}

/// Whether a line is shown as it is. Says no of some that would be.
#[must_use]
pub fn is_plain(line: &str) -> bool {
    let mut blanks = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => blanks += 1,
            b'!'..=b'~' => blanks = 0,
            _ => return false,
        }
        if blanks > BLANKS {
            return false;
        }
    }
    blanks <= TRAILING
}

/// What a reader sees nothing of and which still takes a column.
fn is_blank(c: char) -> bool {
    c != '\n' && c != '\t' && c.is_whitespace() || c == '\u{2800}'
}

struct Pieces<'t> {
    line: &'t str,
    ascii: bool,
    ends: bool,
    /// Columns so far.
    column: usize,
    pieces: Vec<Piece<'t>>,
}

impl<'t> Pieces<'t> {
    /// A stretch without hidden characters.
    fn stretch(&mut self, range: Range<usize>) {
        let text = self.line.get(range.clone()).unwrap_or_default();
        let mut plain = range.start;
        // Where the blanks end that were looked at.
        let mut blanks = range.start;
        for (offset, cluster, columns) in clusters(text) {
            let at = range.start + offset;
            if at < blanks {
                continue;
            }
            let end = at + cluster.len();
            let c = cluster.chars().next().unwrap_or('x');
            if is_blank(c) {
                let (count, most);
                (blanks, count, most) = self.blanks(at, range.end);
                if count > most {
                    self.text(plain..at);
                    self.token(at..blanks, format!("<{count} spaces>"));
                    plain = blanks;
                }
            } else if c == '\t' {
                self.text(plain..at);
                self.tab(at..end);
                plain = end;
            } else if c == '\n' || columns == 0 {
                self.text(plain..at);
                self.token(at..end, cluster.chars().map(token).collect());
                plain = end;
            }
        }
        self.text(plain..range.end);
    }

    /// The end and the number of the blanks from here on, and how many may be shown.
    fn blanks(&self, at: usize, until: usize) -> (usize, usize, usize) {
        let text = self.line.get(at..until).unwrap_or_default();
        let run = text.find(|c| !is_blank(c)).unwrap_or(text.len());
        let count = text.get(..run).unwrap_or_default().chars().count();
        let end = at + run;
        let most = match end == self.line.len() {
            true if self.ends => TRAILING,
            _ if at == 0 => LEADING,
            _ => BLANKS,
        };
        (end, count, most)
    }

    fn text(&mut self, range: Range<usize>) {
        let text = self.line.get(range.clone()).unwrap_or_default();
        self.push(Cow::Borrowed(text), PieceKind::Text, range);
    }

    fn token(&mut self, range: Range<usize>, token: String) {
        self.push(Cow::Owned(token), PieceKind::Token, range);
    }

    fn tab(&mut self, range: Range<usize>) {
        let mut text = if self.ascii { ">" } else { "→" }.to_owned();
        for _ in 1..TAB - self.column % TAB {
            text.push(' ');
        }
        self.push(Cow::Owned(text), PieceKind::Tab, range);
    }

    fn push(&mut self, text: Cow<'t, str>, kind: PieceKind, source: Range<usize>) {
        if !text.is_empty() {
            self.column += width(&text);
            self.pieces.push(Piece { text, kind, source });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_would_not_be_seen_is_a_token_of_its_own() {
        for (line, seen) in [
            ("plain", "plain"),
            ("visible\rHIDDEN", "visible|<U+000D CR>|HIDDEN"),
            ("a\tb", "a|→  |b"),
            ("\tb", "→   |b"),
            ("日本\tb", "日本|→   |b"),
            ("a\nb", "a|<U+000A LF>|b"),
            ("\u{301}a", "<U+0301>|a"),
            ("a\u{200B}\u{301}", "a|<U+200B ZWSP>|<U+0301>"),
            ("two  ", "two  "),
            ("three   ", "three|<3 spaces>"),
            ("日本 \u{3000}\u{A0}", "日本|<3 spaces>"),
        ] {
            let texts: Vec<_> = pieces(line, false).into_iter().map(|p| p.text).collect();
            assert_eq!(texts.join("|"), seen, "{line:?}");
        }
        let far = format!("a{}b{}c", " ".repeat(16), " ".repeat(240));
        let spaces = format!("a{}b<240 spaces>c", " ".repeat(16));
        assert_eq!(shown(&far, false), spaces);
        let code = |n: usize| " ".repeat(n) + "x";
        assert_eq!(shown(&code(32), false), code(32));
        assert_eq!(shown(&code(33), false), "<33 spaces>x");
        assert_eq!(shown("a\tb", true), "a>  b");
        assert_eq!(shown_part("three   ", true), "three   ");
    }

    proptest! {
        #[test]
        fn pieces_stand_for_the_whole_line_and_are_safe(line in "\\PC{0,12}|[\\x00-\\x1f\\x7f-\\u{9f}\\u{200b}-\\u{206f}\u{301}\u{1161}日👩 a-c]{0,30}") {
            let pieces = pieces(&line, false);
            let places = hidden(&line);
            let mut at = 0;
            for piece in &pieces {
                prop_assert_eq!(piece.source.start, at);
                at = piece.source.end;
                prop_assert!(!piece.text.contains(char::is_control));
                let own = piece.kind == PieceKind::Text;
                let holds = |p: &super::super::hidden::Hidden| {
                    p.offset < piece.source.end && piece.source.start < p.offset + p.len
                };
                prop_assert!(!own || !places.iter().any(holds));
                prop_assert!(!own || piece.text == line[piece.source.clone()]);
                prop_assert!(piece.kind != PieceKind::Token || piece.text.is_ascii());
            }
            prop_assert_eq!(at, line.len());
        }
    }
}
