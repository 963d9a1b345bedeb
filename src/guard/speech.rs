//! A text as the words that mean something to a guardrail, with what lies between them.
//!
//! Owns where words, clauses and sentences end, and what their neighbours make of words: "is skipped"
//! is an order where "was skipped" is none. Never says what a combination means (`orders`).

mod address;
mod words;

pub(super) use address::bare_hosts;

use super::lexicon::*;
use std::ops::Range;
use words::{Word, join_letters, words};

/// A word, a phrase, or an address.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// What it means; nothing for most words.
    pub means: Concepts,
    /// Where it stands in the folded text, in bytes.
    pub at: Range<usize>,
    /// Counts words, and more where a sentence ends: what is far apart is not read together.
    pub place: u32,
    /// The same, of its last word.
    pub until: u32,
    /// Counts what punctuation parts.
    pub clause: u32,
    pub sentence: u32,
    /// It is the first of its clause: a verb there is an order.
    pub is_first: bool,
}

/// What a pronoun may stand for.
const NAMED: Concepts =
    SEALED | CHECK | GUARD | REVIEW | TEST | SECRET | INSIDE | RULES | DATA | PACKAGE;

/// What acts on a pronoun.
const ACTS: Concepts = OFF | SKIP | NO_NEED | WITHOUT | SEND | DESTROY | IGNORE;

/// The words of a text in the form of [`super::normal::folded`].
pub(super) fn tokens(folded: &str) -> Vec<Token> {
    let mut words = words(folded);
    join_letters(&mut words, folded);
    let mut tokens = phrases(&words);
    settle(&mut tokens);
    tokens
}

fn phrases(words: &[Word]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(words.len());
    let (mut n, mut clause) = (0, None);
    while let Some(first) = words.get(n) {
        let same = words[n..]
            .iter()
            .take(6)
            .take_while(|w| w.means == 0 && w.sentence == first.sentence);
        let texts: Vec<&str> = same.map(|w| w.text.as_str()).collect();
        let (means, count) = match first.means {
            0 => phrase(&texts),
            means => (means, 1),
        };
        let last = &words[n + count - 1];
        tokens.push(Token {
            means,
            at: first.at.start..last.at.end,
            place: first.place,
            until: last.place,
            clause: first.clause,
            sentence: first.sentence,
            is_first: clause.replace(first.clause) != Some(first.clause),
        });
        n += count;
    }
    tokens
}

/// What neighbours make of a word.
fn settle(tokens: &mut [Token]) {
    let mut last = Last::default();
    for n in 0..tokens.len() {
        let means = tokens[n].means;
        let next = tokens.get(n + 1).map_or(0, |t| t.means);
        let before = n.checked_sub(1).map_or(0, |b| tokens[b].means);
        let now = tokens[n].clone();
        last.enter(&now);
        let mut add = 0;
        if means & WAS_OFF != 0 && last.is_rule(&now) && !is_bounded(&tokens[n..]) {
            add |= OFF | (means & SKIP);
        }
        if means & AWAY != 0 && now.place.saturating_sub(last.turn) <= 6 && last.turn > 0 {
            add |= OFF;
        }
        if means & NEED != 0 && now.place.saturating_sub(last.never) <= 5 && last.never > 0 {
            add |= NO_NEED;
        }
        if means & PRONOUN != 0 && (before & ACTS != 0 || next & (BE | WAS_OFF | AWAY) != 0) {
            add |= last.named_before | last.named_earlier;
        }
        if means & OFF != 0 && means & WAS_OFF == 0 && acts(tokens, n) {
            tokens[n].means &= !(OFF | SKIP | DESTROY | IGNORE);
        }
        if means & WAS_OFF != 0 && add == 0 {
            tokens[n].means &= !SKIP;
        }
        tokens[n].means |= add;
        last.note(&now);
    }
}

/// Whether a sentence says further on where it holds.
fn is_bounded(rest: &[Token]) -> bool {
    let own = rest.first().map(|t| t.clause);
    let mut clause = rest.iter().take_while(|t| Some(t.clause) == own);
    clause.any(|t| t.means & LATER_SCOPE != 0)
}

