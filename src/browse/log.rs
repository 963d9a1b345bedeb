//! What happened to a memory, newest first: acts from the audit chain, and the commits that no act
//! made.
//!
//! Two lists, each in its own order, are laid together. A commit that an act made ties them at that
//! place; between two such places, and before the first, the times decide. So a commit with a made-up
//! date stands where the history has it. Holds a few hundred commits and acts, never all.

use super::acts::{act, made_by};
use super::details::bare;
use super::event::{ACTS, Event};
use super::{BrowseError, Sight};
use crate::git::{Commit, GitError, Repo};
use crate::id::EntryId;
use crate::memory::title;
use crate::store::Project;
use crate::trust::AuditRow;
use std::collections::VecDeque;

/// Commits that are looked at ahead, to find one that an act made.
const AHEAD: usize = 64;
/// Acts that are read at once.
const ACTS_AT_ONCE: usize = 64;
/// Commits that are looked at in all; a memory of decades has fewer.
const MOST_COMMITS: usize = 200_000;

/// Entries that an event names.
const NAMED: usize = 3;

/// A commit, and the act that made it.
struct Seen {
    commit: Commit,
    act: Option<u64>,
}

/// The log of one project, to be read on page by page.
pub struct Log {
    project: Project,
    commits: VecDeque<Seen>,
    /// The last commit when reading began, and how many from it back were read.
    head: Option<String>,
    skip: usize,
    acts: VecDeque<AuditRow>,
    before: Option<u64>,
    acts_left: bool,
    problem: Option<String>,
    /// What is about every project is told here too.
    is_wide: bool,
}

/// The newest events of a project, at most `max`, and why some may be missing.
///
/// # Errors
/// When the database cannot be read.
pub fn log(
    sight: Sight<'_>,
    project: &Project,
    max: usize,
) -> Result<(Vec<Event>, Option<String>), BrowseError> {
    let mut log = Log::new(project);
    let events = log.more(sight, max)?;
    Ok((events, log.problem))
}

/// The logs of several projects as one, to be read on page by page.
#[derive(Default)]
pub struct Logs {
    logs: Vec<(Log, Option<Event>)>,
    is_begun: bool,
}

impl Logs {
    /// From the newest event on.
    #[must_use]
    pub fn new<'a>(projects: impl IntoIterator<Item = &'a Project>) -> Self {
        let logs = projects.into_iter().enumerate().map(|(n, project)| {
            let mut log = Log::new(project);
            // Among several it is told once.
            log.is_wide = n == 0;
            (log, None)
        });
        Self {
            logs: logs.collect(),
            is_begun: false,
        }
    }

    /// The next events by their time, at most `max`; fewer only at the end. Those of one project are
    /// in its own order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn more(&mut self, sight: Sight<'_>, max: usize) -> Result<Vec<Event>, BrowseError> {
        if !std::mem::replace(&mut self.is_begun, true) {
            for (log, next) in &mut self.logs {
                *next = log.more(sight, 1)?.pop();
            }
        }
        let mut events = Vec::new();
        while events.len() < max {
            let at = |(_, next): &&mut (Log, Option<Event>)| next.as_ref().map(|e| e.at);
            let newest = self.logs.iter_mut().max_by_key(at);
            let Some((log, next)) = newest.filter(|(_, next)| next.is_some()) else {
                break;
            };
            events.extend(next.take());
            *next = log.more(sight, 1)?.pop();
        }
        Ok(events)
    }

    /// Why commits are missing from it.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.logs.iter().filter_map(|(log, _)| log.problem())
    }
}

impl Log {
    /// From the newest event on.
    #[must_use]
    pub fn new(project: &Project) -> Self {
        let mut log = Self {
            project: project.clone(),
            commits: VecDeque::new(),
            head: None,
            skip: 0,
            acts: VecDeque::new(),
            before: None,
            acts_left: true,
            problem: None,
            is_wide: true,
        };
        match Repo::open(&project.memory()).and_then(|repo| repo.last_commit()) {
            Ok(head) => log.head = head,
            Err(GitError::Missing { .. }) => {}
            Err(error) => log.problem = Some(error.to_string()),
        }
        log
    }

