//! What in the archive is not as memd wrote it.
//!
//! What memd put there is known from sealed records (entries that were archived or taken back) and
//! from sealed proposals (texts that were let go and had no record). What stood there before the
//! first commit that the audit chain saw made, and what a colleague's memd committed, is nobody's
//! here to prove. All else was changed, taken out or put there past memd.

use super::super::{BrowseError, Sight};
use super::{Archive, Month, heading_of};
use crate::apply;
use crate::git::{Commit, GitError, Repo};
use crate::id::EntryId;
use crate::memory::{MemoryFile, archive, title};
use crate::proposal::{Decision, Kind};
use crate::store::Project;
use crate::text::{TextHash, shared_words};
use crate::trust::{Record, RecordState};
use std::collections::{HashMap, HashSet};

/// Commits that are looked through for what a colleague's memd made.
const COMMITS: usize = 10_000;

/// One thing in the archive that is not as memd wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What became of it.
    pub is: Differs,
    /// The archive's file, such as `archive/2026-09.md`. Foreign text.
    pub path: String,
    /// The line at which it begins; none: it is not there any more.
    pub line: Option<usize>,
    /// Its first line without markup, without secrets.
    pub title: String,
    /// The entry it was, where that is known.
    pub entry: Option<EntryId>,
    /// The text that stands there, or stood there.
    pub hash: TextHash,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Differs {
    /// It reads otherwise than what was archived, or stands under another heading.
    Changed,
    /// It was archived, and is not there.
    Gone,
    /// Nothing that memd archived.
    Added,
    /// A person rejected it or took it back, and it was put there.
    Rejected,
}

impl Differs {
    /// For people, beside the text.
    #[must_use]
    pub fn said(self) -> &'static str {
        match self {
            Self::Changed => "changed outside memd since it was archived: memd verify",
            Self::Gone => "gone from the archive: memd verify",
            Self::Added => "memd did not put it there: memd verify",
            Self::Rejected => {
                "memd did not put it there, and a person rejected it or took it back: memd verify"
            }
        }
    }
}

/// All differences, and what could not be read.
#[derive(Debug, Clone, Default)]
pub struct Differences {
    /// By file, in its order; what is gone last.
    pub all: Vec<Difference>,
    /// Files that cannot be read, and why. Where there is one, nothing counts as gone.
    pub unread: Vec<String>,
}

/// A piece as it stands.
struct Standing {
    path: String,
    line: usize,
    file: Option<MemoryFile>,
    heading: String,
    text: String,
}

/// Compares the whole archive of a project with what memd put there.
///
/// # Errors
/// When the records are not those that were sealed, or the database cannot be read.
pub fn differences(sight: Sight<'_>, project: &Project) -> Result<Differences, BrowseError> {
    let records = sight.store.all_records(sight.trust, &project.id)?;
    let pending = sight.store.pending_apply(sight.trust, &project.id)?;
    let coming = pending.map_or_else(Vec::new, |intent| intent.records);
    let archive = Archive::of(project, records.iter().chain(&coming))?;
    let mut differences = Differences {
        unread: archive.problems.clone(),
        ..Differences::default()
    };
    let mut found = Vec::new();
    for month in archive.months.iter().rev() {
        match archive.text(month) {
            Ok(text) => found.extend(standing(&archive, month, &text)),
            Err(error) => differences.unread.push(format!("{}: {error}", month.path)),
        }
    }
    let kept = records.iter().filter(|r| super::is_kept(r));
    let (mut gone, mut left) = Ledger::of(kept.clone(), &coming).compare(found);
    if !differences.unread.is_empty() {
        gone.clear();
    }
    if gone.is_empty() && left.is_empty() {
        return Ok(differences);
    }
    let said = Said::read(sight, project)?;
    left.retain(|piece| !said.archived.contains(&even(&piece.text)));
    // What was archived can have read otherwise by then: its proposal has the text.
    gone.retain(|record| !said.stands_for(record));
    let before = match left.is_empty() {
        true => None,
        false => before(sight, project, &archive)?,
    };
    if let Some(before) = &before {
        left.retain(|piece| !before.contains(&(piece.heading.clone(), even(&piece.text))));
    }
    let taken_back = records
        .iter()
        .filter(|r| r.state == RecordState::Tombstoned);
    let telling = Telling {
        sight,
        said,
        taken_back: taken_back.map(|r| even(&r.text)).collect(),
    };
    let (changed, gone) = paired(gone, &mut left);
    // Without a commit that tells, what stood there before is not told from what was put there since.
    left.retain(|piece| before.is_some() || telling.is_rejected(piece));
    let changed = changed.into_iter().map(|(r, p)| telling.changed(r, p));
    let mut all: Vec<_> = changed.collect();
    all.extend(left.into_iter().map(|piece| telling.added(piece)));
    all.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    all.extend(gone.into_iter().map(|record| telling.gone(record)));
    differences.all = all;
    Ok(differences)
}

