//! What lies on top of a view: a question, the list of keys, a text to type, a transcript.
//!
//! A stack; only the uppermost takes keys. Each fills the body of the screen and scrolls, so that
//! none is too large for a small one.

use ratatui_textarea::TextArea;

/// What a typed line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// A note to the curator, to give the proposal back with.
    GiveBack,
    /// Why the loss guard is overridden.
    Override,
    /// What to look for.
    Search,
    /// What the other views want typed.
    Shelf(super::shelf::Asking),
}

/// One thing on top.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// What the review asks; its question is in the review's model.
    Ask {
        /// First row in sight.
        top: usize,
    },
    /// The list of keys and commands.
    Help {
        /// What was typed to filter it.
        filter: String,
        /// The row that is selected.
        at: usize,
        /// The frame before the list became as it is: a row that decides counts only if it was on
        /// the screen since.
        after: u64,
        /// First row in sight.
        top: usize,
    },
    /// One line to type.
    Line {
        /// What for.
        purpose: Purpose,
        /// What was typed.
        text: String,
    },
    /// A change or an entry edited here.
    Inline {
        /// Which.
        of: super::msg::Editing,
        /// What it is called. Foreign text.
        title: String,
        /// As it was when the editing began.
        before: String,
        /// It began with what was not taken before: the same may be by now.
        is_begun: bool,
        /// The text.
        area: Box<TextArea<'static>>,
        /// Leaving without saving was asked once.
        leaving: bool,
    },
    /// Rows to read: a transcript, what changed, the final files.
    Pages {
        /// First row in sight.
        top: usize,
        /// What it is of: its rows and the keys that hold in it come from this.
        of: Box<super::shelf::Shown>,
    },
    /// An apply waits for another memd.
    Waiting {
        /// Who writes.
        why: String,
    },
}
