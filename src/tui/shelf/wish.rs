//! What the views ask of the shell, and what they hear. Both sets are closed.

use crate::apply;
use crate::browse::{
    Archive, Basis, Details, Event, Excerpt, Hit, MemoryView, Month, Piece, Version,
};
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::proposal::Dropped;
use crate::review::{Item, Waiting};
use crate::source::Place;
use crate::trust::AlsoSecret;
use std::collections::BTreeSet;
use std::fmt;
use zeroize::Zeroizing;

/// What the views ask. Those that write do so after a `y`, or stage a proposal that is decided on
/// in the review.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Put proposals that left the queue by age back into it.
    Revive,
    /// The projects there are.
    Projects,
    /// A project's memory as it stands.
    Memory(ProjectId),
    /// What an entry rests on, and its versions.
    Roots(ProjectId, EntryId),
    /// The months of a project's archive.
    Archive(ProjectId),
    /// The pieces of a month.
    Pieces(ProjectId, Month),
    /// Look for a text in the archives of these projects, from the beginning.
    Find(Vec<ProjectId>, String),
    /// Look on.
    FindOn,
    /// What happened, newest first: in a project, or in all. From the beginning, or on from what
    /// was read.
    Events(Option<ProjectId>, bool),
    /// What an event did.
    Details(Box<Event>),
    /// The place in a session where a line of a proposal was said.
    Transcript(ProposalId, u32),
    /// The place where something was hidden, and the end of its placeholder.
    HiddenAt(ProposalId, Place, String),
    /// More of it, before or after.
    ReadOn(ProposalId, Box<Excerpt>, Side),
    /// What a person called no secret, and what they called one besides.
    Allowed,
    /// What happened last, wherever.
    Last,

    /// Confirm an entry. Writes.
    Confirm(ProjectId, EntryId),
    /// Stage a person's own act.
    Own(ProjectId, apply::Wish),
    /// An entry as it stands, to be edited on the screen.
    EntryText(ProjectId, EntryId),
    /// Stage that a piece of a month, by its place and as it was shown, stands in its file again.
    BringBack(ProjectId, Month, usize, String),
    /// Stage the reverse of an applied proposal.
    Reverse(ProjectId, ProposalId),
    /// Take a staged reverse back.
    DropReverse(ProposalId),
    /// Apply what of a staged reverse nothing flags or stands against, as it was shown. Writes.
    ApplyReverse(Box<Reverse>),
    /// Keep a person's word on a hidden value. Writes.
    NotSecret(Hidden),
    /// Keep a person's word that a text is a secret, and take it out of what is staged. Writes.
    AlsoSecret(Spoken),
    /// Take such a word back, by the value's fingerprint. Writes.
    NoLongerSecret(String),
}

/// Which end of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Its beginning.
    Before,
    /// Its end.
    After,
}

/// A hidden value, by what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// Its fingerprint.
    pub fingerprint: String,
    /// The rule that found it.
    pub rule: String,
    /// Its length, as a bucket.
    pub length: String,
    /// Whether it is to be hidden again from now on.
    pub is_secret: bool,
}

/// A text that a person called a secret: printed by nothing, wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Spoken(Zeroizing<String>);

impl Spoken {
    /// Takes the text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Zeroizing::new(text.to_owned()))
    }

    /// The text, for the redactor alone.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spoken")
    }
}

impl Wish {
    /// Whether it only looks, and can wait until no key does.
    #[must_use]
    pub fn can_wait(&self) -> bool {
        matches!(
            self,
            Wish::Projects
                | Wish::Memory(_)
                | Wish::Roots(..)
                | Wish::Archive(_)
                | Wish::Pieces(..)
                | Wish::FindOn
                | Wish::Events(..)
                | Wish::Details(_)
                | Wish::ReadOn(..)
                | Wish::Allowed
                | Wish::Last
        )
    }

    /// Whether something is written for it, if only a proposal.
    #[must_use]
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Wish::Revive
                | Wish::Confirm(..)
                | Wish::Own(..)
                | Wish::BringBack(..)
                | Wish::Reverse(..)
                | Wish::DropReverse(_)
                | Wish::ApplyReverse(_)
                | Wish::NotSecret(_)
                | Wish::AlsoSecret(_)
                | Wish::NoLongerSecret(_)
        )
    }

    /// Whether another one that waits is not needed beside it: of what is selected only the newest
    /// counts.
    #[must_use]
    pub fn replaces(&self, other: &Wish) -> bool {
        use std::mem::discriminant;
        let newest = matches!(
            self,
            Wish::Roots(..) | Wish::Details(_) | Wish::Pieces(..) | Wish::FindOn | Wish::Events(..)
        );
        self == other || newest && discriminant(self) == discriminant(other)
    }
}

/// A project by its name. Foreign text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Which.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
}

