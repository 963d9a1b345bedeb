//! The one function that changes a review.

use super::questions::{accept_all, answer, ask_of_open, open_sheet, reject_all, unmean};
use super::{Action, Ask, ChangeRef, Edit, Effect, Event, Group, Item, Judged, Model, Place};
use crate::id::ProposalId;
use crate::proposal::{Decision, Level};

/// Answers an event: changes the model and says what the shell is to do.
///
/// No input decides on a change that was not painted before the input was read, and none accepts
/// one that was not painted to its end.
#[must_use]
pub fn update(model: &mut Model, event: Event) -> Vec<Effect> {
    match event {
        Event::Act { action, frame } => {
            model.notice = None;
            act(model, action, frame)
        }
        Event::Shown {
            change,
            frame,
            whole,
        } => {
            let place = model.seen.entry(change).or_insert(Place { frame, whole });
            place.whole |= whole;
            Vec::new()
        }
        Event::Asked { frame } => {
            if let Some((_, at)) = &mut model.ask {
                at.get_or_insert(frame);
            }
            Vec::new()
        }
        Event::Loaded(queue) => model.load(queue),
        Event::Opened(item) => model.opened(*item),
        Event::Judged { proposal, judged } => {
            rejudged(model, &proposal, judged);
            Vec::new()
        }
        Event::Decisions {
            proposal,
            decisions,
        } => adopt(model, proposal, decisions),
        Event::Edited { change, edit } => edited(model, change, edit),
        Event::Planned { proposal, sheet } => {
            match sheet {
                Ok(sheet) => {
                    let sheet = Box::new(sheet);
                    let because = None;
                    model.ask = Some((
                        Ask::Apply {
                            proposal,
                            sheet,
                            because,
                        },
                        None,
                    ));
                }
                Err(why) => {
                    model.notice = Some(why);
                    return unmean(model);
                }
            }
            Vec::new()
        }
        Event::Applied { proposal, left } => applied(model, &proposal, left),
        Event::Closed { proposal } => close(model, &proposal),
        Event::Failed(why) => {
            model.notice = Some(why);
            Vec::new()
        }
    }
}

fn act(model: &mut Model, action: Action, frame: u64) -> Vec<Effect> {
    if model.ask.is_some() {
        return answer(model, action, frame);
    }
    match action {
        Action::Accept => accept(model, frame),
        Action::Reject => decide(model, frame, Decision::Rejected),
        Action::Clear => decide(model, frame, Decision::Undecided),
        Action::Edit => on_seen(model, frame, |_, change| vec![Effect::Edit(change)]),
        Action::Skip => skip(model),
        Action::Undo => replay(model, false),
        Action::Redo => replay(model, true),
        Action::Next => stepped(model, 1),
        Action::Back => stepped(model, -1),
        Action::First | Action::Last => to_end(model, &action),
        Action::NextGroup => grouped(model, 1),
        Action::PreviousGroup => grouped(model, -1),
        Action::NextProposal => neighbour(model, 1),
        Action::PreviousProposal => neighbour(model, -1),
        Action::Select(change) => select(model, change),
        Action::Open(id) => open(model, id),
        Action::AcceptAll => accept_all(model, None),
        Action::AcceptThese(numbers) => accept_all(model, Some(&numbers)),
        Action::RejectAll => reject_all(model, None),
        Action::RejectThese(numbers) => reject_all(model, Some(&numbers)),
        Action::OpenSheet => open_sheet(model, frame),
        Action::Discard => ask_of_open(model, Ask::Discard),
        Action::Return(note) => ask_of_open(model, |id| Ask::Return(id, note)),
        Action::Quit => vec![Effect::Quit],
        Action::Confirm | Action::Cancel | Action::Override(_) => say(model, "nothing was asked"),
    }
}

pub(super) fn say(model: &mut Model, what: impl Into<String>) -> Vec<Effect> {
    model.notice = Some(what.into());
    Vec::new()
}

/// Runs `then` on the current change, if it was painted before the input was read.
fn on_seen(
    model: &mut Model,
    frame: u64,
    then: impl FnOnce(&mut Model, ChangeRef) -> Vec<Effect>,
) -> Vec<Effect> {
    let Some(current) = model.current.clone() else {
        return say(model, "no change is selected; w shows what applying writes");
    };
    match model.seen.get(&current) {
        Some(place) if place.frame <= frame => then(model, current),
        _ => say(
            model,
            "ignored: it was typed before this change was on screen",
        ),
    }
}

fn accept(model: &mut Model, frame: u64) -> Vec<Effect> {
    on_seen(model, frame, |model, current| {
        let whole = model.is_seen(&current);
        let item = model.item(&current.proposal);
        if let Some(block) = item.and_then(|i| i.block(current.n)) {
            let why = format!(
                "cannot be accepted: {}: {}; edit or reject it",
                block.guard, block.reason
            );
            return say(model, why);
        }
        if !whole {
            return vec![Effect::ReadOn(current)];
        }
        let decision = match item.map(|i| i.decision(current.n)) {
            Some(Decision::Edited(text)) => Decision::Edited(text.clone()),
            _ => Decision::Accepted,
        };
        set(model, vec![(current, decision)])
    })
}

