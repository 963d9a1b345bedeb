//! The views other than the review: memory as it stands, the archive, the log.
//!
//! Owns what was read for them, their lists, contents and drawers, and the pages on top. What a
//! person does here is asked for on a page that must be read to its end, or staged as a proposal of
//! their own and decided in the review like any other. Nothing is read that is not shown.

mod acts;
mod archive;
mod hear;
mod hidden;
mod kinds;
mod log;
mod marked;
mod marking;
mod memory;
mod model;
mod pages;
mod reverse;
#[cfg(test)]
mod tests;
mod titles;
mod wants;
mod wish;

pub use acts::{Asking, act, all_projects, asked, check, final_files, selected_text, typed};
pub use hear::hear;
pub use hidden::texts as redactions;
pub use kinds::turn as next_kind;
pub use marking::start as mark;
pub use model::Shelf;
pub use pages::{Shown, open_reverse, page_key, page_keys, read_to_its_end, shown};
pub use titles::{drawer_title, header, list_title, title};
pub use wants::wants;
pub use wish::{Found, FoundIn, Heard, Hidden, Last, Named, Reverse, Roots, Side, Spoken, Wish};

use super::app::{App, Pane, View};
use super::lines::indent;
use super::msg::Effect;
use super::overlay::Overlay;
use super::page::{Block, Key, List, Page};
use super::rows::Line;
use super::theme::Role;
use super::update::{matched, open_drawer, select};
use super::views::stream::{GUTTER, hanging, wrapped};
use crate::id::ProjectId;
use model::UnderEntry;

/// Columns that text is indented by below its heading.
const INDENT: u16 = 2;

/// Columns that content may take.
fn columns(app: &App) -> u16 {
    app.arranged.areas.content.width.saturating_sub(GUTTER)
}

/// Whether a row of the list is folded.
fn folded(app: &App, key: &Key, by_itself: bool) -> bool {
    app.place().folds.get(key).copied().unwrap_or(by_itself)
}

/// A text over as many rows as it takes, below a heading.
fn under(app: &App, role: Role, text: &str) -> Vec<Line> {
    let width = columns(app).saturating_sub(INDENT);
    let rows = wrapped(app, role, text, width).into_iter();
    rows.map(|row| {
        let mut all = indent(INDENT);
        all.extend(row);
        all
    })
    .collect()
}

/// A content of one sentence.
fn only(app: &App, said: &str) -> Page {
    let mut rows = vec![Line::new()];
    rows.extend(wrapped(app, Role::Plain, said, columns(app)));
    Page::new(vec![Block::of(None, rows)])
}

/// The rows of a drawer, each of which can be selected.
fn rows_of(app: &App, texts: Vec<(Role, String)>) -> Page {
    let width = drawer_width(app);
    let blocks = texts
        .into_iter()
        .enumerate()
        .map(|(n, (role, text))| Block::of(Some(Key::Row(n)), hanging(app, role, &text, width, 2)));
    Page::new(blocks.collect())
}

/// Columns of the drawer's text; on a page of its own where it has no room.
#[must_use]
pub fn drawer_width(app: &App) -> u16 {
    let width = match app.arranged.areas.drawer.width {
        0 => app.size.0,
        width => width,
    };
    width.saturating_sub(GUTTER)
}

/// The drawer comes up as a page where the screen has no room for it.
pub fn drawer_as_page(app: &mut App) {
    if app.arranged.areas.drawer.height == 0 {
        let of = Box::new(Shown::Under(0));
        app.overlays.push(Overlay::Pages { top: 0, of });
    }
}

/// The project that a row is of.
fn project_of(key: &Key) -> Option<ProjectId> {
    match key {
        Key::Project(id)
        | Key::File(id, _)
        | Key::Section(id, ..)
        | Key::Entry(id, ..)
        | Key::Month(id, _)
        | Key::Piece(id, ..) => Some(id.clone()),
        _ => None,
    }
}

/// List, content and drawer.
#[must_use]
pub fn arrange(app: &App) -> (List, Page, Page) {
    match app.view {
        View::Review => Default::default(),
        View::Memory => (memory::list(app), memory::page(app), memory::drawer(app)),
        View::Archive => (archive::list(app), archive::page(app), archive::drawer(app)),
        View::Log => (log::list(app), log::page(app), log::drawer(app)),
    }
}

/// The rows near a region: others are not put together.
fn in_sight(app: &App, top: usize, height: u16) -> (usize, usize) {
    let margin = usize::from(height.max(app.size.1)) * 2;
    (top.saturating_sub(margin), top + margin)
}

