//! The hands of a review: what it does to the journal, the guardrails, the editor and memory.

use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::review::{ChangeRef, Edit, Item, Judged, Sheet, Waiting};
use std::collections::BTreeMap;

/// Decisions by change number.
pub type Decisions = BTreeMap<u32, Decision>;

/// What an apply came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// Numbers of the changes that remain undecided.
    pub left: Vec<u32>,
    /// One line for the person.
    pub said: String,
    /// What went wrong after the decision held.
    pub warnings: Vec<String>,
    /// Whether other proposals left the queue or came into it with this.
    pub requeue: bool,
}

/// Why an apply came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotDone {
    /// A sentence for the person.
    pub why: String,
    /// Another memd writes to this memory just now; the same apply may be tried again.
    pub busy: bool,
}

impl From<String> for NotDone {
    fn from(why: String) -> Self {
        Self { why, busy: false }
    }
}

/// What is said of a text whose change was decided elsewhere while it was typed.
pub fn kept(desk: &mut (impl Desk + ?Sized), why: &str, text: String) -> String {
    match desk.keep(text) {
        Ok(place) => format!("{why}; your text is kept in {place}"),
        Err(not) => format!("{why}; your text could not be kept: {not}"),
    }
}

/// Carries out a review's effects. Errors are sentences for the person.
pub trait Desk {
    /// What can be decided on now, unread.
    fn queue(&mut self) -> Result<Vec<Waiting>, String>;
    /// Proposals that read otherwise by now than they were opened here. Cheap while nothing is written
    /// elsewhere.
    fn turned(&mut self) -> Vec<ProposalId> {
        Vec::new()
    }
    /// Reads a proposal's changes.
    fn open(&mut self, proposal: &ProposalId) -> Result<Item, String>;
    /// Appends a decision to the journal.
    fn save(&mut self, change: &ChangeRef, decision: &Decision) -> Result<(), String>;
    /// Takes the last `times` decisions back, or does them again.
    fn replay(&mut self, proposal: &ProposalId, times: usize, again: bool) -> Result<(), String>;
    /// The journal's decisions as they stand.
    fn decisions(&mut self, proposal: &ProposalId) -> Result<Decisions, String>;
    /// What the guardrails say now.
    fn judge(&mut self, item: &Item) -> Result<Judged, String>;
    /// What may be kept of a text that was typed for a change: all of it; or the same with its secrets
    /// hidden, and why it is not taken like that.
    fn vetted(&mut self, text: String) -> (String, Option<String>) {
        (text, None)
    }
    /// The text a person made of a change in their editor, not [`Desk::vetted`] yet.
    fn edit(&mut self, item: &Item, n: u32) -> Result<String, String>;
    /// A text that a person made of a change, judged.
    fn edited(&mut self, item: &Item, n: u32, text: String) -> Edit {
        let (text, why) = self.vetted(text);
        if let Some(why) = why {
            let judged = Err(why);
            return Edit { text, judged };
        }
        let mut tried = item.clone();
        tried.decisions.insert(n, Decision::Edited(text.clone()));
        let judged = self.judge(&tried);
        let judged = judged.map_err(|why| format!("the checks did not run: {why}"));
        Edit { text, judged }
    }
    /// Keeps a text that was typed for a change which is no longer there, without its secrets: where.
    fn keep(&mut self, _text: String) -> Result<String, String> {
        Err("nothing is kept here".to_owned())
    }
    /// What applying would write. The plan is kept for [`Desk::apply`].
    fn plan(&mut self, item: &Item) -> Result<Sheet, String>;
    /// Writes what the last plan of this proposal showed. The plan is kept when memory is busy.
    fn apply(&mut self, item: &Item, because: Option<&str>) -> Result<Done, NotDone>;
    /// Consumes the spans and keeps nothing.
    fn discard(&mut self, proposal: &ProposalId) -> Result<(), String>;
    /// Frees the spans and keeps the note for the curator.
    fn give_back(&mut self, proposal: &ProposalId, note: &str) -> Result<(), String>;
    /// Stages the reverse of the whole apply that an offer is about: the reverse, and the queue as
    /// it is with it.
    fn reverse_all(&mut self, _offer: &Item) -> Result<(ProposalId, Vec<Waiting>), String> {
        Err("nothing is staged here".to_owned())
    }
}
