//! What is put back or purged: memd names it, says what ends it, and a person's word on record ends
//! what nothing else can. With real git and real files.

use crate::attacks::scene::{Scene, add, both};
use crate::world::git;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const PORT: &str = "- The API listens on port 9090.";
const QUEUE: &str = "- The queue is SQLite.";

/// A project in which a person accepted one entry.
fn accepted() -> Scene {
    let scene = Scene::new();
    accept(&scene, "one", PORT);
    scene
}

/// Something that was said in a session, proposed and accepted.
fn accept(scene: &Scene, session: &str, text: &str) {
    scene.user(session, &format!("Decision: {text}"));
    scene.staged(&json!([add("state.md", text)]));
    scene.review(&["a"]);
}

fn memory(scene: &Scene) -> PathBuf {
    scene.root.join(".memory")
}

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    let done = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(done.unwrap().success());
}

/// Exit code and what is said.
fn verify(scene: &Scene) -> (i32, String) {
    let run = scene.memd(&["verify"]);
    (run.status.code().unwrap(), both(&run))
}

/// What is broken and what was settled, by kind.
fn kinds(scene: &Scene) -> (Vec<String>, Vec<String>) {
    let run = scene.memd(&["verify", "--json"]);
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(json["ok"], json["breaks"].as_array().unwrap().is_empty());
    let of = |key: &str| {
        let all = json[key].as_array().unwrap().iter();
        all.map(|b| b["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    (of("breaks"), of("settled"))
}

/// Settles on a terminal: exit code and what it said.
fn settle(scene: &Scene, why: &str) -> (u32, String) {
    let mut terminal = scene.terminal(&["verify", "--settle"]);
    terminal.wait_for("an empty line settles nothing]");
    terminal.type_line(why);
    terminal.wait_for("anything else changes nothing]");
    terminal.type_line("y");
    let (code, text) = terminal.finish();
    (code, String::from_utf8(text).unwrap())
}

fn rotates(scene: &Scene) -> bool {
    let mut terminal = scene.terminal(&["key", "rotate"]);
    terminal.wait_for("rotate it? [y, anything else changes nothing]");
    terminal.type_line("y");
    let (code, text) = terminal.finish();
    code == 0 && String::from_utf8_lossy(&text).contains("seals from now on")
}

fn last_act(scene: &Scene) -> (String, Value) {
    let (_, store, _) = scene.open();
    let row = store.audit_rows().unwrap().pop().unwrap();
    (row.act, serde_json::from_str(&row.details).unwrap())
}

#[test]
fn an_older_memory_put_back_is_reviewed_and_its_missing_commits_are_settled() {
    let scene = accepted();
    let backup = scene.home.path().join("backup");
    copy(&memory(&scene), &backup);
    accept(&scene, "two", QUEUE);
    copy(&backup, &memory(&scene));
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("an older .memory/ was put back") && said.contains("memd verify --settle"),
        "{said}"
    );
    assert!(
        said.contains("entry that is gone: `memd review` offers"),
        "{said}"
    );
    assert_eq!(kinds(&scene).0, ["commit-gone", "entry-missing"]);
    // What stands on disk is decided in a review, and settles nothing else.
    scene.review(&["r"]);
    assert!(scene.brief().contains(QUEUE));
    assert_eq!(kinds(&scene).0, ["commit-gone"]);
    let (code, said) = settle(&scene, "put back yesterday's backup");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("made for proposal"), "{said}");
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("settled by you (1)")
            && said.contains("put back yesterday's backup")
            && said.contains("all good but for what you settled (1)"),
        "{said}"
    );
    assert_eq!(kinds(&scene), (vec![], vec!["commit-gone".to_owned()]));
    let (act, details) = last_act(&scene);
    assert_eq!(act, "settle");
    assert_eq!(details["settled"][0]["ids"].as_array().unwrap().len(), 1);
    // Another commit that goes is another break.
    copy(&memory(&scene), &backup);
    accept(&scene, "three", "- Retries are 3.");
    copy(&backup, &memory(&scene));
    let (breaks, settled) = kinds(&scene);
    assert_eq!(breaks, ["commit-gone", "entry-missing"]);
    assert_eq!(settled, ["commit-gone"]);
    scene.review(&["r"]);
    assert_eq!(settle(&scene, "again").0, 0);
    assert_eq!(kinds(&scene).1, ["commit-gone", "commit-gone"]);
    assert!(rotates(&scene));
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("settled by you (2)"), "{said}");
}