/// The screen begins at the reverse of an applied proposal.
pub fn start_at_revert(app: &mut App, project: ProjectId, proposal: crate::id::ProposalId) {
    app.shelf.revert = Some((project, proposal));
}

/// Another row was selected.
pub fn selected(app: &mut App) -> Vec<Effect> {
    let place = app.place_mut();
    (place.row, place.drawer_top) = (0, 0);
    match place.cursor.clone() {
        // What has no block of its own stands where its first entry does.
        Some(Key::Section(project, file, n)) => show(app, &Key::Entry(project, file, n)),
        Some(Key::File(project, file)) => show(app, &Key::Entry(project, file, 0)),
        Some(Key::Event(n)) => {
            app.shelf.event = n;
            if app.is_wide() {
                app.place_mut().top = 0;
            }
        }
        _ => {}
    }
    Vec::new()
}

/// Scrolls a block to the top, with what stands above it.
fn show(app: &mut App, key: &Key) {
    super::arrange::lay_out(app);
    if let Some((from, _)) = app.arranged.page.span(key) {
        app.place_mut().top = super::arrange::rows_above(app, from);
    }
}

/// The next entry from any pane; none: as the content has it.
pub fn next(app: &mut App, by: isize) -> Option<Vec<Effect>> {
    if app.view != View::Log {
        return None;
    }
    let to = kinds::step(app, by)?;
    Some(select(app, Key::Event(to)))
}

/// To the next file.
pub fn step_file(app: &mut App, by: isize) -> Vec<Effect> {
    let of = |key: &Key| match key {
        Key::Entry(project, file, _) => Some(Key::File(project.clone(), *file)),
        Key::Piece(project, month, _) => Some(Key::Month(project.clone(), month.clone())),
        _ => None,
    };
    let keys: Vec<Key> = app
        .arranged
        .page
        .blocks()
        .iter()
        .filter_map(|b| b.key.clone())
        .collect();
    let mut heads: Vec<&Key> = Vec::new();
    for key in &keys {
        if heads.last().is_none_or(|last| of(last) != of(key)) {
            heads.push(key);
        }
    }
    let here = app
        .place()
        .cursor
        .as_ref()
        .map(|k| of(k).unwrap_or_else(|| k.clone()));
    let at = heads.iter().position(|k| of(k) == here);
    let to = match at {
        Some(at) => at.checked_add_signed(by),
        None => Some(0),
    };
    match to.and_then(|to| heads.get(to)) {
        Some(key) => select(app, (*key).clone()),
        None => Vec::new(),
    }
}

