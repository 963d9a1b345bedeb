//! Hands that know one project, with hostile text wherever text can be.

use crate::browse::{
    Archive, Basis, ChangeDetail, Chars, Curator, Details, EntryView, Event, Excerpt, FileView,
    Gone, Hit, MemoryView, Month, Piece, Said, SealState, Version, What, Who, Within,
};
use crate::digest::Line;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::memory::MemoryFile;
use crate::proposal::{Decision, Dropped, Kind, Level, Op, Origin};
use crate::redact::Redactor;
use crate::review::samples;
use crate::review::{Item, Standing, Waiting};
use crate::source::{Place, Role};
use crate::tui::shelf::{self, Heard, Named, Reverse, Roots, Side, Wish};
use crate::tui::tests::Fake;
use jiff::Timestamp;
use std::cell::RefCell;
use std::rc::Rc;

const PROJECT: &str = "0a0a0a0a0a0a0a0a";
const ENTRY: &str = "0b0b0b0b0b0b";
/// What a hostile text may hold: an escape, a reordering, a letter nobody sees.
const HOSTILE: &str = "x\u{1b}[2J\u{202E}y\u{200B}z";

pub(super) fn project() -> ProjectId {
    PROJECT.parse().unwrap()
}

fn entry_id() -> EntryId {
    ENTRY.parse().unwrap()
}

pub(super) fn proposal(id: &str) -> ProposalId {
    id.parse().unwrap()
}

/// Days before the tests' moment.
fn days_ago(days: i64) -> Timestamp {
    let now: Timestamp = "2026-10-01T12:00:00Z".parse().unwrap();
    now - jiff::SignedDuration::from_hours(24 * days)
}

fn entry(section: &str, text: &str, seal: SealState) -> EntryView {
    let is_known = !matches!(seal, SealState::Unsealed);
    EntryView {
        id: is_known.then(entry_id),
        likely: None,
        file: MemoryFile::State,
        section: section.to_owned(),
        title: crate::memory::title(text),
        text: text.to_owned(),
        ordinal: 0,
        origin: is_known.then_some(Origin::User),
        accepted: is_known.then(|| days_ago(18)),
        confirmed: is_known.then(|| days_ago(3)),
        confirmations: 2 * u32::from(is_known),
        lapses: None,
        since: is_known.then(|| days_ago(18)),
        seal,
        proposal: is_known.then(|| proposal("9f8e7d12")),
    }
}

fn memory() -> MemoryView {
    let file = |file, entries: Vec<EntryView>| FileView {
        file,
        chars: 9_412,
        budget: 12_000,
        last_updated: Some("2026-09-30".to_owned()),
        status: None,
        problem: None,
        entries,
    };
    MemoryView {
        project: project(),
        name: "demo-api".to_owned(),
        problem: None,
        files: vec![
            file(
                MemoryFile::State,
                vec![
                    entry(
                        "Services and ports",
                        "- The API listens on port 9090; the admin UI on 8081.",
                        SealState::Sealed,
                    ),
                    entry(
                        "Services and ports",
                        "- Redis stands beside it.",
                        SealState::Unsealed,
                    ),
                    entry(
                        "Workarounds",
                        &format!("- {HOSTILE}"),
                        SealState::Broken(format!("changed outside memd {HOSTILE}")),
                    ),
                ],
            ),
            file(
                MemoryFile::Decisions,
                vec![
                    entry(
                        "",
                        "### SQLite for the job queue\n\n**Why:** one writer per project makes Postgres overkill; WAL mode survives the crash test in `tests/queue_crash.rs`.\n\n**Rules out:** multi-host workers without a migration.",
                        SealState::Sealed,
                    ),
                    entry("", "### Retry budget is 3", SealState::Lapsed),
                    entry("", "### Ship on Friday", SealState::Tombstoned),
                    entry("", "### Logs are JSON", SealState::Unreviewed),
                ],
            ),
            FileView {
                problem: Some("mistakes.md: it holds no frontmatter".to_owned()),
                ..file(MemoryFile::Mistakes, Vec::new())
            },
            file(MemoryFile::Todo, Vec::new()),
        ],
    }
}

