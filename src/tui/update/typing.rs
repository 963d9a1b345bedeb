//! What a person types on the screen: lines and texts. None of it is lost by what happens meanwhile:
//! a line that was left or came to nothing is begun with where the same is asked again, and what the
//! screen is left with is handed out by [`unsaved`].

use super::{review, say};
use crate::id::ProposalId;
use crate::review::{self as core, Event};
use crate::tui::app::App;
use crate::tui::areas::is_too_small;
use crate::tui::input::{AT_ONCE, Chord, Key};
use crate::tui::msg::{Editing, Effect};
use crate::tui::overlay::{Overlay, Purpose};
use crate::tui::shelf;
use ratatui_textarea::{CursorMove, Input, TextArea, WrapMode};

/// Characters of a note or a reason.
const LINE: usize = 2_000;

/// Whether keys go into a text.
pub(super) fn takes_text(app: &App) -> bool {
    matches!(
        app.overlays.last(),
        Some(Overlay::Inline { .. } | Overlay::Line { .. })
    )
}

/// A line that was typed, and of which nothing has come yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsent {
    purpose: Purpose,
    /// The proposal that was open.
    of: Option<ProposalId>,
    text: String,
    /// It was not left: something was to be done with it.
    is_meant: bool,
}

/// Whether a line is a person's own words, which are not to be typed twice.
fn is_own(purpose: &Purpose) -> bool {
    use shelf::Asking;
    match purpose {
        Purpose::Search | Purpose::Shelf(Asking::Certain(..)) => false,
        Purpose::GiveBack | Purpose::Override | Purpose::Shelf(_) => true,
    }
}

/// Opens a line to type; it begins with what was typed for the same before and came to nothing.
pub(in crate::tui) fn ask(app: &mut App, purpose: Purpose) -> Vec<Effect> {
    let is_it = |u: &&Unsent| u.purpose == purpose && u.of == app.review.open;
    let text = app.unsent.as_ref().filter(is_it).map(|u| u.text.clone());
    let text = text.unwrap_or_default();
    if !text.is_empty() {
        app.notice = Some("this is what you typed before; Ctrl-u clears it".to_owned());
    }
    app.overlays.push(Overlay::Line { purpose, text });
    Vec::new()
}

/// Keeps what was typed until something came of it.
fn remember(app: &mut App, purpose: &Purpose, text: &str, is_meant: bool) {
    if is_own(purpose) && !text.is_empty() {
        app.unsent = Some(Unsent {
            purpose: purpose.clone(),
            of: app.review.open.clone(),
            text: text.to_owned(),
            is_meant,
        });
    }
}

/// Opens a text to be edited here, begun with what a person made of it before, if they did. Hidden
/// characters cannot be edited where they cannot be seen: they are left out, which is said.
pub(in crate::tui) fn edit_here(
    app: &mut App,
    of: Editing,
    stands: &str,
    begun: Option<&str>,
) -> Vec<Effect> {
    use super::decide::without_hidden;
    let title = crate::memory::title(stands);
    let begins = begun.unwrap_or(stands);
    let before = without_hidden(begins);
    if before != begins {
        app.notice = Some("its hidden characters are left out here".to_owned());
    }
    let area = Box::new(area(&before));
    app.overlays.push(Overlay::Inline {
        of,
        title,
        before,
        is_begun: begun.is_some(),
        area,
        leaving: false,
    });
    Vec::new()
}

/// What was typed and is taken nowhere: each is named once.
#[must_use]
pub fn typed_yet(app: &App) -> Vec<String> {
    let unsent = app.unsent.iter().filter(|u| u.is_meant);
    let mut all: Vec<String> = unsent.map(|u| u.text.clone()).collect();
    for overlay in &app.overlays {
        match overlay {
            Overlay::Line { purpose, text } if is_own(purpose) => all.push(text.clone()),
            Overlay::Inline { area, before, .. } => {
                let text = area.lines().join("\n").trim_end().to_owned();
                all.extend((text != *before).then_some(text));
            }
            _ => {}
        }
    }
    let items = app.review.queue.iter().filter_map(|w| w.item.as_ref());
    all.extend(items.flat_map(|item| item.drafts.values().cloned()));
    all.extend(app.shelf.typed.values().cloned());
    all.retain(|text| !text.trim().is_empty());
    all.dedup();
    all
}

/// The same, once the screen is left: it is handed out once.
#[must_use]
pub fn unsaved(app: &mut App) -> Vec<String> {
    let all = typed_yet(app);
    app.unsent = None;
    app.overlays.clear();
    for item in app.review.queue.iter_mut().filter_map(|w| w.item.as_mut()) {
        item.drafts.clear();
    }
    app.shelf.typed.clear();
    all
}

/// Opens a line to type what to look for.
pub(super) fn ask_search(app: &mut App) -> Vec<Effect> {
    app.search = None;
    ask(app, Purpose::Search)
}

/// A key while a line is typed.
pub(super) fn line(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    let Some(Overlay::Line { purpose, text }) = app.overlays.last_mut() else {
        return Vec::new();
    };
    let purpose = purpose.clone();
    match chord.key {
        Key::Esc => return left(app, &purpose),
        Key::Char('c') if chord.ctrl => return left(app, &purpose),
        Key::Backspace => {
            text.pop();
        }
        Key::Char('u') if chord.ctrl => text.clear(),
        Key::Char(c) if !chord.ctrl && !chord.alt && text.chars().count() < LINE => text.push(c),
        // A line's end in what came all at once is text, as in a paste.
        Key::Enter if frame == AT_ONCE => text.push(' '),
        Key::Enter => {
            let text = text.trim().to_owned();
            app.overlays.pop();
            remember(app, &purpose, &text, true);
            return typed(app, &purpose, text, frame);
        }
        _ => {}
    }
    typing(app, &purpose)
}

