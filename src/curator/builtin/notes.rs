//! Inbox notes: what a person or a tool put down for memory, whole.

use super::candidate::Candidate;
use super::cues;
use super::quote;
use super::session::Session;
use crate::digest::{Digest, Line};
use crate::memory::MemoryFile;
use crate::source::Role;

/// At most this many notes become changes.
pub(super) const MAX: usize = 20;
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
    if words.is_empty() {
        return None;
    }
    let (section, entry) = match file {
        MemoryFile::State => (Some("Notes".to_owned()), format!("- {words}")),
        MemoryFile::Todo => (None, format!("- [ ] {words}")),
        MemoryFile::Decisions | MemoryFile::Mistakes => {
            let heading = Session::heading(line, &quote::headline(words));
            (None, format!("{heading}\n\n{words}"))
        }
    };
    Some(Candidate {
        file,
        section,
        gist: words.to_owned(),
        text: entry,
        evidence: vec![line.n],
        score: 100,
    })
}

/// The note's sentences in a row: its own structure must not become the file's.
fn one_line(text: &str) -> String {
    let said: Vec<String> = super::prose::sentences(text)
        .into_iter()
        .map(|s| s.text)
        .collect();
    said.join(" ")
}

/// What a note says it is, by its first word, else by what it is about.
const LABELS: &[(&str, MemoryFile)] = &[
    ("decision:", MemoryFile::Decisions),
    ("decided:", MemoryFile::Decisions),
    ("mistake:", MemoryFile::Mistakes),
    ("lesson:", MemoryFile::Mistakes),
    ("todo:", MemoryFile::Todo),
    ("fact:", MemoryFile::State),
    ("state:", MemoryFile::State),
];

fn kind_of(text: &str) -> (MemoryFile, &str) {
    for (label, file) in LABELS {
        if text
            .get(..label.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(label))
        {
            return (*file, text[label.len()..].trim());
        }
    }
    let file = if cues::OPEN.weight(text) >= 34 {
        MemoryFile::Todo
    } else if cues::RULE.weight(text) >= 30 {
        MemoryFile::Decisions
    } else {
        MemoryFile::State
    };
    (file, text)
}
