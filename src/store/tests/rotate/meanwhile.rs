//! A rotation that is killed, or meets others: the old or the new goes on, and whoever reads meanwhile is told.

use super::super::*;
use super::full;
use crate::lock::{KeyLock, LockError, Stillness};
use crate::trust::{Act, Settled, TrustError, verify_all};
use serde_json::json;

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
