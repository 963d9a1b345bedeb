//! Whether an entry stands on disk as the records say.

use super::Sight;
use super::look::Look;
use crate::id::EntryId;
use crate::memory::{Entry, MemoryFile};
use crate::trust::{Broken, Matched, Reason, Record, RecordState};
use serde::Serialize;

/// How what stands on disk is to the newest version of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stand {
    /// In a word.
    pub is: Stands,
    /// The file in which something else stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<MemoryFile>,
    /// The section there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// What stands there, where it is another text; without its secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What comes next; none where nothing is to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The same in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    /// As the records say.
    AsRecorded,
    /// With another text.
    Changed,
    /// In no file.
    Gone,
    /// In another file or section.
    Moved,
    /// More than once.
    Doubled,
    /// As an older version.
    RolledBack,
    /// In a file, though it was archived.
    CameBack,
    /// Nothing can be said: its file cannot be read, say.
    Unknown,
}

impl Stand {
    fn of(is: Stands) -> Self {
        Self {
            is,
            file: None,
            section: None,
            text: None,
            next: None,
        }
    }

    fn unknown(why: &str) -> Self {
        Self {
            next: Some(why.to_owned()),
            ..Self::of(Stands::Unknown)
        }
    }

    /// Whether disk and records agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.is == Stands::AsRecorded
    }
}

impl Stands {
    /// What there is to say of the file, for people; nothing where it agrees.
    #[must_use]
    pub fn said(self) -> &'static str {
        match self {
            Self::AsRecorded => "",
            Self::Changed => "the file says otherwise since: it reads",
            Self::Gone => "the file says otherwise since: it is gone from it",
            Self::Moved => "the file says otherwise since: it stands elsewhere",
            Self::Doubled => "the file says otherwise since: it stands there more than once",
            Self::RolledBack => "the file says otherwise since: an older version stands there",
            Self::CameBack => "the file says otherwise since: it is back there",
            Self::Unknown => "whether it stands so is not known",
        }
    }

    /// What a review offers.
    fn offered(self) -> &'static str {
        match self {
            Self::AsRecorded | Self::Unknown => "",
            Self::Gone => "`memd review` offers it: a lets it go, r puts it back",
            Self::Doubled | Self::CameBack => {
                "`memd review` offers it: a adopts what stands there, r takes it out"
            }
            Self::Changed | Self::Moved | Self::RolledBack => {
                "`memd review` offers it: a adopts what stands there, r puts this version back"
            }
        }
    }
}

/// Of an entry whose newest record this is.
pub(super) fn stand(sight: Sight<'_>, look: &Look, newest: &Record) -> Stand {
    if let Some(why) = look.problem.as_ref().or(look.under_way.as_ref()) {
        return Stand::unknown(why);
    }
    let mut stand = match found(&look.matched, &newest.entry) {
        Some(broken) => told(sight, broken),
        None if look.matched.missing.iter().any(|r| r.entry == newest.entry) => {
            Stand::of(Stands::Gone)
        }
        None => return without_break(look, newest),
    };
    // Nothing of a memory of which a part cannot be read is offered.
    stand.next = Some(match look.unread.first() {
        Some(why) => why.clone(),
        None => stand.is.offered().to_owned(),
    });
    stand
}

/// What is broken of it; what stands for it before a copy of it.
fn found<'m>(matched: &'m Matched, entry: &EntryId) -> Option<&'m Broken> {
    let of_it = |b: &&Broken| b.record.entry == *entry && b.entry.is_some();
    let all = || matched.broken.iter().filter(of_it);
    all().find(|b| b.is_displaced()).or_else(|| all().next())
}

fn told(sight: Sight<'_>, broken: &Broken) -> Stand {
    let shown = |text: &str| sight.redactor.shown(text);
    let of = |is, entry: &Entry, text: Option<String>| Stand {
        file: Some(entry.file),
        section: Some(shown(&entry.section)),
        text,
        ..Stand::of(is)
    };
    let Some(entry) = &broken.entry else {
        return Stand::of(Stands::AsRecorded);
    };
    let text = || Some(shown(&entry.text));
    match &broken.reason {
        Reason::Seal(_) => Stand::of(Stands::AsRecorded),
        Reason::Edited => of(Stands::Changed, entry, text()),
        Reason::Moved { .. } => of(Stands::Moved, entry, None),
        Reason::Duplicated => of(Stands::Doubled, entry, None),
        Reason::RolledBack { .. } => of(Stands::RolledBack, entry, text()),
        Reason::CameBack => of(Stands::CameBack, entry, None),
    }
}

/// Where nothing speaks against it: it stands, if its file could be read at all.
fn without_break(look: &Look, newest: &Record) -> Stand {
    let is_left = newest.state != RecordState::Live;
    let is_there = is_left || look.matched.find(&newest.entry).is_some();
    match look.unread.first().filter(|_| !is_there) {
        Some(why) => Stand::unknown(why),
        None => Stand::of(Stands::AsRecorded),
    }
}
