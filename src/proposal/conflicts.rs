//! Which drafts of one reply cannot stand together, or with memory: the later ones are dropped.

use super::Op;
use super::drafts::{Draft, Work};
use crate::memory::{Entry, MemoryFile, title};
use crate::text::{TextHash, statement};
use std::collections::{BTreeMap, BTreeSet, HashSet};

impl Work<'_> {
    /// One change an entry; the later ones are dropped.
    pub(super) fn without_conflicts(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut taken: HashSet<(MemoryFile, String, TextHash, u32)> = HashSet::new();
        let mut kept = Vec::new();
        for draft in drafts {
            let Some(target) = &draft.target else {
                kept.push(draft);
                continue;
            };
            let key = (
                draft.file,
                draft.section.clone(),
                target.hash.clone(),
                target.ordinal,
            );
            if draft.op == Op::Edit && draft.text == target.text {
                self.drop(&draft, "changes nothing");
            } else if taken.insert(key) {
                kept.push(draft);
            } else {
                self.drop(
                    &draft,
                    "an earlier change of this reply already takes that entry",
                );
            }
        }
        kept
    }

    /// An edit that takes the text of another entry stands only where that entry makes room, and
    /// never in a circle.
    pub(super) fn without_cycles(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut takes: BTreeMap<(MemoryFile, String), String> = BTreeMap::new();
        let mut leaving = BTreeSet::new();
        for draft in &drafts {
            let Some(target) = &draft.target else {
                continue;
            };
            let own = (draft.file, statement(&target.text));
            if draft.op == Op::Edit {
                takes.insert(own.clone(), statement(&draft.text));
            }
            leaving.insert(own);
        }
        let standing: BTreeSet<(MemoryFile, String)> = self
            .memory
            .entries()
            .map(|e| (e.file, statement(&e.text)))
            .collect();
        let mut kept = Vec::new();
        for draft in drafts {
            let own = draft.target.as_ref().map(|t| statement(&t.text));
            let (Op::Edit, Some(own)) = (draft.op, own) else {
                kept.push(draft);
                continue;
            };
            let new = (draft.file, statement(&draft.text));
            if new.1 != own && is_circle(&takes, draft.file, &own) {
                self.drop(&draft, "entries that supersede one another in a circle");
            } else if new.1 != own && standing.contains(&new) && !leaving.contains(&new) {
                self.drop(
                    &draft,
                    "another entry already says it; archive this one instead",
                );
            } else {
                kept.push(draft);
            }
        }
        kept
    }

    /// Additions that already stand, or that the reply makes twice.
    pub(super) fn without_repeats(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut standing: BTreeMap<(MemoryFile, String), &Entry> = BTreeMap::new();
        for entry in self.memory.entries() {
            standing.insert((entry.file, key(entry.file, &entry.text)), entry);
            standing.insert((entry.file, statement(&entry.text)), entry);
        }
        let mut made = BTreeSet::new();
        let mut kept = Vec::new();
        for draft in drafts {
            if draft.op != Op::Add {
                kept.push(draft);
                continue;
            }
            let key = (draft.file, key(draft.file, &draft.text));
            if let Some(entry) = standing.get(&key) {
                let why = self.already(entry);
                self.drop(&draft, why);
            } else if !made.insert(key) {
                self.drop(&draft, "the reply says it twice");
            } else {
                kept.push(draft);
            }
        }
        kept
    }

    fn already(&self, entry: &Entry) -> String {
        let sealed = self.entries.iter().any(|e| e.sealed && e.is(entry));
        let file = entry.file.name();
        if sealed {
            format!("already stands in {file}")
        } else {
            format!("already stands in {file}, not yet accepted: adopt it there")
        }
    }
}

/// What makes two additions the same: the statement; in mistakes.md the heading.
fn key(file: MemoryFile, text: &str) -> String {
    if file == MemoryFile::Mistakes {
        return format!("# {}", statement(&title(text)));
    }
    statement(text)
}

fn is_circle(
    takes: &BTreeMap<(MemoryFile, String), String>,
    file: MemoryFile,
    start: &str,
) -> bool {
    let mut at = start;
    for _ in 0..=takes.len() {
        match takes.get(&(file, at.to_owned())) {
            Some(next) if next == start => return true,
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}
