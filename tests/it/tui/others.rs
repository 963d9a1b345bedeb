//! What happens elsewhere while the screen is up: memory moves, proposals come, others decide.

use super::staged::{PORT, RETRIES, Staged, decided, fact, port};
use crate::world::git;
use memd::id::ProjectId;
use memd::lock::ProjectLock;
use memd::proposal::Decision;
use std::time::Duration;

/// Changes a file of the project's memory and commits it, as a person would.
fn commit(staged: &Staged, from: &str, to: &str) {
    let memory = staged.seed.root.join(".memory");
    let state = memory.join("state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    std::fs::write(&state, text.replace(from, to)).unwrap();
    if !memory.join(".git").exists() {
        git(&memory, &["init", "-q"]);
    }
    git(&memory, &["add", "-A"]);
    git(&memory, &["commit", "-qm", "by hand"]);
}

#[test]
fn a_commit_elsewhere_reopens_what_it_touches_and_moves_nothing() {
    let staged = Staged::new(vec![port(1, 9090), fact(2), fact(3)]);
    let mut screen = staged.open();
    screen.press_for("j", "▌ [ ] Fact 2");
    screen.press_for("a", "▌ [ ] Fact 3");
    screen.quiet();
    let row = screen.row_of("▌ [ ]");
    let selected = screen.row(row);
    commit(&staged, "8080", "7070");
    screen.wait_for("STALE");
    screen.quiet();
    assert_eq!(screen.row(row), selected, "{}", screen.text());
    assert!(screen.shows("[a] Fact 2"), "{}", screen.text());
}

/// A screen with the conflict of [`port`] selected.
fn conflict() -> (Staged, crate::screen::Screen) {
    let staged = Staged::new(vec![port(1, 9090), fact(2)]);
    commit(&staged, "8080", "7070");
    let mut screen = staged.review().start();
    screen.wait_for("CONFLICT");
    screen.wait_ready();
    screen.quiet();
    (staged, screen)
}

fn apply(screen: &mut crate::screen::Screen) {
    screen.press("w");
    screen.wait_for("y apply");
    screen.quiet();
    screen.press("y");
    screen.wait_for("applied");
}

#[test]
fn a_conflict_shows_three_versions_and_each_answer_gives_its_result() {
    let (staged, mut screen) = conflict();
    for version in ["8080", "7070", "9090"] {
        screen.wait_for(version);
    }
    screen.press("r");
    screen.wait_for("[r]");
    apply(&mut screen);
    let state = staged.seed.text(memd::memory::MemoryFile::State);
    assert!(state.contains("7070") && !state.contains("9090"), "{state}");

    let (staged, mut screen) = conflict();
    screen.press("a");
    screen.quiet();
    if !screen.shows("[a]") {
        screen.press("a");
    }
    screen.wait_for("[a]");
    apply(&mut screen);
    let state = staged.seed.text(memd::memory::MemoryFile::State);
    assert!(state.contains("9090") && !state.contains("7070"), "{state}");

    let (staged, _) = conflict();
    let path = staged.home.path().join("editor.sh");
    std::fs::write(
        &path,
        "printf -- '- The API listens on port 6060.' > \"$1\"\n",
    )
    .unwrap();
    let editor = format!("sh {}", path.display());
    let mut screen = staged.review().env("EDITOR", &editor).start();
    screen.wait_for("CONFLICT");
    screen.wait_ready();
    screen.press_for("e", "[e]");
    screen.wait_ready();
    apply(&mut screen);
    let state = staged.seed.text(memd::memory::MemoryFile::State);
    assert!(state.contains("6060") && !state.contains("7070"), "{state}");
}

#[test]
fn a_proposal_that_comes_in_is_counted_and_moves_nothing() {
    let staged = Staged::facts(3);
    let mut screen = staged.open();
    screen.press_for("j", "▌ [ ] Fact 2");
    screen.quiet();
    let row = screen.row_of("▌ [ ] Fact 2");
    // Between the title and the keys nothing may move.
    let before = screen.rows()[1..23].to_vec();
    staged.seed.stage(vec![fact(1)]);
    screen.wait_for("+1 new");
    screen.quiet();
    assert_eq!(screen.row_of("▌ [ ] Fact 2"), row);
    assert_eq!(screen.rows()[1..23], before);
}

#[test]
fn while_another_memd_writes_the_apply_waits_and_can_be_given_up() {
    let staged = Staged::facts(2);
    let lock = hold(&staged);
    let mut screen = staged.open();
    screen.press_for("a", "[a] Fact 1");
    screen.press("w");
    screen.wait_for("y apply");
    screen.quiet();
    let before = staged.seed.text(memd::memory::MemoryFile::Todo);
    screen.press_for("y", "Esc");
    screen.wait_for("held by");
    screen.press("Esc");
    screen.wait_gone("held by");
    assert_eq!(staged.seed.text(memd::memory::MemoryFile::Todo), before);
    assert_eq!(staged.decided(2), "[a] [ ]");
    screen.press("w");
    screen.wait_for("y apply");
    screen.quiet();
    screen.press_for("y", "held by");
    drop(lock);
    screen.wait_for("applied 1");
    let after = staged.seed.text(memd::memory::MemoryFile::Todo);
    assert!(after.contains("Fact 1"), "{after}");
}

fn hold(staged: &Staged) -> ProjectLock {
    let id: &ProjectId = &staged.seed.project.id;
    let locks = staged.home.state().join("locks");
    ProjectLock::take(&locks, id, Duration::from_secs(30)).unwrap()
}

#[test]
fn two_screens_show_each_others_decisions_and_decide_nothing_twice() {
    let staged = Staged::facts(3);
    let mut one = staged.open();
    let mut two = staged.open();
    one.press_for("a", "[a] Fact 1");
    two.wait_for("[a] Fact 1");
    two.press("j");
    two.wait_for("▌ [ ] Fact 2");
    two.quiet();
    two.press_for("r", "[r] Fact 2");
    one.wait_for("[r] Fact 2");
    one.quiet();
    assert_eq!(staged.decided(3), "[a] [r] [ ]");
}

#[test]
fn a_decision_made_elsewhere_a_moment_ago_is_told_and_stands() {
    let staged = Staged::facts(2);
    let mut screen = staged.open();
    let (seed, id) = (&staged.seed, &staged.id);
    let seen = seed.store.decisions(&seed.trust, id).unwrap().last;
    let now = jiff::Timestamp::now();
    seed.store
        .decide(&seed.trust, id, 1, Decision::Rejected, seen, now)
        .unwrap();
    screen.press("a");
    screen.wait_for("[r] Fact 1");
    screen.quiet();
    assert!(
        decided(seed, id, 2).starts_with("[r]"),
        "{}",
        staged.decided(2)
    );
}

#[test]
fn what_is_accepted_is_what_is_written() {
    let staged = Staged::new(vec![port(1, 9090), fact(2), super::staged::moved(3)]);
    let mut screen = staged.open();
    screen.press_for("a", "[a] ");
    screen.quiet();
    apply(&mut screen);
    let state = staged.seed.text(memd::memory::MemoryFile::State);
    assert!(state.contains("9090") && !state.contains(PORT), "{state}");
    assert!(state.contains(RETRIES), "{state}");
}
