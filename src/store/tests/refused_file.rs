//! Refused memory files on record.

use super::*;
use crate::trust::Act;
use serde_json::json;

#[test]
fn a_refused_file_is_on_record_once_for_each_state() {
    let case = Case::new();
    let project = &case.project.id;
    let refuse = |what| {
        let refused = case.store.refuse_file(&case.trust, project, what, day(1));
        refused.unwrap()
    };
    assert!(refuse(("state.md", "a named pipe")));
    assert!(!refuse(("state.md", "a named pipe")));
    assert!(refuse(("todo.md", "a named pipe")));
    assert!(refuse(("state.md", "a folder")));
    assert!(!refuse(("todo.md", "a named pipe")));
    // Where it was read in between, it is refused anew.
    let (details, act) = (json!({}), Act::Apply);
    let applied = case
        .store
        .audit(&case.trust, act, Some(project), &[], details, day(1));
    assert!(applied.is_ok());
    assert!(refuse(("state.md", "a folder")));
    assert!(!refuse(("state.md", "a folder")));
}
