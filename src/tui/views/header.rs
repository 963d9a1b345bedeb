//! The title row, and what is selected.

use super::drawer::curator;
use super::words;
use crate::proposal::Level;
use crate::redact::first_whole;
use crate::review::{Group, Item};
use crate::text::age;
use crate::tui::app::{App, Drawer, View};
use crate::tui::lines::{columns, ends, fit, line, segment};
use crate::tui::rows::{Line, foreign};
use crate::tui::theme::Role;

/// The title row: the views, and where one is.
#[must_use]
pub fn title(app: &App) -> Line {
    let dot = app.look.marks.dot;
    let mut left = vec![
        segment(Role::Strong, " memd review"),
        segment(Role::Plain, "   "),
    ];
    for view in View::ALL {
        if view != View::Review {
            left.push(segment(Role::Dim, &format!(" {dot} ")));
        }
        let waits = match view {
            View::Review => format!(" {}", app.review.queue.len()),
            _ => String::new(),
        };
        let name = format!("{} {}{waits}", view as usize + 1, view.name());
        left.push(match app.view == view {
            true => segment(Role::Accent, &format!("[{name}]")),
            false => segment(Role::Dim, &name),
        });
    }
    let mut right = String::new();
    if app.rehearsal {
        right.push_str("rehearsal   ");
    }
    match app.view {
        View::Review => right.push_str(&where_in_queue(app)),
        _ => right.push_str(&super::super::shelf::title(app)),
    }
    let mut right = line(Role::Plain, right.trim_end());
    if app.news > 0 {
        right.push(segment(Role::Accent, &format!("   +{} new", app.news)));
    }
    right.push(segment(Role::Plain, " "));
    let width = app.size.0;
    if columns(&left) + columns(&right) + 1 > usize::from(width) {
        left = narrow(app);
    }
    ends(left, right, width, app.look.marks.ellipsis)
}

/// The title of a narrow screen: the view alone.
fn narrow(app: &App) -> Line {
    let name = format!("[{} {}]", app.view as usize + 1, app.view.name());
    vec![
        segment(Role::Strong, " memd "),
        segment(Role::Accent, &name),
    ]
}

fn where_in_queue(app: &App) -> String {
    let Some(open) = &app.review.open else {
        return String::new();
    };
    let at = app.review.position(open).unwrap_or(0) + 1;
    format!("proposal {at}/{}", app.review.queue.len())
}

/// What is selected: the proposal, how it fares, and where one is in it.
#[must_use]
pub fn header(app: &App) -> Vec<Line> {
    let Some(item) = app.item() else {
        return Vec::new();
    };
    let width = app.arranged.areas.header.width;
    let dots = app.look.marks.ellipsis;
    let p = &item.proposal;
    let mut left = foreign(&item.project, Role::Strong, app.look.ascii);
    left.push(segment(
        Role::Plain,
        &format!(
            "  {} ago  {}",
            age(p.created, app.now),
            words::kind(p.kind, &p.trigger)
        ),
    ));
    if let Some(session) = p.coverage.iter().flat_map(|c| &c.sessions).next() {
        let session = first_whole(session, 8).0;
        left.push(segment(Role::Dim, &format!("  session {session}")));
    }
    let mut right = Line::new();
    if p.kind.is_by_curator() {
        right.push(segment(
            Role::Dim,
            &format!("curator {}", curator(&p.usage)),
        ));
    }
    let first = ends(left, right, width, dots);
    let second = fit(counts(item), usize::from(width), dots);
    let mut rows = match app.arranged.areas.header.height {
        0 | 1 => vec![first],
        _ => vec![first, second],
    };
    if app.arranged.areas.header.height > 2 {
        let wide = app.is_wide();
        rows.push(if wide {
            Line::new()
        } else {
            breadcrumb(app, item, width)
        });
    }
    rows
}

