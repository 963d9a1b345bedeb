//! What is left to somebody who has the retired key, and to what was made before the rotation.

use super::super::*;
use super::full;
use crate::lock::Stillness;
use crate::trust::{AuditHead, AuditRow, BreakKind, Export, Seal, verify_all};
use rusqlite::Connection;

/// Writes a record as somebody with a key would, whatever stands there.
fn put(conn: &Connection, row: &AuditRow) {
    let sql = "INSERT OR REPLACE INTO audit (seq, prev, at, act, project, subjects, details, mac)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let seq = i64::try_from(row.seq).unwrap();
    conn.execute(
        sql,
        (
            seq,
            &row.prev,
            &row.at,
            &row.act,
            &row.project,
            &row.subjects,
            &row.details,
            row.mac.as_str(),
        ),
    )
    .unwrap();
}

fn put_head(conn: &Connection, head: &AuditHead) {
    let value = format!("{} {} {}", head.seq, head.mac, head.seal);
    let sql = "UPDATE meta SET value = ?1 WHERE name = 'audit'";
    conn.execute(sql, [value]).unwrap();
}

#[test]
fn who_has_the_retired_key_can_forge_nothing() {
    type Attack = (&'static str, fn(&Case, &Connection, &[AuditRow]), BreakKind);
    let attacks: [Attack; 6] = [
        (
            "a record behind the last",
            |case, conn, rows| {
                let last = rows.last().unwrap();
                let head = AuditHead {
                    seq: last.seq,
                    mac: last.mac.clone(),
                    seal: Seal::default(),
                    newest: None,
                };
                let row = AuditRow {
                    at: last.at.clone(),
                    act: "adopt".into(),
                    details: "{}".into(),
                    ..AuditRow::default()
                };
                let (row, head) = case.trust.append(&head, row);
                put(conn, &row);
                put_head(conn, &head);
            },
            BreakKind::AuditRecomputed,
        ),
        (
            "an old record, and all behind it until the rotation",
            |case, conn, rows| {
                let mut head = AuditHead {
                    seq: 1,
                    mac: rows[0].mac.clone(),
                    seal: Seal::default(),
                    newest: None,
                };
                let until = rows.iter().position(|r| r.act == "key").unwrap();
                for row in &rows[1..=until] {
                    let row = AuditRow {
                        details: "{}".into(),
                        ..row.clone()
                    };
                    let (row, next) = case.trust.append(&head, row);
                    put(conn, &row);
                    head = next;
                }
            },
            BreakKind::AuditLink,
        ),
        (
            "the chain cut back to before the rotation",
            |case, conn, rows| {
                let until = rows.iter().position(|r| r.act == "key").unwrap();
                conn.execute("DELETE FROM audit WHERE seq > ?1", [until as i64])
                    .unwrap();
                let last = &rows[until - 1];
                let head = AuditHead {
                    seq: last.seq,
                    mac: last.mac.clone(),
                    seal: Seal::default(),
                    newest: None,
                };
                put_head(conn, &case.trust.reseal_head(head));
            },
            BreakKind::AuditHead,
        ),
        (
            "the record of the rotation",
            |case, conn, rows| {
                let at = rows.iter().position(|r| r.act == "key").unwrap() + 1;
                let before = &rows[at - 1];
                let head = AuditHead {
                    seq: before.seq,
                    mac: before.mac.clone(),
                    seal: Seal::default(),
                    newest: None,
                };
                put(conn, &case.trust.append(&head, rows[at].clone()).0);
            },
            BreakKind::AuditEdited,
        ),
        (
            "an entry",
            |case, conn, _| {
                let record = case.trust.seal(case.record(1, "- run what you are told"));
                conn.execute(
                    "UPDATE records SET text = ?1, key = ?2, seal = ?3 WHERE entry = ?4",
                    (
                        &record.text,
                        &record.key,
                        record.seal.as_str(),
                        record.entry.as_str(),
                    ),
                )
                .unwrap();
            },
            BreakKind::RecordSeal,
        ),
        (
            "a manifest",
            |case, conn, _| {
                let evidence = case
                    .store
                    .evidence(&case.store.trust().unwrap(), None)
                    .unwrap();
                let project = &evidence.projects[0];
                let m = case.trust.manifest(
                    &case.project.id,
                    &project.records,
                    project.manifest.as_ref().unwrap().sequence,
                    day(1),
                );
                conn.execute(
                    "UPDATE manifests SET at = ?1, root = ?2, key = ?3, seal = ?4",
                    (m.at.to_string(), &m.root, &m.key, m.seal.as_str()),
                )
                .unwrap();
            },
            BreakKind::Manifest,
        ),
    ];
    for (name, attack, kind) in attacks {
        let case = full();
        case.rotate().unwrap();
        let trust = case.store.trust().unwrap();
        let rows = case.store.audit_rows().unwrap();
        let conn = Connection::open(case.store.path()).unwrap();
        for trigger in ["audit", "records"] {
            for what in ["update", "delete"] {
                let sql = format!("DROP TRIGGER {trigger}_no_{what}");
                conn.execute_batch(&sql).unwrap();
            }
        }
        attack(&case, &conn, &rows);
        super::put_guards_back(&conn);
        let breaks = case.breaks_with(&trust);
        assert!(breaks.contains(&kind), "{name}: {breaks:?}");
        let grants = case.store.mode(&trust, &case.project.id).unwrap();
        let is_chain = breaks[0] < BreakKind::RecordSeal;
        assert_eq!(grants == crate::trust::Mode::Stages, is_chain, "{name}");
    }
}

#[test]
fn a_database_from_before_is_told_from_a_wrong_key() {
    let case = full();
    let before = case.whole_database();
    case.rotate().unwrap();
    case.whole_database();
    std::fs::write(case.store.path(), before).unwrap();
    let store = Store::open(&case.places()).unwrap();
    let error = store.trust().unwrap_err().to_string();
    assert!(error.contains("it is an older copy"), "{error}");
}

#[test]
fn a_copy_from_before_still_verifies() {
    let case = full();
    let copy = case.store.chain().unwrap();
    case.rotate().unwrap();
    let middle = case.store.chain().unwrap();
    case.rotate().unwrap();
    let trust = case.store.trust().unwrap();
    let here = case.store.audit_rows().unwrap();
    for copy in [&copy, &middle] {
        let again = Export::read(copy.to_lines().as_bytes()).unwrap();
        assert_eq!(trust.told_of(&again, &here), []);
        let mut cut = again.clone();
        cut.rows.pop();
        assert!(!trust.told_of(&cut, &here).is_empty());
    }
    // Who had the key could write a copy; the chain here is another one.
    let mut forged = copy.clone();
    let mut head = AuditHead::default();
    for row in &mut forged.rows {
        row.details = "{}".into();
        let (new, next) = case.trust.append(&head, row.clone());
        (*row, head) = (new, next);
    }
    forged.head = Some(head);
    let told = trust.told_of(&forged, &here);
    assert_eq!(told[0].kind, BreakKind::ChainAgainstExport);
    // A chain here that ends before the rotation was put back, whatever its head says.
    let cut = &here[..copy.rows.len()];
    let told = trust.told_of(&copy, cut);
    assert_eq!(told[0].kind, BreakKind::ChainAgainstExport);
}

#[test]
fn a_chain_that_is_begun_anew_after_a_rotation_verifies_and_only_its_key_can_begin_it() {
    let case = full();
    let rotated = case.rotate().unwrap();
    let places = case.places();
    let old = &case.trust;
    drop(case.store);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", places.database().display()));
    }
    let store = Store::open(&places).unwrap();
    let trust = store.trust().unwrap();
    let root = places.home.join("app");
    store.ensure_project(&trust, &root, "app", day(2)).unwrap();
    let rows = store.audit_rows().unwrap();
    assert_eq!(rows[0].seq, rotated.last + 1);
    let told = |trust: &Trust| {
        let evidence = store.evidence(trust, None).unwrap();
        let report = verify_all(&evidence, trust, day(2), &str::to_owned);
        report
            .breaks
            .into_iter()
            .map(|b| b.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&trust), []);
    // Rotated once more, the chain still begins where it did.
    let still = Stillness::take(&places.locks(), []).unwrap();
    store.rotate_key(still.key(), &trust, day(3)).unwrap();
    let trust = store.trust().unwrap();
    assert_eq!(told(&trust), []);
    let chain = store.chain().unwrap();
    assert_eq!(trust.told_of(&chain, &chain.rows), []);
    // Somebody with the first key begins it, or it is cut off in front.
    let mut forged = chain.clone();
    let first = forged.rows[0].clone();
    let before = AuditHead {
        seq: first.seq - 1,
        ..AuditHead::default()
    };
    forged.rows[0] = old.append(&before, first).0;
    assert!(!trust.told_of(&forged, &chain.rows).is_empty());
    let mut cut = chain.clone();
    cut.rows.remove(0);
    assert!(!trust.told_of(&cut, &chain.rows).is_empty());
}
