//! What the screen knows. Plain data: [`super::update()`] changes it, [`super::arrange`] lays it out,
//! [`super::view`] paints it.

use super::cache::Cache;
use super::overlay::Overlay;
use super::page::{Key, List, Page};
use super::rows::DiffStyle;
use super::theme::{Marks, Theme};
use crate::review::{ChangeRef, Item, Model};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// One of the four views.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// What waits for a decision.
    #[default]
    Review,
    /// What stands now.
    Memory,
    /// What left memory.
    Archive,
    /// What happened.
    Log,
}

impl View {
    /// All of them, in the order of their numbers.
    pub const ALL: [View; 4] = [View::Review, View::Memory, View::Archive, View::Log];

    /// Its name in the title row.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            View::Review => "Review",
            View::Memory => "Memory",
            View::Archive => "Archive",
            View::Log => "Log",
        }
    }
}

/// One of the regions that take keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pane {
    /// The list on the left.
    List,
    /// The content on the right.
    #[default]
    Content,
    /// The drawer below it.
    Drawer,
}

/// Which changes the stream shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Filter {
    /// All of them.
    #[default]
    All,
    /// Those nothing is decided on.
    Undecided,
    /// Those a guardrail flags, or whose target moved on.
    Flagged,
}

/// A page of the review's drawer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Drawer {
    /// What it rests on.
    #[default]
    Evidence,
    /// What the guardrails say.
    Checks,
    /// What of each session was read.
    Source,
    /// What was hidden.
    Redactions,
}

impl Drawer {
    /// All of them, in the order in which they are turned.
    pub const ALL: [Drawer; 4] = [
        Drawer::Evidence,
        Drawer::Checks,
        Drawer::Source,
        Drawer::Redactions,
    ];
}

/// Where one is in a view.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// What is selected.
    pub cursor: Option<Key>,
    /// The list's first row in sight.
    pub list_top: usize,
    /// The content's first row in sight.
    pub top: usize,
    /// The row of the drawer that is selected.
    pub row: usize,
    /// The drawer's first row in sight.
    pub drawer_top: usize,
    /// Rows that were folded (`true`) or unfolded by hand.
    pub folds: BTreeMap<Key, bool>,
    /// Where keys go.
    pub focus: Pane,
}

/// How things are shown. Kept while the screen runs.
#[derive(Debug, Clone)]
pub struct Look {
    /// Colours and attributes.
    pub theme: Theme,
    /// Marks and rules.
    pub marks: Marks,
    /// Whether only ASCII may be used.
    pub ascii: bool,
    /// Whether colour may be used at all.
    pub colour: bool,
    /// How differences are shown.
    pub style: DiffStyle,
    /// Unchanged lines around changes; none: all.
    pub context: Option<usize>,
    /// The drawer: open, closed, or as the height has it.
    pub drawer: Option<bool>,
    /// Its page.
    pub page: Drawer,
    /// Which changes are shown.
    pub filter: Filter,
}

/// A text that was looked for in the view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// What was looked for, lower case.
    pub query: String,
    /// Rows of the page where it stands.
    pub rows: Vec<usize>,
    /// Which of them is shown.
    pub at: usize,
}

/// How far a change has been read: rows from its top, as it was laid out then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// Rows seen without a gap, from the top.
    pub rows: usize,
    /// Of so many.
    pub of: usize,
    /// At this many columns.
    pub width: u16,
    /// In this style.
    pub style: DiffStyle,
    /// With so many unchanged lines around changes.
    pub context: Option<usize>,
}

/// What is laid out for the size of the screen.
#[derive(Debug, Clone, Default)]
pub struct Arranged {
    /// The regions.
    pub areas: super::areas::Areas,
    /// The list.
    pub list: List,
    /// The content.
    pub page: Page,
    /// The drawer's rows.
    pub drawer: Page,
    /// The title of the page on top.
    pub overlay_title: super::rows::Line,
    /// The overlay on top.
    pub overlay: Page,
}

