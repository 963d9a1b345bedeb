//! What a proposal says of its material: what was hidden in it, and what of it was read.

use crate::digest::Counts;
use crate::proposal::Proposal;
use crate::source::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One secret that was hidden, wherever it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// The rule that found it first.
    pub rule: String,
    /// Its length in bytes, as a bucket.
    pub length: String,
    /// Its keyed fingerprint, 32 hex digits.
    pub fingerprint: String,
    /// The rows it stood in, each once.
    pub places: Vec<Place>,
    /// How often it was hidden.
    pub count: usize,
    /// A person has said since that it is no secret.
    pub not_secret: bool,
}

/// What was hidden in a proposal's material, by secret, in order of appearance. `not_secret` are
/// the fingerprints of what a person called no secret.
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
                places: Vec::new(),
                count: 0,
                not_secret: not_secret.contains(&hit.fingerprint),
            });
        }
        let Some(found) = all.get_mut(n) else {
            continue;
        };
        found.count += 1;
        if let Some(place) = &hit.place
            && !found.places.contains(place)
        {
            found.places.push(place.clone());
        }
    }
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
        let known = BTreeSet::from(["a".to_owned()]);
        let rows = redactions(&proposal, &known);
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
