//! What a person can ask the screen for. A closed set; the key table gives each its keys and words.

/// Something to do. Which keys mean it, and what it is called, stands in [`super::keymap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the key table says what each does")]
pub enum Action {
    // Decide.
    Accept,
    Reject,
    Skip,
    Clear,
    Edit,
    EditInline,
    StripHidden,
    AcceptAll,
    RejectAll,
    AcceptFile,
    RejectFile,
    Undo,
    Redo,
    Apply,
    Discard,
    GiveBack,
    // Move.
    Down,
    Up,
    NextEntry,
    PreviousEntry,
    NextFile,
    PreviousFile,
    NextProposal,
    PreviousProposal,
    ReadOn,
    LineDown,
    LineUp,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    First,
    Last,
    Left,
    Right,
    NextPane,
    PreviousPane,
    ViewReview,
    ViewMemory,
    ViewArchive,
    ViewLog,
    // Look.
    Open,
    DrawerPage,
    DiffStyle,
    MoreContext,
    LessContext,
    Filter,
    Base,
    Search,
    NextMatch,
    PreviousMatch,
    AllProjects,
    Copy,
    NotSecret,
    AlsoSecret,
    // Acts on what stands.
    Revert,
    Confirm,
    ArchiveEntry,
    Tombstone,
    BringBack,
    Revive,
    // Program.
    Help,
    Back,
    Quit,
    Escape,
    Suspend,
    Redraw,
}

impl Action {
    /// Whether it decides on memory: such a key counts only for what was on screen before it was
    /// read.
    #[must_use]
    pub fn decides(self) -> bool {
        use Action::{
            Accept, AcceptAll, AcceptFile, Apply, ArchiveEntry, BringBack, Clear, Confirm, Discard,
            Edit, EditInline, GiveBack, NotSecret, Redo, Reject, RejectAll, RejectFile, Revert,
            Skip, StripHidden, Tombstone, Undo,
        };
        matches!(
            self,
            Accept
                | AcceptAll
                | AcceptFile
                | Apply
                | ArchiveEntry
                | BringBack
                | Clear
                | Confirm
                | Discard
                | Edit
                | EditInline
                | GiveBack
                | NotSecret
                | Redo
                | Reject
                | RejectAll
                | RejectFile
                | Revert
                | Skip
                | StripHidden
                | Tombstone
                | Undo
        )
    }
}
