//! `memd key` on the real binary: who may rotate it, when it is refused, and what is said of it.

use crate::support::Home;
use crate::terminal::Terminal;
use jiff::Timestamp;
use memd::lock::{DistillLock, SweepLock};
use memd::store::{Project, Store};
use memd::trust::Trust;
use std::path::PathBuf;

struct Case {
    home: Home,
    root: PathBuf,
    store: Store,
    project: Project,
}

impl Case {
    fn new() -> Self {
        let home = Home::new();
        let root = home.folder("demo");
        std::fs::create_dir_all(root.join(".memory")).unwrap();
        let store = Store::open(&home.places()).unwrap();
        let trust = store.trust().unwrap();
        let now = Timestamp::now();
        let project = store.ensure_project(&trust, &root, "demo", now).unwrap();
        Self {
            home,
            root,
            store,
            project,
        }
    }

    fn trust(&self) -> Trust {
        self.store.trust().unwrap()
    }

    /// Exit code and everything that was written.
    fn memd(&self, args: &[&str]) -> (i32, String) {
        let run = self.home.memd(&self.root).args(args).output().unwrap();
        let text = [run.stdout, run.stderr].concat();
        (run.status.code().unwrap(), String::from_utf8(text).unwrap())
    }

    /// Asks for a rotation on a terminal, where it is refused before anything is asked.
    fn refused(&self) -> String {
        let before = self.trust().key_id().to_owned();
        let terminal = Terminal::start(&self.home, &self.root, &["key", "rotate"], &[]);
        let (code, text) = terminal.finish();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(code, 1, "{text}");
        assert!(text.contains("nothing was changed"), "{text}");
        assert_eq!(self.trust().key_id(), before);
        text
    }

    fn last_act(&self) -> String {
        let row = self.store.audit_rows().unwrap().pop().unwrap();
        format!("{} {}", row.act, row.details)
    }
}

#[test]
fn only_a_person_on_a_terminal_rotates_the_key() {
    let case = Case::new();
    let before = case.trust().key_id().to_owned();
    let (code, text) = case.memd(&["key", "rotate"]);
    assert_eq!(code, 2);
    assert!(text.contains("a person on a terminal"), "{text}");
    let act = case.last_act();
    assert!(act.starts_with("refuse "), "{act}");
    assert!(act.contains("no terminal") && act.contains("key rotate"));
    let ask = |answer: &str| {
        let mut terminal = Terminal::start(&case.home, &case.root, &["key", "rotate"], &[]);
        terminal.wait_for("anything else changes nothing]");
        terminal.type_line(answer);
        let (code, text) = terminal.finish();
        (code, String::from_utf8(text).unwrap())
    };
    for answer in ["n", "", "yes"] {
        let (code, text) = ask(answer);
        assert_eq!(code, 0);
        assert!(text.contains("nothing was changed"), "{text}");
        assert_eq!(case.trust().key_id(), before);
    }
    let (code, text) = ask("y");
    assert_eq!(code, 0, "{text}");
    let after = case.trust().key_id().to_owned();
    assert_ne!(after, before);
    assert!(text.contains(&after) && text.contains(&before), "{text}");
    let (code, text) = case.memd(&["verify"]);
    assert_eq!(code, 0, "{text}");
    let (_, shown) = case.memd(&["key", "show", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["key"], after.as_str());
    assert_eq!(shown["mode"], "600");
    assert_eq!(shown["retired"][0]["key"], before.as_str());
    let (_, text) = case.memd(&["key"]);
    assert!(text.contains(&after) && text.contains(&before), "{text}");
}

#[test]
fn it_is_refused_while_another_memd_is_at_work_and_what_stands_on_disk_has_no_say() {
    let case = Case::new();
    let locks = case.home.places().locks();
    let held = DistillLock::take(&locks, &case.project.id).unwrap();
    assert!(case.refused().contains("is held by another memd"));
    assert!(case.last_act().contains("another memd holds the distill"));
    drop(held);
    let held = SweepLock::take(&locks).unwrap();
    assert!(case.refused().contains("is held by another memd"));
    drop(held);
    let state = "---\ntype: state\nproject: demo\nlast_updated: 2026-01-01\nstatus: active\n---\n\n# State\n\n- By hand.\n";
    let file = case.root.join(".memory/state.md");
    std::fs::write(&file, state).unwrap();
    let mut terminal = Terminal::start(&case.home, &case.root, &["key", "rotate"], &[]);
    terminal.wait_for("rotate it? [y, anything else changes nothing]");
    terminal.type_line("n");
    let (code, text) = terminal.finish();
    let text = String::from_utf8(text).unwrap();
    assert!(code == 0 && !text.contains("break"), "{text}");
    std::fs::remove_file(file).unwrap();
    // Others can read it: nothing can be put on record, since nothing can be sealed.
    let key = case.home.places().key();
    let mode = std::os::unix::fs::PermissionsExt::from_mode;
    std::fs::set_permissions(&key, mode(0o644)).unwrap();
    let (code, text) = case.memd(&["key", "rotate"]);
    assert_eq!(code, 1);
    assert!(text.contains("chmod 600"), "{text}");
}

#[test]
fn the_next_memd_says_what_became_of_a_rotation_that_was_cut_off() {
    let case = Case::new();
    let trust = case.trust();
    let next = trust.successor(9).unwrap();
    let places = case.home.places();
    next.lay_down(&places).unwrap();
    let (code, text) = case.memd(&["verify"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("cut off") && text.contains("it is undone"),
        "{text}"
    );
    assert!(!places.next_key().exists());
    let (_, text) = case.memd(&["verify"]);
    assert!(!text.contains("cut off"), "{text}");
    // Where it cannot be mended, doctor says that it is there.
    next.lay_down(&places).unwrap();
    let held = memd::lock::KeyLock::take(&places.locks()).unwrap();
    let (_, text) = case.memd(&["doctor"]);
    assert!(
        text.contains("is being rotated, or its rotation was cut off"),
        "{text}"
    );
    assert!(places.next_key().exists());
    drop(held);
}

#[test]
fn a_key_that_a_killed_first_start_left_beside_its_place_is_swept() {
    let case = Case::new();
    let state = case.home.state();
    let file = |name: &str, hours: u64| {
        let path = state.join(name);
        std::fs::write(&path, [7; 32]).unwrap();
        let then = std::time::SystemTime::now() - std::time::Duration::from_secs(hours * 3600);
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(then).unwrap();
        path
    };
    let (left, young, other) = (
        file(".memd-Left00", 2),
        file(".memd-Young0", 0),
        file("kept-me.md", 99),
    );
    let (code, text) = case.memd(&["verify"]);
    assert_eq!(code, 0, "{text}");
    assert!(!left.exists(), "what a kill left");
    assert!(young.exists(), "another memd may be about to rename it");
    assert!(other.exists() && case.home.places().key().exists());
}

#[test]
fn from_a_head_that_was_not_sealed_no_key_goes_on_and_nobody_is_asked() {
    let case = Case::new();
    let db = rusqlite::Connection::open(case.home.state().join("memd.db")).unwrap();
    db.execute("DELETE FROM meta WHERE name = 'audit'", [])
        .unwrap();
    drop(db);
    let said = case.refused();
    assert!(said.contains("where the audit chain ends"), "{said}");
    assert!(
        said.contains("begin anew") && !said.contains("rotate it?"),
        "{said}"
    );
}
