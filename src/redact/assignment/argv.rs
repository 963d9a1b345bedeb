//! Arguments of a command as items of a list: the value is the item behind its option.

use super::super::lines;
use super::fields;
use std::ops::Range;

/// The deepest indentation of an item, in bytes.
const DEEPEST: usize = 200;

/// Where the item behind `--name` begins: `- --password⏎- …`, `"--password",⏎"…"`,
/// `[--password, …]`, `<string>--password</string>⏎<string>…`.
pub(super) fn next_item(text: &[u8], name: &Range<usize>) -> Option<usize> {
    if !text.get(name.clone())?.starts_with(b"--") {
        return None;
    }
    let line = line_before(text, name.start)?;
    let quoted = matches!(text.get(name.end), Some(b'"' | b'\''));
    let end = name.end + usize::from(quoted);
    match text.get(end..)? {
        [b'\r' | b'\n', ..] => in_block(text, line, end),
        [b',', ..] if quoted => {
            let at = fields::space(text, end + 1);
            matches!(text.get(at), Some(b'"' | b'\'')).then_some(at)
        }
        [b',', b' ', ..] => {
            let opened = matches!(line.trim_ascii_end().last(), Some(b'[' | b','));
            opened.then_some(end + 2)
        }
        rest => {
            let tag = b"</string>";
            let at = fields::space(text, end + tag.len());
            let inside = rest.starts_with(tag) && text.get(at..)?.starts_with(b"<string>");
            inside.then_some(at + tag.len() - 1)
        }
    }
}

/// What stands before a place on its line.
fn line_before(text: &[u8], at: usize) -> Option<&[u8]> {
    let head = text.get(at.saturating_sub(DEEPEST)..at)?;
    Some(lines::last(head))
}

/// The next item of a block list: its dash stands where the name's does.
fn in_block(text: &[u8], line: &[u8], end: usize) -> Option<usize> {
    let dash = line.strip_suffix(b"\"").or(line.strip_suffix(b"'"));
    let dash = dash.unwrap_or(line);
    if !dash.trim_ascii_start().starts_with(b"- ") || dash.trim_ascii() != b"-" {
        return None;
    }
    let feed = end + usize::from(text.get(end) == Some(&b'\r'));
    let next = text.get(feed + 1..)?;
    next.starts_with(dash).then_some(feed + 1 + dash.len())
}
