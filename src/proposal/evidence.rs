//! What a change rests on: which digest lines share its substance, and who said it.

use super::{Change, Origin, contrary};
use crate::digest::{Digest, Line};
use crate::source::Role;
use crate::text::words;
use std::collections::{BTreeSet, HashSet};

/// The words of a text that carry its meaning, in a rough stem, without the commonest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Substance(BTreeSet<String>);

/// Words in a row that are no accident.
pub(super) const RUN: usize = 6;

const COMMON: &[&str] = &[
    "the",
    "and",
    "for",
    "are",
    "was",
    "were",
    "with",
    "that",
    "this",
    "from",
    "not",
    "but",
    "you",
    "your",
    "all",
    "any",
    "can",
    "has",
    "have",
    "had",
    "its",
    "it's",
    "into",
    "one",
    "out",
    "use",
    "used",
    "using",
    "now",
    "new",
    "when",
    "then",
    "than",
    "they",
    "them",
    "what",
    "which",
    "who",
    "will",
    "would",
    "should",
    "could",
    "there",
    "here",
    "also",
    "only",
    "just",
    "more",
    "some",
    "such",
    "been",
    "being",
    "does",
    "did",
    "done",
    "how",
    "why",
    "our",
    "let",
    "let's",
    "may",
    "must",
    "need",
    "needs",
    "over",
    "per",
    "via",
    "yet",
    "too",
    "very",
    "each",
    "both",
    "because",
    "before",
    "after",
    "about",
    "so",
    "if",
    "in",
    "on",
    "of",
    "to",
    "a",
    "an",
    "is",
    "it",
    "be",
    "as",
    "at",
    "by",
    "or",
    "we",
    "i",
    "do",
    "no",
    "yes",
    "ok",
    "symptom",
    "cause",
    "root",
    "prevention",
    "rule",
    "rules",
];

impl Substance {
    /// Of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let undated = words(text)
            .into_iter()
            .filter(|word| word.parse::<jiff::civil::Date>().is_err());
        let parts = undated.flat_map(|word| {
            let parts: Vec<String> = word
                .split(|c: char| !c.is_alphanumeric() && c != '\'')
                .map(stem)
                .collect();
            let whole = (parts.len() > 1).then_some(word);
            parts.into_iter().chain(whole)
        });
        Self(parts.filter(|w| is_substance(w)).collect())
    }

    /// How many words both hold.
    #[must_use]
    pub fn shared(&self, other: &Substance) -> usize {
        self.0.intersection(&other.0).count()
    }

    /// How many words it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a line of this substance can be what a change of substance `self` rests on: they
    /// share two words, or all that a very short one has.
    #[must_use]
    pub fn rests_on(&self, line: &Substance) -> bool {
        let enough = self.len().min(line.len()).clamp(1, 2);
        self.shared(line) >= enough
    }

    /// Whether a line says most of it.
    pub(super) fn is_said_by(&self, line: &Substance) -> bool {
        self.len() >= 3 && self.shared(line) * 10 >= self.len() * 6
    }
}

/// Whether a stem carries meaning.
pub(super) fn is_substance(stem: &str) -> bool {
    let is_long = stem.chars().count() > 2 || stem.chars().any(|c| c.is_ascii_digit());
    is_long && !COMMON.contains(&stem)
}

pub(super) fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    for end in ["ing", "ed", "es", "s"] {
        if let Some(cut) = word.strip_suffix(end).filter(|c| c.chars().count() > 3) {
            return undoubled(cut.trim_end_matches('e')).to_owned();
        }
    }
    word.trim_end_matches('e').to_owned()
}

/// "committ" of "committed" as "commit".
fn undoubled(stem: &str) -> &str {
    let mut ends = stem.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(a @ 'b'..='t'), Some(b)) if a == b && !"ls".contains(a) => &stem[..stem.len() - 1],
        _ => stem,
    }
}

/// Who a role's words come from. A tool call is the model's words.
#[must_use]
pub fn origin_of(role: Role) -> Origin {
    match role {
        Role::User => Origin::User,
        Role::Note => Origin::Inbox,
        Role::Assistant | Role::ToolCall => Origin::Assistant,
        Role::ToolResult | Role::Error => Origin::Tool,
    }
}

/// A digest prepared for many questions.
pub(super) struct Ground<'a> {
    digest: &'a Digest,
    lines: Vec<(Substance, Vec<String>)>,
}

impl<'a> Ground<'a> {
    pub(super) fn new(digest: &'a Digest) -> Self {
        let lines = digest
            .lines
            .iter()
            .map(|l| {
                let text = l.text.as_str();
                (Substance::of(text), words(text))
            })
            .collect();
        Self { digest, lines }
    }

