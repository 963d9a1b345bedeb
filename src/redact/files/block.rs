//! How far the answer to a command goes in a transcript: the lines directly below it, up to an
//! empty one or one that is plainly of something else.

use super::shown::is_store;
use super::stores::{LANGUAGES, PRINTERS, QUIET, RUNNERS, SHELLS};
use super::table::{cells, header};

/// What has been read of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// A line of it was read.
    begun: bool,
    /// The last line was empty.
    gap: bool,
    shape: Shape,
}

/// What the lines of an answer are so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Shape {
    /// Nothing but comments.
    #[default]
    Open,
    /// Names and values with this sign between.
    Pairs(u8),
    /// A title, whose text stands below an empty line.
    Title,
    Other,
}

impl Block {
    /// Whether the next line is one more of the answer. What is empty at once is an empty answer,
    /// and behind an empty line only what plainly goes on with it is of it: names and values as
    /// those above, and a table with its heading.
    pub fn goes_on(&mut self, line: &[u8]) -> bool {
        if line.trim_ascii().is_empty() {
            self.gap = true;
            return true;
        }
        // Among names and values a comment may say `# docker`.
        let rooted = self.shape == Shape::Other && line.strip_prefix(b"# ").is_some_and(is_command);
        if rooted || is_other(line) {
            return false;
        }
        let shape = shape(line);
        let heads = is_heading(line);
        if std::mem::take(&mut self.gap) {
            let goes = match (self.shape, shape) {
                _ if heads => true,
                (Shape::Title, _) => true,
                (_, Shape::Open) => self.begun && self.shape != Shape::Other,
                (Shape::Open, Shape::Pairs(_)) => self.begun,
                (above, Shape::Pairs(_)) => above == shape,
                _ => false,
            };
            if !goes {
                return false;
            }
        }
        self.shape = match shape {
            Shape::Open if self.begun => self.shape,
            _ => shape,
        };
        self.begun = true;
        true
    }
}

fn shape(line: &[u8]) -> Shape {
    let body = line.trim_ascii();
    if matches!(body.first(), Some(b'#' | b';')) || body.starts_with(b"[") && body.ends_with(b"]") {
        return Shape::Open;
    }
    if body.starts_with(b"Secret: ") {
        return Shape::Title;
    }
    let body = body.strip_prefix(b"export ").unwrap_or(body);
    let quoted = body.strip_prefix(b"\"").unwrap_or(body);
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
    let name = quoted.iter().take_while(|b| plain(b)).count();
    let rest = quoted.get(name..).unwrap_or(&[]);
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest).trim_ascii_start();
    match rest.first() {
        Some(sign @ (b'=' | b':')) if name > 0 => Shape::Pairs(*sign),
        _ => Shape::Other,
    }
}

/// `====== Data ======`, `Key   Value`, the upper edge of a table.
fn is_heading(line: &[u8]) -> bool {
    let edge = [&b"+--"[..], "┌".as_bytes(), "╭".as_bytes(), "╔".as_bytes()];
    let line = line.trim_ascii();
    let titled = line.starts_with(b"==") && line.ends_with(b"==");
    let row = || header(line, &cells(line)).is_some_and(|value| value.is_some());
    titled || edge.iter().any(|e| line.starts_with(e)) || row()
}

/// Whether a line is plainly none of an answer: the end of a block, a sentence, a page's markup, a
/// log's line, another command, the next to speak.
fn is_other(line: &[u8]) -> bool {
    let fence = line.starts_with(b"```") || line.starts_with(b"~~~");
    fence || is_prose(line) || is_markup(line) || is_logged(line) || is_step(line)
}

/// Words one behind the other, and nothing that a table or an object has.
fn is_prose(line: &[u8]) -> bool {
    let words = line.split(|b| *b == b' ').filter(|w| !w.is_empty()).count();
    let marks = line.iter().any(|b| matches!(b, b'|' | b'=' | b'{' | b'\t'));
    let begins = line.first().is_some_and(u8::is_ascii_alphabetic);
    let wide = memchr::memmem::find(line.trim_ascii(), b"  ").is_some();
    words >= 4 && begins && !marks && !wide && line.is_ascii()
}

/// `.TH "X" 1`, `.RS 2m`, `'\" t`: a manual page.
fn is_markup(line: &[u8]) -> bool {
    match line {
        [b'.' | b'\'', b'\\', b'"', ..] | [b'\\', b'f' | b'%' | b'-' | b'&', ..] => true,
        [b'.', a, b, rest @ ..] => {
            a.is_ascii_uppercase()
                && b.is_ascii_alphabetic()
                && matches!(rest.first(), None | Some(b' '))
        }
        [b'.', a, rest @ ..] => a.is_ascii_uppercase() && matches!(rest.first(), None | Some(b' ')),
        _ => false,
    }
}