    /// Why commits are missing from it: a history that cannot be read.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The next events, at most `max`; fewer only at the end.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn more(&mut self, sight: Sight<'_>, max: usize) -> Result<Vec<Event>, BrowseError> {
        let mut events = Vec::new();
        while events.len() < max {
            self.fill(sight)?;
            let Some(next) = self.next() else { break };
            match next {
                Next::Act(row, commit) => {
                    let here = Some(&self.project.id);
                    events.extend(act(sight, here, &row, commit.as_ref()));
                }
                Next::Commit(commit) => events.push(bare(sight, &self.project, &commit)),
                Next::Passed => {}
            }
        }
        self.name_entries(sight, &mut events);
        Ok(events)
    }

    /// Says which entries an event is about, where it is about entries alone.
    fn name_entries(&self, sight: Sight<'_>, events: &mut [Event]) {
        let mut bare = events
            .iter_mut()
            .filter(|e| !e.entries.is_empty())
            .peekable();
        if bare.peek().is_none() {
            return;
        }
        // Records that do not verify name nothing.
        let records = sight.store.records(sight.trust, &self.project.id);
        let records = records.unwrap_or_default();
        for event in bare {
            let of = |id: &EntryId| records.iter().find(|r| r.entry == *id);
            let titles: Vec<String> = event
                .entries
                .iter()
                .filter_map(of)
                .take(NAMED)
                .map(|r| title(&sight.redactor.shown(&r.text)))
                .collect();
            let more = event.entries.len().saturating_sub(NAMED);
            event.summary = match more {
                0 => titles.join("; "),
                more => format!("{}; and {more} more", titles.join("; ")),
            };
        }
    }

    fn fill(&mut self, sight: Sight<'_>) -> Result<(), BrowseError> {
        if self.acts.is_empty() && self.acts_left {
            let id = &self.project.id;
            let rows = sight
                .store
                .acts(id, self.is_wide, &ACTS, self.before, ACTS_AT_ONCE)?;
            self.acts_left = rows.len() == ACTS_AT_ONCE;
            self.before = rows.last().map(|r| r.seq).or(self.before);
            self.acts.extend(rows);
        }
        if self.commits.len() < AHEAD / 2
            && let Some(head) = self.head.clone()
        {
            match self.read_commits(sight, &head) {
                Ok(n) if n == AHEAD && self.skip < MOST_COMMITS => {}
                Ok(_) => self.head = None,
                Err(BrowseError::Git(error)) => {
                    self.problem = Some(error.to_string());
                    self.head = None;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn read_commits(&mut self, sight: Sight<'_>, head: &str) -> Result<usize, BrowseError> {
        let repo = Repo::open(&self.project.memory())?;
        let commits = repo.page(head, self.skip, AHEAD)?;
        let n = commits.len();
        self.skip += n;
        for commit in commits {
            let act = made_by(sight, &self.project, &commit)?.map(|row| row.seq);
            self.commits.push_back(Seen { commit, act });
        }
        Ok(n)
    }

    /// Takes what comes next off one of the lists, or off both.
    fn next(&mut self) -> Option<Next> {
        let act = self.acts.front().map(|row| (row.seq, row.time()));
        let Some(seen) = self.commits.front() else {
            return self.acts.pop_front().map(|row| Next::Act(row, None));
        };
        let takes_act = match (act, seen.act) {
            (None, _) => false,
            (Some((seq, _)), Some(made)) => seq >= made,
            (Some((seq, at)), None) => {
                let tie = self.commits.iter().find_map(|s| s.act);
                let is_after_tie = tie.is_none_or(|tie| seq > tie);
                is_after_tie && at.is_some_and(|at| at >= seen.commit.at)
            }
        };
        let is_tied = act.is_some_and(|(seq, _)| seen.act == Some(seq));
        if !takes_act {
            let seen = self.commits.pop_front()?;
            // Its act was told already, or is no event.
            return Some(match seen.act {
                Some(_) => Next::Passed,
                None => Next::Commit(seen.commit),
            });
        }
        let row = self.acts.pop_front()?;
        let commit = match is_tied {
            true => self.commits.pop_front().map(|s| s.commit),
            false => None,
        };
        Some(Next::Act(row, commit))
    }
}

/// What comes next.
enum Next {
    Act(AuditRow, Option<Commit>),
    Commit(Commit),
    Passed,
}
