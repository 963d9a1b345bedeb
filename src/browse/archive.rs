//! The archive: months, and the pieces in them.
//!
//! A month is a file that only grows; months are listed without being read. Pieces are found by what
//! memd writes around them (and memd 0.3 wrote), and where a record says what was moved there, by
//! its exact text: then no text of a piece can pass for another piece. Whatever else stands in such
//! a file is a piece without a name; no text is left out.

mod differs;
mod pieces;

pub use differs::{Difference, Differences, Differs, differences};

use super::{BrowseError, Sight};
use crate::fs::{self, Folder, FsError};
use crate::git::ARCHIVE_LIMIT;
use crate::id::{EntryId, ProposalId};
use crate::memory::{ArchivePiece, MemoryFile, title};
use crate::redact::Redactor;
use crate::store::Project;
use crate::text::{TextHash, visible_line};
use crate::trust::{Record, RecordState};
use jiff::civil::Date;
use pieces::Found;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Months that are listed.
const MONTHS: usize = 4096;

/// A project's archive. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Archive {
    /// The months, newest first.
    pub months: Vec<Month>,
    /// What could not be listed, and why.
    pub problems: Vec<String>,
    memory: PathBuf,
    moved: Arc<Moved>,
    differences: Arc<Vec<Difference>>,
}

/// One file of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Month {
    /// Such as `2026-09`: its file's name without the ending. Foreign text.
    pub name: String,
    /// Its path in the memory folder, such as `archive/2026-09.md`. Foreign text.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

/// One entry that was moved to the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The file it stood in; none: nothing says so.
    pub file: Option<MemoryFile>,
    /// The section it stood in.
    pub section: String,
    /// Its first line without markup.
    pub title: String,
    /// Its text, for reading; [`Archive::exact`] gives it as it stands.
    pub text: String,
    /// Why it was moved.
    pub reason: String,
    /// When.
    pub moved: Option<Date>,
    /// The entry it was, where a record says so.
    pub entry: Option<EntryId>,
    /// The proposal that moved it, where a record says so.
    pub proposal: Option<ProposalId>,
    /// How it differs from what memd put there, if it does.
    pub differs: Option<Differs>,
}

/// What records say was moved to the archive.
#[derive(Debug, Default)]
pub(super) struct Moved {
    /// By the piece's heading and its first line.
    by_heading: HashMap<String, HashMap<String, Vec<Mover>>>,
}

#[derive(Debug)]
struct Mover {
    text: String,
    entry: EntryId,
    proposal: Option<ProposalId>,
}

/// A project's archive.
///
/// # Errors
/// When the folder is a link or cannot be listed.
pub fn archive(sight: Sight<'_>, project: &Project) -> Result<Archive, BrowseError> {
    // Records that do not verify say nothing: then pieces are told apart by their form alone.
    let records = sight.store.all_records(sight.trust, &project.id);
    let records = records.unwrap_or_default();
    let holds = |r: &&Record| sight.trust.verify(r).is_ok();
    let mut archive = Archive::of(project, records.iter().filter(holds))?;
    match differences(sight, project) {
        Ok(found) => archive.differences = Arc::new(found.all),
        Err(BrowseError::Store(_)) => {}
        Err(error) => archive.problems.push(error.to_string()),
    }
    Ok(archive)
}

