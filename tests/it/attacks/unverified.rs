//! Nothing can be verified: a review says so in the words of `memd status`, whoever asks.

use super::lost::accepted;
use super::scene::{Scene, both};
use serde_json::Value;
use std::fs::{Permissions, remove_file, set_permissions, write};
use std::os::unix::fs::PermissionsExt;

/// What is done to the state folder of a scene.
type Wreck = fn(&Scene);

/// What may have happened to it.
const STATES: [(&str, Wreck); 8] = [
    ("key lost", |scene| remove_file(key(scene)).unwrap()),
    ("key open", |scene| {
        set_permissions(key(scene), Permissions::from_mode(0o644)).unwrap();
    }),
    ("key of another", |scene| {
        write(key(scene), [7; 32]).unwrap()
    }),
    ("key cut", |scene| write(key(scene), [7; 9]).unwrap()),
    ("database lost", |scene| {
        remove_file(database(scene)).unwrap()
    }),
    ("database damaged", |scene| {
        write(database(scene), [7; 9000]).unwrap();
    }),
    ("records changed", |scene| {
        sql(scene, "UPDATE manifests SET count = count + 1");
    }),
    ("head of the chain gone", |scene| {
        sql(scene, "DELETE FROM meta WHERE name = 'audit'");
    }),
];

fn key(scene: &Scene) -> std::path::PathBuf {
    scene.home.state().join("key")
}

fn database(scene: &Scene) -> std::path::PathBuf {
    scene.home.state().join("memd.db")
}

fn sql(scene: &Scene, sql: &str) {
    let db = rusqlite::Connection::open(database(scene)).unwrap();
    db.execute(sql, []).unwrap();
}

/// What `memd status` names as the problem, and whether it can say no more than that.
fn problem(scene: &Scene) -> (String, bool) {
    let status = scene.memd(&["status", "--json"]);
    if !status.status.success() {
        let said = String::from_utf8(status.stderr).unwrap();
        let first = said.lines().next().unwrap();
        return (first.trim_start_matches("memd: ").to_owned(), true);
    }
    let json: Value = serde_json::from_slice(&status.stdout).unwrap();
    let problem = json[0]["problems"][0].as_str().unwrap();
    (problem.to_owned(), problem.starts_with("the key"))
}

#[test]
fn where_nothing_can_be_verified_a_review_says_what_status_says_with_a_terminal_and_without() {
    for (state, wreck) in STATES {
        let scene = accepted();
        // Something waits besides, and something was written by hand.
        scene.user("s", "Decision: lists hold 50 rows.");
        scene.staged(&serde_json::json!([super::scene::add(
            "state.md",
            "- Lists hold 50 rows."
        )]));
        let todo = scene.root.join(".memory/todo.md");
        let text = std::fs::read_to_string(&todo).unwrap();
        write(todo, text + "- [ ] By hand\n").unwrap();
        wreck(&scene);
        let (problem, is_all) = problem(&scene);
        let run = scene.memd(&["review"]);
        let list = both(&run);
        assert_eq!(run.status.success(), !is_all, "{state}: {list}");
        let mut terminal = scene.terminal(&["review", "--plain"]);
        terminal.wait_for(&problem);
        terminal.kill();
        assert_eq!(list.matches(&problem).count(), 1, "{state}: {list}");
        assert!(!list.contains("nothing to review"), "{state}: {list}");
        assert!(!list.contains("on a terminal"), "{state}: {list}");
        assert!(!list.contains("app: app: "), "{state}: {list}");
    }
}

#[test]
fn where_nothing_can_be_verified_nothing_to_review_is_not_what_is_said() {
    for (state, wreck) in STATES {
        let scene = accepted();
        wreck(&scene);
        let (problem, is_all) = problem(&scene);
        for plain in [&["review"][..], &["review", "--plain"]] {
            let (code, shown) = scene.terminal(plain).finish();
            let shown = String::from_utf8(shown).unwrap();
            assert!(shown.contains(&problem), "{state}: {shown}");
            assert!(!shown.contains("nothing to review"), "{state}: {shown}");
            assert_eq!(code, u32::from(is_all), "{state}: {shown}");
        }
        let list = both(&scene.memd(&["review"]));
        assert!(list.contains(&problem), "{state}: {list}");
        assert!(!list.contains("nothing to review"), "{state}: {list}");
    }
}
