//! A rotated key: all of it sealed anew or none, whatever it is killed in; and what is left to
//! somebody who has the old one.

use super::*;
use crate::lock::{KeyLock, LockError, Stillness};
use crate::redact::Redactor;
use crate::store::{HiddenValue, Rotated};
use crate::trust::{
    Act, AuditHead, AuditRow, BreakKind, Export, Seal, Settled, TrustError, verify_all,
};
use rusqlite::Connection;
use serde_json::json;

/// A database with at least one row in every table that is sealed.
pub(super) fn full() -> Case {
    let case = Case::new();
    let applied = case.stage(1, &["- one", "- two"]);
    case.decide(&applied, 1, Decision::Accepted);
    case.decide(&applied, 2, Decision::Rejected);
    let intent = case.intent(&applied, &[1], &[2]);
    case.store
        .begin_apply(&case.trust, &intent, day(0))
        .unwrap();
    case.store
        .finish_apply(&case.trust, &applied, day(0))
        .unwrap();
    let pending = case.stage(2, &["- three"]);
    case.decide(&pending, 1, Decision::Accepted);
    let mut intent = case.intent(&pending, &[1], &[]);
    intent.records = vec![case.record(3, "- three")];
    case.store
        .begin_apply(&case.trust, &intent, day(0))
        .unwrap();
    let value = HiddenValue {
        fingerprint: &"ab".repeat(16),
        rule: "keyword",
        length: "8-15",
    };
    case.store
        .set_not_secret(&case.trust, value, day(0))
        .unwrap();
    let redactor = || Redactor::new(&[], case.trust.redaction_key()).0;
    let also = redactor().also("the blue horse of 1987").unwrap();
    case.store
        .set_also_secret(&case.trust, &also, redactor(), day(0))
        .unwrap();
    case.store
        .grant(&case.trust, &case.project.id, true, day(0))
        .unwrap();
    assert_eq!(case.breaks(), []);
    case
}

impl Case {
    fn rotate(&self) -> Result<Rotated, StoreError> {
        let still = Stillness::take(&self.places().locks(), [&self.project.id]).unwrap();
        let trust = self.store.trust()?;
        self.store.rotate_key(still.key(), &trust, day(1))
    }

    fn breaks_with(&self, trust: &Trust) -> Vec<BreakKind> {
        let evidence = self.store.evidence(trust, None).unwrap();
        let report = verify_all(&evidence, trust, day(1), &str::to_owned);
        report.breaks.into_iter().map(|b| b.kind).collect()
    }

    /// The files of the state folder that a kill could leave half done.
    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.places().state.join(name)).unwrap()
    }

    /// The database as one file, nothing left beside it.
    pub(super) fn whole_database(&self) -> Vec<u8> {
        let conn = Connection::open(self.store.path()).unwrap();
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .unwrap();
        std::fs::read(self.store.path()).unwrap()
    }
}

#[test]
fn what_a_killed_rotation_wrote_beside_the_key_is_removed_and_nothing_else() {
    let case = full();
    let places = case.places();
    let litter = || {
        // As a kill leaves it just before the next key is in its place.
        let next = case.store.trust().unwrap().successor(9).unwrap();
        next.lay_down(&places).unwrap();
        let left = places.state.join(".memd-left");
        std::fs::rename(places.next_key(), &left).unwrap();
        left
    };
    let others = places.state.join(".memd-other");
    std::fs::write(&others, "another's temporary file").unwrap();
    let left = litter();
    let lock = KeyLock::take(&places.locks()).unwrap();
    assert_eq!(Store::settle_rotation(&places).unwrap(), None);
    assert!(left.exists(), "a rotation may be under way");
    drop(lock);
    assert_eq!(Store::settle_rotation(&places).unwrap(), None);
    assert!(!left.exists());
    let left = litter();
    case.rotate().unwrap();
    assert!(!left.exists() && others.exists());
}

