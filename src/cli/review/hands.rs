//! The hands of a review that do: journal, guardrails, editor, apply.

mod desk;

use super::library::Library;
use super::{queue, start};
use crate::apply::{self, ApplyError, Ground, Inputs, Plan, adopt};
use crate::cli::editor::EditError;
use crate::cli::look::Look;
use crate::cli::{Context, editor};
use crate::guard;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::lock::{LockError, ProjectLock};
use crate::memory::{Memory, MemoryFile};
use crate::proposal::{Chosen, Decision, KnownEntry, Rebased, State, Tombstone};
use crate::redact::Redactor;
use crate::review::desk::{Desk, kept};
use crate::review::{ChangeRef, Item, Judged, Sheet, Standing};
use crate::store::{Journal, Project, Seq, Shown, Store};
use crate::text::TextHash;
use crate::trust::Trust;
use crate::tui;
use crate::tui::hands::Seen;
use crate::tui::msg::Msg;
use crate::tui::shelf::Wish;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// What a review works on.
pub(super) struct Hands<'a> {
    pub(super) context: &'a Context,
    pub(super) store: &'a Store,
    pub(super) trust: &'a Trust,
    pub(super) redactor: Redactor,
    /// The only project that is reviewed; none: all.
    pub(super) project: Option<ProjectId>,
    /// How long an apply waits for another memd.
    patience: Duration,
    /// What was shown of each proposal that was opened.
    pub(super) last: BTreeMap<ProposalId, Shown>,
    /// What counted as a secret when the redactor was made.
    pub(super) words: Option<TextHash>,
    /// How memory stood when a proposal was judged last, and what came of it.
    pub(super) judged: BTreeMap<ProposalId, (Vec<Stamp>, Judged)>,
    /// What was shown to stand where a change goes that was made for another text.
    pub(super) stood: BTreeMap<ChangeRef, TextHash>,
    /// What the sheet on screen shows.
    planned: Option<(Plan, Shown)>,
    /// The project whose proposal was opened last.
    near: Option<Project>,
    /// How the database and that project's memory looked last.
    pub(super) looked: (Option<u64>, Vec<Stamp>),
    /// Texts that were typed and could not be written anywhere.
    unkept: Vec<String>,
    /// What the other views read on.
    pub(super) library: Library,
}

/// Why nothing is planned of what was shown otherwise.
const NOT_AS_SHOWN: &str = "its text or evidence, or what counts as a secret, was changed since it was shown; read it again and decide afresh";

/// What changes when a file does: time of the last change, size, inode.
pub(super) type Stamp = Option<(i64, i64, u64, u64)>;

/// A project as it is at one moment.
struct Scene {
    project: Project,
    look: Look,
    entries: Vec<KnownEntry>,
    tombstones: Vec<Tombstone>,
}

/// How the four files of a project's memory stand.
pub(super) fn stamps(project: &Project) -> Vec<Stamp> {
    let memory = project.memory();
    let of = |file: MemoryFile| {
        let meta = std::fs::symlink_metadata(memory.join(file.name())).ok()?;
        Some((meta.mtime(), meta.mtime_nsec(), meta.len(), meta.ino()))
    };
    MemoryFile::ALL.into_iter().map(of).collect()
}

/// What became of a proposal that nothing is left to decide of.
fn decided(state: State, item: &Item) -> Option<&'static str> {
    match state {
        State::Discarded => Some("discarded"),
        State::Returned => Some("given back"),
        State::Applied if item.order.is_empty() => Some("applied"),
        _ => None,
    }
}

/// A screen may stay open for days: what is done in it is dated when it is done.
pub(super) fn now() -> Timestamp {
    Timestamp::now()
}

