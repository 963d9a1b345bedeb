//! Carries out what the screen asks for, and tells it what came of it.
//!
//! No terminal here: what needs one (the editor, a stop, the clipboard) is handed to whoever owns
//! it. Work that may take a while and changes nothing waits until no key does.

use super::app::App;
use super::hands::Hands;
use super::msg::{Editing, Effect, Msg};
use super::overlay::Overlay;
use super::shelf::{Heard, Reverse, Wish, open_reverse};
use super::update::{typed_yet, unsaved, update};
use crate::apply;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::proposal::Decision;
use crate::review::desk::{NOT_TAKEN, NotDone, kept, last_words};
use crate::review::{self, ChangeRef, Edit, Event};
use jiff::Timestamp;
use std::collections::{BTreeSet, VecDeque};
use std::convert::identity;

/// How often it is looked whether something changed elsewhere, in milliseconds.
const LOOK: u64 = 1_000;
/// Why a text that was typed goes nowhere.
const GONE: &str = "the change was decided on elsewhere";
/// How often an apply that found memory busy is tried again, in milliseconds.
const AGAIN: u64 = 200;

/// What only the owner of the terminal can do.
#[derive(Debug, Clone)]
pub enum Outer {
    /// Leave the screen and have this edited: [`Engine::edit`].
    Edit(Editing),
    /// Compare two texts off the screen's thread, then send [`Msg::Diffed`].
    Diff {
        /// The hash of both.
        key: u64,
        /// The old one.
        old: String,
        /// The new one.
        new: String,
    },
    /// Put a text on the terminal's clipboard.
    Copy(String),
    /// Stop until continued.
    Suspend,
    /// Paint every cell anew.
    Redraw,
    /// Leave.
    Quit,
}

/// The screen's model with the hands that act for it.
pub struct Engine<'h> {
    /// The model.
    pub app: App,
    hands: &'h mut dyn Hands,
    later: VecDeque<Effect>,
    outer: Vec<Outer>,
    /// The apply that waits for another memd.
    waiting: Option<(ProposalId, Option<String>)>,
    /// Texts that were not taken and stand in a file of their own by now.
    put_aside: BTreeSet<String>,
    looked: u64,
    tried: u64,
}

impl<'h> Engine<'h> {
    /// A screen over these hands. Nothing is read yet: [`Engine::start`].
    pub fn new(app: App, hands: &'h mut dyn Hands) -> Self {
        Self {
            app,
            hands,
            later: VecDeque::new(),
            outer: Vec::new(),
            waiting: None,
            put_aside: BTreeSet::new(),
            looked: 0,
            tried: 0,
        }
    }

    /// Reads the queue.
    pub fn start(&mut self) {
        self.refresh(false);
        self.send(Msg::Shelf(Heard::Started));
    }

    fn refresh(&mut self, news: bool) {
        match self.hands.queue() {
            Ok(queue) if news => self.send(Msg::News(queue)),
            Ok(queue) => self.send(Msg::Review(Event::Loaded(queue))),
            Err(why) => self.send(Msg::Say(why)),
        }
    }

    /// Plays a message and does what it asks for.
    pub fn send(&mut self, msg: Msg) {
        let elsewhere = matches!(msg, Msg::News(_) | Msg::Review(Event::Loaded(_)));
        let drafts = if elsewhere { self.drafts() } else { Vec::new() };
        self.play(msg);
        for (change, text) in drafts {
            if !self.stands(&change) {
                self.keep(GONE, text);
            }
        }
    }

    /// What was typed, and is not taken yet.
    fn drafts(&self) -> Vec<(ChangeRef, String)> {
        let items = self.app.review.queue.iter().filter_map(|w| w.item.as_ref());
        let drafts = items.flat_map(|item| {
            let proposal = &item.proposal.id;
            item.drafts.iter().map(move |(&n, text)| {
                let proposal = proposal.clone();
                (ChangeRef { proposal, n }, text.clone())
            })
        });
        drafts.collect()
    }

    /// Whether a change can still be decided on.
    fn stands(&self, change: &ChangeRef) -> bool {
        let item = self.app.review.item(&change.proposal);
        item.is_some_and(|item| item.change(change.n).is_some())
    }

    /// Puts a text aside whose change is gone, and says where.
    fn keep(&mut self, why: &str, text: String) {
        let kept = kept(self.hands, why, text);
        // The next key takes the notice off the screen.
        self.app.farewell.extend(kept.clone().ok());
        self.tell(Event::Failed(kept.unwrap_or_else(identity)));
    }

