//! Moving: the selection, scrolling, folding, panes. Decides nothing.

use super::{review, say};
use crate::review::{self as core, ChangeRef, Event};
use crate::tui::action::Action;
use crate::tui::app::{App, Drawer, Pane, View};
use crate::tui::msg::Effect;
use crate::tui::page::{Key, scrolled};
use crate::tui::{arrange, shelf};

/// Everything that only moves.
pub(super) fn go(app: &mut App, action: Action) -> Vec<Effect> {
    let height = usize::from(app.arranged.areas.content.height).max(1);
    match action {
        Action::Down => step(app, 1),
        Action::Up => step(app, -1),
        Action::NextEntry => next(app, 1),
        Action::PreviousEntry => next(app, -1),
        Action::NextFile => step_group(app, 1),
        Action::PreviousFile => step_group(app, -1),
        Action::NextProposal => tell(app, core::Action::NextProposal),
        Action::PreviousProposal => tell(app, core::Action::PreviousProposal),
        Action::ReadOn => space(app),
        Action::LineDown => scroll(app, 1),
        Action::LineUp => scroll(app, -1),
        Action::HalfDown => scroll(app, signed(height / 2)),
        Action::HalfUp => scroll(app, -signed(height / 2)),
        Action::PageDown => scroll(app, signed(height - 1)),
        Action::PageUp => scroll(app, -signed(height - 1)),
        Action::First => to_end(app, false),
        Action::Last => to_end(app, true),
        Action::Left => left(app),
        Action::Right => right(app),
        Action::NextPane => turn_pane(app, true),
        Action::PreviousPane => turn_pane(app, false),
        _ => Vec::new(),
    }
}

fn signed(n: usize) -> isize {
    isize::try_from(n.max(1)).unwrap_or(isize::MAX)
}

fn tell(app: &mut App, action: core::Action) -> Vec<Effect> {
    let frame = app.frame;
    review(app, Event::Act { action, frame })
}

fn step(app: &mut App, by: isize) -> Vec<Effect> {
    match app.place().focus {
        Pane::List => {
            let key = app.arranged.list.step(app.place().cursor.as_ref(), by);
            key.map_or(Vec::new(), |key| select(app, key))
        }
        Pane::Content => step_content(app, by),
        Pane::Drawer => {
            let rows = app
                .arranged
                .drawer
                .blocks()
                .iter()
                .filter(|b| b.key.is_some());
            let Some(last) = rows.count().checked_sub(1) else {
                return scroll(app, by);
            };
            let place = app.place_mut();
            place.row = place.row.saturating_add_signed(by).min(last);
            let row = place.row;
            let height = usize::from(app.arranged.areas.drawer.height);
            if let Some((from, to)) = app.arranged.drawer.span(&Key::Row(row)) {
                let top = app.place().drawer_top;
                app.place_mut().drawer_top = scrolled(top, from, to, height);
            }
            Vec::new()
        }
    }
}

fn next(app: &mut App, by: isize) -> Vec<Effect> {
    match app.view {
        View::Review => step_content(app, by),
        _ => shelf::next(app, by).unwrap_or_else(|| step_content(app, by)),
    }
}

fn step_content(app: &mut App, by: isize) -> Vec<Effect> {
    let key = match app.view {
        View::Review => super::current_key(app),
        _ => app.place().cursor.clone(),
    };
    match app.arranged.page.step(key.as_ref(), by) {
        Some(next) if Some(&next) != key.as_ref() => select(app, next),
        // Nothing further: the rest of a long text still comes into sight.
        _ => scroll(app, by),
    }
}

fn step_group(app: &mut App, by: isize) -> Vec<Effect> {
    match app.view {
        View::Review if by > 0 => tell(app, core::Action::NextGroup),
        View::Review => tell(app, core::Action::PreviousGroup),
        _ => shelf::step_file(app, by),
    }
}

/// Selects what a key stands for, and brings it into sight.
pub(crate) fn select(app: &mut App, key: Key) -> Vec<Effect> {
    app.place_mut().cursor = Some(key.clone());
    let effects = match key {
        Key::Change(change) => tell(app, core::Action::Select(change)),
        Key::Proposal(id) | Key::Group(id, _) if app.review.open.as_ref() != Some(&id) => {
            let cursor = app.place().cursor.clone();
            let effects = tell(app, core::Action::Open(id));
            app.place_mut().cursor = cursor;
            effects
        }
        Key::Group(_, group) => {
            to_group(app, group);
            Vec::new()
        }
        _ if app.view != View::Review => shelf::selected(app),
        _ => Vec::new(),
    };
    show_cursor(app);
    effects
}

/// Brings the first change of a group into sight without selecting it.
fn to_group(app: &mut App, group: core::Group) {
    let first = app.item().and_then(|item| {
        let n = item.changes().find(|c| core::Group::of(c) == group)?.n;
        let proposal = item.proposal.id.clone();
        Some(Key::Change(ChangeRef { proposal, n }))
    });
    if let Some((from, _)) = first.and_then(|key| app.arranged.page.span(&key)) {
        app.place_mut().top = from.saturating_sub(2);
    }
}

