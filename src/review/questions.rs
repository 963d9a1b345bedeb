//! What a review asks before it does something large, and what counts as the answer: a `y` that was
//! read after the question was painted, and nothing else.

use super::update::{say, set};
use super::{Action, Ask, ChangeRef, Effect, Item, Model};
use crate::id::ProposalId;
use crate::proposal::{Decision, Kind};
use crate::text::count;

/// Asks whether to accept what is clean and undecided: of the whole proposal, or of these changes.
pub(super) fn accept_all(model: &mut Model, only: Option<&[u32]>) -> Vec<Effect> {
    let Some(item) = model.current_item() else {
        return say(model, "nothing to accept");
    };
    let meant = |n: &u32| only.is_none_or(|only| only.contains(n));
    let proposal = item.proposal.id.clone();
    let mut clean = item.clean();
    clean.retain(meant);
    let mut flagged = item.undecided();
    flagged.retain(|n| meant(n) && !clean.contains(n));
    let passed_over: Vec<_> = flagged.iter().map(|&n| named(item, n)).collect();
    if clean.is_empty() && passed_over.is_empty() {
        return say(model, "nothing is undecided");
    }
    if clean.is_empty() {
        return say(model, all_flagged(&passed_over));
    }
    let titles = clean.iter().map(|&n| item.title(n)).collect();
    let (_, unseen) = model.by_seen(&proposal, &clean);
    let show = unseen.into_iter().map(Effect::Show).collect();
    let ask = Ask::AcceptAll {
        proposal,
        numbers: clean,
        titles,
        passed_over,
    };
    model.ask = Some((ask, None));
    show
}

/// Flagged changes that a sentence names; a review of many would drown in them.
const NAMED: usize = 3;

/// What is said where all that is undecided is flagged: how many, and the first by name.
fn all_flagged(passed_over: &[(String, String)]) -> String {
    let many = count(passed_over.len(), "change", "changes");
    let names = names(passed_over);
    format!("nothing to accept all of: {many} flagged, to be decided one by one: {names}")
}

/// What came of accepting all: how many went in, how many did not, and the first that were passed over
/// by name.
fn accepted(seen: usize, unseen: usize, passed_over: &[(String, String)]) -> String {
    let mut said = match seen {
        0 => "nothing accepted".to_owned(),
        n => format!("{} accepted", count(n, "change", "changes")),
    };
    if unseen > 0 {
        said.push_str(&format!("; {unseen} not shown to the end and not accepted"));
    }
    if !passed_over.is_empty() {
        let (many, names) = (passed_over.len(), names(passed_over));
        said.push_str(&format!("; {many} flagged and passed over: {names}"));
    }
    said
}

/// The first of them, with what flags them.
fn names(passed_over: &[(String, String)]) -> String {
    let named = passed_over.iter().take(NAMED);
    let mut names: Vec<_> = named
        .map(|(title, flag)| format!("{title} ({flag})"))
        .collect();
    match passed_over.len().saturating_sub(NAMED) {
        0 => {}
        more => names.push(format!("and {more} more")),
    }
    names.join("; ")
}

/// Asks whether to reject what is not rejected yet: of the whole proposal, or of these changes.
pub(super) fn reject_all(model: &mut Model, only: Option<&[u32]>) -> Vec<Effect> {
    let Some(item) = model.current_item() else {
        return say(model, "nothing to reject");
    };
    let mut numbers = item.order.clone();
    numbers.retain(|n| only.is_none_or(|only| only.contains(n)));
    numbers.retain(|&n| *item.decision(n) != Decision::Rejected);
    if numbers.is_empty() {
        return say(model, "nothing is left to reject");
    }
    let is_decided = |n: &&u32| *item.decision(**n) != Decision::Undecided;
    let ask = Ask::RejectAll {
        proposal: item.proposal.id.clone(),
        decided: numbers.iter().filter(is_decided).count(),
        numbers,
    };
    model.ask = Some((ask, None));
    Vec::new()
}

fn refs(proposal: &ProposalId, numbers: &[u32]) -> impl Iterator<Item = ChangeRef> {
    numbers.iter().map(|&n| ChangeRef {
        proposal: proposal.clone(),
        n,
    })
}

/// A change's title with what flags it.
fn named(item: &Item, n: u32) -> (String, String) {
    let mut guards: Vec<_> = item.flags(n).iter().map(|v| v.guard.clone()).collect();
    // A guard that speaks twice of a change is named once.
    guards.dedup();
    if item.standing(n).is_some() {
        guards.push("stale".to_owned());
    }
    (item.title(n), guards.join(", "))
}