    /// The screen is left: what was typed and is taken nowhere is put aside, and the shell is told
    /// where. Once more does nothing.
    pub fn leave(&mut self) {
        // What was staged to be looked at is taken back, as by Esc.
        if let Some(id) = open_reverse(&self.app) {
            let _ = self.hands.grant(&Wish::DropReverse(id));
        }
        let mut texts = unsaved(&mut self.app);
        texts.retain(|text| !self.put_aside.contains(text));
        let said = last_words(self.hands, NOT_TAKEN, texts);
        self.app.farewell.extend(said);
    }

    /// The person leaves. Where something was typed that is taken nowhere and cannot be written either,
    /// that is asked about first.
    fn ask_to_leave(&mut self) {
        let held = self.hands.unkept();
        let lost = self.try_to_keep(typed_yet(&self.app));
        // The screen still has them.
        let _ = self.hands.unkept();
        match lost.or(self.try_to_keep(held)) {
            Some(why) if !self.app.rehearsal => self.send(Msg::Shelf(Heard::NotKept(why))),
            _ => {
                self.app.leaving = true;
                self.outer.push(Outer::Quit);
            }
        }
    }

    /// Puts texts aside that were not taken; why one of them could not be, if so.
    fn try_to_keep(&mut self, texts: Vec<String>) -> Option<String> {
        let mut lost = None;
        for text in texts {
            if self.put_aside.contains(&text) {
                continue;
            }
            match self.hands.keep(text.clone()) {
                Ok(place) => {
                    let said = format!("{NOT_TAKEN}; your text is kept in {place}");
                    self.app.farewell.push(said);
                    self.put_aside.insert(text);
                }
                Err(why) => lost = Some(why),
            }
        }
        lost
    }

    fn play(&mut self, msg: Msg) {
        let mut effects: VecDeque<Effect> = update(&mut self.app, msg).into();
        while let Some(effect) = effects.pop_front() {
            let Effect::Review(review::Effect::SaveDecision { change, decision }) = effect else {
                self.carry_out(effect);
                continue;
            };
            if let Err(why) = self.hands.save(&change, &decision) {
                // What else was decided with it was decided over the same screen.
                effects
                    .retain(|e| !matches!(e, Effect::Review(review::Effect::SaveDecision { .. })));
                self.read_again(change.proposal.clone(), why.clone());
                if let Decision::Edited(text) = decision {
                    if !self.stands(&change) {
                        self.keep(&why, text);
                        continue;
                    }
                    let text = self.hands.vetted(text).0;
                    let judged = Err(why);
                    let edit = Ok(Edit { text, judged });
                    self.tell(Event::Edited { change, edit });
                }
            }
        }
    }

    /// Nothing was done, for what was shown has changed: it is loaded anew, and nothing that was typed
    /// is lost.
    fn read_again(&mut self, proposal: ProposalId, why: String) {
        self.reload(proposal.clone());
        self.load_judged(proposal);
        self.tell(Event::Failed(why));
    }

    /// Loads a proposal that has changed, and judges it before another key is read: what was said of it
    /// when it was staged is said of another text.
    fn load_judged(&mut self, proposal: ProposalId) {
        self.for_review(review::Effect::Load(proposal.clone()));
        self.for_review(review::Effect::Judge(proposal));
    }

    /// What the owner of the terminal is to do now.
    pub fn outer(&mut self) -> Vec<Outer> {
        std::mem::take(&mut self.outer)
    }

    /// Whether work waits that can be done while no key does.
    #[must_use]
    pub fn has_work(&self) -> bool {
        !self.later.is_empty()
    }

    /// Does one piece of what waits.
    pub fn work(&mut self) {
        match self.later.pop_front() {
            Some(Effect::Review(effect)) => self.for_review(effect),
            Some(Effect::Shelf(wish)) => self.grant(&wish),
            _ => {}
        }
    }

    /// Time went on. `clock` is in milliseconds since the start. Says whether the screen changed.
    pub fn tick(&mut self, now: Timestamp, clock: u64) -> bool {
        let inert = self.app.is_inert();
        self.send(Msg::Tick { now, clock });
        let mut changed = inert != self.app.is_inert();
        if clock >= self.tried + AGAIN && self.waiting.is_some() {
            self.tried = clock;
            self.retry();
            changed = true;
        }
        if clock >= self.looked + LOOK {
            self.looked = clock;
            changed |= self.look();
        }
        changed
    }

