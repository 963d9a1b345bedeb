//! Keys that decide on changes: each goes to the review, which has the rules.

use super::{ignore, review, say};
use crate::proposal::Kind;
use crate::review::{self as core, ChangeRef, Event, Group, Item};
use crate::text::{hidden, visible};
use crate::tui::action::Action;
use crate::tui::app::{App, Pane};
use crate::tui::msg::{Editing, Effect};
use crate::tui::overlay::Purpose;
use crate::tui::page::Key;

/// Does what a key means on the selected change, or on the selected row of the outline.
pub(super) fn act(app: &mut App, action: Action, frame: u64) -> Vec<Effect> {
    if let Some(numbers) = of_row(app) {
        match action {
            Action::Accept => return tell(app, core::Action::AcceptThese(numbers), frame),
            Action::Reject => return tell(app, core::Action::RejectThese(numbers), frame),
            _ => {}
        }
    }
    if of_one(action)
        && let Some(why) = elsewhere(app)
    {
        return say(app, why);
    }
    let asked = match action {
        Action::Accept => core::Action::Accept,
        Action::Reject => core::Action::Reject,
        Action::Skip => core::Action::Skip,
        Action::Clear => core::Action::Clear,
        Action::Edit => core::Action::Edit,
        Action::EditInline => return inline(app, frame),
        Action::StripHidden => return strip(app, frame),
        Action::AcceptAll => core::Action::AcceptAll,
        Action::RejectAll => core::Action::RejectAll,
        Action::AcceptFile => core::Action::AcceptThese(of_group(app)),
        Action::RejectFile => core::Action::RejectThese(of_group(app)),
        Action::Undo => core::Action::Undo,
        Action::Redo => core::Action::Redo,
        Action::Apply => core::Action::OpenSheet,
        Action::Discard => core::Action::Discard,
        Action::GiveBack => return super::typing::ask(app, Purpose::GiveBack),
        _ => return crate::tui::shelf::act(app, action, frame),
    };
    if of_one(action) && !was_shown(app, frame) {
        return ignore(app);
    }
    tell(app, asked, frame)
}

/// Whether an action is about the selected change and its text.
fn of_one(action: Action) -> bool {
    matches!(
        action,
        Action::Accept
            | Action::Reject
            | Action::Clear
            | Action::Edit
            | Action::EditInline
            | Action::StripHidden
    )
}

/// Why a key does not mean the selected change now: another row is selected in the outline, or the
/// change is out of sight. Then it comes into sight.
fn elsewhere(app: &mut App) -> Option<&'static str> {
    let key = Key::Change(app.review.current.clone()?);
    if app.place().focus == Pane::List {
        let other = app.place().cursor.as_ref() != Some(&key);
        return other.then_some("no change is selected in the outline: j goes on to one");
    }
    let height = usize::from(app.arranged.areas.content.height);
    let top = app.place().top;
    match app.arranged.page.span(&key) {
        None => Some("the selected change is not among those shown: f shows all, j goes on"),
        // The empty row after it is none of it.
        Some((from, to)) if to.saturating_sub(1) <= top || from >= top + height => {
            crate::tui::update::moves::show_cursor(app);
            Some("the selected change was out of sight: here it is")
        }
        Some(_) => None,
    }
}

/// Whether the selected change was on screen, and selected there, before the key was read.
fn was_shown(app: &App, frame: u64) -> bool {
    let Some(current) = &app.review.current else {
        // With nothing selected the review itself says why nothing happens.
        return true;
    };
    let selected = app.selected_in.as_ref();
    let selected = selected.is_some_and(|(c, at)| c == current && *at <= frame);
    selected && app.review.shown_in(current).is_some_and(|at| at <= frame)
}

/// Plays an act to the review.
pub(super) fn tell(app: &mut App, action: core::Action, frame: u64) -> Vec<Effect> {
    review(app, Event::Act { action, frame })
}

/// The changes that the selected row of the outline stands for, if it stands for several.
fn of_row(app: &App) -> Option<Vec<u32>> {
    let place = app.place();
    if place.focus != Pane::List {
        return None;
    }
    let item = app.item()?;
    match place.cursor.as_ref()? {
        Key::Proposal(id) if *id == item.proposal.id => Some(item.order.clone()),
        Key::Group(id, group) if *id == item.proposal.id => Some(numbers(item, *group)),
        _ => None,
    }
}

fn numbers(item: &Item, group: Group) -> Vec<u32> {
    let mut numbers = item.order.clone();
    numbers.retain(|&n| item.change(n).is_some_and(|c| Group::of(c) == group));
    numbers
}

/// The changes of the selected change's group.
fn of_group(app: &App) -> Vec<u32> {
    let current = app.review.current.as_ref().zip(app.item());
    let group = current.and_then(|(c, item)| Some((item, Group::of(item.change(c.n)?))));
    group.map_or(Vec::new(), |(item, group)| numbers(item, group))
}

fn current(app: &App) -> Option<(ChangeRef, &Item)> {
    let change = app.review.current.clone()?;
    Some((change, app.item()?))
}

/// Opens the change's text here. Hidden characters cannot be edited where they cannot be seen: they
/// are left out, which is said.
fn inline(app: &mut App, frame: u64) -> Vec<Effect> {
    if !was_shown(app, frame) {
        return ignore(app);
    }
    let Some((change, item)) = current(app) else {
        return say(app, "no change is selected");
    };
    let stands = item.text(change.n).to_owned();
    let begun = item.drafts.get(&change.n).cloned();
    super::typing::edit_here(app, Editing::Change(change), &stands, begun.as_deref())
}

fn strip(app: &mut App, frame: u64) -> Vec<Effect> {
    if !was_shown(app, frame) {
        return ignore(app);
    }
    let Some((change, item)) = current(app) else {
        return say(app, "no change is selected");
    };
    let text = without_hidden(item.draft(change.n));
    if !app.review.is_seen(&change) {
        return super::read_first(app, &change);
    }
    vec![Effect::Edited(Editing::Change(change), text)]
}

/// A text without the characters that nobody sees.
#[must_use]
pub(crate) fn without_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in hidden(text) {
        out.push_str(&text[from..place.offset]);
        from = place.offset + place.len;
    }
    out.push_str(&text[from..]);
    out
}

/// Shows what changed in memory since the selected change was proposed.
pub(super) fn base(app: &mut App) -> Vec<Effect> {
    use crate::review::Standing;
    let Some((change, item)) = current(app) else {
        return say(app, "no change is selected");
    };
    let said = match item.standing(change.n) {
        Some(Standing::Changed { .. }) => "base, now and proposed are shown in the change itself",
        Some(standing) => match item.change(change.n) {
            Some(change) => crate::review::said::standing(change, item.proposal.kind, standing),
            None => "",
        },
        None if item.proposal.kind == Kind::Distill => "memory has not changed here since",
        None => "nothing changed here since this was staged",
    };
    say(app, said)
}

/// Puts the selected change's text on the clipboard, hidden characters as tokens.
pub(super) fn copy(app: &mut App) -> Vec<Effect> {
    let text = match app.view {
        crate::tui::app::View::Review => {
            current(app).map(|(change, item)| item.text(change.n).to_owned())
        }
        _ => crate::tui::shelf::selected_text(app),
    };
    match text {
        Some(text) => {
            app.notice = Some("copied".to_owned());
            vec![Effect::Copy(visible(&text))]
        }
        None => say(app, "nothing is selected"),
    }
}