fn lined(n: u32, role: Role, text: &str) -> Line {
    let (redactor, _) = Redactor::new(&[], &[7; 32]);
    Line {
        n,
        role,
        text: redactor
            .redact(&crate::source::Raw::new(text), &Default::default())
            .0,
        place: Place {
            source: "/home/user/.claude/projects/demo/7f3a91c2.jsonl".to_owned(),
            offset: 412,
        },
        session: "7f3a91c2".to_owned(),
        at: Some(days_ago(18)),
        abandoned: false,
    }
}

fn distill() -> Item {
    let mut item = samples::item("9f8e7d12", 0, &[Level::Pass, Level::Warn]);
    item.proposal.project = project();
    item.proposal.trigger = "session-end".to_owned();
    item.proposal.usage.backend = "claude".to_owned();
    item.proposal.usage.model = Some("haiku".to_owned());
    item.proposal.changes[0].evidence = vec![1, 2];
    item.proposal.lines = vec![
        lined(
            1,
            Role::User,
            "just use sqlite, one writer is fine, no need for postgres here",
        ),
        lined(
            2,
            Role::ToolResult,
            &format!("cargo test queue_crash: ok {HOSTILE}"),
        ),
    ];
    item
}

fn roots() -> Roots {
    let version = |n: u32, what, days| Version {
        version: n,
        at: days_ago(days),
        file: MemoryFile::State,
        section: String::new(),
        text: format!("- The API listens on port {}090.", n + 7),
        origin: Origin::User,
        what,
        again: None,
        supersedes: None,
        proposal: Some(proposal("9f8e7d12")),
        session: Some("7f3a91c2".to_owned()),
        holds: true,
    };
    use crate::browse::Became;
    Roots {
        versions: vec![
            version(2, Became::Confirmed, 3),
            version(1, Became::Accepted, 18),
        ],
        basis: Some(Basis {
            item: distill(),
            n: 1,
        }),
        version: 1,
        problem: None,
    }
}

fn excerpt(gone: Option<Gone>) -> Excerpt {
    let said = |n: u64, role, text: &str| Said {
        role,
        text: text.to_owned(),
        at: Some(days_ago(18)),
        offset: n * 100,
        line: Some(410 + n),
        cut: usize::from(n == 3) * 12_000,
        abandoned: false,
        is_stored: gone.is_some(),
    };
    let turns = vec![
        said(1, Role::Assistant, "Postgres or SQLite for the queue?"),
        said(
            2,
            Role::User,
            "just use sqlite, one writer is fine, no need for postgres here",
        ),
        said(
            3,
            Role::ToolResult,
            &format!("running 12 tests\n{HOSTILE}\ntest result: ok"),
        ),
        said(
            4,
            Role::Assistant,
            "Switched JobStore to SQLite with WAL; dropped the pg feature.",
        ),
    ];
    match gone {
        None => Excerpt::sample(turns, 1, None),
        gone => Excerpt::sample(turns[1..2].to_vec(), 0, gone),
    }
}

fn months() -> Archive {
    let month = |name: &str, bytes| Month {
        name: name.to_owned(),
        path: format!("archive/{name}.md"),
        bytes,
    };
    Archive::sample(vec![month("2026-09", 12_345), month("2026-08", 2_500_000)])
}

fn pieces(month: &str) -> Vec<Piece> {
    let piece = |title: &str, text: &str| Piece {
        file: Some(MemoryFile::Decisions),
        section: String::new(),
        title: title.to_owned(),
        text: format!("### {title}\n\n{text}"),
        reason: "replaced by SQLite".to_owned(),
        moved: Some("2026-09-14".parse().unwrap()),
        entry: Some(entry_id()),
        proposal: Some(proposal("9f8e7d12")),
        differs: None,
    };
    vec![
        piece(
            &format!("Postgres for the queue, {month}"),
            "Many writers, one database server; see the runbook for how it is set up.",
        ),
        Piece {
            file: None,
            proposal: None,
            moved: None,
            reason: HOSTILE.to_owned(),
            ..piece("A note by hand", HOSTILE)
        },
    ]
}

