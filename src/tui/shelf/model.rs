//! What the views know. Plain data.

use super::kinds::Kind;
use super::wish::{Found, Last, Named, Roots};
use crate::browse::{Archive, Details, Event, MemoryView, Piece};
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::trust::AlsoSecret;
use std::collections::{BTreeMap, BTreeSet};

/// Something that is read when it is first needed. What is known stays until it was read again.
#[derive(Debug, Clone)]
pub(super) struct Slot<T> {
    pub value: Option<T>,
    pub fault: Option<String>,
    asked: bool,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self {
            value: None,
            fault: None,
            asked: false,
        }
    }
}

impl<T> Slot<T> {
    /// Whether it is to be asked for now; from then on it is asked for.
    pub fn is_wanted(&mut self) -> bool {
        !std::mem::replace(&mut self.asked, true)
    }

    pub fn take(&mut self, read: Result<T, String>) {
        self.asked = true;
        match read {
            Ok(value) => (self.value, self.fault) = (Some(value), None),
            Err(why) => self.fault = Some(why),
        }
    }

    pub fn stale(&mut self) {
        self.asked = false;
    }
}

/// A page of the drawer under memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum UnderEntry {
    /// What it rests on.
    #[default]
    Basis,
    /// Its versions.
    History,
    /// What vouches for it.
    Seal,
}

impl UnderEntry {
    pub const ALL: [Self; 3] = [Self::Basis, Self::History, Self::Seal];

    pub fn name(self) -> &'static str {
        match self {
            Self::Basis => "basis",
            Self::History => "history",
            Self::Seal => "seal",
        }
    }
}

/// Events that were read.
#[derive(Debug, Clone, Default)]
pub(super) struct Events {
    pub events: Vec<Event>,
    pub is_end: bool,
    pub problem: Option<String>,
    /// More was asked for.
    pub is_reading: bool,
}

/// Which hit of the archive's search is shown.
#[derive(Debug, Clone, Default)]
pub(super) struct Finding {
    pub found: Found,
    /// The hit that is shown, counted over all projects.
    pub at: usize,
    /// It comes into sight once its month was read.
    pub is_to_show: bool,
}

/// What was read for the views.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    pub(super) projects: Slot<Vec<Named>>,
    /// The project that the screen is about.
    pub(super) here: Option<ProjectId>,
    /// All projects are shown.
    pub(super) all: bool,
    pub(super) memory: BTreeMap<ProjectId, Slot<MemoryView>>,
    /// Of the entry that is selected.
    pub(super) roots: Slot<(EntryId, Roots)>,
    pub(super) roots_of: Option<EntryId>,
    pub(super) under: UnderEntry,
    pub(super) archives: BTreeMap<ProjectId, Slot<Archive>>,
    /// What a person made of an entry, and was not taken: editing goes on from it.
    pub(in crate::tui) typed: BTreeMap<EntryId, String>,
    /// Of the month that is shown.
    pub(super) pieces: Slot<Vec<Piece>>,
    pub(super) month: Option<(ProjectId, String)>,
    /// The month that the pieces are of.
    pub(super) pieces_of: Option<(ProjectId, String)>,
    pub(super) finding: Option<Finding>,
    pub(super) events: Slot<Events>,
    /// The event that is shown.
    pub(super) event: usize,
    /// The kind of events that is shown.
    pub(super) kind: Kind,
    pub(super) details: Slot<(Event, Details)>,
    pub(super) details_of: Option<Event>,
    pub(super) allowed: Slot<BTreeSet<String>>,
    /// What a person called a secret besides.
    pub(super) also: Vec<AlsoSecret>,
    /// Hidden values whose places are listed, by fingerprint.
    pub(super) unfolded: BTreeSet<String>,
    pub(super) last: Slot<Last>,
    /// What is selected, and the first frame on which it was.
    pub(super) selected_in: Option<(crate::tui::page::Key, u64)>,
    /// What the screen was started for.
    pub(super) revert: Option<(ProjectId, ProposalId)>,
}

impl Shelf {
    /// Memory was written: what was read is to be read again.
    pub fn stale(&mut self) {
        self.projects.stale();
        self.memory.values_mut().for_each(Slot::stale);
        self.archives.values_mut().for_each(Slot::stale);
        self.pieces.stale();
        self.roots.stale();
        self.events.stale();
        self.details.stale();
        self.allowed.stale();
        self.last.stale();
    }

    /// Fingerprints of what a person called no secret.
    #[must_use]
    pub fn not_secret(&self) -> BTreeSet<String> {
        self.allowed.value.clone().unwrap_or_default()
    }

    /// Whose events are shown; none: of all projects.
    pub(super) fn scope(&self) -> Option<&ProjectId> {
        self.here.as_ref().filter(|_| !self.all)
    }

    /// The name of a project. Foreign text.
    pub(super) fn name(&self, id: &ProjectId) -> &str {
        let all = self.projects.value.iter().flatten();
        let mut named = all.filter(|p| p.id == *id);
        named.next().map_or("", |p| p.name.as_str())
    }

    /// The projects that are listed: this one, or all.
    pub(super) fn listed(&self) -> Vec<Named> {
        let all = self.projects.value.clone().unwrap_or_default();
        match (&self.here, self.all) {
            (Some(here), false) => all.into_iter().filter(|p| p.id == *here).collect(),
            _ => all,
        }
    }
}