/// The selection follows the review's.
pub(super) fn follow(app: &mut App) {
    let place = &mut app.places[View::Review as usize];
    place.row = 0;
    place.drawer_top = 0;
    if let Some(current) = app.review.current.clone() {
        place.cursor = Some(Key::Change(current));
    } else if let Some(open) = app.review.open.clone() {
        place.cursor = Some(Key::Proposal(open));
    }
    // Its rows may not be laid out yet.
    arrange::lay_out(app);
    show_cursor(app);
}

/// Scrolls list and content so that the selection is in sight.
pub(crate) fn show_cursor(app: &mut App) {
    let areas = app.arranged.areas;
    let place = app.place().clone();
    if let Some(at) = place
        .cursor
        .as_ref()
        .and_then(|k| app.arranged.list.position(k))
    {
        let height = usize::from(areas.list.height).saturating_sub(1).max(1);
        app.place_mut().list_top = scrolled(place.list_top, at, at + 1, height);
    }
    let key = match app.view {
        View::Review => super::current_key(app),
        _ => place.cursor,
    };
    if let Some((from, to)) = key.and_then(|k| app.arranged.page.span(&k)) {
        let height = usize::from(areas.content.height);
        // The title of the file stands above its first change.
        let above = arrange::rows_above(app, from);
        app.place_mut().top = scrolled(place.top, above, to, height);
    }
}

fn scroll(app: &mut App, by: isize) -> Vec<Effect> {
    match app.place().focus {
        Pane::Drawer => {
            let height = usize::from(app.arranged.areas.drawer.height);
            let last = app.arranged.drawer.last_top(height);
            let place = app.place_mut();
            place.drawer_top = place.drawer_top.saturating_add_signed(by).min(last);
        }
        Pane::List => {
            let height = usize::from(app.arranged.areas.list.height);
            let last = app.arranged.list.entries.len().saturating_sub(height);
            let place = app.place_mut();
            place.list_top = place.list_top.saturating_add_signed(by).min(last);
        }
        Pane::Content => {
            let height = usize::from(app.arranged.areas.content.height);
            let last = app.arranged.page.last_top(height);
            let place = app.place_mut();
            place.top = place.top.saturating_add_signed(by).min(last);
        }
    }
    Vec::new()
}

/// A page further within the selected block; at its end, the next one.
fn space(app: &mut App) -> Vec<Effect> {
    let key = match app.view {
        View::Review => super::current_key(app),
        _ => app.place().cursor.clone(),
    };
    let height = usize::from(app.arranged.areas.content.height);
    let top = app.place().top;
    match key.as_ref().and_then(|k| app.arranged.page.span(k)) {
        Some((_, to)) if to > top + height => {
            let next = (top + height.saturating_sub(1)).min(to.saturating_sub(height));
            app.place_mut().top = next;
            Vec::new()
        }
        Some(_) => step_content(app, 1),
        None => scroll(app, signed(height.saturating_sub(1))),
    }
}

/// Brings the first unread row of a change to the top.
pub(super) fn read_on(app: &mut App, change: &ChangeRef) {
    if arrange::is_folded(app, change) {
        app.unfolded.insert(change.clone());
        arrange::lay_out(app);
    }
    let key = Key::Change(change.clone());
    let read = app.read.get(change).map_or(0, |r| r.rows);
    if let Some((from, to)) = app.arranged.page.span(&key) {
        let height = usize::from(app.arranged.areas.content.height);
        let next = from + read.saturating_sub(1);
        app.place_mut().top = next.min(to.saturating_sub(height).max(from));
    }
}

fn to_end(app: &mut App, last: bool) -> Vec<Effect> {
    let place = app.place();
    if place.focus == Pane::List {
        let entries = &app.arranged.list.entries;
        let entry = if last {
            entries.last()
        } else {
            entries.first()
        };
        return entry
            .map(|e| e.key.clone())
            .map_or(Vec::new(), |key| select(app, key));
    }
    let end = if last { isize::MAX } else { -isize::MAX };
    let key = app.arranged.page.step(None, if last { -1 } else { 1 });
    let effects = key.map_or(Vec::new(), |key| select(app, key));
    let mut more = scroll(app, end);
    more.extend(effects);
    more
}

fn left(app: &mut App) -> Vec<Effect> {
    match app.place().focus {
        Pane::List => {
            let Some(key) = app.place().cursor.clone() else {
                return Vec::new();
            };
            let at = app.arranged.list.position(&key);
            let entry = at.and_then(|at| app.arranged.list.entries.get(at));
            if entry.is_some_and(|e| e.folded == Some(false)) {
                app.place_mut().folds.insert(key, true);
                return Vec::new();
            }
            let parent = app.arranged.list.parent(&key);
            parent.map_or(Vec::new(), |key| {
                app.place_mut().cursor = Some(key);
                show_cursor(app);
                Vec::new()
            })
        }
        Pane::Drawer => {
            app.place_mut().focus = Pane::Content;
            Vec::new()
        }
        Pane::Content => {
            app.place_mut().focus = Pane::List;
            Vec::new()
        }
    }
}

