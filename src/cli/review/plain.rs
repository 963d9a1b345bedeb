//! The review in lines: one change printed, one line read, nothing redrawn.
//!
//! The same model and the same [`update`] as any other screen. Only what follows a printed change
//! is read: lines that came earlier are thrown away, and said to be.

mod effects;
mod reverse;
mod secrets;

use super::input::Input;
use super::keys::{self, Key};
use super::page;
use super::screen::Screen;
use super::words::Words;
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::desk::{NOT_TAKEN, kept, last_words};
use crate::review::{Action, Ask, ChangeRef, Edit, Effect, Event, Item, Model, Waiting, update};
use crate::text::count;
use jiff::Timestamp;
use reverse::Reversing;
use std::collections::{BTreeSet, VecDeque};
use std::convert::identity;
use std::io;

/// A review in lines, under way.
pub(crate) struct Plain<'a, 's> {
    model: Model,
    screen: Screen<'s>,
    input: &'a mut dyn Input,
    desk: &'a mut dyn Words,
    now: Timestamp,
    frame: u64,
    /// What was printed last: a proposal's header, and a change or the proposal's end.
    printed: Option<(ProposalId, Option<ChangeRef>)>,
    leaving: bool,
    /// Every proposal that was in the queue.
    met: BTreeSet<ProposalId>,
    /// A reverse whose sheet nobody answered yet.
    reversing: Option<Reversing>,
    /// The last line when something is left to review.
    farewell: &'static str,
}

impl<'a, 's> Plain<'a, 's> {
    pub(crate) fn new(
        screen: Screen<'s>,
        input: &'a mut dyn Input,
        desk: &'a mut dyn Words,
        now: Timestamp,
    ) -> Self {
        Self {
            model: Model::default(),
            screen,
            input,
            desk,
            now,
            frame: 0,
            printed: None,
            leaving: false,
            met: BTreeSet::new(),
            reversing: None,
            farewell: "decisions are kept; `memd review` goes on from here",
        }
    }

    /// Says this when a person leaves before the end.
    pub(crate) fn leave_with(&mut self, farewell: &'static str) {
        self.farewell = farewell;
    }

    /// Until the queue is empty, the person leaves or the input ends.
    ///
    /// # Errors
    /// The terminal is gone. What was typed is kept also then.
    pub(crate) fn run(&mut self, queue: Vec<Waiting>) -> io::Result<()> {
        let ran = self.rounds(queue);
        let left = self.reverse_unanswered();
        let kept = self.put_aside();
        let mut told = left.iter().chain(&kept);
        let told = told.try_for_each(|said| self.screen.say(said));
        ran.and(told)?;
        if self.model.queue.is_empty() {
            self.screen.say("nothing is left to review")
        } else {
            self.screen.say(self.farewell)
        }
    }

    fn rounds(&mut self, queue: Vec<Waiting>) -> io::Result<()> {
        self.send(Event::Loaded(queue))?;
        while !self.leaving && self.has_more()? {
            self.frame += 1;
            self.take_over()?;
            self.print()?;
            let prompt = self.prompt();
            let Some(line) = self.read(&prompt)? else {
                // The prompt is still on the line.
                self.screen.say("")?;
                break;
            };
            self.hear(&line)?;
        }
        self.say_notice()
    }

    /// Keeps what was typed and was not taken; what to say of it.
    fn put_aside(&mut self) -> Vec<String> {
        let items = self.model.queue.iter_mut().filter_map(|w| w.item.as_mut());
        let drafts = items.flat_map(|item| std::mem::take(&mut item.drafts).into_values());
        let drafts: Vec<String> = drafts.collect();
        last_words(self.desk, NOT_TAKEN, drafts)
    }

