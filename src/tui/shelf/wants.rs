//! What is read when: only what is shown, and each thing once.

use super::wish::Wish;
use super::{archive, kinds, log, memory};
use crate::tui::app::{App, Drawer, View};
use crate::tui::msg::Effect;

/// What the screen as it is laid out needs and nobody has asked for yet.
pub fn wants(app: &mut App) -> Vec<Effect> {
    let mut wishes = Vec::new();
    match app.view {
        View::Review => in_review(app, &mut wishes),
        _ => {
            if app.shelf.projects.is_wanted() {
                wishes.push(Wish::Projects);
            }
        }
    }
    // Whose memory is shown depends on which project the screen is about.
    let known = app.shelf.projects.value.is_some() || app.shelf.projects.fault.is_some();
    match app.view {
        View::Review => {}
        _ if !known => {}
        View::Memory => in_memory(app, &mut wishes),
        View::Archive => in_archive(app, &mut wishes),
        View::Log => in_log(app, &mut wishes),
    }
    wishes.into_iter().map(Effect::Shelf).collect()
}

fn in_review(app: &mut App, wishes: &mut Vec<Wish>) {
    let reads = app.has_drawer() && app.look.page == Drawer::Redactions && app.item().is_some();
    if reads && app.shelf.allowed.is_wanted() {
        wishes.push(Wish::Allowed);
    }
    if app.review.open.is_none() && app.shelf.last.is_wanted() {
        wishes.push(Wish::Last);
    }
}

fn in_archive(app: &mut App, wishes: &mut Vec<Wish>) {
    if app.search.is_none() {
        app.shelf.finding = None;
    }
    if app.shelf.finding.as_ref().is_some_and(|f| !f.found.is_done) {
        wishes.push(Wish::FindOn);
    }
    let Some(project) = memory::project(app) else {
        return;
    };
    let slot = app.shelf.archives.entry(project.clone()).or_default();
    if slot.is_wanted() {
        wishes.push(Wish::Archive(project));
    }
    if let Some((project, month)) = archive::month(app) {
        let key = Some((project.clone(), month.name.clone()));
        if app.shelf.month != key {
            app.shelf.pieces.stale();
            app.shelf.month = key;
        }
        if app.shelf.pieces.is_wanted() {
            wishes.push(Wish::Pieces(project, month));
        }
    }
}

/// So near to the end of what was read, more is.
const NEAR: usize = 12;

/// Whether few events that are shown were read after the selected one.
fn is_near_the_end(app: &App) -> bool {
    let after = kinds::shown(app).filter(|(n, _)| *n > app.shelf.event);
    after.take(NEAR).count() < NEAR
}

fn in_log(app: &mut App, wishes: &mut Vec<Wish>) {
    let scope = app.shelf.scope().cloned();
    if app.shelf.events.is_wanted() {
        wishes.push(Wish::Events(scope, false));
    } else if is_near_the_end(app)
        && let Some(read) = &mut app.shelf.events.value
        && !read.is_end
        && !std::mem::replace(&mut read.is_reading, true)
    {
        wishes.push(Wish::Events(scope, true));
    }
    let event = log::selected(app).cloned();
    if let Some(event) = event {
        if app.shelf.details_of.as_ref() != Some(&event) {
            app.shelf.details.stale();
            app.shelf.details.fault = None;
            app.shelf.details_of = Some(event.clone());
        }
        if app.shelf.details.is_wanted() {
            wishes.push(Wish::Details(Box::new(event)));
        }
    }
}

fn in_memory(app: &mut App, wishes: &mut Vec<Wish>) {
    let Some(project) = memory::project(app) else {
        return;
    };
    let slot = app.shelf.memory.entry(project.clone()).or_default();
    if slot.is_wanted() {
        wishes.push(Wish::Memory(project.clone()));
    }
    let is_shown = app.arranged.areas.drawer.height > 0 || !app.overlays.is_empty();
    let entry = memory::selected(app).and_then(|e| e.id.clone());
    if let Some(entry) = entry.filter(|_| is_shown) {
        if app.shelf.roots_of.as_ref() != Some(&entry) {
            app.shelf.roots.stale();
            app.shelf.roots_of = Some(entry.clone());
        }
        if app.shelf.roots.is_wanted() {
            wishes.push(Wish::Roots(project, entry));
        }
    }
}
