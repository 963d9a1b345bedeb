//! A curator's reply to changes: ids resolved, texts shaped, evidence cleaned, what cannot be
//! taken dropped by name. Trusts nothing in the reply.

use super::drafts::{Draft, Work};
use super::evidence::Ground;
use super::{Change, Dropped, KnownEntry, Origin, Tombstone, bodies, overflow};
use crate::config::Budgets;
use crate::curator::Reply;
use crate::digest::{Digest, Line};
use crate::memory::Memory;
use std::collections::BTreeSet;

/// Changes that one reply may make; the rest is dropped by name.
pub const MAX_CHANGES: usize = 500;

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
        Reply::Changes(reply) => {
            work.dropped.extend(reply.stripped.iter().map(|s| named(s)));
            work.drafts(&reply.changes)
        }
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
        let mut change = Change {
            n: 0,
            op: draft.op,
            file: draft.file,
            section: draft.section.clone(),
            target: draft.target.clone(),
            text: draft.text.clone(),
            reason: draft.reason.clone(),
            evidence: Vec::new(),
            origin: Origin::Assistant,
            earlier: None,
            also: Vec::new(),
            verdicts: Vec::new(),
        };
        let shown = ground.found(&mut change, draft.evidence.as_deref());
        if let Some(why) = rejected_before(&change, digest, tombstones) {
            work.drop(&draft, why);
            continue;
        }
        cited.extend(change.evidence.iter().copied());
        also.extend(shown);
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

/// What the reader took out of a reply: a change that cannot be used, or a key that a curator may
/// not set.
fn named(stripped: &str) -> Dropped {
    if let Some((what, why)) = stripped.split_once(" left out: ") {
        let (what, why) = (what.to_owned(), why.to_owned());
        return Dropped { what, why };
    }
    let (place, key) = stripped.rsplit_once(": ").unwrap_or(("reply", stripped));
    Dropped {
        what: format!("{place}: {key:?}"),
        why: "no curator may set it".to_owned(),
    }
}

impl Work<'_> {
    pub(super) fn drop(&mut self, draft: &Draft, why: impl Into<String>) {
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
}

/// Why a change is suppressed: a person rejected the same from the same material.
fn rejected_before(change: &Change, digest: &Digest, tombstones: &[Tombstone]) -> Option<String> {
    if change.op.takes_away() {
        return None;
    }
    let cited: Vec<&Line> = change
        .evidence
        .iter()
        .filter_map(|n| digest.line(*n))
        .collect();
    let is_user = |l: &&&Line| super::origin_of(l.role) <= Origin::Inbox;
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
