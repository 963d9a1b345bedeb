//! What can be done now, and why not. Read by footer, list of keys and dispatch alike.

use super::action::Action;
use super::app::{App, View};
use crate::proposal::{Decision, Kind};
use crate::text::hidden;

/// Whether an action can be done; else why not, as a fragment for people.
///
/// # Errors
/// Why it cannot be done now.
pub fn check(app: &App, action: Action) -> Result<(), String> {
    match app.view {
        View::Review => in_review(app, action),
        _ => super::shelf::check(app, action),
    }
}

fn in_review(app: &App, action: Action) -> Result<(), String> {
    let must = |holds: bool, why: &str| if holds { Ok(()) } else { Err(why.to_owned()) };
    let current = app.review.current.as_ref().zip(app.item());
    match action {
        Action::Accept | Action::Reject if app.place().focus == super::app::Pane::List => {
            must(app.item().is_some(), "nothing is selected")
        }
        Action::Accept => match current.map(|(c, item)| item.block(c.n)) {
            None => Err("no change is selected".to_owned()),
            Some(Some(block)) => Err(format!(
                "cannot be accepted: {}: {}; edit or reject it",
                block.guard, block.reason
            )),
            Some(None) => Ok(()),
        },
        Action::Reject | Action::Skip | Action::Edit | Action::EditInline => {
            must(current.is_some(), "no change is selected")
        }
        Action::Clear => must(
            current.is_some_and(|(c, item)| *item.decision(c.n) != Decision::Undecided),
            "nothing is decided here",
        ),
        Action::StripHidden => must(
            current.is_some_and(|(c, item)| !hidden(item.draft(c.n)).is_empty()),
            "there are no hidden characters in it",
        ),
        Action::AcceptAll | Action::AcceptFile => must(
            app.item().is_some_and(|item| !item.undecided().is_empty()),
            "nothing is undecided",
        ),
        Action::RejectAll | Action::RejectFile | Action::Discard => {
            must(app.item().is_some(), "no proposal is open")
        }
        Action::GiveBack => match app.item().map(crate::review::Item::why_not_given_back) {
            None => Err("no proposal is open".to_owned()),
            Some(Some(why)) => Err(why.to_owned()),
            Some(None) => Ok(()),
        },
        Action::Undo => must(
            app.item().is_some_and(|i| !i.decisions.is_empty()),
            "nothing is decided yet",
        ),
        Action::Redo => must(app.item().is_some(), "no proposal is open"),
        Action::Apply => must(
            // Of what stands on disk, what was read is meant where nothing is decided.
            app.item().is_some_and(|i| {
                i.proposal.kind == Kind::ChangedOnDisk || i.undecided().len() < i.order.len()
            }),
            "nothing is decided yet; a accepts, r rejects, D discards the whole proposal",
        ),
        Action::NextProposal | Action::PreviousProposal => {
            must(app.review.queue.len() > 1, "there is no other proposal")
        }
        Action::NotSecret | Action::Revert => super::shelf::check(app, action),
        _ => Ok(()),
    }
}
