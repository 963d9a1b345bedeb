//! What each letter means in the line review. One table: prompt, help and dispatch agree.

use super::screen::Screen;
use crate::proposal::Decision;
use crate::review::{Action, Item, Model};
use std::io;

/// What a typed line means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    Do(Action),
    Help,
    /// Print the current change again.
    Again,
    /// Asks for the note first.
    Return,
    /// Lists what was hidden.
    Hidden,
    /// Asks for a text that is a secret.
    AlsoSecret,
    /// Reverses the whole apply that is offered for review.
    ReverseAll,
}

/// A letter, what it does, and whether the prompt names it.
struct Row {
    letter: &'static str,
    key: Key,
    named: bool,
    help: &'static str,
}

const fn row(letter: &'static str, key: Key, named: bool, help: &'static str) -> Row {
    Row {
        letter,
        key,
        named,
        help,
    }
}

const KEYS: [Row; 24] = [
    row("a", Key::Do(Action::Accept), true, "accept this change"),
    row(
        "r",
        Key::Do(Action::Reject),
        true,
        "reject it: memory stays as it is; of a hand edit, what was accepted is restored and what nobody let in is taken out of its file; what was applied unattended is taken back",
    ),
    row(
        "v",
        Key::ReverseAll,
        true,
        "of what was applied unattended: show the reverse of the whole apply; then y applies what is not flagged",
    ),
    row("s", Key::Do(Action::Skip), true, "skip: decide later"),
    row(
        "e",
        Key::Do(Action::Edit),
        true,
        "edit it in $VISUAL or $EDITOR; saved, it is accepted as edited",
    ),
    row("u", Key::Do(Action::Undo), true, "undo the last decision"),
    row("U", Key::Do(Action::Redo), false, "do it again"),
    row(
        "x",
        Key::Do(Action::Clear),
        false,
        "take the decision on this change back",
    ),
    row(
        "b",
        Key::Do(Action::Back),
        true,
        "back to the change before, decided or not",
    ),
    row("[", Key::Do(Action::Back), false, "the same"),
    row(
        "]",
        Key::Do(Action::Next),
        false,
        "on to the next change, decided or not",
    ),
    row(
        ")",
        Key::Do(Action::NextProposal),
        true,
        "on to the next proposal",
    ),
    row(
        "(",
        Key::Do(Action::PreviousProposal),
        false,
        "the proposal before",
    ),
    row("p", Key::Again, false, "print this change again"),
    row(
        "A",
        Key::Do(Action::AcceptAll),
        true,
        "accept all undecided changes that are not flagged: shows what was not shown, asks",
    ),
    row(
        "w",
        Key::Do(Action::OpenSheet),
        true,
        "show what applying writes; asks",
    ),
    row(
        "R",
        Key::Do(Action::RejectAll),
        false,
        "reject every change of the proposal; asks",
    ),
    row(
        "D",
        Key::Do(Action::Discard),
        true,
        "discard the whole proposal; asks",
    ),
    row(
        "B",
        Key::Return,
        true,
        "give the whole proposal back with a note to the curator; asks",
    ),
    row(
        "q",
        Key::Do(Action::Quit),
        true,
        "leave; decisions are kept",
    ),
    row("Q", Key::Do(Action::Quit), false, "the same"),
    row(
        "h",
        Key::Hidden,
        true,
        "what was hidden, by secret: its places, and what you say of it",
    ),
    row(
        "*",
        Key::AlsoSecret,
        true,
        "type a text that is a secret, unseen: it is hidden from then on; asks",
    ),
    row("?", Key::Help, true, "this list"),
];

/// What a line means; only a single letter means anything.
pub(super) fn key(line: &str) -> Result<Key, String> {
    let typed = line.trim();
    if typed.is_empty() {
        return Err("Enter alone decides nothing; ? lists the keys".to_owned());
    }
    KEYS.iter()
        .find(|row| row.letter == typed)
        .map(|row| row.key.clone())
        .ok_or_else(|| format!("{typed:?} is no key here: one letter, then Enter; ? lists them"))
}

/// The prompt: the current decision and the letters that make sense now.
pub(super) fn prompt(model: &Model) -> String {
    let change = model.current.as_ref().zip(model.current_item());
    let blocked = change.is_some_and(|(c, item)| item.block(c.n).is_some());
    let item = model.current_item();
    let sensible = |row: &&Row| {
        let now = match row.letter {
            "a" => change.is_some() && !blocked,
            "r" | "s" | "e" => change.is_some(),
            "v" => item.is_some_and(Item::takes_back),
            "u" | "b" => item.is_some_and(|i| !i.order.is_empty()),
            "A" => item.is_some_and(|i| !i.clean().is_empty()),
            "B" => item.is_some_and(|i| i.why_not_given_back().is_none()),
            ")" => model.queue.len() > 1,
            "h" => item.is_some_and(|i| !i.proposal.hits.is_empty()),
            _ => true,
        };
        row.named && now
    };
    let letters: Vec<_> = KEYS.iter().filter(sensible).map(|r| r.letter).collect();
    let decided = match change.map(|(c, item)| item.decision(c.n)) {
        None | Some(Decision::Undecided) => "",
        Some(Decision::Accepted) => "accepted ",
        Some(Decision::Edited(_)) => "accepted as edited ",
        Some(Decision::Rejected) => "rejected ",
    };
    format!("{decided}[{}]", letters.join(","))
}

/// Every key, one a line.
pub(super) fn help(screen: &mut Screen<'_>) -> io::Result<()> {
    KEYS.iter()
        .try_for_each(|row| screen.say(&format!("  {}  {}", row.letter, row.help)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_in_the_docs_and_none_is_two() {
        let docs = include_str!("../../../docs/review.md");
        for (at, row) in KEYS.iter().enumerate() {
            assert!(
                docs.contains(&format!("`{}`", row.letter)),
                "{}",
                row.letter
            );
            assert!(KEYS.iter().skip(at + 1).all(|r| r.letter != row.letter));
            assert_eq!(key(&format!(" {} ", row.letter)).unwrap(), row.key);
        }
    }
}
