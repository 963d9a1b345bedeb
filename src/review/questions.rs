//! What a review asks before it does something large, and what counts as the answer: a `y` that was
//! read after the question was painted, and nothing else.

use super::update::{say, set};
use super::{Action, Ask, ChangeRef, Effect, Item, Model};
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::text::count;

pub(super) fn accept_all(model: &mut Model) -> Vec<Effect> {
    let Some(item) = model.current_item() else {
        return say(model, "nothing to accept");
    };
    let proposal = item.proposal.id.clone();
    let clean = item.clean();
    let mut flagged = item.undecided();
    flagged.retain(|n| !clean.contains(n));
    let passed_over: Vec<_> = flagged.iter().map(|&n| named(item, n)).collect();
    if clean.is_empty() && passed_over.is_empty() {
        return say(model, "nothing is undecided");
    }
    if clean.is_empty() {
        let names: Vec<_> = passed_over
            .into_iter()
            .map(|(t, g)| format!("{t} ({g})"))
            .collect();
        return say(
            model,
            format!(
                "nothing to accept all of; to decide one by one: {}",
                names.join("; ")
            ),
        );
    }
    let titles = clean.iter().map(|&n| item.title(n)).collect();
    let unseen = refs(&proposal, &clean).filter(|c| !model.is_seen(c));
    let show = unseen.map(Effect::Show).collect();
    let ask = Ask::AcceptAll {
        proposal,
        numbers: clean,
        titles,
        passed_over,
    };
    model.ask = Some((ask, None));
    show
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
    if item.standing(n).is_some() {
        guards.push("stale".to_owned());
    }
    (item.title(n), guards.join(", "))
}

pub(super) fn open_sheet(model: &mut Model) -> Vec<Effect> {
    let Some(item) = model.current_item() else {
        return say(model, "nothing to apply");
    };
    if item.undecided().len() == item.order.len() && !item.order.is_empty() {
        return say(
            model,
            "nothing is decided yet; d discards the whole proposal",
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
    match action {
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
    }
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
            proposal, numbers, ..
        } => {
            let (seen, unseen): (Vec<_>, Vec<_>) =
                refs(&proposal, &numbers).partition(|c| model.is_seen(c));
            let accepted = seen.into_iter().map(|c| (c, Decision::Accepted));
            let effects = set(model, accepted.collect());
            if !unseen.is_empty() {
                let stay = count(unseen.len(), "change was", "changes were");
                model.notice = Some(format!("{stay} not shown to the end and not accepted"));
            }
            effects
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
