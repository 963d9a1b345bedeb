//! The hands of the other views: reads memory, archive, log and sessions, and stages a person's own
//! acts.

mod words;

use super::hands::{Hands, now, said};
use crate::apply::{self, ApplyError, Ground, Staged};
use crate::browse::{
    self, Archive, Basis, Event, Excerpt, Glass, Logs, Month, Of, Search, Sight, history,
};
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::lock::ProjectLock;
use crate::review::Item;
use crate::review::desk::Desk;
use crate::source::Place;
use crate::store::Project;
use crate::tui::msg::Msg;
use crate::tui::shelf::{Found, FoundIn, Heard, Last, Named, Reverse, Roots, Side, Wish};
use std::collections::{BTreeMap, VecDeque};

/// Events that are read at once.
const EVENTS: usize = 60;
/// Bytes of an archive that are searched at once.
const STEP: usize = 256 * 1024;

/// What is read on from where it was left.
#[derive(Default)]
pub(super) struct Library {
    archives: BTreeMap<ProjectId, Archive>,
    logs: Logs,
    search: Option<Searching>,
}

/// A search that goes on.
struct Searching {
    query: String,
    /// Projects that were not begun.
    left: VecDeque<ProjectId>,
    searches: Vec<(ProjectId, Archive, Search)>,
}