/// What an entry rests on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roots {
    /// Its versions, newest first.
    pub versions: Vec<Version>,
    /// The distill that brought the version that stands, or the newest one before it.
    pub basis: Option<Basis>,
    /// The version that this distill brought.
    pub version: u32,
    /// Why something of it is not known.
    pub problem: Option<String>,
}

/// The reverse of an apply, staged.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverse {
    /// What it takes back.
    pub of: ProposalId,
    /// In how many parts that was applied, where it was more than one: all of them are taken back.
    pub applied_in: Option<usize>,
    /// The proposal, with all accepted that nothing flags or stands against, and judged so.
    pub item: Item,
    /// What is not in it, and why.
    pub dropped: Vec<Dropped>,
    /// It had been staged before, and stays when it is left.
    pub waited: bool,
}

impl Reverse {
    /// Numbers of the changes that go in, and of those that are left to be decided.
    #[must_use]
    pub fn parts(&self) -> (Vec<u32>, Vec<u32>) {
        let chosen = self.item.chosen();
        (chosen, self.item.undecided())
    }
}

/// Hits of a search, so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// What was looked for.
    pub query: String,
    /// By project, in the order asked for.
    pub projects: Vec<FoundIn>,
    /// Whether all was looked through.
    pub is_done: bool,
}

/// Hits in one archive.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundIn {
    /// The project.
    pub project: ProjectId,
    /// The months of its archive, as it was searched.
    pub months: Vec<Month>,
    /// The hits, newest month first.
    pub hits: Vec<Hit>,
    /// Only so many are kept.
    pub is_full: bool,
    /// Months that could not be read, and why.
    pub problems: Vec<String>,
}

/// What happened last, for a screen on which nothing waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Last {
    /// The event, and its project's name.
    pub event: Option<(Event, String)>,
    /// How many projects there are.
    pub projects: usize,
}

/// What the views hear. Errors are sentences.
#[derive(Debug, Clone)]
pub enum Heard {
    /// The screen is up: what it was started for may begin.
    Started,
    /// Something was changed elsewhere.
    Elsewhere,
    /// The projects there are, and the one that the screen is about, if it is about one.
    Projects(Result<(Vec<Named>, Option<ProjectId>), String>),
    /// A memory.
    Memory(ProjectId, Result<MemoryView, String>),
    /// What an entry rests on.
    Roots(EntryId, Box<Roots>),
    /// An archive.
    Archive(ProjectId, Result<Archive, String>),
    /// The pieces of a month.
    Pieces(ProjectId, String, Result<Vec<Piece>, String>),
    /// Hits.
    Found(Box<Found>),
    /// Events: of one project or all, whether they go on from those that are known, whether more
    /// may be there, and why some are missing.
    Events {
        /// Whose.
        scope: Option<ProjectId>,
        /// They come after those that are known.
        more: bool,
        /// The events.
        events: Vec<Event>,
        /// All were read.
        is_end: bool,
        /// Why some are missing.
        problem: Option<String>,
    },
    /// What an event did.
    Details(Box<Event>, Result<Box<Details>, String>),
    /// A place in a session.
    Transcript(ProposalId, Result<Box<Excerpt>, String>),
    /// More of it; so many turns came.
    ReadOn(ProposalId, Box<Excerpt>, Side, usize),
    /// Fingerprints of what a person called no secret, and what they called one besides.
    Allowed(BTreeSet<String>, Vec<AlsoSecret>),
    /// A place where something was hidden, and the end of its placeholder.
    HiddenAt(ProposalId, Result<Box<Excerpt>, String>, String),
    /// A text is a secret from now on: the queue, the proposals that held it, what to say.
    Hidden {
        /// The queue as it is now.
        queue: Vec<Waiting>,
        /// Proposals that it was taken out of.
        proposals: Vec<ProposalId>,
        /// What to say.
        said: String,
    },
    /// What happened last.
    Last(Box<Last>),
    /// Something of a person's own was staged: the queue, and which proposal it is.
    Staged {
        /// The queue as it is now.
        queue: Vec<Waiting>,
        /// The proposal.
        id: ProposalId,
        /// What to say.
        said: String,
    },
    /// An entry as it stands, without its secrets; or why it is not to be edited.
    EntryText(ProjectId, EntryId, Result<String, String>),
    /// The reverse of an apply was staged, or not, and why.
    Reverse(Result<(Box<Reverse>, Vec<Waiting>), String>),
    /// A staged reverse is gone again.
    Dropped(ProposalId, Result<(), String>),
    /// What stands, or what is hidden, was changed: what was read is to be read again.
    Written(String),
    /// It was not; the review may have to be looked at.
    NotWritten(String),
    /// The person leaves, and what was typed cannot be kept: the reason.
    NotKept(String),
}
