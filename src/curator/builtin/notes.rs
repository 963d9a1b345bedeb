//! Inbox notes: what a person or a tool put down for memory, whole.

use super::candidate::Candidate;
use super::{labelled, quote};
use crate::digest::{Digest, Line};
use crate::memory::MemoryFile;
use crate::source::Role;

/// At most this many notes become changes.
pub(super) const MAX: usize = 20;
/// More than any quote of a session: somebody wrote it down for memory.
const SCORE: i32 = 100;
/// The longest note that is taken over, in characters.
const LONGEST: usize = 1_000;

/// Whether a line is an inbox note rather than a tool's remark on a session.
pub(super) fn is_inbox(line: &Line) -> bool {
    line.role == Role::Note && line.place.source.contains("inbox/")
}

/// One change for each note.
pub(super) fn find(digest: &Digest) -> Vec<Candidate> {
    digest
        .lines
        .iter()
        .filter(|l| is_inbox(l))
        .filter_map(of_note)
        .collect()
}

fn of_note(line: &Line) -> Option<Candidate> {
    let text = one_line(line.text.as_str());
    let text = quote::trim_to(&text, LONGEST);
    let (file, words) = kind_of(&text);
    labelled::entry(line, file, words, words, SCORE)
}

/// The note's sentences in a row: its own structure must not become the file's. A note that is
/// all code, table or quotation is taken as its bare words.
fn one_line(text: &str) -> String {
    let said: Vec<String> = super::prose::sentences(text)
        .into_iter()
        .map(|s| s.text)
        .collect();
    let words = match said.join(" ") {
        said if said.is_empty() => text.split_whitespace().collect::<Vec<_>>().join(" "),
        said => said,
    };
    quote::without_marks(&words).to_owned()
}

/// Labels that only notes bear, besides those of [`labelled`].
const LABELS: &[(&str, MemoryFile)] = &[
    ("mistake:", MemoryFile::Mistakes),
    ("lesson:", MemoryFile::Mistakes),
    ("fact:", MemoryFile::State),
    ("state:", MemoryFile::State),
];

/// What a note says it is, by its label, else by what it is about.
fn kind_of(text: &str) -> (MemoryFile, &str) {
    for (label, file) in LABELS {
        if text
            .get(..label.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(label))
        {
            return (*file, text[label.len()..].trim());
        }
    }
    labelled::read(text).unwrap_or_else(|| (labelled::file_of(text), text))
}
