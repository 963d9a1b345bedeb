//! Audit chain, records and manifest in the real file: attacks, and many writers at once.

use super::*;
use crate::trust::{Act, BreakKind, RecordState};
use serde_json::json;

fn busy_case() -> Case {
    let case = Case::new();
    for n in 1..=3 {
        let id = case.stage(n, &["- one"]);
        case.decide(&id, 1, Decision::Accepted);
        let mut intent = case.intent(&id, &[], &[]);
        intent.applied = vec![1];
        intent.records = vec![case.record(n, "- one")];
        case.apply(&intent);
    }
    assert_eq!(case.breaks(), []);
    case
}

#[test]
fn what_memd_did_not_make_in_the_database_is_named() {
    let case = Case::new();
    assert_eq!(case.breaks(), []);
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    let own = "CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT 1; END";
    for (foreign, name) in [
        (
            "CREATE TRIGGER t AFTER INSERT ON audit BEGIN SELECT 1; END",
            "trigger \"t\"",
        ),
        ("CREATE VIEW v AS SELECT 1", "view \"v\""),
        ("CREATE TABLE sqliteX (a)", "table \"sqliteX\""),
        (own, "trigger \"audit_no_delete\""),
    ] {
        if foreign == own {
            conn.execute_batch("DROP TRIGGER audit_no_delete").unwrap();
            assert_eq!(case.breaks(), [BreakKind::GuardGone]);
        }
        conn.execute_batch(foreign).unwrap();
        let found = case.store.evidence(&case.trust, None).unwrap().found;
        assert_eq!(found.len(), 1, "{foreign}: {found:?}");
        assert_eq!(found[0].place, name);
        let (kind, name) = name.split_once(' ').unwrap();
        conn.execute_batch(&format!("DROP {kind} {name}")).unwrap();
        super::put_guards_back(&conn);
        assert_eq!(case.breaks(), [], "{foreign}");
    }
}

#[test]
fn a_guard_that_was_taken_out_is_named_until_it_is_made_again() {
    let case = Case::new();
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    let guards = ["audit", "journal", "records"]
        .iter()
        .flat_map(|table| ["update", "delete"].map(|what| format!("{table}_no_{what}")));
    for guard in guards {
        conn.execute_batch(&format!("DROP TRIGGER {guard}"))
            .unwrap();
        let found = case.store.evidence(&case.trust, None).unwrap().found;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, BreakKind::GuardGone);
        assert!(found[0].place.contains(&guard), "{found:?}");
        case.store.mend().unwrap();
        assert_eq!(case.breaks(), []);
    }
}

#[test]
fn each_attack_on_the_chain_is_named() {
    // Rows: 1 register, then stage, decide, begin-apply, apply three times: 13.
    let cases = [
        (
            "UPDATE audit SET prev = mac WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET at = '2020-01-01T00:00:00Z' WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET act = 'expire' WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET project = '' WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET subjects = '' WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET details = details || ' ' WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET mac = '' WHERE seq = 5",
            BreakKind::AuditEdited,
        ),
        (
            "UPDATE audit SET seq = 20 WHERE seq = 13",
            BreakKind::AuditRenumbered,
        ),
        ("DELETE FROM audit WHERE seq = 5", BreakKind::AuditGap),
        ("DELETE FROM audit WHERE seq > 11", BreakKind::AuditTail),
        ("DELETE FROM audit", BreakKind::AuditWiped),
        (
            "DELETE FROM meta WHERE name = 'audit'",
            BreakKind::AuditHead,
        ),
        (
            "UPDATE meta SET value = '9 x y' WHERE name = 'audit'",
            BreakKind::AuditHead,
        ),
        (
            "UPDATE audit SET mac = 'f' || substr(mac, 2) || 'f', details = '{}' WHERE seq > 11",
            BreakKind::AuditRecomputed,
        ),
    ];
    for (attack, kind) in cases {
        let case = busy_case();
        case.attack(attack);
        assert_eq!(case.breaks().first(), Some(&kind), "{attack}");
    }
}

