//! What an editor does to a whole file besides what its person meant.

use super::said;
use crate::attacks::lost::accepted;
use crate::attacks::scene::add;
use serde_json::json;

#[test]
fn a_file_whose_lines_an_editor_ends_otherwise_reads_as_it_was_accepted() {
    let scene = accepted();
    scene.user("s", "Retries double their delay, up to a minute.");
    let two = "### Retries\n\nRetries double their delay.";
    scene.staged(&json!([add("decisions.md", two)]));
    scene.review(&["a"]);
    let brief = scene.brief();
    let files = ["state.md", "decisions.md", "todo.md"].map(|f| scene.root.join(".memory").join(f));
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        std::fs::write(file, text.replace('\n', "\r\n")).unwrap();
    }
    assert!(scene.says(&["verify"]).starts_with("all good"));
    assert!(!scene.says(&["status"]).contains("not accepted"));
    assert_eq!(scene.brief(), brief);
    // What is let in ends its lines as the file does.
    scene.user("s", "Logs go to the journal of the machine.");
    scene.staged(&json!([add(
        "decisions.md",
        "### Logs\n\nLogs go to the journal."
    )]));
    scene.review(&["a"]);
    let text = std::fs::read_to_string(&files[1]).unwrap();
    assert_eq!(
        text.matches('\n').count(),
        text.matches("\r\n").count(),
        "{text:?}"
    );
    assert!(
        text.contains("### Logs\r\n\r\nLogs go to the journal.\r\n"),
        "{text:?}"
    );
    assert!(scene.says(&["verify"]).starts_with("all good"));
}

#[test]
fn blanks_at_the_ends_of_lines_are_named_as_that() {
    let scene = accepted();
    scene.user("s", "Retries double their delay, up to a minute.");
    scene.staged(&json!([add(
        "decisions.md",
        "### Retries\n\nRetries double their delay."
    )]));
    scene.review(&["a"]);
    let file = scene.root.join(".memory/decisions.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("### Retries\n", "### Retries  \n")).unwrap();
    let told = said(&scene, &["verify"]);
    assert!(
        told.contains("only blanks at the ends of its lines differ"),
        "{told}"
    );
    let told = said(&scene, &["doctor"]);
    assert!(
        told.contains("1 entry on disk that nobody accepted"),
        "{told}"
    );
    std::fs::write(&file, text).unwrap();
    assert!(scene.says(&["verify"]).starts_with("all good"));
}
