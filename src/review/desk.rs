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

/// Why a text that was typed goes nowhere when the review ends.
pub const NOT_TAKEN: &str = "what you typed was not taken";

/// What is said of a text whose change was decided elsewhere while it was typed.
///
/// # Errors
/// The same, of a text that nothing could be written of: [`last_words`] has it.
pub fn kept(desk: &mut (impl Desk + ?Sized), why: &str, text: String) -> Result<String, String> {
    match desk.keep(text) {
        Ok(place) => Ok(format!("{why}; your text is kept in {place}")),
        Err(not) => Err(format!(
            "{why}; your text could not be kept: {not}; it is printed when the review ends"
        )),
    }
}

/// The last lines on what was typed and is taken nowhere, with what could not be kept before: where each
/// text is, or else the text itself.
pub fn last_words(desk: &mut (impl Desk + ?Sized), why: &str, texts: Vec<String>) -> Vec<String> {
    let mut all = desk.unkept();
    all.extend(texts);
    let mut lines = Vec::new();
    for text in all {
        match desk.keep(text) {
            Ok(place) => lines.push(format!("{why}; your text is kept in {place}")),
            Err(not) => {
                let said = format!("{why}; your text could not be kept: {not}; this is it:");
                lines.push(said);
                let texts = desk.unkept();
                let rows = texts.iter().flat_map(|text| text.split('\n'));
                lines.extend(rows.map(|row| format!("  | {row}")));
            }
        }
    }
    lines
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
    /// What it cannot keep is handed out by [`Desk::unkept`].
    fn keep(&mut self, _text: String) -> Result<String, String> {
        Err("nothing is kept here".to_owned())
    }
    /// The texts that could not be kept so far, without their secrets; each is handed out once.
    fn unkept(&mut self) -> Vec<String> {
        Vec::new()
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
