//! Small words that turn a statement round: negations, comparisons, numbers, versions.

use crate::text::words;
use std::collections::BTreeSet;

const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "none",
    "without",
    "don't",
    "doesn't",
    "isn't",
    "aren't",
    "can't",
    "cannot",
    "won't",
    "shouldn't",
    "mustn't",
    "wasn't",
    "nicht",
    "kein",
    "keine",
    "nie",
    "longer",
];

const POLES: &[&str] = &[
    "always",
    "must",
    "only",
    "on",
    "off",
    "enabled",
    "disabled",
    "enable",
    "disable",
    "true",
    "false",
    "allow",
    "allowed",
    "deny",
    "denied",
    "forbidden",
    "required",
    "optional",
    "before",
    "after",
    "==",
    "!=",
    "===",
    "!==",
    "<",
    ">",
    "<=",
    ">=",
];

fn is_number(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit())
}

/// The words of a text that can turn it.
fn turning(text: &str) -> BTreeSet<String> {
    words(text)
        .into_iter()
        .filter(|w| is_number(w) || NEGATIONS.contains(&w.as_str()) || POLES.contains(&w.as_str()))
        .collect()
}

/// Which turning words differ between two versions of an entry: those that went, those that came.
pub(super) fn turned(old: &str, new: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (old, new) = (turning(old), turning(new));
    let went: Vec<String> = old.difference(&new).cloned().collect();
    let came: Vec<String> = new.difference(&old).cloned().collect();
    (!went.is_empty() || !came.is_empty()).then_some((went, came))
}

/// Whether two statements about the same say opposite things: one is negated and the other not,
/// or each has a number that the other lacks.
pub(super) fn opposes(a: &str, b: &str) -> bool {
    let negations = |t: &str| {
        let found = words(t)
            .iter()
            .filter(|w| NEGATIONS.contains(&w.as_str()))
            .count();
        found.min(1)
    };
    let numbers = |t: &str| -> BTreeSet<String> {
        words(t)
            .into_iter()
            .filter(|w| is_number(w) && !is_date(w))
            .collect()
    };
    let (x, y) = (numbers(a), numbers(b));
    let other_number = !x.is_subset(&y) && !y.is_subset(&x);
    negations(a) != negations(b) || other_number
}

fn is_date(word: &str) -> bool {
    word.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_turned_word_is_found() {
        let cases = [
            ("never push to main", "always push to main", true),
            ("use a == b", "use a != b", true),
            ("port 500", "port 5000", true),
            ("rust 1.94", "rust 1.95", true),
            ("deploys run on friday", "deploys run off friday", true),
            ("the tests are fast", "the tests are quick", false),
        ];
        for (old, new, expected) in cases {
            assert_eq!(turned(old, new).is_some(), expected, "{old:?} {new:?}");
        }
        assert!(opposes("never deploy on friday", "deploy on friday"));
        assert!(opposes("port is 8443", "port is 9443"));
        assert!(!opposes("port is 8443", "port is 8443, since 2026-01-01"));
    }
}
