//! The keys that matter now, and the last thing to say.

use crate::review::Ask;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::keymap;
use crate::tui::lines::{columns, ends, segment};
use crate::tui::overlay::{Overlay, Purpose};
use crate::tui::rows::Line;
use crate::tui::theme::Role;

/// The last row.
#[must_use]
pub fn footer(app: &App) -> Line {
    let pairs = match app.overlays.last() {
        Some(overlay) => of_overlay(app, overlay),
        None => of_view(app),
    };
    let mut right = Line::new();
    if app.overlays.is_empty() {
        right = pair("?", "all keys");
    }
    right.push(segment(Role::Plain, " "));
    let room = usize::from(app.size.0).saturating_sub(columns(&right) + 1);
    let mut left = vec![segment(Role::Plain, " ")];
    for (key, label) in pairs {
        let mut next = pair(&key, &label);
        next.push(segment(Role::Plain, "  "));
        if columns(&left) + columns(&next) > room + 2 {
            break;
        }
        left.extend(next);
    }
    ends(left, right, app.size.0, app.look.marks.ellipsis)
}

fn pair(key: &str, label: &str) -> Line {
    vec![
        segment(Role::Accent, key),
        segment(Role::Dim, &format!(" {label}")),
    ]
}

type Pairs = Vec<(String, String)>;

fn of_view(app: &App) -> Pairs {
    let pairs = keymap::footer(app).into_iter().map(|binding| {
        let key = binding.keys.first().copied().unwrap_or(":");
        (key.to_owned(), label(app, binding))
    });
    pairs.collect()
}

fn label(app: &App, binding: &keymap::Binding) -> String {
    match (binding.action, app.item()) {
        (Action::Apply, Some(item)) => {
            let all = item.order.len();
            format!("apply {} of {all}", all - item.undecided().len())
        }
        _ => binding.label.to_owned(),
    }
}

fn pairs(all: &[(&str, &str)]) -> Pairs {
    all.iter()
        .map(|(key, label)| ((*key).to_owned(), (*label).to_owned()))
        .collect()
}

fn of_overlay(app: &App, overlay: &Overlay) -> Pairs {
    match overlay {
        Overlay::Ask { .. } => match &app.review.ask {
            Some((Ask::Apply { .. }, _)) if crate::tui::update::wants_reason(app) => pairs(&[
                ("o", "say why it is right"),
                ("Esc", "back"),
                ("d", "final files"),
            ]),
            Some((Ask::Apply { sheet, because, .. }, _))
                if sheet.blocked().is_some() && because.is_none() =>
            {
                pairs(&[("Esc", "back"), ("d", "final files")])
            }
            Some((Ask::Apply { .. }, _)) => pairs(&[
                ("y", "apply"),
                ("Esc", "back"),
                ("d", "final files"),
                ("Space", "read on"),
            ]),
            _ => pairs(&[("y", "yes"), ("Esc", "back"), ("Space", "read on")]),
        },
        Overlay::Help { .. } => pairs(&[("Enter", "run"), ("Esc", "close")]),
        Overlay::Line {
            purpose: Purpose::Search,
            ..
        } => pairs(&[("Enter", "find"), ("Esc", "end")]),
        Overlay::Line { .. } => pairs(&[("Enter", "go on"), ("Esc", "back")]),
        Overlay::Inline { .. } => pairs(&[("Ctrl-s", "save"), ("Esc", "leave")]),
        Overlay::Pages { of, .. } => crate::tui::shelf::page_keys(app, of),
        Overlay::Waiting { .. } => pairs(&[("Esc", "stop waiting"), ("Q", "quit")]),
    }
}
