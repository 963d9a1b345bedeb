//! The file: permissions, damage, versions, speed of a cold read.

use super::*;
use crate::fs::FsError;
use crate::store::open::PATIENCE;
use crate::store::schema;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn nothing_is_made_by_reading() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    assert!(Store::open_existing(&places).unwrap().is_none());
    assert!(!places.state.exists());
}

#[test]
fn all_files_are_private_and_wrong_permissions_are_mended() {
    let case = Case::new();
    case.stage(1, &["- one"]);
    let places = case.places();
    assert_eq!(mode(&places.state), 0o700);
    let items = std::fs::read_dir(&places.state).unwrap();
    let mut names: Vec<_> = items
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["key", "memd.db", "memd.db-shm", "memd.db-wal"]);
    for name in names {
        let path = places.state.join(name);
        assert_eq!(mode(&path), 0o600, "{path:?}");
    }
    let chmod = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    chmod(&places.database(), 0o644);
    chmod(&places.state, 0o755);
    Store::open_existing(&places).unwrap().unwrap();
    assert_eq!(
        (mode(&places.state), mode(&places.database())),
        (0o700, 0o600)
    );
}

#[test]
fn a_damaged_database_is_named_with_what_to_do() {
    let case = Case::new();
    for n in 1..40 {
        case.stage(n, &["- some text that fills pages of the database"]);
    }
    let places = case.places();
    let path = places.database();
    case.store
        .raw()
        .pragma_update(None, "wal_checkpoint", "TRUNCATE")
        .unwrap();
    drop(case.store);
    let good = std::fs::read(&path).unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(places.state.join(format!("memd.db{suffix}")));
    }
    let mut scribbled = good.clone();
    for byte in &mut scribbled[100..] {
        *byte = 0xA5;
    }
    let damaged = [
        b"this is no database, but it is long enough to be read as one, and then refused".to_vec(),
        good[..good.len() / 2].to_vec(),
        good[..4097].to_vec(),
        scribbled,
    ];
    for (n, bytes) in damaged.iter().enumerate() {
        std::fs::write(&path, bytes).unwrap();
        let used = Store::open_existing(&places).and_then(|s| {
            let store = s.unwrap();
            store.queue(None, day(0))?;
            store.audit_rows()?;
            store.projects()
        });
        let error = used.unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{n}: {error}");
        let message = error.to_string();
        assert!(
            message.contains("memd.db") && message.contains("memd init"),
            "{message}"
        );
    }
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
    for opened in [
        Store::open(&places).map(Some),
        Store::open_existing(&places),
    ] {
        let linked = matches!(opened, Err(StoreError::Fs(FsError::NotAFile { .. })));
        assert!(linked);
    }
}

#[test]
fn where_nothing_can_be_written_it_is_looked_at_without_a_trace() {
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join("100% a?b#c é");
    let places = places(&odd);
    let names = || {
        let items = std::fs::read_dir(&places.state).unwrap();
        let mut names: Vec<_> = items.map(|i| i.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let look = || Store::connect_to_look(&places, places.database(), PATIENCE).unwrap();
    let store = Store::open(&places).unwrap();
    let trust = store.trust().unwrap();
    let root = odd.join("app");
    store.ensure_project(&trust, &root, "app", day(0)).unwrap();

    // With a log beside it, which the file alone says nothing of.
    assert_eq!(look().projects().unwrap().len(), 1);
    drop(store);
    let before = names();
    let looking = look();
    assert_eq!(looking.projects().unwrap().len(), 1);
    assert_eq!(looking.trust().unwrap().key_id(), trust.key_id());
    let other = odd.join("other");
    let refused = looking.ensure_project(&trust, &other, "other", day(0));
    assert!(refused.unwrap_err().is_write_refused());
    assert_eq!(names(), before);
}

#[test]
fn pipes_beside_the_database_are_refused_before_anything_waits_for_them() {
    for end in ["-wal", "-shm", "-journal"] {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        drop(Store::open(&places).unwrap());
        let pipe = places.state.join(format!("memd.db{end}"));
        let (mode, fifo) = (rustix::fs::Mode::RUSR, rustix::fs::FileType::Fifo);
        // What SQLite left there goes first.
        let _ = std::fs::remove_file(&pipe);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, mode, 0).unwrap();
        for opened in [
            Store::open(&places).map(Some),
            Store::open_to_look(&places),
            Store::open_in_passing(&places),
        ] {
            let told = opened.unwrap_err().to_string();
            assert!(
                told.contains(end) && told.contains("a named pipe"),
                "{told}"
            );
        }
    }
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let case = Case::new();
    case.store
        .raw()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let error = Store::open(&case.places()).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }));
    assert_eq!(schema::version(case.store.raw()).unwrap(), 99);
}