#[test]
fn each_attack_on_records_and_manifest_is_named() {
    let columns = [
        ("entry", "'ffffffffffff'"),
        ("version", "7"),
        ("format", "2"),
        ("file", "'todo.md'"),
        ("section", "'S'"),
        ("text", "'- evil'"),
        ("origin", "'tool'"),
        ("evidence", "'e'"),
        ("created", "'2020-01-01T00:00:00Z'"),
        ("at", "'2020-01-01T00:00:00Z'"),
        ("accepted", "NULL"),
        ("confirmed", "'2020-01-01T00:00:00Z'"),
        ("confirmations", "9"),
        ("lapses", "'2020-01-01T00:00:00Z'"),
        ("supersedes", "'ffffffffffff'"),
        ("state", "'archived'"),
        ("proposal", "'ffffffff'"),
        ("key", "'0000000000000000'"),
        ("seal", "''"),
    ];
    for (column, value) in columns {
        let case = busy_case();
        case.attack(&format!(
            "UPDATE records SET {column} = {value} WHERE entry LIKE '%2'"
        ));
        assert!(case.breaks().contains(&BreakKind::RecordSeal), "{column}");
    }
    for (attack, kind) in [
        (
            "UPDATE records SET origin = 'god' WHERE entry LIKE '%2'",
            BreakKind::RecordUnreadable,
        ),
        (
            "DELETE FROM records WHERE entry LIKE '%2'",
            BreakKind::Manifest,
        ),
        ("DELETE FROM manifests", BreakKind::Manifest),
        ("UPDATE manifests SET count = 2", BreakKind::Manifest),
        ("UPDATE manifests SET sequence = 2", BreakKind::Manifest),
        ("UPDATE manifests SET root = ''", BreakKind::Manifest),
        (
            "UPDATE manifests SET at = '2020-01-01T00:00:00Z'",
            BreakKind::Manifest,
        ),
    ] {
        let case = busy_case();
        case.attack(attack);
        assert!(case.breaks().contains(&kind), "{attack}");
        let records = case.store.records(&case.trust, &case.project.id);
        assert!(
            matches!(records, Err(StoreError::RecordsChanged { .. })),
            "{attack}"
        );
    }
}

#[test]
fn records_and_manifest_put_back_together_disagree_with_the_chain() {
    let case = busy_case();
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let before = store.manifest(project).unwrap().unwrap();
    let first = store.records(trust, project).unwrap().remove(0);
    let archived = Record {
        state: RecordState::Archived,
        ..first.next(day(1))
    };
    store
        .put_records(
            trust,
            project,
            Act::Tombstone,
            vec![archived],
            json!({}),
            day(1),
        )
        .unwrap();
    assert_eq!(case.breaks(), []);
    case.attack("DELETE FROM records WHERE version = 2");
    case.attack(&format!(
        "UPDATE manifests SET count = {}, root = '{}', sequence = {}, at = '{}', seal = '{}'",
        before.count, before.root, before.sequence, before.at, before.seal
    ));
    assert_eq!(case.breaks(), [BreakKind::ManifestAgainstChain]);
    // Whoever reads them is given nothing, also when the chain is made to say what they say.
    let refused = || store.records(trust, project);
    assert!(matches!(refused(), Err(StoreError::RecordsChanged { .. })));
    let (root, sequence) = (&before.root, before.sequence);
    case.attack(&format!(
        "UPDATE audit SET details = json_object('root', '{root}', 'sequence', {sequence})
         WHERE seq = (SELECT max(seq) FROM audit)"
    ));
    assert!(matches!(refused(), Err(StoreError::RecordsChanged { .. })));
}

/// Takes an entry back, does something else, and puts records and manifest back to before.
fn put_back_after_a_taking_back(case: &Case) {
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let before = store.manifest(project).unwrap().unwrap();
    let first = store.records(trust, project).unwrap().remove(0);
    let gone = Record {
        state: RecordState::Tombstoned,
        ..first.next(day(1))
    };
    let act = Act::Tombstone;
    store
        .put_records(trust, project, act, vec![gone], json!({}), day(1))
        .unwrap();
    store
        .audit(trust, Act::Recall, None, &[], json!({}), day(1))
        .unwrap();
    assert_eq!(case.breaks(), []);
    case.attack("DELETE FROM records WHERE version = 2");
    case.attack(&format!(
        "UPDATE manifests SET count = {}, root = '{}', sequence = {}, at = '{}', seal = '{}'",
        before.count, before.root, before.sequence, before.at, before.seal
    ));
}

