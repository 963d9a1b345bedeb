//! What a scan names, and what it never shows.

use super::*;
use std::fs;

/// One character of each is escaped, so that no scanner takes this file for a leak.
const SECRET: &str = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
const OTHER: &str = "gl\u{70}at-Zk8vQ2mXw5RtY7nLbC3s";

fn redactor() -> Redactor {
    Redactor::new(&[], &[3; 32]).0
}

/// A memory folder with a secret in a file, in the inbox, and in a file's name.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let memory = root.path().join(".memory");
    fs::create_dir_all(memory.join("inbox")).unwrap();
    fs::create_dir_all(memory.join(".git")).unwrap();
    fs::write(
        memory.join("state.md"),
        format!("# State\n\n- {SECRET}\n- {OTHER}\n"),
    )
    .unwrap();
    fs::write(memory.join("inbox/1.md"), format!("again {SECRET}")).unwrap();
    fs::write(memory.join(format!("inbox/{SECRET}.txt")), "").unwrap();
    fs::write(memory.join(".git/packed"), SECRET).unwrap();
    root
}

#[test]
fn equal_secrets_are_one_with_all_their_places_and_not_a_character_of_them() {
    let (root, redactor, none) = (root(), redactor(), BTreeSet::new());
    let mut scan = Scan::new(&redactor, &none);
    scan.files(root.path());
    let report = scan.finish();
    assert_eq!((report.secrets.len(), report.places()), (2, 4));
    let hub = report
        .secrets
        .iter()
        .find(|s| s.rule == "github_pat")
        .unwrap();
    let at = |p: &Place| (p.place.clone(), p.line);
    let places: Vec<_> = hub.places.iter().map(at).collect();
    assert_eq!(
        places,
        [
            ("inbox/1.md".to_owned(), Some(1)),
            (format!("inbox/{SECRET}.txt"), None),
            ("state.md".to_owned(), Some(3)),
        ]
    );
    assert_eq!(hub.length, "32-63");
    assert!(report.not_read.is_empty());
}

#[test]
fn what_a_person_called_no_secret_is_counted_only() {
    let (root, redactor) = (root(), redactor());
    let allowed = redactor
        .check(SECRET)
        .into_iter()
        .map(|hit| hit.fingerprint)
        .collect();
    let mut scan = Scan::new(&redactor, &allowed);
    scan.files(root.path());
    let report = scan.finish();
    assert_eq!((report.let_through, report.secrets.len()), (3, 1));
}

#[test]
fn a_link_in_the_place_of_memory_is_named_and_not_followed() {
    let (root, redactor, none) = (root(), redactor(), BTreeSet::new());
    let link = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.path().join(".memory"), link.path().join(".memory")).unwrap();
    let mut scan = Scan::new(&redactor, &none);
    scan.files(link.path());
    let report = scan.finish();
    assert!(
        report.secrets.is_empty() && report.not_read.len() == 1,
        "{report:?}"
    );
}

#[test]
fn what_is_passed_over_is_named() {
    let (root, redactor, none) = (root(), redactor(), BTreeSet::new());
    let memory = root.path().join(".memory");
    let deep = memory.join("1/2/3/4/5/6/7/8/too-deep");
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("a"), "").unwrap();
    std::os::unix::fs::symlink("/", memory.join("a-link")).unwrap();
    std::os::unix::net::UnixListener::bind(memory.join("a-socket")).unwrap();
    let mut scan = Scan::new(&redactor, &none);
    scan.files(root.path());
    let passed = scan.finish().not_read;
    assert_eq!(passed.len(), 3, "{passed:?}");
    for what in [
        "too-deep: lies too deep",
        "a-link: is a link",
        "a-socket: is no plain",
    ] {
        assert!(
            passed.iter().any(|p| p.contains(what)),
            "{what}: {passed:?}"
        );
    }
}

#[test]
fn a_secret_is_named_however_many_places_were_named_before_it() {
    let (redactor, none) = (redactor(), BTreeSet::new());
    let mut scan = Scan::new(&redactor, &none);
    scan.most = 2;
    let at = |n: usize| place(Kind::File, Path::new("/p"), &n.to_string());
    for n in 0..4 {
        scan.text(&at(n), "x", SECRET.as_bytes());
    }
    scan.text(&at(4), "x", OTHER.as_bytes());
    let report = scan.finish();
    let named: Vec<usize> = report.secrets.iter().map(|s| s.places.len()).collect();
    assert_eq!((named, report.more), (vec![2, 1], 2));
}