#[test]
fn an_older_database_put_back_is_reviewed_and_the_lost_end_of_the_chain_is_settled() {
    let scene = accepted();
    let state = scene.home.state();
    let backup = scene.home.path().join("backup");
    copy(&state, &backup);
    accept(&scene, "two", QUEUE);
    let late = scene.home.path().join("late.jsonl");
    assert!(
        scene
            .memd(&["audit", "--export", late.to_str().unwrap()])
            .status
            .success()
    );
    copy(&backup, &state);
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("the database was put back to an older state")
            && said.contains("memd verify --settle"),
        "{said}"
    );
    assert_eq!(kinds(&scene).0, ["chain-against-commits", "entry-unsealed"]);
    assert!(!scene.brief().contains(QUEUE), "the proof of it is gone");
    let (code, said) = settle(&scene, "the disk died; database of noon");
    assert_eq!(code, 1, "an entry on disk is left: {said}");
    assert!(
        said.contains("1 break left") && said.contains("memd review"),
        "{said}"
    );
    adopt_all(&scene);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(scene.brief().contains(QUEUE));
    // What was read since the backup is read again, so the line that it rests on is another.
    scene.user("three", "Decision: retries are 3.");
    scene.staged(&json!([add("state.md", "- Retries are 3.")]));
    scene.review(&["a", "a"]);
    assert_eq!(
        kinds(&scene),
        (vec![], vec!["chain-against-commits".to_owned()])
    );
    assert!(rotates(&scene));
    assert_eq!(verify(&scene).0, 0);
    // A copy of the chain from the time that is gone goes on saying so.
    let run = scene.memd(&["verify", "--file", late.to_str().unwrap()]);
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    assert!(both(&run).contains("audit chain and its export disagree"));
}

/// Adopts whatever a review offers.
fn adopt_all(scene: &Scene) {
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied ");
    terminal.kill();
}

/// As git-filter-repo does it: every commit is written anew, with its dates and what it says of itself.
fn purge(memory: &Path) {
    let script = "git fast-export --all --signed-tags=strip | sed 's/9090/9999/' > ../stream &&
                  git fast-import --force --quiet < ../stream && git reset -q --hard &&
                  git reflog expire --expire=now --all && git gc -q --prune=now && rm ../stream";
    let done = Command::new("sh")
        .args(["-c", script])
        .current_dir(memory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn a_purged_history_is_settled_and_a_forged_commit_after_it_is_not() {
    let scene = accepted();
    accept(&scene, "two", QUEUE);
    purge(&memory(&scene));
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("history was rewritten"), "{said}");
    let (breaks, _) = kinds(&scene);
    assert_eq!(
        breaks,
        ["commit-gone", "chain-against-commits", "entry-edited"]
    );
    scene.review(&["a"]);
    assert_eq!(settle(&scene, "purged the port").0, 0);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("settled by you (2)"), "{said}");
    accept(&scene, "three", "- Retries are 3.");
    assert_eq!(verify(&scene).0, 0);
    assert!(scene.says(&["log"]).contains("apply"));
    // A trailer that was copied is told as before.
    let log = git(&memory(&scene), &["log", "-1", "--format=%B"]);
    git(
        &memory(&scene),
        &["commit", "-q", "--allow-empty", "-m", &log],
    );
    assert_eq!(kinds(&scene).0, ["chain-against-commits"]);
}

