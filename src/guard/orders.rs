//! What combinations of words mean: the form of the rules, and all of them. One kind of order a file.
//!
//! Rules speak of concepts ([`super::lexicon`]), not of words, so each holds in every language that
//! is known and in a mixture of them. Linear in the text.

mod claims;
mod conditions;
mod harm;
mod hiding;
mod leaving;
mod matching;
mod memory;
mod review;
mod running;
mod security;

use super::lexicon::Concepts;
use super::speech::Token;
use std::ops::Range;

/// One rule: concepts that are a warning together.
pub(super) struct Order {
    /// What a person is told, after "it": a fragment.
    pub says: &'static str,
    /// How they must stand.
    shape: Shape,
    /// Whether a negation takes it back, and how far before it that may stand.
    negation: Negation,
    /// What takes it back anywhere in the sentence.
    unless: Concepts,
    /// Texts that it must match.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the table's test"))]
    hits: &'static [&'static str],
}

enum Shape {
    /// All of them within so many words, in any order.
    Near(&'static [Concepts], u32),
    /// As `Near`, all in one sentence.
    Within(&'static [Concepts], u32),
    /// One after the other, each at most so many words behind the one before.
    Then(&'static [(Concepts, u32)]),
    /// As `Then`; the first is an order.
    Begins(&'static [(Concepts, u32)]),
    /// As `Then`; the last is an order: it begins its clause, or follows the adverb that does.
    Ends(&'static [(Concepts, u32)]),
    /// In a sentence that names an occasion: the first as an order, the others within so many words
    /// of it.
    When(&'static [Concepts], u32),
}

#[derive(Clone, Copy, PartialEq)]
enum Negation {
    /// Nothing takes it back.
    None,
    /// So many words before the first concept, in the same sentence; or what is forbidden behind it.
    Before(u32),
    /// Anywhere before, in the same sentence.
    Sentence,
}

const fn order(
    says: &'static str,
    shape: Shape,
    negation: Negation,
    hits: &'static [&'static str],
) -> Order {
    Order {
        says,
        shape,
        negation,
        unless: 0,
        hits,
    }
}

impl Order {
    const fn unless(self, unless: Concepts) -> Self {
        Self { unless, ..self }
    }
}

/// The rules, in the order in which they speak.
const KINDS: [&[Order]; 9] = [
    security::ORDERS,
    review::ORDERS,
    memory::ORDERS,
    hiding::ORDERS,
    leaving::ORDERS,
    running::ORDERS,
    claims::ORDERS,
    conditions::ORDERS,
    harm::ORDERS,
];

fn orders() -> impl Iterator<Item = &'static Order> {
    KINDS.into_iter().flatten()
}

/// What was found first, and where in the folded text.
pub(super) struct Found {
    pub says: &'static str,
    pub at: Range<usize>,
}

/// The rules that these words match, in the table's order, each with the first place.
pub(super) fn found(tokens: &[Token]) -> impl Iterator<Item = Found> {
    let met: Concepts = tokens.iter().fold(0, |all, t| all | t.means);
    orders().filter_map(move |order| {
        let at = order.find(tokens, met)?;
        Some(Found {
            says: order.says,
            at,
        })
    })
}

#[cfg(test)]
mod tests;