pub(super) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl<'a> Hands<'a> {
    /// For the queue of one project, or of all. An apply waits `patience` for another memd.
    pub fn new(
        context: &'a Context,
        store: &'a Store,
        trust: &'a Trust,
        project: Option<ProjectId>,
        patience: Duration,
    ) -> Self {
        Self {
            context,
            store,
            trust,
            project,
            patience,
            words: store.words_said().ok(),
            redactor: context.redactor_with(store, trust),
            last: BTreeMap::new(),
            judged: BTreeMap::new(),
            stood: BTreeMap::new(),
            planned: None,
            near: None,
            looked: (store.version().ok(), Vec::new()),
            unkept: Vec::new(),
            library: Library::default(),
        }
    }

    fn stamps(&self) -> Vec<Stamp> {
        let near = self.near.as_ref();
        near.map_or_else(Vec::new, stamps)
    }

    fn scene(&self, item: &Item) -> Result<Scene, String> {
        let project = self.store.project(&item.proposal.project).map_err(said)?;
        let look = Look::at_all(self.store, &project, now()).map_err(said)?;
        let entries = look.matched.known();
        let tombstones = self.store.tombstones(&project.id).map_err(said)?;
        Ok(Scene {
            project,
            look,
            entries,
            tombstones,
        })
    }

    /// What was shown: a decision on anything later is refused.
    fn seen(&self, id: &ProposalId) -> Result<Shown, String> {
        let seen = self.last.get(id).cloned();
        seen.ok_or_else(|| "it was not shown yet; nothing was decided".to_owned())
    }

    fn stepped(&mut self, id: &ProposalId, last: Seq) {
        if let Some(shown) = self.last.get_mut(id) {
            shown.last = last;
        }
    }

    pub(super) fn lock(&self, project: &Project) -> Result<ProjectLock, LockError> {
        ProjectLock::take(&self.context.places.locks(), &project.id, self.patience)
    }

    pub(super) fn ground<'b>(&'b self, memory: &'b Path) -> Ground<'b> {
        Ground {
            store: self.store,
            trust: self.trust,
            memory,
            git_commit: self.context.config.settings.git_commit,
            redactor: &self.redactor,
            now: now(),
        }
    }

    /// Why an apply came to no end. One that has begun cannot be taken back any more.
    fn unfinished(&self, project: &Project, error: &ApplyError) -> String {
        match self.store.pending_apply(self.trust, &project.id) {
            Ok(None) => format!("nothing was applied: {error}"),
            _ => format!(
                "the apply has begun and is not finished: {error}. Mend that; the next `memd review` or `memd distill` finishes it"
            ),
        }
    }

    /// Puts what left the queue by its age back into it.
    pub(super) fn revive(&mut self) -> Msg {
        let only = self.project.as_ref().map(|id| self.store.project(id));
        let revived = match only.transpose() {
            Ok(only) => {
                start::revive(self.context, self.store, self.trust, only.as_ref()).map_err(said)
            }
            Err(error) => Err(said(error)),
        };
        let queue = revived.and_then(|()| self.queue());
        queue.map_or_else(Msg::Say, Msg::News)
    }

    fn verdicts(
        &self,
        item: &Item,
        shown: &Item,
        scene: &Scene,
        base: &Memory,
        numbers: &[u32],
    ) -> guard::Judgement {
        let chosen: Vec<Chosen<'_>> = numbers
            .iter()
            .filter_map(|&n| {
                item.change(n).map(|change| Chosen {
                    change,
                    text: shown.text(n),
                })
            })
            .collect();
        guard::judge(&guard::Context {
            kind: item.proposal.kind,
            memory: base,
            entries: &scene.look.matched.known_ever(),
            chosen: &chosen,
            lines: &item.proposal.lines,
            tombstones: &scene.tombstones,
            limits: &self.context.config.settings.limits,
            credentials: &|text| self.redactor.check(text),
        })
    }

    /// What stands on disk now is shown without its secrets: nobody has let it in.
    fn standing(&self, rebased: Rebased) -> Option<Standing> {
        match rebased {
            Rebased::Stands(_) => None,
            Rebased::Gone => Some(Standing::Gone),
            Rebased::Changed { now, .. } => Some(Standing::Changed {
                now: self.redactor.shown(&now),
            }),
            Rebased::AlreadyThere(_) => Some(Standing::AlreadyThere),
        }
    }

    fn plan_of(
        &self,
        item: &Item,
        scene: &Scene,
        journal: &Journal,
        despite: Option<&str>,
        now: Timestamp,
    ) -> Result<Plan, String> {
        let archive = apply::archive_of(&scene.project.memory(), now).map_err(said)?;
        apply::plan(&Inputs {
            proposal: &item.proposal,
            decisions: &item.decisions,
            over: &journal.over,
            settled: &journal.settled,
            memory: &scene.look.memory,
            archive: archive.as_deref(),
            matched: &scene.look.matched,
            entries: &scene.entries,
            tombstones: &scene.tombstones,
            limits: &self.context.config.settings.limits,
            credentials: &|text| self.redactor.check(text),
            despite,
            by: apply::By::Person,
            now,
        })
        .map_err(said)
    }

    /// The plan again with the reason to override; the bytes must be those that were shown.
    fn overridden(&self, item: &Item, shown: &Plan, why: &str) -> Result<Plan, String> {
        self.clean(why)?;
        let scene = self.scene(item)?;
        let journal = self
            .store
            .decisions(self.trust, &item.proposal.id)
            .map_err(said)?;
        let exact = self.exact(item, &scene)?;
        let plan = self.plan_of(&exact, &scene, &journal, Some(why), shown.at)?;
        if plan.files == shown.files {
            Ok(plan)
        } else {
            Err("memory was changed meanwhile; look at the sheet again".to_owned())
        }
    }
}

