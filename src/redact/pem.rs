//! Private key blocks: whole, without an end, without a beginning, escaped, quoted, in a gutter.
//!
//! The marks stay; the lines between are hidden. A block without real key lines is documentation.

use super::anchors::Anchor;
use super::class::Class;
use super::lines;
use super::rules::Rule;
use super::scan::Scan;
use super::value;
use std::ops::Range;

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(class) = &rule.class else { return };
    // `-----BEGIN … PRIVATE KEY BLOCK-----`: the anchor stands before the closing dashes.
    let mut at = anchor.end;
    for tail in [" BLOCK", "-----", "----"] {
        if scan.bytes(at..at + tail.len()) == tail.as_bytes() {
            at += tail.len();
        }
    }
    if !begins(scan.text, anchor.start) {
        return;
    }
    if let Some(body) = body(scan.text, class, at).or_else(|| short(scan.text, class, at)) {
        scan.hide(body, rule.id.as_str());
    }
}

/// Whether `-----BEGIN ` or a PuTTY or JSON mark stands before the anchor, on its line.
fn begins(text: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(40);
    let before = text.get(from..at).unwrap_or(&[]);
    let line = lines::last(before);
    memchr::memmem::find(line, b"BEGIN").is_some()
        || text
            .get(at..)
            .is_some_and(|t| t.starts_with(b"Private-Lines"))
}

/// The key lines after a mark.
fn body(text: &[u8], class: &Class, from: usize) -> Option<Range<usize>> {
    let (mut at, mut start, mut end, mut size, mut labels) = (from, None, from, 0, 0);
    while at < text.len() {
        at = noise(text, lines::continuation(text, at).unwrap_or(at));
        if let Some(label) = label(text, at).filter(|_| labels < 8) {
            labels += 1;
            at = label;
            continue;
        }
        let run = class.run(text, at, usize::MAX);
        let piece = text.get(at..at + run).unwrap_or(&[]);
        let short = run < 16
            && (size == 0 && run < 6
                || run == 0
                || value::is_wordy(piece)
                    && size > 0
                    && run > 3
                    && !followed_by_end(text, at + run));
        if short
            || (run < 40 && value::is_wordy(piece) && run > 3 && !followed_by_end(text, at + run))
        {
            break;
        }
        size += run;
        start.get_or_insert(at);
        end = at + run;
        at = end;
    }
    let cut = text.get(end..).is_some_and(<[u8]>::is_empty) && size >= 8;
    start.filter(|_| size >= 32 || cut).map(|start| start..end)
}

/// The lines of a block too short for a key, if all of them are base64 and one looks like a key's.
fn short(text: &[u8], class: &Class, from: usize) -> Option<Range<usize>> {
    let start = noise(text, from);
    let (mut end, mut real) = (start, false);
    for _ in 0..4 {
        let at = noise(text, end);
        let line = text.get(at..at + class.run(text, at, 64))?;
        if line.is_empty() {
            break;
        }
        real |= is_key_line(line);
        end = at + line.len();
    }
    let next = text.get(noise(text, end)..)?;
    (real && next.starts_with(b"-----END")).then_some(start..end)
}

/// Begins as encoded keys do, or is random.
fn is_key_line(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 6] = [b"MI", b"MC4C", b"MHcC", b"MHQC", b"b3BlbnNz", b"lQ"];
    STARTS.iter().any(|s| line.starts_with(s))
        || line.len() >= 16 && !value::is_wordy(line) && !value::is_placeholder(line)
}

fn followed_by_end(text: &[u8], at: usize) -> bool {
    let at = noise(text, at);
    text.get(at..)
        .is_some_and(|t| t.starts_with(b"--") || t.starts_with(b"END") || t.is_empty())
}

/// Line ends, gutters, quotes and joints between key lines.
fn noise(text: &[u8], mut at: usize) -> usize {
    for _ in 0..8 {
        let rest = text.get(at..).unwrap_or(&[]);
        let skipped = rest
            .iter()
            .take(80)
            .take_while(|b| {
                matches!(
                    b,
                    b' ' | b'\t'
                        | b'\r'
                        | b'\n'
                        | b'"'
                        | b'\''
                        | b'|'
                        | b'\\'
                        | b','
                        | b'`'
                        | b'*'
                        | b'>'
                        | b'#'
                )
            })
            .count();
        at += skipped;
        // A `+` is part of the alphabet; alone before a line, or between strings, it is a mark.
        let line_start = at
            .checked_sub(1)
            .is_none_or(|b| matches!(text.get(b), Some(b'\n' | b' ' | b'"')));
        let rest = text.get(at..).unwrap_or(&[]);
        let mark = matches!(rest, [b'+', b' ' | b'\n' | b'"', ..]);
        let diff = line_start
            && at > 0
            && text.get(at - 1) == Some(&b'\n')
            && matches!(rest, [b'+', ..])
            && diff_line(rest);
        if mark || diff {
            at += 1;
            continue;
        }
        let numbered = if line_start {
            lines::gutter(text, at)
        } else {
            at
        };
        let digits = numbered > at && rest.first().is_some_and(u8::is_ascii_digit);
        if digits {
            at = numbered;
        } else if skipped == 0 {
            break;
        }
    }
    at
}

/// A line of a diff is one longer than a key line's 64 or 70 characters, or the last.
fn diff_line(rest: &[u8]) -> bool {
    let len = rest
        .iter()
        .take(90)
        .take_while(|b| !b.is_ascii_whitespace())
        .count();
    len % 4 == 1 || len == 71
}

/// `Proc-Type: …`, `Version: …`, `Comment: …`: the end of a header line, or of a count.
fn label(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let name = rest
        .iter()
        .take(24)
        .take_while(|b| b.is_ascii_alphabetic() || **b == b'-')
        .count();
    let counted = rest.starts_with(b":");
    if (name == 0 && !counted) || rest.get(name) != Some(&b':') {
        return None;
    }
    let line = rest.iter().take(200).position(|b| *b == b'\n')?;
    Some(at + line + 1)
}

/// Key lines above an end mark whose beginning was cut away.
pub(super) fn find_end(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(class) = &rule.class else { return };
    let from = anchor.start.saturating_sub(40);
    let before = scan.bytes(from..anchor.start);
    let Some(mark) = memchr::memmem::rfind(before, b"-----END") else {
        return;
    };
    let done = scan.spans.last().map_or(0, |s| s.range.end);
    let floor = done;
    let mut start = from + mark;
    let mut size = 0;
    while start > floor {
        if let Some(end) = lines::above(scan.text, start).filter(|end| *end > floor) {
            let run = class.run_back(scan.text, end, end - floor);
            if run >= 16 {
                start = end - run;
                size += run;
                continue;
            }
        }
        let head = scan.bytes(floor..start);
        let gap = head
            .iter()
            .rev()
            .take(80)
            .take_while(|b| !class.has(**b) && !b.is_ascii_alphanumeric())
            .count();
        let end = start - gap;
        let run = class.run_back(scan.text, end, end - floor);
        if run < 16 && size > 0 || run == 0 {
            break;
        }
        start = end - run;
        size += run;
    }
    if size >= 64 && value::digits(scan.bytes(start..from + mark)) > 0 {
        scan.hide(start..from + mark, rule.id.as_str());
    }
}
