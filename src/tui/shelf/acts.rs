//! What a person does in these views: when it can be done, what is asked first, what is staged.

use super::model::Shelf;
use super::pages::{Question, Shown};
use super::wish::{Hidden, Wish};
use super::{hidden, memory};
use crate::apply;
use crate::browse::{EntryView, SealState};
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::proposal::{Back, Kind};
use crate::tui::action::Action;
use crate::tui::app::{App, Pane, View};
use crate::tui::msg::{Editing, Effect};
use crate::tui::overlay::{Overlay, Purpose};
use crate::tui::page::Key;

/// What these views want typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asking {
    /// Why an entry goes to the archive.
    Archive(ProjectId, EntryId, String),
    /// Why an entry is taken back.
    Tombstone(ProjectId, EntryId, String),
    /// A word, before a value that is almost certainly a secret is called none; and why it is.
    Certain(Hidden, String),
}

/// Does what a key means that decides.
pub fn act(app: &mut App, action: Action, frame: u64) -> Vec<Effect> {
    if !was_shown(app, frame) {
        app.notice = Some("ignored: it was typed before this was on screen".to_owned());
        return Vec::new();
    }
    match action {
        Action::NotSecret => {
            let row = app.place().row;
            hidden::say(app, row)
        }
        Action::Confirm
        | Action::Edit
        | Action::EditInline
        | Action::ArchiveEntry
        | Action::Tombstone => on_entry(app, action),
        Action::BringBack => bring_back(app),
        Action::Revert if app.view == View::Review => match unattended(app) {
            Some((project, id)) => vec![Effect::Shelf(Wish::Reverse(project, id))],
            None => Vec::new(),
        },
        Action::Revert => match super::log::selected(app) {
            Some(event) => match event.proposal.clone() {
                Some(id) => vec![Effect::Shelf(Wish::Reverse(event.project.clone(), id))],
                None => Vec::new(),
            },
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The apply that the open proposal offers for review, when nobody attended it.
fn unattended(app: &App) -> Option<(ProjectId, ProposalId)> {
    let proposal = &app.item()?.proposal;
    match (proposal.kind, &proposal.back) {
        (Kind::Unreviewed, Some(Back::Apply(id))) => Some((proposal.project.clone(), id.clone())),
        _ => None,
    }
}

/// Whether what is selected was on screen before a key was read.
fn was_shown(app: &App, frame: u64) -> bool {
    // What is asked there names its value, and counts once it was read.
    if app.view == View::Review {
        return true;
    }
    let at = app.shelf.selected_in.as_ref();
    at.is_some_and(|(key, at)| Some(key) == app.place().cursor.as_ref() && *at <= frame)
}

pub(super) fn ask(app: &mut App, question: Question) -> Vec<Effect> {
    let of = Box::new(Shown::Ask {
        question,
        read: None,
    });
    app.overlays.push(Overlay::Pages { top: 0, of });
    Vec::new()
}

fn on_entry(app: &mut App, action: Action) -> Vec<Effect> {
    let Some((project, entry)) = entry_and_project(app) else {
        return Vec::new();
    };
    let Some(id) = entry.id.clone() else {
        return Vec::new();
    };
    let title = entry.title.clone();
    let asking = match action {
        Action::Confirm => {
            let entry = Box::new(entry.clone());
            return ask(app, Question::Confirm { project, entry });
        }
        Action::Edit => return vec![Effect::Edit(Editing::Entry(project, id))],
        Action::EditInline => return vec![Effect::Shelf(Wish::EntryText(project, id))],
        Action::ArchiveEntry => Asking::Archive(project, id, title),
        _ => Asking::Tombstone(project, id, title),
    };
    crate::tui::update::ask(app, Purpose::Shelf(asking))
}

fn entry_and_project(app: &App) -> Option<(ProjectId, &EntryView)> {
    let key = app.place().cursor.as_ref()?;
    let Key::Entry(project, ..) = key else {
        return None;
    };
    Some((project.clone(), memory::entry(app, key)?))
}

fn bring_back(app: &mut App) -> Vec<Effect> {
    let month = super::archive::month(app);
    let piece = super::archive::selected(app);
    let (Some((project, month)), Some((n, piece))) = (month, piece) else {
        return Vec::new();
    };
    let wish = Wish::BringBack(project, month, n, piece.text.clone());
    vec![Effect::Shelf(wish)]
}

/// What is asked to be typed, and what it is for. Foreign text in it is not escaped yet.
#[must_use]
pub fn asked(asking: &Asking) -> (String, &'static str) {
    match asking {
        Asking::Archive(_, _, title) => (
            format!("Why does this go to the archive?  {title}"),
            "Stands beside it in the archive. Staged as a change of your own: Review decides.",
        ),
        Asking::Tombstone(_, _, title) => (
            format!("Why is this taken back?  {title}"),
            "Recorded in the audit chain. Staged as a change of your own: Review decides.",
        ),
        Asking::Certain(_, why) => (hidden::asked(why), "Anything else does nothing."),
    }
}

/// What was typed.
pub fn typed(app: &mut App, asking: &Asking, text: String) -> Vec<Effect> {
    let (project, wish) = match asking.clone() {
        Asking::Archive(project, entry, _) => {
            let reason = text;
            (project, apply::Wish::Archive { entry, reason })
        }
        Asking::Tombstone(project, entry, _) => {
            let reason = text;
            (project, apply::Wish::Tombstone { entry, reason })
        }
        Asking::Certain(hidden, _) => return hidden::typed(app, hidden, &text),
    };
    vec![Effect::Shelf(Wish::Own(project, wish))]
}

/// Whether an action can be done.
///
/// # Errors
/// Why it cannot be done now.
pub fn check(app: &App, action: Action) -> Result<(), String> {
    match action {
        Action::NotSecret if app.place().focus != Pane::Drawer => hidden::check(app, usize::MAX),
        Action::NotSecret => hidden::check(app, app.place().row),
        Action::Confirm
        | Action::Edit
        | Action::EditInline
        | Action::ArchiveEntry
        | Action::Tombstone => can_act_on_entry(app),
        Action::BringBack => match super::archive::selected(app) {
            Some((_, piece)) if piece.file.is_some() => Ok(()),
            Some(_) => Err("nothing says in which file it stood".to_owned()),
            None => Err("select a piece".to_owned()),
        },
        Action::Revert if app.view == View::Review => match unattended(app) {
            Some(_) => Ok(()),
            None => Err("this was not applied unattended".into()),
        },
        Action::Revert => super::log::can_revert(app),
        Action::NextMatch | Action::PreviousMatch if app.search.is_none() => {
            Err("nothing was searched for; / searches".to_owned())
        }
        _ => Ok(()),
    }
}

fn can_act_on_entry(app: &App) -> Result<(), String> {
    let Some((_, entry)) = entry_and_project(app) else {
        return Err("select an entry".to_owned());
    };
    match (&entry.seal, &entry.id) {
        (SealState::Sealed | SealState::Unreviewed | SealState::Lapsed, Some(_)) => Ok(()),
        (SealState::Tombstoned, _) => Err("a person took it back already".to_owned()),
        _ => Err("nothing vouches for it; decide on it in 1 Review, as \"changed on disk\"".into()),
    }
}

/// This project, or all.
pub fn all_projects(app: &mut App) -> Vec<Effect> {
    let Shelf { here, all, .. } = &mut app.shelf;
    if here.is_none() {
        app.notice = Some("the screen was started for all projects".to_owned());
        return Vec::new();
    }
    *all = !*all;
    let said = if *all { "all projects" } else { "this project" };
    app.notice = Some(said.to_owned());
    app.shelf.events.stale();
    if !app.shelf.all {
        let here = app.shelf.here.clone();
        let of = app.place().cursor.as_ref().and_then(super::project_of);
        if of.is_some() && of != here {
            app.place_mut().cursor = here.map(Key::Project);
        }
    }
    Vec::new()
}

/// The text of what is selected.
#[must_use]
pub fn selected_text(app: &App) -> Option<String> {
    match app.view {
        View::Review => None,
        View::Memory => memory::selected(app).map(|e| e.text.clone()),
        View::Archive => super::archive::selected(app).map(|(_, p)| p.text.clone()),
        View::Log => super::log::selected(app).map(super::log::short),
    }
}

/// The files as they would be.
pub fn final_files(app: &mut App) -> Vec<Effect> {
    if let Some((crate::review::Ask::Apply { sheet, .. }, _)) = &app.review.ask {
        let written = sheet.files.iter().filter_map(|f| {
            let text = f.text.clone()?;
            Some((f.name.clone(), text))
        });
        let of = Box::new(Shown::Files(written.collect()));
        app.overlays.push(Overlay::Pages { top: 0, of });
    }
    Vec::new()
}