fn decide(model: &mut Model, frame: u64, decision: Decision) -> Vec<Effect> {
    on_seen(model, frame, |model, current| {
        set(model, vec![(current, decision)])
    })
}

/// Records decisions made by one act, and moves on when the current change is decided.
pub(super) fn set(model: &mut Model, decisions: Vec<(ChangeRef, Decision)>) -> Vec<Effect> {
    let Some(id) = decisions.first().map(|(c, _)| c.proposal.clone()) else {
        return Vec::new();
    };
    model
        .done
        .entry(id.clone())
        .or_default()
        .push(decisions.len());
    model.undone.remove(&id);
    let mut effects = Vec::new();
    for (change, decision) in decisions {
        model.skipped.remove(&change);
        if let Some(item) = model.item_mut(&change.proposal) {
            let before = item.text(change.n).to_owned();
            item.decisions.insert(change.n, decision.clone());
            if item.text(change.n) != before {
                // Another text than the one that was painted.
                model.seen.remove(&change);
            }
        }
        effects.push(Effect::SaveDecision { change, decision });
    }
    effects.push(Effect::Judge(id));
    let decided = |c: &ChangeRef| {
        model
            .item(&c.proposal)
            .is_some_and(|i| *i.decision(c.n) != Decision::Undecided)
    };
    if model.current.as_ref().is_some_and(decided) {
        model.advance();
    }
    effects
}

fn neighbour(model: &mut Model, by: isize) -> Vec<Effect> {
    if model.queue.len() < 2 {
        return say(model, "this is the last proposal; there is no other");
    }
    if model.is_at_last() && by > 0 {
        model.notice = Some("that was the last proposal; on with the first".to_owned());
    }
    let next = model.neighbour(by);
    model.enter(next)
}

fn open(model: &mut Model, id: ProposalId) -> Vec<Effect> {
    match model.position(&id) {
        Some(_) => model.enter(Some(id)),
        None => say(model, "that proposal is no longer in the queue"),
    }
}

fn select(model: &mut Model, change: ChangeRef) -> Vec<Effect> {
    let mut effects = Vec::new();
    if model.open.as_ref() != Some(&change.proposal) {
        effects = open(model, change.proposal.clone());
    }
    let stands = |item: &Item| item.change(change.n).is_some();
    if model.item(&change.proposal).is_some_and(stands) {
        model.select(Some(change.n));
    }
    effects
}

fn to_end(model: &mut Model, end: &Action) -> Vec<Effect> {
    let order = model.current_item().map(|i| i.order.as_slice());
    let order = order.unwrap_or_default();
    let n = match end {
        Action::First => order.first(),
        _ => order.last(),
    };
    let n = n.copied();
    model.select(n);
    Vec::new()
}

/// To the first change of the group after or before the current one's.
fn grouped(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(item) = model.current_item() else {
        return Vec::new();
    };
    let group = |n: &u32| item.change(*n).map(Group::of);
    let current = model.current.as_ref().map(|c| c.n);
    let here = current.and_then(|n| group(&n));
    let mut heads: Vec<u32> = Vec::new();
    for n in &item.order {
        if heads.last().is_none_or(|last| group(last) != group(n)) {
            heads.push(*n);
        }
    }
    let at = heads.iter().position(|n| group(n) == here);
    let to = match at {
        Some(at) => at.checked_add_signed(by),
        // Past the last change there is a group before, and none after.
        None => heads.len().checked_sub(1).filter(|_| by < 0),
    };
    if let Some(&n) = to.and_then(|to| heads.get(to)) {
        model.select(Some(n));
    }
    Vec::new()
}

fn skip(model: &mut Model) -> Vec<Effect> {
    if let Some(current) = model.current.clone() {
        model.skipped.insert(current);
        model.advance();
    }
    Vec::new()
}

fn stepped(model: &mut Model, by: isize) -> Vec<Effect> {
    model.step(by);
    Vec::new()
}

/// Undo or redo: the journal does it, in the steps in which it was done here.
fn replay(model: &mut Model, again: bool) -> Vec<Effect> {
    let Some(proposal) = model.open.clone() else {
        return say(model, "nothing to undo");
    };
    let (from, to) = if again {
        (&mut model.undone, &mut model.done)
    } else {
        (&mut model.done, &mut model.undone)
    };
    // What an earlier review decided is taken back one by one.
    let times = from.get_mut(&proposal).and_then(Vec::pop).unwrap_or(1);
    to.entry(proposal.clone()).or_default().push(times);
    // Stands unless the journal turns out to have something.
    model.notice = Some("nothing more to take back or do again".to_owned());
    if again {
        vec![Effect::Redo { proposal, times }]
    } else {
        vec![Effect::Undo { proposal, times }]
    }
}

/// So many changes are named when their decisions change at once.
const NAMED: usize = 5;