    /// Whether something is left to review, or has come meanwhile.
    fn has_more(&mut self) -> io::Result<bool> {
        if self.model.queue.is_empty()
            && let Ok(mut queue) = self.desk.queue()
        {
            // What could not be read once is not tried for ever.
            queue.retain(|w| !self.met.contains(&w.id));
            if !queue.is_empty() {
                self.say_notice()?;
                self.send(Event::Loaded(queue))?;
            }
        }
        let ids = self.model.queue.iter().map(|w| w.id.clone());
        self.met.extend(ids);
        Ok(!self.model.queue.is_empty())
    }

    /// Loads what was changed elsewhere, before any of it is printed as it was.
    fn take_over(&mut self) -> io::Result<()> {
        for id in self.desk.turned() {
            if self.model.item(&id).is_some() {
                self.carry_out(Effect::Load(id))?;
                self.printed = None;
            }
        }
        Ok(())
    }

    /// Reads a line that was typed, by itself, after everything so far was on screen.
    fn read(&mut self, prompt: &str) -> io::Result<Option<String>> {
        loop {
            self.screen.flush()?;
            self.input.listen()?;
            if self.input.drop_waiting()? {
                self.screen
                    .say("(what was typed before this was on screen is ignored)")?;
            }
            self.screen.prompt(prompt)?;
            let line = self.input.line()?;
            if line.is_none() || !self.input.drop_waiting()? {
                return Ok(line);
            }
            self.screen
                .say("(several lines that came at once are a paste, and all of it is ignored)")?;
        }
    }

    fn print(&mut self) -> io::Result<()> {
        self.say_notice()?;
        if self.model.ask.is_some() {
            return self.print_question();
        }
        let Some(open) = self.model.open.clone() else {
            return Ok(());
        };
        let header_stands = self.printed.as_ref().is_some_and(|(id, _)| *id == open);
        if !header_stands {
            self.print_header(&open)?;
        }
        let current = self.model.current.clone();
        let stands = self
            .printed
            .as_ref()
            .is_some_and(|(id, c)| *id == open && *c == current);
        let unseen = current.as_ref().is_some_and(|c| !self.model.is_shown(c));
        if !stands || unseen {
            self.print_current(&open, current.as_ref())?;
        }
        self.printed = Some((open, current));
        Ok(())
    }

    fn say_notice(&mut self) -> io::Result<()> {
        match self.model.notice.take() {
            Some(notice) => self.screen.say(&notice),
            None => Ok(()),
        }
    }

    fn print_header(&mut self, id: &ProposalId) -> io::Result<()> {
        self.carry_out(Effect::Judge(id.clone()))?;
        let at = self.model.position(id);
        let Some(item) = self.model.item(id) else {
            return Ok(());
        };
        self.screen.say("")?;
        page::header(&mut self.screen, item, self.now)?;
        page::on_disk(&mut self.screen, item)?;
        let of = self.model.queue.len();
        let decided = item.order.len() - item.undecided().len();
        self.screen.say(&format!(
            "  proposal {} of {of}, {}, {decided} decided",
            at.unwrap_or(0) + 1,
            count(item.order.len(), "change", "changes"),
        ))
    }

    fn print_current(&mut self, open: &ProposalId, current: Option<&ChangeRef>) -> io::Result<()> {
        match current {
            Some(change) => self.show(change.clone()),
            None => match self.model.item(open) {
                Some(item) => page::end(&mut self.screen, item),
                None => Ok(()),
            },
        }
    }

    fn show(&mut self, change: ChangeRef) -> io::Result<()> {
        let Some(item) = self.model.item(&change.proposal) else {
            return Ok(());
        };
        page::change(&mut self.screen, item, change.n, page::QUOTE)?;
        // A flagged one is to be accepted twice: lines above the prompt may have scrolled away.
        let whole = item.is_clean(change.n);
        let frame = self.frame;
        self.send(Event::Shown {
            change,
            frame,
            whole,
        })
    }