impl Hands<'_> {
    /// What a person typed: journal and audit chain keep it for good, so that no secret may get that
    /// far.
    fn clean(&self, text: &str) -> Result<(), String> {
        match self.redactor.check(text).first() {
            None => Ok(()),
            Some(hit) => Err(format!(
                "the text holds what looks like a credential ({}); it was not kept, nothing was changed",
                hit.rule
            )),
        }
    }

    /// What a person makes of a text in their editor; it begins with what they made of it before, if
    /// they did. What an editor leaves that did not end well is kept.
    fn typed(&mut self, stands: &str, begun: Option<&str>) -> Result<String, String> {
        let argv = editor::command(|name| std::env::var_os(name)).map_err(said)?;
        match editor::edit(&argv, &self.context.places.state, begun.unwrap_or(stands)) {
            // What was blocked may pass as it is: something else was decided since.
            Err(EditError::Unchanged) if begun.is_some() => Ok(begun.unwrap_or(stands).to_owned()),
            Err(EditError::Broke(why, text)) => kept(self, &why, text).and_then(Err),
            text => text.map_err(said),
        }
    }

    /// An item in the words that stand in memory, where its own are hidden. What is accepted of it is
    /// what was shown all the same.
    fn exact(&self, item: &Item, scene: &Scene) -> Result<Item, String> {
        let mut exact = queue::exact(self.store, self.trust, item).map_err(said)?;
        let (open, matched) = (&exact.order, &scene.look.matched);
        let (proposal, hidden) = adopt::exact(&exact.proposal, open, matched, &self.redactor);
        for n in hidden {
            if *item.decision(n) == Decision::Accepted {
                let shown = Decision::Edited(item.text(n).to_owned());
                exact.decisions.insert(n, shown);
            }
        }
        exact.proposal = proposal;
        Ok(exact)
    }

    /// The plan of an item's decisions over what was settled before, and its sheet.
    fn drawn_up(&self, item: &Item, journal: &Journal) -> Result<(Plan, Sheet), String> {
        let scene = self.scene(item)?;
        let exact = self.exact(item, &scene)?;
        let plan = self.plan_of(&exact, &scene, journal, None, now())?;
        let (memory, budgets) = (
            &scene.look.memory,
            &self.context.config.settings.limits.budgets,
        );
        let sheet = super::sheet::sheet(item, &exact, &plan, memory, budgets, &self.redactor);
        Ok((plan, sheet))
    }

    /// The sheet of decisions that are not in the journal; it can never be applied.
    pub fn preview(&self, item: &Item) -> Result<Sheet, String> {
        let id = &item.proposal.id;
        let journal = self.store.decisions(self.trust, id).map_err(said)?;
        self.drawn_up(item, &journal).map(|(_, sheet)| sheet)
    }
}

impl tui::Hands for Hands<'_> {
    fn watch(&mut self) -> Seen {
        let now = (self.store.version().ok(), self.stamps());
        let queue = now.0 != self.looked.0;
        let seen = Seen {
            queue,
            memory: now.1 != self.looked.1,
            turned: match queue {
                true => self.turned_elsewhere(),
                false => Vec::new(),
            },
        };
        self.looked = now;
        seen
    }

    fn check_text(&mut self, text: &str) -> Result<(), String> {
        self.heed_words();
        self.clean(text)
    }

    fn edit_entry(
        &mut self,
        project: &ProjectId,
        entry: &EntryId,
        begun: Option<&str>,
    ) -> Result<String, String> {
        let stands = self.standing_text(project, entry);
        match (stands, begun) {
            (Ok(stands), begun) => self.typed(&stands, begun),
            (Err(why), Some(begun)) => kept(self, &why, begun.to_owned()).and_then(Err),
            (Err(why), None) => Err(why),
        }
    }

    fn grant(&mut self, wish: &Wish) -> Option<Msg> {
        self.answer(wish)
    }
}
