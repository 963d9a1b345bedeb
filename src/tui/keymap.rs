//! Which keys mean which action where, what it is called, and when it cannot be done. One table:
//! footer, list of keys, docs and dispatch are made from it.

use super::action::Action;
use super::app::{App, View};
use super::enabled;

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// In every view.
    Everywhere,
    /// In these views.
    In(&'static [View]),
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// Its stable name.
    pub name: &'static str,
    /// The keys, as they are printed; none: only in the list of keys and commands.
    pub keys: &'static [&'static str],
    /// What the footer calls it; empty: the footer never names it.
    pub label: &'static str,
    /// What the list calls it.
    pub help: &'static str,
    /// Where it holds.
    pub holds: Where,
}

impl Binding {
    /// Whether it holds in a view.
    #[must_use]
    pub fn is_in(&self, view: View) -> bool {
        match self.holds {
            Where::Everywhere => true,
            Where::In(views) => views.contains(&view),
        }
    }

    /// The keys, for people.
    #[must_use]
    pub fn keys_text(&self) -> String {
        self.keys.join(" ")
    }
}

const REVIEW: Where = Where::In(&[View::Review]);
const MEMORY: Where = Where::In(&[View::Memory]);
const ARCHIVE: Where = Where::In(&[View::Archive]);
const LOG: Where = Where::In(&[View::Log]);
const BROWSED: Where = Where::In(&[View::Memory, View::Archive, View::Log]);
const ALL: Where = Where::Everywhere;

macro_rules! table {
    ($($action:ident $name:literal [$($key:literal)*] $label:literal $help:literal $holds:expr;)*) => {
        &[$(Binding {
            action: Action::$action,
            name: $name,
            keys: &[$($key),*],
            label: $label,
            help: $help,
            holds: $holds,
        }),*]
    };
}

