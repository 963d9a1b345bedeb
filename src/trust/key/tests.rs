//! The key file: made once, private, never replaced; and what a rotation makes of it.

use super::*;
use crate::fs::FsError;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

fn places(dir: &Path) -> Places {
    let home = dir.to_owned();
    Places::from_env(|name| (name == "HOME").then(|| home.clone().into())).unwrap()
}

#[test]
fn a_key_is_made_once_private_and_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    let first = Trust::open(&places, false).unwrap();
    let meta = std::fs::metadata(places.key()).unwrap();
    assert_eq!((meta.mode() & 0o777, meta.len()), (0o600, 32));
    assert_eq!(
        std::fs::metadata(&places.state).unwrap().mode() & 0o777,
        0o700
    );
    assert_eq!(std::fs::read_dir(&places.state).unwrap().count(), 1);
    let again = Trust::open(&places, true).unwrap();
    assert_eq!(first.key_id(), again.key_id());
    assert_eq!(first.redaction_key(), again.redaction_key());
    assert!(Trust::open_sealed(&places, first.key_id()).is_ok());
    assert!(matches!(
        Trust::open_sealed(&places, "0000000000000000"),
        Err(TrustError::Other { .. })
    ));
}

#[test]
fn a_lost_exposed_or_damaged_key_is_refused_and_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    assert!(matches!(
        Trust::open(&places, true),
        Err(TrustError::Lost { .. })
    ));
    assert!(!places.key().exists());
    Trust::open(&places, false).unwrap();
    for mode in [0o640, 0o604, 0o644, 0o620] {
        std::fs::set_permissions(places.key(), std::fs::Permissions::from_mode(mode)).unwrap();
        let error = Trust::open(&places, false).unwrap_err();
        assert!(matches!(error, TrustError::Exposed { .. }), "{mode:o}");
        assert!(error.to_string().contains("chmod 600"));
    }
    std::fs::set_permissions(places.key(), std::fs::Permissions::from_mode(0o600)).unwrap();
    for size in [0, 31, 33] {
        std::fs::write(places.key(), vec![7u8; size]).unwrap();
        assert!(
            matches!(Trust::open(&places, false), Err(TrustError::Size { size: s, .. }) if s == size)
        );
    }
    std::fs::remove_file(places.key()).unwrap();
    std::os::unix::fs::symlink("/dev/zero", places.key()).unwrap();
    assert!(matches!(
        Trust::open(&places, false),
        Err(TrustError::Fs(FsError::NotAFile { .. }))
    ));
}

#[test]
fn eight_first_starts_agree_on_one_key() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    let ids: std::collections::BTreeSet<String> = std::thread::scope(|s| {
        let all: Vec<_> = (0..8)
            .map(|_| s.spawn(|| Trust::open(&places, false).unwrap().key_id().to_owned()))
            .collect();
        all.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 1);
}

#[test]
fn each_purpose_has_its_own_key_and_none_is_printed() {
    let trust = Trust::for_tests(9);
    let keys: std::collections::BTreeSet<_> = Purpose::ALL.iter().map(|p| *trust.key(*p)).collect();
    assert_eq!(keys.len(), Purpose::ALL.len());
    assert!(!keys.contains(&[9; 32]));
    let shown = format!("{trust:?}");
    assert!(
        shown.len() < 40
            && Purpose::ALL
                .iter()
                .all(|p| !shown.contains(&hex(trust.key(*p))))
    );
}

