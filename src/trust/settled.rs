//! Breaks that nothing mends and that prove no forgery: something is gone, and stays gone. A person who
//! knows the cause says so once, on record, and they are told apart from then on.
//!
//! What is settled is known exactly: the id of each commit, the numbers and MACs around records that
//! are missing. Whatever else is gone, or goes later, breaks as before. Never settled is anything about
//! what a seal stands for: a record, an entry, a proposal, a word, a leave.

use super::audit::{Act, AuditHead, AuditRow, at};
use super::key::Trust;
use super::verify::{Break, BreakKind};
use crate::id::ProjectId;
use crate::redact::Redacted;
use crate::text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Of what is settled at once at most so many pieces go into one record.
pub const AT_ONCE: usize = 5_000;

/// What is gone for good, of one kind and in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    /// What became of it.
    pub cause: Cause,
    /// The project it concerns.
    pub project: Option<ProjectId>,
    /// Where, for people.
    pub place: String,
    /// What is gone, each piece by itself; never empty.
    pub pieces: Vec<Piece>,
}

/// How something came to be gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Records before another one are missing.
    GapBefore,
    /// Records at the end of the chain are missing.
    EndCutOff,
    /// The history does not hold a commit that the chain saw made.
    NotInHistory,
    /// The chain does not hold the record that a commit names.
    NotInChain,
    /// The chain saw another commit made for the record that a commit names.
    AnotherCommit,
}

impl Cause {
    /// The kind of break it is: one that [`BreakKind::can_be_settled`].
    #[must_use]
    pub fn kind(self) -> BreakKind {
        match self {
            Cause::GapBefore => BreakKind::AuditGap,
            Cause::EndCutOff => BreakKind::AuditTail,
            Cause::NotInHistory => BreakKind::CommitGone,
            Cause::NotInChain | Cause::AnotherCommit => BreakKind::ChainAgainstCommits,
        }
    }

    /// What is wrong, and what it may come from.
    fn said(self, pieces: &[Piece]) -> String {
        let shown = pieces.first().map_or("", |p| p.shown.as_str());
        match self {
            Cause::GapBefore => format!("missing before it: {shown}"),
            Cause::EndCutOff => {
                format!("it was the last one, and the chain ends before it; missing: {shown}")
            }
            Cause::NotInHistory => format!(
                "{} that the audit chain saw made, and that the history does not hold any more: an older .memory/ was put back, its history was rewritten, or its .git was removed",
                counted(pieces, "the first is")
            ),
            Cause::NotInChain => format!(
                "{} of an audit record that the chain does not hold: the database was put back to an older state, or memd did not make it",
                counted(pieces, "the newest is")
            ),
            Cause::AnotherCommit => format!(
                "{} of an audit record for which the chain saw another commit made: history was rewritten, or memd did not make it",
                counted(pieces, "the newest is")
            ),
        }
    }
}

/// One thing that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What makes it this one and no other.
    pub id: String,
    /// The same for people.
    pub shown: String,
}

/// A break that a person has settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettledBreak {
    /// The break, as it would be told else.
    #[serde(flatten)]
    pub found: Break,
    /// When it was settled.
    pub at: Timestamp,
    /// Why, in the person's words.
    pub why: String,
    /// The number of the audit record that says so.
    pub record: u64,
}

impl BreakKind {
    /// Whether a person can settle it: something is gone, and nothing that is given to anybody rests
    /// on it.
    #[must_use]
    pub fn can_be_settled(self) -> bool {
        matches!(
            self,
            BreakKind::AuditGap
                | BreakKind::AuditTail
                | BreakKind::ChainAgainstCommits
                | BreakKind::CommitGone
        )
    }
}

impl Loose {
    /// None where nothing is gone.
    pub(super) fn new(
        cause: Cause,
        project: Option<ProjectId>,
        place: String,
        pieces: Vec<Piece>,
    ) -> Option<Self> {
        (!pieces.is_empty()).then_some(Self {
            cause,
            project,
            place,
            pieces,
        })
    }

    /// As a break.
    #[must_use]
    pub fn found(&self) -> Break {
        Break {
            kind: self.cause.kind(),
            project: self.project.clone(),
            place: self.place.clone(),
            what: self.cause.said(&self.pieces),
        }
    }

    /// The same with only these pieces.
    #[must_use]
    pub fn with(&self, pieces: Vec<Piece>) -> Option<Self> {
        let (project, place) = (self.project.clone(), self.place.clone());
        Self::new(self.cause, project, place, pieces)
    }
}

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

