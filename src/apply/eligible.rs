//! What of a proposal a policy may let in at all, whatever the guardrails say of it.

use super::staging::{Credentials, Scene};
use crate::guard;
use crate::memory::{MemoryFile, SECTION_SEPARATOR};
use crate::proposal::{Change, Level, Op, Proposal, Rebased, rebase_all};
use crate::redact;
use crate::trust::{Matched, Record, SealedEntry};
use std::collections::BTreeSet;

/// Numbers of the changes that touch nothing a person let in, nor what stands there without a seal,
/// that no tool's output or note said, and of which no guardrail spoke when they were staged.
pub(super) fn eligible(
    proposal: &Proposal,
    scene: &Scene,
    credentials: &Credentials<'_>,
) -> BTreeSet<u32> {
    let all = rebase_all(&proposal.changes, &scene.memory, &scene.entries);
    let all = proposal.changes.iter().zip(all);
    let may = all.filter(|(change, rebased)| {
        let says = [&change.section, &change.text];
        // Something was taken out of what the curator wrote: a person looks at what is left.
        !says.into_iter().any(|text| redact::has_placeholder(text))
            && change.verdicts.iter().all(|v| v.level == Level::Pass)
            // No guardrail knows all that a page or a file can ask for.
            && !change.origin.is_from_outside()
            && match (change.op, rebased) {
                (Op::Add, Rebased::Stands(None)) => {
                    change.earlier.is_none() && is_vouched_section(change, scene, credentials)
                }
                (Op::Edit | Op::Archive, Rebased::Stands(Some(entry))) => {
                    is_unreviewed(change, *entry, scene)
                }
                _ => false,
            }
    });
    may.map(|(change, _)| change.n).collect()
}

/// Whether the change is of an entry that only ever a policy let in. mistakes.md only grows.
fn is_unreviewed(change: &Change, entry: usize, scene: &Scene) -> bool {
    let Some(stands) = scene.memory.doc(change.file).entries().get(entry) else {
        return false;
    };
    let is_it = |s: &&SealedEntry| s.entry == *stands;
    let Matched { sealed, lapsed, .. } = &scene.matched;
    let mut found = sealed.iter().filter(is_it);
    // What has lapsed may leave; an edit would bring it back.
    let mut lapsed = lapsed
        .iter()
        .filter(|s| change.op == Op::Archive && is_it(s));
    let Some(known) = found.next().or_else(|| lapsed.next()) else {
        return false;
    };
    let by_person = |r: &Record| r.accepted.is_some() || r.confirmed.is_some();
    let versions = scene.records.iter();
    let mut versions = versions.filter(|r| r.entry == known.record.entry);
    change.file != MemoryFile::Mistakes && !versions.any(by_person)
}

/// Whether the section that an addition goes to is new, and judged with it, or stands around
/// something that is sealed. A heading that somebody else wrote says nothing that is flagged.
fn is_vouched_section(change: &Change, scene: &Scene, credentials: &Credentials<'_>) -> bool {
    let section = change.section.as_str();
    let doc = scene.memory.doc(change.file);
    if section.is_empty() || !doc.sections().iter().any(|s| s.path == section) {
        return true;
    }
    let is_around = |s: &SealedEntry| {
        let rest = s.entry.section.strip_prefix(section);
        let rest = rest.filter(|r| r.is_empty() || r.starts_with(SECTION_SEPARATOR));
        s.entry.file == change.file && rest.is_some()
    };
    scene.matched.sealed.iter().any(is_around) || guard::of_words(section, credentials).is_empty()
}
