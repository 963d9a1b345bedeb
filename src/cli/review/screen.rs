//! Lines on a terminal: appended, never redrawn. Every text passes [`shown`] and the [`gate`]; the
//! only escape codes are the few styles named here, and none where colour is off.

use crate::cli::gate;
use crate::review::diff::{Piece, Row, Side};
use crate::text::{shown, shown_part};
use std::io::{self, Write};

/// How a line looks. State is always in its text too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Strong,
    Added,
    Removed,
    Bad,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Strong => "1",
            Style::Added => "32",
            Style::Removed => "31",
            Style::Bad => "1;31",
        }
    }
}

/// Where lines go.
pub(crate) struct Screen<'a> {
    to: &'a mut dyn Write,
    colour: bool,
}

impl<'a> Screen<'a> {
    pub(crate) fn new(to: &'a mut dyn Write, colour: bool) -> Self {
        Self { to, colour }
    }

    /// One line; line feeds in it are shown as a token.
    pub(crate) fn line(&mut self, style: Style, text: &str) -> io::Result<()> {
        let text = self.styled(style, text);
        writeln!(self.to, "{}", text.trim_end())
    }

    /// A plain line.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        self.line(Style::Plain, text)
    }

    /// Each line of a text, after an indent.
    pub(crate) fn block(&mut self, indent: &str, text: &str) -> io::Result<()> {
        text.split('\n')
            .try_for_each(|line| self.say(&format!("{indent}{line}")))
    }

    /// A row of a diff, its changed words marked.
    pub(crate) fn row(&mut self, indent: &str, row: &Row) -> io::Result<()> {
        // Pieces of a secret are none to the gate.
        let whole: String = row.pieces.iter().map(|p| p.text.as_str()).collect();
        if gate::hide(&whole) != whole {
            return self.say(&format!("{indent}{} {whole}", row.side.mark()));
        }
        let style = match row.side {
            Side::Same => Style::Plain,
            Side::Removed => Style::Removed,
            Side::Added => Style::Added,
        };
        let mark = format!("{} ", row.side.mark());
        let mut line = format!("{indent}{}", self.styled(style, &mark));
        for (n, piece) in row.pieces.iter().enumerate() {
            let ends = n + 1 == row.pieces.len();
            line.push_str(&self.piece(style, row.side, piece, ends));
        }
        writeln!(self.to, "{}", line.trim_end())
    }

    fn piece(&self, style: Style, side: Side, piece: &Piece, ends: bool) -> String {
        let shown = if ends { shown } else { shown_part };
        if !piece.changed {
            return self.coded(style.code(), &shown(&piece.text, false));
        }
        if self.colour {
            let text = shown(&piece.text, false);
            return self.coded(&format!("{};1;4", style.code()), &text);
        }
        match side {
            Side::Removed => self.styled(style, &format!("[-{}-]", piece.text)),
            _ => self.styled(style, &format!("{{+{}+}}", piece.text)),
        }
    }

    fn styled(&self, style: Style, text: &str) -> String {
        self.coded(style.code(), &shown(&gate::hide(text), false))
    }

    fn coded(&self, code: &str, text: &str) -> String {
        if self.colour && !code.is_empty() && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// A prompt, without a line feed.
    pub(crate) fn prompt(&mut self, text: &str) -> io::Result<()> {
        let text = self.styled(Style::Strong, text);
        write!(self.to, "{text} ")?;
        self.to.flush()
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::diff;

    fn drawn(colour: bool, old: &str, new: &str) -> String {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, colour);
        for row in diff::compare(old, new).rows() {
            screen.row("  ", &row).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn without_colour_the_marks_say_it_all() {
        assert_eq!(
            drawn(false, "the port is 80 for now", "the port is 8080 for now"),
            "  - the port is [-80-] for now\n  + the port is {+8080+} for now\n"
        );
    }

    #[test]
    fn with_colour_the_marks_stay_and_words_are_bold() {
        let out = drawn(true, "the port is 80 now", "the port is 81 now");
        assert!(out.contains("- \x1b[0m"), "{out:?}");
        assert!(out.contains("\x1b[32;1;4m81\x1b[0m"), "{out:?}");
    }

    #[test]
    fn content_brings_no_escape_and_hides_nothing_behind_spaces() {
        let hostile = format!("a{}\u{1b}[2J\u{202E}x\r", " ".repeat(400));
        let out = drawn(false, "", &hostile);
        assert_eq!(
            out,
            "  + a<400 spaces><U+001B ESC>[2J<U+202E RLO>x<U+000D CR>\n"
        );
    }
}
