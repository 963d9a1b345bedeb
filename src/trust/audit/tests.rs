//! Whatever is done to a chain is told, by its kind.

use super::super::verify::{Break, BreakKind, Told};
use super::*;

fn chain(trust: &Trust, n: u64) -> (Vec<AuditRow>, AuditHead) {
    let mut head = AuditHead::default();
    let mut rows = Vec::new();
    for i in 0..n {
        let row = AuditRow {
            at: "2026-01-01T00:00:00Z".into(),
            act: "decide".into(),
            project: "0123456789abcdef".into(),
            subjects: format!("{i:08x}"),
            details: r#"{"n":1}"#.into(),
            ..AuditRow::default()
        };
        let (row, next) = trust.append(&head, row);
        rows.push(row);
        head = next;
    }
    (rows, head)
}

fn found(all: Vec<Told>) -> Vec<Break> {
    let found = |told| match told {
        Told::Hard(found) => found,
        Told::Loose(loose) => loose.found(),
    };
    all.into_iter().map(found).collect()
}

fn kinds(trust: &Trust, rows: &[AuditRow], head: &AuditHead) -> Vec<(BreakKind, String)> {
    let breaks = found(trust.audit_breaks(rows, Some(head)));
    breaks.into_iter().map(|b| (b.kind, b.place)).collect()
}

#[test]
fn changing_any_column_is_told() {
    let trust = Trust::for_tests(1);
    let (rows, head) = chain(&trust, 5);
    assert_eq!(kinds(&trust, &rows, &head), []);
    type Mutation = (&'static str, fn(&mut AuditRow));
    let mutations: [Mutation; 7] = [
        ("prev", |r| r.prev = "0".repeat(64)),
        ("at", |r| r.at.push('0')),
        ("act", |r| r.act = "expire".into()),
        ("project", |r| r.project.clear()),
        ("subjects", |r| r.subjects.push(' ')),
        ("details", |r| r.details = r#"{"n": 1}"#.into()),
        ("mac", |r| r.mac = Seal::default()),
    ];
    for at in [0, 2, 4] {
        for (name, mutate) in mutations {
            let mut bad = rows.clone();
            mutate(&mut bad[at]);
            let found = kinds(&trust, &bad, &head);
            assert!(!found.is_empty(), "{name} at {at}");
            assert_eq!(found[0].1, format!("audit record {}", at + 1), "{name}");
        }
    }
}

#[test]
fn each_attack_is_reported_by_its_kind() {
    use BreakKind::{
        AuditEdited, AuditGap, AuditHead as Head, AuditRecomputed, AuditRenumbered, AuditTail,
        AuditWiped,
    };
    let trust = Trust::for_tests(1);
    let (rows, head) = chain(&trust, 6);
    let first = |rows: &[AuditRow], head: &AuditHead| {
        let all = kinds(&trust, rows, head);
        all.first().map(|(k, _)| *k)
    };
    let mut edited = rows.clone();
    edited[2].details = "{}".into();
    edited[5].details = "{}".into();
    let all: Vec<_> = kinds(&trust, &edited, &head);
    assert_eq!(
        all,
        [
            (AuditEdited, "audit record 3".into()),
            (AuditEdited, "audit record 6".into())
        ]
    );
    let mut cut = rows.clone();
    cut.remove(3);
    assert_eq!(
        kinds(&trust, &cut, &head),
        [(AuditGap, "audit record 5".into())]
    );
    let mut closed = cut.clone();
    closed.iter_mut().skip(3).for_each(|r| r.seq -= 1);
    assert_eq!(first(&closed, &head), Some(AuditRenumbered));
    assert_eq!(first(&rows[..4], &head), Some(AuditTail));
    assert_eq!(first(&[], &head), Some(AuditWiped));
    let (forged, forged_head) = chain(&Trust::for_tests(2), 6);
    assert_eq!(first(&forged, &forged_head), Some(AuditRecomputed));
    let tail = [&rows[..3], &forged[3..]].concat();
    assert_eq!(
        kinds(&trust, &tail, &head)[0],
        (AuditRecomputed, "audit record 4".into())
    );
    assert_eq!(first(&rows, &forged_head), Some(Head));
    let all = trust.audit_breaks(&rows, None);
    assert_eq!(found(all)[0].kind, Head);
}

#[test]
fn records_that_were_renumbered_by_any_distance_are_one_break() {
    use BreakKind::{AuditEdited, AuditRenumbered};
    let trust = Trust::for_tests(1);
    let (rows, head) = chain(&trust, 14);
    let told = |rows: &[AuditRow]| -> Vec<(BreakKind, String, String)> {
        let breaks = found(trust.audit_breaks(rows, Some(&head))).into_iter();
        breaks.map(|b| (b.kind, b.place, b.what)).collect()
    };
    let renumbered = |place: &str, what: &str| {
        let what = format!("{what} been renumbered");
        (AuditRenumbered, place.to_owned(), what)
    };
    for by in [1, 17, 100, 1 << 40] {
        let mut far = rows.clone();
        far.iter_mut().skip(6).for_each(|r| r.seq += by);
        let place = format!("audit records {} to {}", 7 + by, 14 + by);
        let what = "they were records 7 to 14 and have";
        assert_eq!(told(&far), [renumbered(&place, what)], "{by}");
    }
    let mut last = rows.clone();
    last[13].seq = 400;
    let what = "it was record 14 and has";
    assert_eq!(told(&last), [renumbered("audit record 400", what)]);
    let mut all = rows.clone();
    all.iter_mut().for_each(|r| r.seq += 50);
    let what = "they were records 1 to 14 and have";
    assert_eq!(told(&all), [renumbered("audit records 51 to 64", what)]);
    // One that was changed too is named by itself, and what follows is found again.
    let mut changed = rows.clone();
    changed.iter_mut().skip(6).for_each(|r| r.seq += 500);
    changed[9].details = "{}".into();
    let all: Vec<_> = told(&changed).into_iter().map(|(k, p, _)| (k, p)).collect();
    let of = |kind, place: &str| (kind, place.to_owned());
    assert_eq!(
        all,
        [
            of(AuditRenumbered, "audit records 507 to 509"),
            of(AuditEdited, "audit record 510"),
            of(AuditRenumbered, "audit records 511 to 514"),
        ]
    );
}

#[test]
fn swapped_and_repeated_records_do_not_pass() {
    let trust = Trust::for_tests(1);
    let (rows, head) = chain(&trust, 4);
    let mut swapped = rows.clone();
    swapped.swap(1, 2);
    assert!(!kinds(&trust, &swapped, &head).is_empty());
    let mut repeated = rows.clone();
    repeated.insert(2, rows[1].clone());
    assert!(!kinds(&trust, &repeated, &head).is_empty());
    assert_eq!(kinds(&trust, &[], &AuditHead::default()), []);
}
