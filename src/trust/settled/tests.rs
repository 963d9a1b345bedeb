//! What a person settles, and what nobody can.

use super::super::audit::{Act, AuditHead, AuditRow};
use super::super::key::Trust;
use super::super::verify::{BreakKind, Evidence, Report, verify_all};
use super::word::{Settlements, settling};
use super::{Cause, Loose, Piece};
use crate::id::ProjectId;
use crate::redact::Redacted;
use jiff::Timestamp;

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
