//! Plain text that is added to: what is new of it, in pieces that fit a digest.
//!
//! A piece is whole paragraphs, since secrets are told by all of what they stand in; what begins a
//! key is never parted from its end. Nobody says who wrote the text: it counts as a note.

use crate::digest::Coverage;
use crate::source::id::message_id;
use crate::source::intake::{Intake, Part};
use crate::source::session::{Mark, Session};
use crate::source::{Reading, Role, Sink, SourceError};
use std::io::Read;
use std::ops::Range;

/// Bytes read at once; what comes behind waits for the next reading.
const ONCE: u64 = 4 << 20;
/// So many bytes of a text are looked at for what is read of it already.
const MARKED: u64 = 16 << 20;
/// Bytes from which on a piece is ended with its paragraph.
const PIECE: usize = 3000;

/// Hands on the pieces of a range.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(
    session: &Session,
    bytes: Box<dyn Read>,
    range: Range<u64>,
    is_log: bool,
    reading: &Reading<'_>,
    sink: &mut dyn Sink,
) -> Result<Coverage, SourceError> {
    let root = session.root.as_ref().map(|dir| dir.to_string_lossy());
    let name = session
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut intake = Intake::new(&session.key, range.start, reading, sink);
    intake.session(&name);
    let length = range.end.saturating_sub(range.start);
    let mut text = Vec::new();
    let read = bytes.take(length.min(ONCE)).read_to_end(&mut text);
    read.map_err(SourceError::io(&session.path))?;
    let is_end = text.len() as u64 == length;
    text.truncate(whole(&text, is_end && !is_log));
    // What is not of the project, or of nobody knows which, does not count as read: that may change.
    if let Some(why) = intake.is_foreign(root.as_deref()) {
        intake.skip(why);
        return Ok(intake.coverage);
    }
    intake.coverage.end = range.start + text.len() as u64;
    if memchr::memchr(0, &text).is_some() {
        intake.unreadable("bytes that are no text");
        return Ok(intake.coverage);
    }
    for piece in pieces(&text) {
        let said = String::from_utf8_lossy(&text[piece.clone()]);
        let id = id_of(session, &said);
        let part = Part {
            offset: range.start + piece.start as u64,
            id: Some((&id, 0)),
            session: &name,
            cwd: root.as_deref(),
            ..Part::default()
        };
        intake.part(Role::Note, &said, part);
    }
    Ok(intake.coverage)
}

/// What counts as read of a text that is there: all of it, and the ids of its pieces, since such files
/// are edited.
///
/// # Errors
/// When it cannot be read.
pub(super) fn mark(session: &Session, bytes: Box<dyn Read>) -> Result<Mark, SourceError> {
    let mut text = Vec::new();
    let read = bytes.take(session.size.min(MARKED)).read_to_end(&mut text);
    read.map_err(SourceError::io(&session.path))?;
    let piece = |piece: Range<usize>| id_of(session, &String::from_utf8_lossy(&text[piece]));
    Ok(Mark {
        end: session.size,
        seen: pieces(&text).into_iter().map(piece).collect(),
    })
}

/// A piece is known again wherever it stands in its file.
fn id_of(session: &Session, said: &str) -> String {
    message_id(&["text", &session.key, said.trim()])
}

/// How much of the bytes is whole: to the end of the last line, or all of it.
fn whole(text: &[u8], is_complete: bool) -> usize {
    let line = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    match std::str::from_utf8(&text[line..]) {
        Err(error) if error.error_len().is_none() && is_complete => line,
        _ if is_complete => text.len(),
        // One line that is longer than what is read at once is cut where it ends.
        _ if line == 0 && text.len() as u64 == ONCE => text.len(),
        _ => line,
    }
}

/// The pieces of a text: whole paragraphs each, and no heading but at its beginning.
fn pieces(text: &[u8]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut keys = 0_i64;
    let mut is_gap = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        // What a heading begins stays itself when something before it is edited.
        if line.starts_with(b"#") && keys == 0 && is_gap && at > start {
            pieces.push(start..at);
            start = at;
        }
        at += line.len();
        let has = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
        keys += i64::from(has(b"-----BEGIN ")) - i64::from(has(b"-----END "));
        keys = keys.max(0);
        is_gap = line.trim_ascii().is_empty();
        if is_gap && keys == 0 && at - start >= PIECE {
            pieces.push(start..at);
            start = at;
        }
    }
    if start < text.len() {
        pieces.push(start..text.len());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_paragraphs_and_keys_stay_whole() {
        let long = "word ".repeat(700);
        let text = format!("{long}\n\nnext\n\n{long}\n\nlast");
        let cut: Vec<_> = pieces(text.as_bytes())
            .into_iter()
            .map(|piece| text[piece].trim().len())
            .collect();
        assert_eq!(cut, [long.trim().len(), 4 + 2 + long.trim().len(), 4]);
        let key = format!("-----BEGIN K-----\nheader\n\n{long}\n\nmore\n-----END K-----\n");
        assert_eq!(pieces(key.as_bytes()).len(), 1);
        assert!(pieces(b"").is_empty());
        let sections = "# One\na\n\n## Two\nb\n# no heading\n\n\n# Three\n";
        assert_eq!(pieces(sections.as_bytes()), [0..9, 9..33, 33..41]);
    }

    #[test]
    fn a_line_that_is_half_written_waits_in_a_log() {
        assert_eq!(whole(b"one\ntwo", false), 4);
        assert_eq!(whole(b"one\ntwo", true), 7);
        assert_eq!(whole("one\nü".as_bytes().split_last().unwrap().1, true), 4);
        assert_eq!(whole(b"", true), 0);
    }
}
