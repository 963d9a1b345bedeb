//! Which part of the screen belongs to what. Pure: sizes in, rectangles out.

use super::app::{App, Pane, View};
use ratatui::layout::Rect;

/// The smallest screen on which anything is shown, in columns and rows.
pub const LEAST: (u16, u16) = (40, 8);

/// The regions of the screen; an empty one is not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Areas {
    /// The title row.
    pub title: Rect,
    /// What is selected, in one or two rows.
    pub header: Rect,
    /// The list.
    pub list: Rect,
    /// The vertical rule.
    pub rule: Rect,
    /// The content.
    pub content: Rect,
    /// The drawer's title row.
    pub drawer_title: Rect,
    /// The drawer.
    pub drawer: Rect,
    /// What lies on top: all between title and notice.
    pub overlay: Rect,
    /// The last thing to say.
    pub notice: Rect,
    /// The keys.
    pub footer: Rect,
}

/// Whether a screen is too small to show anything.
#[must_use]
pub fn is_too_small(size: (u16, u16)) -> bool {
    size.0 < LEAST.0 || size.1 < LEAST.1
}

/// The regions for the app's size, view and panes.
#[must_use]
pub fn areas(app: &App) -> Areas {
    let (width, height) = app.size;
    if is_too_small(app.size) {
        return Areas::default();
    }
    let row = |y: u16, height: u16| Rect::new(0, y, width, height);
    let footer = row(height - 1, 1);
    let notice_rows = notice_rows(app, width, height);
    let notice = row(height - 1 - notice_rows, notice_rows);
    let body = row(1, height - 2 - notice_rows);
    let mut areas = Areas {
        title: row(0, 1),
        overlay: body,
        notice,
        footer,
        ..Areas::default()
    };
    let mut right = body;
    if app.is_wide() {
        let list = if width >= 110 { 33 } else { 28 };
        areas.list = Rect::new(0, body.y, list, body.height);
        areas.rule = Rect::new(list, body.y, 1, body.height);
        right = Rect::new(list + 2, body.y, width - list - 2, body.height);
    } else if app.place().focus == Pane::List {
        areas.list = body;
        return areas;
    }
    let header = header_rows(app, height).min(right.height);
    areas.header = Rect {
        height: header,
        ..right
    };
    let mut content = Rect {
        y: right.y + header,
        height: right.height - header,
        ..right
    };
    if app.has_drawer() && content.height >= 8 {
        let rows = drawer_rows(app, content.height);
        content.height -= rows;
        areas.drawer_title = Rect::new(content.x, content.bottom(), content.width, 1);
        areas.drawer = Rect::new(
            content.x,
            content.bottom() + 1,
            content.width,
            rows.saturating_sub(1),
        );
    }
    areas.content = content;
    areas
}

/// A long notice is wrapped, but leaves most of the screen alone.
fn notice_rows(app: &App, width: u16, height: u16) -> u16 {
    if app.is_searching() {
        return 1;
    }
    let Some(notice) = &app.notice else { return 0 };
    let rows = app.cache.text(
        &notice.replace('\n', "; "),
        width.saturating_sub(2),
        app.look.ascii,
    );
    let rows = u16::try_from(rows.len()).unwrap_or(u16::MAX);
    rows.clamp(1, (height / 4).max(1))
}

fn header_rows(app: &App, height: u16) -> u16 {
    match app.view {
        View::Review if height < 14 => 1,
        View::Review => 3,
        _ => 1,
    }
}

/// The drawer takes a third, and in the log more: there it is what one came for.
fn drawer_rows(app: &App, height: u16) -> u16 {
    match app.view {
        View::Review => (height / 3).clamp(4, 9),
        View::Log if !app.is_wide() => height * 2 / 3,
        _ => (height / 3).clamp(4, 12),
    }
}
