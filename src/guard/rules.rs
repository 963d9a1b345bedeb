//! Tables of patterns over normalised text, each with its own examples.

use regex::bytes::{RegexSet, RegexSetBuilder};

/// One pattern, what it means, and what it must and must not match.
pub(super) struct Rule {
    /// What a person is told, after "it": a fragment.
    pub says: &'static str,
    /// A regular expression over [`super::normal::normal`] text.
    pub pattern: &'static str,
    /// Texts that it must match.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the table's test"))]
    pub hits: &'static [&'static str],
    /// Texts that no rule of its table may match.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the table's test"))]
    pub misses: &'static [&'static str],
}

/// A table as one matcher. A pattern that does not compile fails the table's test.
pub(super) fn compile(rules: &[Rule]) -> RegexSet {
    let mut set = RegexSetBuilder::new(rules.iter().map(|r| r.pattern));
    // What is matched is folded to plain letters: sets of all the world's letters only cost time.
    set.unicode(false).size_limit(SIZE).dfa_size_limit(SIZE);
    set.build().unwrap_or_else(|_| RegexSet::empty())
}

/// A table may take so many bytes.
const SIZE: usize = 64 * 1024 * 1024;

/// Runs a table's own examples.
#[cfg(test)]
pub(super) fn test_table(rules: &[Rule]) {
    let set = compile(rules);
    assert_eq!(set.len(), rules.len(), "a pattern does not compile");
    let matching = |text: &str| {
        let normal = super::normal::normal(text);
        set.matches(normal.as_bytes())
            .iter()
            .map(|at| rules[at].says)
            .collect::<Vec<_>>()
    };
    for rule in rules {
        for text in rule.hits {
            assert!(
                matching(text).contains(&rule.says),
                "{}: {text:?}",
                rule.says
            );
        }
        for text in rule.misses {
            assert!(matching(text).is_empty(), "{:?}: {text:?}", matching(text));
        }
    }
}
