//! The list of keys and commands, a typed line, and an apply that waits.

use super::stream::wrapped;
use crate::tui::app::App;
use crate::tui::lines::{ends, fit, indent, line, segment};
use crate::tui::overlay::{Overlay, Purpose};
use crate::tui::page::{Block, Key, Page};
use crate::tui::palette;
use crate::tui::rows::Line;
use crate::tui::theme::Role;

/// The rows of the list of keys; the selected one has the bar.
#[must_use]
pub fn page(app: &App, filter: &str, at: usize) -> Page {
    let width = app.size.0;
    let rows = palette::rows(app);
    let mut head = vec![
        ends(
            line(Role::Strong, " keys and commands"),
            line(
                Role::Dim,
                if width < ROOMY {
                    "type to filter "
                } else {
                    "type to filter, Enter runs "
                },
            ),
            width,
            app.look.marks.ellipsis,
        ),
        line(Role::Plain, &format!(" > {filter}_")),
        Line::new(),
    ];
    if rows.is_empty() {
        head.push(line(Role::Dim, "   no key or command is called that"));
    }
    let mut blocks = vec![Block::of(None, head)];
    for (n, row) in rows.iter().enumerate() {
        blocks.push(Block::of(Some(Key::Row(n)), binding(app, row, n == at)));
    }
    Page::new(blocks)
}

/// Columns of the keys, and of the names where there is room for them.
const KEYS: usize = 15;
const NAMES: usize = 18;
/// A narrower screen has no column for names.
const ROOMY: u16 = 64;

fn binding(app: &App, row: &palette::Row, selected: bool) -> Vec<Line> {
    let width = app.size.0;
    let bar = if selected { app.look.marks.bar } else { " " };
    let roomy = width >= ROOMY;
    let mut left = vec![
        segment(Role::Select, &format!(" {bar} ")),
        segment(Role::Accent, &format!("{:<KEYS$}", row.binding.keys_text())),
    ];
    let mut used = 3 + KEYS;
    if roomy {
        left.push(segment(
            Role::Plain,
            &format!("{:<NAMES$}", row.binding.name),
        ));
        used += NAMES;
    }
    // A key that cannot be used, and a command without a key, are told by their names.
    let name = match roomy || !row.binding.keys.is_empty() && row.why_not.is_none() {
        true => String::new(),
        false => format!("{}: ", row.binding.name),
    };
    let (role, help) = match &row.why_not {
        Some(why) => (Role::Dim, format!("{name}unavailable: {why}")),
        None => (Role::Plain, format!("{name}{}", row.help)),
    };
    let used = u16::try_from(used).unwrap_or(u16::MAX);
    let mut texts = wrapped(app, role, &help, width.saturating_sub(used + 1)).into_iter();
    left.extend(texts.next().unwrap_or_default());
    let mut lines = vec![fit(left, usize::from(width), app.look.marks.ellipsis)];
    for rest in texts {
        let mut all = indent(used);
        all.extend(rest);
        lines.push(all);
    }
    lines
}

/// A line that is being typed.
#[must_use]
pub fn typed(app: &App, purpose: &Purpose, text: &str) -> Page {
    let (asked, told) = match purpose {
        Purpose::GiveBack => (
            "A note to the curator".to_owned(),
            "The proposal is given back: its material is read again, and the curator is told this.",
        ),
        Purpose::Override => (
            "Why is it right that a file loses most of its text?".to_owned(),
            "What you type is recorded in the audit chain.",
        ),
        Purpose::Search => ("Search".to_owned(), ""),
        Purpose::Shelf(asking) => crate::tui::shelf::asked(asking),
    };
    let width = app.size.0.saturating_sub(5);
    let mut rows = vec![Line::new()];
    let mut say = |role, text: &str| {
        for row in wrapped(app, role, text, width) {
            let mut all = indent(3);
            all.extend(row);
            rows.push(all);
        }
    };
    say(Role::Strong, &asked);
    say(Role::Dim, told);
    say(Role::Plain, &format!("> {text}_"));
    Page::new(vec![Block::of(None, rows)])
}

/// An apply that waits for another memd.
#[must_use]
pub fn waiting(app: &App, why: &str) -> Page {
    let mut rows = vec![Line::new()];
    for row in wrapped(
        app,
        Role::Plain,
        &format!("{why}: waiting{}", app.look.marks.ellipsis),
        app.size.0.saturating_sub(5),
    ) {
        let mut all = indent(3);
        all.extend(row);
        rows.push(all);
    }
    Page::new(vec![Block::of(None, rows)])
}

/// The selected row of the list of keys, to be kept in sight.
#[must_use]
pub fn selected(overlay: &Overlay) -> Option<Key> {
    match overlay {
        Overlay::Help { at, .. } => Some(Key::Row(*at)),
        _ => None,
    }
}
