//! The user's own patterns, `REDACT_EXTRA_PATTERNS`: bounded, and each on its own.
//!
//! A pattern is searched for in windows, so that what one search costs is known before: however
//! many matches there are, the work of all patterns has a bound. Past it the part is withheld. What
//! is longer than a window is looked for in the whole, once the rest has been taken out.

use super::scan::Span;
use super::work;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;

/// The most patterns used.
const MOST: usize = 64;
/// The largest compiled pattern, in bytes.
const LARGEST: usize = 1 << 20;
/// How deep groups and repetitions may be nested.
const DEEPEST: u32 = 50;
/// The longest match that a window is sure to hold, in bytes.
const LONGEST: usize = 1024;
/// What may be compiled of all patterns together, in bytes; those of the usual size always may.
const ALL: usize = 16 << 20;
/// Sizes that a pattern may have when it is compiled, in bytes: the smallest that is enough is taken
/// for its own.
const SIZES: [usize; 3] = [USUAL, 256 << 10, LARGEST];
/// What a byte costs to look at is counted in patterns of this size.
const USUAL: usize = 128 << 10;
/// The name of the group that is hidden instead of all that a pattern matches.
const GROUP: &str = "secret";

/// A pattern that is left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad regex in REDACT_EXTRA_PATTERNS[{index}]: {reason}")]
pub struct PatternProblem {
    /// Its place in the list, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// A compiled pattern.
struct Pattern {
    /// `extra_` and its place in the list.
    rule: String,
    regex: Regex,
    /// Whether it says which part of a match is the secret.
    grouped: bool,
    /// What it holds at most when it is compiled, in bytes.
    size: usize,
}

/// The patterns that are used.
#[derive(Default)]
pub(super) struct Extra(Vec<Pattern>);

impl Extra {
    pub fn compile(patterns: &[String]) -> (Self, Vec<PatternProblem>) {
        let mut good: Vec<Pattern> = Vec::new();
        let mut problems = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let room = ALL - good.iter().map(|p| p.size).sum::<usize>();
            match Pattern::compile(index, pattern, room) {
                Ok(pattern) => good.push(pattern),
                Err(reason) => problems.push(PatternProblem { index, reason }),
            }
        }
        (Self(good), problems)
    }

    /// What the patterns match. Gives up when the work is spent; the part is withheld then.
    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        for pattern in self.0.iter().filter(|p| p.regex.is_match(text)) {
            let ranges = pattern.hidden(text).into_iter();
            spans.extend(ranges.map(|range| Span {
                range,
                rule: pattern.rule.clone().into(),
                remember: false,
            }));
        }
        spans
    }
}

impl Pattern {
    fn compile(index: usize, pattern: &str, room: usize) -> Result<Self, String> {
        if index >= MOST {
            return Err(format!("only the first {MOST} patterns are used"));
        }
        let built = |size: usize| {
            RegexBuilder::new(pattern)
                .size_limit(size)
                .dfa_size_limit(LARGEST)
                .nest_limit(DEEPEST)
                .build()
        };
        let fitting = SIZES
            .iter()
            .find_map(|size| Some((*size, built(*size).ok()?)));
        let (size, regex) = match fitting {
            Some(found) => found,
            None => (LARGEST, built(LARGEST).map_err(|e| last_line(&e))?),
        };
        if size > room && size > USUAL {
            let most = ALL >> 20;
            return Err(format!("with those before it, it is larger than {most} MB"));
        }
        // `a*` does so anywhere, `\\b` between two words.
        if regex.is_match(b"") || regex.find(b"a a").is_some_and(|m| m.is_empty()) {
            return Err("it matches the empty text".to_owned());
        }
        Ok(Self {
            rule: format!("extra_{index}"),
            grouped: regex.capture_names().flatten().any(|name| name == GROUP),
            regex,
            size,
        })
    }