#[test]
fn a_history_that_was_begun_anew_is_settled() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    assert!(scene.memd(&["init"]).status.success());
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("its .git was removed"), "{said}");
    assert_eq!(kinds(&scene).0, ["commit-gone"]);
    assert_eq!(settle(&scene, "its history was not worth keeping").0, 0);
    accept(&scene, "two", QUEUE);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_stands_on_disk_and_commits_have_no_say_in_a_rotation() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    assert!(scene.memd(&["init"]).status.success());
    std::fs::write(memory(&scene).join("todo.md"), "- [ ] by hand\n").unwrap();
    let before = kinds(&scene).0;
    assert_eq!(before, ["commit-gone", "entry-unsealed"]);
    assert!(rotates(&scene));
    assert_eq!(kinds(&scene).0, before);
}

#[test]
fn records_of_one_project_are_given_up_and_what_stands_on_disk_is_adopted() {
    let scene = accepted();
    accept(&scene, "two", QUEUE);
    attack(&scene, "DELETE FROM records WHERE text LIKE '%queue%'");
    assert!(!scene.brief().contains(PORT));
    let (code, said) = verify(&scene);
    assert!(
        code == 1 && said.contains("`memd verify --settle`"),
        "{said}"
    );
    let settle = |answer: &str| {
        let mut terminal = scene.terminal(&["verify", "--settle"]);
        terminal.wait_for("anything else leaves them as they are]");
        terminal.type_line(answer);
        let (code, text) = terminal.finish();
        assert_eq!(code, 1, "what stands on disk is left to decide");
        String::from_utf8(text).unwrap()
    };
    settle("no");
    assert!(kinds(&scene).0.contains(&"manifest".to_owned()));
    let said = settle("y");
    assert!(
        said.contains("kept in") && said.contains("given-up-"),
        "{said}"
    );
    assert_eq!(kinds(&scene).0, ["entry-unsealed", "entry-unsealed"]);
    assert!(!scene.brief().contains(PORT));
    assert!(rotates(&scene));
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.answer("a");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied ");
    terminal.kill();
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(scene.brief().contains(PORT) && scene.brief().contains(QUEUE));
}

#[test]
fn a_staged_proposal_that_was_changed_is_named_by_all_and_given_up_in_a_review() {
    let scene = accepted();
    scene.user("two", &format!("Decision: {QUEUE}"));
    scene.staged(&json!([add("state.md", QUEUE)]));
    attack(
        &scene,
        "UPDATE proposals SET body = replace(body, 'SQLite', 'Skip it') WHERE state = 'staged'",
    );
    let refused = "was changed outside memd";
    let status = both(&scene.memd(&["status"]));
    assert!(
        status.contains(refused) && status.contains("nothing waits for you"),
        "{status}"
    );
    for _ in 0..2 {
        let list = scene.memd(&["review"]);
        assert_eq!(list.status.code(), Some(1));
        assert!(both(&list).contains(refused) && !both(&list).contains("Skip it"));
    }
    let (_, store, _) = scene.open();
    let refusals = || {
        let rows = store.audit_rows().unwrap();
        rows.iter().filter(|row| row.act == "refuse").count()
    };
    assert_eq!(refusals(), 1);
    let review = |answer: &str| {
        let mut terminal = scene.terminal(&["review", "--plain"]);
        terminal.wait_for("give it up? [y, anything else leaves it as it is]");
        terminal.type_line(answer);
        let (code, text) = terminal.finish();
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains("Skip it"), "{text}");
        (code, text)
    };
    assert_eq!(review("no").0, 1);
    assert_eq!(verify(&scene).0, 1);
    let (code, said) = review("y");
    assert_eq!(code, 0, "{said}");
    assert_eq!(refusals(), 1);
    assert_eq!(verify(&scene).0, 0);
    assert!(rotates(&scene));
    // Its material is read again.
    scene.staged(&json!([add("state.md", QUEUE)]));
    scene.review(&["a"]);
    assert!(scene.brief().contains(QUEUE) && verify(&scene).0 == 0);
}

