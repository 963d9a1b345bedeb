//! What was applied unattended, as a person meets it afterwards: on the screen, in lines, in lists.

use crate::screen::Screen;
use crate::seed::{Seed, addition, edit};
use crate::support::Home;
use crate::terminal::Terminal;
use crate::world::World;
use jiff::{SignedDuration, Timestamp};
use memd::config::Settings;
use memd::id::ProposalId;
use memd::memory::MemoryFile::{self, State, Todo};
use memd::store::Store;
use rustix::process::Signal;

const PORT: &str = "- The API listens on port 8080.";
const RETRIES: &str = "- Retry budget is 5 attempts, then the job is parked.";

/// A home in which a policy applied twice, and nobody looked.
struct Unattended {
    home: Home,
    world: World,
    older: ProposalId,
    newer: ProposalId,
}

impl Unattended {
    /// The older apply is so many days old.
    fn new(days: i64) -> Self {
        let home = Home::new();
        let now = Timestamp::now() - SignedDuration::from_mins(days * 24 * 60 + 330);
        let seed = Seed::new_at(&home, "demo-api", now);
        let port = seed.stage_at(vec![addition(1, State, PORT)], now);
        let older = seed.stage_at(vec![addition(1, State, RETRIES)], now);
        let late = Timestamp::now() - SignedDuration::from_mins(150);
        let to = PORT.replace("8080", "9090");
        let changes = vec![
            edit(1, State, PORT, &to),
            addition(2, Todo, "- [ ] Retries are 3"),
        ];
        let places = home.places();
        let store = Store::open(&places).unwrap();
        let mut world = World {
            places,
            settings: Settings::defaults(&home.path()),
            memory: seed.root.join(".memory"),
            root: seed.root.clone(),
            trust: store.trust().unwrap(),
            redactor: memd::redact::Redactor::new(&[], &[7; 32]).0,
            store,
            project: seed.project.clone(),
            now,
        };
        world.apply_unattended(&port, [1]);
        world.apply_unattended(&older, [1]);
        world.now = late;
        let newer = seed.stage_at(changes, late);
        world.apply_unattended(&newer, [1, 2]);
        Self {
            home,
            world,
            older,
            newer,
        }
    }

    fn run(&self, args: &[&str]) -> String {
        let run = self
            .home
            .memd(&self.world.root)
            .args(args)
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stdout).unwrap()
    }

    fn text(&self, file: MemoryFile) -> String {
        self.world.text(file.name())
    }

    /// What a person left behind after accepting the newer apply and reversing the older one.
    fn assert_reviewed(&self) {
        let state = self.text(State);
        assert!(
            !state.contains("Retry budget") && state.contains("9090"),
            "{state}"
        );
        assert!(self.text(Todo).contains("Retries are 3"));
        let status = self.run(&["status"]);
        assert!(!status.contains("unreviewed"), "{status}");
        self.run(&["verify"]);
    }
}

#[test]
fn lists_and_status_say_what_nobody_reviewed_and_count_it_as_nothing_that_waits() {
    let it = Unattended::new(40);
    let list = it.run(&["review"]);
    let (newer, older) = (it.newer.as_str(), it.older.as_str());
    let told = |id: &str, what: &str| format!("{id}  demo-api  {what}");
    let newest = told(
        newer,
        "2 hours ago  applied unattended, not reviewed  2 entries",
    );
    let oldest = told(
        older,
        "40 days ago  applied unattended, not reviewed  1 entry, 1 lapsed",
    );
    let lines: Vec<_> = list.lines().take(2).collect();
    assert_eq!(lines, [newest, oldest]);
    let status = it.run(&["status"]);
    for told in [
        "unreviewed    3 entries applied unattended, oldest 40 days, 1 lapsed and left out of the brief: memd review",
        "staged        nothing waits for you",
    ] {
        assert!(status.contains(told), "{status}");
    }
    assert!(
        it.run(&["status", "--porcelain"])
            .contains(" unreviewed=3 lapsed=1")
    );
    let json: serde_json::Value = serde_json::from_str(&it.run(&["status", "--json"])).unwrap();
    assert_eq!(json[0]["unreviewed"], 3);
    assert_eq!(json[0]["lapsed"], 1);
    assert_eq!(json[0]["staged"], 0);
}

