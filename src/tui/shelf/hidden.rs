//! What was hidden, as the rows of the review's drawer: a row for each secret, its places below it
//! once it is opened, and what a person called a secret besides. What is shown and what a key acts on
//! come from the same list.

use super::acts::{Asking, ask};
use super::pages::Question;
use super::wish::{Hidden, Wish};
use crate::browse::{Redaction, also_said, place_said, redactions};
use crate::redact::{NO_FINGERPRINT, also};
use crate::source::Place;
use crate::trust::AlsoSecret;
use crate::tui::app::{App, Drawer, View};
use crate::tui::msg::Effect;
use crate::tui::theme::Role;

/// A row.
#[derive(Debug, Clone)]
pub(super) enum Row {
    /// A secret.
    Secret(Redaction),
    /// A place where one stood.
    Place(Redaction, Place),
    /// A value that a person called a secret.
    Also(AlsoSecret),
}

/// The rows, in the order in which they are shown.
pub(super) fn rows(app: &App) -> Vec<Row> {
    let Some(item) = app.item().filter(|_| app.view == View::Review) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for found in redactions(&item.proposal, &app.shelf.not_secret()) {
        let places = match app.shelf.unfolded.contains(&found.fingerprint) {
            true => found.places.clone(),
            false => Vec::new(),
        };
        rows.push(Row::Secret(found.clone()));
        let place = |place| Row::Place(found.clone(), place);
        rows.extend(places.into_iter().map(place));
    }
    rows.extend(app.shelf.also.iter().cloned().map(Row::Also));
    rows
}

/// The rows as they read; foreign text in them is not escaped yet.
#[must_use]
pub fn texts(app: &App) -> Vec<(Role, String)> {
    let rows = rows(app);
    let hidden = rows.iter().any(|r| matches!(r, Row::Secret(_)));
    let mut texts: Vec<_> = rows.iter().map(|row| text(app, row)).collect();
    let end = match (hidden, texts.is_empty()) {
        (true, _) => {
            "Enter lists its places and opens one; ! says that a value is no secret, or takes that back; * says that a text is one"
        }
        (false, true) => "nothing was hidden; * says that a text is a secret",
        (false, false) => "nothing was hidden here; ! takes it back that a value is a secret",
    };
    texts.push((Role::Dim, end.to_owned()));
    texts
}

fn text(app: &App, row: &Row) -> (Role, String) {
    match row {
        Row::Secret(found) => secret(app, found),
        Row::Place(_, place) => (Role::Dim, format!("    {}", place_said(place))),
        Row::Also(said) => (Role::Plain, format!("  {}", also_said(said))),
    }
}

fn secret(app: &App, found: &Redaction) -> (Role, String) {
    let fold = match (
        found.places.len(),
        app.shelf.unfolded.contains(&found.fingerprint),
    ) {
        (0, _) => " ",
        (_, true) => "-",
        (_, false) => "+",
    };
    let first = |source: &str| match source.rsplit_once('/') {
        Some((dir, name)) if !dir.is_empty() => format!("{}/{name}", app.look.marks.ellipsis),
        _ => source.to_owned(),
    };
    let said = format!("{fold} {}", found.said(first));
    let role = match found.not_secret {
        true => Role::Dim,
        false => Role::Plain,
    };
    (role, said)
}

/// Enter on a row: its places, or the transcript at one.
pub(super) fn open(app: &mut App, at: usize) -> Vec<Effect> {
    let Some(id) = app.item().map(|item| item.proposal.id.clone()) else {
        return Vec::new();
    };
    match rows(app).into_iter().nth(at) {
        Some(Row::Secret(found)) if found.places.is_empty() => {
            app.notice = Some("no place is known: it was found in the prompt or the answer".into());
        }
        Some(Row::Secret(found)) => {
            let unfolded = &mut app.shelf.unfolded;
            if !unfolded.remove(&found.fingerprint) {
                unfolded.insert(found.fingerprint);
            }
        }
        Some(Row::Place(found, place)) => {
            let end = format!("#{}]", found.fingerprint.get(..4).unwrap_or("0000"));
            return vec![Effect::Shelf(Wish::HiddenAt(id, place, end))];
        }
        Some(Row::Also(_)) | None => {}
    }
    Vec::new()
}

/// Whether something can be said of a row.
///
/// # Errors
/// Why it cannot.
pub(super) fn check(app: &App, at: usize) -> Result<(), String> {
    let why = "select a row of the drawer's redactions: t turns to them, Tab goes there";
    if app.look.page != Drawer::Redactions {
        return Err(why.to_owned());
    }
    match rows(app).get(at) {
        None => Err(why.to_owned()),
        Some(Row::Secret(found) | Row::Place(found, _)) if found.fingerprint == NO_FINGERPRINT => {
            Err("this was withheld whole; there is no value to let through".to_owned())
        }
        Some(Row::Secret(found) | Row::Place(found, _)) if is_taken_back(app, found) => {
            Err("that it is a secret was taken back already; what was hidden stays hidden".into())
        }
        Some(_) => Ok(()),
    }
}

fn known<'a>(app: &'a App, found: &Redaction) -> Option<&'a AlsoSecret> {
    let mut also = app.shelf.also.iter();
    also.find(|a| a.value.fingerprint == found.fingerprint)
}

fn is_taken_back(app: &App, found: &Redaction) -> bool {
    found.rule == also::RULE && known(app, found).is_none()
}

/// `!` on a row: asks.
pub(super) fn say(app: &mut App, at: usize) -> Vec<Effect> {
    if let Err(why) = check(app, at) {
        app.notice = Some(why);
        return Vec::new();
    }
    let found = match rows(app).into_iter().nth(at) {
        Some(Row::Secret(found) | Row::Place(found, _)) => found,
        Some(Row::Also(said)) => return ask(app, Question::NoLongerSecret(said)),
        None => return Vec::new(),
    };
    if let Some(said) = known(app, &found).cloned() {
        return ask(app, Question::NoLongerSecret(said));
    }
    let hidden = Hidden {
        fingerprint: found.fingerprint.clone(),
        rule: found.rule.clone(),
        length: found.length.clone(),
        is_secret: found.not_secret,
    };
    ask(app, Question::NotSecret { hidden, found })
}

/// The word that is to be typed before a value that is almost certainly a secret is called none.
const WORD: &str = "no secret";

/// What follows a `y`: of a value that is almost certainly a secret, a word.
pub(super) fn confirmed(app: &mut App, hidden: Hidden, found: &Redaction) -> Vec<Effect> {
    let objection = found.confidence.objection(&found.rule);
    match objection.filter(|_| !hidden.is_secret) {
        None => vec![Effect::Shelf(Wish::NotSecret(hidden))],
        Some(why) => {
            let asking = Asking::Certain(hidden, why);
            crate::tui::update::ask(app, crate::tui::overlay::Purpose::Shelf(asking))
        }
    }
}

/// What is asked before the word counts.
pub(super) fn asked(why: &str) -> String {
    format!("Type \"{WORD}\" if you are sure: {why}")
}

/// The word was typed, or something else.
pub(super) fn typed(app: &mut App, hidden: Hidden, text: &str) -> Vec<Effect> {
    if text == WORD {
        return vec![Effect::Shelf(Wish::NotSecret(hidden))];
    }
    app.notice = Some(format!("nothing was done: that was not {WORD:?}"));
    Vec::new()
}
