//! What waits for a review in these tests: projects with accepted memory and staged proposals.

use crate::screen::{Screen, Start};
use crate::seed::{Seed, addition, edit, flagged};
use crate::support::Home;
use jiff::{SignedDuration, Timestamp};
use memd::id::ProposalId;
use memd::memory::MemoryFile::{Decisions, State, Todo};
use memd::proposal::{Change, Decision, Level, Op};

/// A home with one project and one staged proposal.
pub struct Staged {
    pub home: Home,
    pub seed: Seed,
    pub id: ProposalId,
}

/// What stands accepted in the project, in state.md.
pub const PORT: &str = "- The API listens on port 8080.";
/// As above.
pub const RETRIES: &str = "- Retry budget is 5 attempts, then the job is parked.";

impl Staged {
    /// These changes, over accepted memory.
    pub fn new(changes: Vec<Change>) -> Self {
        let home = Home::new();
        let seed = Seed::new(&home, "demo-api");
        seed.write(State, &format!("{PORT}\n{RETRIES}"));
        seed.accept_all();
        // An age that does not change while a test runs.
        let then = Timestamp::now() - SignedDuration::from_mins(5 * 60 + 30);
        let id = seed.stage_at(changes, then);
        Self { home, seed, id }
    }

    /// So many small additions.
    pub fn facts(n: u32) -> Self {
        Self::new((1..=n).map(fact).collect())
    }

    /// `memd review`, in the project.
    pub fn review(&self) -> Start {
        Screen::memd(&self.home, &self.seed.root, &["review"])
    }

    /// The review on its screen, ready for decisions.
    #[track_caller]
    pub fn open(&self) -> Screen {
        let mut screen = self.review().start();
        screen.wait_ready();
        screen
    }

    /// The journal's decisions on the first `n` changes, as the screen shows them.
    pub fn decided(&self, n: u32) -> String {
        decided(&self.seed, &self.id, n)
    }
}

/// The journal's decisions on the first `n` changes of a proposal, as the screen shows them.
pub fn decided(seed: &Seed, id: &ProposalId, n: u32) -> String {
    let journal = seed.store.decisions(&seed.trust, id).unwrap();
    let marks = (1..=n).map(|n| match journal.decision(n) {
        Decision::Undecided => "[ ]",
        Decision::Accepted => "[a]",
        Decision::Rejected => "[r]",
        Decision::Edited(_) => "[e]",
    });
    marks.collect::<Vec<_>>().join(" ")
}

/// Addition `n` of one line.
pub fn fact(n: u32) -> Change {
    addition(n, Todo, &format!("- [ ] Fact {n} of the port"))
}

/// An addition of so many lines, the last of which says so.
pub fn long(n: u32, lines: usize) -> Change {
    let body: Vec<String> = (1..lines).map(|i| format!("Line {i} of it.")).collect();
    let text = format!("### A long story\n\n{}\n\nThe very end.", body.join("\n\n"));
    addition(n, Decisions, &text)
}

/// An addition that a terminal would obey, and that a reader would not see.
pub fn hostile(n: u32) -> Change {
    let text = "- [ ] Plain \u{1b}[31mred \u{1b}]52;c;x\u{7} \u{9b}2J \u{202E}right\u{202C} \
                z\u{200b}w \u{E0041}\u{E0042} \0\u{8} seen\rHIDDEN";
    addition(n, Todo, text)
}

/// The edit of an entry that stands.
pub fn port(n: u32, to: u32) -> Change {
    edit(n, State, PORT, &PORT.replace("8080", &to.to_string()))
}

/// An entry that stands, moved to the archive.
pub fn moved(n: u32) -> Change {
    Change {
        op: Op::Archive,
        text: String::new(),
        reason: Some("it is done".to_owned()),
        ..edit(n, State, RETRIES, "")
    }
}

/// Projects of all kinds: flagged, clean, long, hostile, with an archive move and a stale target.
/// The first is the one that is reviewed first.
pub fn many(home: &Home) -> Vec<Seed> {
    let now = Timestamp::now();
    let at = |hours: i64| now - SignedDuration::from_hours(hours);
    let of = |name: &str| {
        let seed = Seed::new(home, name);
        seed.write(State, &format!("{PORT}\n{RETRIES}"));
        seed.accept_all();
        seed
    };
    let api = of("demo-api");
    let warned = flagged(fact(1), Level::Warn);
    api.stage_at(vec![warned, port(2, 9090), moved(3), long(4, 30)], at(1));
    api.stage_at(vec![fact(1), fact(2)], at(2));
    let billing = of("billing-core");
    billing.stage_at(vec![hostile(1), fact(2)], at(5));
    let dotfiles = of("dotfiles");
    dotfiles.stage_at(vec![port(1, 9090), fact(2)], at(72));
    let state = dotfiles.root.join(".memory/state.md");
    let text = std::fs::read_to_string(&state).unwrap();
    std::fs::write(&state, text.replace("8080", "7070")).unwrap();
    vec![api, billing, dotfiles]
}