/// The table. Order is the order of the list; within a context no key stands twice.
pub const TABLE: &[Binding] = table! {
    Accept "accept" ["a"] "accept" "accept; on to the next undecided change" REVIEW;
    Reject "reject" ["r"] "reject" "reject: memory stays as it is here" REVIEW;
    Skip "skip" ["s"] "skip" "leave it undecided, on to the next undecided change" REVIEW;
    Edit "edit" ["e"] "edit" "edit in $VISUAL or $EDITOR; saved, it is accepted as edited" REVIEW;
    EditInline "edit-inline" ["i"] "inline" "edit here" REVIEW;
    Clear "clear" ["x"] "" "take the decision on this change back" REVIEW;
    AcceptAll "accept-all" ["A"] "" "accept every undecided change that is not flagged; asks" REVIEW;
    RejectAll "reject-all" ["R"] "" "reject every change of the proposal; asks" REVIEW;
    AcceptFile "accept-file" [] "" "accept what is undecided and not flagged in this file; asks" REVIEW;
    RejectFile "reject-file" [] "" "reject what this file would get; asks" REVIEW;
    StripHidden "strip-hidden" [] "" "accept the text without its hidden characters" REVIEW;
    Undo "undo" ["u"] "undo" "take the last decision back" REVIEW;
    Redo "redo" ["Ctrl-r" "U"] "" "do it again" REVIEW;
    Apply "apply" ["w"] "apply" "show what applying writes; then y writes it" REVIEW;
    Discard "discard" ["D"] "" "discard the proposal: nothing is kept, its material is not read again; asks" REVIEW;
    GiveBack "give-back" ["B"] "" "give the proposal back with a note to the curator; asks" REVIEW;
    Revert "reverse-all" ["v"] "reverse all" "of what was applied unattended: show the reverse of the whole apply; then y applies what is not flagged" REVIEW;
    Revive "revive" [] "" "put proposals that left the queue by age back into it" REVIEW;

    Revert "revert" ["v"] "revert" "show the reverse of this distill; then y applies what is not flagged" LOG;
    Confirm "confirm" ["C"] "confirm" "confirm that this entry is still true: counted and dated; asks" MEMORY;
    Edit "edit-entry" ["e"] "edit" "edit this entry: proposed as a change of your own" MEMORY;
    EditInline "edit-entry-inline" ["i"] "inline" "edit this entry here: proposed as a change of your own" MEMORY;
    ArchiveEntry "archive-entry" ["m"] "archive" "move this entry to the archive: proposed as a change of your own" MEMORY;
    Tombstone "tombstone" ["X"] "tombstone" "take this entry back: no agent is given it any more; proposed as a change of your own" MEMORY;
    BringBack "bring-back" ["b"] "bring back" "propose that this entry stands in its file again" ARCHIVE;

    Down "down" ["j" "Down"] "" "next change, or row of a list" ALL;
    Up "up" ["k" "Up"] "" "change before, or row of a list" ALL;
    NextEntry "next-entry" ["]"] "entry" "next change from any pane, decided or not" ALL;
    PreviousEntry "previous-entry" ["["] "" "change before from any pane" ALL;
    NextFile "next-file" ["}"] "file" "next file" ALL;
    PreviousFile "previous-file" ["{"] "" "file before" ALL;
    NextProposal "next-proposal" [")"] "proposal" "next proposal" REVIEW;
    PreviousProposal "previous-proposal" ["("] "" "proposal before" REVIEW;
    ReadOn "read-on" ["Space"] "read on" "page down within the change, then the next one" ALL;
    LineDown "line-down" ["J" "Ctrl-e"] "" "scroll a row down" ALL;
    LineUp "line-up" ["K" "Ctrl-y"] "" "scroll a row up" ALL;
    HalfDown "half-page-down" ["Ctrl-d"] "" "half a page down" ALL;
    HalfUp "half-page-up" ["Ctrl-u"] "" "half a page up" ALL;
    PageDown "page-down" ["PgDn" "Ctrl-f"] "" "a page down" ALL;
    PageUp "page-up" ["PgUp" "Ctrl-b"] "" "a page up" ALL;
    First "first" ["g" "Home"] "" "to the first" ALL;
    Last "last" ["G" "End"] "" "to the last" ALL;
    Left "left" ["h" "Left"] "" "fold, or to the list" ALL;
    Right "right" ["l" "Right"] "" "unfold, or to the text" ALL;
    NextPane "next-pane" ["Tab"] "pane" "the next pane" ALL;
    PreviousPane "previous-pane" ["Shift-Tab"] "" "the pane before" ALL;
    ViewReview "view-review" ["1"] "review" "what waits for you" ALL;
    ViewMemory "view-memory" ["2"] "memory" "what stands now" ALL;
    ViewArchive "view-archive" ["3"] "archive" "what left memory" ALL;
    ViewLog "view-log" ["4"] "log" "what happened" ALL;

    Open "open" ["Enter"] "open" "open: the drawer, the transcript at a line, a long change, what a row stands for" ALL;
    DrawerPage "drawer" ["t"] "drawer" "next page of the drawer" ALL;
    DiffStyle "diff-style" ["d"] "" "differences as lines, words, or the final text" ALL;
    MoreContext "more-context" ["+"] "" "more unchanged lines around changes" ALL;
    LessContext "less-context" ["-"] "" "fewer unchanged lines around changes" ALL;
    Filter "filter" ["f"] "" "show all, undecided, or flagged changes" REVIEW;
    Filter "filter-log" ["f"] "filter" "show all events, or those of the next kind: let in, kept out, taken back, by hand, leave and secrets" LOG;
    Base "base" ["b"] "" "what changed in memory since this was proposed" REVIEW;
    NotSecret "not-secret" ["!"] "" "in the drawer's redactions: this value is no secret, or is no longer one; asks" REVIEW;
    AlsoSecret "also-secret" ["*"] "" "select a text that is a secret: it is hidden from then on; asks" ALL;
    Search "search" ["/"] "search" "search this view" ALL;
    NextMatch "next-match" ["n"] "next match" "next match" ALL;
    PreviousMatch "previous-match" ["N"] "" "match before" ALL;
    AllProjects "all-projects" ["p"] "project/all" "this project, or all" BROWSED;
    Copy "copy" ["c"] "" "copy the text; hidden characters as tokens" ALL;

    Help "help" ["?" ":"] "all keys" "this list; type to filter, Enter runs" ALL;
    Back "back" ["q"] "quit" "back, or leave; decisions are kept" ALL;
    Quit "quit" ["Q" "Ctrl-c"] "" "leave now; decisions are kept" ALL;
    Escape "escape" ["Esc"] "" "close or cancel; decides nothing" ALL;
    Suspend "suspend" ["Ctrl-z"] "" "to the shell; fg comes back" ALL;
    Redraw "redraw" ["Ctrl-l"] "" "read everything again and redraw" ALL;
};

