//! Lays the model out for the size of the screen: regions, list, content, drawer, overlay.
//!
//! Scrolling, what counts as seen, and painting all read what is laid out here.

use super::app::{App, Read, View};
use super::areas;
use super::msg::Effect;
use super::overlay::Overlay;
use super::page::{Key, Page, scrolled};
use super::rows::Line;
use super::shelf;
use super::views::{ask, drawer, help, outline, stream};
use crate::review::ChangeRef;

/// Lays everything out; what takes long to compare is asked for.
pub fn arrange(app: &mut App) -> Vec<Effect> {
    lay_out(app);
    app.cache.end()
}

/// Lays everything out. What takes long to compare is asked for by the [`arrange()`] that follows.
pub fn lay_out(app: &mut App) {
    app.cache.begin();
    app.arranged.areas = areas::areas(app);
    let (list, page, below) = match app.view {
        View::Review => (outline::list(app), stream::page(app), drawer::page(app)),
        _ => shelf::arrange(app),
    };
    app.arranged.list = list;
    app.arranged.page = page;
    app.arranged.drawer = below;
    (app.arranged.overlay_title, app.arranged.overlay) = overlay(app);
    settle(app);
}

fn overlay(app: &App) -> (Line, Page) {
    let page = match app.overlays.last() {
        Some(Overlay::Ask { .. }) => ask::page(app),
        Some(Overlay::Help { filter, at, .. }) => help::page(app, filter, *at),
        Some(Overlay::Line { purpose, text }) => help::typed(app, purpose, text),
        Some(Overlay::Pages { of, .. }) => return shelf::shown(app, of),
        Some(Overlay::Waiting { why }) => help::waiting(app, why),
        Some(Overlay::Inline { .. }) | None => Page::default(),
    };
    (Line::new(), page)
}

/// Rows that the uppermost overlay has in sight. Where there are more, the last row of its region
/// says so.
#[must_use]
pub fn overlay_height(app: &App) -> usize {
    let title = usize::from(matches!(app.overlays.last(), Some(Overlay::Pages { .. })));
    let all = usize::from(app.arranged.areas.overlay.height).saturating_sub(title);
    let more = usize::from(app.arranged.overlay.rows() > all);
    all.saturating_sub(more).max(1)
}

/// Keeps every first row within what there is.
fn settle(app: &mut App) {
    let areas = app.arranged.areas;
    let last = app
        .arranged
        .page
        .last_top(usize::from(areas.content.height));
    let drawer = app
        .arranged
        .drawer
        .last_top(usize::from(areas.drawer.height));
    let list = app.arranged.list.entries.len();
    let list = list.saturating_sub(usize::from(areas.list.height).saturating_sub(1));
    let place = app.place_mut();
    place.top = place.top.min(last);
    place.drawer_top = place.drawer_top.min(drawer);
    place.list_top = place.list_top.min(list);
    let height = overlay_height(app);
    let selected = app.overlays.last().and_then(help::selected);
    let span = selected.and_then(|key| app.arranged.overlay.span(&key));
    let last = app.arranged.overlay.last_top(height);
    match app.overlays.last_mut() {
        Some(Overlay::Help { top, at, .. }) => {
            // The filter stands above the first row.
            let (from, to) = span.unwrap_or((0, 1));
            let from = if *at == 0 { 0 } else { from };
            *top = scrolled(*top, from, to, height).min(last);
        }
        Some(Overlay::Ask { top } | Overlay::Pages { top, .. }) => *top = (*top).min(last),
        _ => {}
    }
}

/// The first row to bring into sight with a block: the title of its file belongs to it.
#[must_use]
pub fn rows_above(app: &App, from: usize) -> usize {
    let Some(before) = from.checked_sub(1) else {
        return 0;
    };
    match app.arranged.page.at(before) {
        Some((block, i)) if block.key.is_none() => before - i,
        _ => from,
    }
}

/// Whether only the beginning of a long change is laid out.
#[must_use]
pub fn is_folded(app: &App, change: &ChangeRef) -> bool {
    let key = Key::Change(change.clone());
    let mut blocks = app.arranged.page.blocks().iter();
    blocks.any(|b| b.key.as_ref() == Some(&key) && b.limit.is_some())
}

/// Whether lines that a change takes away are only counted.
#[must_use]
pub fn is_counted(app: &App, change: &ChangeRef) -> bool {
    let key = Key::Change(change.clone());
    let mut blocks = app.arranged.page.blocks().iter();
    blocks.any(|b| b.key.as_ref() == Some(&key) && b.counts_only())
}

/// The changes that the frame just painted held, and whether each was on the screen to its end by
/// now. Rows count only without a gap from the top.
#[must_use]
pub fn shown(app: &mut App) -> Vec<(ChangeRef, bool)> {
    let areas = app.arranged.areas;
    let top = app.place().top;
    let end = top + usize::from(areas.content.height);
    let page = &app.arranged.page;
    let mut seen = Vec::new();
    let mut row = top;
    while row < end {
        let Some((block, i)) = page.at(row) else {
            break;
        };
        let from = row - i;
        // The empty row after it is nothing to read.
        let rows = block.rows().saturating_sub(1).max(1);
        if let Some(Key::Change(change)) = &block.key {
            let partly = block.limit.is_some() || block.pending || block.counts_only();
            seen.push((change.clone(), from, rows, partly));
        }
        row = from + block.rows().max(1);
    }
    let mut out = Vec::new();
    let fresh = |of| Read {
        rows: 0,
        of,
        width: areas.content.width,
        style: app.look.style,
        context: app.look.context,
    };
    for (change, from, rows, partly) in seen {
        let known = app.read.get(&change).copied();
        // Rows of another layout are other rows, even where there are as many.
        let same = |r: &Read| Read { rows: 0, ..*r } == fresh(rows);
        let mut read = known
            .filter(|r| same(r) && app.review.is_shown(&change))
            .unwrap_or(fresh(rows));
        let first = top.saturating_sub(from);
        if first <= read.rows {
            read.rows = read.rows.max((end - from).min(rows));
        }
        app.read.insert(change.clone(), read);
        if read.rows > 0 {
            out.push((change, read.rows >= rows && !partly));
        }
    }
    out
}
