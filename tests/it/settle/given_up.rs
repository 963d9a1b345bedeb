//! Records and proposals that were changed outside memd, given up by a person.

use super::{PORT, QUEUE, accept, accepted, attack, kinds, rotates, verify};
use crate::attacks::scene::{add, both};
use serde_json::json;

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