#[test]
fn eight_first_starts_agree_on_one_database() {
    let dir = tempfile::tempdir().unwrap();
    let places = places(dir.path());
    std::thread::scope(|s| {
        for n in 0..8 {
            let places = &places;
            s.spawn(move || {
                let store = Store::open(places).unwrap();
                let trust = store.trust().unwrap();
                let root = format!("/project/{n}");
                store
                    .ensure_project(&trust, Path::new(&root), "p", day(0))
                    .unwrap();
            });
        }
    });
    let store = Store::open_existing(&places).unwrap().unwrap();
    assert_eq!(store.projects().unwrap().len(), 8);
    assert_eq!(store.audit_rows().unwrap().len(), 8);
}

/// Every version of the schema that was ever released, as a database of that time: a proposal half
/// decided and being applied, one returned, a commit owed; from the second on, one value called no
/// secret; from the third on, an alias, a day's spending and a tool's folder; from
/// the fourth on, one value called a secret besides. Sealed with 32 bytes of 1.
const GOLDEN: [&str; 5] = [
    include_str!("golden/001.sql"),
    include_str!("golden/002.sql"),
    include_str!("golden/003.sql"),
    include_str!("golden/004.sql"),
    include_str!("golden/005.sql"),
];

#[test]
fn every_golden_database_opens_verifies_and_goes_on() {
    assert_eq!(
        GOLDEN.len(),
        schema::MIGRATIONS.len(),
        "a version without a golden database"
    );
    for (n, sql) in GOLDEN.into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        std::fs::create_dir_all(&places.state).unwrap();
        std::fs::write(places.key(), [1u8; 32]).unwrap();
        std::fs::set_permissions(places.key(), std::fs::Permissions::from_mode(0o600)).unwrap();
        let conn = rusqlite::Connection::open(places.database()).unwrap();
        conn.execute_batch(&schema::MIGRATIONS[..=n].join("\n"))
            .unwrap();
        conn.pragma_update(None, "user_version", n as i64 + 1)
            .unwrap();
        conn.execute_batch(sql).unwrap();
        drop(conn);
        is_looked_at_as_it_is(&places, n);
        let store = Store::open_existing(&places).unwrap().unwrap();
        assert_eq!(
            schema::version(store.raw()).unwrap(),
            schema::MIGRATIONS.len()
        );
        let trust = store.trust().unwrap();
        let verified = || {
            let evidence = store.evidence(&trust, None).unwrap();
            let report = crate::trust::verify_all(&evidence, &trust, day(0), &str::to_owned);
            assert_eq!(report.breaks, []);
        };
        verified();
        let project = store.projects().unwrap().remove(0).id;
        assert_eq!(store.notes_for_curator(&project).unwrap(), ["shorter"]);
        assert_eq!(store.commits_owed(Some(&project)).unwrap().len(), 1);
        assert_eq!(store.not_secret(&trust).unwrap().values.len(), n.min(1));
        let also = store.also_secret(&trust).unwrap().values.len();
        assert_eq!(also, usize::from(n >= 3));
        let intent = store.pending_apply(&trust, &project).unwrap().unwrap();
        assert!(
            !store
                .finish_apply(&trust, &intent.proposal, day(1))
                .unwrap()
                .rest
        );
        assert_eq!(store.records(&trust, &project).unwrap().len(), 2);
        verified();
    }
}

/// What a brief asks, of a database that cannot be brought up to date.
fn is_looked_at_as_it_is(places: &Places, n: usize) {
    let look = Store::connect_to_look(places, places.database(), PATIENCE).unwrap();
    assert_eq!(schema::version(look.raw()).unwrap(), n + 1);
    let trust = look.trust().unwrap();
    let project = look.projects().unwrap().remove(0).id;
    let settings = crate::config::Settings::defaults(&places.home);
    look.known(&settings, places).unwrap();
    look.remember_worktrees(&Default::default(), day(0))
        .unwrap();
    assert_eq!(look.forgotten_roots().unwrap(), [] as [&Path; 0]);
    look.queue(Some(&project), day(0)).unwrap();
    look.records(&trust, &project).unwrap();
    look.last_applied(&project).unwrap();
    look.not_secret(&trust).unwrap();
    look.also_secret(&trust).unwrap();
    look.spent(day(0)).unwrap();
    look.roots().unwrap();
    look.mode(&trust, &project).unwrap();
}