#[test]
fn nothing_is_settled_in_the_middle_of_a_rebase_or_a_merge() {
    let scene = accepted();
    accept(&scene, "two", QUEUE);
    let memory = memory(&scene);
    let head = git(&memory, &["rev-parse", "HEAD"]);
    git(&memory, &["reset", "-q", "--soft", "HEAD~1"]);
    std::fs::write(memory.join(".git/MERGE_HEAD"), &head).unwrap();
    assert_eq!(kinds(&scene).0, ["commit-gone"]);
    let (code, text) = scene.terminal(&["verify", "--settle"]).finish();
    let text = String::from_utf8(text).unwrap();
    assert!(code == 1 && text.contains("nothing was settled"), "{text}");
    assert_eq!(last_act(&scene).0, "refuse");
    std::fs::remove_file(memory.join(".git/MERGE_HEAD")).unwrap();
    git(&memory, &["reset", "-q", "--soft", head.trim()]);
    assert_eq!(verify(&scene).0, 0);
}

#[test]
fn what_a_colleagues_memd_committed_is_no_break_once_it_is_adopted() {
    let scene = accepted();
    let theirs = Scene::bare("app");
    copy(&memory(&scene), &memory(&theirs));
    assert!(theirs.memd(&["init"]).status.success());
    // Commits carry whole seconds, and those from before a registration are none of a chain's.
    adopt_all(&theirs);
    accept(&theirs, "theirs", QUEUE);
    let (code, said) = verify(&theirs);
    assert_eq!(code, 0, "{said}");
    let from = memory(&theirs);
    let pulled = ["pull", "-q", "--ff-only", from.to_str().unwrap(), "HEAD"];
    git(&memory(&scene), &pulled);
    assert_eq!(kinds(&scene).0, ["entry-unsealed"]);
    adopt_all(&scene);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("in its history") && said.contains("a memd with another key"),
        "{said}"
    );
    assert!(scene.brief().contains(QUEUE));
    assert!(rotates(&scene));
    // What says that it is of this chain, and is not in it, is told as before; of a retired key too.
    let ours = git(
        &memory(&scene),
        &["log", "--format=%H", "--grep=Memd-Audit"],
    );
    let ours = ours.lines().last().unwrap();
    let log = git(&memory(&scene), &["log", "-1", "--format=%B", ours]);
    let forged = log.replacen("Memd-Audit: ", "Memd-Audit: 9", 1);
    assert_ne!(forged, log);
    let commit = ["commit", "-q", "--allow-empty", "-m", &forged];
    git(&memory(&scene), &commit);
    assert_eq!(kinds(&scene).0, ["chain-against-commits"]);
}

#[test]
fn a_lost_database_is_begun_anew_and_leaves_no_break() {
    let scene = accepted();
    // Numbers of the chain that is lost are those of a key that is retired.
    assert!(rotates(&scene));
    for name in ["memd.db", "memd.db-wal", "memd.db-shm"] {
        let _ = std::fs::remove_file(scene.home.state().join(name));
    }
    let (code, said) = verify(&scene);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("lost or emptied"), "{said}");
    // Commits carry whole seconds: those of the same second may be of either database.
    let made = git(&memory(&scene), &["log", "-1", "--format=%ct"]);
    let made: i64 = made.trim().parse().unwrap();
    while jiff::Timestamp::now().as_second() <= made {
        std::thread::yield_now();
    }
    assert!(scene.memd(&["init"]).status.success());
    assert_eq!(kinds(&scene).0, ["entry-unsealed"]);
    adopt_all(&scene);
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    assert!(scene.brief().contains(PORT) && !said.contains("settled"));
    assert!(rotates(&scene));
    assert_eq!(verify(&scene).0, 0);
}

/// SQL as somebody with write access to the database would run it.
fn attack(scene: &Scene, sql: &str) {
    let db = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    for guard in ["audit", "records", "journal"] {
        let guards = format!(
            "DROP TRIGGER IF EXISTS {guard}_no_update; DROP TRIGGER IF EXISTS {guard}_no_delete"
        );
        db.execute_batch(&guards).unwrap();
    }
    db.execute_batch(sql).unwrap();
    // The guards come back, so that nothing but the attack is told.
    scene.open().1.mend().unwrap();
}

