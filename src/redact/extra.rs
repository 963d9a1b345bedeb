//! The user's own patterns, `REDACT_EXTRA_PATTERNS`: bounded, and each on its own.

use super::scan::Span;
use regex::bytes::{Regex, RegexBuilder};

/// The most patterns used.
const MOST: usize = 64;
/// The largest compiled pattern, in bytes.
const LARGEST: usize = 1 << 20;

/// A pattern that is left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad regex in REDACT_EXTRA_PATTERNS[{index}]: {reason}")]
pub struct PatternProblem {
    /// Its place in the list, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Compiled patterns with their places in the list.
#[derive(Default)]
pub(super) struct Extra(Vec<(usize, Regex)>);

impl Extra {
    pub fn compile(patterns: &[String]) -> (Self, Vec<PatternProblem>) {
        let mut good = Vec::new();
        let mut problems = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            match compile(index, pattern) {
                Ok(regex) => good.push((index, regex)),
                Err(reason) => problems.push(PatternProblem { index, reason }),
            }
        }
        (Self(good), problems)
    }

    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        self.0
            .iter()
            .flat_map(|(index, regex)| {
                regex
                    .find_iter(text)
                    .filter(|m| !m.is_empty())
                    .map(move |m| Span {
                        range: m.range(),
                        rule: format!("extra_{index}").into(),
                        remember: false,
                    })
            })
            .collect()
    }
}

fn compile(index: usize, pattern: &str) -> Result<Regex, String> {
    if index >= MOST {
        return Err(format!("only the first {MOST} patterns are used"));
    }
    let regex = RegexBuilder::new(pattern)
        .size_limit(LARGEST)
        .dfa_size_limit(LARGEST)
        .nest_limit(50)
        .build()
        .map_err(|e| {
            e.to_string()
                .lines()
                .last()
                .unwrap_or("cannot be read")
                .trim()
                .to_owned()
        })?;
    if regex.is_match(b"") {
        return Err("it matches the empty text".to_owned());
    }
    Ok(regex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_pattern_is_told_of_and_the_others_work() {
        let patterns = ["(", "a*", "acme-[0-9]{4}"].map(str::to_owned);
        let (extra, problems) = Extra::compile(&patterns);
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("bad regex in REDACT_EXTRA_PATTERNS[0]: "));
        assert!(told[1].ends_with("it matches the empty text"));
        let found = extra.find(b"x acme-1234 y");
        assert_eq!(
            (found[0].rule.as_ref(), found[0].range.clone()),
            ("extra_2", 2..11)
        );
    }
}
