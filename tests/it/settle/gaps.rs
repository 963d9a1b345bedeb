//! Records of the chain that are gone: settled by their neighbours, and nothing comes back under the gap.

use super::{PORT, QUEUE, accept, accepted, attack, copy, kinds, memory, rotates, settle, verify};

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
