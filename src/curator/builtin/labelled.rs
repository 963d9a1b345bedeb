//! What a person labels for memory: `Decision:`, `TODO:`, `Note to self:`, `Don't forget to`.
//!
//! The label says where a sentence belongs, so nothing about it is weighed. Only the user's own
//! words count, never pasted text.

use super::candidate::{Candidate, EXPLICIT};
use super::cues;
use super::prose::Sentence;
use super::quote;
use super::session::{Said, Session};
use crate::digest::Line;
use crate::memory::MemoryFile;
use crate::source::Role;

/// The longest quote, in characters.
const QUOTE: usize = 320;
/// Below this a cue may be meant for the session rather than for memory.
const FIRM: i32 = 35;

/// What the user labelled in a session.
pub(super) fn find(session: &Session) -> Vec<Candidate> {
    let own = |s: &&Said| s.line.role == Role::User && !s.pasted;
    let of = |message: &&Said| -> Vec<Candidate> {
        let sentences = message.sentences.iter();
        sentences
            .filter_map(|sentence| of_sentence(message.line, sentence))
            .collect()
    };
    session
        .said
        .iter()
        .filter(own)
        .flat_map(|m| of(&m))
        .collect()
}

fn of_sentence(line: &Line, sentence: &Sentence) -> Option<Candidate> {
    let (file, words) = read(quote::without_filler(&sentence.text))?;
    let says_something = words.split(' ').count() > 1 && !words.ends_with(['?', ':']);
    if !says_something {
        return None;
    }
    let after = sentence.after.as_deref().filter(|a| goes_on(a, words));
    let said = match after {
        Some(after) => format!("{words} {after}"),
        None => quote::trim_to(words, QUOTE),
    };
    entry(line, file, words, &quote::capital(&said), EXPLICIT)
}

/// Whether a sentence belongs to the labelled one before it: it gives the reason.
fn goes_on(after: &str, words: &str) -> bool {
    cues::CAUSE.finds(after)
        && read(after).is_none()
        && !after.ends_with([':', '?'])
        && words.chars().count() + after.chars().count() < QUOTE
}

/// The file a label names, and the words after it. None without a label.
pub(super) fn read(text: &str) -> Option<(MemoryFile, &str)> {
    if let Some((words, _)) = cues::DECREE.after(text) {
        return Some((MemoryFile::Decisions, words));
    }
    if let Some((words, weight)) = cues::TASK.after(text) {
        let meant = weight >= FIRM || !cues::STEERING.finds(words);
        return meant.then_some((MemoryFile::Todo, words));
    }
    let (words, _) = cues::KEEPSAKE.after(text)?;
    Some((file_of(words), words))
}

/// Where words without a label of their own belong.
pub(super) fn file_of(text: &str) -> MemoryFile {
    if cues::OPEN.weight(text) >= 34 {
        MemoryFile::Todo
    } else if cues::RULE.weight(text) >= 30 {
        MemoryFile::Decisions
    } else {
        MemoryFile::State
    }
}

/// The entry that a file makes of what was said; `title` is its first sentence. None of marks
/// without a word.
pub(super) fn entry(
    line: &Line,
    file: MemoryFile,
    title: &str,
    said: &str,
    score: i32,
) -> Option<Candidate> {
    let said = quote::without_marks(said);
    if said.is_empty() {
        return None;
    }
    let (section, text) = match file {
        MemoryFile::State => (Some("Notes".to_owned()), format!("- {said}")),
        MemoryFile::Todo => (None, format!("- [ ] {said}")),
        MemoryFile::Decisions | MemoryFile::Mistakes => {
            let heading = Session::heading(line, &quote::headline(title));
            (None, format!("{heading}\n\n{said}"))
        }
    };
    Some(Candidate {
        file,
        section,
        gist: said.to_owned(),
        text,
        evidence: vec![line.n],
        score,
    })
}
