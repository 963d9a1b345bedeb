//! A change that was decided over what stands now, although it was made for another text.
//!
//! Shown are then base, now and proposed; the decision holds for just that "now". Read as a change
//! of what stands, it is planned, judged and applied like any other. An edit that was decided over
//! nothing, for its entry was gone, is read as an addition.

use super::plan::Inputs;
use crate::proposal::{Change, Decision, Op, Proposal, Rebased, Target, rebase};
use crate::text::TextHash;

/// What a decision is made over where the entry of an edit is gone: no entry has this text.
#[must_use]
pub fn nothing() -> TextHash {
    TextHash::of("")
}

/// The proposal with those changes made for what stands now; `None`: there are none.
pub(super) fn retargeted(inputs: &Inputs<'_>) -> Option<Proposal> {
    let moved: Vec<Change> = inputs
        .proposal
        .changes
        .iter()
        .filter_map(|change| retarget(change, inputs))
        .collect();
    if moved.is_empty() {
        return None;
    }
    let mut proposal = inputs.proposal.clone();
    for change in &mut proposal.changes {
        if let Some(moved) = moved.iter().find(|m| m.n == change.n) {
            change.clone_from(moved);
        }
    }
    Some(proposal)
}

/// A change that goes in over the text that stands now, as a change of that text.
fn retarget(change: &Change, inputs: &Inputs<'_>) -> Option<Change> {
    let over = inputs.over.get(&change.n)?;
    let goes_in = matches!(
        inputs.decisions.get(&change.n),
        Some(Decision::Accepted | Decision::Edited(_))
    );
    if !goes_in || inputs.proposal.kind.is_on_disk() || inputs.settled.contains(&change.n) {
        return None;
    }
    let (entry, now) = match rebase(change, inputs.memory, inputs.entries) {
        Rebased::Changed { entry, now } => (entry, now),
        Rebased::Gone if change.op == Op::Edit && *over == nothing() => {
            return Some(change.as_addition());
        }
        _ => return None,
    };
    let entry = inputs.memory.doc(change.file).entries().get(entry)?;
    if TextHash::of(&now) != *over {
        return None;
    }
    let known = inputs.entries.iter().find(|known| known.is(entry));
    let was = change.target.as_ref().and_then(|t| t.entry.clone());
    Some(Change {
        section: entry.section.clone(),
        target: Some(Target::of(entry, known.map(|k| k.id.clone()).or(was))),
        ..change.clone()
    })
}
