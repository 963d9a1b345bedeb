//! The hands of a review that do: journal, guardrails, editor, apply.

use super::library::Library;
use super::{queue, start, unattended};
use crate::apply::{self, ApplyError, Ground, Inputs, Plan, adopt};
use crate::cli::editor::EditError;
use crate::cli::look::Look;
use crate::cli::{Context, editor};
use crate::guard;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::lock::{LockError, ProjectLock};
use crate::memory::{Document, Memory, MemoryFile};
use crate::proposal::{Chosen, Decision, KnownEntry, Rebased, State, Tombstone, rebase};
use crate::redact::Redactor;
use crate::review::desk::{Decisions, Desk, Done, NotDone, kept};
use crate::review::{ChangeRef, Item, Judged, Sheet, Size, Standing, Waiting};
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
            entries: &scene.entries,
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
            Err(EditError::Broke(why, text)) => Err(kept(self, &why, text)),
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
        let plan = self.plan_of(&self.exact(item, &scene)?, &scene, journal, None, now())?;
        let budgets = &self.context.config.settings.limits.budgets;
        let sheet = super::sheet::sheet(item, &plan, &scene.look.memory, budgets, &self.redactor);
        Ok((plan, sheet))
    }

    /// The sheet of decisions that are not in the journal; it can never be applied.
    pub fn preview(&self, item: &Item) -> Result<Sheet, String> {
        let id = &item.proposal.id;
        let journal = self.store.decisions(self.trust, id).map_err(said)?;
        self.drawn_up(item, &journal).map(|(_, sheet)| sheet)
    }
}

