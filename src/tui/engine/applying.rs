//! Applies: of a proposal and of a reverse, at once or when another memd is done.

use super::Engine;
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::desk::NotDone;
use crate::review::{ChangeRef, Event};
use crate::tui::msg::Msg;
use crate::tui::overlay::Overlay;
use crate::tui::shelf::{Heard, Reverse};

impl Engine<'_> {
    pub(super) fn apply(&mut self, proposal: ProposalId, because: Option<String>) {
        let Some(item) = self.app.review.item(&proposal) else {
            self.stop_waiting();
            let why = "nothing was applied: the proposal left the queue meanwhile";
            return self.tell(Event::Failed(why.to_owned()));
        };
        match self.hands.apply(item, because.as_deref()) {
            Err(NotDone { why, busy: true }) => {
                self.waiting = Some((proposal, because));
                self.send(Msg::Busy(why));
            }
            Err(NotDone { why, .. }) => {
                self.stop_waiting();
                let left = Err(why.clone());
                let id = proposal.clone();
                self.tell(Event::Applied { proposal, left });
                self.read_again(id, why);
            }
            Ok(done) => {
                self.stop_waiting();
                let (rest, requeue) = (!done.left.is_empty(), done.requeue);
                let left = Ok(done.left);
                let id = proposal.clone();
                self.tell(Event::Applied { proposal, left });
                // A decision whose target had moved on is void: the journal knows.
                if rest {
                    self.reload(id);
                }
                if requeue {
                    self.refresh(false);
                }
                self.send(Msg::Done(done.said, done.warnings));
            }
        }
    }

    /// Accepts what of a reverse nothing flags or stands against, and applies it as it was shown.
    pub(super) fn apply_reverse(&mut self, reverse: &Reverse) {
        let proposal = reverse.item.proposal.id.clone();
        match self.accept_reverse(reverse) {
            Ok(()) => self.apply(proposal, None),
            Err(why) => {
                self.reload(proposal);
                let said = format!("nothing was applied: {why}; the reverse waits in 1 Review");
                self.send(Msg::Shelf(Heard::NotWritten(said)));
            }
        }
    }

    pub(super) fn accept_reverse(&mut self, reverse: &Reverse) -> Result<(), String> {
        let proposal = &reverse.item.proposal.id;
        let gone = || "it is no longer in the queue".to_owned();
        // Nothing may have changed since a person saw it.
        if self.hands.judge(&reverse.item)? != reverse.item.judged {
            return Err("memory was changed meanwhile".to_owned());
        }
        let item = self.hands.open(proposal)?;
        if item.proposal != reverse.item.proposal {
            return Err("its text was changed meanwhile".to_owned());
        }
        for n in item.undecided() {
            let proposal = proposal.clone();
            if reverse.item.chosen().contains(&n) {
                let change = ChangeRef { proposal, n };
                self.hands.save(&change, &Decision::Accepted)?;
            }
        }
        let item = self.hands.open(proposal)?;
        if item.decisions != reverse.item.decisions {
            return Err("it was decided on elsewhere meanwhile".to_owned());
        }
        self.tell(Event::Opened(Box::new(item)));
        let item = self.app.review.item(proposal).ok_or_else(gone)?;
        match self.hands.plan(item)?.blocked() {
            Some((file, verdict)) => Err(format!(
                "{}: {}: {}",
                file.name, verdict.guard, verdict.reason
            )),
            None => Ok(()),
        }
    }

    pub(super) fn stop_waiting(&mut self) {
        self.waiting = None;
        self.app
            .overlays
            .retain(|o| !matches!(o, Overlay::Waiting { .. }));
    }

    pub(super) fn retry(&mut self) {
        if let Some((proposal, because)) = self.waiting.take() {
            self.apply(proposal, because);
        }
    }

    pub(super) fn closed(&mut self, proposal: ProposalId, done: Result<(), String>, what: &str) {
        match done {
            Ok(()) => {
                let said = format!("{what} {proposal}");
                self.tell(Event::Closed { proposal });
                self.send(Msg::Done(said, Vec::new()));
            }
            Err(why) => self.tell(Event::Failed(why)),
        }
    }
}
