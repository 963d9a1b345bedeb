//! What the shell found out.

use super::model::Events;
use super::pages::{Question, Shown};
use super::wish::{Heard, Wish};
use super::{archive, memory};
use crate::browse::{Event as Happened, Excerpt};
use crate::id::ProposalId;
use crate::review::{self as core, Event};
use crate::tui::app::{App, Pane, View};
use crate::tui::msg::{Editing, Effect};
use crate::tui::overlay::Overlay;
use crate::tui::page::Key;
use crate::tui::update::{edit_here, go_to, review, show_cursor};

/// Answers what the shell found out.
pub fn hear(app: &mut App, heard: Heard) -> Vec<Effect> {
    match heard {
        Heard::Started => match app.shelf.revert.take() {
            Some((project, proposal)) => {
                let mut effects = go_to(app, View::Log);
                effects.push(Effect::Shelf(Wish::Reverse(project, proposal)));
                effects
            }
            None => Vec::new(),
        },
        Heard::Elsewhere => {
            app.shelf.stale();
            Vec::new()
        }
        Heard::Projects(read) => {
            let read = read.map(|(all, here)| {
                app.shelf.here = here;
                all
            });
            app.shelf.projects.take(read);
            Vec::new()
        }
        Heard::Memory(id, read) => {
            app.shelf.memory.entry(id).or_default().take(read);
            keep_entry(app);
            Vec::new()
        }
        Heard::Roots(entry, roots) => {
            if app.shelf.roots_of.as_ref() == Some(&entry) {
                app.shelf.roots.take(Ok((entry, *roots)));
            }
            Vec::new()
        }
        Heard::Transcript(id, read) => match read {
            Ok(excerpt) => {
                transcript(app, id, *excerpt);
                Vec::new()
            }
            Err(why) => say(app, why),
        },
        Heard::ReadOn(id, excerpt, side, came) => {
            super::pages::read_on(app, &id, *excerpt, side, came);
            Vec::new()
        }
        Heard::HiddenAt(id, read, mark) => match read {
            Ok(excerpt) => {
                transcript(app, id, *excerpt);
                show_mark(app, &mark);
                Vec::new()
            }
            Err(why) => say(app, why),
        },
        Heard::Hidden {
            queue,
            proposals,
            said,
        } => hidden(app, queue, proposals, said),
        Heard::Allowed(all, also) => {
            app.shelf.allowed.take(Ok(all));
            app.shelf.also = also;
            Vec::new()
        }
        Heard::Staged { queue, id, said } => {
            app.unsent = None;
            staged(app, queue, id, said)
        }
        Heard::Archive(id, read) => {
            app.shelf.archives.entry(id).or_default().take(read);
            if app.view == View::Archive && app.place().cursor.is_none() {
                let month = archive::month(app).map(|(id, m)| Key::Month(id, m.name));
                app.place_mut().cursor = month;
            }
            Vec::new()
        }
        Heard::Pieces(id, month, read) => {
            let of = Some((id, month));
            if app.shelf.month == of {
                app.shelf.pieces.take(read);
                app.shelf.pieces_of = of;
                archive::keep_piece(app);
                archive::show(app);
            }
            Vec::new()
        }
        Heard::Found(found) => {
            if let Some(finding) = &mut app.shelf.finding
                && finding.found.query == found.query
            {
                finding.found = *found;
                archive::show(app);
                app.notice = Some(archive::told(app));
            }
            Vec::new()
        }
        Heard::Events {
            scope,
            more,
            events,
            is_end,
            problem,
        } => {
            if scope.as_ref() == app.shelf.scope() {
                let read = Events {
                    events,
                    is_end,
                    problem,
                    is_reading: false,
                };
                return took_events(app, read, more);
            }
            Vec::new()
        }
        Heard::Details(event, read) => {
            if app.shelf.details_of.as_ref() == Some(&*event) {
                app.shelf.details.take(read.map(|d| (*event, *d)));
            }
            Vec::new()
        }
        Heard::Last(last) => {
            app.shelf.last.take(Ok(*last));
            Vec::new()
        }
        Heard::EntryText(project, entry, Ok(text)) => {
            let begun = app.shelf.typed.get(&entry).cloned();
            let of = Editing::Entry(project, entry);
            edit_here(app, of, &text, begun.as_deref())
        }
        Heard::EntryText(.., Err(why)) => say(app, why),
        Heard::Reverse(Ok((reverse, queue))) => {
            let id = reverse.item.proposal.id.clone();
            let mut effects = review(app, Event::Loaded(queue));
            effects.push(Effect::Review(core::Effect::Load(id)));
            let question = Question::Reverse(reverse);
            let of = Box::new(Shown::Ask {
                question,
                read: None,
            });
            app.overlays.push(Overlay::Pages { top: 0, of });
            app.notice = None;
            effects
        }
        Heard::Reverse(Err(why)) => say(app, why),
        Heard::Dropped(proposal, done) => match done {
            Ok(()) => {
                let effects = review(app, Event::Closed { proposal });
                app.notice = Some("nothing was done".to_owned());
                effects
            }
            Err(why) => say(app, why),
        },
        Heard::Written(said) => {
            app.shelf.stale();
            app.farewell.push(said.clone());
            say(app, said)
        }
        Heard::NotWritten(why) => say(app, why),
        Heard::NotKept(why) => super::acts::ask(app, Question::Leave(why)),
    }
}

/// What tells one event from another.
fn same(a: &Happened, b: &Happened) -> bool {
    (a.at, a.audit, &a.commit, &a.project) == (b.at, b.audit, &b.commit, &b.project)
}