impl Archive {
    /// With what these records say was moved there.
    fn of<'r>(
        project: &Project,
        records: impl Iterator<Item = &'r Record>,
    ) -> Result<Self, FsError> {
        let memory = project.memory();
        let (months, problems) = months(&memory)?;
        Ok(Self {
            months,
            problems,
            memory,
            moved: Arc::new(Moved::of(records)),
            differences: Arc::default(),
        })
    }

    /// What is not there any more, though it was archived.
    pub fn gone(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|d| d.is == Differs::Gone)
    }

    /// Months without a folder, for the tests of what shows them.
    #[cfg(test)]
    pub(crate) fn sample(months: Vec<Month>) -> Self {
        Self {
            months,
            problems: Vec::new(),
            memory: PathBuf::new(),
            moved: Arc::default(),
            differences: Arc::default(),
        }
    }

    /// The pieces of a month, in the order in which they were moved there. Bytes that are no UTF-8
    /// are replaced.
    ///
    /// # Errors
    /// When the file cannot be read, is no plain file, or holds more than [`ARCHIVE_LIMIT`] bytes.
    pub fn pieces(&self, redactor: &Redactor, month: &Month) -> Result<Vec<Piece>, BrowseError> {
        let text = self.text(month)?;
        let found = self.found(&text);
        Ok(found
            .iter()
            .map(|f| Piece {
                differs: self.differs(&month.path, text.get(f.text.clone())),
                ..self.piece(redactor, &text, f)
            })
            .collect())
    }

    /// One piece as it stands, to be brought back: its text is not fit to be shown.
    ///
    /// # Errors
    /// As [`Archive::pieces`].
    pub fn exact(&self, month: &Month, n: usize) -> Result<Option<ArchivePiece>, BrowseError> {
        let text = self.text(month)?;
        let found = self.found(&text);
        Ok(found.get(n).and_then(|f| {
            Some(ArchivePiece {
                file: f.file?,
                section: f.section.to_owned(),
                text: text.get(f.text.clone())?.to_owned(),
                reason: f.reason.to_owned(),
            })
        }))
    }

    pub(super) fn text(&self, month: &Month) -> Result<String, BrowseError> {
        let dir = self.memory.join("archive");
        let gone = || FsError::io("open", &dir)(std::io::ErrorKind::NotFound.into());
        let folder = Folder::open(&dir)?.ok_or_else(gone)?;
        let bytes = folder.read(&format!("{}.md", month.name), ARCHIVE_LIMIT)?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
        })
    }

    pub(super) fn found<'t>(&self, text: &'t str) -> Vec<Found<'t>> {
        pieces::find(text, &|heading, rest| {
            self.moved.begins(heading, rest).map(|m| m.text.len())
        })
    }

    pub(super) fn piece(&self, redactor: &Redactor, whole: &str, found: &Found<'_>) -> Piece {
        let exact = whole.get(found.text.clone()).unwrap_or_default();
        let mover = self.moved.begins(found.heading, exact);
        let mover = mover.filter(|m| m.text == exact);
        let text = redactor.shown(exact);
        Piece {
            file: found.file,
            section: redactor.shown(found.section),
            title: title(&text),
            text,
            reason: redactor.shown(found.reason),
            moved: found.moved,
            entry: mover.map(|m| m.entry.clone()),
            proposal: mover.and_then(|m| m.proposal.clone()),
            differs: None,
        }
    }

    /// How a text that stands in a file differs from what memd put there.
    fn differs(&self, path: &str, text: Option<&str>) -> Option<Differs> {
        if self.differences.is_empty() {
            return None;
        }
        let hash = TextHash::of(text?);
        let is_it = |d: &&Difference| d.line.is_some() && d.path == path && d.hash == hash;
        self.differences.iter().find(is_it).map(|d| d.is)
    }
}

/// Whether a record says that the entry's text went to the archive: what is taken back stays in
/// mistakes.md, which only grows.
fn is_kept(record: &Record) -> bool {
    match record.state {
        RecordState::Archived => true,
        RecordState::Tombstoned => record.file != MemoryFile::Mistakes,
        RecordState::Live => false,
    }
}

/// The heading that a record's text has there.
fn heading_of(record: &Record) -> String {
    pieces::heading(record.file, &visible_line(&record.section))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

impl Moved {
    fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Self {
        let mut moved = Self::default();
        for record in records.filter(|r| is_kept(r)) {
            let under = moved.by_heading.entry(heading_of(record)).or_default();
            let first = first_line(&record.text).to_owned();
            under.entry(first).or_default().push(Mover {
                text: record.text.clone(),
                entry: record.entry.clone(),
                proposal: record.proposal.clone(),
            });
        }
        for movers in moved.by_heading.values_mut().flat_map(HashMap::values_mut) {
            // The longest first; of equal ones the newest.
            movers.reverse();
            movers.sort_by_key(|m| std::cmp::Reverse(m.text.len()));
        }
        moved
    }

    /// What was moved under this heading and stands at the beginning of this text.
    fn begins(&self, heading: &str, text: &str) -> Option<&Mover> {
        let movers = self.by_heading.get(heading)?.get(first_line(text))?;
        movers.iter().find(|m| {
            text.strip_prefix(m.text.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
        })
    }
}

/// The archive's files, newest first, and what cannot be listed.
fn months(memory: &Path) -> Result<(Vec<Month>, Vec<String>), FsError> {
    let dir = memory.join("archive");
    let (mut months, mut problems) = (Vec::new(), Vec::new());
    if !fs::is_own_folder(&dir)? {
        return Ok((months, problems));
    }
    for item in std::fs::read_dir(&dir).map_err(FsError::io("list", &dir))? {
        let item = item.map_err(FsError::io("list", &dir))?;
        let name = item.file_name();
        let Some(stem) = name.to_str().and_then(|n| n.strip_suffix(".md")) else {
            continue;
        };
        if stem.starts_with('.') {
            continue;
        }
        match std::fs::symlink_metadata(item.path()) {
            Ok(meta) if meta.is_file() => months.push(Month {
                name: stem.to_owned(),
                path: format!("archive/{stem}.md"),
                bytes: meta.len(),
            }),
            Ok(_) => problems.push(format!("{:?} is no plain file", item.path())),
            Err(e) => problems.push(FsError::io("read", &item.path())(e).to_string()),
        }
    }
    months.sort_by(|a, b| b.name.cmp(&a.name));
    if months.len() > MONTHS {
        let more = months.len() - MONTHS;
        problems.push(format!("{more} older months are not listed"));
        months.truncate(MONTHS);
    }
    problems.sort();
    Ok((months, problems))
}
