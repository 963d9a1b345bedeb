//! How a rule finds its words. Linear in the text.

use super::Negation::{self, Before, Sentence};
use super::Order;
use super::Shape::{Ends, Near, Then};
use crate::guard::lexicon::*;
use crate::guard::speech::Token;
use std::ops::Range;

impl Order {
    pub(super) fn find(&self, tokens: &[Token], met: Concepts) -> Option<Range<usize>> {
        let found = match self.shape {
            Near(all, within) => all
                .iter()
                .all(|c| c & met != 0)
                .then(|| self.near(tokens, all, within)),
            Then(steps) | Ends(steps) => steps
                .iter()
                .all(|(c, _)| c & met != 0)
                .then(|| self.then(tokens, steps)),
        };
        found.flatten()
    }

    fn near(&self, tokens: &[Token], all: &[Concepts], within: u32) -> Option<Range<usize>> {
        let mut last: Vec<Option<usize>> = vec![None; all.len()];
        for (n, token) in tokens.iter().enumerate().filter(|(_, t)| t.means != 0) {
            let mut is_met = false;
            for (concepts, last) in all.iter().zip(&mut last) {
                if token.means & concepts != 0 {
                    (*last, is_met) = (Some(n), true);
                }
            }
            if !is_met {
                continue;
            }
            let places: Option<Vec<usize>> = last.iter().copied().collect();
            let Some(places) = places else { continue };
            let (from, to) = (places.iter().min().copied()?, places.iter().max().copied()?);
            let is_apart = places[1..].iter().all(|p| *p != places[0]);
            let is_near = tokens[to].place.saturating_sub(tokens[from].until) <= within;
            if is_apart && is_near && !self.is_taken_back(tokens, places[0], from, to) {
                return Some(tokens[from].at.start..tokens[to].at.end);
            }
        }
        None
    }

    fn then(&self, tokens: &[Token], steps: &[(Concepts, u32)]) -> Option<Range<usize>> {
        // Of each step: where the chain up to it began, and where it stands now.
        let mut chains: Vec<Option<(usize, usize)>> = vec![None; steps.len()];
        for (n, token) in tokens.iter().enumerate().filter(|(_, t)| t.means != 0) {
            for step in (0..steps.len()).rev() {
                let (concepts, gap) = steps[step];
                if token.means & concepts == 0 {
                    continue;
                }
                if step == 0 {
                    if self.negation != Negation::None && self.is_taken_back(tokens, n, n, n) {
                        continue;
                    }
                    chains[0] = Some((n, n));
                } else if let Some((from, before)) = chains[step - 1]
                    && token.place.saturating_sub(tokens[before].until) <= gap
                    && (step + 1 < steps.len() || self.is_order(tokens, n))
                {
                    chains[step] = Some((from, n));
                }
            }
            if let Some((from, to)) = chains.last().copied().flatten()
                && to == n
                && !self.is_taken_back(tokens, from, from, to)
            {
                return Some(tokens[from].at.start..tokens[to].at.end);
            }
        }
        None
    }

    /// Whether the last word is an order, where the rule asks for one.
    fn is_order(&self, tokens: &[Token], n: usize) -> bool {
        !matches!(self.shape, Ends(_)) || is_order(tokens, n) || tokens[n].means & BE != 0
    }

    fn is_taken_back(&self, tokens: &[Token], verb: usize, from: usize, to: usize) -> bool {
        let (place, sentence) = (tokens[verb].place, tokens[verb].sentence);
        let within = match self.negation {
            Negation::None => return false,
            Before(words) => words,
            Sentence => u32::MAX,
        };
        let mut before = tokens[..verb].iter().rev().take(40);
        let negated = before.any(|t| {
            t.means & NEVER != 0
                && t.sentence == sentence
                && place.saturating_sub(t.until) <= within
        });
        let end = &tokens[to];
        let mut behind = tokens[from..].iter().take(to - from + 6);
        negated
            || behind.any(|t| {
                t.means & FORBID != 0 && t.clause == end.clause && t.place <= end.until + 5
            })
    }
}

/// An order's verb begins its clause, or follows the adverb that does.
fn is_order(tokens: &[Token], n: usize) -> bool {
    let before = n.checked_sub(1).map(|b| &tokens[b]);
    let first_before = before.is_some_and(|b| b.is_first && b.clause == tokens[n].clause);
    tokens[n].is_first || first_before
}
