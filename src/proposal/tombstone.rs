//! What a person's no leaves behind, and what it is held against.

use super::Substance;
use crate::digest::Line;
use crate::id::ProposalId;
use crate::memory::MemoryFile;
use crate::text::shared_words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How many of its words a statement shares with a rejected one to resemble it.
const RESEMBLES: f64 = 0.8;

/// So many words that carry meaning are shared at least: two texts of a word or two are no likeness.
const ENOUGH: usize = 2;

/// What remains of a change that a person rejected: the same statement from the same material is
/// not proposed again, a similar one is flagged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The file it was proposed for.
    pub file: MemoryFile,
    /// Its text, as it was proposed.
    pub text: String,
    /// Its normal form ([`crate::text::statement`]).
    pub statement: String,
    /// The sources of the proposal it stood in.
    pub sources: Vec<String>,
    /// The proposal it stood in.
    pub proposal: ProposalId,
    /// When it was rejected.
    pub at: Timestamp,
}

impl Tombstone {
    /// Stands among [`Tombstone::sources`] for every source there is: of what a person took back,
    /// only what is said later is news. No path reads like this.
    pub const EVERY: &str = "*";

    /// Whether a text says the same.
    #[must_use]
    pub fn is_said_by(&self, text: &str) -> bool {
        !self.statement.is_empty() && crate::text::statement(text) == self.statement
    }

    /// Whether a text says nearly the same, under whatever heading.
    #[must_use]
    pub fn resembles(&self, text: &str) -> bool {
        let (own, its) = (below_headings(&self.text), below_headings(text));
        !self.statement.is_empty() && (is_near(&self.text, text) || is_near(&own, &its))
    }

    /// Whether a line is material that the rejected change did not have: from another source, or
    /// later than the rejection.
    #[must_use]
    pub fn is_news(&self, line: &Line) -> bool {
        let is_known = |s: &String| *s == line.place.source || s == Self::EVERY;
        !self.sources.iter().any(is_known) || line.at.is_some_and(|at| at > self.at)
    }
}

/// Whether two texts share most of their words, or of what carries meaning in them.
fn is_near(a: &str, b: &str) -> bool {
    let by_words = shared_words(a, b).min(shared_words(b, a)) >= RESEMBLES;
    let (own, its) = (Substance::of(a), Substance::of(b));
    let shared = own.shared(&its);
    let longer = own.len().max(its.len()) as f64;
    shared >= ENOUGH && (by_words || shared as f64 >= RESEMBLES * longer)
}

/// What an entry says below its headings; of one that is a heading alone, that.
fn below_headings(text: &str) -> String {
    let is_heading = |line: &&str| line.trim_start().starts_with('#');
    let below: Vec<&str> = text.lines().filter(|l| !is_heading(l)).collect();
    match below.iter().all(|l| l.trim().is_empty()) {
        true => text.to_owned(),
        false => below.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_rejected_is_known_again_under_another_heading_and_in_other_words() {
        let text = "### Events\n\nWe will use Kafka for events.";
        let tombstone = Tombstone {
            file: MemoryFile::Decisions,
            text: text.into(),
            statement: crate::text::statement(text),
            sources: Vec::new(),
            proposal: "0badcafe".parse().unwrap(),
            at: Timestamp::UNIX_EPOCH,
        };
        for same in [
            "### Event bus\n\nWe will use Kafka for all events.",
            "- We will use Kafka for events, then.",
            "### Events and queues\n\nFor the events, Kafka will be used.",
        ] {
            assert!(tombstone.resembles(same), "{same}");
        }
        for other in [
            "### Events\n\nThe outbox keeps them until the broker answers.",
            "- We will use NATS for jobs.",
            "### Events",
            "",
        ] {
            assert!(!tombstone.resembles(other), "{other}");
        }
    }
}
