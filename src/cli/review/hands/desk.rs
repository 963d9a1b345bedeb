//! What a review does with proposals: journal, guardrails, editor, sheet, apply.

use super::{Hands, NOT_AS_SHOWN, decided, now, said, stamps};
use crate::apply::{self, adopt};
use crate::cli::editor;
use crate::cli::look::Look;
use crate::cli::review::{queue, unattended};
use crate::id::ProposalId;
use crate::lock::LockError;
use crate::memory::Document;
use crate::proposal::{Decision, Op, Rebased};
use crate::review::desk::{Decisions, Desk, Done, NotDone};
use crate::review::{ChangeRef, Item, Judged, Sheet, Size, Waiting};
use crate::text::TextHash;
use std::collections::BTreeMap;

impl Desk for Hands<'_> {
    fn queue(&mut self) -> Result<Vec<Waiting>, String> {
        let only = self.project.as_ref();
        let mut waiting = queue::waiting(self.store, only, now()).map_err(said)?;
        // What was changed outside memd is asked about before, and shown to nobody.
        let broken = self.store.unsound(self.trust, only, true).map_err(said)?;
        waiting.retain(|w| broken.iter().all(|of| of.id != w.id));
        Ok(waiting)
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
        let Look {
            memory, matched, ..
        } = &scene.look;
        let kind = item.proposal.kind;
        let standing = adopt::standing_of(kind, item.changes(), &base, memory, matched);
        let item = &as_decided(item, &standing);
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
        let mut judged = Judged::default();
        for change in item.changes().filter(|_| item.takes_back()) {
            unattended::judge(change, &scene.look.matched, &mut judged);
        }
        for (n, rebased) in standing.into_iter().filter(|_| !item.takes_back()) {
            let over = match &rebased {
                Rebased::Changed { now, .. } => Some(TextHash::of(now)),
                Rebased::Gone => Some(apply::over::nothing()),
                _ => None,
            };
            let proposal = item.proposal.id.clone();
            let of = |over| (ChangeRef { proposal, n }, over);
            self.stood.extend(over.map(of));
            let standing = self.standing(rebased).map(|s| (n, s));
            judged.standing.extend(standing);
        }
        let budgets = &self.context.config.settings.limits.budgets;
        let size = |doc: &Document| Size {
            chars: doc.body_chars(),
            budget: budgets.of(doc.file()),
        };
        let docs = scene.look.memory.docs();
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
        match editor::keep(&self.context.places.state, &text) {
            Ok(path) => Ok(path.display().to_string()),
            Err(why) => {
                self.unkept.push(text);
                Err(said(why))
            }
        }
    }

    fn unkept(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unkept)
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
        let (did, rejected) = match (item.takes_back(), item.proposal.has_lapsed()) {
            (true, true) => ("archived", "took back"),
            (true, false) => ("accepted", "took back"),
            (false, _) => ("applied", "rejected"),
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

/// An item as it goes in: an edit whose entry is gone is an addition.
fn as_decided(item: &Item, standing: &BTreeMap<u32, Rebased>) -> Item {
    let mut item = item.clone();
    let on_disk = item.proposal.kind.is_on_disk();
    for change in item.proposal.changes.iter_mut().filter(|_| !on_disk) {
        let is_gone = standing.get(&change.n) == Some(&Rebased::Gone);
        if is_gone && change.op == Op::Edit {
            *change = change.as_addition();
        }
    }
    item
}