impl Desk for Hands<'_> {
    fn queue(&mut self) -> Result<Vec<Waiting>, String> {
        queue::waiting(self.store, self.project.as_ref(), now()).map_err(said)
    }

    fn turned(&mut self) -> Vec<ProposalId> {
        let now = self.store.version().ok();
        match std::mem::replace(&mut self.looked.0, now) == now {
            true => Vec::new(),
            false => self.turned_elsewhere(),
        }
    }

    fn open(&mut self, id: &ProposalId) -> Result<Item, String> {
        self.heed_words();
        let (mut item, shown) = queue::one(self.store, self.trust, id).map_err(said)?;
        let state = self.store.status(id, now()).map_err(said)?.state;
        if let Some(what) = decided(state, &item) {
            return Err(format!("{id} was {what} elsewhere"));
        }
        queue::hide_targets(&mut item, &self.redactor);
        self.last.insert(id.clone(), shown);
        if self.near.as_ref().map(|p| &p.id) != Some(&item.proposal.project) {
            self.near = self.store.project(&item.proposal.project).ok();
            self.looked.1 = self.stamps();
        }
        Ok(item)
    }

    fn save(&mut self, change: &ChangeRef, decision: &Decision) -> Result<(), String> {
        let seen = self.seen(&change.proposal)?;
        let (id, at) = (&change.proposal, now());
        if matches!(decision, Decision::Accepted | Decision::Edited(_)) {
            self.still_judged(change)?;
        }
        let last = self
            .store
            .decide_over(
                self.trust,
                id,
                change.n,
                decision.clone(),
                self.stood.get(change).cloned(),
                seen,
                at,
            )
            .map_err(said)?;
        self.stepped(id, last);
        Ok(())
    }

    fn replay(&mut self, id: &ProposalId, times: usize, again: bool) -> Result<(), String> {
        for _ in 0..times {
            let seen = self.seen(id)?;
            let (trust, at) = (self.trust, now());
            let step = if again {
                self.store.redo(trust, id, seen, at)
            } else {
                self.store.undo(trust, id, seen, at)
            };
            match step.map_err(said)? {
                Some(step) => self.stepped(id, step.last),
                None => break,
            }
        }
        Ok(())
    }

    fn decisions(&mut self, id: &ProposalId) -> Result<Decisions, String> {
        let journal = self.store.decisions(self.trust, id).map_err(said)?;
        self.stepped(id, journal.last);
        Ok(journal.decisions)
    }

    fn judge(&mut self, item: &Item) -> Result<Judged, String> {
        self.heed_words();
        let project = self.store.project(&item.proposal.project).map_err(said)?;
        let stood = stamps(&project);
        let scene = self.scene(item)?;
        let shown = item;
        let item = &self.exact(shown, &scene)?;
        let base = adopt::base(&item.proposal, &scene.look.memory);
        let alive: Vec<u32> = item
            .order
            .iter()
            .copied()
            .filter(|&n| *item.decision(n) != Decision::Rejected)
            .collect();
        let changes = self.verdicts(item, shown, &scene, &base, &alive).changes;
        let files = self
            .verdicts(item, shown, &scene, &base, &item.chosen())
            .files;
        self.stood.retain(|c, _| c.proposal != item.proposal.id);
        let mut standing = BTreeMap::new();
        let mut judged = Judged::default();
        for change in item.changes() {
            if item.takes_back() {
                unattended::judge(change, &scene.look.matched, &mut judged);
                continue;
            }
            let rebased = rebase(change, &base, &scene.entries);
            if let Rebased::Changed { now, .. } = &rebased {
                let (proposal, n) = (item.proposal.id.clone(), change.n);
                self.stood
                    .insert(ChangeRef { proposal, n }, TextHash::of(now));
            }
            standing.extend(self.standing(rebased).map(|s| (change.n, s)));
        }
        let budgets = &self.context.config.settings.limits.budgets;
        let size = |doc: &Document| Size {
            chars: doc.body_chars(),
            budget: budgets.of(doc.file()),
        };
        let docs = scene.look.memory.docs();
        judged.standing.extend(standing);
        let judged = Judged {
            changes,
            files,
            sizes: docs.map(|d| (d.file(), size(d))).collect(),
            ..judged
        };
        let id = item.proposal.id.clone();
        self.judged.insert(id, (stood, judged.clone()));
        Ok(judged)
    }

    fn edit(&mut self, item: &Item, n: u32) -> Result<String, String> {
        let begun = item.drafts.get(&n).map(String::as_str);
        self.typed(item.text(n), begun)
    }

    fn vetted(&mut self, text: String) -> (String, Option<String>) {
        self.heed_words();
        match self.redactor.check(&text).first() {
            None => (text, None),
            Some(hit) => {
                let rule = &hit.rule;
                let why = format!(
                    "it holds what looks like a credential ({rule}); a placeholder stands for it in your text now"
                );
                (self.redactor.shown(&text), Some(why))
            }
        }
    }

    fn keep(&mut self, text: String) -> Result<String, String> {
        let (text, _) = self.vetted(text);
        let kept = editor::keep(&self.context.places.state, &text);
        kept.map(|path| path.display().to_string()).map_err(said)
    }

    fn plan(&mut self, item: &Item) -> Result<Sheet, String> {
        self.heed_words();
        let id = &item.proposal.id;
        let journal = self.store.decisions(self.trust, id).map_err(said)?;
        if journal.decisions != item.decisions {
            return Err("it was decided on elsewhere meanwhile; look at it again".to_owned());
        }
        let mut shown = self.seen(id)?;
        shown.last = journal.last;
        let now = self.store.stands(id, shown.last).map_err(said)?;
        if !shown.is_same_text(&now) {
            return Err(NOT_AS_SHOWN.to_owned());
        }
        let (plan, sheet) = self.drawn_up(item, &journal)?;
        self.planned = Some((plan, shown));
        Ok(sheet)
    }

    fn apply(&mut self, item: &Item, because: Option<&str>) -> Result<Done, NotDone> {
        let id = &item.proposal.id;
        let (mut plan, shown) = self
            .planned
            .take()
            .filter(|(plan, _)| plan.proposal == *id)
            .ok_or_else(|| "it was not planned; look at the sheet again".to_owned())?;
        if let Some(why) = because {
            plan = self.overridden(item, &plan, why)?;
        }
        let project = self.store.project(&item.proposal.project).map_err(said)?;
        let lock = match self.lock(&project) {
            Ok(lock) => lock,
            Err(error) => {
                let busy = matches!(error, LockError::Held { .. });
                self.planned = Some((plan, shown));
                let why = error.to_string();
                return Err(NotDone { why, busy });
            }
        };
        let memory = project.memory();
        let ground = self.ground(&memory);
        let done = apply::execute(&plan, shown, ground, &lock, &mut apply::go_on)
            .map_err(|e| self.unfinished(&project, &e))?;
        let requeue =
            self.renew_offers(ground, &lock) | self.offered_anew(&plan, item, ground, &lock);
        let left = plan.rest();
        let commit = done
            .commit
            .as_deref()
            .map_or(String::new(), |c| format!(" {}", c.get(..7).unwrap_or(c)));
        let did_so = |what: &str, n: usize| match n {
            0 => String::new(),
            n => format!(", {what} {n}"),
        };
        let restored =
            did_so("restored", plan.restored.len()) + &did_so("took out", plan.taken_out.len());
        let (did, rejected) = match item.takes_back() {
            true => ("accepted", "took back"),
            false => ("applied", "rejected"),
        };
        let applied = format!(
            "{did} {}, {rejected} {}{restored}, {} left ({}{commit})",
            plan.applied.len(),
            plan.rejected.len() - plan.restored.len() - plan.taken_out.len(),
            left.len(),
            project.name
        );
        Ok(Done {
            left,
            said: applied,
            warnings: done.warnings,
            requeue,
        })
    }

    fn discard(&mut self, id: &ProposalId) -> Result<(), String> {
        self.store.discard(self.trust, id, now()).map_err(said)?;
        // The decision holds; consumed notes that cannot be deleted now are deleted later.
        if let Ok(project) = self
            .store
            .proposal(self.trust, id)
            .and_then(|p| self.store.project(&p.project))
            && let Ok(lock) = self.lock(&project)
        {
            let _ = apply::recover(self.ground(&project.memory()), &lock);
        }
        Ok(())
    }

    fn reverse_all(&mut self, offer: &Item) -> Result<(ProposalId, Vec<Waiting>), String> {
        self.staged_reverse(offer)
    }

    fn give_back(&mut self, id: &ProposalId, note: &str) -> Result<(), String> {
        self.clean(note)?;
        self.store
            .return_(self.trust, id, note, now())
            .map_err(said)
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
            (Err(why), Some(begun)) => Err(kept(self, &why, begun.to_owned())),
            (Err(why), None) => Err(why),
        }
    }

    fn grant(&mut self, wish: &Wish) -> Option<Msg> {
        self.answer(wish)
    }
}
