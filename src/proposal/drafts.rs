//! Contract 2: a reply's changes as drafts, one for each entry, ids resolved.

use super::shape::{self, Piece};
use super::{Dropped, KnownEntry, Op, Target};
use crate::curator::ProposedChange;
use crate::memory::{Memory, MemoryFile, title};
use crate::redact::first_whole;

/// The shortest beginning of an id that names an entry.
const MIN_ID: usize = 6;

/// A change on its way.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub op: Op,
    pub file: MemoryFile,
    pub section: String,
    pub target: Option<Target>,
    pub text: String,
    pub reason: Option<String>,
    /// `None`: the reply cannot cite (contract 1); evidence is looked for.
    pub evidence: Option<Vec<u32>>,
}

impl Draft {
    pub(super) fn name(&self) -> String {
        let target = self.target.as_ref().map(|t| t.text.as_str());
        let text = if self.text.is_empty() {
            target.unwrap_or_default()
        } else {
            &self.text
        };
        title(text)
    }
}

/// A reply being worked through.
pub(super) struct Work<'a> {
    pub memory: &'a Memory,
    pub entries: &'a [KnownEntry],
    pub dropped: Vec<Dropped>,
}

impl<'a> Work<'a> {
    /// Contract 2: one draft for each entry of each change.
    pub(super) fn drafts(&mut self, proposed: &[ProposedChange]) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for change in proposed {
            match change {
                ProposedChange::Add {
                    file,
                    section,
                    text,
                    evidence,
                } => {
                    let doc = self.memory.doc(*file);
                    let pieces = shape::pieces(doc, section.as_deref(), text);
                    drafts.extend(pieces.into_iter().map(|p| added(*file, p, evidence)));
                }
                ProposedChange::Edit {
                    entry,
                    text,
                    evidence,
                } => {
                    if let Some(known) = self.resolve(entry, text) {
                        drafts.extend(edited(self.memory, known, text, evidence));
                    }
                }
                ProposedChange::Archive {
                    entry,
                    reason,
                    evidence,
                } => {
                    if let Some(known) = self.resolve(entry, reason) {
                        drafts.push(archived(known, reason, evidence));
                    }
                }
            }
        }
        drafts
    }

    /// The sealed entry with this id, which stands in memory; else it is dropped by name.
    fn resolve(&mut self, id: &str, what: &str) -> Option<&'a KnownEntry> {
        let wanted = id.trim().trim_matches(['[', ']', '#', '`']).to_lowercase();
        let entries = self.entries;
        let mut found = entries
            .iter()
            .filter(|e| e.id.as_str().starts_with(&wanted));
        let (first, second) = (found.next(), found.next());
        let shown: String = wanted.chars().take(16).collect();
        let why = match (first, second) {
            _ if wanted.len() < MIN_ID => format!("{shown:?} is too short for an entry's id"),
            (None, _) => format!("no entry has the id {shown:?}"),
            (Some(_), Some(_)) => format!("{shown:?} is the beginning of several ids"),
            (Some(e), None) if !e.sealed => {
                format!("entry {shown} is not accepted here; adopt it first")
            }
            (Some(e), None) if e.standing(self.memory).is_none() => {
                format!("entry {shown} no longer stands in {}", e.file.name())
            }
            (Some(e), None) => return Some(e),
        };
        self.dropped.push(Dropped {
            what: title(what),
            why,
        });
        None
    }
}

pub(super) fn added(file: MemoryFile, piece: Piece, evidence: &[u32]) -> Draft {
    Draft {
        op: Op::Add,
        file,
        section: piece.section,
        target: None,
        text: piece.text,
        reason: None,
        evidence: Some(evidence.to_vec()),
    }
}

/// An edit; what the text holds beyond one entry becomes additions beside it.
fn edited(memory: &Memory, known: &KnownEntry, text: &str, evidence: &[u32]) -> Vec<Draft> {
    let doc = memory.doc(known.file);
    let mut pieces = shape::pieces(doc, Some(&known.section), text);
    if let [only] = pieces.as_mut_slice() {
        only.text = as_before(&known.text, &only.text, text);
    }
    let best = pieces
        .iter()
        .enumerate()
        .max_by(|(a, p), (b, q)| {
            let score = |p: &Piece| crate::text::shared_words(&known.text, &p.text);
            score(p).total_cmp(&score(q)).then(b.cmp(a))
        })
        .map(|(at, _)| at);
    pieces
        .into_iter()
        .enumerate()
        .map(|(at, piece)| {
            if Some(at) == best {
                let piece = Piece {
                    section: known.section.clone(),
                    ..piece
                };
                Draft {
                    op: Op::Edit,
                    target: Some(known.target()),
                    ..added(known.file, piece, evidence)
                }
            } else {
                added(known.file, piece, evidence)
            }
        })
        .collect()
}

/// An edit keeps its entry's own form: its heading when the text brings none, its heading's level,
/// a todo without a box.
fn as_before(old: &str, shaped: &str, text: &str) -> String {
    let text = shape::clean(text);
    let old_line = old.lines().next().unwrap_or_default();
    let marks = old_line.len() - old_line.trim_start_matches('#').len();
    if marks == 0 {
        let is_plain_item = old_line.starts_with("- ") && !old_line.starts_with("- [");
        return if is_plain_item && text.starts_with("- ") {
            text
        } else {
            shaped.to_owned()
        };
    }
    if !text.starts_with('#') {
        return format!("{old_line}\n\n{text}");
    }
    let level = shaped.len() - shaped.trim_start_matches('#').len();
    format!("{}{}", "#".repeat(marks), &shaped[level..])
}

fn archived(known: &KnownEntry, reason: &str, evidence: &[u32]) -> Draft {
    Draft {
        op: Op::Archive,
        file: known.file,
        section: known.section.clone(),
        target: Some(known.target()),
        text: String::new(),
        reason: Some(own_reason(reason)),
        evidence: Some(evidence.to_vec()),
    }
}

/// A reason that cannot pass for one that only code gives.
pub(super) fn own_reason(reason: &str) -> String {
    let line = shape::clean(reason).replace('\n', " ");
    let (line, _) = first_whole(&line, 300);
    if super::RESERVED_REASONS.contains(&line) {
        return format!("curator: {line}");
    }
    line.to_owned()
}
