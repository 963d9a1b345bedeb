//! The one function that changes the screen's model. No terminal, no clock, no files.

mod decide;
mod moves;
mod overlays;
mod typing;

pub(super) use moves::{matched, open_drawer, select, show_cursor};
pub(super) use overlays::{is_quit, is_read, scroll as scroll_overlay, scrolling, wants_reason};
pub use typing::{Unsent, typed_yet, unsaved};
pub(super) use typing::{ask, edit_here};

use super::action::Action;
use super::app::{App, Filter, View};
use super::areas::is_too_small;
use super::input::{AT_ONCE, Chord};
use super::msg::{Effect, Msg};
use super::overlay::Overlay;
use super::page::Key;
use super::{arrange, enabled, keymap, shelf};
use crate::review::{self, ChangeRef, Event};
use crate::text::count;
use jiff::Timestamp;

/// Answers a message: changes the model, lays it out anew, and says what the shell is to do.
#[must_use]
pub fn update(app: &mut App, msg: Msg) -> Vec<Effect> {
    if let Msg::Tick { now, clock } = msg {
        return tick(app, now, clock);
    }
    let typed = matches!(msg, Msg::Key { .. } | Msg::Paste(_));
    let resized = matches!(msg, Msg::Resize(..));
    let held = if typed { None } else { Held::of(app) };
    let mut effects = hear(app, msg);
    effects.extend(arrange::arrange(app));
    let mut moved = held.is_some_and(|held| held.back(app));
    if resized {
        moves::show_cursor(app);
        moved = true;
    }
    if moved {
        effects.extend(arrange::arrange(app));
    }
    effects.extend(shelf::wants(app));
    effects
}

/// Time alone lays nothing out anew: it goes on ten times a second while nobody does anything.
fn tick(app: &mut App, now: Timestamp, clock: u64) -> Vec<Effect> {
    (app.now, app.clock) = (now, clock);
    if app.inert_until.is_some_and(|at| at > 0 && at <= clock) {
        app.inert_until = None;
        return arrange::arrange(app);
    }
    Vec::new()
}

/// Where the selected change stands on the screen: what happens elsewhere does not move it.
struct Held {
    key: Key,
    /// Its first row, counted from the first one in sight.
    row: isize,
}

impl Held {
    fn of(app: &App) -> Option<Self> {
        let key = current_key(app).filter(|_| app.view == View::Review)?;
        let (first, end) = app.arranged.page.span(&key)?;
        let top = app.place().top;
        let height = usize::from(app.arranged.areas.content.height);
        let in_sight = first < top + height && end > top;
        let row = first.cast_signed() - top.cast_signed();
        in_sight.then_some(Self { key, row })
    }

    /// Scrolls so that it stands there again; whether that was needed.
    fn back(&self, app: &mut App) -> bool {
        let span = match current_key(app) {
            Some(key) if key == self.key => app.arranged.page.span(&key),
            _ => None,
        };
        let Some((first, _)) = span else { return false };
        let top = usize::try_from(first.cast_signed() - self.row).unwrap_or(0);
        std::mem::replace(&mut app.place_mut().top, top) != top
    }
}

fn hear(app: &mut App, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Key { chord, frame } => key(app, chord, frame),
        Msg::Paste(text) => typing::paste(app, &text),
        Msg::Resize(width, height) => {
            app.size = (width, height);
            Vec::new()
        }
        Msg::Tick { now, clock } => tick(app, now, clock),
        Msg::Painted(frame) => painted(app, frame),
        Msg::Dropped => {
            app.notice = Some("keys that were typed before this was on screen are ignored".into());
            Vec::new()
        }
        Msg::Review(event) => review(app, event),
        Msg::News(queue) => news(app, queue),
        Msg::Diffed(key, diff) => {
            app.cache.take(key, diff);
            Vec::new()
        }
        Msg::Busy(why) => {
            if !matches!(app.overlays.last(), Some(Overlay::Waiting { .. })) {
                app.overlays.push(Overlay::Waiting { why });
            }
            Vec::new()
        }
        Msg::Done(said, warnings) => {
            app.overlays
                .retain(|o| !matches!(o, Overlay::Waiting { .. }));
            let mut lines = vec![said.clone()];
            lines.extend(warnings);
            app.notice = Some(lines.join("; "));
            app.farewell.extend(lines);
            app.unsent = None;
            app.shelf.stale();
            Vec::new()
        }
        Msg::Shelf(heard) => shelf::hear(app, heard),
        Msg::Say(what) => {
            app.notice = Some(what);
            Vec::new()
        }
        Msg::Resumed => {
            app.hold_still();
            Vec::new()
        }
    }
}

