//! What a review hears and what it asks of the shell. Both sets are closed.

use super::{ChangeRef, Item, Judged, Sheet, Waiting};
use crate::id::ProposalId;
use crate::proposal::Decision;
use std::collections::BTreeMap;

/// Something a person asks for. Whichever key means it; only letters ever decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The current change goes in.
    Accept,
    /// The current change stays out.
    Reject,
    /// Decide later: on to the next undecided change.
    Skip,
    /// Take the decision on the current change back.
    Clear,
    /// Change the current change's text.
    Edit,
    /// Take the last decision back.
    Undo,
    /// Do it again.
    Redo,
    /// The next change, decided or not.
    Next,
    /// The change before, decided or not.
    Back,
    /// The first change.
    First,
    /// The last change.
    Last,
    /// The first change of the next group: a file, or what leaves for the archive.
    NextGroup,
    /// The first change of the group before.
    PreviousGroup,
    /// The next proposal.
    NextProposal,
    /// The proposal before.
    PreviousProposal,
    /// This change, decided or not. Decides nothing.
    Select(ChangeRef),
    /// This proposal, at its first undecided change.
    Open(ProposalId),
    /// Accept what is undecided and not flagged, after all of it was shown and a `y`.
    AcceptAll,
    /// The same of these changes only.
    AcceptThese(Vec<u32>),
    /// Reject all changes of the proposal, after a `y`.
    RejectAll,
    /// Reject these changes, after a `y`.
    RejectThese(Vec<u32>),
    /// Show what applying would write.
    OpenSheet,
    /// On the sheet: apply although a file loses most of its text, and why.
    Override(String),
    /// Throw the whole proposal away, after a `y`.
    Discard,
    /// Give the whole proposal back with a note to the curator, after a `y`.
    Return(String),
    /// Yes to what was asked last.
    Confirm,
    /// No to what was asked last.
    Cancel,
    /// Leave. Decisions are kept.
    Quit,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A person did something. `frame` is the last frame that was painted before the input was
    /// read.
    Act {
        /// What.
        action: Action,
        /// After which frame.
        frame: u64,
    },
    /// A frame was painted that holds a change: to its end, or only its beginning.
    Shown {
        /// The change.
        change: ChangeRef,
        /// The frame's number.
        frame: u64,
        /// Whether its end was on it.
        whole: bool,
    },
    /// A question or the sheet was painted.
    Asked {
        /// The frame's number.
        frame: u64,
    },
    /// New proposals, or the same ones as they stand now. The selection stays.
    Loaded(Vec<Waiting>),
    /// A proposal's changes were read.
    Opened(Box<Item>),
    /// The guardrails have judged.
    Judged {
        /// Which proposal.
        proposal: ProposalId,
        /// What they say.
        judged: Judged,
    },
    /// The journal's decisions, after an undo or an act of another reviewer.
    Decisions {
        /// Which proposal.
        proposal: ProposalId,
        /// All of them.
        decisions: BTreeMap<u32, Decision>,
    },
    /// The editor ended: a new text, or why the old one stands.
    Edited {
        /// The change.
        change: ChangeRef,
        /// The text, or what to say.
        edit: Result<Edit, String>,
    },
    /// What applying would write, or why it cannot be said.
    Planned {
        /// Which proposal.
        proposal: ProposalId,
        /// The sheet, or what to say.
        sheet: Result<Sheet, String>,
    },
    /// The proposal was applied; changes in `left` remain. Or nothing was, and why.
    Applied {
        /// Which proposal.
        proposal: ProposalId,
        /// Numbers of the changes that remain undecided, or what to say.
        left: Result<Vec<u32>, String>,
    },
    /// The proposal left the queue: discarded, returned, or decided elsewhere.
    Closed {
        /// Which proposal.
        proposal: ProposalId,
    },
    /// Something the shell could not do.
    Failed(String),
}

/// A text that came out of the editor. It counts only if no guardrail blocks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The text.
    pub text: String,
    /// What the guardrails say of the proposal with this text in it, or why it is not taken.
    pub judged: Result<Judged, String>,
}

/// What the shell is to do. Only `Apply` writes memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read a proposal's changes, then send [`Event::Opened`].
    Load(ProposalId),
    /// Append a decision to the journal.
    SaveDecision {
        /// On which change.
        change: ChangeRef,
        /// What.
        decision: Decision,
    },
    /// Take the last decisions of the journal back, then send [`Event::Decisions`].
    Undo {
        /// Of which proposal.
        proposal: ProposalId,
        /// How many.
        times: usize,
    },
    /// Do what was taken back again, then send [`Event::Decisions`].
    Redo {
        /// Of which proposal.
        proposal: ProposalId,
        /// How many.
        times: usize,
    },
    /// Judge the chosen changes, then send [`Event::Judged`].
    Judge(ProposalId),
    /// Show the rest of a change, then send [`Event::Shown`] with `whole`.
    ReadOn(ChangeRef),
    /// Show a change to its end as it stands now, then send [`Event::Shown`].
    Show(ChangeRef),
    /// Open the editor on [`Item::draft`], judge what came of it, then send [`Event::Edited`].
    Edit(ChangeRef),
    /// Plan the apply, then send [`Event::Planned`].
    Plan(ProposalId),
    /// Write what the sheet showed, then send [`Event::Applied`].
    Apply {
        /// Which proposal.
        proposal: ProposalId,
        /// Why the loss guard is overridden, when it is.
        because: Option<String>,
    },
    /// Consume the spans and keep nothing, then send [`Event::Closed`].
    Discard(ProposalId),
    /// Free the spans, keep the note for the curator, then send [`Event::Closed`].
    Return {
        /// Which proposal.
        proposal: ProposalId,
        /// For the curator of the next distill.
        note: String,
    },
    /// Leave.
    Quit,
}