/// Everything that was settled: by kind, project and piece, the record that says so.
pub(super) struct Settlements<'a> {
    words: Vec<(&'a AuditRow, Details)>,
    by_piece: BTreeMap<(BreakKind, Option<ProjectId>, String), usize>,
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
        for group in details.settled.iter().filter(|g| g.kind.can_be_settled()) {
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

/// Records that are missing before this one, by their numbers and the MACs on both sides.
pub(super) fn gap(before: Option<&AuditRow>, row: &AuditRow) -> Option<Loose> {
    let last = before.map_or(0, |b| b.seq);
    if row.seq <= last + 1 {
        return None;
    }
    let piece = missing(before, row.seq - 1, &row.prev);
    let place = at(BreakKind::AuditGap, row.seq, "").place;
    Loose::new(Cause::GapBefore, None, place, vec![piece])
}

/// Records that are missing at the end, where the sealed head still says which was the last.
pub(super) fn tail(last: &AuditRow, head: &AuditHead) -> Option<Loose> {
    let piece = missing(Some(last), head.seq, head.mac.as_str());
    let place = at(BreakKind::AuditTail, head.seq, "").place;
    Loose::new(Cause::EndCutOff, None, place, vec![piece])
}

fn missing(before: Option<&AuditRow>, to: u64, mac: &str) -> Piece {
    let from = before.map_or(0, |b| b.seq) + 1;
    let after = before.map_or("", |b| b.mac.as_str());
    Piece {
        id: format!("{from}-{to} {after} {mac}"),
        shown: match to - from {
            0 => format!("record {from}"),
            _ => format!("records {from} to {to}"),
        },
    }
}

/// Such as `3 commits (the first is 0a1b2c3d4e)`.
fn counted(pieces: &[Piece], which: &str) -> String {
    let first = pieces.first().map_or("", |p| p.id.as_str());
    let first = text::first_chars(first, 10).0;
    match pieces.len() {
        1 => format!("commit {first}"),
        n => format!("{n} commits ({which} {first})"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::verify::{Evidence, Report, verify_all};
    use super::*;

    fn chain(trust: &Trust, n: u64) -> (Vec<AuditRow>, AuditHead) {
        let mut head = AuditHead::default();
        let mut rows = Vec::new();
        for _ in 0..n {
            let row = AuditRow {
                at: "2026-01-01T00:00:00Z".into(),
                act: "decide".into(),
                details: "{}".into(),
                ..AuditRow::default()
            };
            let (row, next) = trust.append(&head, row);
            rows.push(row);
            head = next;
        }
        (rows, head)
    }

    /// The chain with a person's word on these at its end.
    fn after(
        trust: &Trust,
        mut rows: Vec<AuditRow>,
        head: &AuditHead,
        loose: &[Loose],
    ) -> (Vec<AuditRow>, AuditHead) {
        let row = AuditRow {
            at: "2026-01-02T00:00:00Z".into(),
            act: Act::Settle.name().into(),
            details: settling(loose, &Redacted::literal("a backup")).to_string(),
            ..AuditRow::default()
        };
        let (row, head) = trust.append(head, row);
        rows.push(row);
        (rows, head)
    }

    fn look(trust: &Trust, audit: Vec<AuditRow>, head: &AuditHead) -> Report {
        let evidence = Evidence {
            audit,
            head: Some(head.clone()),
            ..Evidence::default()
        };
        verify_all(&evidence, trust, Timestamp::UNIX_EPOCH, &str::to_owned)
    }

    fn kinds(report: &Report) -> (Vec<BreakKind>, usize) {
        let breaks = report.breaks.iter().map(|b| b.kind);
        (breaks.collect(), report.settled.len())
    }

    #[test]
    fn a_cut_end_that_was_settled_is_a_settled_gap_and_any_other_is_a_gap() {
        let trust = Trust::for_tests(1);
        let (mut rows, head) = chain(&trust, 9);
        rows.truncate(6);
        let cut = look(&trust, rows.clone(), &head);
        assert_eq!(kinds(&cut), (vec![BreakKind::AuditTail], 0));
        assert_eq!(cut.loose.len(), 1);
        let (rows, head) = after(&trust, rows, &head, &cut.loose);
        let settled = look(&trust, rows.clone(), &head);
        assert_eq!(kinds(&settled), (vec![], 1));
        assert_eq!(settled.settled[0].why, "a backup");
        assert_eq!(settled.settled[0].record, 10);
        for gone in [1, 5] {
            let mut more = rows.clone();
            more.remove(gone);
            let more = look(&trust, more, &head);
            assert_eq!(more.breaks.len(), 1, "{gone}: {more:?}");
        }
        // Where the chain itself was changed, no word counts.
        let mut changed = rows;
        changed[2].details.push(' ');
        let changed = look(&trust, changed, &head);
        let both = vec![BreakKind::AuditEdited, BreakKind::AuditGap];
        assert_eq!(kinds(&changed), (both, 0));
        assert!(changed.loose.is_empty());
    }

    #[test]
    fn nobody_settles_what_is_cut_off_later() {
        let trust = Trust::for_tests(1);
        let (rows, head) = chain(&trust, 3);
        for (to, counts) in [(2, true), (3, true), (4, false), (9, false)] {
            let id = format!("2-{to} {} {}", rows[0].mac, rows[2].mac);
            let piece = vec![Piece {
                id,
                shown: String::new(),
            }];
            let place = "audit record 4".to_owned();
            let early = Loose::new(Cause::GapBefore, None, place, piece).unwrap();
            let (rows, head) = after(&trust, rows.clone(), &head, &[early]);
            let settlements = Settlements::read(&trust, &rows, true);
            assert_eq!(head.seq, 4);
            assert_eq!(!settlements.by_piece.is_empty(), counts, "{to}");
        }
    }

    #[test]
    fn kinds_on_which_a_text_rests_are_never_settled() {
        let trust = Trust::for_tests(1);
        let project: ProjectId = "0123456789abcdef".parse().unwrap();
        let details = |kind: &str| {
            format!(
                r#"{{"why":"x","settled":[{{"kind":"{kind}","project":"{project}","ids":["a"]}}]}}"#
            )
        };
        for (kind, counts) in [
            ("record-seal", false),
            ("manifest", false),
            ("entry-edited", false),
            ("audit-edited", false),
            ("proposal-seal", false),
            ("no-such-kind", false),
            ("commit-gone", true),
        ] {
            let row = AuditRow {
                at: "2026-01-02T00:00:00Z".into(),
                act: Act::Settle.name().into(),
                details: details(kind),
                ..AuditRow::default()
            };
            let (row, _) = trust.append(&AuditHead::default(), row);
            let rows = [row];
            let settlements = Settlements::read(&trust, &rows, true);
            assert_eq!(!settlements.by_piece.is_empty(), counts, "{kind}");
            assert!(Settlements::read(&trust, &rows, false).by_piece.is_empty());
        }
    }
}
