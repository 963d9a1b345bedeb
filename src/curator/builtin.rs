//! The curator without a model: it only quotes.
//!
//! Picks, by cue and place, the few sentences of a digest that a person would want to keep:
//! what the user labelled, decisions, mistakes with their cause and fix, open ends, facts, inbox notes. Every change cites
//! the lines it quotes. Pure and deterministic; never asks, guesses or rewords, and never rests on
//! tool output alone.

mod candidate;
mod commands;
mod cues;
mod decisions;
mod facts;
mod labelled;
mod mistakes;
mod notes;
mod prose;
mod quote;
mod session;
mod todos;

use super::{ChangesReply, PromptEntry, ProposedChange};
use crate::digest::Digest;
use candidate::Candidate;
use session::Session;

/// At most this many changes from one session.
const PER_SESSION: usize = 8;
/// At most this many changes in all, inbox notes left aside.
const IN_ALL: usize = 24;

/// The changes that this digest calls for, best first in each session; none that memory already
/// holds.
#[must_use]
pub fn curate(digest: &Digest, entries: &[PromptEntry]) -> ChangesReply {
    let mut chosen = Vec::new();
    let mut done: Vec<ProposedChange> = Vec::new();
    for session in Session::all(digest) {
        let found = candidates(&session);
        let room = PER_SESSION.min(IN_ALL.saturating_sub(chosen.len()));
        candidate::choose(found, entries, room, &mut chosen);
        for change in todos::done(&session, entries) {
            if !done.iter().any(|d| same_target(d, &change)) {
                done.push(change);
            }
        }
    }
    let mut kept = Vec::new();
    candidate::choose(notes::find(digest), entries, notes::MAX, &mut kept);
    kept.append(&mut chosen);
    ChangesReply {
        summary: summary(&kept, done.len()),
        changes: kept
            .into_iter()
            .map(Candidate::into_change)
            .chain(done)
            .collect(),
        stripped: Vec::new(),
    }
}

fn same_target(a: &ProposedChange, b: &ProposedChange) -> bool {
    match (a, b) {
        (ProposedChange::Archive { entry: a, .. }, ProposedChange::Archive { entry: b, .. }) => {
            a == b
        }
        _ => false,
    }
}

fn candidates(session: &Session) -> Vec<Candidate> {
    let mut found = labelled::find(session);
    found.extend(decisions::find(session));
    found.extend(mistakes::find(session));
    found.extend(todos::find(session));
    found.extend(facts::find(session));
    found
}

/// How much was found, and the best of it.
fn summary(kept: &[Candidate], done: usize) -> String {
    let quotes = crate::text::count(kept.len(), "quote", "quotes");
    let closed = crate::text::count(done, "todo is done", "todos are done");
    match (kept.iter().max_by_key(|c| c.score), done) {
        (None, 0) => "nothing worth keeping found".to_owned(),
        (None, _) => closed,
        (Some(best), 0) => format!("{quotes}, first of all: {}", best.title()),
        (Some(best), _) => format!("{quotes}, first of all: {}; {closed}", best.title()),
    }
}

#[cfg(test)]
mod tests;