#[test]
fn a_rotated_key_seals_everything_and_the_chain_goes_on() {
    let case = full();
    let before = case.store.audit_rows().unwrap();
    let rotated = case.rotate().unwrap();
    let trust = case.store.trust().unwrap();
    assert_eq!(rotated.old, case.trust.key_id());
    assert_eq!(rotated.new, trust.key_id());
    assert_eq!(rotated.counts, {
        let mut counts = case.store.sealed_counts().unwrap();
        counts.audit -= 2;
        counts
    });
    let counts = rotated.counts;
    let all = [
        counts.records,
        counts.manifests,
        counts.proposals,
        counts.decisions,
        counts.applies,
        counts.words,
        counts.grants,
        counts.audit,
    ];
    assert!(all.iter().all(|n| *n > 0), "{counts:?}");
    assert_eq!(case.breaks_with(&trust), []);
    // What was hidden keeps its name.
    assert_eq!(trust.redaction_key(), case.trust.redaction_key());
    // Commits and copies name records by their MACs.
    let after = case.store.audit_rows().unwrap();
    assert_eq!(after[..before.len()], before);
    let last = &after[rotated.last as usize - 1];
    let first = &after[rotated.last as usize];
    assert_eq!((last.act.as_str(), first.act.as_str()), ("key", "key"));
    assert!(case.trust.is_written(last) && !case.trust.is_written(first));
    for row in [last, first] {
        assert!(row.details.contains(&rotated.old) && row.details.contains(&rotated.new));
    }
    assert!(!case.places().next_key().exists());
    // Guards of the tables stand.
    let conn = Connection::open(case.store.path()).unwrap();
    for sql in [
        "UPDATE records SET text = ''",
        "DELETE FROM journal",
        "UPDATE audit SET act = ''",
    ] {
        assert!(conn.execute(sql, []).is_err(), "{sql}");
    }
    // And it goes on from there.
    assert_eq!(
        case.store.mode(&trust, &case.project.id).unwrap(),
        crate::trust::Mode::AppliesFromHooks
    );
    let pending = case
        .store
        .pending_apply(&trust, &case.project.id)
        .unwrap()
        .unwrap();
    case.store
        .finish_apply(&trust, &pending.proposal, day(1))
        .unwrap();
    assert_eq!(case.breaks_with(&trust), []);
}

#[test]
fn a_key_is_rotated_again_and_again() {
    let case = full();
    let mut ids = vec![case.trust.key_id().to_owned()];
    for n in 1..=4 {
        ids.push(case.rotate().unwrap().new);
        let trust = case.store.trust().unwrap();
        assert_eq!(case.breaks_with(&trust), [], "{n}");
        let retired: Vec<_> = trust.retired().iter().map(|k| k.id.clone()).collect();
        assert_eq!(retired, ids[..n]);
        assert_eq!(trust.redaction_key(), case.trust.redaction_key());
    }
}

#[test]
fn a_memd_that_began_with_the_old_key_is_told_and_writes_nothing() {
    let case = full();
    case.rotate().unwrap();
    let rows = case.store.audit_rows().unwrap().len();
    let (store, old, project) = (&case.store, &case.trust, &case.project.id);
    let told = [
        store
            .audit(old, Act::Refuse, None, &[], json!({}), day(2))
            .map(drop),
        store.stage(old, &case.make(9, &["- nine"]), &[], day(2)),
        store.records(old, project).map(drop),
        store.proposal(old, &id(1)).map(drop),
        store.decisions(old, &id(1)).map(drop),
        store.pending_apply(old, project).map(drop),
        store.evidence(old, None).map(drop),
        store.grant(old, project, false, day(2)).map(drop),
        store
            .rotate_key(&KeyLock::take(&case.places().locks()).unwrap(), old, day(2))
            .map(drop),
    ];
    for (n, told) in told.into_iter().enumerate() {
        assert!(
            matches!(
                told,
                Err(StoreError::Trust(TrustError::RotatedMeanwhile { .. }))
            ),
            "{n}: {told:?}"
        );
    }
    assert_eq!(store.audit_rows().unwrap().len(), rows);
    assert_eq!(case.breaks_with(&store.trust().unwrap()), []);
}

