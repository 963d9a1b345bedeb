//! The hands of a review that is only played: they read like the others, decide in memory, and
//! write nothing.

use super::hands::Hands;
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::desk::{Decisions, Desk, Done, NotDone};
use crate::review::{ChangeRef, Item, Judged, Sheet, Waiting};
use crate::tui::hands::{self, Seen};
use crate::tui::msg::Msg;
use crate::tui::shelf::Wish;

const REFUSED: &str = "this is a rehearsal: nothing is written";

/// Real hands for reading, and a journal that is forgotten.
pub(super) struct Rehearsal<'a> {
    real: Hands<'a>,
    journal: Vec<(ChangeRef, Decision)>,
    undone: Vec<(ChangeRef, Decision)>,
}

impl<'a> Rehearsal<'a> {
    pub fn new(real: Hands<'a>) -> Self {
        Self {
            real,
            journal: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The decisions that stand, as if those made here had been kept.
    fn overlay(&self, id: &ProposalId, decisions: &mut Decisions) {
        for (change, decision) in self.journal.iter().filter(|(c, _)| c.proposal == *id) {
            match decision {
                Decision::Undecided => decisions.remove(&change.n),
                other => decisions.insert(change.n, other.clone()),
            };
        }
    }
}

impl Desk for Rehearsal<'_> {
    fn queue(&mut self) -> Result<Vec<Waiting>, String> {
        self.real.queue()
    }

    fn open(&mut self, id: &ProposalId) -> Result<Item, String> {
        let mut item = self.real.open(id)?;
        self.overlay(id, &mut item.decisions);
        Ok(item)
    }

    fn save(&mut self, change: &ChangeRef, decision: &Decision) -> Result<(), String> {
        self.journal.push((change.clone(), decision.clone()));
        self.undone.clear();
        Ok(())
    }

    fn replay(&mut self, _: &ProposalId, times: usize, again: bool) -> Result<(), String> {
        let (from, to) = match again {
            true => (&mut self.undone, &mut self.journal),
            false => (&mut self.journal, &mut self.undone),
        };
        for _ in 0..times {
            to.extend(from.pop());
        }
        Ok(())
    }

    fn decisions(&mut self, id: &ProposalId) -> Result<Decisions, String> {
        let mut decisions = self.real.decisions(id)?;
        self.overlay(id, &mut decisions);
        Ok(decisions)
    }

    fn judge(&mut self, item: &Item) -> Result<Judged, String> {
        self.real.judge(item)
    }

    fn edit(&mut self, _: &Item, _: u32) -> Result<String, String> {
        Err("this is a rehearsal: no editor is started".to_owned())
    }

    fn plan(&mut self, item: &Item) -> Result<Sheet, String> {
        self.real.preview(item)
    }

    fn apply(&mut self, _: &Item, _: Option<&str>) -> Result<Done, NotDone> {
        Err(REFUSED.to_owned().into())
    }

    fn discard(&mut self, _: &ProposalId) -> Result<(), String> {
        Err(REFUSED.to_owned())
    }

    fn reverse_all(&mut self, _: &Item) -> Result<(ProposalId, Vec<Waiting>), String> {
        Err(REFUSED.to_owned())
    }

    fn give_back(&mut self, _: &ProposalId, _: &str) -> Result<(), String> {
        Err(REFUSED.to_owned())
    }
}

impl hands::Hands for Rehearsal<'_> {
    fn watch(&mut self) -> Seen {
        Seen::default()
    }

    fn check_text(&mut self, text: &str) -> Result<(), String> {
        self.real.check_text(text)
    }

    fn grant(&mut self, wish: &Wish) -> Option<Msg> {
        match wish.writes() {
            true => Some(Msg::Say(REFUSED.to_owned())),
            false => self.real.answer(wish),
        }
    }
}