    /// What is to be hidden, in order. What touches is one: it is not shown how many characters a
    /// pattern has matched one by one.
    fn hidden(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        // What was found is no part of a longer match's beginning, and found no second time: a line's end
        // is what least matches.
        let mut rest = text.to_vec();
        self.each(text, LONGEST, |whole, secret| {
            rest.get_mut(whole)
                .into_iter()
                .for_each(|bytes| bytes.fill(b'\n'));
            all.push(secret);
        });
        self.each(&rest, text.len(), |_, secret| all.push(secret));
        all.sort_unstable_by_key(|range| range.start);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in all {
            match joined.last_mut() {
                Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        joined
    }

    /// Hands over each match of at most `longest` bytes, and some that are longer: all of it, and
    /// what of it is to be hidden.
    fn each(&self, text: &[u8], longest: usize, mut found: impl FnMut(Range<usize>, Range<usize>)) {
        let mut at = 0;
        while at < text.len() && !work::is_spent() {
            // What begins in the first half of a window is seen whole in it.
            let half = (at + longest).min(text.len());
            let window = text.get(..(half + longest).min(text.len())).unwrap_or(text);
            work::spend((window.len() - at) * self.size / USUAL);
            match self.one(window, at) {
                Some((whole, secret)) if whole.start < half => {
                    at = whole.end.max(at + 1);
                    if !whole.is_empty() {
                        found(whole, secret);
                    }
                }
                _ => at = half,
            }
        }
    }

    /// The first match from a place on, and what of it is to be hidden.
    fn one(&self, text: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>)> {
        if !self.grouped {
            let whole = self.regex.find_at(text, at)?.range();
            return Some((whole.clone(), whole));
        }
        let groups = self.regex.captures_at(text, at)?;
        let whole = groups.get(0)?.range();
        // Where the group took no part or holds nothing, nothing says which part is the secret.
        let secret = groups.name(GROUP).filter(|m| !m.is_empty());
        let secret = secret.map_or(whole.clone(), |m| m.range());
        Some((whole, secret))
    }
}

/// What is wrong, without the picture of where.
fn last_line(error: &regex::Error) -> String {
    let told = error.to_string();
    let last = told.lines().last().unwrap_or("cannot be read");
    last.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::{Part, Redactor, WITHHELD};
    use super::*;
    use crate::source::Raw;

    fn compile(patterns: &[&str]) -> (Extra, Vec<String>) {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let (extra, problems) = Extra::compile(&patterns);
        (extra, problems.iter().map(ToString::to_string).collect())
    }

    fn found(patterns: &[&str], text: &str) -> Vec<(String, Range<usize>)> {
        let spans = compile(patterns).0.find(text.as_bytes()).into_iter();
        spans.map(|s| (s.rule.into_owned(), s.range)).collect()
    }

    fn shown(patterns: &[&str], text: &str) -> String {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let redactor = Redactor::new(&patterns, &[1; 32]).0;
        let (shown, _) = redactor.redact(&Raw::new(text), &Part::default());
        shown.as_str().to_owned()
    }

    #[test]
    fn a_broken_pattern_is_told_of_and_the_others_work() {
        let (extra, told) = compile(&["(", "a*", "acme-[0-9]{4}", r"\b"]);
        assert_eq!(told.len(), 3);
        assert!(told[2].ends_with("it matches the empty text"));
        assert!(told[0].starts_with("bad regex in REDACT_EXTRA_PATTERNS[0]: "));
        assert!(told[1].ends_with("it matches the empty text"));
        let found = extra.find(b"x acme-1234 y");
        assert_eq!(
            (found[0].rule.as_ref(), found[0].range.clone()),
            ("extra_2", 2..11)
        );
    }

    #[test]
    fn a_group_named_secret_is_hidden_alone_and_any_other_changes_nothing() {
        let text = "acme: live-1234 acme: test-77";
        let patterns = ["acme: (live|test)-[0-9]+", "acme: (?P<secret>live-[0-9]+)"];
        let whole = |n: usize, range| (format!("extra_{n}"), range);
        assert_eq!(
            found(&patterns, text),
            [whole(0, 0..15), whole(0, 16..29), whole(1, 6..15)]
        );
        // Where it takes no part, the whole match is hidden.
        let either = ["id=(?<secret>[0-9]+)|acme-[0-9]+"];
        assert_eq!(
            found(&either, "id=12 acme-7"),
            [whole(0, 3..5), whole(0, 6..12)]
        );
        let maybe = ["acme-(?<secret>x?)[0-9]+"];
        assert_eq!(found(&maybe, "acme-1234"), [whole(0, 0..9)]);
        let shown = shown(&["acme: (?P<secret>[a-z0-9-]+)"], text);
        assert!(
            shown.starts_with("acme: [REDACTED:extra_0#") && !shown.contains("1234"),
            "{shown}"
        );
    }

    #[test]
    fn only_so_many_patterns_of_such_a_size_and_depth_are_used() {
        let (extra, told) = compile(&vec!["acme"; MOST + 1]);
        assert_eq!((extra.0.len(), told.len()), (MOST, 1));
        let deep = format!("{}a{}", "(".repeat(60), ")".repeat(60));
        for bad in [r"[a-z]{100000}", &deep, "(?<secret>a)(?<secret>b)"] {
            let (extra, told) = compile(&[bad, "acme"]);
            assert_eq!((extra.0.len(), told.len()), (1, 1), "{bad}");
        }
        let large = r"x\w{15}";
        let (extra, told) = compile(&[&[large; 40][..], &["acme"]].concat());
        assert!(
            !told.is_empty() && told[0].ends_with("it is larger than 16 MB"),
            "{told:?}"
        );
        assert_eq!(extra.find(b"x acme").len(), 1);
    }

    #[test]
    fn windows_do_not_show() {
        let gap = "-".repeat(LONGEST - 20);
        let text = format!("{gap}acme-1234567890 {gap} acme-1 {gap}{gap}acme-22");
        let plain = Regex::new("acme-[0-9]+").unwrap();
        let plain: Vec<_> = plain
            .find_iter(text.as_bytes())
            .map(|m| m.range())
            .collect();
        let windowed = found(&["acme-[0-9]+"], &text);
        assert_eq!(windowed.into_iter().map(|f| f.1).collect::<Vec<_>>(), plain);
        // A match longer than a window is hidden all the same, and nothing after it is lost, even if it
        // has to be seen whole, or holds shorter ones.
        let long = format!(
            "acme-7 ACME<{}acme-1 {}> acme-2",
            "QZ1 ".repeat(700),
            "QZ1 ".repeat(700)
        );
        let told = shown(&["ACME<[^>]*>", "acme-[0-9]"], &long);
        assert!(!told.contains("QZ1") && !told.contains("acme-"), "{told}");
        let told = shown(&["acme-[0-9]|ACME<[^>]*>"], &long);
        assert!(!told.contains("QZ1") && !told.contains("acme-"), "{told}");
        let far = format!("acme: {} SEKRET77 {}", "x y ".repeat(700), "z ".repeat(900));
        let told = shown(&["acme: [a-z ]*(?P<secret>SEKRET[0-9]+)"], &far);
        assert!(
            !told.contains("SEKRET") && told.contains("x y x y"),
            "{told}"
        );
        let text = format!("[{}] acme", "k".repeat(LONGEST * 3));
        let shown = shown(&["k+", "acme"], &text);
        assert!(!shown.contains('k') && !shown.contains("acme"), "{shown}");
    }

    #[test]
    fn a_pattern_that_matches_everywhere_is_hidden_or_the_part_is_withheld() {
        let text = "a1 ".repeat(200_000);
        assert_eq!(shown(&[r"a\b|1"; MOST], &text), WITHHELD);
        // One that begins to match everywhere and never ends is no endless work.
        let text = "a".repeat(600_000);
        assert_eq!(shown(&["a+b|a"; MOST], &text), WITHHELD);
        assert!(shown(&["[a-z]"], "a1b2").starts_with("[REDACTED:extra_0#"));
        // One placeholder for what stands together: else equal letters could be told by their marks.
        let told = shown(&["."], "attack at dawn");
        assert_eq!(told.matches("REDACTED").count(), 1, "{told}");
        let kept = shown(&["[a-z]+"], "[REDACTED:jwt#0a1b] jwt");
        assert!(
            kept.starts_with("[REDACTED:jwt#0a1b] [REDACTED:extra_0#"),
            "{kept}"
        );
    }
}