fn event(id: &str, what: What, days: i64) -> Event {
    Event {
        at: days_ago(days),
        what,
        who: Who::Person,
        project: project(),
        proposal: (!matches!(what, What::ByHand)).then(|| proposal(id)),
        reverts: matches!(what, What::Revert).then(|| proposal("88d3e1aa")),
        restores: None,
        entries: Vec::new(),
        commit: Some(format!("{id}{}", "0".repeat(32))),
        commit_gone: false,
        trigger: Some("session-end".to_owned()),
        summary: format!("ports and the queue {HOSTILE}"),
        applied: 5,
        rejected: 1,
        parts: None,
        chars: Some(Chars {
            added: 421,
            removed: 96,
        }),
        curator: Some(Curator {
            backend: "claude".to_owned(),
            model: Some("haiku".to_owned()),
            prompt_chars: 41_000,
            cost_usd: Some(0.0123),
        }),
        audit: Some(7),
        everywhere: false,
        broken: false,
    }
}

fn events() -> Vec<Event> {
    let by_hand = Event {
        applied: 0,
        rejected: 0,
        curator: None,
        summary: format!("edit state.md {HOSTILE}"),
        ..event("1a2b3c44", What::ByHand, 2)
    };
    let rejected = Event {
        applied: 0,
        rejected: 4,
        chars: None,
        ..event("77ab0155", What::Discard, 3)
    };
    let broken = Event {
        broken: true,
        ..event("c0ffee66", What::Revert, 5)
    };
    vec![event("9f8e7d12", What::Apply, 1), by_hand, rejected, broken]
}

fn details(event: &Event) -> Details {
    let change = |op, before: Option<&str>, after: Option<&str>, decision| ChangeDetail {
        n: Some(1),
        op,
        file: MemoryFile::State,
        section: "Services and ports".to_owned(),
        title: crate::memory::title(after.or(before).unwrap()),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
        decision: Some(decision),
        reason: None,
        origin: Some(Origin::User),
        checks: vec![samples::verdict(Level::Warn)],
        entry: None,
    };
    Details {
        event: event.clone(),
        changes: vec![
            change(
                Op::Edit,
                Some("- The API listens on port 8080; the admin UI on 8081."),
                Some("- The API listens on port 9090; the admin UI on 8081."),
                "accepted",
            ),
            change(Op::Add, None, Some(&format!("- Redis {HOSTILE}")), "edited"),
            change(Op::Add, None, Some("- Retry budget is 3"), "rejected"),
        ],
        files: Vec::new(),
        sessions: vec!["7f3a91c2".to_owned()],
        message: Some(format!("distill 9f8e7d12: 5 added\n\nMemd-By: {HOSTILE}")),
        despite: None,
        problem: None,
    }
}

/// The reverse of a distill: one change stands against nothing, one against a later edit.
pub(super) fn reverse() -> Reverse {
    let mut item = samples::item("0000000b", 0, &[Level::Pass, Level::Pass]);
    item.proposal.kind = Kind::Revert;
    item.proposal.project = project();
    for change in &mut item.proposal.changes {
        change.op = Op::Edit;
        let text = format!("- The API listens on port {}080.", change.n + 7);
        change.target = Some(crate::proposal::Target {
            entry: Some(entry_id()),
            hash: crate::text::TextHash::of(&text),
            text,
            ordinal: 0,
        });
    }
    item.judged.standing.insert(
        2,
        Standing::Changed {
            now: "- The API listens on port 7070.".to_owned(),
        },
    );
    let mut shown = item;
    shown.decisions.insert(1, Decision::Accepted);
    Reverse {
        applied_in: None,
        of: proposal("9f8e7d12"),
        item: shown,
        dropped: vec![Dropped {
            what: format!("Redis {HOSTILE}"),
            why: "it has left its file since".to_owned(),
        }],
        waited: false,
    }
}

pub(super) type Asked = Rc<RefCell<Vec<Wish>>>;

