//! Small words that turn a statement round: negations, comparisons, numbers, versions, days.

use crate::text::words;
use std::collections::BTreeSet;

/// Contractions are taken apart before ([`spoken`]): "don't" is "do not".
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "nor", "neither", "without", "nicht", "kein", "keine", "keinen",
    "nie", "niemals", "ohne",
];

/// Verbs and adverbs that deny what they go with.
const DENIALS: &[&str] = &[
    "avoid",
    "instead",
    "stop",
    "forbidden",
    "forbid",
    "prohibited",
    "denied",
    "disabled",
    "disable",
    "off",
];

const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const COUNTS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
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

/// The words of a text with its contractions taken apart.
pub(super) fn spoken(text: &str) -> Vec<String> {
    let plain = text.replace('’', "'").to_lowercase();
    let plain = plain
        .replace("can't", "can not")
        .replace("cannot", "can not");
    words(&plain.replace("won't", "will not").replace("n't", " not"))
}

/// Whether a word denies what stands around it.
pub(super) fn denies(word: &str) -> bool {
    NEGATIONS.contains(&word) || DENIALS.contains(&word)
}

/// The number, version, day of the week or month that a word is, in one form each.
pub(super) fn fact(word: &str) -> Option<String> {
    if let Some(at) = COUNTS.iter().position(|c| *c == word) {
        return Some((at + 2).to_string());
    }
    let day = word.strip_suffix("'s").unwrap_or(word);
    let day = day.strip_suffix('s').unwrap_or(day);
    if DAYS.contains(&day) {
        return Some(day.to_owned());
    }
    let bare = word.trim_start_matches(['v', ':', '$', '€', '~', '<', '>', '=']);
    let is_value = bare.starts_with(|c: char| c.is_ascii_digit()) && !is_date(bare);
    is_value.then(|| bare.trim_end_matches('%').to_owned())
}

/// Whether two facts are of one kind: both days or months, or both numbers.
pub(super) fn is_alike(a: &str, b: &str) -> bool {
    is_number(a) == is_number(b)
}

/// The words of a text that can turn it.
fn turning(text: &str) -> BTreeSet<String> {
    spoken(text)
        .into_iter()
        .filter(|w| fact(w).is_some() || is_number(w) || denies(w) || POLES.contains(&w.as_str()))
        .collect()
}

/// Which turning words differ between two versions of an entry: those that went, those that came.
pub(crate) fn turned(old: &str, new: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (old, new) = (turning(old), turning(new));
    let went: Vec<String> = old.difference(&new).cloned().collect();
    let came: Vec<String> = new.difference(&old).cloned().collect();
    (!went.is_empty() || !came.is_empty()).then_some((went, came))
}

/// Whether two statements about the same say opposite things: one is negated and the other not,
/// or each has a number that the other lacks.
pub(crate) fn opposes(a: &str, b: &str) -> bool {
    let negations = |t: &str| {
        let found = spoken(t)
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
            ("deploy on fridays", "deploy on mondays", true),
            ("we don't deploy", "we deploy", true),
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
