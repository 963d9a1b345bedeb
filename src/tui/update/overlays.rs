//! Keys while something lies on top. Only the uppermost overlay takes them.

use super::{act, ignore, review, say};
use crate::review::{self as core, Ask, Event};
use crate::tui::app::App;
use crate::tui::areas::is_too_small;
use crate::tui::arrange::overlay_height;
use crate::tui::input::{Chord, Key};
use crate::tui::msg::Effect;
use crate::tui::overlay::{Overlay, Purpose};
use crate::tui::{palette, shelf};

/// Answers a key.
pub(super) fn key(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    if chord.ctrl && chord.key == Key::Char('z') {
        return vec![Effect::Suspend];
    }
    // A terminal sends Escape and a key that follows it at once as one: the first was meant, and the
    // second was not typed for what comes to stand there.
    let chord = match app.overlays.last() {
        Some(Overlay::Inline { .. }) => chord,
        _ if chord.alt => Chord::plain(Key::Esc),
        _ => chord,
    };
    match app.overlays.last() {
        Some(Overlay::Ask { .. }) => asked(app, chord, frame),
        Some(Overlay::Help { .. }) => helped(app, chord, frame),
        Some(Overlay::Line { .. }) => super::typing::line(app, chord, frame),
        Some(Overlay::Inline { .. }) => super::typing::inline(app, chord, frame),
        Some(Overlay::Pages { .. }) => pages(app, chord, frame),
        Some(Overlay::Waiting { .. }) => waiting(app, chord),
        None => Vec::new(),
    }
}

/// How far a key scrolls; none: it does not.
pub(crate) fn scrolling(chord: Chord, height: usize) -> Option<isize> {
    let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(1);
    Some(match (chord.ctrl, chord.key) {
        (false, Key::Char('j' | 'J') | Key::Down) | (true, Key::Char('e')) => 1,
        (false, Key::Char('k' | 'K') | Key::Up) | (true, Key::Char('y')) => -1,
        (false, Key::Char(' ') | Key::PageDown) | (true, Key::Char('f')) => page,
        (false, Key::PageUp) | (true, Key::Char('b')) => -page,
        (true, Key::Char('d')) => page / 2 + 1,
        (true, Key::Char('u')) => -(page / 2 + 1),
        (false, Key::Char('g') | Key::Home) => -isize::MAX,
        (false, Key::Char('G') | Key::End) => isize::MAX,
        _ => return None,
    })
}

pub(crate) fn scroll(app: &mut App, by: isize) -> Vec<Effect> {
    let last = app.arranged.overlay.last_top(overlay_height(app));
    if let Some(Overlay::Ask { top } | Overlay::Pages { top, .. }) = app.overlays.last_mut() {
        *top = top.saturating_add_signed(by).min(last);
    }
    Vec::new()
}

fn is_close(chord: Chord) -> bool {
    matches!((chord.ctrl, chord.key), (false, Key::Esc | Key::Char('q')))
}

pub(crate) fn is_quit(chord: Chord) -> bool {
    matches!(
        (chord.ctrl, chord.key),
        (false, Key::Char('Q')) | (true, Key::Char('c'))
    )
}

/// Whether a question's last row is on the screen.
pub(crate) fn is_read(app: &App) -> bool {
    match app.overlays.last() {
        _ if is_too_small(app.size) => false,
        Some(Overlay::Ask { top } | Overlay::Pages { top, .. }) => {
            top + overlay_height(app) >= app.arranged.overlay.rows()
        }
        _ => false,
    }
}

fn asked(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    if let Some(by) = scrolling(chord, overlay_height(app)) {
        return scroll(app, by);
    }
    let tell = |app: &mut App, action| review(app, Event::Act { action, frame });
    match chord.key {
        _ if is_quit(chord) => super::leave(app),
        Key::Char('y') if !chord.ctrl => {
            let painted = app.review.ask.as_ref().and_then(|(_, at)| *at);
            match painted {
                Some(at) if at <= frame => tell(app, core::Action::Confirm),
                None if !is_read(app) => {
                    let by = isize::try_from(overlay_height(app) - 1).unwrap_or(1);
                    app.notice = Some("y counts at its end: Space reads on".to_owned());
                    scroll(app, by)
                }
                _ => ignore(app),
            }
        }
        Key::Char('o') if wants_reason(app) => super::typing::ask(app, Purpose::Override),
        Key::Char('d') if matches!(app.review.ask, Some((Ask::Apply { .. }, _))) => {
            shelf::final_files(app)
        }
        Key::Char('n') => tell(app, core::Action::Cancel),
        _ if is_close(chord) => tell(app, core::Action::Cancel),
        _ => say(app, format!("{chord} answers nothing; y or Esc")),
    }
}

/// Whether the sheet can be applied once a person says why.
pub(crate) fn wants_reason(app: &App) -> bool {
    matches!(&app.review.ask,
        Some((Ask::Apply { sheet, because: None, .. }, _)) if sheet.only_loss_blocks())
}

/// Opens the list of keys.
pub(super) fn help(app: &mut App, frame: u64) -> Vec<Effect> {
    app.overlays.push(Overlay::Help {
        filter: String::new(),
        at: 0,
        after: frame,
        top: 0,
    });
    Vec::new()
}

fn helped(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    let rows = palette::rows(app);
    let Some(Overlay::Help {
        filter, at, after, ..
    }) = app.overlays.last_mut()
    else {
        return Vec::new();
    };
    let last = rows.len().saturating_sub(1);
    let was_shown = *after < frame;
    *after = frame;
    match chord.key {
        Key::Char('c') if chord.ctrl => {
            app.overlays.pop();
        }
        Key::Esc => {
            app.overlays.pop();
        }
        Key::Down => *at = (*at + 1).min(last),
        Key::Up => *at = at.saturating_sub(1),
        Key::PageDown => *at = (*at + 10).min(last),
        Key::PageUp => *at = at.saturating_sub(10),
        Key::Home => *at = 0,
        Key::End => *at = last,
        Key::Backspace => {
            filter.pop();
            *at = 0;
        }
        Key::Char(c) if !chord.ctrl && !chord.alt => {
            // The same key that opened the list closes it again.
            if filter.is_empty() && matches!(c, '?' | 'q') {
                app.overlays.pop();
            } else if filter.len() < 64 {
                filter.push(c);
                *at = 0;
            }
        }
        Key::Enter => {
            let row = rows.get(*at).map(|row| row.binding.action);
            app.overlays.pop();
            return match row {
                Some(action) if action.decides() && !was_shown => ignore(app),
                Some(action) => act(app, action, frame),
                None => Vec::new(),
            };
        }
        _ => {}
    }
    Vec::new()
}

fn pages(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    if let Some(effects) = shelf::page_key(app, chord, frame) {
        return effects;
    }
    if let Some(by) = scrolling(chord, overlay_height(app)) {
        return scroll(app, by);
    }
    match chord.key {
        _ if is_quit(chord) => super::leave(app),
        Key::Enter | Key::Backspace => {
            app.overlays.pop();
            Vec::new()
        }
        _ if is_close(chord) => {
            app.overlays.pop();
            Vec::new()
        }
        _ => say(app, "Space reads on, Esc goes back"),
    }
}

fn waiting(app: &mut App, chord: Chord) -> Vec<Effect> {
    match chord.key {
        _ if is_quit(chord) => super::leave(app),
        Key::Esc => {
            app.overlays.pop();
            app.notice = Some("nothing was applied".to_owned());
            vec![Effect::GiveUp]
        }
        _ => Vec::new(),
    }
}
