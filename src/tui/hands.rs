//! What the screen needs done: the review's desk, and what the other views ask.

use super::msg::Msg;
use super::shelf::Wish;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::review::desk::Desk;

/// What changed since it was looked at last, by whomever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// The queue or a journal.
    pub queue: bool,
    /// Memory of the project whose proposal was opened last.
    pub memory: bool,
    /// Proposals that read otherwise than they were shown.
    pub turned: Vec<ProposalId>,
}

/// Acts for the screen. Errors are sentences for the person.
pub trait Hands: Desk {
    /// What changed elsewhere since the last call. Cheap: it is asked every second.
    fn watch(&mut self) -> Seen;

    /// Whether a text that was typed may be kept: the journal keeps every decision for good.
    ///
    /// # Errors
    /// What speaks against it.
    fn check_text(&mut self, text: &str) -> Result<(), String>;

    /// What a person made of an entry in their editor; it began with a text of theirs, else with what
    /// stands.
    ///
    /// # Errors
    /// Why there is nothing. A text that was typed is kept, and the sentence says where.
    fn edit_entry(
        &mut self,
        _project: &ProjectId,
        _entry: &EntryId,
        _begun: Option<&str>,
    ) -> Result<String, String> {
        Err("no editor is started here".to_owned())
    }

    /// Does what a view asks; the message tells it what came of it.
    fn grant(&mut self, wish: &Wish) -> Option<Msg>;
}
