//! What the review asks of its hands, in lines, and what comes of it.

use super::Plain;
use crate::cli::review::page;
use crate::cli::review::screen::Style;
use crate::id::ProposalId;
use crate::review::desk::kept;
use crate::review::{ChangeRef, Effect, Event};
use std::convert::identity;
use std::io;

impl Plain<'_, '_> {
    /// Nothing was done, for what was shown has changed: it is loaded anew and printed again.
    pub(super) fn read_again(&mut self, proposal: ProposalId, why: String) -> io::Result<()> {
        self.reload(proposal.clone())?;
        self.carry_out(Effect::Load(proposal))?;
        self.printed = None;
        self.send(Event::Failed(why))
    }

    /// Does what the model asks and tells it what came of it.
    pub(super) fn carry_out(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Load(proposal) => match self.desk.open(&proposal) {
                Ok(item) => self.send(Event::Opened(Box::new(item))),
                Err(why) => {
                    let item = self.model.item(&proposal);
                    let drafts = item.map_or_else(Default::default, |i| i.drafts.clone());
                    self.send(Event::Closed { proposal })?;
                    for text in drafts.into_values() {
                        let said = kept(self.desk, &why, text).unwrap_or_else(identity);
                        self.screen.say(&said)?;
                    }
                    self.send(Event::Failed(why))
                }
            },
            // Kept where it was made, before anything else.
            Effect::SaveDecision { .. } => Ok(()),
            Effect::Undo { proposal, times } => self.replay(proposal, times, false),
            Effect::Redo { proposal, times } => self.replay(proposal, times, true),
            Effect::Judge(proposal) => {
                let Some(item) = self.model.item(&proposal) else {
                    return Ok(());
                };
                match self.desk.judge(item) {
                    Ok(judged) => self.send(Event::Judged { proposal, judged }),
                    Err(why) => self.send(Event::Failed(format!("the checks did not run: {why}"))),
                }
            }
            Effect::ReadOn(change) => self.read_on(change),
            Effect::Show(change) => self.show(change),
            Effect::Edit(change) => {
                let Some(item) = self.model.item(&change.proposal) else {
                    return Ok(());
                };
                let text = self.desk.edit(item, change.n);
                // What was typed is only here until it is judged and shown.
                self.input.listen()?;
                let edit = text.map(|text| self.desk.edited(item, change.n, text));
                self.send(Event::Edited { change, edit })
            }
            Effect::Plan(proposal) => {
                let Some(item) = self.model.item(&proposal) else {
                    return Ok(());
                };
                match self.desk.plan(item) {
                    Err(why) => self.read_again(proposal, why),
                    sheet => self.send(Event::Planned { proposal, sheet }),
                }
            }
            Effect::Apply { proposal, because } => self.apply(proposal, because.as_deref()),
            Effect::Discard(proposal) => {
                let done = self.desk.discard(&proposal);
                self.closed(proposal, done, "discarded")
            }
            Effect::Return { proposal, note } => {
                let done = self.desk.give_back(&proposal, &note);
                self.closed(proposal, done, "given back")
            }
            Effect::Quit => {
                self.leaving = true;
                Ok(())
            }
        }
    }

    pub(super) fn replay(
        &mut self,
        proposal: ProposalId,
        times: usize,
        again: bool,
    ) -> io::Result<()> {
        if let Err(why) = self.desk.replay(&proposal, times, again) {
            return self.read_again(proposal, why);
        }
        self.reload(proposal)
    }

    pub(super) fn reload(&mut self, proposal: ProposalId) -> io::Result<()> {
        match self.desk.decisions(&proposal) {
            Ok(decisions) => self.send(Event::Decisions {
                proposal,
                decisions,
            }),
            Err(why) => self.send(Event::Failed(why)),
        }
    }

    /// Everything was printed already: names the flags, and the next `a` counts.
    pub(super) fn read_on(&mut self, change: ChangeRef) -> io::Result<()> {
        if let Some(item) = self.model.item(&change.proposal) {
            for verdict in item.flags(change.n) {
                page::flag(&mut self.screen, "", verdict)?;
            }
            if item.standing(change.n).is_some() {
                self.screen
                    .say("! memory has changed here since this was proposed")?;
            }
        }
        self.screen.line(
            Style::Strong,
            "flagged: read it to its end; a again accepts it all the same",
        )?;
        let frame = self.frame;
        self.send(Event::Shown {
            change,
            frame,
            whole: true,
        })
    }

    pub(super) fn apply(&mut self, proposal: ProposalId, because: Option<&str>) -> io::Result<()> {
        let Some(item) = self.model.item(&proposal) else {
            return Ok(());
        };
        let done = self.desk.apply(item, because);
        self.printed = None;
        let done = match done {
            Ok(done) => done,
            Err(not) => {
                let left = Err(not.why.clone());
                let id = proposal.clone();
                self.send(Event::Applied { proposal, left })?;
                return self.read_again(id, not.why);
            }
        };
        self.screen.line(Style::Strong, &done.said)?;
        for warning in &done.warnings {
            self.screen.say(warning)?;
        }
        let rest = !done.left.is_empty();
        let left = Ok(done.left);
        self.send(Event::Applied {
            proposal: proposal.clone(),
            left,
        })?;
        // A decision whose target had moved on is void: the journal knows.
        if rest {
            self.reload(proposal)?;
        }
        if done.requeue { self.requeue() } else { Ok(()) }
    }

    /// The queue as it is now: what was applied took other proposals out of it, or brought them.
    pub(super) fn requeue(&mut self) -> io::Result<()> {
        match self.desk.queue() {
            Ok(queue) => self.send(Event::Loaded(queue))?,
            Err(why) => return self.send(Event::Failed(why)),
        }
        self.model.notice = None;
        Ok(())
    }

    pub(super) fn closed(
        &mut self,
        proposal: ProposalId,
        done: Result<(), String>,
        what: &str,
    ) -> io::Result<()> {
        match done {
            Ok(()) => {
                self.screen.say(&format!("{what} {proposal}"))?;
                self.send(Event::Closed { proposal })
            }
            Err(why) => self.send(Event::Failed(why)),
        }
    }
}
