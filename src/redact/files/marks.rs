//! Where a text says itself what it goes on to show: a patch, a diff, `head` of several files, a
//! search's hits, a prompt with a command behind it.

use super::answer::Asked;
use super::block::Block;
use super::prompts::prompt;
use super::{Kind, hidden, named};
use crate::redact::lines;

/// How a text shows a file that it names itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A diff or a patch: each line has a sign before it.
    Changes,
    /// As it is.
    Plain,
    /// What a command answered.
    Answer { sole: bool },
}

pub(super) const MARKS: [(&[u8], Form); 7] = [
    (b"*** Add File: ", Form::Changes),
    (b"*** Update File: ", Form::Changes),
    (b"*** Delete File: ", Form::Changes),
    (b"diff --git ", Form::Changes),
    (b"+++ b/", Form::Changes),
    (b"==> ", Form::Plain),
    (b"File: ", Form::Plain),
];

/// What a diff's lines begin with, besides their signs.
const IN_DIFF: [&[u8]; 9] = [
    b"@@",
    b"***",
    b"\\",
    b"index ",
    b"new file ",
    b"deleted file ",
    b"old mode ",
    b"similarity ",
    b"rename ",
];

/// What a line says is shown from here on.
pub(super) struct Told<'t> {
    pub form: Form,
    /// Nothing, if it is no file of secrets and no store's answer.
    pub kind: Option<Kind>,
    /// The command.
    pub command: &'t [u8],
    /// It finds lines in files.
    pub searches: bool,
    /// How many lines at most it goes on for.
    pub lines: usize,
    /// What has been read of a command's answer.
    pub block: Block,
}

impl Told<'_> {
    pub fn asked(&self) -> Asked<'_> {
        Asked {
            command: self.command,
            sole: self.form == Form::Answer { sole: true },
        }
    }
}

/// Whether a line is still one of what was told above it. What follows a file is not to be read as
/// the file is.
pub(super) fn goes_on(told: &mut Told<'_>, kind: Kind, line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    match (told.form, line) {
        (Form::Answer { .. }, _) => told.block.goes_on(line),
        (_, []) | (Form::Changes, [b'+' | b'-' | b' ' | b'\t', ..]) => true,
        (Form::Changes, _) => IN_DIFF.iter().any(|head| line.starts_with(head)),
        (Form::Plain, _) => {
            let body = line.get(lines::gutter(line, 0)..).unwrap_or(line);
            let sign = |text: &[u8]| {
                matches!(
                    text.first(),
                    None | Some(b'#' | b';' | b'[' | b'-' | b'{' | b'}')
                )
            };
            let comment = sign(line.trim_ascii_start()) || sign(body);
            comment || !hidden(kind, line).is_empty() || is_pair(body)
        }
    }
}

/// A name, a sign and a value, whether or not it is worth hiding.
fn is_pair(body: &[u8]) -> bool {
    let sign = body.iter().position(|b| matches!(b, b'=' | b':'));
    let name = sign.and_then(|at| body.get(..at)).map(<[u8]>::trim_ascii);
    name.is_some_and(|name| {
        !name.is_empty() && !name.contains(&b' ') || name.starts_with(b"export ")
    })
}

/// Whether a mark at this place says of a line that it is of a file of secrets.
pub(super) fn marks(text: &[u8], at: usize) -> bool {
    let (before, from) = text.split_at(at);
    let blank = before.iter().rev().find(|b| !is_blank(**b));
    let end = memchr::memchr(b'\n', from).unwrap_or(from.len());
    let begins = blank.is_none_or(|b| *b == b'\n');
    begins && mark(from.get(..end).unwrap_or(from)).is_some_and(|told| told.kind.is_some())
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n'
}

/// What a line of a search's answer is of, `.env:12:NAME=value`, `.env-13-NAME=value`, and where its
/// text begins.
pub(super) fn located(line: &[u8]) -> Option<(Kind, usize)> {
    let head = line.get(..300).unwrap_or(line);
    let mut signs = memchr::memchr2_iter(b':', b'-', head).take(24);
    signs.find_map(|end| {
        let rest = line.get(end + 1..)?;
        let digits = rest
            .iter()
            .take(8)
            .take_while(|b| b.is_ascii_digit())
            .count();
        let sign = line.get(end);
        let numbered = digits > 0 && rest.get(digits) == sign;
        if !numbered && sign == Some(&b'-') && !is_context(line.get(..end)?, rest) {
            return None;
        }
        let path = std::str::from_utf8(line.get(..end)?).ok()?;
        let kind = named::kind(path.trim())?;
        let either = digits > 0 && matches!(rest.get(digits), Some(b':' | b'-'));
        Some((kind, end + 1 + if either { digits + 1 } else { 0 }))
    })
}

/// `.env-NAME=value`: a line beside a hit, without its number.
fn is_context(path: &[u8], rest: &[u8]) -> bool {
    let constant = rest
        .iter()
        .take_while(|b| b.is_ascii_uppercase() || **b == b'_' || b.is_ascii_digit())
        .count();
    !path.is_empty() && constant >= 2 && matches!(rest.get(constant), Some(b'=' | b':'))
}

/// The line above the hits in one file, as searches print it: the path alone.
pub(super) fn heading(line: &[u8]) -> Option<Option<Kind>> {
    let line = line.trim_ascii_end();
    let path = std::str::from_utf8(line).ok()?;
    let fits = (2..300).contains(&line.len())
        && !line
            .iter()
            .any(|b| b.is_ascii_whitespace() || matches!(b, b'=' | b':' | b'"'))
        && (line.contains(&b'/') || line.contains(&b'.'));
    fits.then(|| named::kind(path))
}

/// Where the text of a hit begins under its file's heading: after `12:` or `13-`.
pub(super) fn hit(line: &[u8]) -> Option<usize> {
    let digits = line
        .iter()
        .take(8)
        .take_while(|b| b.is_ascii_digit())
        .count();
    (digits > 0 && matches!(line.get(digits), Some(b':' | b'-'))).then_some(digits + 1)
}

/// What a line says is told from here on, and how.
pub(super) fn mark(line: &[u8]) -> Option<Told<'_>> {
    let trimmed = line.trim_ascii();
    let file = MARKS
        .iter()
        .find_map(|(mark, form)| Some((trimmed.strip_prefix(*mark)?, *form)));
    let Some((path, form)) = file else {
        return prompt(line);
    };
    let path = path.strip_suffix(b" <==").unwrap_or(path);
    Some(Told {
        form,
        kind: std::str::from_utf8(path).ok().and_then(named::kind),
        command: &[],
        searches: false,
        lines: usize::MAX,
        block: Block::default(),
    })
}