fn counts(item: &Item) -> Line {
    let at = |level| {
        item.order
            .iter()
            .filter(|&&n| item.level(n) == level)
            .count()
    };
    // What is said of a file counts beside what is said of its changes.
    let said = |level| {
        let all = item.judged.files.values().flatten();
        all.filter(|v| v.level == level).count()
    };
    let warns = at(Level::Warn) + said(Level::Warn);
    let fails = at(Level::Block) + said(Level::Block);
    let stale = item
        .order
        .iter()
        .filter(|&&n| item.standing(n).is_some())
        .count();
    let hidden = item.hidden;
    let mut line = vec![
        segment(Role::Dim, &format!("checks {} pass  ", at(Level::Pass))),
        segment(
            if warns > 0 { Role::Warn } else { Role::Dim },
            &format!("{warns} warn  "),
        ),
        segment(
            if fails > 0 { Role::Fail } else { Role::Dim },
            &format!("{fails} FAIL"),
        ),
        segment(
            Role::Dim,
            &format!("  redacted {}", item.proposal.hits.len()),
        ),
        segment(
            if hidden > 0 { Role::Warn } else { Role::Dim },
            &format!("  invisible {hidden}"),
        ),
    ];
    if stale > 0 {
        line.push(segment(Role::Warn, &format!("  STALE {stale}")));
    }
    line
}

/// Where one is in the proposal, on a screen that has no room for the list.
fn breadcrumb(app: &App, item: &Item, width: u16) -> Line {
    let decided = item.order.len() - item.undecided().len();
    let current = app.review.current.as_ref().and_then(|c| item.change(c.n));
    let at = current.and_then(|c| item.order.iter().position(|n| *n == c.n));
    let left = match current {
        Some(change) => format!(
            "{} {} {}",
            words::group(Group::of(change)),
            app.look.marks.path,
            item.title(change.n)
        ),
        None => "all changes passed".to_owned(),
    };
    let entry = at.map_or(String::new(), |at| {
        format!("change {} of {}  ", at + 1, item.order.len())
    });
    ends(
        foreign(&left, Role::Dim, app.look.ascii),
        line(Role::Dim, &format!("{entry}{decided} decided")),
        width,
        app.look.marks.ellipsis,
    )
}

/// The drawer's title row: its pages, the open one marked.
#[must_use]
pub fn drawer(app: &App) -> Line {
    if app.view != View::Review {
        return super::super::shelf::drawer_title(app);
    }
    let rule = app.look.marks.horizontal;
    let item = app.item();
    let change = app
        .review
        .current
        .as_ref()
        .and_then(|c| item.and_then(|item| item.change(c.n)));
    let mut pages = Vec::new();
    for page in Drawer::ALL {
        let (name, n) = match page {
            Drawer::Evidence => ("evidence", change.map_or(0, |c| c.evidence.len())),
            Drawer::Checks => (
                "checks",
                change.map_or(0, |c| item.map_or(0, |i| i.flags(c.n).len())),
            ),
            Drawer::Source => ("source", item.map_or(0, |i| i.proposal.coverage.len())),
            Drawer::Redactions => ("redactions", item.map_or(0, |i| i.proposal.hits.len())),
        };
        let text = format!("{name} {n}");
        pages.push(match app.look.page == page {
            true => segment(Role::Accent, &format!("[{text}]")),
            false => segment(Role::Dim, &text),
        });
    }
    let width = app.arranged.areas.drawer_title.width;
    let open = Drawer::ALL.iter().position(|p| *p == app.look.page);
    // Where not all have room, those before the open one go: it is always named.
    let first = (0..=open.unwrap_or(0)).find(|&first| {
        let shown = pages.get(first..=open.unwrap_or(0)).unwrap_or_default();
        let used: usize = shown.iter().map(|s| s.text.len() + 4).sum();
        used + 2 <= usize::from(width)
    });
    let mut left = vec![segment(Role::Dim, &format!("{rule}{rule}{rule} "))];
    for (at, page) in pages.into_iter().skip(first.unwrap_or(0)).enumerate() {
        if at > 0 {
            left.push(segment(Role::Dim, &format!(" {rule}{rule} ")));
        }
        left.push(page);
    }
    left.push(segment(Role::Dim, " "));
    ruled(app, left, "t next", width)
}

/// A title whose row is filled up with a rule.
#[must_use]
pub fn ruled(app: &App, left: Line, right: &str, width: u16) -> Line {
    let rule = app.look.marks.horizontal;
    let used = columns(&left) + right.len() + 3;
    let Some(gap) = usize::from(width).checked_sub(used) else {
        return fit(left, usize::from(width), app.look.marks.ellipsis);
    };
    let mut row = left;
    row.push(segment(Role::Dim, &rule.repeat(gap)));
    row.push(segment(Role::Dim, &format!(" {right} {rule}")));
    row
}
