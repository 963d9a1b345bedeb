//! A database that is cut, or whose pages or indexes are damaged, and a history of which something is
//! gone: each is named, `memd doctor` says it and mends what can be, and nothing else is lost.

use super::copy;
use crate::attacks::lost::accepted;
use crate::attacks::scene::{Scene, both};
use crate::world::git;
use std::path::{Path, PathBuf};

/// What is named, what is done to the repository, and whether the next commit mends it.
type Wreck<'a> = (&'a str, &'a dyn Fn(&Path), bool);

/// The database in its one file.
fn whole(scene: &Scene) -> PathBuf {
    let path = scene.home.state().join("memd.db");
    let conn = rusqlite::Connection::open(&path).unwrap();
    let moved = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    moved.unwrap();
    path
}

fn sql(path: &Path, sql: &str) {
    let conn = rusqlite::Connection::open(path).unwrap();
    conn.execute_batch(sql).unwrap();
}

/// Where a table or an index begins in the file.
fn page(path: &Path, name: &str) -> usize {
    let conn = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT rootpage FROM sqlite_master WHERE name = ?1";
    let page: i64 = conn.query_row(sql, [name], |row| row.get(0)).unwrap();
    (usize::try_from(page).unwrap() - 1) * 4096
}

#[test]
fn a_database_that_was_cut_is_named_by_all_at_whatever_length_and_memory_stands() {
    let scene = accepted();
    let path = whole(&scene);
    let bytes = std::fs::read(&path).unwrap();
    let memory = std::fs::read(scene.root.join(".memory/state.md")).unwrap();
    let lengths = [1, 99, 512, 4096, bytes.len() / 3, bytes.len() - 4096];
    for length in lengths {
        for beside in ["memd.db-wal", "memd.db-shm"] {
            let _ = std::fs::remove_file(scene.home.state().join(beside));
        }
        std::fs::write(&path, &bytes[..length]).unwrap();
        for args in [
            &["status"][..],
            &["brief"],
            &["verify"],
            &["doctor"],
            &["distill"],
            &["review"],
        ] {
            let run = scene.memd(args);
            let said = both(&run);
            assert_eq!(run.status.code(), Some(1), "{length} {args:?}: {said}");
            let is_named = said.contains("is damaged") || said.contains("lost or emptied");
            assert!(
                is_named && said.contains("memd init"),
                "{length} {args:?}: {said}"
            );
        }
        let hook = scene.says(&["hook", "session-start"]);
        assert!(
            hook.contains("is damaged") || hook.contains("lost or emptied"),
            "{length}: {hook}"
        );
    }
    // As it is told: moved away, begun anew, adopted.
    for name in ["memd.db", "memd.db-wal", "memd.db-shm"] {
        let _ = std::fs::remove_file(scene.home.state().join(name));
    }
    assert!(scene.memd(&["init"]).status.success());
    assert_eq!(
        std::fs::read(scene.root.join(".memory/state.md")).unwrap(),
        memory
    );
    scene.review(&["a", "a"]);
    assert!(scene.brief().contains("port 9090"));
    // A backup that is put back is as good as it was.
    for name in ["memd.db-wal", "memd.db-shm"] {
        let _ = std::fs::remove_file(scene.home.state().join(name));
    }
    std::fs::write(&path, &bytes).unwrap();
    assert!(scene.brief().contains("port 9090"));
}

