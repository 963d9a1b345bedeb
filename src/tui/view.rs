//! Paints what is laid out. Reads the model, changes nothing, and puts nothing on the screen but
//! lines that are made of visible pieces.

use super::app::{App, Pane, View};
use super::areas::is_too_small;
use super::overlay::Overlay;
use super::page::{Key, Page};
use super::paint::paint;
use super::rows::{Line, Segment};
use super::theme::Role;
use super::views::{footer, header, small, stream};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

/// Paints a frame.
pub fn view(app: &App, buffer: &mut Buffer) {
    if is_too_small(app.size) {
        return too_small(app, buffer);
    }
    let areas = app.arranged.areas;
    row(app, buffer, areas.title, 0, &header::title(app));
    if app.overlays.is_empty() || app.is_searching() {
        body(app, buffer);
    } else {
        overlay(app, buffer, areas.overlay);
    }
    notice(app, buffer, areas.notice);
    row(app, buffer, areas.footer, 0, &footer::footer(app));
}

fn too_small(app: &App, buffer: &mut Buffer) {
    let area = Rect::new(0, 0, app.size.0, app.size.1);
    for (y, text) in (0..app.size.1).zip(small::notice(app.size)) {
        row(
            app,
            buffer,
            area,
            y,
            &super::lines::line(Role::Plain, &text),
        );
    }
}

/// One row of a region.
fn row(app: &App, buffer: &mut Buffer, area: Rect, y: u16, line: &[Segment]) {
    if y < area.height {
        paint(buffer, area.x, area.y + y, area.width, line, app.look.theme);
    }
}

fn body(app: &App, buffer: &mut Buffer) {
    let areas = app.arranged.areas;
    list(app, buffer, areas.list);
    for y in 0..areas.rule.height {
        row(
            app,
            buffer,
            areas.rule,
            y,
            &super::lines::line(Role::Dim, app.look.marks.vertical),
        );
    }
    if app.view == View::Review {
        for (y, line) in (0..).zip(header::header(app)) {
            row(app, buffer, areas.header, y, &line);
        }
    } else {
        row(app, buffer, areas.header, 0, &super::shelf::header(app));
    }
    let selected = match app.view {
        View::Review => app.review.current.clone().map(Key::Change),
        _ => app.place().cursor.clone(),
    };
    page(
        app,
        buffer,
        areas.content,
        &app.arranged.page,
        app.place().top,
        selected.as_ref(),
    );
    if areas.drawer_title.height > 0 {
        row(app, buffer, areas.drawer_title, 0, &header::drawer(app));
        let focused = app.place().focus == Pane::Drawer;
        let selected = focused.then(|| Key::Row(app.place().row));
        page(
            app,
            buffer,
            areas.drawer,
            &app.arranged.drawer,
            app.place().drawer_top,
            selected.as_ref(),
        );
    }
}

fn list(app: &App, buffer: &mut Buffer, area: Rect) {
    if area.height == 0 {
        return;
    }
    let title = match app.view {
        View::Review => queue_title(app, area.width),
        _ => super::shelf::list_title(app, area.width),
    };
    row(app, buffer, area, 0, &title);
    let place = app.place();
    let entries = app.arranged.list.entries.iter().skip(place.list_top);
    for (y, entry) in (1..area.height).zip(entries) {
        let selected = place.cursor.as_ref() == Some(&entry.key);
        let focused = place.focus == Pane::List;
        let line = selectable(app, &entry.line, selected, focused);
        row(app, buffer, area, y, &line);
    }
}

fn queue_title(app: &App, width: u16) -> Line {
    let queue = &app.review.queue;
    let changes: usize = queue.iter().map(crate::review::Waiting::open).sum();
    super::lines::ends(
        super::lines::line(Role::Dim, " QUEUE"),
        super::lines::line(
            Role::Dim,
            &format!(
                "{} {} {} ",
                queue.len(),
                app.look.marks.dot,
                crate::text::count(changes, "change", "changes")
            ),
        ),
        width,
        app.look.marks.ellipsis,
    )
}

/// A row with the mark of the selection in front of it.
fn selectable(app: &App, line: &[Segment], selected: bool, focused: bool) -> Line {
    let bar = if selected { app.look.marks.bar } else { " " };
    let mut out = vec![super::lines::segment(Role::Select, bar)];
    out.extend(line.iter().cloned());
    if selected && focused {
        for piece in &mut out {
            if matches!(piece.role, Role::Plain | Role::Dim) {
                piece.role = Role::Select;
            }
        }
    }
    out
}