fn word(decision: &Decision) -> &'static str {
    match decision {
        Decision::Undecided => "undecided",
        Decision::Accepted => "accepted",
        Decision::Edited(_) => "accepted as edited",
        Decision::Rejected => "rejected",
    }
}

fn adopt(
    model: &mut Model,
    proposal: ProposalId,
    decisions: std::collections::BTreeMap<u32, Decision>,
) -> Vec<Effect> {
    let is_open = model.open.as_ref() == Some(&proposal);
    let Some(item) = model.item_mut(&proposal) else {
        return Vec::new();
    };
    let before = std::mem::replace(&mut item.decisions, decisions);
    let was = |n: u32| before.get(&n).unwrap_or(&Decision::Undecided);
    let mut touched = item.order.clone();
    touched.retain(|&n| was(n) != item.decision(n));
    if touched.is_empty() {
        return Vec::new();
    }
    let named = touched.iter().take(NAMED).map(|&n| {
        let (was, is) = (word(was(n)), word(item.decision(n)));
        format!("{}: was {was}, is {is} now", item.title(n))
    });
    let mut named: Vec<String> = named.collect();
    if touched.len() > NAMED {
        named.push(format!("{} more", touched.len() - NAMED));
    }
    model.notice = Some(named.join("; "));
    for &n in &touched {
        let change = ChangeRef {
            proposal: proposal.clone(),
            n,
        };
        model.skipped.remove(&change);
        // What is decided is part of what was painted: the text may be another one.
        model.seen.remove(&change);
    }
    if is_open && let Some(&n) = touched.first() {
        model.current = Some(ChangeRef {
            proposal: proposal.clone(),
            n,
        });
    }
    vec![Effect::Judge(proposal)]
}

/// A change whose verdicts are no longer those that were painted has to be painted again.
fn rejudged(model: &mut Model, proposal: &ProposalId, judged: Judged) {
    let Some(item) = model.item_mut(proposal) else {
        return;
    };
    let flags = |item: &Item, n: u32| {
        let flags: Vec<_> = item.flags(n).into_iter().cloned().collect();
        (flags, item.standing(n).cloned())
    };
    let before: Vec<_> = item.order.iter().map(|&n| (n, flags(item, n))).collect();
    item.judged = judged;
    let turned: Vec<u32> = before
        .into_iter()
        .filter(|(n, old)| *old != flags(item, *n))
        .map(|(n, _)| n)
        .collect();
    let stale = |c: &ChangeRef| c.proposal == *proposal && turned.contains(&c.n);
    model.seen.retain(|change, _| !stale(change));
}

/// An edit that a guardrail blocks decides nothing: it waits for the next one.
fn edited(model: &mut Model, change: ChangeRef, edit: Result<Edit, String>) -> Vec<Effect> {
    let edit = match edit {
        Ok(edit) => edit,
        Err(why) => return say(model, why),
    };
    let against = objection(&edit.judged, change.n);
    let Some(item) = model.item_mut(&change.proposal) else {
        return Vec::new();
    };
    if let Some(why) = against {
        item.drafts.insert(change.n, edit.text);
        return say(
            model,
            format!("not taken: {why}; e goes on from your text, r rejects the change"),
        );
    }
    item.drafts.remove(&change.n);
    let decision = Decision::Edited(edit.text);
    // Its new text is painted, as it is judged, before the review goes on.
    let mut effects = set(model, vec![(change.clone(), decision)]);
    if let Ok(judged) = edit.judged {
        rejudged(model, &change.proposal, judged);
    }
    effects.push(Effect::Show(change));
    effects
}

/// Why an edited change cannot go in.
fn objection(judged: &Result<Judged, String>, n: u32) -> Option<String> {
    match judged {
        Err(why) => Some(why.clone()),
        Ok(judged) => judged
            .changes
            .get(&n)?
            .iter()
            .find(|v| v.level == Level::Block)
            .map(|v| format!("{}: {}", v.guard, v.reason)),
    }
}

fn applied(
    model: &mut Model,
    proposal: &ProposalId,
    left: Result<Vec<u32>, String>,
) -> Vec<Effect> {
    match left {
        Err(why) => say(model, why),
        Ok(left) if left.is_empty() => close(model, proposal),
        Ok(left) => {
            if let Some(item) = model.item_mut(proposal) {
                item.order.retain(|n| left.contains(n));
            }
            model.done.remove(proposal);
            model.undone.remove(proposal);
            let mut effects = model.enter(Some(proposal.clone()));
            effects.push(Effect::Judge(proposal.clone()));
            effects
        }
    }
}

fn close(model: &mut Model, proposal: &ProposalId) -> Vec<Effect> {
    let next = model.neighbour(1).filter(|id| id != proposal);
    model.queue.retain(|w| w.id != *proposal);
    model.done.remove(proposal);
    model.undone.remove(proposal);
    if model.open.as_ref() == Some(proposal) {
        return model.enter(next);
    }
    Vec::new()
}