#[test]
fn what_was_taken_back_does_not_come_back_with_the_chain_cut() {
    let root = "SELECT max(seq) FROM audit WHERE act = 'apply'";
    let cuts = [
        "DELETE FROM audit WHERE act = 'tombstone'",
        "DELETE FROM audit WHERE seq >= (SELECT max(seq) - 1 FROM audit)",
        // Also where what stands is made to say what was sealed before.
        &format!(
            "UPDATE newest SET said = (SELECT json_extract(details, '$.sequence') || ' ' ||
             json_extract(details, '$.root') FROM audit WHERE seq = ({root}))"
        ),
        "DELETE FROM newest",
    ];
    for (n, cut) in cuts.iter().enumerate() {
        let case = busy_case();
        put_back_after_a_taking_back(&case);
        case.attack("DELETE FROM audit WHERE act = 'tombstone'");
        if n > 0 {
            case.attack(cut);
        }
        let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
        let given = store.records(trust, project);
        assert!(
            matches!(given, Err(StoreError::RecordsChanged { .. })),
            "{cut}"
        );
        let breaks = case.breaks();
        assert!(
            breaks.contains(&BreakKind::ManifestAgainstChain),
            "{cut}: {breaks:?}"
        );
        // A person's word on the gap lets nothing in.
        settle(&case);
        let given = store.records(trust, project);
        assert!(
            matches!(given, Err(StoreError::RecordsChanged { .. })),
            "{cut}"
        );
        assert!(
            case.breaks().contains(&BreakKind::ManifestAgainstChain),
            "{cut}"
        );
    }
}

#[test]
fn records_of_the_chain_that_a_bad_disk_lost_cost_nothing_that_was_accepted() {
    for lost in [
        "DELETE FROM audit WHERE seq = 5",
        // The one that let the newest entries in; and with it what stands is kept as well.
        "DELETE FROM audit WHERE seq = 13",
        "DELETE FROM audit WHERE seq > 9",
    ] {
        let case = busy_case();
        let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
        let before = store.records(trust, project).unwrap();
        case.attack(lost);
        assert_eq!(store.records(trust, project).unwrap(), before, "{lost}");
        let kinds = case.breaks();
        assert!(
            !kinds.contains(&BreakKind::ManifestAgainstChain),
            "{lost}: {kinds:?}"
        );
        let next = before[0].confirm(day(1));
        store
            .put_records(trust, project, Act::Confirm, vec![next], json!({}), day(1))
            .unwrap();
        assert_eq!(store.records(trust, project).unwrap().len(), before.len());
    }
    // What is kept of what stands is made again from a chain that says it.
    let case = busy_case();
    case.attack("DELETE FROM newest");
    assert_eq!(case.breaks(), [BreakKind::ManifestAgainstChain]);
    let (store, trust) = (&case.store, &case.trust);
    assert!(store.records(trust, &case.project.id).is_ok());
    store
        .audit(trust, Act::Recall, None, &[], json!({}), day(1))
        .unwrap();
    assert_eq!(case.breaks(), []);
}

#[test]
fn what_was_decided_is_missed_though_the_chain_that_said_so_is_cut_too() {
    for (cut, also) in [
        (
            "BETWEEN 6 AND 9",
            "DELETE FROM journal WHERE proposal LIKE '%2'",
        ),
        (
            "BETWEEN 6 AND 9",
            "DELETE FROM proposals WHERE id LIKE '%2'",
        ),
        (
            "= 7",
            "DELETE FROM journal WHERE proposal LIKE '%2' AND step = 'decide'",
        ),
    ] {
        let case = busy_case();
        case.attack(&format!("DELETE FROM audit WHERE seq {cut}"));
        case.attack(also);
        assert!(case.breaks().contains(&BreakKind::ProposalSeal), "{also}");
        let refusals = case.store.refusals(&case.trust, &case.project.id);
        assert!(
            matches!(refusals, Err(StoreError::Tampered { .. })),
            "{also}"
        );
        settle(&case);
        assert!(case.breaks().contains(&BreakKind::ProposalSeal), "{also}");
    }
}

/// A person's word on all that can be settled.
pub(super) fn settle(case: &Case) {
    let (store, trust) = (&case.store, &case.trust);
    let evidence = store.evidence(trust, None).unwrap();
    let report = crate::trust::verify_all(&evidence, trust, day(1), &str::to_owned);
    let why = crate::redact::Redacted::literal("a bad disk");
    let seen = store.audit_head().unwrap();
    let settle = |seen| {
        let settled = store.settle_breaks(trust, &report.loose, &why, seen, day(2));
        settled.unwrap()
    };
    // What was looked at before somebody else's act is not settled.
    assert_eq!(settle(None), None);
    let head = settle(seen.as_ref());
    assert!(head.is_some());
    assert_eq!(settle(seen.as_ref()), None);
    assert_eq!(store.audit_head().unwrap(), head);
}

