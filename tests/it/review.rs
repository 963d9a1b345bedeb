//! Reviews typed on a real terminal, and what is then in memory.

use crate::seed::{Seed, addition, edit, flagged};
use crate::support::Home;
use crate::terminal::Terminal;
use memd::id::ProposalId;
use memd::memory::MemoryFile::{self, Decisions, State, Todo};
use memd::proposal::{Decision, Level};
use std::path::Path;

/// An editor that puts a text in place of what it is given.
fn editor(home: &Home, text: &str) -> String {
    let path = home.path().join("editor.sh");
    std::fs::write(&path, format!("printf '%s\\n' '{text}' > \"$1\"\n")).unwrap();
    format!("sh {}", path.display())
}

fn review(home: &Home, seed: &Seed, env: &[(&str, &str)]) -> Terminal {
    let plain = [&[("NO_COLOR", "1")], env].concat();
    Terminal::start(home, &seed.root, &["review", "--plain"], &plain)
}

/// `memd show` of a proposal tells all of this.
fn assert_shown(home: &Home, seed: &Seed, id: &ProposalId, told: &[&str]) {
    let show = home.memd(&seed.root).args(["show", id.as_str()]).output();
    let show = String::from_utf8(show.unwrap().stdout).unwrap();
    for told in told {
        assert!(show.contains(told), "{told:?} is not in {show}");
    }
}

fn commits(root: &Path) -> usize {
    let repo = memd::git::Repo::open(&root.join(".memory")).unwrap();
    repo.log(100).unwrap().len()
}

#[test]
fn accept_edit_reject_undo_and_apply() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.write(State, "- The API listens on port 8080.");
    seed.accept_all();
    let old = "- The API listens on port 8080.";
    let id = seed.stage(vec![
        edit(1, State, old, "- The API listens on port 9090."),
        addition(
            2,
            Decisions,
            "### The queue is SQLite\n\nOne writer is enough.",
        ),
        addition(3, Todo, "- [ ] Retries are 3"),
    ]);
    let editor = editor(&home, "- [ ] Retries are 3, then park");
    let mut terminal = review(&home, &seed, &[("EDITOR", &editor)]);
    terminal.wait_for("port [-8080-]");
    terminal.answer("r");
    terminal.wait_for("change 2 of 3");
    terminal.answer("u");
    terminal.wait_for("change 1 of 3");
    terminal.answer("a");
    terminal.wait_for("change 2 of 3");
    terminal.answer("r");
    terminal.wait_for("change 3 of 3");
    terminal.answer("e");
    terminal.wait_for("[e] new: Retries are 3, then park");
    terminal.wait_for("2 accepted, 1 rejected, 0 undecided");
    terminal.answer("w");
    terminal.wait_for("state.md");
    terminal.wait_for("1 accepted");
    terminal.wait_for("todo.md");
    terminal.wait_for("1 edited");
    terminal.wait_for("[e] Retries are 3, then park");
    terminal.wait_for("anything else goes back: ");
    assert!(
        seed.text(State).contains("8080"),
        "nothing is written before the y"
    );
    terminal.type_line("y");
    terminal.wait_for("applied 2, rejected 1, 0 left (demo-api ");
    terminal.wait_for("nothing is left to review");
    assert_eq!(terminal.finish().0, 0);
    assert!(seed.text(State).contains("port 9090."));
    assert!(!seed.text(Decisions).contains("SQLite"));
    assert!(seed.text(Todo).contains("Retries are 3, then park"));
    let subject = |text: &str| text.contains(id.as_str());
    let log = memd::git::Repo::open(&seed.root.join(".memory"))
        .unwrap()
        .log(10)
        .unwrap();
    assert!(log.iter().any(|c| subject(&format!("{c:?}"))), "{log:?}");
    let brief = home.memd(&seed.root).arg("brief").output().unwrap();
    let brief = String::from_utf8(brief.stdout).unwrap();
    assert!(
        brief.contains("port 9090") && brief.contains("then park"),
        "{brief}"
    );
    assert!(!brief.contains("SQLite"), "{brief}");
    let told = [
        "state: applied\n",
        "[a] changed: The API listens on port 9090.",
        "[r] new: The queue is SQLite",
        "[e] new: Retries are 3, then park",
    ];
    assert_shown(&home, &seed, &id, &told);
}