/// Events came, those after the known ones or the newest: what was selected stays so.
fn took_events(app: &mut App, mut read: Events, more: bool) -> Vec<Effect> {
    let known = app.shelf.events.value.take().unwrap_or_default();
    let selected = known.events.get(app.shelf.event).cloned();
    if more {
        let is_new = |e: &Happened| !known.events.iter().any(|k| same(k, e));
        read.events.retain(is_new);
        read.events.splice(0..0, known.events);
    } else if let Some(newest) = known.events.first()
        && let Some(at) = read.events.iter().position(|e| same(e, newest))
    {
        read.events.truncate(at);
        read.events.extend(known.events);
    }
    let is_it = |e: &Happened| selected.as_ref().is_some_and(|s| same(s, e));
    let at = read.events.iter().position(is_it).unwrap_or(0);
    let is_any = !read.events.is_empty();
    app.shelf.events.take(Ok(read));
    app.shelf.event = at;
    if app.view == View::Log && is_any {
        if app.place().cursor.is_none() && app.is_wide() {
            app.place_mut().focus = Pane::List;
        }
        app.place_mut().cursor = Some(Key::Event(at));
        show_cursor(app);
    }
    // Of the kind that is shown, the first may just have been read.
    if app.view == View::Log && super::log::selected(app).is_none() {
        return super::kinds::settle(app);
    }
    Vec::new()
}

fn say(app: &mut App, what: String) -> Vec<Effect> {
    app.notice = Some(what);
    Vec::new()
}

/// What is selected stays so, or what is next to it.
fn keep_entry(app: &mut App) {
    if app.view != View::Memory {
        return;
    }
    let Some(project) = memory::project(app) else {
        return;
    };
    let key = match app.place().cursor.clone() {
        Some(Key::Entry(id, file, n)) => {
            let view = memory::view(app, &id);
            let file_view = view.and_then(|v| v.files.iter().find(|f| f.file == file));
            let last = file_view.map_or(0, |f| f.entries.len());
            match last {
                0 => Key::File(id, file),
                last => Key::Entry(id, file, n.min(last - 1)),
            }
        }
        Some(Key::Project(_)) | None if app.place().focus == Pane::Content => {
            let files = memory::view(app, &project).map(|v| v.files.as_slice());
            let first = files
                .unwrap_or_default()
                .iter()
                .find(|f| !f.entries.is_empty());
            match first {
                Some(file) => Key::Entry(project, file.file, 0),
                None => Key::Project(project),
            }
        }
        Some(key) => key,
        None => Key::Project(project),
    };
    app.place_mut().cursor = Some(key);
}

/// A transcript comes up with the cited turn in sight.
fn transcript(app: &mut App, proposal: ProposalId, excerpt: Excerpt) {
    let cited = Key::Row(excerpt.cited);
    let is_gone = excerpt.gone.is_some();
    let of = Box::new(Shown::Transcript { proposal, excerpt });
    app.overlays.push(Overlay::Pages { top: 0, of });
    crate::tui::arrange::lay_out(app);
    let height = crate::tui::arrange::overlay_height(app);
    // That the source is gone is read first.
    let span = app.arranged.overlay.span(&cited).filter(|_| !is_gone);
    if let Some((from, to)) = span {
        // A third of the screen stands above it, unless it is longer than the rest.
        let above = height / 3;
        let room = height.saturating_sub(to - from).min(above);
        if let Some(Overlay::Pages { top, .. }) = app.overlays.last_mut() {
            *top = from.saturating_sub(room);
        }
    }
}

/// Scrolls to the row of the cited turn where a placeholder ends like this.
fn show_mark(app: &mut App, mark: &str) {
    let page = &app.arranged.overlay;
    let holds = |row: &usize| {
        page.at(*row).is_some_and(|(block, i)| {
            let text: String = block.line(i).into_iter().map(|s| s.text).collect();
            text.contains(mark)
        })
    };
    let Some(Overlay::Pages { of, .. }) = app.overlays.last() else {
        return;
    };
    let super::pages::Shown::Transcript { excerpt, .. } = of.as_ref() else {
        return;
    };
    let span = page.span(&Key::Row(excerpt.cited));
    let row = span.and_then(|(from, to)| (from..to).find(holds));
    let height = crate::tui::arrange::overlay_height(app);
    if let (Some(row), Some(Overlay::Pages { top, .. })) = (row, app.overlays.last_mut())
        && row >= *top + height
    {
        *top = row.saturating_sub(height / 3);
    }
}

/// Nothing that was read before is shown on: a person called some of it a secret.
fn hidden(
    app: &mut App,
    queue: Vec<core::Waiting>,
    proposals: Vec<ProposalId>,
    said: String,
) -> Vec<Effect> {
    app.overlays.clear();
    app.cache = Default::default();
    app.shelf.stale();
    let mut effects = review(app, Event::Loaded(queue));
    let known = |id: &ProposalId| app.review.item(id).is_some();
    let load = |id| Effect::Review(core::Effect::Load(id));
    effects.extend(proposals.into_iter().filter(known).map(load));
    app.farewell.push(said.clone());
    effects.extend(say(app, said));
    effects
}

/// What was staged is decided in the review, like any other proposal.
fn staged(app: &mut App, queue: Vec<core::Waiting>, id: ProposalId, said: String) -> Vec<Effect> {
    let mut effects = review(app, Event::Loaded(queue));
    effects.extend(to_review(app, &id, said));
    effects
}

/// To the review, at a proposal.
pub(super) fn to_review(app: &mut App, id: &ProposalId, said: String) -> Vec<Effect> {
    let mut effects = go_to(app, View::Review);
    app.place_mut().focus = Pane::Content;
    let (action, frame) = (core::Action::Open(id.clone()), app.frame);
    effects.extend(review(app, Event::Act { action, frame }));
    app.notice = Some(said);
    effects
}
