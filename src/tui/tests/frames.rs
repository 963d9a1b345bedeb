//! What a person sees, at the three sizes that matter.

use super::{Fake, Screen};
use crate::digest::Line;
use crate::memory::MemoryFile;
use crate::proposal::{Change, Level, Op, Origin, Proposal, Target, Usage, Verdict};
use crate::redact::Redacted;
use crate::review::samples;
use crate::review::{Item, Size, Standing};
use crate::source::{Place, Role};
use crate::text::TextHash;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn line(n: u32, role: Role, text: &'static str) -> Line {
    Line {
        n,
        role,
        text: Redacted::literal(text),
        place: Place {
            source: "/home/u/.claude/projects/x/7f3a91c2.jsonl".to_owned(),
            offset: 100,
        },
        session: "7f3a91c2-aaaa".to_owned(),
        at: Some("2026-10-01T14:02:00Z".parse().unwrap()),
        abandoned: false,
    }
}

fn change(n: u32, op: Op, file: MemoryFile, old: &str, new: &str) -> Change {
    Change {
        op,
        file,
        target: (!old.is_empty()).then(|| Target {
            entry: None,
            text: old.to_owned(),
            hash: TextHash::of(old),
            ordinal: 0,
        }),
        text: new.to_owned(),
        evidence: vec![1, 2],
        origin: Origin::Assistant,
        ..samples::change(n, Level::Pass)
    }
}

fn warned(mut change: Change, level: Level, guard: &str, reason: &str) -> Change {
    change.verdicts.push(Verdict {
        guard: guard.to_owned(),
        level,
        reason: reason.to_owned(),
    });
    change
}

pub(super) fn proposal(id: &str, changes: Vec<Change>) -> Proposal {
    Proposal {
        created: "2026-10-01T11:42:00Z".parse().unwrap(),
        trigger: "session-end".to_owned(),
        usage: Usage {
            backend: "claude".to_owned(),
            model: Some("haiku".to_owned()),
            cost_usd: Some(0.0123),
            ..Usage::default()
        },
        lines: vec![
            line(
                1,
                Role::User,
                "just use sqlite, one writer is fine, no need for postgres here",
            ),
            line(
                2,
                Role::ToolResult,
                "cargo test queue_crash … ok. 12 passed; 0 failed",
            ),
        ],
        changes,
        ..samples::proposal(id, 0, &[])
    }
}

pub(super) fn item(proposal: Proposal) -> Item {
    let mut item = Item::new(
        proposal,
        "demo-api".to_owned(),
        &BTreeSet::new(),
        BTreeMap::new(),
    );
    let size = Size {
        chars: 9_412,
        budget: 10_000,
    };
    item.judged.sizes = MemoryFile::ALL.into_iter().map(|f| (f, size)).collect();
    item
}

/// The session of the mock-ups: a change, two additions of which one is flagged, a mistake, and
/// one that leaves.
pub(super) fn sqlite() -> Item {
    use MemoryFile::{Decisions, Mistakes, State};
    item(proposal(
        "0000000a",
        vec![
            change(
                1,
                Op::Edit,
                State,
                "- The API listens on port 8080; the admin UI on 8081.",
                "- The API listens on port 9090; the admin UI on 8081.",
            ),
            warned(
                change(
                    2,
                    Op::Add,
                    Decisions,
                    "",
                    "### SQLite for the job queue\n\n**Why:** one writer per project makes Postgres overkill; WAL mode survives the crash test in `tests/queue_crash.rs`.\n**Rules out:** multi-host workers without a migration.",
                ),
                Level::Warn,
                "near-duplicate",
                "repeats \"Single-writer store\" (decisions.md, 12 Aug)",
            ),
            change(
                3,
                Op::Add,
                Mistakes,
                "",
                "### 2026-09-24 — Queue lost on SIGKILL\n\n**Symptom:** jobs vanished when the worker was killed mid-write.",
            ),
            change(4, Op::Archive, State, "- Postgres trial runs on db-2.", ""),
        ],
    ))
}

