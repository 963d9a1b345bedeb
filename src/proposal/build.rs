//! A curator's reply to changes: ids resolved, texts shaped, evidence cleaned, what cannot be
//! taken dropped by name. Trusts nothing in the reply.

use super::evidence::Ground;
use super::shape::{self, Piece};
use super::{Change, Dropped, KnownEntry, Op, Target, Tombstone, bodies, overflow};
use crate::config::Budgets;
use crate::curator::{ProposedChange, Reply};
use crate::digest::{Digest, Line};
use crate::memory::{Entry, Memory, MemoryFile, title};
use crate::text::{TextHash, statement};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Changes that one reply may make; the rest is dropped by name.
pub const MAX_CHANGES: usize = 500;

/// The shortest beginning of an id that names an entry.
const MIN_ID: usize = 6;

/// What a reply came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Built {
    /// The changes, numbered from 1, without verdicts.
    pub changes: Vec<Change>,
    /// What is not among them, and why.
    pub dropped: Vec<Dropped>,
    /// The cited digest lines with their neighbours, and those that tell who said it.
    pub lines: Vec<Line>,
}

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
    fn name(&self) -> String {
        let target = self.target.as_ref().map(|t| t.text.as_str());
        let text = if self.text.is_empty() {
            target.unwrap_or_default()
        } else {
            &self.text
        };
        title(text)
    }
}

/// Turns a reply into changes against memory as it stands.
///
/// `entries` are the known entries with their records; only sealed ones that stand in `memory` can
/// be edited or archived. Pure.
#[must_use]
pub fn build(
    reply: &Reply,
    memory: &Memory,
    entries: &[KnownEntry],
    digest: &Digest,
    budgets: &Budgets,
    tombstones: &[Tombstone],
) -> Built {
    let mut work = Work {
        memory,
        entries,
        dropped: Vec::new(),
    };
    let mut drafts = match reply {
        Reply::Changes(reply) => work.drafts(&reply.changes),
        Reply::Bodies(reply) => bodies::drafts(reply, memory, entries, &mut work.dropped),
    };
    work.bound(&mut drafts);
    let drafts = work.without_conflicts(drafts);
    let drafts = work.without_cycles(drafts);
    let drafts = work.without_repeats(drafts);
    let ground = Ground::new(digest);
    let mut cited = BTreeSet::new();
    let mut also = BTreeSet::new();
    let mut changes = Vec::new();
    for draft in drafts {
        let basis = basis(&draft);
        let found = draft
            .evidence
            .clone()
            .unwrap_or_else(|| ground.find(&basis));
        let footing = ground.footing(&basis, &found);
        let change = Change {
            n: 0,
            op: draft.op,
            file: draft.file,
            section: draft.section.clone(),
            target: draft.target.clone(),
            text: draft.text.clone(),
            reason: draft.reason.clone(),
            evidence: footing.evidence.clone(),
            origin: footing.origin,
            verdicts: Vec::new(),
        };
        if let Some(why) = rejected_before(&change, digest, tombstones) {
            work.drop(&draft, why);
            continue;
        }
        cited.extend(footing.evidence);
        also.extend(footing.also);
        changes.push(change);
    }
    changes.extend(overflow::changes(memory, entries, &changes, budgets));
    for (change, n) in changes.iter_mut().zip(1u32..) {
        change.n = n;
    }
    Built {
        changes,
        dropped: work.dropped,
        lines: ground.lines_around(&cited, &also),
    }
}

/// The words whose source is looked for: of an edit only what is new.
fn basis(draft: &Draft) -> String {
    match (&draft.op, &draft.target) {
        (Op::Archive, target) => {
            let text = target.as_ref().map(|t| t.text.as_str()).unwrap_or_default();
            format!("{}\n{text}", draft.reason.as_deref().unwrap_or_default())
        }
        (Op::Edit, Some(target)) => super::new_lines(&target.text, &draft.text),
        _ => draft.text.clone(),
    }
}

struct Work<'a> {
    memory: &'a Memory,
    entries: &'a [KnownEntry],
    dropped: Vec<Dropped>,
}

impl<'a> Work<'a> {
    fn drop(&mut self, draft: &Draft, why: impl Into<String>) {
        self.dropped.push(Dropped {
            what: draft.name(),
            why: why.into(),
        });
    }

    fn bound(&mut self, drafts: &mut Vec<Draft>) {
        for draft in drafts.split_off(drafts.len().min(MAX_CHANGES)) {
            self.drop(
                &draft,
                format!("a reply may hold {MAX_CHANGES} changes at most"),
            );
        }
    }

    /// Contract 2: one draft for each entry of each change.
    fn drafts(&mut self, proposed: &[ProposedChange]) -> Vec<Draft> {
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

    /// One change an entry; the later ones are dropped.
    fn without_conflicts(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
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
    fn without_cycles(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
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
    fn without_repeats(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
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
    let (line, _) = crate::text::first_chars(&line, 300);
    if super::RESERVED_REASONS.contains(&line) {
        return format!("curator: {line}");
    }
    line.to_owned()
}

/// Why a change is suppressed: a person rejected the same from the same material.
fn rejected_before(change: &Change, digest: &Digest, tombstones: &[Tombstone]) -> Option<String> {
    if change.op == Op::Archive {
        return None;
    }
    let cited: Vec<&Line> = change
        .evidence
        .iter()
        .filter_map(|n| digest.line(*n))
        .collect();
    let is_user = |l: &&&Line| super::origin_of(l.role) <= super::Origin::Inbox;
    tombstones
        .iter()
        .filter(|t| t.file == change.file)
        .find(|t| {
            let anew = cited.iter().filter(is_user).any(|l| t.is_news(l));
            let old_only = !cited.is_empty() && !cited.iter().any(|l| t.is_news(l));
            (t.is_said_by(&change.text) && !anew) || (t.resembles(&change.text) && old_only)
        })
        .map(|t| format!("rejected before, in proposal {}", t.proposal))
}