impl Hands<'_> {
    fn sight(&self) -> Sight<'_> {
        Sight {
            store: self.store,
            trust: self.trust,
            redactor: &self.redactor,
            now: now(),
        }
    }

    /// Answers what a view asks.
    pub(super) fn answer(&mut self, wish: &Wish) -> Option<Msg> {
        let heard = match wish {
            Wish::Revive => return Some(self.revive()),
            Wish::Projects => Heard::Projects(self.projects()),
            Wish::Memory(id) => Heard::Memory(id.clone(), self.memory(id)),
            Wish::Roots(project, entry) => {
                Heard::Roots(entry.clone(), Box::new(self.roots(project, entry)))
            }
            Wish::Archive(id) => Heard::Archive(id.clone(), self.archive(id)),
            Wish::Pieces(id, month) => {
                Heard::Pieces(id.clone(), month.name.clone(), self.pieces(id, month))
            }
            Wish::Find(projects, query) => {
                self.library.search = (!query.is_empty()).then(|| Searching {
                    query: query.clone(),
                    left: projects.clone().into(),
                    searches: Vec::new(),
                });
                Heard::Found(Box::new(self.find_on()))
            }
            Wish::FindOn => Heard::Found(Box::new(self.find_on())),
            Wish::Events(scope, more) => self.events(scope.as_ref(), *more),
            Wish::Details(event) => Heard::Details(event.clone(), self.details(event)),
            Wish::Transcript(id, n) => Heard::Transcript(id.clone(), self.transcript(id, *n)),
            Wish::ReadOn(id, excerpt, side) => self.read_on(id, excerpt, *side),
            Wish::Allowed => {
                let (allowed, also) = self.secrets_said();
                Heard::Allowed(allowed, also)
            }
            Wish::Last => Heard::Last(Box::new(self.last_event())),
            Wish::Confirm(project, entry) => written(self.confirm(project, entry)),
            Wish::Own(project, wish) => self.staged(project, wish.clone()),
            Wish::EntryText(project, entry) => {
                let text = self.standing_text(project, entry);
                let text = text.map(|text| self.redactor.shown(&text));
                Heard::EntryText(project.clone(), entry.clone(), text)
            }
            Wish::BringBack(project, month, n, shown) => {
                match self.piece(project, month, *n, shown) {
                    Ok(wish) => self.staged(project, wish),
                    Err(why) => Heard::NotWritten(why),
                }
            }
            Wish::Reverse(project, id) => {
                let reverse = self.reverse(project, id);
                let queue = |r| Ok((Box::new(r), self.queue()?));
                Heard::Reverse(reverse.and_then(queue))
            }
            Wish::DropReverse(id) => Heard::Dropped(id.clone(), self.give_back(id, "")),
            // The engine does it, with the journal, the plan and the apply of any proposal.
            Wish::ApplyReverse(_) => return None,
            Wish::HiddenAt(id, place, mark) => {
                Heard::HiddenAt(id.clone(), self.hidden_at(id, place, mark), mark.clone())
            }
            Wish::NotSecret(hidden) => written(self.not_secret(hidden)),
            Wish::NoLongerSecret(print) => written(self.no_longer_secret(print)),
            Wish::AlsoSecret(text) => self.hidden(text.text()),
        };
        Some(Msg::Shelf(heard))
    }

    fn project_of(&self, id: &ProjectId) -> Result<Project, String> {
        self.store.project(id).map_err(said)
    }

    fn projects(&self) -> Result<(Vec<Named>, Option<ProjectId>), String> {
        let all = self.store.projects().map_err(said)?.into_iter();
        let named = |p: Project| Named {
            id: p.id,
            name: p.name,
        };
        Ok((all.map(named).collect(), self.project.clone()))
    }

    fn memory(&self, id: &ProjectId) -> Result<browse::MemoryView, String> {
        let project = self.project_of(id)?;
        let budgets = &self.context.config.settings.limits.budgets;
        browse::memory(self.sight(), &project, budgets).map_err(said)
    }

    /// The versions of an entry, and the newest distill among what made them.
    fn roots(&self, project: &ProjectId, entry: &EntryId) -> Roots {
        let mut roots = Roots::default();
        let read = self
            .project_of(project)
            .and_then(|p| history(self.sight(), &p, entry).map_err(said));
        match read {
            Ok(versions) => roots.versions = versions,
            Err(why) => roots.problem = Some(why),
        }
        for version in &roots.versions {
            let Some(id) = &version.proposal else {
                continue;
            };
            match browse::basis(self.sight(), id, Of::Entry(entry)) {
                Ok(basis) if has_lines(&basis) => {
                    (roots.basis, roots.version) = (Some(basis), version.version);
                    break;
                }
                Ok(_) => {}
                Err(error) => roots.problem = Some(said(error)),
            }
        }
        roots
    }

    fn archive(&mut self, id: &ProjectId) -> Result<Archive, String> {
        let project = self.project_of(id)?;
        let archive = browse::archive(self.sight(), &project).map_err(said)?;
        self.library.archives.insert(id.clone(), archive.clone());
        Ok(archive)
    }

    fn known_archive(&mut self, id: &ProjectId) -> Result<Archive, String> {
        match self.library.archives.get(id) {
            Some(archive) => Ok(archive.clone()),
            None => self.archive(id),
        }
    }

    fn pieces(&mut self, id: &ProjectId, month: &Month) -> Result<Vec<browse::Piece>, String> {
        let archive = self.known_archive(id)?;
        archive.pieces(&self.redactor, month).map_err(said)
    }

    /// A piece of the archive as it stands there, if it is still what was shown.
    fn piece(
        &mut self,
        id: &ProjectId,
        month: &Month,
        n: usize,
        shown: &str,
    ) -> Result<apply::Wish, String> {
        let archive = self.known_archive(id)?;
        let piece = archive.exact(month, n).map_err(said)?;
        let piece = piece.filter(|p| self.redactor.shown(&p.text) == shown);
        let piece = piece.ok_or("the archive was changed meanwhile; look at it again")?;
        Ok(apply::Wish::BringBack {
            file: piece.file,
            section: piece.section,
            text: piece.text,
        })
    }

    /// Searches on for a while; gives all hits so far.
    fn find_on(&mut self) -> Found {
        let Some(mut searching) = self.library.search.take() else {
            return Found {
                is_done: true,
                ..Found::default()
            };
        };
        let is_open = searching
            .searches
            .last()
            .is_some_and(|(.., s)| !s.is_done());
        if !is_open
            && let Some(next) = searching.left.pop_front()
            && let Ok(archive) = self.known_archive(&next)
        {
            let search = Search::new(&searching.query);
            searching.searches.push((next, archive, search));
        }
        if let Some((_, archive, search)) = searching.searches.last_mut() {
            search.step(archive, &self.redactor, STEP);
        }
        let done = |(.., s): &(ProjectId, Archive, Search)| s.is_done();
        let found = Found {
            query: searching.query.clone(),
            is_done: searching.left.is_empty() && searching.searches.iter().all(done),
            projects: searching.searches.iter().map(found_in).collect(),
        };
        self.library.search = Some(searching).filter(|_| !found.is_done);
        found
    }

    fn events(&mut self, scope: Option<&ProjectId>, more: bool) -> Heard {
        let read = self.read_events(scope, more);
        let (events, is_end, problem) = match read {
            Ok(events) => {
                let is_end = events.len() < EVENTS;
                let problem = self.library.logs.problems().next();
                (events, is_end, problem.map(str::to_owned))
            }
            Err(why) => (Vec::new(), true, Some(why)),
        };
        Heard::Events {
            scope: scope.cloned(),
            more,
            events,
            is_end,
            problem,
        }
    }

    fn read_events(&mut self, scope: Option<&ProjectId>, more: bool) -> Result<Vec<Event>, String> {
        if !more {
            let projects = match scope {
                Some(id) => vec![self.project_of(id)?],
                None => self.store.projects().map_err(said)?,
            };
            self.library.logs = Logs::new(&projects);
        }
        let mut logs = std::mem::take(&mut self.library.logs);
        let events = logs.more(self.sight(), EVENTS).map_err(said);
        self.library.logs = logs;
        let mut events = events?;
        for event in &mut events {
            // A commit that no act made: counted from its files.
            if event.chars.is_none()
                && event.proposal.is_none()
                && let Ok(project) = self.store.project(&event.project)
            {
                event.chars = browse::measure(self.sight(), &project, event).ok();
            }
        }
        Ok(events)
    }

    fn details(&self, event: &Event) -> Result<Box<browse::Details>, String> {
        let project = self.project_of(&event.project)?;
        let details = browse::details(self.sight(), &project, event);
        details.map(Box::new).map_err(said)
    }

    fn last_event(&self) -> Last {
        let projects = self.store.projects().unwrap_or_default();
        let mut last: Option<(Event, String)> = None;
        // One row of each; a home with very many projects says nothing of the last one.
        for project in projects.iter().take(LOOKED_AT) {
            let newest = browse::log(self.sight(), project, 1).map(|(events, _)| events);
            if let Some(event) = newest.unwrap_or_default().pop()
                && last.as_ref().is_none_or(|(l, _)| l.at < event.at)
            {
                last = Some((event, project.name.clone()));
            }
        }
        Last {
            event: last,
            projects: projects.len(),
        }
    }

    fn transcript(&self, id: &ProposalId, n: u32) -> Result<Box<Excerpt>, String> {
        let proposal = self.store.proposal(self.trust, id).map_err(said)?;
        let found = browse::transcript(self.glass(&proposal), n);
        found
            .map(Box::new)
            .ok_or_else(|| format!("proposal {id} holds no line {n}"))
    }

    fn glass<'g>(&'g self, proposal: &'g crate::proposal::Proposal) -> Glass<'g> {
        Glass {
            redactor: &self.redactor,
            at: self.context.whereabouts(),
            proposal,
        }
    }

    fn read_on(&self, id: &ProposalId, excerpt: &Excerpt, side: Side) -> Heard {
        let mut excerpt = Box::new(excerpt.clone());
        match self.store.proposal(self.trust, id) {
            Ok(proposal) => {
                let glass = self.glass(&proposal);
                let came = match side {
                    Side::Before => excerpt.more_before(glass),
                    Side::After => excerpt.more_after(glass),
                };
                Heard::ReadOn(id.clone(), excerpt, side, came)
            }
            Err(error) => Heard::NotWritten(said(error)),
        }
    }

    /// Does something with a project's memory that no other memd does at the same time.
    fn held<T>(
        &self,
        id: &ProjectId,
        act: impl FnOnce(Ground<'_>, &ProjectLock) -> Result<T, ApplyError>,
    ) -> Result<T, String> {
        let project = self.project_of(id)?;
        let lock = self.lock(&project).map_err(said)?;
        act(self.ground(&project.memory()), &lock).map_err(said)
    }

    fn confirm(&mut self, project: &ProjectId, entry: &EntryId) -> Result<String, String> {
        let done = self.held(project, |ground, lock| apply::confirm(ground, lock, entry))?;
        // It may stand in an offer of what nobody reviewed: then the queue is read again.
        if self.renew_offers_of(project) {
            self.looked.0 = None;
        }
        let title = crate::memory::title(&done.record.text);
        let times = crate::text::count(done.record.confirmations as usize, "time", "times");
        Ok(format!("confirmed, {times} by now: {title}"))
    }

    fn staged(&mut self, project: &ProjectId, wish: apply::Wish) -> Heard {
        let limits = &self.context.config.settings.limits;
        let staged = self.held(project, |ground, lock| {
            apply::own(ground, lock, wish, limits, &|text| {
                self.redactor.check(text)
            })
        });
        let heard = staged.and_then(|staged| {
            let Some(id) = staged.id.clone() else {
                return Err(left_out(&staged));
            };
            let said = match staged.waited {
                true => "just this waits already: decide on it here, w applies it".to_owned(),
                false => "staged as your own change: decide on it here, w applies it".to_owned(),
            };
            let queue = self.queue()?;
            Ok(Heard::Staged { queue, id, said })
        });
        heard.unwrap_or_else(Heard::NotWritten)
    }

    /// An entry as it stands, if it does as it was let in.
    pub(super) fn standing_text(
        &self,
        project: &ProjectId,
        entry: &EntryId,
    ) -> Result<String, String> {
        let project = self.project_of(project)?;
        let stands = browse::text_of(self.sight(), &project, entry).map_err(said)?;
        let gone = "it no longer stands as it was let in; look at it again";
        stands.ok_or_else(|| gone.to_owned())
    }

    fn reverse(&mut self, project: &ProjectId, id: &ProposalId) -> Result<Reverse, String> {
        let limits = &self.context.config.settings.limits;
        let staged = self.held(project, |ground, lock| {
            apply::reverse(ground, lock, id, limits, &|text| self.redactor.check(text))
        })?;
        let Some(reverse) = staged.id.clone() else {
            return Err(format!(
                "nothing of {id} is left to take back: {}",
                left_out(&staged)
            ));
        };
        let mut item = self.open(&reverse)?;
        item.judged = self.judge(&item)?;
        accept_clean(&mut item);
        item.judged = self.judge(&item)?;
        let events = browse::events_of(self.sight(), id).map_err(said)?;
        Ok(Reverse {
            of: id.clone(),
            applied_in: events.iter().find_map(|event| event.parts),
            item,
            dropped: staged.dropped,
            waited: staged.waited,
        })
    }

    fn hidden_at(
        &self,
        id: &ProposalId,
        place: &Place,
        mark: &str,
    ) -> Result<Box<Excerpt>, String> {
        let proposal = self.store.proposal(self.trust, id).map_err(said)?;
        browse::hidden_at(self.glass(&proposal), place, mark).map(Box::new)
    }
}

