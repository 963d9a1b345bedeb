//! What an apply says of each entry from now on: new record versions, to be sealed.

use super::plan::{By, Inputs};
use super::splices::{Placed, Placement};
use super::take_back;
use crate::id::{EntryId, NoRandom};
use crate::memory::Entry;
use crate::proposal::{Kind, Op, Origin};
use crate::trust::{Broken, Reason, Record, RecordState, evidence_hash, lapse_after};

/// The next version of each changed entry's record, and a first one for each new entry.
pub(super) fn records(
    inputs: &Inputs<'_>,
    placement: &Placement<'_>,
) -> Result<Vec<Record>, NoRandom> {
    let mut records = Vec::new();
    for placed in &placement.changes {
        records.extend(record(inputs, placed)?);
    }
    Ok(records)
}

fn record(inputs: &Inputs<'_>, placed: &Placed<'_>) -> Result<Option<Record>, NoRandom> {
    let change = placed.chosen.change;
    let known = known(inputs, placed);
    let record = match (change.op, known) {
        (Op::Archive, Some(known)) => leaving(inputs, known, RecordState::Archived),
        (Op::Tombstone, Some(known)) => leaving(inputs, known, RecordState::Tombstoned),
        (Op::Archive | Op::Tombstone, None) => return Ok(None),
        (Op::Add | Op::Edit, Some(known)) => standing(inputs, placed, known.next(inputs.now)),
        (Op::Add | Op::Edit, None) => {
            let first = first(inputs, placed)?;
            standing(inputs, placed, first)
        }
    };
    Ok(Some(record))
}

/// The newest record of what a change concerns; of an addition, that of the entry it brings back.
fn known<'a>(inputs: &Inputs<'a>, placed: &Placed<'_>) -> Option<&'a Record> {
    let matched = inputs.matched;
    if let (Op::Add, Some(earlier)) = (placed.chosen.change.op, &placed.chosen.change.earlier) {
        let mut gone = matched.gone.iter().chain(&matched.missing);
        return gone.find(|r| r.entry == earlier.entry);
    }
    if inputs.proposal.kind == Kind::Unreviewed {
        let before = placed.before.as_ref()?;
        return take_back::unreviewed(placed.chosen.change, before, inputs);
    }
    let by_id = |id: &EntryId| {
        let broken = || matched.broken.iter().map(|b| &b.record);
        let gone = || matched.missing.iter();
        let verified = matched.find(id).map(|s| &s.record);
        verified.or_else(|| broken().chain(gone()).find(|r| r.entry == *id))
    };
    let target = placed.chosen.change.target.as_ref()?;
    if let Some(id) = &target.entry {
        return by_id(id);
    }
    let before = placed.before.as_ref()?;
    let is_it = |e: &Entry| {
        (e.file, &e.section, &e.text, e.ordinal)
            == (before.file, &before.section, &before.text, before.ordinal)
    };
    let all = [&matched.sealed, &matched.lapsed, &matched.withheld];
    let verified = all.into_iter().flatten().find(|s| is_it(&s.entry));
    let moved = || {
        let same = |b: &&Broken| {
            matches!(b.reason, Reason::Moved { .. } | Reason::CameBack)
                && b.entry.as_ref().is_some_and(is_it)
        };
        matched.broken.iter().find(same)
    };
    verified
        .map(|s| &s.record)
        .or_else(|| moved().map(|b| &b.record))
}

fn leaving(inputs: &Inputs<'_>, known: &Record, state: RecordState) -> Record {
    let mut record = known.next(inputs.now);
    record.state = state;
    record.proposal = Some(inputs.proposal.id.clone());
    record
}

fn first(inputs: &Inputs<'_>, placed: &Placed<'_>) -> Result<Record, NoRandom> {
    let change = placed.chosen.change;
    Ok(Record::new(
        inputs.proposal.project.clone(),
        EntryId::random()?,
        change.file,
        "",
        "",
        change.origin,
        inputs.now,
    ))
}

/// The record of an entry that will stand in its file as decided.
fn standing(inputs: &Inputs<'_>, placed: &Placed<'_>, mut record: Record) -> Record {
    let change = placed.chosen.change;
    if let Some(after) = &placed.after {
        record.file = after.file;
        record.section.clone_from(&after.section);
        record.text.clone_from(&after.text);
    }
    record.origin = match placed.chosen.is_edited() {
        true => Origin::HumanEdit,
        false => change.origin,
    };
    let lines = inputs.proposal.lines.iter();
    record.evidence = match &change.earlier {
        // What was let in rests on what it rested on then.
        _ if inputs.proposal.kind == Kind::Unreviewed && !placed.chosen.is_edited() => {
            record.evidence
        }
        // What an earlier version rested on, its text rests on again.
        Some(earlier) if !placed.chosen.is_edited() => earlier.evidence.clone(),
        _ => evidence_hash(lines.filter(|l| change.evidence.contains(&l.n))),
    };
    // What a person took back, no curator brings back.
    if record.state != RecordState::Tombstoned || !inputs.proposal.kind.is_curated() {
        record.state = RecordState::Live;
    }
    record.confirmed = None;
    record.confirmations = 0;
    (record.accepted, record.lapses) = match inputs.by {
        By::Person => (Some(inputs.now), None),
        By::Policy(policy) => {
            let days = policy.lapses.of(record.file);
            (None, Some(lapse_after(inputs.now, days)))
        }
    };
    record.proposal = Some(inputs.proposal.id.clone());
    record
}
