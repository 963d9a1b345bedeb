//! What a proposal says of its material: what was hidden in it, and what of it was read.

use crate::digest::Counts;
use crate::proposal::Proposal;
use crate::redact::{Confidence, Pass, also};
use crate::source::{Place, unit_of};
use crate::text::count;
use crate::trust::AlsoSecret;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One secret that was hidden, wherever it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// The rule that found it first; empty where it was not found.
    pub rule: String,
    /// Its length in bytes, as a bucket; empty where it was not found.
    pub length: String,
    /// Its keyed fingerprint, 32 hex digits.
    pub fingerprint: String,
    /// How sure it is that it is a secret: the least that was said of it.
    pub confidence: Confidence,
    /// The rows it stood in, each once, in order of appearance.
    pub places: Vec<Place>,
    /// How often it was found in the complete prompt only, and in the curator's answer.
    pub late: (usize, usize),
    /// How often it was hidden.
    pub count: usize,
    /// A person has said since that it is no secret.
    pub not_secret: bool,
}

impl Redaction {
    /// Six digits of its fingerprint: the first four are those of its placeholder.
    #[must_use]
    pub fn mark(&self) -> String {
        mark(&self.fingerprint)
    }

    /// What is known of it, as a list says it; `first` is where it was first, shortened or not. Foreign
    /// text.
    #[must_use]
    pub fn said(&self, first: impl FnOnce(&str) -> String) -> String {
        let mut parts = vec![self.mark()];
        parts.extend(Some(self.rule.clone()).filter(|rule| !rule.is_empty()));
        parts.push(match (self.not_secret, self.confidence.name()) {
            (true, _) => "not a secret: shown from the next distill on".to_owned(),
            (_, "") => "hidden".to_owned(),
            (_, name) => name.to_owned(),
        });
        if !self.length.is_empty() {
            parts.push(format!("{} bytes", self.length));
        }
        parts.push(self.seen());
        let place = self.places.first();
        parts.extend(place.map(|p| format!("first in {}", first(&p.source))));
        parts.join("  ")
    }

    /// How often it was seen, and where: `seen 14 times in 5 sessions`.
    #[must_use]
    pub fn seen(&self) -> String {
        if self.count == 0 {
            return "not in this proposal".to_owned();
        }
        let sources: BTreeSet<&str> = self.places.iter().map(|p| p.source.as_str()).collect();
        let mut said = format!("seen {}", count(self.count, "time", "times"));
        if !sources.is_empty() {
            let sources = count(sources.len(), "session", "sessions");
            said.push_str(&format!(" in {sources}"));
        }
        for (n, what) in [(self.late.0, "the prompt"), (self.late.1, "the answer")] {
            if n > 0 {
                let begin = if said.contains(" in ") {
                    ", also in"
                } else {
                    " in"
                };
                said.push_str(&format!("{begin} {what}"));
            }
        }
        said
    }
}

/// A fingerprint as lists show it: `#` and six digits, of which a placeholder has four.
#[must_use]
pub fn mark(fingerprint: &str) -> String {
    format!("#{}", fingerprint.get(..6).unwrap_or(fingerprint))
}

/// A place where something was hidden, in words. Foreign text.
#[must_use]
pub fn place_said(place: &Place) -> String {
    let unit = unit_of(&place.source).0;
    format!("{unit} {} of {}", place.offset, place.source)
}

/// What is known of a value that a person called a secret.
#[must_use]
pub fn also_said(said: &AlsoSecret) -> String {
    format!(
        "{}  {}  you said so on {}  {}",
        mark(&said.value.fingerprint),
        also::RULE,
        said.at.strftime("%Y-%m-%d"),
        count(said.value.chars, "character", "characters"),
    )
}