#[test]
fn on_the_screen_one_apply_is_accepted_and_another_reversed_with_one_key() {
    let it = Unattended::new(1);
    let mut screen = Screen::memd(&it.home, &it.world.root, &["review"])
        .size(100, 40)
        .start();
    screen.wait_ready();
    screen.wait_for(&format!("applied unattended, not reviewed ({})", it.newer));
    screen.wait_for("changed, not reviewed");
    screen.wait_for("v reverse all");
    screen.press_for("a", "apply 1 of 2");
    screen.press_for("a", "apply 2 of 2");
    screen.press_for("w", "No commit: no text changes.");
    screen.press_for(
        "y",
        &format!("applied unattended, not reviewed ({})", it.older),
    );
    screen.wait_ready();
    screen.press_for("v", &format!("Take {} back?", it.older));
    screen.wait_for("as one commit");
    screen.press_for("y", "Nothing to review");
    screen.press("q");
    assert_eq!(screen.finish(), 0);
    it.assert_reviewed();
}

#[test]
fn in_lines_the_same_keys_come_to_the_same() {
    let it = Unattended::new(1);
    let plain = [("NO_COLOR", "1")];
    let mut terminal = Terminal::start(&it.home, &it.world.root, &["review", "--plain"], &plain);
    terminal.wait_for(&format!("applied unattended ({}), not reviewed", it.newer));
    terminal.wait_for("changed, not reviewed");
    terminal.wait_for("1 evidence line");
    terminal.answer("a");
    terminal.wait_for("new, not reviewed");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("no commit: no text changes");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("accepted 2, took back 0");
    terminal.wait_for(&format!("applied unattended ({}), not reviewed", it.older));
    terminal.answer("v");
    terminal.wait_for("taken out: ");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("nothing is left to review");
    assert_eq!(terminal.finish().0, 0);
    it.assert_reviewed();
}

#[test]
fn what_lapsed_goes_to_the_archive_and_the_log_says_so() {
    let it = Unattended::new(40);
    let plain = [("NO_COLOR", "1")];
    let mut terminal = Terminal::start(&it.home, &it.world.root, &["review", "--plain"], &plain);
    terminal.answer(")");
    terminal.wait_for(&format!(
        "applied unattended ({}), not reviewed: nobody accepted it in time: it has lapsed",
        it.older
    ));
    terminal.wait_for("lapsed, to the archive");
    terminal.wait_for("a sends it to the archive; r does too");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("archived 1, took back 0");
    terminal.answer("q");
    assert_eq!(terminal.finish().0, 0);
    assert!(!it.text(State).contains("Retry budget"));
    assert!(it.run(&["log"]).contains("lapsed"));
    let status = it.run(&["status"]);
    assert!(
        status.contains("2 entries applied unattended") && !status.contains("lapsed"),
        "{status}"
    );
    it.run(&["verify"]);
}

#[test]
fn in_lines_a_reverse_that_nobody_answered_is_not_left_in_the_queue() {
    for signal in [Signal::INT, Signal::HUP] {
        let it = Unattended::new(1);
        let plain = [("NO_COLOR", "1")];
        let root = &it.world.root;
        let mut terminal = Terminal::start(&it.home, root, &["review", "--plain"], &plain);
        terminal.wait_for("changed, not reviewed");
        terminal.answer("v");
        terminal.wait_for("y applies, anything else goes back: ");
        assert!(it.run(&["status", "--porcelain"]).contains("staged=1"));
        terminal.signal(signal);
        terminal.ended();
        let status = it.run(&["status", "--porcelain"]);
        assert!(status.contains("staged=0"), "{signal:?}: {status}");
    }
}

#[test]
fn in_lines_a_no_to_a_reverse_leaves_the_queue_and_every_decision_as_they_were() {
    let it = Unattended::new(1);
    let plain = [("NO_COLOR", "1")];
    let root = &it.world.root;
    let said_no = |before: &[&str], said: &str, waiting: &str| {
        let mut terminal = Terminal::start(&it.home, root, &["review", "--plain"], &plain);
        before.iter().for_each(|key| terminal.answer(key));
        terminal.wait_for("changed, not reviewed");
        terminal.answer("v");
        terminal.wait_for("y applies, anything else goes back: ");
        terminal.type_line("n");
        terminal.wait_for(said);
        terminal.answer("q");
        terminal.ended();
        let status = it.run(&["status", "--porcelain"]);
        assert!(status.contains(waiting), "{status}");
    };
    said_no(
        &[],
        "the reverse was not applied and is not kept",
        "staged=0",
    );
    // One that somebody had staged before goes on waiting, undecided.
    let staged = it.run(&["revert", it.newer.as_str()]);
    let id = staged.split(" as ").nth(1).unwrap().split(':').next();
    let id = id.unwrap().to_owned();
    said_no(&[")"], &format!("it waits as {id}"), "staged=1");
    let store = &it.world.store;
    let journal = store.decisions(&it.world.trust, &id.parse().unwrap());
    assert!(journal.unwrap().decisions.is_empty());
}
