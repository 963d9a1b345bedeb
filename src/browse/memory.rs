//! The four files as they stand, each entry with what is known of it.

use super::{BrowseError, Look, Sight, is_unreviewed};
use crate::config::Budgets;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::memory::{Document, Entry, MemoryFile, title};
use crate::proposal::Origin;
use crate::store::Project;
use crate::trust::{Broken, Reason, Record, SealedEntry};
use jiff::Timestamp;

/// A project's memory, for a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryView {
    /// The project.
    pub project: ProjectId,
    /// Its name for people. Foreign text.
    pub name: String,
    /// The four files, in reading order.
    pub files: Vec<FileView>,
    /// Why nothing of it can be trusted, when that is so.
    pub problem: Option<String>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileView {
    /// Which.
    pub file: MemoryFile,
    /// Characters of its body.
    pub chars: usize,
    /// Characters its body may hold.
    pub budget: usize,
    /// `last_updated` of its frontmatter. Foreign text.
    pub last_updated: Option<String>,
    /// `status` of its frontmatter. Foreign text.
    pub status: Option<String>,
    /// Why it cannot be read, or why its frontmatter cannot.
    pub problem: Option<String>,
    /// Its entries in file order; what was accepted and is gone from it comes last.
    pub entries: Vec<EntryView>,
}

/// One entry, with what its record says. Its text is for reading; [`text_of`] gives what is edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryView {
    /// Its identity, when a record vouches for it or misses it.
    pub id: Option<EntryId>,
    /// Of what no record vouches for: the entry it is likely to be a form or copy of.
    pub likely: Option<EntryId>,
    /// Its file.
    pub file: MemoryFile,
    /// Its section, as [`Entry::section`].
    pub section: String,
    /// Its first line without markup.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Which of equal twins it is.
    pub ordinal: u32,
    /// Who said it.
    pub origin: Option<Origin>,
    /// When a person accepted it.
    pub accepted: Option<Timestamp>,
    /// When a person last confirmed it.
    pub confirmed: Option<Timestamp>,
    /// How often.
    pub confirmations: u32,
    /// When it is no longer given to agents, unless a person accepts it.
    pub lapses: Option<Timestamp>,
    /// When the version that stands was let in.
    pub since: Option<Timestamp>,
    /// Whether agents are given it, and why not.
    pub seal: SealState,
    /// The proposal that let it in.
    pub proposal: Option<ProposalId>,
}

/// Whether an entry is given to agents, and why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SealState {
    /// Given: a person accepted it.
    Sealed,
    /// Given, and marked: a policy let it in, and no person has looked yet.
    Unreviewed,
    /// Not given: no person accepted it in time.
    Lapsed,
    /// Not given: a person took it back.
    Tombstoned,
    /// Not given: nobody let it in.
    Unsealed,
    /// Not given: it was accepted and is not what it was. Says why.
    Broken(String),
    /// It was accepted and is gone from its file.
    Missing,
}

/// A project's memory as it stands.
///
/// # Errors
/// When the database cannot be read at all. A file that cannot be read is a problem of its own.
pub fn memory(
    sight: Sight<'_>,
    project: &Project,
    budgets: &Budgets,
) -> Result<MemoryView, BrowseError> {
    let look = Look::at(sight.store, project, sight.now)?;
    let files = MemoryFile::ALL.map(|file| file_view(sight, &look, file, budgets));
    Ok(MemoryView {
        project: project.id.clone(),
        name: project.name.clone(),
        files: files.into(),
        problem: look.problem.clone(),
    })
}

/// The text of an entry as it stands on disk, for a person's editor alone: it was never redacted.
/// None when no record vouches for it.
///
/// # Errors
/// As [`memory`].
pub fn text_of(
    sight: Sight<'_>,
    project: &Project,
    entry: &EntryId,
) -> Result<Option<String>, BrowseError> {
    let look = Look::at(sight.store, project, sight.now)?;
    Ok(look.matched.find(entry).map(|s| s.entry.text.clone()))
}

fn file_view(sight: Sight<'_>, look: &Look, file: MemoryFile, budgets: &Budgets) -> FileView {
    let doc = look.memory.doc(file);
    let is_missing = look.memory.is_missing(file);
    let front = (!is_missing).then(|| doc.front());
    let unread = || {
        let begins = format!("{}: ", file.name());
        let own = look.unread.iter().find(|why| why.starts_with(&begins));
        own.cloned()
            .unwrap_or_else(|| format!("{} is not there", file.name()))
    };
    let (front, problem) = match front {
        None => (None, Some(unread())),
        Some(Ok(front)) => (Some(front), None),
        Some(Err(why)) => (None, Some(format!("{}: {why}", file.name()))),
    };
    let shown = |text: &String| sight.redactor.shown(text);
    FileView {
        file,
        chars: if is_missing { 0 } else { doc.body_chars() },
        budget: budgets.of(file),
        last_updated: front.as_ref().map(|f| shown(&f.last_updated)),
        status: front.as_ref().map(|f| shown(&f.status)),
        problem: problem.as_ref().map(shown),
        entries: entries(sight, look, doc),
    }
}