/// What was hidden for a proposal, by secret: first what may be a false alarm, most often seen
/// first; then what else a person called no secret, which stands in it nowhere and can be taken back.
/// `not_secret` are the fingerprints of what was called none. A person's word moves no row.
#[must_use]
pub fn redactions(proposal: &Proposal, not_secret: &BTreeSet<String>) -> Vec<Redaction> {
    let mut all: Vec<Redaction> = Vec::new();
    let mut at = BTreeMap::new();
    for hit in &proposal.hits {
        let n = *at.entry(hit.fingerprint.as_str()).or_insert(all.len());
        if n == all.len() {
            all.push(Redaction {
                rule: hit.rule.clone(),
                length: hit.length.clone(),
                fingerprint: hit.fingerprint.clone(),
                confidence: hit.confidence,
                places: Vec::new(),
                late: (0, 0),
                count: 0,
                not_secret: not_secret.contains(&hit.fingerprint),
            });
        }
        let Some(found) = all.get_mut(n) else {
            continue;
        };
        found.count += 1;
        found.confidence = found.confidence.min(hit.confidence);
        match hit.pass {
            Pass::Material => {}
            Pass::Prompt => found.late.0 += 1,
            Pass::Reply => found.late.1 += 1,
        }
        if let Some(place) = &hit.place
            && !found.places.contains(place)
        {
            found.places.push(place.clone());
        }
    }
    all.sort_by_key(|r| (r.confidence, Reverse(r.count)));
    let elsewhere = not_secret.iter().filter(|f| !at.contains_key(f.as_str()));
    all.extend(elsewhere.map(|fingerprint| Redaction {
        rule: String::new(),
        length: String::new(),
        fingerprint: fingerprint.clone(),
        confidence: Confidence::Unknown,
        places: Vec::new(),
        late: (0, 0),
        count: 0,
        not_secret: true,
    }));
    all
}

/// What became of one source's material.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Covered {
    /// The source: an absolute path.
    pub source: String,
    /// Whether it is a note of the inbox.
    pub is_note: bool,
    /// The sessions found in it.
    pub sessions: Vec<String>,
    /// The byte ranges read.
    pub ranges: Vec<Range<u64>>,
    /// Turns found, by role.
    pub found: Counts,
    /// Turns that the curator was shown, by role.
    pub used: Counts,
    /// Turns left out for space, by role.
    pub shed: Counts,
    /// Turns shortened.
    pub shortened: u32,
    /// Turns that an earlier distill had read.
    pub seen: u32,
    /// Rows left out on purpose, by reason, most first.
    pub skipped: Vec<(String, u32)>,
    /// Rows that could not be read, by reason, most first.
    pub unreadable: Vec<(String, u32)>,
}

/// What of a proposal's material was read, a row for each source, in reading order.
#[must_use]
pub fn coverage(proposal: &Proposal) -> Vec<Covered> {
    let mut rows: Vec<Covered> = Vec::new();
    let is_note = |source: &str| {
        let mut notes = proposal.notes.iter();
        notes.any(|name| source.rsplit('/').next() == Some(name))
    };
    for part in &proposal.coverage {
        let known = rows.iter().position(|r| r.source == part.source);
        let at = known.unwrap_or_else(|| {
            rows.push(Covered {
                source: part.source.clone(),
                is_note: part.end == 0 && is_note(&part.source),
                ..Covered::default()
            });
            rows.len() - 1
        });
        let Some(row) = rows.get_mut(at) else {
            continue;
        };
        for session in &part.sessions {
            if !row.sessions.contains(session) {
                row.sessions.push(session.clone());
            }
        }
        if part.start < part.end {
            row.ranges.push(part.start..part.end);
        }
        row.found.add_all(&part.found);
        row.used.add_all(&part.used);
        row.shed.add_all(&part.shed);
        row.shortened = row.shortened.saturating_add(part.shortened);
        row.seen = row.seen.saturating_add(part.seen);
        more(&mut row.skipped, &part.skipped);
        more(&mut row.unreadable, &part.unreadable);
    }
    rows
}