fn right(app: &mut App) -> Vec<Effect> {
    if app.place().focus != Pane::List {
        return Vec::new();
    }
    let Some(key) = app.place().cursor.clone() else {
        return Vec::new();
    };
    let at = app.arranged.list.position(&key);
    let entry = at.and_then(|at| app.arranged.list.entries.get(at));
    if entry.is_some_and(|e| e.folded == Some(true)) {
        app.place_mut().folds.insert(key, false);
    } else {
        app.place_mut().focus = Pane::Content;
    }
    Vec::new()
}

fn turn_pane(app: &mut App, forward: bool) -> Vec<Effect> {
    let drawer = app.has_drawer() && !app.arranged.drawer.blocks().is_empty();
    let mut panes = vec![Pane::List, Pane::Content];
    if drawer {
        panes.push(Pane::Drawer);
    }
    let at = panes
        .iter()
        .position(|p| *p == app.place().focus)
        .unwrap_or(0);
    let by = if forward { 1 } else { panes.len() - 1 };
    app.place_mut().focus = panes[(at + by) % panes.len()];
    Vec::new()
}

/// Enter: what a row stands for, nearer.
pub(super) fn open(app: &mut App) -> Vec<Effect> {
    match app.place().focus {
        Pane::List => open_row(app),
        Pane::Drawer => shelf::open_drawer_row(app),
        Pane::Content if app.view == View::Review => {
            let Some(current) = app.review.current.clone() else {
                return say(app, "no change is selected");
            };
            if arrange::is_folded(app, &current) {
                app.unfolded.insert(current);
                return Vec::new();
            }
            open_drawer(app);
            shelf::drawer_as_page(app);
            Vec::new()
        }
        Pane::Content => shelf::open(app),
    }
}

fn open_row(app: &mut App) -> Vec<Effect> {
    let Some(key) = app.place().cursor.clone() else {
        return Vec::new();
    };
    let at = app.arranged.list.position(&key);
    let folded = at.and_then(|at| app.arranged.list.entries.get(at)?.folded);
    match (&key, folded) {
        (Key::Project(_), Some(folded)) => {
            app.place_mut().folds.insert(key, !folded);
            Vec::new()
        }
        _ => {
            app.place_mut().focus = Pane::Content;
            if app.view == View::Review {
                Vec::new()
            } else {
                shelf::open(app)
            }
        }
    }
}

pub(crate) fn open_drawer(app: &mut App) {
    app.look.drawer = Some(true);
    // A pane that nobody sees takes no keys.
    arrange::lay_out(app);
    if app.arranged.areas.drawer.height > 0 {
        app.place_mut().focus = Pane::Drawer;
    }
}

/// The drawer's next page; after the last one it closes.
pub(super) fn turn_drawer(app: &mut App) -> Vec<Effect> {
    if app.view != View::Review {
        return shelf::turn_drawer(app);
    }
    if !app.has_drawer() {
        app.look.drawer = Some(true);
        app.look.page = Drawer::ALL[0];
        return Vec::new();
    }
    let at = Drawer::ALL.iter().position(|p| *p == app.look.page);
    match Drawer::ALL.get(at.map_or(0, |at| at + 1)) {
        Some(next) => app.look.page = *next,
        None => {
            app.look.page = Drawer::ALL[0];
            app.look.drawer = Some(false);
            if app.place().focus == Pane::Drawer {
                app.place_mut().focus = Pane::Content;
            }
        }
    }
    let place = app.place_mut();
    (place.row, place.drawer_top) = (0, 0);
    Vec::new()
}

/// To the next place where what was looked for stands.
pub(crate) fn matched(app: &mut App, by: isize) -> Vec<Effect> {
    if let Some(effects) = shelf::matched_here(app, by) {
        return effects;
    }
    let Some(search) = &mut app.search else {
        return say(app, "nothing was searched for; / searches");
    };
    let len = search.rows.len();
    if len == 0 {
        let said = format!("{:?} is not here", search.query);
        return say(app, said);
    }
    let at = isize::try_from(search.at).unwrap_or(0) + by;
    search.at = usize::try_from(at.rem_euclid(signed(len))).unwrap_or(0);
    let (row, at) = (search.rows[search.at], search.at);
    app.notice = Some(format!("match {} of {len}", at + 1));
    if let Some(key) = shelf::match_key(app, row) {
        return select(app, key);
    }
    let key = app.arranged.page.at(row).and_then(|(b, _)| b.key.clone());
    let effects = key.map_or(Vec::new(), |key| select(app, key));
    let height = usize::from(app.arranged.areas.content.height);
    let top = app.place().top;
    app.place_mut().top = scrolled(top, row, row + 1, height);
    effects
}