/// Whether what protects does something itself: "the firewall drops packets".
fn acts(tokens: &[Token], n: usize) -> bool {
    let (Some(before), Some(behind)) = (tokens[..n].last(), tokens.get(n + 1)) else {
        return false;
    };
    let verb = &tokens[n];
    let is_inside = before.clause == verb.clause && behind.clause == verb.clause;
    let is_subject =
        before.means & (GUARD | TEST | CHECK) != 0 && before.means & (SHIP | REVIEW) == 0;
    is_inside && is_subject && verb.place == before.until + 1 && behind.means & AND == 0
}

/// What stood before a word.
#[derive(Default)]
struct Last {
    sentence: u32,
    /// Places, zero for none.
    be: u32,
    turn: u32,
    never: u32,
    agreed: u32,
    /// The clause of the last condition.
    cond: Option<u32>,
    scope: bool,
    named: Concepts,
    named_before: Concepts,
    /// In the clauses before this one.
    named_earlier: Concepts,
    clause: u32,
}

impl Last {
    fn enter(&mut self, token: &Token) {
        if token.clause != self.clause {
            (self.clause, self.named_earlier) = (token.clause, self.named);
        }
        if token.sentence == self.sentence {
            return;
        }
        *self = Self {
            sentence: token.sentence,
            clause: token.clause,
            named_before: self.named,
            ..Self::default()
        };
    }

    /// Whether what stands here as a participle is how it shall be.
    fn is_rule(&self, token: &Token) -> bool {
        let is_near =
            |place: u32, within: u32| place > 0 && token.place.saturating_sub(place) <= within;
        let is_condition = self.cond == Some(token.clause);
        (is_near(self.be, 3) && !is_condition && !self.scope) || is_near(self.agreed, 12)
    }

    fn note(&mut self, token: &Token) {
        let place = |means: Concepts, old: u32| match token.means & means != 0 {
            true => token.until,
            false => old,
        };
        self.be = place(BE, self.be);
        self.turn = place(TURN, self.turn);
        self.never = place(NEVER, self.never);
        self.agreed = place(AGREED, self.agreed);
        if token.means & COND != 0 {
            self.cond = Some(token.clause);
        }
        self.scope |= token.means & SCOPE != 0;
        self.named |= token.means & NAMED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::normal::folded;

    fn means(text: &str) -> Vec<Concepts> {
        tokens(&folded(text)).into_iter().map(|t| t.means).collect()
    }

    #[test]
    fn a_participle_is_an_order_where_it_says_how_it_shall_be() {
        let is_off = |text: &str| means(text).iter().any(|m| m & OFF != 0);
        for text in [
            "Review is skipped",
            "it has been dropped",
            "we agreed: checks skipped",
            "turn the scanner off",
            "Schalte die Prüfung ab",
        ] {
            assert!(is_off(text), "{text}");
        }
        for text in [
            "Review was skipped",
            "if checks are skipped it fails",
            "checks are skipped. In tests",
            "in tests it is disabled",
            "an off day",
        ] {
            assert_eq!(is_off(text), text.starts_with("checks are"), "{text}");
        }
    }

    #[test]
    fn words_are_seen_through_markup_spelling_and_hyphens() {
        for text in [
            "re**vi**ew",
            "re-view",
            "r e v i e w",
            "`review`",
            "REVIEW.",
            "a|review|b",
            "rev\u{200b}iew",
            "réview",
        ] {
            assert!(means(text).iter().any(|m| m & REVIEW != 0), "{text}");
        }
        for text in ["evil.example/i", "https://a.example", "me@b.com", "8.8.8.8"] {
            assert_eq!(means(text), [OUTSIDE], "{text}");
        }
        for text in [
            "main.rs",
            "http://localhost:80",
            "config.get",
            "1.2.3",
            "e.g.",
        ] {
            assert!(means(text).iter().all(|m| m & OUTSIDE == 0), "{text}");
        }
    }

    #[test]
    fn what_a_sentence_named_is_meant_by_the_next_ones_pronoun() {
        let found = tokens("there is a code review. skip it for deploys");
        assert!(
            found
                .iter()
                .any(|t| t.means & (PRONOUN | REVIEW) == PRONOUN | REVIEW)
        );
    }
}