/// Plays an event to the review and takes over what it says.
pub(super) fn review(app: &mut App, event: Event) -> Vec<Effect> {
    let before = app.review.current.clone();
    let open = app.review.open.clone();
    let asked = app.review.ask.is_some();
    let effects = review::update(&mut app.review, event);
    if let Some(notice) = app.review.notice.take() {
        app.notice = Some(notice);
    }
    match (asked, app.review.ask.is_some()) {
        (false, true) => app.overlays.push(Overlay::Ask { top: 0 }),
        (true, false) => app.overlays.retain(|o| !matches!(o, Overlay::Ask { .. })),
        _ => {}
    }
    if app.review.open != open {
        app.places[View::Review as usize].top = 0;
    }
    if app.review.current != before || app.review.open != open {
        moves::follow(app);
    }
    effects
        .into_iter()
        .filter_map(|e| asked_of_shell(app, e))
        .collect()
}

/// What of the review's effects the screen does itself.
fn asked_of_shell(app: &mut App, effect: review::Effect) -> Option<Effect> {
    match effect {
        review::Effect::ReadOn(change) => {
            read_first(app, &change);
            None
        }
        // It is on the screen, or comes there when it is selected.
        review::Effect::Show(_) => None,
        review::Effect::Quit => {
            app.leaving = true;
            Some(Effect::Quit)
        }
        other => Some(Effect::Review(other)),
    }
}

/// A change that was not seen whole is shown further instead of being accepted.
fn read_first(app: &mut App, change: &ChangeRef) -> Vec<Effect> {
    let said = match arrange::is_counted(app, change) {
        true => "lines that go are only counted here: d shows them, then a accepts it",
        false => {
            moves::read_on(app, change);
            "there is more of it below; read it to its end, then a accepts it"
        }
    };
    say(app, said)
}

fn key(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    if app.ignored.0 != frame {
        app.ignored = (frame, 0);
        app.notice = None;
    }
    let effects = pressed(app, chord, frame);
    if frame == AT_ONCE && app.ignored.1 > 0 {
        // Whatever else each of so many said.
        say_ignored(app);
    }
    effects
}

fn pressed(app: &mut App, chord: Chord, frame: u64) -> Vec<Effect> {
    if is_too_small(app.size) {
        return unseen(app, chord);
    }
    if !app.overlays.is_empty() {
        return overlays::key(app, chord, frame);
    }
    match keymap::find(app.view, &chord.to_string()) {
        Some(binding) => act(app, binding.action, frame),
        None => say(app, format!("{chord} is no key here; ? lists them")),
    }
}

/// Where nothing can be shown nothing can be done, but for leaving.
fn unseen(app: &mut App, chord: Chord) -> Vec<Effect> {
    let binding = keymap::find(app.view, &chord.to_string());
    match binding.map(|b| b.action) {
        // What is being typed is not lost by a letter.
        Some(Action::Back) if typing::takes_text(app) => Vec::new(),
        Some(Action::Quit) if typing::takes_text(app) && !chord.ctrl => Vec::new(),
        Some(Action::Back | Action::Quit) => leave(app),
        Some(Action::Suspend) => vec![Effect::Suspend],
        Some(Action::Redraw) => vec![Effect::Redraw],
        _ => Vec::new(),
    }
}

fn say(app: &mut App, what: impl Into<String>) -> Vec<Effect> {
    app.notice = Some(what.into());
    Vec::new()
}

/// Counts a key that came too early.
fn ignore(app: &mut App) -> Vec<Effect> {
    app.ignored.1 += 1;
    say_ignored(app)
}

fn say_ignored(app: &mut App) -> Vec<Effect> {
    let (frame, n) = app.ignored;
    let keys = count(n, "key", "keys");
    let they = if n == 1 { "it" } else { "they" };
    let why = match frame {
        AT_ONCE => "came all at once, as a paste does; press them one by one",
        _ => "arrived before this change was on screen",
    };
    say(app, format!("{keys} ignored: {they} {why}"))
}

/// Does what a key or a row of the list of keys means.
pub(super) fn act(app: &mut App, action: Action, frame: u64) -> Vec<Effect> {
    if action.decides() && (app.is_inert() || frame == AT_ONCE) {
        return ignore(app);
    }
    if let Err(why) = enabled::check(app, action) {
        return say(app, why);
    }
    if action.decides() {
        return match app.view {
            View::Review => decide::act(app, action, frame),
            _ => shelf::act(app, action, frame),
        };
    }
    if let Some(view) = view_of(action) {
        return go_to(app, view);
    }
    match action {
        Action::Open => moves::open(app),
        Action::DrawerPage => moves::turn_drawer(app),
        Action::DiffStyle => {
            app.look.style = app.look.style.next();
            let said = format!("differences as {}", app.look.style.name());
            say(app, said)
        }
        Action::MoreContext => context(app, true),
        Action::LessContext => context(app, false),
        Action::Filter => filter(app),
        Action::Base => decide::base(app),
        Action::Search => typing::ask_search(app),
        Action::NextMatch => moves::matched(app, 1),
        Action::PreviousMatch => moves::matched(app, -1),
        Action::AllProjects => shelf::all_projects(app),
        Action::Copy => decide::copy(app),
        Action::AlsoSecret => shelf::mark(app),
        Action::Revive => vec![Effect::Shelf(shelf::Wish::Revive)],
        Action::Help => overlays::help(app, frame),
        Action::Back => back(app),
        Action::Quit => leave(app),
        Action::Escape => escape(app),
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => vec![Effect::Redraw],
        _ => moves::go(app, action),
    }
}

