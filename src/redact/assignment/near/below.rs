//! A value alone on the line below its name's, where that line says that it follows.

use super::super::super::lines;
use super::super::fields;
use super::link::is_other;
use super::run;
use std::ops::Range;

/// How far behind a name's line the value below may begin, in bytes.
const GAP: usize = 80;

/// The run that stands alone on the line below a name's, or the one after an empty line, where the
/// name's line says that it follows or holds nothing else. `end` is where the name's line ends.
pub(super) fn below(text: &[u8], name: &Range<usize>, end: usize) -> Option<Range<usize>> {
    if text.get(end) != Some(&b'\n') || !follows(text, name, end) {
        return None;
    }
    let mut at = end + 1;
    for _ in 0..2 {
        at = lines::gutter(text, at);
        if !matches!(text.get(at), Some(b'\r' | b'\n')) {
            break;
        }
        at += 1;
    }
    if at > end + GAP {
        return None;
    }
    let rest = text.get(at..)?;
    let rest = rest.get(..256).unwrap_or(rest);
    let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let run = run::next(text, at, at + len)?;
    let value = run::whole(text, &run, end);
    let marks = |b: &u8| b" \"'`*\r|:,[]=".contains(b);
    let before = text.get(at..value.range.start)?;
    let after = text.get(value.range.end..at + len)?;
    let alone = before.iter().all(marks) && after.iter().all(marks);
    let label = || {
        let sign = before
            .trim_ascii_end()
            .strip_suffix(b"'")
            .or(before.strip_suffix(b"\""))?;
        let label = fields::label(text, at + sign.strip_suffix(b"=").map(<[u8]>::len)?)?;
        fields::holds(text.get(label)?).then_some(())
    };
    (alone || value.quoted && is_heading(text, name, end) && label().is_some()).then_some(run)
}

/// Whether a name's line says that a value follows below.
fn follows(text: &[u8], name: &Range<usize>, end: usize) -> bool {
    let tail = text.get(name.end..end).unwrap_or(&[]).trim_ascii_end();
    let tail = tail.strip_suffix(b"**").unwrap_or(tail);
    let head = head(text, name).trim_ascii_start();
    let prompts = [&b"$ "[..], b"% ", b"> ", "❯ ".as_bytes()];
    // The last word of a command, or what a prompt was asked to print; git prints its own numbers.
    let closed = tail.len() <= 3 && tail.iter().all(|b| b"\"'])};".contains(b));
    let asked = closed || prompts.iter().any(|p| head.starts_with(p));
    // What makes a secret prints its id.
    let numbers = || {
        let mut ends = memchr::memchr_iter(b' ', head).filter_map(|at| head.get(..at));
        ends.any(|said| said.ends_with(b"git") || said.ends_with(b" create"))
    };
    asked && !numbers() && !is_other(tail)
        || matches!(tail.last(), Some(b':' | b'[' | b'(' | b'='))
        || is_heading(text, name, end)
}

/// Whether a name's line holds nothing else.
fn is_heading(text: &[u8], name: &Range<usize>, end: usize) -> bool {
    let alone = |b: &u8| b" #*=_`\"\r".contains(b);
    let tail = text.get(name.end..end).unwrap_or(&[]);
    head(text, name).iter().all(alone) && tail.iter().all(alone)
}

/// What stands on a name's line before it.
fn head<'t>(text: &'t [u8], name: &Range<usize>) -> &'t [u8] {
    let head = text.get(name.start.saturating_sub(120)..name.start);
    let head = head.unwrap_or(&[]);
    let begin = memchr::memrchr(b'\n', head).map_or(0, |n| n + 1);
    head.get(begin..).unwrap_or(&[])
}
