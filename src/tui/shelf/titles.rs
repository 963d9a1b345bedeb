//! The titles of these views' regions.

use super::kinds::{self, Kind};
use super::model::UnderEntry;
use super::{archive, log, memory};
use crate::browse::SealState;
use crate::text::count;
use crate::tui::app::{App, View};
use crate::tui::lines::{ends, line, segment};
use crate::tui::page::Key;
use crate::tui::rows::Line;
use crate::tui::theme::Role;
use crate::tui::views::header::ruled;

/// The right end of the title row.
#[must_use]
pub fn title(app: &App) -> String {
    match (&app.shelf.here, app.shelf.all) {
        (Some(here), false) => app.shelf.name(here).to_owned(),
        _ => "all projects".to_owned(),
    }
}

/// The row above the content.
#[must_use]
pub fn header(app: &App) -> Line {
    let width = app.arranged.areas.header.width;
    let (left, right) = match app.view {
        View::Review => Default::default(),
        View::Memory => of_memory(app),
        View::Archive => of_archive(app),
        View::Log => of_log(app),
    };
    ends(left, right, width, app.look.marks.ellipsis)
}

fn of_memory(app: &App) -> (Line, Line) {
    let Some(project) = memory::project(app) else {
        return Default::default();
    };
    let mut left = line(Role::Strong, app.shelf.name(&project));
    let Some(view) = memory::view(app, &project) else {
        return (left, Line::new());
    };
    let entries: Vec<_> = view.files.iter().flat_map(|f| &f.entries).collect();
    let loose = entries
        .iter()
        .filter(|e| !matches!(e.seal, SealState::Sealed | SealState::Unreviewed));
    if let Some(Key::Entry(_, file, n)) = &app.place().cursor
        && !app.is_wide()
    {
        let of = view
            .files
            .iter()
            .find(|f| f.file == *file)
            .map_or(0, |f| f.entries.len());
        let said = format!("  {} {} of {of}", file.name(), n + 1);
        left.push(segment(Role::Dim, &said));
    }
    let mut right = line(Role::Dim, &count(entries.len(), "entry", "entries"));
    let loose = loose.count();
    if loose > 0 {
        right.push(segment(
            Role::Warn,
            &format!("  {loose} not given to agents"),
        ));
    }
    (left, right)
}

fn of_archive(app: &App) -> (Line, Line) {
    let Some(project) = memory::project(app) else {
        return Default::default();
    };
    let left = line(Role::Strong, app.shelf.name(&project));
    let Some(archive) = archive::archive(app, &project) else {
        return (left, Line::new());
    };
    let right = count(archive.months.len(), "month", "months");
    (left, line(Role::Dim, &right))
}

fn of_log(app: &App) -> (Line, Line) {
    let name = match app.shelf.scope() {
        Some(id) => app.shelf.name(id).to_owned(),
        None => "all projects".to_owned(),
    };
    let left = line(Role::Strong, &name);
    let Some(read) = &app.shelf.events.value else {
        return (left, Line::new());
    };
    let more = if read.is_end { "" } else { " so far" };
    let all = format!("{}{more}", count(read.events.len(), "event", "events"));
    let mut right = match app.shelf.kind {
        Kind::All => line(Role::Dim, &all),
        kind => {
            let shown = format!("{}: {} of ", kind.name(), kinds::shown(app).count());
            vec![segment(Role::Accent, &shown), segment(Role::Dim, &all)]
        }
    };
    if let Some(problem) = &read.problem {
        right.insert(
            0,
            segment(Role::Fail, &format!("commits are missing: {problem}  ")),
        );
    }
    (left, right)
}

/// The list's title.
#[must_use]
pub fn list_title(app: &App, width: u16) -> Line {
    let name = match app.view {
        View::Review => "",
        View::Memory => " MEMORY",
        View::Archive => " ARCHIVE",
        View::Log => " LOG",
    };
    let right = match (&app.shelf.here, app.shelf.all) {
        (Some(_), false) => "p all ",
        (Some(_), true) => "p this one ",
        (None, _) => "",
    };
    ends(
        line(Role::Dim, name),
        line(Role::Dim, right),
        width,
        app.look.marks.ellipsis,
    )
}

/// The drawer's title.
#[must_use]
pub fn drawer_title(app: &App) -> Line {
    let rule = app.look.marks.horizontal;
    let mut left = vec![segment(Role::Dim, &format!("{rule}{rule}{rule} "))];
    let width = app.arranged.areas.drawer_title.width;
    if app.view == View::Memory {
        for page in UnderEntry::ALL {
            left.push(match app.shelf.under == page {
                true => segment(Role::Accent, &format!("[{}]", page.name())),
                false => segment(Role::Dim, page.name()),
            });
            left.push(segment(Role::Dim, &format!(" {rule}{rule} ")));
        }
    }
    match app.view {
        View::Log => {
            if let Some(event) = log::selected(app) {
                left.push(segment(Role::Accent, &log::short(event)));
                if let Some(details) = log::details(app) {
                    let told = count(
                        details.changes.len() + details.files.len(),
                        "change",
                        "changes",
                    );
                    left.push(segment(Role::Dim, &format!(" {rule}{rule} {told}")));
                }
                left.push(segment(Role::Dim, &format!(" {rule}{rule} ")));
            }
            return ruled(app, left, "t closes", width);
        }
        View::Archive => {
            left.push(segment(Role::Accent, "where from"));
            left.push(segment(Role::Dim, &format!(" {rule}{rule} ")));
            return ruled(app, left, "t closes", width);
        }
        _ => {}
    }
    ruled(app, left, "t next", width)
}