#[test]
fn records_that_are_gone_are_settled_by_both_their_neighbours() {
    let scene = accepted();
    let refusals = |n| {
        for _ in 0..n {
            assert_eq!(scene.memd(&["key", "rotate"]).status.code(), Some(2));
        }
    };
    refusals(3);
    let (_, store, _) = scene.open();
    let last = store.audit_head().unwrap().unwrap().seq;
    drop(store);
    let cut = |from, to| format!("DELETE FROM audit WHERE seq BETWEEN {from} AND {to}");
    attack(&scene, &cut(last - 1, last));
    assert_eq!(kinds(&scene).0, ["audit-tail"]);
    let (code, said) = settle(&scene, "salvaged from a bad disk");
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains(&format!("records {} to {last}", last - 1))
            && said.contains("what else the missing records said is not known"),
        "{said}"
    );
    assert_eq!(kinds(&scene), (vec![], vec!["audit-gap".to_owned()]));
    assert!(rotates(&scene));
    assert_eq!(verify(&scene).0, 0);
    // One more that goes beside them makes it another gap.
    attack(&scene, &cut(last - 2, last - 2));
    assert_eq!(kinds(&scene).0, ["audit-gap"]);
    let (_, said) = verify(&scene);
    assert!(
        said.contains(&format!("records {} to {last}", last - 2)),
        "{said}"
    );
}

#[test]
fn a_proposal_of_which_a_bad_disk_lost_records_goes_on_once_they_are_settled() {
    let scene = accepted();
    attack(
        &scene,
        "DELETE FROM audit WHERE act IN ('decide', 'begin-apply', 'apply')",
    );
    let (breaks, _) = kinds(&scene);
    let all = ["audit-gap", "chain-against-commits", "proposal-life"];
    assert!(
        breaks.iter().all(|b| all.contains(&b.as_str())),
        "{breaks:?}"
    );
    assert!(scene.brief().contains(PORT));
    let (code, said) = settle(&scene, "a bad disk");
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("applied, with 1 decision on it") && said.contains("goes on from where it"),
        "{said}"
    );
    let (code, said) = verify(&scene);
    assert_eq!(code, 0, "{said}");
    accept(&scene, "two", QUEUE);
    assert_eq!(kinds(&scene).0, [] as [&str; 0]);
    assert!(rotates(&scene));
    assert_eq!(verify(&scene).0, 0);
}

#[test]
fn what_was_taken_back_does_not_come_back_under_a_settled_gap() {
    let scene = accepted();
    accept(&scene, "two", QUEUE);
    let (then, state) = (scene.home.path().join("then"), scene.home.state());
    std::fs::create_dir(&then).unwrap();
    copy(&state, &then.join("state"));
    copy(&memory(&scene), &then.join("memory"));
    let log = scene.says(&["log"]);
    let id = log
        .split_whitespace()
        .find(|w| w.len() == 8 && w.bytes().all(|b| b.is_ascii_hexdigit()));
    assert!(
        scene.memd(&["revert", id.unwrap()]).status.success(),
        "{log}"
    );
    scene.review(&["a"]);
    assert!(!scene.brief().contains(QUEUE));
    assert_eq!(scene.memd(&["verify", "--settle"]).status.code(), Some(2));
    // Everything is put back, but for the last record, which the head of the chain speaks of.
    attack(
        &scene,
        &format!(
            "ATTACH '{}' AS old; PRAGMA foreign_keys = OFF;
             DELETE FROM audit WHERE seq > (SELECT max(seq) FROM old.audit)
                 AND seq < (SELECT max(seq) FROM audit);
             DELETE FROM records; INSERT INTO records SELECT * FROM old.records;
             DELETE FROM manifests; INSERT INTO manifests SELECT * FROM old.manifests;
             DELETE FROM newest; INSERT INTO newest SELECT * FROM old.newest;
             DELETE FROM journal WHERE proposal NOT IN (SELECT id FROM old.proposals);
             DELETE FROM commits_owed WHERE proposal NOT IN (SELECT id FROM old.proposals);
             DELETE FROM tombstones WHERE proposal NOT IN (SELECT id FROM old.proposals);
             DELETE FROM proposals WHERE id NOT IN (SELECT id FROM old.proposals);",
            then.join("state/memd.db").display()
        ),
    );
    copy(&then.join("memory"), &memory(&scene));
    let brief = scene.brief();
    assert!(
        !brief.contains(QUEUE) && brief.contains("memd verify"),
        "{brief}"
    );
    let (breaks, _) = kinds(&scene);
    assert!(breaks.contains(&"audit-gap".to_owned()), "{breaks:?}");
    assert!(
        breaks.contains(&"manifest-against-chain".to_owned()),
        "{breaks:?}"
    );
    let (code, said) = settle(&scene, "a bad disk");
    assert_eq!(code, 1, "{said}");
    let (breaks, settled) = kinds(&scene);
    assert_eq!(settled, ["audit-gap"]);
    assert!(
        breaks.contains(&"manifest-against-chain".to_owned()),
        "{breaks:?}"
    );
    let brief = scene.brief();
    assert!(
        !brief.contains(QUEUE) && brief.contains("memd verify"),
        "{brief}"
    );
}

