//! The list of keys and commands: what it holds for a view and a filter.

use super::action::Action;
use super::app::{App, View};
use super::enabled;
use super::keymap::{self, Binding};
use super::overlay::Overlay;

/// One row of the list.
#[derive(Debug, Clone)]
pub struct Row {
    /// What it stands for.
    pub binding: &'static Binding,
    /// What it does here.
    pub help: &'static str,
    /// Why it cannot be done now.
    pub why_not: Option<String>,
}

/// The rows that fit what was typed.
#[must_use]
pub fn rows(app: &App) -> Vec<Row> {
    let filter = match app.overlays.last() {
        Some(Overlay::Help { filter, .. }) => filter.to_lowercase(),
        _ => String::new(),
    };
    let fits = |b: &&Binding| {
        filter.is_empty()
            || b.keys.contains(&filter.as_str())
            || b.name.contains(&filter)
            || b.help.to_lowercase().contains(&filter)
    };
    keymap::of(app.view)
        .filter(fits)
        .map(|binding| Row {
            binding,
            help: help(app, binding),
            why_not: enabled::check(app, binding.action).err(),
        })
        .collect()
}

/// What an action does to the selected change, where that is not the same for every proposal.
fn help(app: &App, binding: &'static Binding) -> &'static str {
    let change = app.review.current.as_ref().map(|c| c.n);
    let here = match (app.view, binding.action) {
        (View::Review, Action::Reject) => app.item().and_then(|item| item.rejecting(change)),
        _ => None,
    };
    here.unwrap_or(binding.help)
}
