//! What was done elsewhere while a review was open, as its hands notice it: words about secrets, rows
//! of proposals, memory's files. What a person decides holds for what they were shown, or not at all.

use super::hands::{Hands, said, stamps};
use super::library::Library;
use super::queue;
use crate::cli::gate;
use crate::id::ProposalId;
use crate::review::ChangeRef;
use crate::review::desk::Desk;
use crate::store::StoreError;

impl Hands<'_> {
    /// Makes the redactor anew where somebody else has said what is a secret.
    pub(super) fn heed_words(&mut self) {
        let words = self.store.words_said().ok();
        if words != self.words {
            self.words = words;
            self.hide_anew();
        }
    }

    /// After a word that was said here: what was shown counts as shown still, unless its row was
    /// rewritten with it.
    pub(super) fn said_here(&mut self) {
        self.words = self.store.words_said().ok();
        for (id, shown) in &mut self.last {
            if let Ok(now) = self.store.stands(id, shown.last) {
                shown.take_words(&now);
            }
        }
        self.hide_anew();
    }

    fn hide_anew(&mut self) {
        self.redactor = self.context.redactor_with(self.store, self.trust);
        gate::look_again();
        self.library = Library::default();
    }

    /// Proposals that were opened here and read otherwise by now.
    pub(super) fn turned_elsewhere(&mut self) -> Vec<ProposalId> {
        self.heed_words();
        let turned = self.last.iter().filter(|(id, shown)| {
            let now = self.store.stands(id, shown.last);
            match now {
                Ok(now) => !shown.is_same_text(&now),
                Err(error) => matches!(error, StoreError::NoProposal(_)),
            }
        });
        turned.map(|(id, _)| id.clone()).collect()
    }

    /// Refuses to accept a change over a memory that is not the one it was judged against, where that
    /// makes a difference to it.
    pub(super) fn still_judged(&mut self, change: &ChangeRef) -> Result<(), String> {
        let id = &change.proposal;
        let Some((stood, judged)) = self.judged.get(id).cloned() else {
            return Ok(());
        };
        let (mut item, _) = queue::one(self.store, self.trust, id).map_err(said)?;
        let project = self.store.project(&item.proposal.project).map_err(said)?;
        if stamps(&project) == stood {
            return Ok(());
        }
        queue::hide_targets(&mut item, &self.redactor);
        let shown = self.stood.get(change).cloned();
        let now = self.judge(&item)?;
        let n = change.n;
        let is_same = now.changes.get(&n) == judged.changes.get(&n)
            && now.standing.get(&n) == judged.standing.get(&n)
            && self.stood.get(change) == shown.as_ref();
        if is_same {
            return Ok(());
        }
        // Nobody has seen what is said of it now: until the screen judges it too, it is refused.
        self.judged.insert(id.clone(), (stood, judged));
        Err("memory was changed here since this was shown; read it again and decide afresh".into())
    }
}