/// What a key means in a view.
#[must_use]
pub fn find(view: View, key: &str) -> Option<&'static Binding> {
    let here = |b: &&Binding| b.is_in(view) && b.keys.contains(&key);
    TABLE.iter().find(here)
}

/// The bindings of a view, in the order of the list.
pub fn of(view: View) -> impl Iterator<Item = &'static Binding> {
    TABLE.iter().filter(move |b| b.is_in(view))
}

/// The binding of an action in a view.
#[must_use]
pub fn binding(view: View, action: Action) -> Option<&'static Binding> {
    of(view).find(|b| b.action == action)
}

/// Columns below which the footer names only a few keys.
pub const NARROW: u16 = 60;

/// The footer's actions, most needed first; those that cannot be done now are left out.
#[must_use]
pub fn footer(app: &App) -> Vec<&'static Binding> {
    let wanted: &[Action] = match app.view {
        View::Review if app.review.queue.is_empty() => &[
            Action::Back,
            Action::ViewMemory,
            Action::ViewArchive,
            Action::ViewLog,
        ],
        View::Review if app.is_inert() => &[Action::Apply],
        View::Review if app.all_decided() => &[
            Action::Apply,
            Action::Undo,
            Action::Revert,
            Action::NextProposal,
            Action::NextEntry,
        ],
        // Where few have room, how to finish is among them once there is something to finish.
        View::Review if app.size.0 < NARROW && enabled::check(app, Action::Apply).is_ok() => &[
            Action::Accept,
            Action::Reject,
            Action::Apply,
            Action::Revert,
            Action::Skip,
            Action::Edit,
        ],
        View::Review => &[
            Action::Accept,
            Action::Reject,
            Action::Revert,
            Action::Skip,
            Action::Edit,
            Action::Apply,
            Action::Undo,
            Action::NextEntry,
            Action::NextProposal,
            Action::NextPane,
            Action::DrawerPage,
            Action::EditInline,
            Action::NextFile,
        ],
        View::Memory => &[
            Action::Open,
            Action::Confirm,
            Action::Edit,
            Action::ArchiveEntry,
            Action::Tombstone,
            Action::Search,
            Action::NextPane,
            Action::AllProjects,
            Action::EditInline,
        ],
        View::Archive => &[
            Action::Search,
            Action::Open,
            Action::BringBack,
            Action::NextMatch,
            Action::NextPane,
            Action::AllProjects,
        ],
        View::Log => &[
            Action::Open,
            Action::Revert,
            Action::Search,
            Action::Filter,
            Action::NextPane,
            Action::AllProjects,
        ],
    };
    let early = |b: &&Binding| app.view != View::Review && app.is_inert() && b.action.decides();
    // How to finish is always told, also while nothing is decided yet.
    let can = |b: &&Binding| b.action == Action::Apply || enabled::check(app, b.action).is_ok();
    wanted
        .iter()
        .filter_map(|action| binding(app.view, *action))
        .filter(|b| can(b) && !early(b))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: [View; 4] = [View::Review, View::Memory, View::Archive, View::Log];

    #[test]
    fn no_key_means_two_things_in_a_view_and_every_key_is_in_the_docs() {
        let docs = include_str!("../../docs/review.md");
        for view in VIEWS {
            let bindings: Vec<_> = of(view).collect();
            for (at, binding) in bindings.iter().enumerate() {
                for key in binding.keys {
                    let again = bindings.iter().skip(at + 1).find(|b| b.keys.contains(key));
                    assert!(again.is_none(), "{key} in {view:?}");
                    assert!(
                        docs.contains(&format!("`{key}`")),
                        "{key} is not in the docs"
                    );
                    assert_eq!(find(view, key).unwrap().name, binding.name);
                }
            }
        }
    }

    #[test]
    fn enter_escape_space_and_arrows_never_decide() {
        for view in VIEWS {
            for key in [
                "Enter", "Esc", "Space", "Tab", "Up", "Down", "Left", "Right",
            ] {
                assert!(!find(view, key).unwrap().action.decides(), "{key}");
            }
        }
    }

    #[test]
    fn names_are_stable_and_one_word_each() {
        for binding in TABLE {
            let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(binding.name.chars().all(is_word), "{}", binding.name);
            let same = TABLE.iter().filter(|b| b.name == binding.name).count();
            assert_eq!(same, 1, "{}", binding.name);
        }
    }
}