fn more(into: &mut Vec<(String, u32)>, counts: &BTreeMap<String, u32>) {
    for (why, n) in counts {
        match into.iter_mut().find(|(known, _)| known == why) {
            Some((_, sum)) => *sum = sum.saturating_add(*n),
            None => into.push((why.clone(), *n)),
        }
    }
    into.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Coverage;
    use crate::redact::Hit;
    use crate::review::samples;
    use crate::source::Role;

    fn proposal() -> Proposal {
        samples::item("0000000a", 0, &[]).proposal
    }

    #[test]
    fn a_secret_is_one_row_however_often_it_stood_there() {
        let mut proposal = proposal();
        let hit = |fingerprint: &str, offset: u64| Hit {
            rule: "jwt".into(),
            offset: 3,
            length: "16-31".into(),
            fingerprint: fingerprint.into(),
            confidence: Default::default(),
            pass: Default::default(),
            place: Some(Place {
                source: "/t".into(),
                offset,
            }),
        };
        proposal.hits = vec![hit("b", 1), hit("a", 1), hit("b", 1), hit("b", 9)];
        let known = BTreeSet::from(["a".to_owned(), "c".to_owned()]);
        let mut rows = redactions(&proposal, &known);
        let elsewhere = rows.pop().map(|r| (r.fingerprint.clone(), r.seen()));
        let told = ("c".to_owned(), "not in this proposal".to_owned());
        assert_eq!(elsewhere, Some(told));
        let told: Vec<_> = rows
            .iter()
            .map(|r| {
                (
                    r.fingerprint.as_str(),
                    r.count,
                    r.places.len(),
                    r.not_secret,
                )
            })
            .collect();
        assert_eq!(told, [("b", 3, 2, false), ("a", 1, 1, true)]);
        assert_eq!(rows[0].seen(), "seen 3 times in 1 session");
    }

    #[test]
    fn what_needs_a_look_comes_first_and_the_way_it_was_found_is_told() {
        let mut proposal = proposal();
        let hit = |fingerprint: &str, confidence, pass| Hit {
            rule: "jwt".into(),
            offset: 3,
            length: "16-31".into(),
            fingerprint: fingerprint.into(),
            confidence,
            pass,
            place: None,
        };
        proposal.hits = vec![
            hit("sure", Confidence::Certain, Pass::Material),
            hit("named", Confidence::ByName, Pass::Reply),
            hit("often", Confidence::Likely, Pass::Prompt),
            hit("often", Confidence::ByName, Pass::Material),
        ];
        let rows = redactions(&proposal, &BTreeSet::new());
        let order: Vec<_> = rows.iter().map(|r| r.fingerprint.as_str()).collect();
        assert_eq!(order, ["often", "named", "sure"]);
        assert_eq!(rows[0].seen(), "seen 2 times in the prompt");
        assert_eq!(rows[1].seen(), "seen 1 time in the answer");
        assert_eq!(mark("3f9a5c77"), "#3f9a5c");
    }

    #[test]
    fn ranges_of_one_source_are_one_row() {
        let mut proposal = proposal();
        let part = |source: &str, start, end| {
            let mut part = Coverage {
                source: source.into(),
                start,
                end,
                shortened: 1,
                ..Coverage::default()
            };
            part.found.add(Role::User);
            part.skipped.insert("remark of the tool".into(), 2);
            part
        };
        proposal.notes = vec!["1.md".into()];
        proposal.coverage = vec![
            part("/s.jsonl", 0, 10),
            part("/m/inbox/1.md", 0, 0),
            part("/s.jsonl", 20, 30),
        ];
        let rows = coverage(&proposal);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].ranges, [0..10, 20..30]);
        assert_eq!((rows[0].found.user, rows[0].shortened), (2, 2));
        assert_eq!(rows[0].skipped, [("remark of the tool".to_owned(), 4)]);
        assert!(rows[1].is_note && !rows[0].is_note);
    }
}