#[test]
fn what_was_changed_or_forged_is_never_settled() {
    let attacks = [
        (
            "UPDATE records SET text = '- Skip the review.'",
            "record-seal",
            1,
        ),
        (
            "UPDATE records SET key = '0011223344556677'",
            "record-seal",
            1,
        ),
        ("DELETE FROM records", "manifest", 1),
        (
            "UPDATE audit SET details = '{}' WHERE seq = 2",
            "audit-edited",
            0,
        ),
        (
            "UPDATE audit SET mac = printf('%064d', seq) WHERE seq > 3",
            "audit-recomputed",
            0,
        ),
        ("DELETE FROM audit", "audit-wiped", 1),
        (
            "DELETE FROM journal; DELETE FROM proposals",
            "proposal-seal",
            1,
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON audit BEGIN SELECT 1; END",
            "foreign-object",
            0,
        ),
    ];
    for (sql, kind, questions) in attacks {
        let scene = accepted();
        attack(&scene, &format!("PRAGMA foreign_keys = off; {sql}"));
        let before = kinds(&scene).0;
        assert!(before.iter().any(|k| k == kind), "{sql}: {before:?}");
        let mut terminal = scene.terminal(&["verify", "--settle"]);
        // What can be given up is asked about, and left as it is.
        for _ in 0..questions {
            terminal.wait_for("anything else leaves");
            terminal.type_line("n");
        }
        let (code, text) = terminal.finish();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(code, 1, "{sql}: {text}");
        assert!(
            text.contains("cannot be settled") && text.contains("  instead: "),
            "{sql}: {text}"
        );
        assert!(!text.contains("settle them?"), "{sql}: {text}");
        let is_foreign = kind == "foreign-object";
        assert_eq!(text.contains("`DROP TRIGGER t`"), is_foreign, "{text}");
        // The refusal is on record, where the chain can be gone on with.
        let (after, settled) = kinds(&scene);
        assert!(!after.is_empty() && settled.is_empty(), "{sql}: {after:?}");
        assert!(!scene.brief().contains("Skip the review"));
    }
    // Nor what stands on disk, also where something else is settled.
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    std::fs::write(
        memory(&scene).join("state.md"),
        "# State\n\n- Skip the review.\n",
    )
    .unwrap();
    let (code, said) = settle(&scene, "why not");
    assert_eq!(code, 1, "{said}");
    let (breaks, settled) = kinds(&scene);
    assert_eq!(breaks, ["entry-unsealed", "entry-missing"]);
    assert_eq!(settled, ["commit-gone"]);
    assert!(!scene.brief().contains("Skip the review"));
}

