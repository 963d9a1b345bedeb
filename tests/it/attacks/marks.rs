//! What a hand or a git left in a memory file besides entries: marks of a merge that was committed
//! with both sides in it, and a frontmatter that is gone.

use super::lost::accepted;
use super::scene::{Scene, add, both};
use crate::world::git;

fn state(scene: &Scene) -> std::path::PathBuf {
    scene.root.join(".memory/state.md")
}

#[test]
fn marks_of_a_merge_that_were_committed_are_flagged_wherever_they_are_taken_to_stand() {
    let scene = accepted();
    let text = std::fs::read_to_string(state(&scene)).unwrap();
    let both_sides = "<<<<<<< HEAD\n- Backups leave every night.\n=======\n- Backups leave at noon.\n>>>>>>> theirs\n";
    std::fs::write(state(&scene), format!("{text}{both_sides}")).unwrap();
    git(&scene.root.join(".memory"), &["commit", "-qam", "merged"]);
    assert!(scene.says(&["status"]).contains("not accepted"));
    // The mark is a further line of the entry before it, which verify names.
    let verify = both(&scene.memd(&["verify"]));
    assert!(verify.contains("now reads \"<<<<<<< HEAD\""), "{verify}");
    let mut terminal = scene.terminal(&["review", "--plain"]);
    for _ in 0..2 {
        terminal.wait_for("conflict-mark: holds git's mark of a merge conflict");
        terminal.wait_for("keep one side in the file and take the marks out");
        // To the next change, undecided.
        terminal.answer("s");
    }
    terminal.kill();
    assert!(!scene.brief().contains("Backups"));
}

#[test]
fn a_merge_under_way_is_named_by_a_review_without_a_terminal() {
    let scene = accepted();
    let head = git(&scene.root.join(".memory"), &["rev-parse", "HEAD"]);
    std::fs::write(scene.root.join(".memory/.git/MERGE_HEAD"), head).unwrap();
    let said = both(&scene.memd(&["review"]));
    assert!(said.contains("app: a merge is under way"), "{said}");
    assert!(!said.contains("nothing to review"), "{said}");
}

#[test]
fn a_curator_that_copies_marks_of_a_merge_is_flagged() {
    let scene = Scene::new();
    scene.user("s", "Backups leave every night.");
    let copied = "- Backups leave every night.\n  >>>>>>> theirs";
    let proposal = scene.staged(&serde_json::json!([add("state.md", copied)]));
    let said = super::scene::verdicts(&proposal, 0);
    assert!(said.contains("conflict-mark warn"), "{said}");
}

#[test]
fn a_frontmatter_that_was_taken_out_or_broken_is_named_and_comes_back() {
    for broken in ["", "---\ntype: state\n---\n"] {
        let scene = accepted();
        let text = std::fs::read_to_string(state(&scene)).unwrap();
        let body = text.splitn(3, "---\n").nth(2).unwrap();
        std::fs::write(state(&scene), format!("{broken}{body}")).unwrap();
        for args in [&["status"][..], &["doctor"]] {
            let said = both(&scene.memd(args));
            assert!(
                said.contains("state.md: ") && said.contains("frontmatter"),
                "{args:?}: {said}"
            );
            assert!(said.contains("mend it by hand"), "{args:?}: {said}");
        }
        assert!(
            scene.brief().contains("port 9090"),
            "what was accepted is given"
        );
        scene.user("s", "The queue is SQLite.");
        scene.staged(&serde_json::json!([add(
            "state.md",
            "- The queue is SQLite."
        )]));
        scene.review(&["a"]);
        let text = std::fs::read_to_string(state(&scene)).unwrap();
        assert!(
            text.starts_with("---\ntype: state\nproject: app\n"),
            "{text}"
        );
        assert!(text.contains("9090") && text.contains("SQLite"), "{text}");
        assert!(!scene.says(&["status"]).contains("frontmatter"));
        assert!(scene.says(&["verify"]).starts_with("all good"));
    }
}