/// Enter on the content.
pub fn open(app: &mut App) -> Vec<Effect> {
    match (app.view, app.place().cursor.clone()) {
        (View::Memory, Some(Key::Entry(..))) => {
            open_drawer(app);
            drawer_as_page(app);
            Vec::new()
        }
        (View::Memory, Some(Key::Project(_) | Key::File(..) | Key::Section(..))) => {
            first_below(app)
        }
        (View::Archive, Some(Key::Month(..) | Key::Project(_))) => first_below(app),
        (View::Archive, Some(Key::Piece(..))) => {
            open_drawer(app);
            drawer_as_page(app);
            Vec::new()
        }
        (View::Log, Some(Key::Event(_))) if !app.is_wide() => {
            open_drawer(app);
            if app.arranged.areas.drawer.height == 0 {
                let of = Box::new(Shown::Details);
                app.overlays.push(Overlay::Pages { top: 0, of });
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// From a row of the list to the first entry below it.
fn first_below(app: &mut App) -> Vec<Effect> {
    let wanted = app.place().cursor.clone();
    let fits = |key: &Key| match (&wanted, key) {
        (Some(Key::File(_, file)), Key::Entry(_, of, _)) => file == of,
        (Some(Key::Section(_, file, n)), Key::Entry(_, of, m)) => file == of && n == m,
        _ => true,
    };
    let keys = app
        .arranged
        .page
        .blocks()
        .iter()
        .filter_map(|b| b.key.clone());
    let first = keys.into_iter().find(|key| fits(key));
    first.map_or(Vec::new(), |key| select(app, key))
}

/// The drawer's next page; after the last one it closes.
pub fn turn_drawer(app: &mut App) -> Vec<Effect> {
    let place = app.place_mut();
    (place.row, place.drawer_top) = (0, 0);
    let opened = !app.has_drawer();
    app.look.drawer = Some(true);
    let next = match app.view {
        View::Memory => {
            let at = UnderEntry::ALL.iter().position(|p| *p == app.shelf.under);
            let next = if opened { Some(0) } else { at.map(|at| at + 1) };
            let next = next.and_then(|n| UnderEntry::ALL.get(n).copied());
            app.shelf.under = next.unwrap_or_default();
            next.is_some()
        }
        _ => opened,
    };
    if !next {
        app.look.drawer = Some(false);
        if app.place().focus == Pane::Drawer {
            app.place_mut().focus = Pane::Content;
        }
    }
    Vec::new()
}

/// Enter in the drawer: the transcript at a line.
pub fn open_drawer_row(app: &mut App) -> Vec<Effect> {
    let row = app.place().row;
    open_cited(app, row)
}

fn open_cited(app: &mut App, row: usize) -> Vec<Effect> {
    if app.view == View::Review && app.look.page == super::app::Drawer::Redactions {
        return hidden::open(app, row);
    }
    let cited = match app.view {
        View::Review => pages::evidence(app, row),
        View::Memory if app.shelf.under == UnderEntry::Basis => memory::cited(app, row),
        _ => None,
    };
    match cited {
        Some((proposal, n)) => vec![Effect::Shelf(Wish::Transcript(proposal, n))],
        None => Vec::new(),
    }
}

/// A frame was painted: what is selected on it can be acted on from now on.
pub fn painted(app: &mut App, frame: u64) {
    if super::areas::is_too_small(app.size) {
        return;
    }
    let cursor = app.place().cursor.clone();
    if app.shelf.selected_in.as_ref().map(|(key, _)| key) != cursor.as_ref() {
        app.shelf.selected_in = cursor.map(|key| (key, frame));
    }
}

/// A search goes on while one types.
pub fn searching(app: &mut App, text: &str) -> Vec<Effect> {
    if app.view == View::Archive {
        return find_archived(app, text);
    }
    find(app, text);
    Vec::new()
}

/// A search was typed.
pub fn search(app: &mut App, text: &str) -> Vec<Effect> {
    if app.view == View::Archive {
        let known = app.shelf.finding.as_ref().map(|f| f.found.query.as_str());
        if known == Some(text) && !text.is_empty() {
            return archive::matched(app, 0);
        }
        return find_archived(app, text);
    }
    find(app, text);
    if text.is_empty() {
        return Vec::new();
    }
    matched(app, 0)
}

/// To another match, where a view has its own; none: as the content has it.
pub fn matched_here(app: &mut App, by: isize) -> Option<Vec<Effect>> {
    (app.view == View::Archive).then(|| archive::matched(app, by))
}

/// Looks through all months, from the newest on.
fn find_archived(app: &mut App, text: &str) -> Vec<Effect> {
    app.shelf.finding = None;
    if text.is_empty() {
        app.search = None;
        return Vec::new();
    }
    app.search = Some(super::app::Search {
        query: text.to_lowercase(),
        ..Default::default()
    });
    app.shelf.finding = Some(model::Finding {
        found: Found {
            query: text.to_owned(),
            ..Found::default()
        },
        at: 0,
        is_to_show: true,
    });
    let mut projects: Vec<ProjectId> = app.shelf.listed().into_iter().map(|p| p.id).collect();
    if app.shelf.here.is_none() && !app.shelf.all {
        projects = memory::project(app).into_iter().collect();
    }
    vec![Effect::Shelf(Wish::Find(projects, text.to_owned()))]
}

/// Rows of the content in which a text stands, whatever its case.
fn find(app: &mut App, text: &str) {
    let query = text.to_lowercase();
    if query.is_empty() {
        app.search = None;
        return;
    }
    let holds = |line: &Line| {
        let line: String = line.iter().map(|s| s.text.as_str()).collect();
        line.to_lowercase().contains(&query)
    };
    // Where the list is what one looks through, its rows count.
    let rows: Vec<usize> = if app.view == View::Log {
        let fits = |event: &crate::browse::Event| log::holds(app, event, &query);
        let events = kinds::shown(app).filter(|(_, e)| fits(e));
        events.map(|(n, _)| n).collect()
    } else {
        let page = &app.arranged.page;
        let has = |row: &usize| {
            page.at(*row)
                .is_some_and(|(block, i)| holds(&block.line(i)))
        };
        (0..page.rows()).filter(has).collect()
    };
    let top = match app.view {
        View::Log => app.shelf.event,
        _ => app.place().top,
    };
    let at = rows.iter().position(|row| *row >= top).unwrap_or(0);
    app.search = Some(super::app::Search { query, rows, at });
}

/// What a match stands for, where that is no row of the content.
pub fn match_key(app: &App, row: usize) -> Option<Key> {
    (app.view == View::Log).then_some(Key::Event(row))
}

/// What happened last, for a screen on which nothing waits.
#[must_use]
pub fn last(app: &App) -> Vec<String> {
    log::last(app)
}