#[test]
fn a_proposal_whose_records_are_missing_is_settled_where_it_stands_and_no_further() {
    // Records 6 to 9 are the second proposal's: stage, decide, begin-apply, apply.
    for lost in [
        "seq = 6",
        "seq = 7",
        "seq BETWEEN 8 AND 9",
        "seq = 9",
        "seq BETWEEN 6 AND 9",
        "seq BETWEEN 5 AND 12",
    ] {
        let case = busy_case();
        case.attack(&format!("DELETE FROM audit WHERE {lost}"));
        let kinds = case.breaks();
        let loose = [BreakKind::AuditGap, BreakKind::ProposalLife];
        assert!(kinds.iter().all(|k| loose.contains(k)), "{lost}: {kinds:?}");
        assert!(kinds.contains(&BreakKind::ProposalLife), "{lost}");
        settle(&case);
        assert_eq!(case.breaks(), [], "{lost}");
        assert!(case.store.refusals(&case.trust, &case.project.id).is_ok());
        // It stands there, and nowhere else.
        case.attack("UPDATE proposals SET state = 'staged' WHERE id LIKE '%2'");
        assert_eq!(case.breaks(), [BreakKind::ProposalSeal], "{lost}");
    }
    // What is gone besides the records, or is said otherwise by those behind the gap, is never settled.
    for (lost, also) in [
        ("seq = 9", "DELETE FROM journal WHERE proposal LIKE '%2'"),
        ("seq = 9", "DELETE FROM proposals WHERE id LIKE '%2'"),
        (
            "seq = 5",
            "UPDATE proposals SET state = 'expired' WHERE id LIKE '%2'",
        ),
        (
            "seq = 9",
            "UPDATE proposals SET state = 'applying' WHERE id LIKE '%2'",
        ),
    ] {
        let case = busy_case();
        case.attack(&format!("DELETE FROM audit WHERE {lost}"));
        case.attack(also);
        settle(&case);
        assert!(
            case.breaks().contains(&BreakKind::ProposalSeal),
            "{lost}, {also}"
        );
    }
}

#[test]
fn a_head_of_before_that_is_put_back_vouches_for_nothing() {
    let case = busy_case();
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    let head = "SELECT value FROM meta WHERE name = 'audit'";
    let head: String = conn.query_row(head, [], |row| row.get(0)).unwrap();
    let said: String = conn
        .query_row("SELECT said FROM newest", [], |row| row.get(0))
        .unwrap();
    put_back_after_a_taking_back(&case);
    case.attack(&format!(
        "UPDATE meta SET value = '{head}' WHERE name = 'audit'"
    ));
    case.attack(&format!("UPDATE newest SET said = '{said}'"));
    let given = case.store.records(&case.trust, &case.project.id);
    assert!(matches!(given, Err(StoreError::RecordsChanged { .. })));
    assert!(case.breaks().contains(&BreakKind::AuditHead));
}

#[test]
fn a_record_moved_to_another_project_breaks() {
    let case = busy_case();
    let root = Path::new("/q");
    let other = case
        .store
        .ensure_project(&case.trust, root, "q", day(0))
        .unwrap();
    case.attack(&format!(
        "UPDATE records SET project = '{}' WHERE entry LIKE '%2'",
        other.id
    ));
    let breaks = case.breaks();
    assert!(breaks.contains(&BreakKind::RecordSeal) && breaks.contains(&BreakKind::Manifest));
}