#[test]
fn an_edit_that_a_check_refuses_is_gone_on_with() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let id = seed.stage(vec![
        addition(1, Todo, "- [ ] Retries are 3"),
        addition(2, Todo, "- [ ] The queue is SQLite"),
    ]);
    let script = home.path().join("editor.sh");
    let text = "if grep -q turned \"$1\"\nthen echo '- [ ] Retries are 3, mended' > \"$1\"\n\
                else printf -- '- [ ] Retries are 3, turned \u{202E}x\\n' > \"$1\"\nfi\n";
    std::fs::write(&script, text).unwrap();
    let editor = format!("sh {}", script.display());
    let mut terminal = review(&home, &seed, &[("EDITOR", &editor)]);
    terminal.answer("e");
    terminal.wait_for("not taken: hidden");
    let journal = seed.store.decisions(&seed.trust, &id).unwrap();
    assert!(journal.decisions.is_empty(), "{journal:?}");
    terminal.answer("e");
    terminal.wait_for("change 2 of 2");
    terminal.answer("q");
    terminal.finish();
    let mended = Decision::Edited("- [ ] Retries are 3, mended".to_owned());
    let journal = seed.store.decisions(&seed.trust, &id).unwrap();
    assert_eq!(journal.decision(1), mended);
}

#[test]
fn what_was_typed_before_a_change_was_on_screen_decides_nothing() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let id = seed.stage(vec![
        addition(1, Todo, "- [ ] Retries are 3"),
        addition(2, Todo, "- [ ] The queue is SQLite"),
        addition(3, Todo, "- [ ] The API listens on port 9090"),
    ]);
    let mut terminal = review(&home, &seed, &[]);
    terminal.wait_for("?] ");
    terminal.type_line("a\na\na\na\na");
    terminal.wait_for("is ignored)");
    terminal.answer("q");
    terminal.finish();
    let journal = seed.store.decisions(&seed.trust, &id).unwrap();
    assert!(journal.decisions.is_empty(), "{journal:?}");
}

#[test]
fn accepting_all_shows_what_was_not_shown_before_it_asks() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.stage(vec![
        addition(1, Todo, "- [ ] Retries are 3"),
        addition(2, Todo, "- [ ] The queue is SQLite"),
    ]);
    let mut terminal = review(&home, &seed, &[]);
    terminal.answer("A");
    terminal.wait_for("+ - [ ] The queue is SQLite");
    terminal.wait_for("accept 2 changes, as shown above?");
    terminal.wait_for("go back: ");
    terminal.type_line("y");
    terminal.answer("w");
    terminal.wait_for("[a] The queue is SQLite");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 2");
    terminal.finish();
    assert!(seed.text(Todo).contains("SQLite"));
}

#[test]
fn a_kill_loses_no_decision() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let id = seed.stage(vec![
        addition(1, Todo, "- [ ] Retries are 3"),
        addition(2, Todo, "- [ ] The queue is SQLite"),
    ]);
    let mut terminal = review(&home, &seed, &[]);
    terminal.answer("r");
    terminal.wait_for("change 2 of 2");
    terminal.kill();
    let journal = seed.store.decisions(&seed.trust, &id).unwrap();
    assert_eq!(journal.decision(1), Decision::Rejected);
    let mut terminal = review(&home, &seed, &[]);
    terminal.wait_for("2 changes, 1 decided");
    terminal.wait_for("change 2 of 2");
    terminal.answer("u");
    terminal.wait_for("change 1 of 2");
    terminal.answer("q");
    terminal.finish();
    let journal = seed.store.decisions(&seed.trust, &id).unwrap();
    assert!(journal.decisions.is_empty());
}

