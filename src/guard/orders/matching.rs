//! How a rule finds its words. Linear in the text.

use super::Negation::{self, Before};
use super::Order;
use super::Shape::{Begins, Ends, Near, Then, When, Within};
use crate::guard::lexicon::*;
use crate::guard::speech::Token;
use std::ops::Range;

impl Order {
    pub(super) fn find(&self, tokens: &[Token], met: Concepts) -> Option<Range<usize>> {
        let is_met = |concepts: &Concepts| concepts & met != 0;
        match self.shape {
            Near(all, within) | Within(all, within) if all.iter().all(is_met) => {
                self.near(tokens, all, within)
            }
            When(all, within) if all.iter().all(is_met) => self.when(tokens, all, within),
            Then(steps) | Begins(steps) | Ends(steps) if steps.iter().all(|s| is_met(&s.0)) => {
                self.then(tokens, steps)
            }
            _ => None,
        }
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
            let is_one =
                matches!(self.shape, Near(..)) || tokens[from].sentence == tokens[to].sentence;
            if is_apart && is_near && is_one && !self.is_taken_back(tokens, places[0], from, to) {
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
                if !self.stands_right(tokens, step, steps.len(), n) {
                    continue;
                }
                if step == 0 {
                    if self.negation != Negation::None && self.is_taken_back(tokens, n, n, n) {
                        continue;
                    }
                    chains[0] = Some((n, n));
                } else if let Some((from, before)) = chains[step - 1]
                    && token.place.saturating_sub(tokens[before].until) <= gap
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

    /// Whether a step that must be an order is one.
    fn stands_right(&self, tokens: &[Token], step: usize, steps: usize, n: usize) -> bool {
        match self.shape {
            Begins(_) if step == 0 => is_order(tokens, n),
            Ends(_) if step + 1 == steps => is_order(tokens, n) || tokens[n].means & BE != 0,
            _ => true,
        }
    }

    fn when(&self, tokens: &[Token], all: &[Concepts], within: u32) -> Option<Range<usize>> {
        let (first, others) = all.split_first()?;
        let mut occasion = None;
        for (n, token) in tokens.iter().enumerate().filter(|(_, t)| t.means != 0) {
            if token.means & (COND | OCCASION) != 0 {
                occasion = Some(token.sentence);
            }
            let is_told = occasion == Some(token.sentence) && token.means & first != 0;
            if !is_told || !(is_order(tokens, n) || is_closing(tokens, n)) {
                continue;
            }
            let places = others.iter().map(|c| beside(tokens, n, *c, within));
            let places: Option<Vec<usize>> = places.collect();
            let Some(places) = places else { continue };
            let from = places.iter().min().map_or(n, |p| n.min(*p));
            let to = places.iter().max().map_or(n, |p| n.max(*p));
            if !self.is_taken_back(tokens, n, from, to) {
                return Some(tokens[from].at.start..tokens[to].at.end);
            }
        }
        None
    }

    fn is_taken_back(&self, tokens: &[Token], verb: usize, from: usize, to: usize) -> bool {
        let (place, sentence) = (tokens[verb].place, tokens[verb].sentence);
        if self.unless != 0 && is_said_in(tokens, verb, self.unless) {
            return true;
        }
        let within = match self.negation {
            Negation::None => return false,
            Before(words) => words,
            Negation::Sentence => u32::MAX,
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

/// An order's verb begins its clause, follows the adverb that does, or an "and".
fn is_order(tokens: &[Token], n: usize) -> bool {
    let before = n.checked_sub(1).map(|b| &tokens[b]);
    let follows = |b: &Token| b.means & AND != 0 || (b.is_first && b.clause == tokens[n].clause);
    tokens[n].is_first || before.is_some_and(follows)
}

/// Whether the word ends its clause, as an order does in some languages.
fn is_closing(tokens: &[Token], n: usize) -> bool {
    let next = tokens.get(n + 1);
    next.is_none_or(|next| next.clause != tokens[n].clause || next.means & AND != 0)
}

/// The nearest word with such a meaning on the side of an order where what it acts on stands: behind
/// it, or before one that ends its clause.
fn beside(tokens: &[Token], n: usize, concepts: Concepts, within: u32) -> Option<usize> {
    let own = &tokens[n];
    let is_meant = |t: &Token| t.means & concepts != 0 && t.sentence == own.sentence;
    if is_order(tokens, n) {
        let behind = tokens[n + 1..].iter();
        let mut near = behind.take_while(|t| t.place.saturating_sub(own.until) <= within);
        return near.position(is_meant).map(|at| n + 1 + at);
    }
    let before = tokens[..n].iter().rev();
    let mut near = before.take_while(|t| own.place.saturating_sub(t.until) <= within);
    near.position(is_meant).map(|at| n - 1 - at)
}

/// Whether the sentence around a word says so.
fn is_said_in(tokens: &[Token], n: usize, concepts: Concepts) -> bool {
    let is_same = |t: &&Token| t.sentence == tokens[n].sentence;
    let around = (tokens[..n].iter().rev().take(SENTENCE).take_while(is_same))
        .chain(tokens[n..].iter().take(SENTENCE).take_while(is_same));
    around.into_iter().any(|t| t.means & concepts != 0)
}

/// So many words to each side are looked at for what takes an order back.
const SENTENCE: usize = 40;
