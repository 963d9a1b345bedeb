//! Carries out what the screen asks for, and tells it what came of it.
//!
//! No terminal here: what needs one (the editor, a stop, the clipboard) is handed to whoever owns
//! it. Work that may take a while and changes nothing waits until no key does.

use super::app::App;
use super::hands::Hands;
use super::msg::{Effect, Msg};
use super::overlay::Overlay;
use super::update::update;
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::desk::NotDone;
use crate::review::{self, ChangeRef, Edit, Event};
use jiff::Timestamp;
use std::collections::VecDeque;

/// How often it is looked whether something changed elsewhere, in milliseconds.
const LOOK: u64 = 1_000;
/// How often an apply that found memory busy is tried again, in milliseconds.
const AGAIN: u64 = 200;

/// What only the owner of the terminal can do.
#[derive(Debug, Clone)]
pub enum Outer {
    /// Leave the screen and have the change edited: [`Engine::edit`].
    Edit(ChangeRef),
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
    later: VecDeque<review::Effect>,
    outer: Vec<Outer>,
    /// The apply that waits for another memd.
    waiting: Option<(ProposalId, Option<String>)>,
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
            looked: 0,
            tried: 0,
        }
    }

    /// Reads the queue.
    pub fn start(&mut self) {
        self.refresh(false);
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
        let mut effects: VecDeque<Effect> = update(&mut self.app, msg).into();
        while let Some(effect) = effects.pop_front() {
            self.carry_out(effect);
        }
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
        if let Some(effect) = self.later.pop_front() {
            self.for_review(effect);
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
        seen.queue || seen.memory
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            // Judging may take a while; the decision itself is on the screen at once.
            Effect::Review(review::Effect::Judge(id)) => {
                let judge = review::Effect::Judge(id);
                self.later.retain(|waits| *waits != judge);
                self.later.push_back(judge);
            }
            Effect::Review(review::Effect::Edit(change)) => self.outer.push(Outer::Edit(change)),
            Effect::Review(effect) => self.for_review(effect),
            Effect::Edited(change, text) => {
                let text = self.hands.check_text(&text).map(|()| text);
                self.edited(change, text);
            }
            Effect::Retry => self.retry(),
            Effect::GiveUp => self.waiting = None,
            Effect::Refresh => self.refresh(false),
            Effect::Diff { key, old, new } => self.outer.push(Outer::Diff { key, old, new }),
            Effect::Shelf(wish) => {
                if let Some(msg) = self.hands.grant(&wish) {
                    self.send(msg);
                }
            }
            Effect::Copy(text) => self.outer.push(Outer::Copy(text)),
            Effect::Suspend => self.outer.push(Outer::Suspend),
            Effect::Redraw => {
                self.refresh(false);
                self.look();
                self.outer.push(Outer::Redraw);
            }
            Effect::Quit => self.outer.push(Outer::Quit),
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
                    self.tell(Event::Closed { proposal });
                    self.tell(Event::Failed(why));
                }
            },
            Asked::SaveDecision { change, decision } => {
                if let Err(why) = self.hands.save(&change, &decision) {
                    self.reload(change.proposal);
                    self.tell(Event::Failed(why));
                }
            }
            Asked::Undo { proposal, times } => self.replay(proposal, times, false),
            Asked::Redo { proposal, times } => self.replay(proposal, times, true),
            Asked::Judge(proposal) => self.judge(proposal),
            Asked::Plan(proposal) => {
                let Some(item) = self.app.review.item(&proposal) else {
                    return;
                };
                let sheet = self.hands.plan(item);
                self.tell(Event::Planned { proposal, sheet });
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
            Asked::Edit(_) | Asked::ReadOn(_) | Asked::Show(_) | Asked::Quit => {}
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
            Err(why) => {
                self.reload(proposal);
                self.tell(Event::Failed(why));
            }
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

    /// Has a change edited, in the editor. Called while the terminal is the editor's.
    pub fn edit(&mut self, change: ChangeRef) {
        let Some(item) = self.app.review.item(&change.proposal) else {
            return;
        };
        let text = self.hands.edit(item, change.n);
        self.edited(change, text);
    }

    /// Judges a text that a person made of a change, and tells the review.
    fn edited(&mut self, change: ChangeRef, text: Result<String, String>) {
        let Some(item) = self.app.review.item(&change.proposal) else {
            return;
        };
        let edit = text.map(|text| {
            let mut tried = item.clone();
            let decision = Decision::Edited(text.clone());
            tried.decisions.insert(change.n, decision);
            let judged = self.hands.judge(&tried);
            Edit { text, judged }
        });
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
                let left = Err(why);
                self.tell(Event::Applied { proposal, left });
            }
            Ok(done) => {
                self.stop_waiting();
                let rest = !done.left.is_empty();
                let left = Ok(done.left);
                let id = proposal.clone();
                self.tell(Event::Applied { proposal, left });
                // A decision whose target had moved on is void: the journal knows.
                if rest {
                    self.reload(id);
                }
                self.send(Msg::Done(done.said, done.warnings));
            }
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