/// Everything the screen knows.
#[derive(Debug, Clone)]
pub struct App {
    /// The moment, as of the last message.
    pub now: Timestamp,
    /// Milliseconds since the start, as of the last message.
    pub clock: u64,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The number of the last painted frame.
    pub frame: u64,
    /// The view.
    pub view: View,
    /// Where one is in each.
    pub places: [Place; 4],
    /// How things are shown.
    pub look: Look,
    /// The review's own model.
    pub review: Model,
    /// What the other views show.
    pub shelf: super::shelf::Shelf,
    /// What lies on top, the last one uppermost.
    pub overlays: Vec<Overlay>,
    /// The last thing to say.
    pub notice: Option<String>,
    /// What was looked for.
    pub search: Option<Search>,
    /// Until when keys that decide do nothing, in milliseconds since the start; `Some(0)`: until
    /// the next frame.
    pub inert_until: Option<u64>,
    /// The selected change, and the first frame on which it was the selected one.
    pub selected_in: Option<(ChangeRef, u64)>,
    /// Proposals that came in since the queue was last looked through.
    pub news: usize,
    /// Keys that came too early since this frame.
    pub ignored: (u64, usize),
    /// How far each change has been read.
    pub read: BTreeMap<ChangeRef, Read>,
    /// Long changes that are shown whole.
    pub unfolded: BTreeSet<ChangeRef>,
    /// The last line for the shell, once the screen is left.
    pub farewell: Vec<String>,
    /// A line that was typed, and of which nothing has come yet.
    pub unsent: Option<super::update::Unsent>,
    /// Nothing more is to come.
    pub leaving: bool,
    /// Whether what is seen is a copy on which nothing is written.
    pub rehearsal: bool,
    /// What was computed.
    pub cache: Cache,
    /// What is laid out.
    pub arranged: Arranged,
}

/// How long keys that decide do nothing after a view came up, in milliseconds.
pub const INERT: u64 = 150;

impl App {
    /// A screen of this size on which nothing was read yet.
    #[must_use]
    pub fn new(size: (u16, u16), look: Look, now: Timestamp) -> Self {
        Self {
            now,
            clock: 0,
            size,
            frame: 0,
            view: View::Review,
            places: Default::default(),
            look,
            review: Model::default(),
            shelf: Default::default(),
            overlays: Vec::new(),
            notice: None,
            search: None,
            inert_until: Some(0),
            selected_in: None,
            news: 0,
            ignored: (0, 0),
            read: BTreeMap::new(),
            unfolded: BTreeSet::new(),
            farewell: Vec::new(),
            unsent: None,
            leaving: false,
            rehearsal: false,
            cache: Cache::default(),
            arranged: Arranged::default(),
        }
    }

    /// Where one is in the view.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.places[self.view as usize]
    }

    /// The same, to move.
    pub fn place_mut(&mut self) -> &mut Place {
        &mut self.places[self.view as usize]
    }

    /// Whether keys that decide do nothing yet.
    #[must_use]
    pub fn is_inert(&self) -> bool {
        self.inert_until.is_some()
    }

    /// From now on, keys that decide do nothing until something was on screen for a while.
    pub fn hold_still(&mut self) {
        self.inert_until = Some(0);
    }

    /// The proposal that is reviewed.
    #[must_use]
    pub fn item(&self) -> Option<&Item> {
        self.review.current_item()
    }

    /// Whether every change of the open proposal is decided on.
    #[must_use]
    pub fn all_decided(&self) -> bool {
        self.item()
            .is_some_and(|item| !item.order.is_empty() && item.undecided().is_empty())
    }

    /// Whether the stream shows a change.
    #[must_use]
    pub fn shows(&self, item: &Item, n: u32) -> bool {
        match self.look.filter {
            Filter::All => true,
            Filter::Undecided => item.undecided().contains(&n),
            Filter::Flagged => !item.is_clean(n),
        }
    }

    /// Whether the drawer is open.
    #[must_use]
    pub fn has_drawer(&self) -> bool {
        // In a log that has no room for a second pane it is what one came for.
        let log = self.view == View::Log && !self.is_wide();
        self.look.drawer.unwrap_or(self.size.1 >= 30 || log)
    }

    /// Whether what to look for is being typed: what is found stays in sight meanwhile.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        use super::overlay::Purpose;
        let last = self.overlays.last();
        matches!(
            last,
            Some(Overlay::Line {
                purpose: Purpose::Search,
                ..
            })
        )
    }

    /// Whether list and content stand side by side.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.size.0 >= 100
    }
}
