//! The record of a person's word on what is gone: what it says, and what it settles.

use super::super::audit::{Act, AuditRow};
use super::super::key::Trust;
use super::super::verify::BreakKind;
use super::{Loose, Piece, SettledBreak};
use crate::id::ProjectId;
use crate::redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What the record of a person's word says besides what every record does.
#[derive(Debug, Serialize, Deserialize)]
struct Details {
    why: String,
    settled: Vec<Group>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Group {
    kind: BreakKind,
    project: Option<ProjectId>,
    ids: Vec<String>,
}

/// The details of the record that settles these.
#[must_use]
pub fn settling(loose: &[Loose], why: &Redacted) -> Value {
    let group = |l: &Loose| Group {
        kind: l.cause.kind(),
        project: l.project.clone(),
        ids: l.pieces.iter().map(|p| p.id.clone()).collect(),
    };
    let settled: Vec<Group> = loose.iter().map(group).collect();
    json!({ "why": why.as_str(), "settled": settled })
}

/// What a record settles of one kind and project.
pub(super) fn groups(row: &AuditRow, kind: BreakKind, project: &ProjectId) -> Vec<String> {
    let Ok(details) = serde_json::from_str::<Details>(&row.details) else {
        return Vec::new();
    };
    let of_it = |g: &Group| g.kind == kind && g.project.as_ref() == Some(project);
    let groups = details.settled.into_iter().filter(of_it);
    groups.flat_map(|g| g.ids).collect()
}

/// Everything that was settled: by kind, project and piece, the record that says so.
pub(in super::super) struct Settlements<'a> {
    words: Vec<(&'a AuditRow, Details)>,
    pub(super) by_piece: BTreeMap<(BreakKind, Option<ProjectId>, String), usize>,
}

impl<'a> Settlements<'a> {
    /// What the chain says of it. Where the chain itself does not hold, nothing counts: a record that
    /// was put into it would be told by its neighbours alone.
    pub fn read(trust: &Trust, rows: &'a [AuditRow], chain_holds: bool) -> Self {
        let mut all = Self {
            words: Vec::new(),
            by_piece: BTreeMap::new(),
        };
        let of_people = rows.iter().filter(|r| r.act == Act::Settle.name());
        for row in of_people.filter(|r| chain_holds && trust.is_written(r)) {
            let Ok(details) = serde_json::from_str::<Details>(&row.details) else {
                continue;
            };
            all.take(row, details);
        }
        all
    }

    fn take(&mut self, row: &'a AuditRow, details: Details) {
        let n = self.words.len();
        // Where a proposal stands is read from the record as from any other act on it.
        let is_of_it = |g: &&Group| g.kind.can_be_settled() && g.kind != BreakKind::ProposalLife;
        for group in details.settled.iter().filter(is_of_it) {
            for id in &group.ids {
                // Nobody can have known what was to be cut off later.
                if is_before(group.kind, id, row.seq) {
                    let key = (
                        kind_once_more(group.kind),
                        group.project.clone(),
                        id.clone(),
                    );
                    self.by_piece.entry(key).or_insert(n);
                }
            }
        }
        self.words.push((row, details));
    }

    /// Parts what was settled from what was not: the breaks that stay, as far as they stay, and those
    /// that were settled, by record.
    pub fn part(&self, loose: &Loose) -> (Option<Loose>, Vec<SettledBreak>) {
        let mut open = Vec::new();
        let mut by_word: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
        for piece in &loose.pieces {
            let kind = kind_once_more(loose.cause.kind());
            let key = (kind, loose.project.clone(), piece.id.clone());
            match self.by_piece.get(&key) {
                Some(n) => by_word.entry(*n).or_default().push(piece.clone()),
                None => open.push(piece.clone()),
            }
        }
        let settled = by_word.into_iter().filter_map(|(n, pieces)| {
            let (row, details) = self.words.get(n)?;
            Some(SettledBreak {
                found: loose.with(pieces)?.found(),
                at: row.time()?,
                why: details.why.clone(),
                record: row.seq,
            })
        });
        (loose.with(open), settled.collect())
    }
}

/// An end that was cut off is a gap as soon as the chain goes on.
fn kind_once_more(kind: BreakKind) -> BreakKind {
    match kind {
        BreakKind::AuditTail => BreakKind::AuditGap,
        kind => kind,
    }
}

fn is_before(kind: BreakKind, id: &str, seq: u64) -> bool {
    match kind {
        BreakKind::AuditGap | BreakKind::AuditTail => {
            let last = id.split(' ').next().and_then(|span| span.split_once('-'));
            last.and_then(|(_, to)| to.parse().ok())
                .is_some_and(|to: u64| to < seq)
        }
        _ => true,
    }
}
