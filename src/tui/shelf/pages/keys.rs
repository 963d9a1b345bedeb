//! Keys on a page on top, and which of them its footer names.

use super::{Question, Shown};
use crate::tui::app::App;
use crate::tui::arrange::overlay_height;
use crate::tui::input::{Chord, Key as Pressed};
use crate::tui::msg::Effect;
use crate::tui::overlay::Overlay;
use crate::tui::page::Key;
use crate::tui::shelf::wish::{Side, Wish};
use crate::tui::update::{is_quit, leave, scroll_overlay, scrolling};

/// A key on a page on top; none: it has no meaning of its own there.
pub fn page_key(app: &mut App, chord: Chord, frame: u64) -> Option<Vec<Effect>> {
    let Some(Overlay::Pages { of, top }) = app.overlays.last() else {
        return None;
    };
    match of.as_ref() {
        Shown::Ask { read, .. } => answer(app, chord, frame, *read),
        Shown::Transcript { .. } if is_star(chord) => Some(crate::tui::shelf::marking::start(app)),
        Shown::Transcript { proposal, excerpt } => {
            let by = scrolling(chord, overlay_height(app))?;
            let last = app.arranged.overlay.last_top(overlay_height(app));
            let side = match by {
                ..=-1 if *top == 0 && excerpt.is_more_before => Side::Before,
                1.. if *top >= last && excerpt.is_more_after => Side::After,
                _ => return None,
            };
            let excerpt = Box::new(excerpt.clone());
            let wish = Wish::ReadOn(proposal.clone(), excerpt, side);
            Some(vec![Effect::Shelf(wish)])
        }
        Shown::Under(at) => {
            let at = *at;
            under_key(app, chord, at)
        }
        Shown::Mark(_) => crate::tui::shelf::marking::key(app, chord),
        Shown::Files(_) | Shown::Details if is_star(chord) => {
            Some(crate::tui::shelf::marking::start(app))
        }
        Shown::Files(_) | Shown::Details => None,
    }
}

/// Whether it is the key that says that a text is a secret.
fn is_star(chord: Chord) -> bool {
    chord.key == Pressed::Char('*') && !chord.ctrl
}

/// In the drawer's page a row is selected, and Enter opens it.
fn under_key(app: &mut App, chord: Chord, at: usize) -> Option<Vec<Effect>> {
    let last = app.arranged.overlay.blocks().len().saturating_sub(1);
    let to = match chord.key {
        Pressed::Char('j') | Pressed::Down => (at + 1).min(last),
        Pressed::Char('k') | Pressed::Up => at.saturating_sub(1),
        Pressed::Enter => return Some(crate::tui::shelf::open_cited(app, at)),
        Pressed::Char('!') if app.view == crate::tui::app::View::Review => {
            return Some(crate::tui::shelf::hidden::say(app, at));
        }
        _ => return None,
    };
    let height = overlay_height(app);
    let span = app.arranged.overlay.span(&Key::Row(to));
    if let Some(Overlay::Pages { of, top }) = app.overlays.last_mut() {
        **of = Shown::Under(to);
        if let Some((from, end)) = span {
            *top = crate::tui::page::scrolled(*top, from, end, height);
        }
    }
    Some(Vec::new())
}

fn answer(app: &mut App, chord: Chord, frame: u64, read: Option<u64>) -> Option<Vec<Effect>> {
    let is_no = matches!(chord.key, Pressed::Esc | Pressed::Char('q' | 'n')) && !chord.ctrl;
    match chord.key {
        _ if is_quit(chord) => {
            let mut effects = closed(app);
            effects.extend(leave(app));
            Some(effects)
        }
        Pressed::Char('y') if !chord.ctrl => match read {
            Some(at) if at <= frame && !app.is_inert() => Some(confirmed(app)),
            None => {
                app.notice = Some("y counts at its end: Space reads on".to_owned());
                let by = isize::try_from(overlay_height(app) - 1).unwrap_or(1).max(1);
                Some(scroll_overlay(app, by))
            }
            _ => {
                app.notice = Some("ignored: it was typed before this was on screen".to_owned());
                Some(Vec::new())
            }
        },
        _ if is_no => {
            app.notice = Some("nothing was done".to_owned());
            Some(closed(app))
        }
        // Enter closes what is only read; here it does nothing.
        Pressed::Enter | Pressed::Backspace => Some(Vec::new()),
        Pressed::Char('d') if !chord.ctrl => {
            app.look.style = app.look.style.next();
            app.notice = Some(format!("differences as {}", app.look.style.name()));
            Some(Vec::new())
        }
        _ => None,
    }
}