/// Projects whose log is asked for the last event.
const LOOKED_AT: usize = 24;

/// What is flagged is decided one by one, in a reverse as anywhere.
fn accept_clean(item: &mut Item) {
    for n in item.clean() {
        item.decisions
            .insert(n, crate::proposal::Decision::Accepted);
    }
}

fn has_lines(basis: &Basis) -> bool {
    let changes = &basis.item.proposal.changes;
    changes
        .iter()
        .any(|c| c.n == basis.n && !c.evidence.is_empty())
}

fn found_in((project, archive, search): &(ProjectId, Archive, Search)) -> FoundIn {
    FoundIn {
        project: project.clone(),
        months: archive.months.clone(),
        hits: search.hits().to_vec(),
        is_full: search.is_full(),
        problems: search.problems().to_vec(),
    }
}

fn left_out(staged: &Staged) -> String {
    let why = |d: &crate::proposal::Dropped| format!("{}: {}", d.what, d.why);
    let all: Vec<String> = staged.dropped.iter().map(why).collect();
    match all.is_empty() {
        true => "it would change nothing".to_owned(),
        false => all.join("; "),
    }
}

fn written(done: Result<String, String>) -> Heard {
    match done {
        Ok(said) => Heard::Written(said),
        Err(why) => Heard::NotWritten(why),
    }
}