#[test]
fn what_is_damaged_or_dropped_in_the_database_is_named_by_doctor_and_indexes_are_mended() {
    let scene = accepted();
    let path = whole(&scene);
    let bytes = std::fs::read(&path).unwrap();
    for name in [
        "sqlite_autoindex_projects_2",
        "audit_by_project",
        "records",
        "spans",
    ] {
        let mut wrecked = bytes.clone();
        let at = page(&path, name);
        wrecked[at..at + 4096].fill(0x55);
        std::fs::write(&path, wrecked).unwrap();
        let said = both(&scene.memd(&["doctor"]));
        let kept = |line: &str| line.contains("kept as") && line.contains("damaged-");
        if ["records", "spans"].contains(&name) {
            assert!(said.contains("memd.db\" is damaged"), "{name}: {said}");
            assert!(said.contains(&format!("in whole: {name}")), "{said}");
        } else {
            assert!(said.contains("is made anew from its tables"), "{said}");
            assert!(said.lines().any(kept), "{name}: {said}");
            let again = both(&scene.memd(&["doctor"]));
            assert!(!again.contains("made anew"), "{name}: {again}");
            assert!(scene.says(&["verify"]).starts_with("all good"), "{name}");
            assert!(scene.brief().contains("port 9090"), "{name}");
        }
        whole(&scene);
        std::fs::write(&path, &bytes).unwrap();
    }
    sql(
        &path,
        "DROP INDEX proposals_by_state; DROP INDEX spans_by_source",
    );
    let said = both(&scene.memd(&["doctor"]));
    let is_mended = said.contains("proposals_by_state") && said.contains("built anew");
    assert!(is_mended && said.contains("spans_by_source"), "{said}");
    assert!(!both(&scene.memd(&["doctor"])).contains("built anew"));
    assert!(scene.says(&["verify"]).starts_with("all good"));
    sql(&path, "DROP TABLE spans");
    for args in [&["doctor"][..], &["distill"], &["status"]] {
        let run = scene.memd(args);
        let said = both(&run);
        assert_eq!(run.status.code(), Some(1), "{args:?}");
        let is_named = said.contains("no such table: spans") && said.contains("is damaged");
        assert!(is_named, "{args:?}: {said}");
    }
    assert!(scene.brief().contains("port 9090"));
}

#[test]
fn a_memory_that_cannot_be_written_is_named_and_what_was_accepted_is_written_later() {
    let scene = accepted();
    scene.user("s", "The queue is SQLite.");
    let fact = crate::attacks::scene::add("state.md", "- The queue is SQLite.");
    scene.staged(&serde_json::json!([fact]));
    let mode = |mode| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(scene.root.join(".memory"), mode).unwrap();
    };
    mode(0o500);
    scene.home.bind();
    let doctor = both(&scene.memd(&["doctor"]));
    assert!(doctor.contains("cannot be written"), "{doctor}");
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("the apply has begun and is not finished: cannot write");
    terminal.kill();
    assert!(scene.brief().contains("port 9090"));
    assert!(scene.says(&["verify"]).starts_with("all good"));
    mode(0o700);
    scene.review_nothing();
    assert!(scene.brief().contains("The queue is SQLite"));
    assert!(scene.says(&["verify"]).starts_with("all good"));
}

#[test]
fn a_clock_that_was_set_back_is_named_by_doctor_and_keeps_nothing_from_working() {
    let scene = accepted();
    let (_, store, project) = scene.open();
    let trust = store.trust().unwrap();
    let ahead = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24 * 400);
    let (act, details) = (memd::trust::Act::CuratorCall, serde_json::json!({}));
    store
        .audit(&trust, act, Some(&project.id), &[], details, ahead)
        .unwrap();
    let doctor = both(&scene.memd(&["doctor"]));
    assert!(
        doctor.contains("it was set back, or was ahead then"),
        "{doctor}"
    );
    for args in [&["status"][..], &["brief"], &["log"], &["verify"]] {
        scene.says(args);
    }
    // What a person accepted does not lapse, whatever the clock said.
    assert!(scene.brief().contains("port 9090"));
    scene.user("s", "The queue is SQLite.");
    let fact = crate::attacks::scene::add("state.md", "- The queue is SQLite.");
    scene.staged(&serde_json::json!([fact]));
    scene.review(&["a"]);
    assert!(scene.brief().contains("The queue is SQLite"));
    assert!(scene.says(&["verify"]).starts_with("all good"));
}