#[test]
fn whatever_it_is_killed_in_the_old_or_the_new_goes_on() {
    let case = full();
    let (old_database, old_key) = (case.whole_database(), case.bytes("key"));
    let rotated = case.rotate().unwrap();
    let (new_database, new_key) = (case.whole_database(), case.bytes("key"));
    let undone = Settled::Undone(rotated.old.clone());
    let finished = Settled::Finished(rotated.new.clone());
    // Before anything; the next key laid down; the database sealed; the key in its place.
    let steps = [
        (&old_database, &old_key, None, None),
        (&old_database, &old_key, Some(&new_key), Some(undone)),
        (&new_database, &old_key, Some(&new_key), Some(finished)),
        (&new_database, &new_key, None, None),
    ];
    for (n, (database, key, next, told)) in steps.into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        std::fs::create_dir_all(&places.state).unwrap();
        let put = |path: &Path, bytes: &[u8]| crate::fs::write_new(path, bytes, 0o600).unwrap();
        put(&places.database(), database);
        put(&places.key(), key);
        if let Some(next) = next {
            put(&places.next_key(), next);
        }
        let store = Store::open(&places).unwrap();
        let id = if n < 2 { &rotated.old } else { &rotated.new };
        let looked = |what: &str| {
            let trust = store.trust().unwrap();
            assert_eq!(trust.key_id(), id, "{n} {what}");
            let evidence = store.evidence(&trust, None).unwrap();
            let breaks = verify_all(&evidence, &trust, day(1), &str::to_owned).breaks;
            assert_eq!(breaks, [], "{n} {what}");
        };
        // Whoever only reads need not mend it.
        looked("before");
        // While the one that rotates lives, nobody takes it away from it.
        let lock = KeyLock::take(&places.locks()).unwrap();
        assert_eq!(Store::settle_rotation(&places).unwrap(), None, "{n}");
        assert_eq!(places.next_key().exists(), next.is_some(), "{n}");
        drop(lock);
        assert_eq!(Store::settle_rotation(&places).unwrap(), told, "{n}");
        assert!(!places.next_key().exists(), "{n}");
        assert_eq!(Store::settle_rotation(&places).unwrap(), None, "{n}");
        looked("after");
        let rotate = || {
            let lock = KeyLock::take(&places.locks()).unwrap();
            store.rotate_key(&lock, &store.trust().unwrap(), day(2))
        };
        assert_eq!(&rotate().unwrap().old, id, "{n}");
    }
}

#[test]
fn what_does_not_verify_is_never_sealed_anew() {
    let attacks = [
        "UPDATE records SET text = 'x'",
        "UPDATE manifests SET sequence = 9",
        "UPDATE proposals SET body = replace(body, 'one', 'two') WHERE id = '00000001'",
        "UPDATE journal SET body = replace(body, '2', '1')",
        "UPDATE intents SET body = replace(body, 'three', 'four')",
        "UPDATE not_secret SET rule = 'x'",
        "UPDATE also_secret SET head = 255 - head",
        "UPDATE grants SET hooks = 0",
        "UPDATE audit SET act = 'x' WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 2",
        "UPDATE meta SET value = value || '0' WHERE name = 'audit'",
        "INSERT INTO records SELECT 'fedcba9876543210', entry, version, format, file, section, text, origin,
           evidence, created, at, accepted, confirmed, confirmations, lapses, supersedes, state, proposal, key, seal FROM records",
    ];
    for attack in attacks {
        let case = full();
        case.attack(attack);
        let (key, rows) = (case.bytes("key"), case.store.audit_rows().unwrap());
        let refused = case.rotate();
        assert!(
            matches!(refused, Err(StoreError::Tampered { .. })),
            "{attack}: {refused:?}"
        );
        assert_eq!(case.bytes("key"), key, "{attack}");
        assert_eq!(case.store.audit_rows().unwrap(), rows, "{attack}");
        assert!(!case.places().next_key().exists(), "{attack}");
        assert_eq!(
            case.store.trust().unwrap().key_id(),
            case.trust.key_id(),
            "{attack}"
        );
    }
}

