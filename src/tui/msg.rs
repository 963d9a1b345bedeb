//! What the screen hears and what it asks of the shell. Both sets are closed.

use super::input::Chord;
use crate::id::{EntryId, ProjectId};
use crate::review::diff::Diff;
use crate::review::{self, ChangeRef};
use jiff::Timestamp;
use std::sync::Arc;

/// What happened.
#[derive(Debug, Clone)]
pub enum Msg {
    /// A key, read after the frame of this number was painted.
    Key {
        /// The key.
        chord: Chord,
        /// The last frame before it was read.
        frame: u64,
    },
    /// A text was pasted.
    Paste(String),
    /// The terminal has this many columns and rows.
    Resize(u16, u16),
    /// Time went on: the moment, and milliseconds since the start.
    Tick {
        /// The moment.
        now: Timestamp,
        /// Milliseconds since the start.
        clock: u64,
    },
    /// A frame was painted.
    Painted(u64),
    /// Keys that were waiting before the first frame were thrown away.
    Dropped,
    /// What the review hears.
    Review(review::Event),
    /// Proposals came in, or memory changed: what stood was read again.
    News(Vec<review::Waiting>),
    /// Two texts were compared.
    Diffed(u64, Arc<Diff>),
    /// An apply found memory busy.
    Busy(String),
    /// An apply is done: what to say of it.
    Done(String, Vec<String>),
    /// What the other views hear.
    Shelf(super::shelf::Heard),
    /// Something to say.
    Say(String),
    /// The terminal is ours again: after an editor or a stop.
    Resumed,
}

/// A text that a person edits, in their editor or on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Editing {
    /// A change of a proposal.
    Change(ChangeRef),
    /// An entry that stands, as a change of one's own.
    Entry(ProjectId, EntryId),
}

/// What the shell is to do. Of these only `Review(Apply)` and [`super::shelf::Wish`] write.
#[derive(Debug, Clone)]
pub enum Effect {
    /// What the review asks.
    Review(review::Effect),
    /// Try the apply again that found memory busy.
    Retry,
    /// No longer.
    GiveUp,
    /// Read the queue again.
    Refresh,
    /// Compare two texts, then send [`Msg::Diffed`]. Off the screen's thread.
    Diff {
        /// The hash of both.
        key: u64,
        /// The old one.
        old: String,
        /// The new one.
        new: String,
    },
    /// Have a text edited in the person's editor.
    Edit(Editing),
    /// Take a text as what a person made of one, as an editor would have.
    Edited(Editing, String),
    /// What the other views ask.
    Shelf(super::shelf::Wish),
    /// Put a text on the terminal's clipboard.
    Copy(String),
    /// Stop, and go on when continued.
    Suspend,
    /// Read everything again and paint every cell.
    Redraw,
    /// Leave, unless something that was typed would be lost with it: that is asked first.
    Leave,
    /// Leave at once.
    Quit,
}
