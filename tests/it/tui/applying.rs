//! What the sheet shows is what is written, by a `y` on it and by nothing else.

use super::staged::{RETRIES, Staged, fact, hostile, moved, port};
use crate::screen::Screen;
use crate::seed::{Seed, edit};
use crate::support::Home;
use jiff::Timestamp;
use memd::git::Repo;
use memd::memory::Memory;
use memd::memory::MemoryFile::{self, State, Todo};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

fn commits(seed: &Seed) -> Vec<String> {
    match Repo::open(&seed.root.join(".memory")) {
        Ok(repo) => repo.log(50).unwrap().into_iter().map(|c| c.id).collect(),
        Err(_) => Vec::new(),
    }
}

/// Every file of the memory and when it was written last.
fn files(seed: &Seed) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
    fn walk(dir: &Path, into: &mut Vec<(PathBuf, SystemTime, Vec<u8>)>) {
        for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let (path, meta) = (entry.path(), entry.metadata().unwrap());
            match meta.is_dir() {
                true => walk(&path, into),
                false => {
                    let bytes = std::fs::read(&path).unwrap();
                    into.push((path, meta.modified().unwrap(), bytes));
                }
            }
        }
    }
    let mut all = Vec::new();
    walk(&seed.root.join(".memory"), &mut all);
    all.sort();
    all
}

fn sheet(screen: &mut Screen) {
    screen.press_for("w", "Apply this proposal?");
    screen.quiet();
}

/// The sizes that the sheet tells of a file: before and after.
fn sizes(screen: &Screen, file: MemoryFile) -> (usize, usize) {
    let row = screen.row(screen.row_of(file.name()));
    let (before, after) = row.split_once(" → ").unwrap();
    let number = |text: &str| -> usize { text.replace(',', "").parse().unwrap() };
    let before = before.split_whitespace().last().unwrap();
    (
        number(before),
        number(after.split_whitespace().next().unwrap()),
    )
}

#[test]
fn only_a_y_on_the_sheet_writes_and_it_writes_what_the_sheet_shows() {
    let staged = Staged::new(vec![fact(1), port(2, 9090)]);
    let seed = &staged.seed;
    let (before, head) = (files(seed), commits(seed));
    let mut screen = staged.open();
    screen.press_for("a", "apply 1 of 2");
    screen.press_for("a", "apply 2 of 2");
    for back in [&["Esc"][..], &["Enter", "Space", "Esc"], &["n"], &["q"]] {
        sheet(&mut screen);
        for key in back {
            screen.press(key);
            screen.quiet();
        }
        screen.wait_gone("Apply this proposal?");
        assert_eq!(files(seed), before, "{back:?}");
    }
    // A y that was sent together with the w is none.
    screen.send("wy");
    screen.wait_for("Apply this proposal?");
    screen.quiet();
    assert_eq!(files(seed), before);
    assert_eq!(commits(seed), head);
    let told = [State, Todo].map(|file| (file, sizes(&screen, file)));
    for (file, (size, _)) in told {
        let memory = Memory::read(&seed.root.join(".memory")).unwrap();
        assert_eq!(memory.doc(file).body_chars(), size, "{}", file.name());
    }
    screen.press_for("y", "applied 2");
    let now = commits(seed);
    let repo = Repo::open(&seed.root.join(".memory")).unwrap();
    let new: Vec<_> = now.iter().filter(|id| !head.contains(id)).collect();
    let reviewed = |id: &&&String| {
        let commit = repo.commit(id).unwrap();
        format!("{commit:?}").contains(staged.id.as_str())
    };
    assert_eq!(new.iter().filter(reviewed).count(), 1, "{now:?}");
    assert!(!repo.is_dirty().unwrap());
    let memory = Memory::read(&seed.root.join(".memory")).unwrap();
    for (file, (_, size)) in told {
        let head = repo.file_at(&now[0], file.name(), 1 << 20).unwrap();
        assert_eq!(head.unwrap(), seed.text(file).into_bytes());
        assert_eq!(memory.doc(file).body_chars(), size, "{}", file.name());
    }
    assert!(seed.text(State).contains("9090") && seed.text(Todo).contains("Fact 1"));
}

#[test]
fn what_is_undecided_stays_with_its_proposal() {
    let staged = Staged::facts(6);
    let mut screen = staged.open();
    for (key, n) in [("a", 1), ("a", 2), ("a", 3), ("r", 4)] {
        screen.press_for(key, &format!("[{key}] Fact {n}"));
    }
    sheet(&mut screen);
    screen.wait_for("2 undecided: the proposal stays with them");
    screen.press_for("y", "applied 3");
    let todo = staged.seed.text(Todo);
    for n in 1..=6 {
        assert_eq!(todo.contains(&format!("Fact {n} ")), n <= 3, "{todo}");
    }
    screen.wait_for("[ ] Fact 5");
    screen.wait_for("[ ] Fact 6");
    assert!(!screen.shows("] Fact 4"), "{}", screen.text());
    screen.press("Q");
    screen.finish();
    let mut screen = staged.open();
    screen.wait_for("apply 0 of 2");
    screen.press_for("a", "apply 1 of 2");
    screen.press_for("a", "apply 2 of 2");
    sheet(&mut screen);
    screen.press_for("y", "Nothing to review.");
}