/// Hands that know a project, and what they were asked.
pub(super) fn fake(items: Vec<Item>) -> (Fake, Asked) {
    let asked = Asked::default();
    let heard = Rc::clone(&asked);
    let known = items.clone();
    let answer = move |wish: &Wish| {
        heard.borrow_mut().push(wish.clone());
        Some(match wish {
            Wish::Projects => {
                let one = |id: &str, name: &str| Named {
                    id: id.parse().unwrap(),
                    name: name.to_owned(),
                };
                let other = "0c".repeat(8);
                let all = vec![one(PROJECT, "demo-api"), one(&other, HOSTILE)];
                Heard::Projects(Ok((all, Some(project()))))
            }
            Wish::Memory(id) => Heard::Memory(id.clone(), Ok(memory())),
            Wish::Roots(_, entry) => Heard::Roots(entry.clone(), Box::new(roots())),
            Wish::Archive(id) => Heard::Archive(id.clone(), Ok(months())),
            Wish::Pieces(id, month) => {
                Heard::Pieces(id.clone(), month.name.clone(), Ok(pieces(&month.name)))
            }
            Wish::Find(ids, query) => {
                let hit = |month, piece| Hit {
                    month,
                    piece,
                    within: Within::Text,
                    range: 4..4 + query.len(),
                };
                let found = shelf::FoundIn {
                    project: ids[0].clone(),
                    months: months().months,
                    hits: vec![hit(0, 0), hit(1, 0)],
                    is_full: false,
                    problems: Vec::new(),
                };
                Heard::Found(Box::new(shelf::Found {
                    query: query.clone(),
                    projects: vec![found],
                    is_done: true,
                }))
            }
            Wish::Events(scope, more) => Heard::Events {
                scope: scope.clone(),
                more: *more,
                events: if *more { Vec::new() } else { events() },
                is_end: *more,
                problem: None,
            },
            Wish::Details(event) => Heard::Details(event.clone(), Ok(Box::new(details(event)))),
            Wish::Transcript(id, 2) => {
                let gone = Gone {
                    is_there: false,
                    why: format!("it was rewritten since it was read {HOSTILE}"),
                    sha: Some("7f3a0011".to_owned()),
                };
                Heard::Transcript(id.clone(), Ok(Box::new(excerpt(Some(gone)))))
            }
            Wish::Transcript(id, _) => Heard::Transcript(id.clone(), Ok(Box::new(excerpt(None)))),
            Wish::ReadOn(id, excerpt, side) => {
                let mut excerpt = excerpt.clone();
                let more = excerpt.turns.clone();
                match side {
                    Side::Before => {
                        excerpt.cited += more.len();
                        excerpt.turns.splice(0..0, more);
                    }
                    Side::After => excerpt.turns.extend(more),
                }
                Heard::ReadOn(id.clone(), excerpt, *side, 4)
            }
            Wish::Allowed => Heard::Allowed([].into(), Vec::new()),
            Wish::EntryText(project, entry) => {
                let text = Ok("- As it stands".to_owned());
                Heard::EntryText(project.clone(), entry.clone(), text)
            }
            Wish::Confirm(..) => Heard::Written("confirmed".to_owned()),
            Wish::Own(..) | Wish::BringBack(..) => Heard::Staged {
                queue: known.iter().cloned().map(Waiting::from).collect(),
                id: known[0].proposal.id.clone(),
                said: "staged as your own change".to_owned(),
            },
            Wish::Reverse(..) => {
                let reverse = reverse();
                let queue = vec![Waiting::from(reverse.item.clone())];
                Heard::Reverse(Ok((Box::new(reverse), queue)))
            }
            Wish::DropReverse(id) => Heard::Dropped(id.clone(), Ok(())),
            Wish::NotSecret(_) => Heard::Written("no secret from now on".to_owned()),
            Wish::NoLongerSecret(_) => Heard::Written("shown again".to_owned()),
            Wish::AlsoSecret(_) => Heard::Hidden {
                queue: known.iter().cloned().map(Waiting::from).collect(),
                proposals: vec![known[0].proposal.id.clone()],
                said: "a secret from now on".to_owned(),
            },
            _ => return None,
        })
    };
    let fake = Fake {
        items,
        library: Some(Rc::new(answer)),
        ..Fake::default()
    };
    (fake, asked)
}