fn view_of(action: Action) -> Option<View> {
    match action {
        Action::ViewReview => Some(View::Review),
        Action::ViewMemory => Some(View::Memory),
        Action::ViewArchive => Some(View::Archive),
        Action::ViewLog => Some(View::Log),
        _ => None,
    }
}

/// Another view; what decides there counts once it was on screen.
pub(super) fn go_to(app: &mut App, view: View) -> Vec<Effect> {
    if app.view == view {
        return Vec::new();
    }
    app.view = view;
    app.search = None;
    app.hold_still();
    if view == View::Review {
        app.news = 0;
    }
    Vec::new()
}

/// Unchanged lines around changes, from none to all.
const CONTEXTS: [Option<usize>; 4] = [Some(0), Some(3), Some(10), None];

fn context(app: &mut App, more: bool) -> Vec<Effect> {
    let at = CONTEXTS.iter().position(|c| *c == app.look.context);
    let at = at.unwrap_or(1);
    let to = if more { at + 1 } else { at.saturating_sub(1) };
    app.look.context = CONTEXTS[to.min(CONTEXTS.len() - 1)];
    let said = match app.look.context {
        Some(n) => format!("{n} unchanged lines around changes"),
        None => "all unchanged lines".to_owned(),
    };
    say(app, said)
}

fn filter(app: &mut App) -> Vec<Effect> {
    if app.view == View::Log {
        return shelf::next_kind(app);
    }
    let (next, said) = match app.look.filter {
        Filter::All => (Filter::Undecided, "undecided changes only"),
        Filter::Undecided => (Filter::Flagged, "flagged changes only"),
        Filter::Flagged => (Filter::All, "all changes"),
    };
    app.look.filter = next;
    say(app, said)
}

/// Back one level; from the top, out.
fn back(app: &mut App) -> Vec<Effect> {
    use super::app::Pane;
    if app.search.take().is_some() {
        return Vec::new();
    }
    if app.place().focus == Pane::Drawer {
        app.place_mut().focus = Pane::Content;
        return Vec::new();
    }
    vec![Effect::Leave]
}

pub(super) fn leave(app: &mut App) -> Vec<Effect> {
    app.leaving = true;
    vec![Effect::Quit]
}

/// Closes what is open; never leaves.
fn escape(app: &mut App) -> Vec<Effect> {
    use super::app::Pane;
    if app.search.take().is_none() && app.place().focus == Pane::Drawer {
        app.place_mut().focus = Pane::Content;
    }
    Vec::new()
}

/// Marks what a frame showed: only that can be decided on from now on.
fn painted(app: &mut App, frame: u64) -> Vec<Effect> {
    app.frame = frame;
    if app.inert_until == Some(0) {
        app.inert_until = Some(app.clock + super::app::INERT);
    }
    let mut effects = Vec::new();
    if app.overlays.is_empty() && app.view != View::Review {
        shelf::painted(app, frame);
    }
    if app.overlays.is_empty() && app.view == View::Review {
        let current = app.review.current.clone();
        if app.selected_in.as_ref().map(|(c, _)| c) != current.as_ref() {
            app.selected_in = current.map(|c| (c, frame));
        }
        for (change, whole) in arrange::shown(app) {
            effects.extend(review(
                app,
                Event::Shown {
                    change,
                    frame,
                    whole,
                },
            ));
        }
    }
    if overlays::is_read(app) {
        match app.overlays.last() {
            Some(Overlay::Pages { .. }) => shelf::read_to_its_end(app, frame),
            _ => effects.extend(review(app, Event::Asked { frame })),
        }
    }
    effects
}

/// The queue was read again: what is new is counted, and nothing on screen moves.
fn news(app: &mut App, queue: Vec<review::Waiting>) -> Vec<Effect> {
    let known = |id| app.review.position(id).is_some();
    app.news += queue.iter().filter(|w| !known(&w.id)).count();
    review(app, Event::Loaded(queue))
}

/// The change that is decided on, as a key.
pub(super) fn current_key(app: &App) -> Option<Key> {
    app.review.current.clone().map(Key::Change)
}