fn page(
    app: &App,
    buffer: &mut Buffer,
    area: Rect,
    page: &Page,
    top: usize,
    selected: Option<&Key>,
) {
    for y in 0..area.height {
        let at = top + usize::from(y);
        let Some((block, i)) = page.at(at) else { break };
        // The empty row between two blocks belongs to neither.
        let is_selected = block.key.is_some() && block.key.as_ref() == selected;
        let line = match &app.search {
            Some(search) => super::lines::marked(block.line(i), &search.query),
            None => block.line(i),
        };
        let bar = is_selected && !(i + 1 == block.rows() && line.is_empty());
        let mark = if bar { app.look.marks.bar } else { " " };
        let mut all = vec![super::lines::segment(Role::Select, mark)];
        all.push(super::lines::segment(Role::Plain, " "));
        all.extend(line);
        row(app, buffer, area, y, &all);
    }
    debug_assert_eq!(stream::GUTTER, 2);
}

fn overlay(app: &App, buffer: &mut Buffer, area: Rect) {
    match app.overlays.last() {
        Some(Overlay::Inline {
            area: text, title, ..
        }) => {
            let title = super::lines::line(Role::Strong, &format!("  edit: {title}"));
            let columns = usize::from(area.width);
            let title = super::lines::fit(title, columns, app.look.marks.ellipsis);
            row(app, buffer, area, 0, &title);
            let inner = Rect::new(
                area.x + 2,
                area.y + 2,
                area.width.saturating_sub(4),
                area.height.saturating_sub(2),
            );
            text.as_ref().render(inner, buffer);
        }
        Some(Overlay::Pages { top, .. }) => {
            row(app, buffer, area, 0, &app.arranged.overlay_title);
            let inner = Rect {
                y: area.y + 1,
                height: area.height.saturating_sub(1),
                ..area
            };
            scrolling(app, buffer, inner, *top);
        }
        Some(Overlay::Ask { top } | Overlay::Help { top, .. }) => {
            scrolling(app, buffer, area, *top);
        }
        // What is being typed is at its end.
        Some(Overlay::Line { .. }) => {
            let last = app
                .arranged
                .overlay
                .last_top(super::arrange::overlay_height(app));
            scrolling(app, buffer, area, last);
        }
        _ => scrolling(app, buffer, area, 0),
    }
}

/// The rows of an overlay, and how many are below.
fn scrolling(app: &App, buffer: &mut Buffer, area: Rect, top: usize) {
    let page = &app.arranged.overlay;
    let height = super::arrange::overlay_height(app);
    for (y, at) in (0..area.height).zip(top..(top + height).min(page.rows())) {
        if let Some((block, i)) = page.at(at) {
            row(app, buffer, area, y, &block.line(i));
        }
    }
    if page.rows() > height {
        let below = page.rows().saturating_sub(top + height);
        let text = match below {
            0 => "the end".to_owned(),
            n => format!("{} below", crate::text::count(n, "more row", "more rows")),
        };
        let line = super::lines::ends(
            Line::new(),
            super::lines::line(Role::Accent, &format!("{text} ")),
            area.width,
            app.look.marks.ellipsis,
        );
        row(app, buffer, area, area.height.saturating_sub(1), &line);
    }
}

fn notice(app: &App, buffer: &mut Buffer, area: Rect) {
    if let Some(Overlay::Line { text, .. }) = app.overlays.last().filter(|_| app.is_searching()) {
        // Its end is what is typed.
        let room = usize::from(area.width).saturating_sub(4);
        let shown = crate::text::visible_line(text);
        let chars: Vec<char> = shown.chars().collect();
        let from = chars.len().saturating_sub(room / 2);
        let end: String = chars[from..].iter().collect();
        let typed = super::lines::segment(Role::Strong, &format!(" /{end}_"));
        let said = app.notice.as_deref().unwrap_or_default();
        let right = super::lines::line(Role::Dim, &format!("{said} "));
        let dots = app.look.marks.ellipsis;
        let line = super::lines::ends(vec![typed], right, area.width, dots);
        return row(app, buffer, area, 0, &line);
    }
    let Some(said) = &app.notice else { return };
    let body = app.cache.text(
        &said.replace('\n', "; "),
        area.width.saturating_sub(2),
        app.look.ascii,
    );
    for y in 0..area.height {
        let mut line = vec![super::lines::segment(
            Role::Strong,
            if y == 0 { "─ " } else { "  " },
        )];
        if app.look.ascii && y == 0 {
            line = vec![super::lines::segment(Role::Strong, "- ")];
        }
        line.extend(body.line(usize::from(y)));
        let is_cut = y + 1 == area.height && body.len() > usize::from(area.height);
        if is_cut {
            let room = usize::from(area.width).saturating_sub(3);
            line = super::lines::fit(line, room, "");
            line.push(super::lines::segment(Role::Dim, app.look.marks.ellipsis));
        }
        row(app, buffer, area, y, &line);
    }
}