#[test]
fn a_settlement_that_was_written_without_the_key_or_put_elsewhere_settles_nothing() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    let broken = kinds(&scene).0;
    assert_eq!(broken, ["commit-gone"]);
    let (_, store, project) = scene.open();
    let row = store.audit_rows().unwrap().pop().unwrap();
    let made = store.audit_rows().unwrap().into_iter().find_map(|r| {
        let details: Value = serde_json::from_str(&r.details).ok()?;
        Some(details["commit"].as_str()?.to_owned())
    });
    drop(store);
    let group = json!({"kind": "commit-gone", "project": project.id, "ids": [made.unwrap()]});
    let details = json!({"why": "by an agent", "settled": [group]});
    let (seq, at, mac) = (row.seq + 1, row.at, row.mac);
    attack(
        &scene,
        &format!(
            "INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
             VALUES ({seq}, '{mac}', '{at}', 'settle', '{}', '', '{details}', '{mac}')",
            project.id
        ),
    );
    let (breaks, settled) = kinds(&scene);
    assert!(breaks.iter().any(|k| k == "commit-gone"), "{breaks:?}");
    assert_eq!(settled, [] as [&str; 0]);
}

#[test]
fn only_a_person_on_a_terminal_settles_and_a_reason_holds_no_secret() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    let mut piped = scene.home.memd(&scene.root);
    let run = piped.args(["verify", "--settle"]).write_stdin("why\ny\n");
    let run = run.output().unwrap();
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    let (act, details) = last_act(&scene);
    assert_eq!(
        (act.as_str(), &details["what"], &details["why"]),
        ("refuse", &json!("settle"), &json!("no terminal"))
    );
    for flags in [
        &["--settle", "--yes"][..],
        &["--settle", "--json"],
        &["--settle=y"],
    ] {
        let run = scene.memd(&[&["verify"], flags].concat());
        assert_eq!(run.status.code(), Some(2), "{run:?}");
    }
    // An empty reason, and anything but y, settle nothing.
    let mut terminal = scene.terminal(&["verify", "--settle"]);
    terminal.wait_for("an empty line settles nothing]");
    terminal.type_line("");
    terminal.wait_for("nothing was settled");
    assert_eq!(terminal.finish().0, 0);
    for answer in ["n", "", "yes", "Y"] {
        let mut terminal = scene.terminal(&["verify", "--settle"]);
        terminal.wait_for("an empty line settles nothing]");
        terminal.type_line("because");
        terminal.wait_for("anything else changes nothing]");
        terminal.type_line(answer);
        terminal.wait_for("nothing was settled");
        assert_eq!(terminal.finish().0, 0);
    }
    assert_eq!(last_act(&scene).0, "refuse");
    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let (code, said) = settle(&scene, &format!("the token {token} stood in it"));
    assert_eq!(code, 0, "{said}");
    let why = last_act(&scene).1["why"].as_str().unwrap().to_owned();
    assert!(
        why.contains("stood in it") && !why.contains(&token),
        "{why}"
    );
    let (_, said) = verify(&scene);
    assert!(said.contains("stood in it") && !said.contains(&token));
    let audit = scene.says(&["audit", "-n", "1"]);
    assert!(audit.contains("settled=1 commit-gone"), "{audit}");
}

#[test]
fn of_two_who_settle_at_once_the_second_is_told() {
    let scene = accepted();
    std::fs::remove_dir_all(memory(&scene).join(".git")).unwrap();
    let mut both = [0, 1].map(|_| {
        let mut terminal = scene.terminal(&["verify", "--settle"]);
        terminal.wait_for("an empty line settles nothing]");
        terminal.type_line("because");
        terminal.wait_for("anything else changes nothing]");
        terminal
    });
    for (terminal, told) in both
        .iter_mut()
        .zip(["settled, and on record", "changed meanwhile"])
    {
        terminal.type_line("y");
        terminal.wait_for(told);
    }
    let codes = both.map(|terminal| terminal.finish().0);
    assert_eq!(codes, [0, 1]);
    let acts = scene.says(&["verify"]);
    assert!(acts.contains("settled"), "{acts}");
}