    fn print_question(&mut self) -> io::Result<()> {
        match &self.model.ask {
            Some((
                Ask::Apply {
                    proposal,
                    sheet,
                    because,
                },
                _,
            )) => {
                page::sheet(&mut self.screen, proposal, sheet)?;
                if let Some(why) = because {
                    self.screen
                        .say(&format!("  the loss guard is overridden: {why}"))?;
                }
            }
            Some((ask, _)) => {
                page::question(&mut self.screen, ask, self.model.current_item())?;
            }
            None => {}
        }
        self.send(Event::Asked { frame: self.frame })
    }

    fn prompt(&self) -> String {
        match &self.model.ask {
            Some((
                Ask::Apply {
                    sheet,
                    because: None,
                    ..
                },
                _,
            )) if sheet.blocked().is_some() => {
                if sheet.only_loss_blocks() {
                    "a file would lose most of its text; type why that is right, or Enter to go back:"
                        .to_owned()
                } else {
                    "this cannot be applied as it is; Enter goes back:".to_owned()
                }
            }
            Some((Ask::Apply { .. }, _)) => "y applies, anything else goes back:".to_owned(),
            Some(_) => "y, or anything else to go back:".to_owned(),
            None => keys::prompt(&self.model),
        }
    }

    fn hear(&mut self, line: &str) -> io::Result<()> {
        if let Some(action) = self.answer(line) {
            return self.answered(action);
        }
        match keys::key(line) {
            Ok(Key::Do(action)) => self.act(action),
            Ok(Key::ReverseAll) => self.reverse_all(),
            Ok(Key::Hidden) => self.hidden(),
            Ok(Key::AlsoSecret) => self.also_secret(),
            Ok(Key::Help) => keys::help(&mut self.screen),
            Ok(Key::Again) => {
                self.printed = None;
                Ok(())
            }
            Ok(Key::Return) => {
                let item = self.model.current_item();
                if let Some(why) = item.and_then(Item::why_not_given_back) {
                    return self.screen.say(why);
                }
                let note = self.read("a note for the curator, or Enter to go back:")?;
                match note.filter(|n| !n.trim().is_empty()) {
                    Some(note) => self.act(Action::Return(note.trim().to_owned())),
                    None => self.screen.say("nothing was done"),
                }
            }
            Err(why) => self.screen.say(&why),
        }
    }

    /// While a question is open every line answers it.
    fn answer(&self, line: &str) -> Option<Action> {
        let (ask, _) = self.model.ask.as_ref()?;
        let wants_reason =
            matches!(ask, Ask::Apply { sheet, because: None, .. } if sheet.only_loss_blocks());
        Some(match line.trim() {
            reason if wants_reason && reason.chars().count() > 1 => {
                Action::Override(reason.to_owned())
            }
            "y" if !wants_reason => Action::Confirm,
            _ => Action::Cancel,
        })
    }

    fn act(&mut self, action: Action) -> io::Result<()> {
        let frame = self.frame;
        self.send(Event::Act { action, frame })
    }

    fn send(&mut self, event: Event) -> io::Result<()> {
        let mut effects: VecDeque<Effect> = update(&mut self.model, event).into();
        while let Some(effect) = effects.pop_front() {
            let Effect::SaveDecision { change, decision } = effect else {
                self.carry_out(effect)?;
                continue;
            };
            if let Err(why) = self.desk.save(&change, &decision) {
                // What else was decided with it was decided over the same text.
                effects.retain(|e| !matches!(e, Effect::SaveDecision { .. }));
                self.read_again(change.proposal.clone(), why.clone())?;
                if let Decision::Edited(text) = decision {
                    let item = self.model.item(&change.proposal);
                    if item.and_then(|i| i.change(change.n)).is_none() {
                        let said = kept(self.desk, &why, text).unwrap_or_else(identity);
                        self.screen.say(&said)?;
                        continue;
                    }
                    let text = self.desk.vetted(text).0;
                    let judged = Err(why);
                    let edit = Ok(Edit { text, judged });
                    self.send(Event::Edited { change, edit })?;
                }
            }
        }
        Ok(())
    }
}
