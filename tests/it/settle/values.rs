//! Values that no seal covers and that memd did not write: no command stops, each is named, and a person
//! has them mended.

use super::{PORT, QUEUE, accepted, attack, kinds, rotates, verify};
use crate::attacks::scene::{add, both};
use serde_json::json;

/// Commands that go by lists, of this project and of all.
const COMMANDS: [&[&str]; 7] = [
    &["status"],
    &["review"],
    &["brief"],
    &["log"],
    &["distill", "--dry-run"],
    &["sweep", "--dry-run"],
    &["audit"],
];

#[test]
fn nonsense_that_no_seal_covers_stops_no_command_and_a_person_has_it_mended() {
    let scene = accepted();
    scene.user("two", &format!("Decision: {QUEUE}"));
    scene.staged(&json!([add("state.md", QUEUE)]));
    for sql in [
        "UPDATE proposals SET created = 'garbage', queued = 'garbage'",
        "UPDATE proposals SET changes = -1, open = -1, accepted = -1, rejected = -1, flagged = -1",
        "PRAGMA foreign_keys = OFF; UPDATE spans SET fingerprint = 'garbage', proposal = 'garbage'",
        "UPDATE spent SET calls = -1, chars = 9223372036854775807",
        "UPDATE projects SET created = 'garbage'",
    ] {
        attack(&scene, sql);
        for command in COMMANDS {
            let out = scene.memd(command);
            assert_eq!(
                out.status.code(),
                Some(0),
                "{sql}: {command:?}: {}",
                both(&out)
            );
        }
        assert!(scene.brief().contains(PORT), "{sql}");
    }
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("table proposals, column created, row "),
        "{said}"
    );
    assert!(said.contains("`memd verify --settle`"), "{said}");
    let doctor = both(&scene.memd(&["doctor"]));
    assert!(
        doctor.contains("value in the database that memd did not write"),
        "{doctor}"
    );
    let settle = |answer: &str| {
        let mut terminal = scene.terminal(&["verify", "--settle"]);
        terminal.wait_for("mend them? [y, anything else leaves them as they are]");
        terminal.type_line(answer);
        terminal.finish().0
    };
    assert_eq!(settle("no"), 1);
    assert!(kinds(&scene).0.iter().all(|kind| kind == "stray-value"));
    assert_eq!(settle("y"), 0);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(rotates(&scene));
    scene.review(&["a"]);
    assert!(scene.brief().contains(QUEUE) && verify(&scene).0 == 0);
}

#[test]
fn a_project_that_is_off_the_books_without_a_word_of_its_user_is_named_and_comes_back() {
    let scene = accepted();
    let db = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    let sql = "UPDATE projects SET forgotten = 'x'";
    assert_eq!(db.execute(sql, []).unwrap(), 1);
    drop(db);
    let (code, said) = verify(&scene);
    assert!(code == 1 && said.contains("column forgotten"), "{said}");
    let mut terminal = scene.terminal(&["verify", "--settle"]);
    terminal.wait_for("mend them? [");
    terminal.type_line("y");
    assert_eq!(terminal.finish().0, 0);
    assert!(scene.brief().contains(PORT) && verify(&scene).0 == 0);
}