/// A line is left without Enter.
fn left(app: &mut App, purpose: &Purpose) -> Vec<Effect> {
    if let Some(Overlay::Line { text, .. }) = app.overlays.pop() {
        remember(app, purpose, text.trim(), false);
        if is_own(purpose) && !text.trim().is_empty() {
            app.notice = Some("nothing was done; the same key goes on from what you typed".into());
        }
    }
    if *purpose == Purpose::Search {
        app.search = None;
    }
    Vec::new()
}

/// While something is typed: a search finds as one types.
fn typing(app: &mut App, purpose: &Purpose) -> Vec<Effect> {
    let Some(Overlay::Line { text, .. }) = app.overlays.last() else {
        return Vec::new();
    };
    match purpose {
        Purpose::Search => {
            let text = text.clone();
            shelf::searching(app, &text)
        }
        _ => Vec::new(),
    }
}

fn typed(app: &mut App, purpose: &Purpose, text: String, frame: u64) -> Vec<Effect> {
    match purpose {
        Purpose::Search => shelf::search(app, &text),
        _ if text.is_empty() => say(app, "nothing was typed; nothing was done"),
        Purpose::GiveBack => review(
            app,
            Event::Act {
                action: core::Action::Return(text),
                frame,
            },
        ),
        Purpose::Override => review(
            app,
            Event::Act {
                action: core::Action::Override(text),
                frame,
            },
        ),
        Purpose::Shelf(asking) => shelf::typed(app, asking, text),
    }
}

/// A text area that wraps, with the cursor at its end.
fn area(text: &str) -> TextArea<'static> {
    let mut area = TextArea::new(text.split('\n').map(str::to_owned).collect());
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.set_cursor_line_style(ratatui::style::Style::default());
    area.move_cursor(CursorMove::Bottom);
    area.move_cursor(CursorMove::End);
    area
}

/// A key while a text is edited here.
pub(super) fn inline(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    let Some(Overlay::Inline {
        of,
        before,
        is_begun,
        area,
        leaving,
        ..
    }) = app.overlays.last_mut()
    else {
        return Vec::new();
    };
    let was_leaving = std::mem::take(leaving);
    match (chord.ctrl, chord.key) {
        (true, Key::Char('s')) if frame == AT_ONCE => super::ignore(app),
        (true, Key::Char('s')) if !chord.alt => {
            let text = area.lines().join("\n").trim_end().to_owned();
            let of = of.clone();
            let is_same = text == *before && !*is_begun;
            app.overlays.pop();
            app.hold_still();
            saved(app, of, is_same, text)
        }
        (false, Key::Esc) | (true, Key::Char('c')) => {
            let changed = area.lines().join("\n") != *before;
            if changed && !was_leaving {
                *leaving = true;
                return say(app, "Ctrl-s saves; Esc again leaves without saving");
            }
            app.overlays.pop();
            app.hold_still();
            Vec::new()
        }
        _ => {
            area.input(input(chord));
            Vec::new()
        }
    }
}

fn saved(app: &mut App, of: Editing, is_same: bool, text: String) -> Vec<Effect> {
    if text.trim().is_empty() {
        return say(
            app,
            "the text was emptied; to keep an entry out, reject it; nothing was changed",
        );
    }
    if is_same {
        return say(app, "the text is as it was; nothing was changed");
    }
    vec![Effect::Edited(of, text)]
}

/// A key as the text area has it.
fn input(chord: Chord) -> Input {
    use ratatui_textarea::Key as Area;
    // A line feed is one, and takes nothing of what was typed.
    let is_feed = chord.ctrl && chord.key == Key::Char('j');
    let chord = if is_feed {
        Chord::plain(Key::Enter)
    } else {
        chord
    };
    let key = match chord.key {
        Key::Char(c) => Area::Char(c),
        Key::Enter => Area::Enter,
        Key::Esc => Area::Esc,
        Key::Tab | Key::BackTab => Area::Tab,
        Key::Backspace => Area::Backspace,
        Key::Delete => Area::Delete,
        Key::Up => Area::Up,
        Key::Down => Area::Down,
        Key::Left => Area::Left,
        Key::Right => Area::Right,
        Key::Home => Area::Home,
        Key::End => Area::End,
        Key::PageUp => Area::PageUp,
        Key::PageDown => Area::PageDown,
    };
    Input {
        key,
        ctrl: chord.ctrl,
        alt: chord.alt,
        shift: false,
    }
}

/// A pasted text goes into a text field as it is, and nowhere else.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    let clean = super::decide::without_hidden(&text.replace('\r', "\n"));
    if is_too_small(app.size) {
        return Vec::new();
    }
    match app.overlays.last_mut() {
        _ if text.is_empty() => say(app, "a paste broke off or was too long; it was ignored"),
        Some(Overlay::Inline { area, .. }) => {
            area.insert_str(&clean);
            Vec::new()
        }
        Some(Overlay::Line { text, purpose }) => {
            let room = LINE.saturating_sub(text.chars().count());
            text.extend(clean.replace('\n', " ").chars().take(room));
            let purpose = purpose.clone();
            typing(app, &purpose)
        }
        _ => say(app, "a paste counts only in a text field; it was ignored"),
    }
}