/// `2026-01-02 10:11:12 …`, `[INFO] …`, `WARN …`, `#2  0x7f… in …`: a log's line, a frame.
fn is_logged(line: &[u8]) -> bool {
    const LEVELS: [&[u8]; 8] = [
        b"DEBUG", b"INFO", b"WARN", b"WARNING", b"ERROR", b"FATAL", b"TRACE", b"NOTICE",
    ];
    let open = line.strip_prefix(b"[").unwrap_or(line);
    let word = open.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let level = open.get(..word).is_some_and(|w| LEVELS.contains(&w))
        && matches!(open.get(word), Some(b' ' | b']' | b':'));
    let day = matches!(open, [a, b, c, d, b'-' | b'/', m, n, b'-' | b'/', x, y, b' ' | b'T', h, ..]
        if [a, b, c, d, m, n, x, y, h].iter().all(|b| b.is_ascii_digit()));
    let spoken = open.contains(&b' ');
    let frame = matches!(line, [b'#', n, ..] if n.is_ascii_digit())
        && memchr::memmem::find(line, b"  ").is_some();
    level || day && spoken || frame
}

/// A command behind a prompt of any spelling, what a shell traces, the mark of a tool's call, who
/// speaks next.
fn is_step(line: &[u8]) -> bool {
    const SIGNS: [&str; 12] = [
        "⏺ ",
        "● ",
        "λ ",
        "» ",
        "▶ ",
        "› ",
        "ᐅ ",
        "✗ ",
        "✓ ",
        "└─",
        "┌──(",
        "╰─",
    ];
    const SPEAKERS: [&[u8]; 6] = [
        b"assistant:",
        b"Assistant:",
        b"user:",
        b"User:",
        b"Human:",
        b"human:",
    ];
    let sign = SIGNS.iter().any(|sign| line.starts_with(sign.as_bytes()));
    let speaks = SPEAKERS.iter().any(|who| {
        let said = line.strip_prefix(*who).unwrap_or(&[]);
        said.iter().filter(|b| **b == b' ').count() >= 3
    });
    let typed = match line {
        [b'%' | b'>' | b'+', b' ', command @ ..] => is_command(command),
        [b'$', b' ', ..] => true,
        _ => false,
    };
    sign || speaks || typed
}

/// Whether a program is called that people type.
fn is_command(text: &[u8]) -> bool {
    const OTHERS: [&str; 16] = [
        "ls",
        "git",
        "exit",
        "make",
        "cargo",
        "npm",
        "go",
        "pip",
        "apt",
        "curl",
        "echo",
        "rm",
        "vim",
        "systemctl",
        "cp",
        "whoami",
    ];
    let word = text.split(|b| *b == b' ').next().unwrap_or(&[]);
    let Ok(word) = std::str::from_utf8(word) else {
        return false;
    };
    OTHERS.contains(&word)
        || PRINTERS.contains(&word)
        || RUNNERS.contains(&word)
        || SHELLS.contains(&word)
        || LANGUAGES.contains(&word)
        || QUIET.contains(&word)
        || is_store(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many lines are of the answer, empty ones too.
    fn lines(text: &str) -> usize {
        let mut block = Block::default();
        let all = text
            .lines()
            .take_while(|line| block.goes_on(line.as_bytes()));
        all.count()
    }

    #[test]
    fn an_answer_ends_where_something_else_begins() {
        for (text, expected) in [
            ("kranich\nA.\n", 2),
            ("kranich\n\nGOFLAGS: -mod=mod", 2),
            ("\nkranich-haus-storch", 1),
            ("\n\nkranich-haus-storch", 2),
            ("A=b\n\n# more\nC=d\n", 4),
            ("A=b\n# docker\nC=d\n", 3),
            ("A=b\n\nC: d\n", 2),
            ("# all\n\nA=b\n", 3),
            ("[a]\nx = y\n\n[b]\nx = y\n", 5),
            ("\nName    Value\n----    -----\nA       b\n", 4),
            ("== Path ==\na/b\n\n== Data ==\nKey   Value\n", 5),
            ("Secret: a/b\n\nkranich-haus\n", 3),
            ("kranich\n.RS 2m\n", 1),
            ("kranich\n.TH \"X\" 1\n", 1),
            ("kranich\n\\%PA_INT,\n", 1),
            ("kranich\n[INFO] done\n", 1),
            ("kranich\n2026-01-02 10:11:12 up\n", 1),
            ("kranich\n#2  0xf2de n/a\n", 1),
            ("kranich\nλ ls\n", 1),
            ("kranich\n% ls\n", 1),
            ("kranich\n# systemctl restart x\n", 1),
            ("kranich\n+ cat x\n", 1),
            ("kranich\n⏺ Bash(ls)\n", 1),
            ("kranich\nThat is all of it\n", 1),
            ("kranich\nassistant: let me look at it\n", 1),
        ] {
            assert_eq!(lines(text), expected, "{text:?}");
        }
    }
}