#[test]
fn no_byte_of_content_drives_the_terminal() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo\u{1b}]0;x\u{7}api");
    let hostile = "- [ ] Retries are 3 \u{1b}[2J\u{1b}]52;c;x\u{7}\u{9b}31m\u{202E}ab\u{202C}\u{200b}\u{E0041}\u{0}\u{8}\rHIDDEN";
    seed.stage(vec![
        addition(1, Todo, hostile),
        addition(2, Todo, "- [ ] The queue is SQLite"),
    ]);
    let mut terminal = review(&home, &seed, &[]);
    terminal.wait_for("x FAIL");
    terminal
        .wait_for("<U+001B ESC>[2J<U+001B ESC>]52;c;x<U+0007 BEL><U+009B CSI>31m<U+202E RLO>ab");
    terminal.wait_for("[r,s,e,u,");
    terminal.answer("a");
    terminal.wait_for("cannot be accepted");
    terminal.answer("r");
    terminal.answer("q");
    let (_, bytes) = terminal.finish();
    let text = String::from_utf8(bytes).unwrap();
    let obeyed = |c: char| !matches!(c, '\r' | '\n') && c.is_control();
    assert!(!text.contains(obeyed), "{text:?}");
    for hidden in ['\u{202E}', '\u{202C}', '\u{200b}', '\u{E0041}'] {
        assert!(!text.contains(hidden));
    }
    assert!(!text.contains("\rHIDDEN"));
}

#[test]
fn with_colour_only_styles_of_our_own_are_sent() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.stage(vec![addition(1, Todo, "- [ ] Retries are 3\u{1b}[31m")]);
    let mut terminal = Terminal::start(&home, &seed.root, &["review", "--plain"], &[]);
    terminal.wait_for("?]\u{1b}[0m ");
    terminal.type_line("q");
    let (_, bytes) = terminal.finish();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains("\u{1b}["));
    for code in text.split('\u{1b}').skip(1) {
        let style = code.split('m').next().unwrap_or_default();
        let digits = style
            .trim_start_matches('[')
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b';');
        assert!(style.starts_with('[') && digits, "{code:?}");
    }
    let mut screen = vt100::Parser::new(200, 80, 0);
    screen.process(&bytes);
    assert!(
        screen
            .screen()
            .contents()
            .contains("+ - [ ] Retries are 3<U+001B ESC>[31m")
    );
}

#[test]
fn without_a_terminal_it_lists_and_decides_nothing() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let id = seed.stage(vec![
        flagged(addition(1, Todo, "- [ ] Retries are 3"), Level::Warn),
        addition(2, Todo, "- [ ] The queue is SQLite"),
    ]);
    let before = commits_or_none(&seed);
    let out = home
        .memd(&seed.root)
        .arg("review")
        .write_stdin("a\na\nw\ny\n")
        .output()
        .unwrap();
    assert!(out.status.success());
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(!text.contains('\u{1b}'));
    assert!(text.contains(&format!("{id}  demo-api")), "{text}");
    assert!(text.contains("2 changes, 1 flagged"), "{text}");
    assert!(
        text.contains("to decide: memd review, on a terminal"),
        "{text}"
    );
    let journal = seed.store.decisions(&seed.trust, &id).unwrap();
    assert!(journal.decisions.is_empty());
    assert_eq!(commits_or_none(&seed), before);
}

#[test]
fn the_list_is_of_the_project_around_it_and_flagged_ones_come_first() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let other = Seed::new(&home, "other");
    let clean = seed.stage(vec![addition(1, Todo, "- [ ] Retries are 3")]);
    let warned = seed.stage(vec![flagged(
        addition(1, Todo, "- [ ] The queue is SQLite"),
        Level::Warn,
    )]);
    let away = other.stage(vec![addition(1, Todo, "- [ ] Retries are 3")]);
    let list = |dir: &Path| {
        let run = home.memd(dir).arg("review").assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let here = list(&seed.root);
    let at = |id: &str| here.find(id).unwrap();
    assert!(at(warned.as_str()) < at(clean.as_str()), "{here}");
    assert!(!here.contains(away.as_str()), "{here}");
    assert!(
        here.contains("1 proposal waits in other projects: memd review --all"),
        "{here}"
    );
    let nowhere = list(&home.path());
    for id in [clean, warned, away] {
        assert!(nowhere.contains(id.as_str()), "{nowhere}");
    }
}

