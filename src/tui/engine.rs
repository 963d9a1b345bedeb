//! Carries out what the screen asks for, and tells it what came of it.
//!
//! No terminal here: what needs one (the editor, a stop, the clipboard) is handed to whoever owns
//! it. Work that may take a while and changes nothing waits until no key does.

mod applying;
mod typed;

use super::app::App;
use super::hands::Hands;
use super::msg::{Editing, Effect, Msg};
use super::shelf::{Heard, Wish};
use super::update::update;
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::{self, Edit, Event};
use jiff::Timestamp;
use std::collections::{BTreeSet, VecDeque};

/// How often it is looked whether something changed elsewhere, in milliseconds.
const LOOK: u64 = 1_000;
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
                self.keep(typed::GONE, text);
            }
        }
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
}