/// A proposal with hidden characters, one whose target moved on.
pub(super) fn hostile() -> Item {
    let mut item = item(proposal(
        "0000000b",
        vec![
            warned(
                change(
                    1,
                    Op::Edit,
                    MemoryFile::State,
                    "- Deploys go through `make release`; never push tags by hand.",
                    "- Deploys go through `make release`\u{202E}dnah yb hsup\u{202C}.\n  See the runbook\u{200B}.\u{E0061}\u{E006C}\u{E0073}\u{E006F}",
                ),
                Level::Block,
                "hidden-characters",
                "4 places (RLO, PDF, ZWSP, TAG)",
            ),
            change(
                2,
                Op::Edit,
                MemoryFile::State,
                "- zsh starts in 180 ms with lazy nvm.",
                "- zsh starts in 180 ms with lazy nvm and fzf.",
            ),
        ],
    ));
    let now = "- zsh starts in 95 ms; nvm was removed.".to_owned();
    item.judged.standing.insert(2, Standing::Changed { now });
    item
}

pub(super) fn fake() -> Fake {
    let (first, mut second) = (sqlite(), hostile());
    second.proposal.project = first.proposal.project.clone();
    Fake {
        items: vec![first, second],
        ..Fake::default()
    }
}

fn frame(size: (u16, u16), keys: &[&str]) -> String {
    let mut fake = fake();
    let mut screen = Screen::new(&mut fake, size);
    screen.press(keys);
    screen.text()
}

/// Each frame is read by a person before it is accepted: calm, aligned, nothing cut, and all state
/// in text.
#[test]
fn the_review_at_three_sizes() {
    let large = (120, 36);
    let usual = (80, 24);
    let small = (40, 10);
    for (name, size, keys) in [
        ("review-large", large, &["a"][..]),
        ("words-and-checks-large", large, &[")", "d", "t"]),
        ("review-usual", usual, &[]),
        ("failing-and-conflict-usual", usual, &[")"]),
        ("sheet-usual", usual, &["a", "s", "s", "w"]),
        ("accept-all-usual", usual, &["A"]),
        ("keys-usual", usual, &["?", "r", "e"]),
        ("outline-usual", usual, &["Tab"]),
        ("inline-usual", usual, &["i"]),
        ("review-small", small, &[]),
        ("sheet-small", small, &["r", "w"]),
        ("keys-small", small, &["?"]),
        ("outline-small", small, &["Tab"]),
    ] {
        insta::assert_snapshot!(name, frame(size, keys));
    }
}

/// What was let in unattended: an entry that lapsed, and one that was changed.
fn unattended() -> Fake {
    use crate::proposal::{Back, Kind};
    let (was, is) = ("- Retries are 5.", "- Retries are 3.");
    let mut item = item(Proposal {
        kind: Kind::Unreviewed,
        back: Some(Back::Apply("0000000d".parse().unwrap())),
        trigger: "unattended".to_owned(),
        summary: "Ports and retries.".to_owned(),
        ..proposal(
            "0000000c",
            vec![
                change(
                    1,
                    Op::Add,
                    MemoryFile::State,
                    "",
                    "- The API listens on 9090.",
                ),
                change(2, Op::Edit, MemoryFile::State, was, is),
            ],
        )
    });
    item.judged.lapsed.insert(1);
    Fake {
        judges: Some(|item| item.judged.clone()),
        items: vec![item],
        ..Fake::default()
    }
}

#[test]
fn what_was_let_in_unattended_says_so_at_every_size() {
    for (name, size, keys) in [
        ("unattended-large", (120, 36), &[][..]),
        ("unattended-usual", (80, 24), &["a", "r"]),
        ("unattended-sheet-usual", (80, 24), &["a", "r", "w"]),
        ("unattended-small", (40, 10), &[]),
    ] {
        let mut fake = unattended();
        let mut screen = Screen::new(&mut fake, size);
        screen.press(keys);
        insta::assert_snapshot!(name, screen.text());
    }
}
