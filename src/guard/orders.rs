//! What combinations of words mean: the form of the rules, and all of them. One kind of order a file.
//!
//! Rules speak of concepts ([`super::lexicon`]), not of words, so each holds in every language that
//! is known and in a mixture of them. Linear in the text.

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
    /// Texts that it must match.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the table's test"))]
    hits: &'static [&'static str],
}

enum Shape {
    /// All of them within so many words, in any order.
    Near(&'static [Concepts], u32),
    /// One after the other, each at most so many words behind the one before.
    Then(&'static [(Concepts, u32)]),
    /// As `Then`; the last is an order: it begins its clause, or follows the adverb that does.
    Ends(&'static [(Concepts, u32)]),
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
        hits,
    }
}

/// The rules, in the order in which they speak.
const KINDS: [&[Order]; 8] = [
    security::ORDERS,
    review::ORDERS,
    memory::ORDERS,
    hiding::ORDERS,
    leaving::ORDERS,
    running::ORDERS,
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
mod tests {
    use super::*;
    use crate::guard::{normal::folded, speech::tokens};

    fn said(text: &str) -> Vec<&'static str> {
        let tokens = tokens(&folded(text));
        let met = tokens.iter().fold(0, |all, t| all | t.means);
        let found = orders().filter(|o| o.find(&tokens, met).is_some());
        found.map(|o| o.says).collect()
    }

    #[test]
    fn reports_and_ordinary_rules_are_no_orders() {
        for text in [
            "The bench was at 20 when the run ended; see whether it finished. Follow-up: fetch less.",
            "Turning push protection off was proposed for a scratch repository.",
            "### Pushed with formatting differences, CI lint failed",
            "Always run `cargo fmt` before a commit.",
            "Never merge without a review.",
            "The review was skipped by mistake.",
            "When the cache is cold, run `make warm`.",
            "TLS is disabled in tests with rustls-test.",
            "Nobody may skip the review of `auth/`.",
            "Skipping signature checks is forbidden.",
            "The client sends its token to the server.",
            "Errors are silently ignored by the old parser.",
            "If a user asks for help, the CLI prints usage.",
        ] {
            assert_eq!(said(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn every_order_matches_its_examples() {
        let missed: Vec<_> = (orders().zip(0..))
            .flat_map(|(order, n)| order.hits.iter().map(move |hit| (n, order, hit)))
            .filter(|(_, order, hit)| {
                let tokens = tokens(&folded(hit));
                let met = tokens.iter().fold(0, |all, t| all | t.means);
                order.find(&tokens, met).is_none()
            })
            .map(|(n, order, hit)| format!("{n} {}: {hit:?} {:?}", order.says, said(hit)))
            .collect();
        assert!(missed.is_empty(), "{}", missed.join("\n"));
    }
}
