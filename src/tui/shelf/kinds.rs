//! Which events the log shows: all, or those of one kind. An event keeps its place among all that
//! were read, whatever is shown.

use super::log;
use crate::browse::{Event, What};
use crate::tui::app::App;
use crate::tui::arrange;
use crate::tui::msg::Effect;
use crate::tui::page::Key;
use crate::tui::update::{select, show_cursor};

/// A kind of events, by what a person looks for in a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// All of them.
    #[default]
    All,
    /// What a curator proposed and was let in.
    LetIn,
    /// What was kept out: rejected, discarded, given back, expired.
    KeptOut,
    /// What was undone: reverts, restores, tombstones, what was let in and taken back.
    TakenBack,
    /// What a person did to memory themselves.
    ByHand,
    /// What is about leave, keys and secrets, and no entry.
    About,
}

impl Kind {
    /// The kind after this one; after the last comes the first.
    fn next(self) -> Self {
        match self {
            Kind::All => Kind::LetIn,
            Kind::LetIn => Kind::KeptOut,
            Kind::KeptOut => Kind::TakenBack,
            Kind::TakenBack => Kind::ByHand,
            Kind::ByHand => Kind::About,
            Kind::About => Kind::All,
        }
    }

    /// What is shown, in words; of all there is nothing to say.
    pub fn name(self) -> &'static str {
        match self {
            Kind::All => "",
            Kind::LetIn => "let in",
            Kind::KeptOut => "kept out",
            Kind::TakenBack => "taken back",
            Kind::ByHand => "by hand",
            Kind::About => "leave, keys, secrets",
        }
    }

    /// Whether an event is of it. One that let in some and rejected some is of two kinds.
    pub fn has(self, event: &Event) -> bool {
        match self {
            Kind::All => true,
            Kind::LetIn => {
                matches!(event.what, What::Apply | What::AcceptedAfter) && event.applied > 0
            }
            Kind::KeptOut => match event.what {
                What::Discard | What::Return | What::Expire | What::Revive => true,
                What::Apply => event.rejected > 0,
                _ => false,
            },
            Kind::TakenBack => match event.what {
                What::Revert | What::Restore | What::Tombstone | What::Lapsed => true,
                What::AcceptedAfter => event.rejected > 0,
                _ => false,
            },
            Kind::ByHand => matches!(
                event.what,
                What::Adopt
                    | What::Own
                    | What::ByHand
                    | What::Confirm
                    | What::Tombstone
                    | What::Restore
                    | What::Init
                    | What::Commit
            ),
            Kind::About => matches!(
                event.what,
                What::Trust
                    | What::Key
                    | What::NotSecret
                    | What::AlsoSecret
                    | What::Settle
                    | What::GiveUp
            ),
        }
    }
}

/// The events that are shown, each with its place among all.
pub(super) fn shown(app: &App) -> impl DoubleEndedIterator<Item = (usize, &Event)> {
    let kind = app.shelf.kind;
    let all = log::events(app).iter().enumerate();
    all.filter(move |(_, event)| kind.has(event))
}

/// The event that is so many shown ones away from the selected one, or the last before there.
pub(super) fn step(app: &App, by: isize) -> Option<usize> {
    let at = app.shelf.event;
    let places = shown(app).map(|(n, _)| n);
    let far = by.unsigned_abs();
    match by < 0 {
        true => places.rev().filter(|n| *n <= at).take(far + 1).last(),
        false => places.filter(|n| *n >= at).take(far + 1).last(),
    }
}

/// The next kind.
pub fn turn(app: &mut App) -> Vec<Effect> {
    app.shelf.kind = app.shelf.kind.next();
    // The matches of a search were of what is no longer shown.
    app.search = None;
    let said = match app.shelf.kind {
        Kind::All => "all events".to_owned(),
        kind => format!("only events of this kind: {}", kind.name()),
    };
    let effects = settle(app);
    app.notice = Some(said);
    effects
}

/// Where the selected event is not shown, the next older one is selected, or else the next newer.
pub(super) fn settle(app: &mut App) -> Vec<Effect> {
    let at = app.shelf.event;
    let older = shown(app).map(|(n, _)| n).find(|n| *n >= at);
    let to = older.or_else(|| shown(app).map(|(n, _)| n).next_back());
    arrange::lay_out(app);
    match to {
        Some(to) if to != at => select(app, Key::Event(to)),
        _ => {
            show_cursor(app);
            Vec::new()
        }
    }
}