/// Asks for the sheet of what is decided. Of what stands on disk and was read to its end before the
/// key, what nothing speaks against is meant where nothing is decided: the sheet asks for it by name.
pub(super) fn open_sheet(model: &mut Model, frame: u64) -> Vec<Effect> {
    let Some(item) = model.current_item() else {
        return say(model, "nothing to apply");
    };
    if let Some(read) = all_read(model, item, frame) {
        let proposal = item.proposal.id.clone();
        let mut effects = set(model, read);
        model.meant = Some(proposal.clone());
        effects.push(Effect::Plan(proposal));
        return effects;
    }
    if item.undecided().len() == item.order.len() && !item.order.is_empty() {
        return say(
            model,
            "nothing is decided yet; D discards the whole proposal",
        );
    }
    let blocked = |n: &u32| item.block(*n).map(|v| (item.title(*n), v.clone()));
    if let Some((title, v)) = item.chosen().iter().find_map(blocked) {
        let why = format!(
            "{title}: {}: {}; edit or reject it before applying",
            v.guard, v.reason
        );
        return say(model, why);
    }
    vec![Effect::Plan(item.proposal.id.clone())]
}

/// What a person left as they wrote it themselves, most likely: clean, undecided, all of it read.
fn all_read(model: &Model, item: &Item, frame: u64) -> Option<Vec<(ChangeRef, Decision)>> {
    let nothing_decided = item.undecided().len() == item.order.len();
    if item.proposal.kind != Kind::ChangedOnDisk || !nothing_decided {
        return None;
    }
    let clean: Vec<ChangeRef> = refs(&item.proposal.id, &item.clean()).collect();
    let was_read =
        |c: &ChangeRef| model.is_seen(c) && model.shown_in(c).is_some_and(|shown| shown <= frame);
    let all = !clean.is_empty() && clean.iter().all(was_read);
    all.then(|| clean.into_iter().map(|c| (c, Decision::Accepted)).collect())
}

/// What opening a sheet decided by itself is decided no more: nobody applied it.
pub(super) fn unmean(model: &mut Model) -> Vec<Effect> {
    let Some(proposal) = model.meant.take() else {
        return Vec::new();
    };
    let done = model.done.get_mut(&proposal).and_then(Vec::pop);
    let undo = done.map(|times| Effect::Undo { proposal, times });
    undo.into_iter().collect()
}

pub(super) fn ask_of_open(model: &mut Model, ask: impl FnOnce(ProposalId) -> Ask) -> Vec<Effect> {
    match model.open.clone() {
        Some(id) => model.ask = Some((ask(id), None)),
        None => model.notice = Some("no proposal is open".to_owned()),
    }
    Vec::new()
}

/// While a question is open, only a later `y` answers it; anything else but an override closes it.
pub(super) fn answer(model: &mut Model, action: Action, frame: u64) -> Vec<Effect> {
    let Some((ask, painted)) = model.ask.take() else {
        return Vec::new();
    };
    let effects = match action {
        Action::Confirm if painted.is_some_and(|p| p <= frame) => confirmed(model, ask),
        Action::Confirm => {
            model.ask = Some((ask, painted));
            say(
                model,
                "ignored: it was typed before the question was on screen",
            )
        }
        Action::Override(why) => overridden(model, ask, painted, &why),
        Action::Quit => vec![Effect::Quit],
        _ => say(model, "nothing was done"),
    };
    if effects.iter().any(|e| matches!(e, Effect::Apply { .. })) {
        model.meant = None;
    }
    let undone = match model.ask {
        Some(_) => Vec::new(),
        None => unmean(model),
    };
    undone.into_iter().chain(effects).collect()
}

fn overridden(model: &mut Model, ask: Ask, painted: Option<u64>, why: &str) -> Vec<Effect> {
    match ask {
        Ask::Apply {
            proposal,
            sheet,
            because: _,
        } if sheet.only_loss_blocks() && !why.trim().is_empty() => {
            let because = Some(why.trim().to_owned());
            // The sheet has changed, so it must be painted again before a `y` counts.
            model.ask = Some((
                Ask::Apply {
                    proposal,
                    sheet,
                    because,
                },
                None,
            ));
            Vec::new()
        }
        ask => {
            model.ask = Some((ask, painted));
            say(model, "there is nothing here that a reason overrides")
        }
    }
}

fn confirmed(model: &mut Model, ask: Ask) -> Vec<Effect> {
    match ask {
        Ask::AcceptAll {
            proposal,
            numbers,
            passed_over,
            ..
        } => {
            let (seen, unseen) = model.by_seen(&proposal, &numbers);
            model.notice = Some(accepted(seen.len(), unseen.len(), &passed_over));
            let all = seen.into_iter().map(|c| (c, Decision::Accepted));
            set(model, all.collect())
        }
        Ask::RejectAll {
            proposal, numbers, ..
        } => {
            let all = refs(&proposal, &numbers).map(|c| (c, Decision::Rejected));
            let all = all.collect();
            set(model, all)
        }
        Ask::Discard(id) => vec![Effect::Discard(id)],
        Ask::Return(proposal, note) => vec![Effect::Return { proposal, note }],
        Ask::Apply {
            proposal,
            sheet,
            because,
        } => match sheet.blocked() {
            Some((file, verdict)) if because.is_none() => {
                let why = format!(
                    "{}: {}: {}; nothing was applied",
                    file.name, verdict.guard, verdict.reason
                );
                say(model, why)
            }
            _ => vec![Effect::Apply { proposal, because }],
        },
    }
}