#[test]
fn what_goes_on_of_a_key_is_no_key_to_seal_with() {
    let old = Trust::for_tests(1);
    let next = old.successor(7).unwrap();
    let again = next.trust.successor(9).unwrap().trust;
    assert_eq!(again.redaction_key(), old.redaction_key());
    let ids: Vec<_> = again.retired().iter().map(|k| (&k.id, k.last)).collect();
    assert_eq!(ids, [(&old.id, 7), (&next.trust.id, 9)]);
    for purpose in Purpose::ALL {
        let same = old.key(purpose) == again.key(purpose);
        assert_eq!(same, purpose == Purpose::Redact, "{purpose:?}");
    }
    // Of the old key nothing but what verifies the chain, and what names hidden values, is kept.
    let kept = |key: &[u8; BYTES]| next.bytes().windows(BYTES).any(|w| w == key);
    let kept: Vec<_> = Purpose::ALL.iter().filter(|p| kept(old.key(**p))).collect();
    assert_eq!(kept, [&Purpose::Audit, &Purpose::Redact]);
    assert!(!next.bytes().windows(BYTES).any(|w| w == [1; BYTES]));
    for (seq, key) in [
        (1, &old),
        (7, &old),
        (8, &next.trust),
        (9, &next.trust),
        (10, &again),
    ] {
        assert_eq!(again.audit_key(seq), key.key(Purpose::Audit), "{seq}");
        assert_eq!(again.is_of_retired(seq), seq < 10, "{seq}");
    }
}

#[test]
fn a_rotated_key_that_was_cut_or_changed_is_none() {
    let path = Path::new("key");
    let next = Trust::for_tests(1).successor(7).unwrap();
    let next = next.trust.successor(9).unwrap();
    let good = file::parse(next.bytes(), path).unwrap();
    assert_eq!(good.key_id(), next.trust.key_id());
    for at in 0..next.bytes().len() {
        let mut bytes = next.bytes().to_vec();
        bytes[at] ^= 1;
        assert!(file::parse(&bytes, path).is_err(), "{at}");
        let cut = file::parse(&next.bytes()[..at], path);
        // So many bytes are a key that nothing was sealed with.
        let is_other = cut.is_ok_and(|cut| cut.id != next.trust.id);
        assert_eq!(is_other, at == BYTES, "{at}");
    }
    let mut longer = next.bytes().to_vec();
    longer.extend([0; retired::BYTES]);
    assert!(matches!(
        file::parse(&longer, path),
        Err(TrustError::Damaged { .. })
    ));
}

#[test]
fn a_folder_in_the_place_of_the_next_key_is_told_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    let trust = Trust::open(&places, false).unwrap();
    let next = trust.successor(3).unwrap();
    std::fs::create_dir(places.next_key()).unwrap();
    for refused in [
        next.lay_down(&places).unwrap_err(),
        settle(&places, trust.key_id()).unwrap_err(),
    ] {
        let told = refused.to_string();
        assert!(
            told.contains("key.next") && told.contains("remove it by hand"),
            "{told}"
        );
    }
    std::fs::remove_dir(places.next_key()).unwrap();
    next.lay_down(&places).unwrap();
}

#[test]
fn a_next_key_is_laid_down_private_and_once_and_not_used_when_others_can_read_it() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    let trust = Trust::open(&places, false).unwrap();
    let next = trust.successor(3).unwrap();
    next.lay_down(&places).unwrap();
    let mode = |path| std::fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(places.next_key()), 0o600);
    assert!(next.lay_down(&places).is_err());
    let open = || Trust::open_sealed(&places, next.trust.key_id());
    assert_eq!(open().unwrap().key_id(), next.trust.key_id());
    let exposed = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(places.next_key(), exposed).unwrap();
    assert!(matches!(open(), Err(TrustError::Other { .. })));
    assert!(matches!(
        settle(&places, next.trust.key_id()),
        Err(TrustError::Exposed { .. })
    ));
    std::fs::set_permissions(places.next_key(), std::fs::Permissions::from_mode(0o600)).unwrap();
    // A database that goes with neither leaves both.
    assert_eq!(settle(&places, "0000000000000000").unwrap(), None);
    let settled = settle(&places, next.trust.key_id()).unwrap();
    let id = next.trust.key_id().to_owned();
    assert_eq!(settled, Some(Settled::Finished(id)));
    assert_eq!(mode(places.key()), 0o600);
    assert!(!is_laid_down(&places));
    assert!(matches!(
        Trust::open_sealed(&places, trust.key_id()),
        Err(TrustError::Retired { .. })
    ));
}