#[test]
fn where_there_is_no_memory_init_is_named() {
    let home = Home::new();
    let folder = home.folder("new");
    let says = |args: &[&str]| {
        let run = home.memd(&folder).args(args).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let hint = "there is no memory here yet: memd init gives a project one";
    assert!(says(&[]).contains(hint));
    Seed::new(&home, "demo-api");
    assert!(says(&["review"]).contains(hint));
    // A memory that came with a clone, say.
    std::fs::create_dir_all(folder.join(".memory")).unwrap();
    std::fs::write(folder.join(".memory/state.md"), "- The port is 8443.\n").unwrap();
    let said = [says(&[]), says(&["review"])];
    let none = home.memd(&folder).arg("log").assert().code(1);
    let none = String::from_utf8(none.get_output().stderr.clone()).unwrap();
    for said in said.into_iter().chain([none]) {
        assert!(
            said.contains("that memd does not know here: `memd init`"),
            "{said}"
        );
    }
}

fn commits_or_none(seed: &Seed) -> usize {
    if seed.root.join(".memory/.git").exists() {
        commits(&seed.root)
    } else {
        0
    }
}

#[test]
fn what_is_skipped_stays_for_later() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let id = seed.stage(vec![
        addition(1, Todo, "- [ ] Retries are 3"),
        addition(2, Todo, "- [ ] The queue is SQLite"),
    ]);
    let mut terminal = review(&home, &seed, &[]);
    terminal.answer("a");
    terminal.wait_for("change 2 of 2");
    terminal.answer("s");
    terminal.wait_for("1 undecided");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("");
    terminal.wait_for("nothing was done");
    assert!(!seed.text(Todo).contains("Retries"));
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1, rejected 0, 1 left");
    terminal.answer("q");
    terminal.finish();
    assert!(seed.text(Todo).contains("Retries"));
    let settled = seed.store.decisions(&seed.trust, &id).unwrap().settled;
    assert_eq!(settled.into_iter().collect::<Vec<_>>(), [1]);
    let told = [
        "state: applied, 1 waits\n",
        "[a] new: Retries are 3",
        "[ ] new: The queue is SQLite",
    ];
    assert_shown(&home, &seed, &id, &told);
}

#[test]
fn what_a_person_changed_on_disk_is_offered() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.write(State, "- The API listens on port 8080.");
    seed.accept_all();
    seed.write(State, "- By hand.");
    let status = home
        .memd(&seed.root)
        .args(["status", "--porcelain"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&status.stdout).contains("untrusted=1"));
    let mut terminal = review(&home, &seed, &[]);
    terminal.wait_for("+ - By hand.");
    terminal.wait_for("origin changed on disk (by whom is not known)");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1");
    terminal.finish();
    let brief = home.memd(&seed.root).arg("brief").output().unwrap();
    assert!(String::from_utf8_lossy(&brief.stdout).contains("By hand."));
}