#[test]
fn versions_follow_each_other_and_only_what_verifies_is_built_on() {
    let case = busy_case();
    let (store, trust, project) = (&case.store, &case.trust, &case.project.id);
    let first = store.records(trust, project).unwrap().remove(0);
    let put = |records| store.put_records(trust, project, Act::Confirm, records, json!({}), day(1));
    assert!(matches!(
        put(vec![first.clone()]),
        Err(StoreError::EntryMovedOn(_))
    ));
    let skipped = first.next(day(1)).next(day(1));
    assert!(matches!(
        put(vec![skipped]),
        Err(StoreError::EntryMovedOn(_))
    ));
    put(vec![first.confirm(day(1))]).unwrap();
    let records = store.records(trust, project).unwrap();
    assert_eq!((records.len(), records[0].confirmations), (3, 1));
    assert_eq!(store.all_records(trust, project).unwrap().len(), 4);
    assert_eq!(store.manifest(project).unwrap().unwrap().sequence, 4);
    case.attack("UPDATE records SET text = '- evil' WHERE version = 2");
    let evil = records[0].next(day(1));
    assert!(matches!(put(vec![evil]), Err(StoreError::EntryMovedOn(_))));
}

#[test]
fn the_tables_of_record_only_grow() {
    let case = busy_case();
    for table in ["audit", "journal", "records"] {
        for sql in [
            format!("DELETE FROM {table}"),
            format!("UPDATE {table} SET at = ''"),
        ] {
            let refused = case.store.raw().execute(&sql, []);
            assert!(
                refused.unwrap_err().to_string().contains("only grow"),
                "{sql}"
            );
        }
    }
}

#[test]
fn eight_writers_make_one_chain_without_fork_or_gap() {
    let case = Case::new();
    let places = case.places();
    let acts = 25;
    std::thread::scope(|s| {
        for writer in 0..8u32 {
            let (places, project) = (&places, &case.project.id);
            s.spawn(move || {
                let store = Store::open(places).unwrap();
                let trust = store.trust().unwrap();
                for n in 0..acts {
                    let details = json!({ "writer": writer, "n": n });
                    store
                        .audit(
                            &trust,
                            Act::CuratorCall,
                            Some(project),
                            &[],
                            details,
                            day(0),
                        )
                        .unwrap();
                }
            });
        }
    });
    let rows = case.store.audit_rows().unwrap();
    let numbers: Vec<u64> = rows.iter().map(|r| r.seq).collect();
    assert_eq!(numbers, (1..=8 * acts + 1).collect::<Vec<_>>());
    assert_eq!(case.breaks(), []);
}

#[test]
fn a_clock_set_back_is_kept_in_the_chain_and_turns_nothing_back() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    store
        .audit(trust, Act::Recall, None, &[], json!({}), day(40))
        .unwrap();
    store
        .audit(trust, Act::Recall, None, &[], json!({}), day(2))
        .unwrap();
    let rows = store.audit_rows().unwrap();
    assert_eq!(rows[2].time(), Some(day(40)));
    assert!(rows[2].details.contains(&day(2).to_string()));
    assert_eq!(store.clock(day(2)).unwrap(), day(40));
    assert_eq!(store.clock(day(41)).unwrap(), day(41));
    assert_eq!(case.breaks(), []);
}

#[test]
fn another_key_is_refused_before_anything_is_written() {
    let case = busy_case();
    let other = Trust::for_tests(7);
    let refused = case
        .store
        .audit(&other, Act::Recall, None, &[], json!({}), day(0));
    assert!(matches!(refused, Err(StoreError::Trust(_))));
    std::fs::write(case.places().key(), [7u8; 32]).unwrap();
    assert!(matches!(case.store.trust(), Err(StoreError::Trust(_))));
    std::fs::remove_file(case.places().key()).unwrap();
    let lost = case.store.trust().unwrap_err();
    assert!(lost.to_string().contains("is gone"));
    assert!(!case.places().key().exists());
}

#[test]
fn a_forged_or_old_head_is_not_built_on_and_a_cut_tail_shows_for_ever() {
    for attack in [
        "DELETE FROM meta WHERE name = 'audit'",
        "UPDATE meta SET value = '0 x y' WHERE name = 'audit'",
        "UPDATE meta SET value = replace(value, '13 ', '12 ') WHERE name = 'audit'",
    ] {
        let case = busy_case();
        case.attack(attack);
        let act = case
            .store
            .audit(&case.trust, Act::Recall, None, &[], json!({}), day(0));
        assert!(matches!(act, Err(StoreError::Tampered { .. })), "{attack}");
    }
    let case = busy_case();
    case.attack("DELETE FROM audit WHERE seq = 13");
    case.store
        .audit(&case.trust, Act::Recall, None, &[], json!({}), day(0))
        .unwrap();
    assert!(case.breaks().contains(&BreakKind::AuditGap));
}