fn standing(archive: &Archive, month: &Month, text: &str) -> Vec<Standing> {
    let (mut at, mut line) = (0, 1);
    let mut all = Vec::new();
    for found in archive.found(text) {
        let start = found.text.start;
        line += text
            .get(at..start)
            .unwrap_or_default()
            .matches('\n')
            .count();
        at = start;
        all.push(Standing {
            path: month.path.clone(),
            line,
            file: found.file,
            heading: found.heading.to_owned(),
            text: text.get(found.text).unwrap_or_default().to_owned(),
        });
    }
    all
}

/// A text whatever ends its lines.
fn even(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// What records say stands in the archive.
struct Ledger<'r> {
    /// By heading and text: how often at most, and the newest record that says so.
    kept: HashMap<(String, String), (usize, Option<&'r Record>)>,
}

impl<'r> Ledger<'r> {
    fn of(kept: impl Iterator<Item = &'r Record>, coming: &'r [Record]) -> Self {
        let mut ledger = Self {
            kept: HashMap::new(),
        };
        for record in kept {
            let key = (heading_of(record), even(&record.text));
            let (times, newest) = ledger.kept.entry(key).or_default();
            *times += 1;
            *newest = Some(record);
        }
        // What an apply is about to seal may stand there already.
        for record in coming.iter().filter(|r| super::is_kept(r)) {
            let key = (heading_of(record), even(&record.text));
            ledger.kept.entry(key).or_default().0 += 1;
        }
        ledger
    }

    /// What is not there, and what is there and nothing says so.
    fn compare(mut self, found: Vec<Standing>) -> (Vec<&'r Record>, Vec<Standing>) {
        let mut left = Vec::new();
        for piece in found {
            let key = (piece.heading.clone(), even(&piece.text));
            match self.kept.get_mut(&key) {
                Some((times, record)) if *times > 0 => {
                    *times -= 1;
                    *record = None;
                }
                _ => left.push(piece),
            }
        }
        let mut gone: Vec<_> = self.kept.into_values().filter_map(|(_, r)| r).collect();
        gone.sort_by(|a, b| (a.at, &a.entry).cmp(&(b.at, &b.entry)));
        (gone, left)
    }
}

/// What sealed proposals say of texts.
#[derive(Default)]
struct Said {
    /// Let go, so that it went to the archive.
    archived: HashSet<String>,
    /// By the proposal that archived it.
    by_proposal: HashSet<String>,
    /// A person said no to it.
    rejected: HashSet<String>,
}

impl Said {
    fn read(sight: Sight<'_>, project: &Project) -> Result<Self, BrowseError> {
        let mut said = Self::default();
        for any in sight.store.all_proposals(&project.id)? {
            // One that does not verify says nothing.
            let Ok((proposal, journal)) = sight.decided(&any.id) else {
                continue;
            };
            for change in &proposal.changes {
                let decision = journal.settled_as.get(&change.n);
                let is_no = decision == Some(&Decision::Rejected);
                let went = match is_no {
                    true => proposal.kind == Kind::Unreviewed,
                    false => decision.is_some() && change.op.takes_away(),
                };
                if went {
                    said.archived.insert(even(change.said()));
                    said.by_proposal.insert(proposal.id.to_string());
                } else if is_no && !journal.discarded.contains(&change.n) {
                    said.rejected.insert(even(&change.text));
                }
            }
        }
        Ok(said)
    }

    /// Whether the text that went to the archive for a record is that of its proposal.
    fn stands_for(&self, record: &Record) -> bool {
        let by = record.proposal.as_ref();
        by.is_some_and(|id| self.by_proposal.contains(id.as_str()))
            && !self.archived.contains(&even(&record.text))
    }
}

/// Heading and text of all that stood there before memd wrote there, and of what others committed;
/// none where no commit is left that tells.
fn before(
    sight: Sight<'_>,
    project: &Project,
    archive: &Archive,
) -> Result<Option<HashSet<(String, String)>>, BrowseError> {
    let repo = match Repo::open(&project.memory()) {
        Ok(repo) => repo,
        Err(GitError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let commits = repo.log(COMMITS)?;
    let ours = sight.store.commits_seen(sight.trust, &project.id)?;
    let first = ours.iter().find(|id| commits.iter().any(|c| c.id == **id));
    let Some(first) = first else {
        return Ok(None);
    };
    let of_another = commits.iter().find(|c| is_of_another(c, sight));
    let mut all = HashSet::new();
    for id in [first].into_iter().chain(of_another.map(|c| &c.id)) {
        for text in repo.texts_at(id, "archive/")? {
            let pieces = archive.found(&text).into_iter();
            all.extend(pieces.map(|f| {
                let piece = text.get(f.text).unwrap_or_default();
                (f.heading.to_owned(), even(piece))
            }));
        }
    }
    Ok(Some(all))
}

fn is_of_another(commit: &Commit, sight: Sight<'_>) -> bool {
    apply::said_by(commit).is_of_another(sight.trust)
}

/// Pairs what is gone with what stands in its stead.
fn paired<'r>(
    gone: Vec<&'r Record>,
    left: &mut Vec<Standing>,
) -> (Vec<(&'r Record, Standing)>, Vec<&'r Record>) {
    let (mut pairs, mut alone) = (Vec::new(), Vec::new());
    for record in gone {
        let text = even(&record.text);
        let same = || left.iter().position(|p| even(&p.text) == text);
        let alike = || left.iter().position(|p| is_alike(p, record));
        match same().or_else(alike) {
            Some(at) => pairs.push((record, left.remove(at))),
            None => alone.push(record),
        }
    }
    (pairs, alone)
}

fn is_alike(piece: &Standing, record: &Record) -> bool {
    let is_there = piece.file.is_none_or(|file| file == record.file);
    is_there
        && (title(&piece.text) == title(&record.text)
            || shared_words(&record.text, &piece.text) >= 0.5)
}

/// What is to be named, by place.
struct Telling<'a> {
    sight: Sight<'a>,
    said: Said,
    /// Texts of entries that a person took back.
    taken_back: HashSet<String>,
}

impl Telling<'_> {
    fn title(&self, text: &str) -> String {
        title(&self.sight.redactor.shown(text))
    }

    fn changed(&self, record: &Record, piece: Standing) -> Difference {
        Difference {
            is: Differs::Changed,
            title: self.title(&record.text),
            entry: Some(record.entry.clone()),
            hash: TextHash::of(&piece.text),
            line: Some(piece.line),
            path: piece.path,
        }
    }

    fn gone(&self, record: &Record) -> Difference {
        Difference {
            is: Differs::Gone,
            path: format!("archive/{}", archive::file_name(record.at)),
            line: None,
            title: self.title(&record.text),
            entry: Some(record.entry.clone()),
            hash: record.hash(),
        }
    }

    fn is_rejected(&self, piece: &Standing) -> bool {
        let text = even(&piece.text);
        self.taken_back.contains(&text) || self.said.rejected.contains(&text)
    }

    fn added(&self, piece: Standing) -> Difference {
        Difference {
            is: match self.is_rejected(&piece) {
                true => Differs::Rejected,
                false => Differs::Added,
            },
            title: self.title(&piece.text),
            entry: None,
            hash: TextHash::of(&piece.text),
            line: Some(piece.line),
            path: piece.path,
        }
    }
}
