//! Where a reader hands its turns on to.

use super::Turn;

/// Takes the turns of a source, in file order.
pub trait Sink {
    /// Takes a turn. Of two with one id the longer stands, where the first one stood.
    /// Says whether the id is new.
    fn take(&mut self, turn: Turn) -> bool;

    /// Marks turns that were taken before: the user went back from them.
    fn abandon(&mut self, source: &str, is_abandoned: &dyn Fn(&str) -> bool);

    /// Whether it wants to be told what stands in a session without being material.
    fn listens(&self) -> bool {
        false
    }

    /// Is told words that are no turn's, but neither the user's nor the assistant's: the model may
    /// have read them.
    fn hear(&mut self, _words: &str) {}
}

/// The turns themselves, for sources known to be small.
impl Sink for Vec<Turn> {
    fn take(&mut self, turn: Turn) -> bool {
        let same = self
            .iter_mut()
            .find(|t| t.id.is_some() && t.id == turn.id && t.role == turn.role);
        let Some(old) = same else {
            self.push(turn);
            return true;
        };
        if turn.text.unredacted().len() > old.text.unredacted().len() {
            *old = turn;
        }
        false
    }

    fn abandon(&mut self, source: &str, is_abandoned: &dyn Fn(&str) -> bool) {
        for turn in self.iter_mut().filter(|t| t.place.source == source) {
            turn.abandoned |= turn
                .id
                .as_deref()
                .is_some_and(|id| is_abandoned(row_id(id)));
        }
    }
}

/// The id of the row that a part's id (`row#part`) belongs to.
#[must_use]
pub(crate) fn row_id(id: &str) -> &str {
    id.rsplit_once('#').map_or(id, |(row, _)| row)
}