    /// Takes over what changed elsewhere.
    fn look(&mut self) -> bool {
        let seen = self.hands.watch();
        for turned in &seen.turned {
            if self.app.review.item(turned).is_some() {
                self.load_judged(turned.clone());
                if self.app.review.item(turned).is_some() {
                    let why = "what was on screen was changed elsewhere; it is loaded anew";
                    self.tell(Event::Failed(why.to_owned()));
                }
            }
        }
        if seen.queue {
            self.refresh(true);
            if let Some(open) = self.app.review.open.clone() {
                self.reload(open);
            }
        }
        if seen.memory
            && let Some(open) = self.app.review.open.clone()
        {
            self.for_review(review::Effect::Judge(open));
        }
        if seen.queue || seen.memory {
            self.send(Msg::Shelf(Heard::Elsewhere));
        }
        seen.queue || seen.memory
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            // Judging may take a while; the decision itself is on the screen at once.
            Effect::Review(review::Effect::Judge(id)) => {
                let same = |waits: &Effect| matches!(waits, Effect::Review(review::Effect::Judge(other)) if *other == id);
                self.later.retain(|waits| !same(waits));
                let judge = review::Effect::Judge(id);
                self.later.push_back(Effect::Review(judge));
            }
            Effect::Review(review::Effect::Edit(change)) => {
                self.outer.push(Outer::Edit(Editing::Change(change)));
            }
            Effect::Review(effect) => self.for_review(effect),
            Effect::Edit(what) => self.outer.push(Outer::Edit(what)),
            Effect::Edited(Editing::Change(change), text) => self.edited(change, Ok(text)),
            Effect::Edited(Editing::Entry(project, entry), text) => self.own(project, entry, text),
            Effect::Retry => self.retry(),
            Effect::GiveUp => self.waiting = None,
            Effect::Refresh => self.refresh(false),
            Effect::Diff { key, old, new } => self.outer.push(Outer::Diff { key, old, new }),
            Effect::Shelf(wish) if wish.can_wait() => {
                // Of what is looked at, only the newest counts.
                let gone = |waits: &Effect| matches!(waits, Effect::Shelf(w) if wish.replaces(w));
                self.later.retain(|waits| !gone(waits));
                self.later.push_back(Effect::Shelf(wish));
            }
            Effect::Shelf(wish) => self.grant(&wish),
            Effect::Copy(text) => self.outer.push(Outer::Copy(text)),
            Effect::Suspend => self.outer.push(Outer::Suspend),
            Effect::Redraw => {
                self.refresh(false);
                self.look();
                self.outer.push(Outer::Redraw);
            }
            Effect::Leave => self.ask_to_leave(),
            Effect::Quit => self.outer.push(Outer::Quit),
        }
    }

    fn grant(&mut self, wish: &Wish) {
        match wish {
            Wish::ApplyReverse(reverse) => self.apply_reverse(reverse),
            wish => {
                if let Some(msg) = self.hands.grant(wish) {
                    self.send(msg);
                }
            }
        }
    }

    fn tell(&mut self, event: Event) {
        self.send(Msg::Review(event));
    }

    fn for_review(&mut self, effect: review::Effect) {
        use review::Effect as Asked;
        match effect {
            Asked::Load(proposal) => match self.hands.open(&proposal) {
                Ok(item) => self.tell(Event::Opened(Box::new(item))),
                Err(why) => {
                    let mut drafts = self.drafts();
                    drafts.retain(|(change, _)| change.proposal == proposal);
                    self.tell(Event::Closed { proposal });
                    self.tell(Event::Failed(why.clone()));
                    for (_, text) in drafts {
                        self.keep(&why, text);
                    }
                }
            },
            Asked::Undo { proposal, times } => self.replay(proposal, times, false),
            Asked::Redo { proposal, times } => self.replay(proposal, times, true),
            Asked::Judge(proposal) => self.judge(proposal),
            Asked::Plan(proposal) => {
                let Some(item) = self.app.review.item(&proposal) else {
                    return;
                };
                match self.hands.plan(item) {
                    Err(why) => self.read_again(proposal, why),
                    sheet => self.tell(Event::Planned { proposal, sheet }),
                }
            }
            Asked::Apply { proposal, because } => self.apply(proposal, because),
            Asked::Discard(proposal) => {
                let done = self.hands.discard(&proposal);
                self.closed(proposal, done, "discarded");
            }
            Asked::Return { proposal, note } => {
                let done = self.hands.give_back(&proposal, &note);
                self.closed(proposal, done, "given back");
            }
            // Decisions are kept where they were made, before anything else: [`Engine::send`].
            Asked::SaveDecision { .. }
            | Asked::Edit(_)
            | Asked::ReadOn(_)
            | Asked::Show(_)
            | Asked::Quit => {}
        }
    }

    fn judge(&mut self, proposal: ProposalId) {
        let Some(item) = self.app.review.item(&proposal) else {
            return;
        };
        match self.hands.judge(item) {
            Ok(judged) => self.tell(Event::Judged { proposal, judged }),
            Err(why) => self.tell(Event::Failed(format!("the checks did not run: {why}"))),
        }
    }

    fn replay(&mut self, proposal: ProposalId, times: usize, again: bool) {
        match self.hands.replay(&proposal, times, again) {
            Ok(()) => self.reload(proposal),
            Err(why) => self.read_again(proposal, why),
        }
    }

    fn reload(&mut self, proposal: ProposalId) {
        match self.hands.decisions(&proposal) {
            Ok(decisions) => self.tell(Event::Decisions {
                proposal,
                decisions,
            }),
            Err(why) => self.tell(Event::Failed(why)),
        }
    }

    /// Has something edited, in the editor. Called while the terminal is the editor's.
    pub fn edit(&mut self, what: Editing) {
        let change = match what {
            Editing::Change(change) => change,
            Editing::Entry(project, entry) => return self.edit_entry(project, entry),
        };
        let Some(item) = self.app.review.item(&change.proposal) else {
            return;
        };
        let text = self.hands.edit(item, change.n);
        self.edited(change, text);
    }

    fn edit_entry(&mut self, project: ProjectId, entry: EntryId) {
        let begun = self.app.shelf.typed.get(&entry).cloned();
        match self.hands.edit_entry(&project, &entry, begun.as_deref()) {
            Ok(text) => self.own(project, entry, text),
            Err(why) => self.send(Msg::Shelf(Heard::NotWritten(why))),
        }
    }

    /// Stages what a person made of an entry. What is not taken is gone on from where the entry still
    /// stands, else put aside.
    fn own(&mut self, project: ProjectId, entry: EntryId, text: String) {
        let (text, objection) = self.hands.vetted(text);
        let why = match objection {
            Some(why) => why,
            None => {
                let (of, text) = (entry.clone(), text.clone());
                let entry = entry.clone();
                let wish = apply::Wish::Edit { entry, text };
                match self.hands.grant(&Wish::Own(project.clone(), wish)) {
                    Some(Msg::Shelf(Heard::NotWritten(why))) => why,
                    Some(Msg::Say(why)) => why,
                    staged => {
                        self.app.shelf.typed.remove(&of);
                        return staged.into_iter().for_each(|msg| self.send(msg));
                    }
                }
            }
        };
        let stands = self.hands.grant(&Wish::EntryText(project, entry.clone()));
        if !matches!(stands, Some(Msg::Shelf(Heard::EntryText(.., Ok(_))))) {
            self.app.shelf.typed.remove(&entry);
            return self.keep(&why, text);
        }
        self.app.shelf.typed.insert(entry, text);
        let said = format!("not taken: {why}; e and i go on from your text");
        self.send(Msg::Shelf(Heard::NotWritten(said)));
    }

    /// Judges a text that a person made of a change, and tells the review.
    fn edited(&mut self, change: ChangeRef, text: Result<String, String>) {
        let item = self.app.review.item(&change.proposal);
        let item = item.filter(|item| item.change(change.n).is_some());
        let Some(item) = item else {
            return match text {
                Ok(text) => self.keep(GONE, text),
                Err(why) => self.tell(Event::Failed(why)),
            };
        };
        let edit = text.map(|text| self.hands.edited(item, change.n, text));
        self.tell(Event::Edited { change, edit });
    }

    fn apply(&mut self, proposal: ProposalId, because: Option<String>) {
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

    /// Accepts what of a reverse stands against nothing, and applies it as it was shown.
    fn apply_reverse(&mut self, reverse: &Reverse) {
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

    fn accept_reverse(&mut self, reverse: &Reverse) -> Result<(), String> {
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

    fn stop_waiting(&mut self) {
        self.waiting = None;
        self.app
            .overlays
            .retain(|o| !matches!(o, Overlay::Waiting { .. }));
    }

    fn retry(&mut self) {
        if let Some((proposal, because)) = self.waiting.take() {
            self.apply(proposal, because);
        }
    }

    fn closed(&mut self, proposal: ProposalId, done: Result<(), String>, what: &str) {
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