#[test]
fn what_is_gone_from_the_history_is_found_by_doctor_and_decisions_hold() {
    let wrecks: [Wreck<'_>; 7] = [
        (
            "index",
            &|git| std::fs::remove_file(git.join("index")).unwrap(),
            true,
        ),
        (
            "index",
            &|git| std::fs::write(git.join("index"), "none").unwrap(),
            true,
        ),
        (
            "HEAD",
            &|git| std::fs::write(git.join("HEAD"), "none").unwrap(),
            false,
        ),
        ("last commit", &|git| object(git, "HEAD"), false),
        ("last commit", &|git| object(git, "HEAD^{tree}"), false),
        ("history", &|git| object(git, "HEAD~1"), false),
        (
            "repository",
            &|git| std::fs::remove_dir_all(git.join("refs")).unwrap(),
            false,
        ),
    ];
    let facts = [
        "The queue is SQLite",
        "Backups leave every night",
        "Amber marks what is late",
        "Retries double their delay",
        "Logs go to the journal",
        "Invoices are rounded down",
        "Users sign in by mail",
    ];
    let scene = accepted();
    let dot_git = scene.root.join(".memory/.git");
    for (n, (what, wreck, heals)) in wrecks.into_iter().enumerate() {
        let backup = scene.home.path().join(format!("backup{n}"));
        copy(&dot_git, &backup);
        wreck(&dot_git);
        let doctor = both(&scene.memd(&["doctor"]));
        // An index that is not there is no fault: git itself makes one.
        if n > 0 {
            assert!(
                doctor.contains("WRONG memory") && doctor.contains(what),
                "{what}: {doctor}"
            );
        }
        assert!(scene.brief().contains("port 9090"), "{what}");
        scene.user("s", facts[n]);
        let fact = crate::attacks::scene::add("state.md", &format!("- {}.", facts[n]));
        scene.staged(&serde_json::json!([fact]));
        scene.review(&["a"]);
        assert!(scene.brief().contains(facts[n]), "{what}");
        let owes = || {
            scene
                .says(&["status"])
                .contains("1 commit, made with the next review, distill or doctor")
        };
        assert_eq!(owes(), !heals, "{what}");
        if !heals {
            std::fs::remove_dir_all(&dot_git).unwrap();
            copy(&backup, &dot_git);
            scene.review_nothing();
            assert!(!owes(), "{what}");
        }
        let log = git(&scene.root.join(".memory"), &["log", "-p", "-1"]);
        assert!(log.contains(&format!("+- {}.", facts[n])), "{what}: {log}");
        assert_eq!(
            git(&scene.root.join(".memory"), &["status", "--porcelain"]),
            "",
            "{what}"
        );
        assert!(scene.says(&["verify"]).starts_with("all good"), "{what}");
        assert!(
            !both(&scene.memd(&["doctor"])).contains("WRONG memory"),
            "{what}"
        );
    }
}

#[test]
fn a_head_that_names_a_commit_or_a_branch_without_one_loses_nothing() {
    for (head, is_lost) in [("detached", false), ("ref: refs/heads/other\n", true)] {
        let scene = accepted();
        let memory = scene.root.join(".memory");
        let whole = std::fs::read(memory.join(".git/HEAD")).unwrap();
        match is_lost {
            true => std::fs::write(memory.join(".git/HEAD"), head).unwrap(),
            false => drop(git(&memory, &["checkout", "-q", "--detach"])),
        }
        let doctor = both(&scene.memd(&["doctor"]));
        assert_eq!(doctor.contains("symbolic-ref HEAD"), is_lost, "{doctor}");
        if !is_lost {
            // What is committed here would be on no branch.
            for args in [
                &["doctor"][..],
                &["status"],
                &["verify"],
                &["review"],
                &["brief"],
            ] {
                let said = both(&scene.memd(args));
                assert!(said.contains("switch main`"), "{args:?}: {said}");
            }
            git(&memory, &["switch", "-q", "main"]);
        }
        scene.user("s", "The queue is SQLite.");
        let fact = crate::attacks::scene::add("state.md", "- The queue is SQLite.");
        scene.staged(&serde_json::json!([fact]));
        scene.review(&["a"]);
        if is_lost {
            // Nothing is committed beside the history; once HEAD leads to it the commit is made.
            assert!(!memory.join(".git/refs/heads/other").exists());
            std::fs::write(memory.join(".git/HEAD"), whole).unwrap();
            scene.review_nothing();
        }
        let log = git(&memory, &["log", "-p", "-1"]);
        assert!(log.contains("+- The queue is SQLite."), "{head}: {log}");
        assert!(scene.says(&["verify"]).starts_with("all good"), "{head}");
    }
}

/// Takes an object away.
fn object(dot_git: &Path, spec: &str) {
    let id = git(dot_git.parent().unwrap(), &["rev-parse", spec]);
    let id = id.trim();
    std::fs::remove_file(dot_git.join("objects").join(&id[..2]).join(&id[2..])).unwrap();
}