#[test]
fn a_rotation_leaves_out_what_does_not_verify_and_says_so() {
    let attacks = [
        ("records", "UPDATE records SET text = 'x'"),
        ("manifests", "UPDATE manifests SET sequence = 9"),
        (
            "proposals",
            "UPDATE proposals SET body = replace(body, 'one', 'two') WHERE id = '00000001'",
        ),
        (
            "journal",
            "UPDATE journal SET body = replace(body, '2', '1') WHERE seq = 2",
        ),
        (
            "intents",
            "UPDATE intents SET body = replace(body, 'three', 'four')",
        ),
        ("not_secret", "UPDATE not_secret SET rule = 'x'"),
        ("grants", "UPDATE grants SET hooks = 0"),
        ("", "UPDATE audit SET details = '{}' WHERE seq = 2"),
        ("", "DELETE FROM audit WHERE seq = 2"),
    ];
    for (table, attack) in attacks {
        let case = full();
        case.attack(attack);
        let known = case.store.unsealed(&case.trust, day(1)).unwrap();
        assert!(!known.is_empty(), "{attack}");
        let broken: Vec<_> = known.iter().map(|b| b.kind).collect();
        let still = Stillness::take(&case.places().locks(), [&case.project.id]).unwrap();
        let rotate = |known: &[_]| {
            case.store
                .rotate_key_without(still.key(), &case.trust, known, day(1))
        };
        // Something else than a person was shown.
        assert!(rotate(&known[1..]).is_err(), "{attack}");
        let rotated = rotate(&known).unwrap();
        assert_eq!(rotated.left_out, known, "{attack}");
        let trust = case.store.trust().unwrap();
        assert_ne!(trust.key_id(), case.trust.key_id(), "{attack}");
        let after = case.breaks_with(&trust);
        assert!(
            broken.iter().all(|kind| after.contains(kind)),
            "{attack}: {broken:?} {after:?}"
        );
        let rows = case.store.audit_rows().unwrap();
        let record = rows.iter().rfind(|r| r.details.contains("\"rotated\""));
        assert!(record.unwrap().details.contains("left_out"), "{attack}");
        if matches!(table, "records" | "manifests" | "not_secret" | "grants") {
            let sql = format!("SELECT count(*) FROM {table} WHERE key = ?1");
            let anew: i64 = case
                .store
                .raw()
                .query_row(&sql, [trust.key_id()], |row| row.get(0))
                .unwrap();
            assert_eq!(anew, 0, "{attack}");
        }
        // Where it can be given up, all is whole again.
        for of in case.store.unsound(&trust, None, false).unwrap() {
            case.store.give_up_proposal(&trust, &of, day(1)).unwrap();
        }
        let given_up = case.store.give_up_records(&trust, &case.project.id, day(1));
        given_up.unwrap();
        let is_whole = case.breaks_with(&trust).is_empty();
        assert_eq!(
            is_whole,
            !matches!(table, "" | "not_secret" | "grants"),
            "{attack}"
        );
    }
}

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
fn of_two_at_once_one_is_told() {
    let case = full();
    let locks = case.places().locks();
    let first = Stillness::take(&locks, [&case.project.id]).unwrap();
    assert!(matches!(
        Stillness::take(&locks, [&case.project.id]),
        Err(LockError::Held { what: "the key" })
    ));
    drop(first);
    let places = case.places();
    let done: Vec<_> = std::thread::scope(|s| {
        let rotate = || {
            let store = Store::open(&places).unwrap();
            let trust = store.trust().unwrap();
            let lock = KeyLock::take(&locks).ok()?;
            store.rotate_key(&lock, &trust, day(1)).ok()
        };
        let all: Vec<_> = (0..4).map(|_| s.spawn(rotate)).collect();
        all.into_iter().filter_map(|t| t.join().unwrap()).collect()
    });
    assert!(!done.is_empty());
    let trust = case.store.trust().unwrap();
    assert_eq!(trust.retired().len(), done.len());
    assert_eq!(case.breaks_with(&trust), []);
}

#[test]
fn whoever_reads_meanwhile_reads_with_the_old_or_the_new() {
    let case = full();
    let (places, project) = (case.places(), case.project.id.clone());
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|s| {
        s.spawn(|| {
            let store = Store::open(&places).unwrap();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let trust = store.trust().unwrap();
                match store.records(&trust, &project) {
                    Ok(records) => assert!(records.iter().all(|r| trust.verify(r).is_ok())),
                    Err(StoreError::Trust(TrustError::RotatedMeanwhile { .. })) => {}
                    Err(e) => panic!("{e}"),
                }
            }
        });
        for _ in 0..10 {
            case.rotate().unwrap();
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
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