fn entries(sight: Sight<'_>, look: &Look, doc: &Document) -> Vec<EntryView> {
    let file = doc.file();
    let matched = &look.matched;
    let here = |e: &&Entry| e.file == file;
    let verified = |all: &[SealedEntry], seal: fn(&Record) -> SealState| {
        let all = all.iter().filter(|s| s.entry.file == file);
        let views = all.map(|s| {
            let view = of_record(sight, &s.record, seal(&s.record));
            (s.entry.range.start, view.standing(sight, &s.entry))
        });
        views.collect::<Vec<_>>()
    };
    let given = |record: &Record| match is_unreviewed(record) {
        true => SealState::Unreviewed,
        false => SealState::Sealed,
    };
    let mut all = verified(&matched.sealed, given);
    all.extend(verified(&matched.lapsed, |_| SealState::Lapsed));
    all.extend(verified(&matched.withheld, |_| SealState::Tombstoned));
    let unsealed = matched.unsealed.iter().filter(here);
    all.extend(unsealed.map(|e| (e.range.start, unknown(sight, e, SealState::Unsealed))));
    let broken = matched.broken.iter().filter(|b| stands_in(b) == file);
    all.extend(broken.map(|b| broken_view(sight, b)));
    all.sort_by_key(|(at, _)| *at);
    let missing = matched.missing.iter().filter(|r| r.file == file);
    let missing = missing.map(|r| of_record(sight, r, SealState::Missing));
    all.into_iter()
        .map(|(_, view)| view)
        .chain(missing)
        .collect()
}

fn stands_in(broken: &Broken) -> MemoryFile {
    broken.entry.as_ref().map_or(broken.record.file, |e| e.file)
}

/// What is broken, and where in its file; a record alone comes after all that stands.
fn broken_view(sight: Sight<'_>, broken: &Broken) -> (usize, EntryView) {
    let seal = SealState::Broken(why(&broken.reason));
    let Some(entry) = &broken.entry else {
        return (usize::MAX, of_record(sight, &broken.record, seal));
    };
    let view = EntryView {
        likely: Some(broken.record.entry.clone()),
        ..unknown(sight, entry, seal)
    };
    (entry.range.start, view)
}

/// Why it is not trusted, as a lower-case fragment.
fn why(reason: &Reason) -> String {
    match reason {
        Reason::Seal(error) => format!("its record cannot be trusted: {error}"),
        Reason::Edited => "changed outside memd".to_owned(),
        Reason::Moved { file, section } if section.is_empty() => {
            format!("accepted for {}", file.name())
        }
        Reason::Moved { file, section } => format!("accepted for {} › {section}", file.name()),
        Reason::Duplicated => "a copy of an accepted entry".to_owned(),
        Reason::RolledBack { version } => {
            format!("put back to version {version}, which was replaced")
        }
        Reason::CameBack => "it was archived, and is back".to_owned(),
    }
}

fn unknown(sight: Sight<'_>, entry: &Entry, seal: SealState) -> EntryView {
    let text = sight.redactor.shown(&entry.text);
    EntryView {
        id: None,
        likely: None,
        file: entry.file,
        section: sight.redactor.shown(&entry.section),
        title: title(&text),
        text,
        ordinal: entry.ordinal,
        origin: None,
        accepted: None,
        confirmed: None,
        confirmations: 0,
        lapses: None,
        since: None,
        seal,
        proposal: None,
    }
}

fn of_record(sight: Sight<'_>, record: &Record, seal: SealState) -> EntryView {
    let text = sight.redactor.shown(&record.text);
    EntryView {
        id: Some(record.entry.clone()),
        likely: None,
        file: record.file,
        section: sight.redactor.shown(&record.section),
        title: title(&text),
        text,
        ordinal: 0,
        origin: Some(record.origin),
        accepted: record.accepted,
        confirmed: record.confirmed,
        confirmations: record.confirmations,
        lapses: record.lapses,
        since: Some(record.at),
        seal,
        proposal: record.proposal.clone(),
    }
}

impl EntryView {
    /// A verified entry as it stands on disk.
    fn standing(self, sight: Sight<'_>, entry: &Entry) -> Self {
        Self {
            section: sight.redactor.shown(&entry.section),
            ordinal: entry.ordinal,
            ..self
        }
    }
}