#[test]
fn a_move_to_the_archive_is_one_change_that_writes_both_sides_or_neither() {
    let month = Timestamp::now().strftime("%Y-%m.md").to_string();
    let staged = Staged::new(vec![moved(1), fact(2)]);
    let seed = &staged.seed;
    let memory = seed.root.join(".memory");
    let kept = |seed: &Seed| {
        let there = std::fs::read_to_string(memory.join("archive").join(&month));
        (
            seed.text(State).contains(RETRIES),
            there.unwrap_or_default().contains(RETRIES),
        )
    };
    let accept = |screen: &mut Screen| {
        for n in 1..=2 {
            screen.press("a");
            screen.quiet();
            if !screen.shows(&format!("apply {n} of 2")) {
                screen.press("a");
            }
            screen.wait_for(&format!("apply {n} of 2"));
        }
        screen.press("w");
        screen.quiet();
    };
    let mut screen = staged.review().size(120, 36).start();
    screen.wait_ready();
    let titles = screen.rows();
    let titles = titles.iter().filter_map(|row| row.rsplit('│').next());
    let once = titles.filter(|row| row.contains("] Retry budget"));
    assert_eq!(once.count(), 1, "{}", screen.text());
    // Where the archive cannot be written, nothing is.
    std::fs::create_dir_all(memory.join("archive").join(&month)).unwrap();
    accept(&mut screen);
    screen.press("y");
    screen.quiet();
    screen.press("Esc");
    screen.press("Q");
    screen.finish();
    assert_eq!(kept(seed), (true, false));
    assert!(!seed.text(Todo).contains("Fact 2"));
    std::fs::remove_dir(memory.join("archive").join(&month)).unwrap();
    let mut screen = staged.review().size(120, 36).start();
    screen.wait_for("u undo");
    sheet(&mut screen);
    screen.wait_for("1 moved in");
    screen.press_for("y", "applied 2");
    assert_eq!(kept(seed), (false, true));
}

/// Three long entries that the proposal shortens to almost nothing.
fn shrinking() -> Staged {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let long = |n: usize| {
        let words = format!("the API listens on port 9090 of host {n}, retries are 3; ");
        format!("- Entry {n}: {}", words.repeat(8).trim_end())
    };
    let all: Vec<String> = (1..=3).map(long).collect();
    seed.write(State, &all.join("\n"));
    seed.accept_all();
    let short = |n: u32| {
        let to = format!("- Entry {n}: the API listens on port 9090.");
        edit(n, State, &all[n as usize - 1], &to)
    };
    let id = seed.stage((1..=3).map(short).collect());
    Staged { home, seed, id }
}

/// A screen on which all of them are accepted.
fn all_accepted(staged: &Staged) -> Screen {
    let mut screen = staged.review().size(100, 60).start();
    screen.wait_ready();
    for n in 1..=3 {
        screen.press_for("a", &format!("apply {n} of 3"));
    }
    screen.wait_for("x FAIL loss:");
    screen
}

#[test]
fn rejecting_what_a_file_would_lose_clears_its_failure_and_accepting_it_again_brings_it_back() {
    let staged = shrinking();
    let mut screen = all_accepted(&staged);
    screen.press_for("g", "▌ [a] Entry 1");
    screen.press("r");
    screen.wait_gone("x FAIL loss:");
    screen.press_for("g", "▌ [r] Entry 1");
    screen.press_for("a", "x FAIL loss:");
    sheet(&mut screen);
    screen.wait_for("A file would lose most of its text");
    assert!(!screen.shows("y apply"), "{}", screen.text());
    screen.press_for("y", "nothing was applied");
    assert!(staged.seed.text(State).contains("host 1"));
    screen.press("Q");
    assert_eq!(screen.finish(), 0);
}

#[test]
fn a_file_that_would_lose_most_of_its_text_is_written_only_for_a_typed_reason() {
    let staged = shrinking();
    let mut screen = all_accepted(&staged);
    sheet(&mut screen);
    screen.press("o");
    screen.wait_for("Why is it right");
    screen.send("the long forms stand in the wiki");
    screen.wait_for("> the long forms stand in the wiki");
    screen.press("Enter");
    screen.wait_for("The loss guard is overridden: the long forms stand in the wiki");
    screen.quiet();
    screen.press_for("y", "applied 3");
    assert!(!staged.seed.text(State).contains("host 1"));
    let acts = staged.seed.store.audit_rows().unwrap();
    assert!(
        format!("{acts:?}").contains("stand in the wiki"),
        "{acts:?}"
    );
}

#[test]
fn a_change_that_fails_a_check_goes_in_as_edited_and_not_before() {
    let staged = Staged::new(vec![hostile(1), fact(2)]);
    let script = staged.home.path().join("editor.sh");
    std::fs::write(
        &script,
        "printf -- '- [ ] Plain, the API port is 9090' > \"$1\"",
    )
    .unwrap();
    let editor = format!("sh {}", script.display());
    let mut screen = staged.review().env("EDITOR", &editor).start();
    screen.wait_for("x FAIL");
    screen.wait_for("s skip");
    assert!(!screen.shows("a accept"), "{}", screen.text());
    screen.press_for("a", "cannot be accepted");
    assert_eq!(staged.decided(2), "[ ] [ ]");
    screen.press("e");
    screen.wait_for("[e] Plain, the API port is 9090");
    assert!(!screen.shows("x FAIL"), "{}", screen.text());
    assert_eq!(staged.decided(2), "[e] [ ]");
    screen.wait_ready();
    sheet(&mut screen);
    screen.press_for("y", "applied 1");
    assert!(
        staged
            .seed
            .text(Todo)
            .contains("Plain, the API port is 9090")
    );
    assert!(!staged.seed.text(Todo).contains("Fact 2"));
}
