//! The reverse of what was applied unattended, in lines: all of it printed, then its sheet. Until a `y`
//! nothing is left of it that was not there before.

use super::Plain;
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::{Action, Ask, ChangeRef, Event};
use std::io;

/// A reverse whose sheet nobody answered yet.
pub(super) struct Reversing {
    /// The proposal.
    id: ProposalId,
    /// What is gone back to on a no.
    offer: ProposalId,
    /// It had been staged before.
    waited: bool,
    /// How many of its changes were accepted for the sheet.
    accepted: usize,
}

impl Plain<'_, '_> {
    /// Stages the reverse, prints all of it, and asks whether to apply what nothing flags or stands
    /// against: the person's `y` comes after the sheet.
    pub(super) fn reverse_all(&mut self) -> io::Result<()> {
        let Some(offer) = self.model.current_item() else {
            return self.screen.say("no proposal is open");
        };
        let from = offer.proposal.id.clone();
        let (id, queue) = match self.desk.reverse_all(offer) {
            Ok(staged) => staged,
            Err(why) => return self.screen.say(&why),
        };
        let reversing = Reversing {
            id: id.clone(),
            offer: from,
            waited: self.model.position(&id).is_some(),
            accepted: 0,
        };
        self.send(Event::Loaded(queue))?;
        self.act(Action::Open(id.clone()))?;
        self.print_header(&id)?;
        let Some(item) = self.model.item(&id) else {
            return Ok(());
        };
        let clean = item.clean();
        for n in item.order.clone() {
            let proposal = id.clone();
            self.show(ChangeRef { proposal, n })?;
        }
        if clean.is_empty() {
            self.printed = Some((id, self.model.current.clone()));
            return self.screen.say("all of it is yours to decide");
        }
        self.reversing = Some(reversing);
        self.accept_for_sheet(id, &clean)
    }

    fn accept_for_sheet(&mut self, id: ProposalId, clean: &[u32]) -> io::Result<()> {
        for n in clean {
            let (proposal, n) = (id.clone(), *n);
            let change = ChangeRef { proposal, n };
            if let Err(why) = self.desk.save(&change, &Decision::Accepted) {
                return self.read_again(id, why);
            }
            if let Some(reversing) = &mut self.reversing {
                reversing.accepted += 1;
            }
        }
        self.reload(id.clone())?;
        self.printed = Some((id, self.model.current.clone()));
        self.act(Action::OpenSheet)
    }

    /// A question was answered; a no to a reverse leaves nothing of it.
    pub(super) fn answered(&mut self, action: Action) -> io::Result<()> {
        if action != Action::Cancel {
            if action == Action::Confirm {
                self.reversing = None;
            }
            return self.act(action);
        }
        let is_blocked = matches!(&self.model.ask, Some((Ask::Apply { sheet, .. }, _)) if sheet.blocked().is_some());
        self.act(action)?;
        let Some(reversing) = &mut self.reversing else {
            return Ok(());
        };
        // What cannot go in as a whole is decided in parts.
        reversing.waited |= is_blocked;
        let (id, offer, waited) = (
            reversing.id.clone(),
            reversing.offer.clone(),
            reversing.waited,
        );
        let said = self.reverse_unanswered();
        match waited {
            true => self.reload(id)?,
            false => {
                self.send(Event::Closed { proposal: id })?;
                self.act(Action::Open(offer))?;
            }
        }
        self.model.notice = said;
        Ok(())
    }

    /// A reverse that was not answered with a yes leaves nothing in the queue that was not there, and
    /// decides nothing; what to say of it.
    pub(super) fn reverse_unanswered(&mut self) -> Option<String> {
        let Reversing {
            id,
            waited,
            accepted,
            ..
        } = self.reversing.take()?;
        let done = match waited {
            true => self.desk.replay(&id, accepted, false),
            false => self.desk.give_back(&id, ""),
        };
        Some(match done {
            Ok(()) if waited => {
                format!("nothing of the reverse was applied or decided; it waits as {id}")
            }
            Ok(()) => "the reverse was not applied and is not kept".to_owned(),
            Err(why) => format!("the reverse waits in the queue as {id}: {why}"),
        })
    }
}