/// A question is left without a yes.
fn closed(app: &mut App) -> Vec<Effect> {
    let question = taken(app);
    match question {
        Some(Question::Reverse(reverse)) if !reverse.waited => {
            vec![Effect::Shelf(Wish::DropReverse(reverse.item.proposal.id))]
        }
        _ => Vec::new(),
    }
}

fn taken(app: &mut App) -> Option<Question> {
    match app.overlays.pop() {
        Some(Overlay::Pages { of, .. }) => match *of {
            Shown::Ask { question, .. } => Some(question),
            _ => None,
        },
        _ => None,
    }
}

fn confirmed(app: &mut App) -> Vec<Effect> {
    let wish = match taken(app) {
        Some(Question::Confirm { project, entry }) => match entry.id {
            Some(id) => Wish::Confirm(project, id),
            None => return Vec::new(),
        },
        Some(Question::NotSecret { hidden, found }) => {
            return crate::tui::shelf::hidden::confirmed(app, hidden, &found);
        }
        Some(Question::AlsoSecret(text)) => Wish::AlsoSecret(text),
        Some(Question::Leave(_)) => return leave(app),
        Some(Question::NoLongerSecret(said)) => Wish::NoLongerSecret(said.value.fingerprint),
        Some(Question::Reverse(reverse)) => match crate::tui::shelf::reverse::objection(&reverse) {
            Some(why) => {
                return crate::tui::shelf::hear::to_review(app, &reverse.item.proposal.id, why);
            }
            None => Wish::ApplyReverse(reverse),
        },
        None => return Vec::new(),
    };
    vec![Effect::Shelf(wish)]
}

/// The footer of a page on top.
#[must_use]
pub fn page_keys(app: &App, of: &Shown) -> Vec<(String, String)> {
    // What does not count yet is not offered.
    let is_early =
        |read: &Option<u64>| app.is_inert() || read.is_none() && !crate::tui::update::is_read(app);
    let pairs: &[(&str, &str)] = match of {
        Shown::Ask { read, .. } if is_early(read) => &[("Space", "read on"), ("Esc", "back")],
        Shown::Ask { question, .. } => match question {
            Question::Confirm { .. } => &[("y", "confirm"), ("Esc", "back"), ("Space", "read on")],
            Question::NotSecret { .. } | Question::NoLongerSecret(_) => {
                &[("y", "yes"), ("Esc", "back"), ("Space", "read on")]
            }
            Question::Leave(_) => &[("y", "leave"), ("Esc", "stay"), ("Space", "read on")],
            Question::AlsoSecret(_) => &[("y", "hide it"), ("Esc", "back"), ("Space", "read on")],
            Question::Reverse(reverse)
                if crate::tui::shelf::reverse::objection(reverse).is_some() =>
            {
                &[
                    ("y", "to Review"),
                    ("Esc", "leave it"),
                    ("Space", "read on"),
                    ("d", "style"),
                ]
            }
            Question::Reverse(_) => &[
                ("y", "apply"),
                ("Esc", "leave it"),
                ("Space", "read on"),
                ("d", "style"),
            ],
        },
        Shown::Transcript { .. } => &[
            ("j k", "scroll"),
            ("Space", "read on"),
            ("Esc", "back"),
            ("*", "a secret"),
        ],
        Shown::Mark(_) => &[
            ("Enter", "this one"),
            ("Esc", "back"),
            ("w b", "word"),
            ("l h", "end"),
        ],
        Shown::Under(_) if app.look.page == crate::tui::app::Drawer::Redactions => &[
            ("j k", "row"),
            ("Enter", "places"),
            ("Esc", "back"),
            ("!", "no secret"),
        ],
        Shown::Under(_) => &[("j k", "row"), ("Enter", "transcript"), ("Esc", "back")],
        Shown::Files(_) | Shown::Details => &[("Space", "read on"), ("Esc", "back")],
    };
    let own = |(key, label): &(&str, &str)| ((*key).to_owned(), (*label).to_owned());
    pairs.iter().map(own).collect()
}