    /// Gives a change its evidence, its origin and the line that decided it, and returns further
    /// lines that a reviewer needs to see why.
    ///
    /// Evidence are the cited lines that exist, once each; without those that share nothing, where
    /// others do. The origin is the least trusted of the cited lines and of all that say the same.
    pub(super) fn found(&self, change: &mut Change, cited: Option<&[u32]>) -> Vec<u32> {
        let text = change.basis();
        let substance = Substance::of(&text);
        let known = match cited {
            Some(cited) => self.known(cited),
            None => self.find(&text),
        };
        let whole = change.substance();
        let mut supporting = known.clone();
        supporting.retain(|n| self.get(*n).is_some_and(|(s, _)| whole.rests_on(s)));
        let is_borne = !supporting.is_empty();
        change.evidence = if is_borne { supporting } else { known.clone() };
        let sayers = self.sayers(&substance, &text);
        let least = known
            .iter()
            .chain(&sayers)
            .filter_map(|n| Some((origin_of(self.digest.line(*n)?.role), *n)))
            .max_by_key(|(origin, n)| (*origin, std::cmp::Reverse(*n)));
        change.origin = least.map_or(Origin::Assistant, |(origin, _)| origin);
        change.also = least.iter().map(|(_, n)| *n).collect();
        change.also.retain(|n| !change.evidence.contains(n));
        let lines = change.evidence.iter().filter_map(|n| self.digest.line(*n));
        if !is_borne || contrary(change, &lines.collect::<Vec<_>>()).is_some() {
            // What the cited lines do not say is the curator's own word at best.
            change.origin = change.origin.max(Origin::Assistant);
        }
        let mut shown = change.also.clone();
        shown.extend(self.best_trusted(&substance));
        shown.extend(
            super::hosts(&text)
                .iter()
                .filter_map(|h| self.names_host(h)),
        );
        shown
    }

    /// The cited lines that exist, once each.
    fn known(&self, cited: &[u32]) -> Vec<u32> {
        let mut known: Vec<u32> = Vec::new();
        for n in cited {
            if self.digest.line(*n).is_some() && !known.contains(n) {
                known.push(*n);
            }
        }
        known
    }

    /// The lines that a change without citations most likely rests on, best first.
    fn find(&self, text: &str) -> Vec<u32> {
        let substance = Substance::of(text);
        let mut scored: Vec<(usize, u32)> = self
            .lines
            .iter()
            .zip(1u32..)
            .map(|((line, _), n)| (substance.shared(line), n))
            .filter(|(shared, _)| *shared >= 3 && shared * 4 >= substance.len())
            .collect();
        scored.sort_by_key(|(shared, n)| (std::cmp::Reverse(*shared), *n));
        scored.into_iter().take(3).map(|(_, n)| n).collect()
    }

    fn get(&self, n: u32) -> Option<&(Substance, Vec<String>)> {
        self.lines.get((n as usize).checked_sub(1)?)
    }

    /// Lines that say most of a text, or six of its words in a row.
    fn sayers(&self, substance: &Substance, text: &str) -> Vec<u32> {
        let all = words(text);
        let runs: HashSet<&[String]> = all.windows(RUN).collect();
        self.lines
            .iter()
            .zip(1u32..)
            .filter(|((line, said), _)| {
                substance.is_said_by(line) || said.windows(RUN).any(|run| runs.contains(run))
            })
            .map(|(_, n)| n)
            .collect()
    }

    /// The line of a user, a note or the model that shares most with it.
    fn best_trusted(&self, substance: &Substance) -> Option<u32> {
        let trusted = self.digest.lines.iter().zip(&self.lines).zip(1u32..);
        trusted
            .filter(|((line, _), _)| origin_of(line.role) < Origin::Tool)
            .map(|((_, (words, _)), n)| (substance.shared(words), n))
            .filter(|(shared, _)| *shared >= 2)
            .max_by_key(|(shared, n)| (*shared, std::cmp::Reverse(*n)))
            .map(|(_, n)| n)
    }

    /// The most trusted line that names a web host.
    fn names_host(&self, host: &str) -> Option<u32> {
        let lines = self.digest.lines.iter();
        lines
            .filter(|l| l.text.as_str().to_lowercase().contains(host))
            .min_by_key(|l| (origin_of(l.role), l.n))
            .map(|l| l.n)
    }

    /// These lines with their neighbours, in order, once each.
    pub(super) fn lines_around(&self, wanted: &BTreeSet<u32>, also: &BTreeSet<u32>) -> Vec<Line> {
        let mut all: BTreeSet<u32> = also.clone();
        for n in wanted {
            all.extend([n.saturating_sub(1), *n, n.saturating_add(1)]);
        }
        all.into_iter()
            .filter_map(|n| self.digest.line(n).cloned())
            .collect()
    }
}
