//! The keys that matter now, and the last thing to say.

use crate::review::Ask;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::keymap;
use crate::tui::lines::{columns, ends, line, segment};
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
    let mut left = Line::new();
    for (key, label) in pairs {
        let mut next = line(Role::Plain, if left.is_empty() { " " } else { "  " });
        next.extend(pair(&key, &label));
        if columns(&left) + columns(&next) > room {
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
        // Among others a narrow screen has no room for how many.
        (Action::Apply, Some(_)) if app.size.0 < keymap::NARROW && !app.all_decided() => {
            binding.label.to_owned()
        }
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

/// With the key that reads on, where there is more than fits.
fn with_more(app: &App, all: &[(&str, &str)]) -> Pairs {
    let mut pairs = pairs(all);
    if !crate::tui::update::is_read(app) {
        // Only at its end an answer counts: before it was there, none is offered.
        let was_read = app.review.ask.as_ref().is_some_and(|(_, at)| at.is_some());
        pairs.retain(|(key, _)| was_read || key != "y");
        pairs.insert(0, ("Space".to_owned(), "read on".to_owned()));
    }
    pairs
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
            Some((Ask::Apply { .. }, _)) => with_more(
                app,
                &[("y", "apply"), ("Esc", "back"), ("d", "final files")],
            ),
            _ => with_more(app, &[("y", "yes"), ("Esc", "back")]),
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