#[test]
fn show_and_status_say_what_waits() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let id = seed.stage(vec![addition(1, MemoryFile::Todo, "- [ ] Retries are 3")]);
    let show = |args: &[&str]| {
        let out = home
            .memd(&seed.root)
            .arg("show")
            .args(args)
            .output()
            .unwrap();
        assert!(out.status.success(), "{out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    assert!(show(&[&id.as_str()[..4]]).contains("+ - [ ] Retries are 3"));
    let json: serde_json::Value = serde_json::from_str(&show(&[id.as_str(), "--json"])).unwrap();
    assert_eq!(json["state"], "staged");
    assert_eq!(json["open"]["1"]["decision"], "undecided");
    let status = home
        .memd(&seed.root)
        .args(["status", "--json"])
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(json[0]["staged"], 1);
    let missing = home
        .memd(&seed.root)
        .args(["show", "ffffffff"])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn what_expired_comes_back_when_it_is_asked_for() {
    let home = Home::new();
    let long_ago = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * 20);
    let seed = Seed::new_at(&home, "demo-api", long_ago);
    let id = seed.stage_at(vec![addition(1, Todo, "- [ ] Retries are 3")], long_ago);
    let mut terminal = review(&home, &seed, &[]);
    terminal.wait_for("nothing to review");
    terminal.finish();
    let status = home.memd(&seed.root).arg("status").output().unwrap();
    let status = String::from_utf8(status.stdout).unwrap();
    assert!(
        status.contains("1 proposal left the queue after 14 days"),
        "{status}"
    );
    let args = ["review", "--plain", "--expired"];
    let mut terminal = Terminal::start(&home, &seed.root, &args, &[("NO_COLOR", "1")]);
    terminal.wait_for("Retries are 3");
    terminal.answer("q");
    terminal.finish();
    let queue = seed.store.queue(None, jiff::Timestamp::now()).unwrap();
    assert_eq!(queue.len(), 1);
    assert_eq!(queue[0].id, id);
}

#[test]
fn a_hand_edit_is_restored_or_adopted_on_the_terminal() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.write(State, "- The API listens on port 8080.");
    seed.accept_all();
    let accepted = seed.text(State);
    let path = seed.root.join(".memory/state.md");
    let edited = accepted.replace("8080", "6666");
    for (key, left, said) in [("r", "8080", "1 restored"), ("a", "6666", "1 adopted")] {
        std::fs::write(&path, &edited).unwrap();
        let mut terminal = review(&home, &seed, &[]);
        terminal.wait_for("changed on disk: The API listens");
        terminal.wait_for("a adopts what stands there; r restores what was accepted");
        terminal.answer(key);
        terminal.answer("w");
        terminal.wait_for(said);
        terminal.wait_for("anything else goes back: ");
        terminal.type_line("y");
        terminal.wait_for("nothing is left to review");
        terminal.finish();
        assert!(seed.text(State).contains(left), "{}", seed.text(State));
        let brief = home.memd(&seed.root).arg("brief").output().unwrap();
        let brief = String::from_utf8(brief.stdout).unwrap();
        assert!(
            brief.contains(left) && !brief.contains("nobody accepted"),
            "{brief}"
        );
    }
    assert!(
        commits(&seed.root) >= 3,
        "the edit itself is in history too"
    );
}

#[test]
fn an_entry_that_stands_twice_is_decided_on_like_any_other() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.write(State, "- The API listens on port 8080.");
    seed.accept_all();
    let copies = || seed.text(State).matches("port 8080").count();
    for (key, said, left) in [("r", "took out 1", 1), ("a", "applied 1", 2)] {
        seed.write(State, "- The API listens on port 8080.");
        assert_eq!(copies(), 2);
        let mut terminal = review(&home, &seed, &[]);
        terminal.wait_for("a copy of an entry that stands as it was let in");
        terminal.answer(key);
        terminal.answer("w");
        terminal.wait_for("goes back: ");
        terminal.type_line("y");
        terminal.wait_for(said);
        let (_, shown) = terminal.finish();
        let shown = String::from_utf8(shown).unwrap();
        assert!(!shown.contains("STALE"), "{shown}");
        assert!(shown.contains("0 left"), "{shown}");
        assert_eq!(copies(), left);
        let list = home.memd(&seed.root).arg("review").output().unwrap();
        assert_eq!(list.stdout, b"nothing to review\n");
    }
}

#[test]
fn without_a_terminal_what_stands_on_disk_is_named_too() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let list = || {
        let run = home.memd(&seed.root).arg("review").output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    assert_eq!(list(), "nothing to review\n");
    seed.write(State, "- The API listens on port 8080.");
    let text = list();
    assert!(text.contains("demo-api: 1 entry on disk"), "{text}");
    assert!(text.contains("memd review, on a terminal"), "{text}");
}
