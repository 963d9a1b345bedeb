//! What a plan says, byte for byte.

use super::{By, Inputs, Plan, Policy, adopt, plan};
use crate::config::{Lapses, Limits};
use crate::id::ProposalId;
use crate::memory::{Memory, MemoryFile, scaffold};
use crate::proposal::{Change, Decision, Kind, Op, Origin, Proposal, Target, Usage};
use crate::text::TextHash;
use crate::trust::{Occasion, Record, RecordState, Trust, match_entries};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

fn now() -> Timestamp {
    "2026-11-29T12:00:00Z".parse().unwrap()
}

fn proposal(changes: Vec<Change>) -> Proposal {
    Proposal {
        id: "0a1b2c3d".parse().unwrap(),
        project: "0123456789abcdef".parse().unwrap(),
        back: None,
        kind: Kind::Distill,
        created: now(),
        trigger: "manual".into(),
        usage: Usage::default(),
        summary: "ports and a cache".into(),
        changes,
        spans: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        coverage: Vec::new(),
        hits: Vec::new(),
        dropped: Vec::new(),
    }
}

fn change(n: u32, op: Op, file: MemoryFile, section: &str, target: &str, text: &str) -> Change {
    Change {
        n,
        op,
        file,
        section: section.into(),
        target: (!target.is_empty()).then(|| Target {
            entry: None,
            text: target.into(),
            hash: TextHash::of(target),
            ordinal: 0,
        }),
        text: text.into(),
        reason: (op == Op::Archive).then(|| "done".into()),
        evidence: Vec::new(),
        origin: Origin::User,
        earlier: None,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

/// A memory with two state facts in a section and one todo.
struct World {
    memory: Memory,
    records: Vec<Record>,
    trust: Trust,
}

impl World {
    fn new() -> Self {
        let date = jiff::civil::date(2026, 1, 1);
        let mut texts: BTreeMap<_, _> = scaffold::files("app", date).into_iter().collect();
        let state = texts.get_mut(&MemoryFile::State).unwrap();
        *state = state.replace(
            scaffold::placeholder(MemoryFile::State),
            "## Ports\n\n* api:   8080\n* web: 3000\n\nfree   text, kept as it is\n",
        );
        let todo = texts.get_mut(&MemoryFile::Todo).unwrap();
        *todo = todo.replace(
            scaffold::placeholder(MemoryFile::Todo),
            "- [ ] ship\n- [ ] rest",
        );
        let mut world = Self {
            memory: Memory::from_texts(&texts),
            records: Vec::new(),
            trust: Trust::for_tests(1),
        };
        world.seal_all();
        world
    }

    fn seal_all(&mut self) {
        for (n, e) in self.memory.entries().enumerate() {
            let id = format!("{n:012x}").parse().unwrap();
            let project = "0123456789abcdef".parse().unwrap();
            let (section, text) = (e.section.clone(), e.text.clone());
            let record = Record::new(project, id, e.file, section, text, Origin::User, now());
            self.records.push(self.trust.seal(record));
        }
    }

    fn plan(&self, proposal: &Proposal, decisions: &[(u32, Decision)]) -> Plan {
        self.plan_over(proposal, decisions, &BTreeMap::new())
    }

    /// The plan of decisions that were made over what stood by then.
    fn plan_over(
        &self,
        proposal: &Proposal,
        decisions: &[(u32, Decision)],
        over: &BTreeMap<u32, crate::text::TextHash>,
    ) -> Plan {
        let decisions = decisions.iter().cloned().collect();
        let entries = self.memory.entries();
        let matched = match_entries(entries, &self.records, &self.trust, now());
        plan(&Inputs {
            proposal,
            decisions: &decisions,
            over,
            settled: &BTreeSet::new(),
            memory: &self.memory,
            archive: None,
            matched: &matched,
            entries: &[],
            tombstones: &[],
            credentials: &|_| Vec::new(),
            limits: &Limits::default(),
            despite: None,
            by: By::Person,
            now: now(),
        })
        .unwrap()
    }

    fn text(&self, file: MemoryFile) -> &str {
        self.memory.doc(file).text()
    }

    /// Writes a plan into the memory and its records, as an apply does.
    fn apply(&mut self, plan: &Plan) {
        let mut texts: BTreeMap<_, _> = self
            .memory
            .docs()
            .map(|d| (d.file(), d.text().to_owned()))
            .collect();
        for write in &plan.files {
            if let Some(file) = MemoryFile::from_name(&write.path) {
                assert_eq!(write.before.as_deref(), Some(texts[&file].as_str()));
                texts.insert(file, write.after.clone());
            }
        }
        self.memory = Memory::from_texts(&texts);
        let sealed = plan.records.iter().cloned().map(|r| self.trust.seal(r));
        self.records.extend(sealed);
    }

    fn set(&mut self, file: MemoryFile, text: String) {
        let mut texts: BTreeMap<_, _> = self
            .memory
            .docs()
            .map(|d| (d.file(), d.text().to_owned()))
            .collect();
        texts.insert(file, text);
        self.memory = Memory::from_texts(&texts);
    }

    fn is_whole(&self) -> bool {
        let entries = self.memory.entries();
        match_entries(entries, &self.records, &self.trust, now()).is_whole()
    }
}

/// One add, one edit, one move (an archive and an addition elsewhere), one archive.
fn four_changes() -> Proposal {
    proposal(vec![
        change(1, Op::Add, MemoryFile::State, "Ports", "", "* db: 5432"),
        change(
            2,
            Op::Edit,
            MemoryFile::State,
            "Ports",
            "* api:   8080",
            "* api: 9090",
        ),
        change(3, Op::Archive, MemoryFile::Todo, "", "- [ ] ship", ""),
        change(
            4,
            Op::Archive,
            MemoryFile::State,
            "Ports",
            "* web: 3000",
            "",
        ),
        change(
            5,
            Op::Add,
            MemoryFile::Decisions,
            "",
            "",
            "## Web on 3000\n\nIt stays.",
        ),
    ])
}

#[test]
fn only_what_was_accepted_lands_and_every_other_byte_stays() {
    let mut world = World::new();
    let accept = |n| (n, Decision::Accepted);
    let plan = world.plan(&four_changes(), &[accept(2), accept(4), accept(5)]);
    let paths: Vec<_> = plan.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["state.md", "decisions.md", "archive/2026-11.md"]);
    let expected = world
        .text(MemoryFile::State)
        .replace("* api:   8080\n* web: 3000\n", "* api: 9090\n")
        .replace("2026-01-01", "2026-11-29");
    assert_eq!(plan.files[0].after, expected);
    assert!(
        plan.files[1]
            .after
            .ends_with("# Decisions\n\n## Web on 3000\n\nIt stays.\n")
    );
    assert!(
        plan.files[2]
            .after
            .contains("## state.md › Ports\n\n* web: 3000\n")
    );
    assert_eq!(
        (plan.applied.as_slice(), plan.rest()),
        (&[2, 4, 5][..], vec![1, 3])
    );
    assert_eq!(plan.counts.words(), "1 added, 1 edited, 1 archived");
    assert!(!plan.files.iter().any(|f| f.path == "todo.md"));
    world.apply(&plan);
    assert!(world.is_whole(), "each entry has its record");
}

#[test]
fn a_record_goes_on_under_its_id_and_a_new_entry_gets_one() {
    let world = World::new();
    let edited = Decision::Edited("* api: 7070".into());
    let decisions = [
        (1, Decision::Accepted),
        (2, edited),
        (3, Decision::Accepted),
    ];
    let plan = world.plan(&four_changes(), &decisions);
    let [added, edited, archived] = plan.records.as_slice() else {
        panic!("three records: {:?}", plan.records)
    };
    assert_eq!((added.version, added.text.as_str()), (1, "* db: 5432"));
    assert_eq!(added.origin, Origin::User);
    let was = world
        .records
        .iter()
        .find(|r| r.text == "* api:   8080")
        .unwrap();
    assert_eq!((&edited.entry, edited.version), (&was.entry, 2));
    assert_eq!(edited.text, "* api: 7070");
    assert_eq!(edited.origin, Origin::HumanEdit, "a person wrote it");
    assert_eq!(
        (archived.state, archived.version),
        (RecordState::Archived, 2)
    );
    assert_eq!(archived.text, "- [ ] ship");
    assert!(
        plan.records
            .iter()
            .all(|r| r.proposal == Some(four_changes().id))
    );
    assert!(plan.records.iter().all(|r| r.accepted == Some(now())));
}

#[test]
fn what_moved_on_meanwhile_is_a_conflict_and_stays() {
    let mut world = World::new();
    let text = world.text(MemoryFile::State).replace("8080", "8081");
    world.set(MemoryFile::State, text);
    let text = world.text(MemoryFile::Todo).replace("- [ ] ship\n", "");
    world.set(MemoryFile::Todo, text);
    let all = [1, 2, 3].map(|n| (n, Decision::Accepted));
    let plan = world.plan(&four_changes(), &all);
    assert_eq!(plan.applied, [1]);
    assert_eq!(plan.conflicts.len(), 1);
    assert_eq!(plan.conflicts[0].now.as_deref(), Some("* api:   8081"));
    assert_eq!(plan.rest(), [2, 4, 5]);
}

#[test]
fn what_was_to_leave_and_has_left_is_settled_and_an_edit_of_it_is_decided_afresh() {
    let mut world = World::new();
    let text = world.text(MemoryFile::Todo).replace("- [ ] ship\n", "");
    world.set(MemoryFile::Todo, text);
    for op in [Op::Archive, Op::Tombstone] {
        let gone = change(1, op, MemoryFile::Todo, "", "- [ ] ship", "");
        let plan = world.plan(&proposal(vec![gone]), &[(1, Decision::Accepted)]);
        assert_eq!(plan.already_there, [1], "{op:?}");
        assert_eq!((plan.settled(), plan.rest()), (vec![1], vec![]));
        assert!(plan.files.is_empty() && plan.records.is_empty() && plan.is_quiet);
    }
    let edit = change(
        1,
        Op::Edit,
        MemoryFile::Todo,
        "",
        "- [ ] ship",
        "- [ ] ship twice",
    );
    let plan = world.plan(&proposal(vec![edit]), &[(1, Decision::Accepted)]);
    assert_eq!(plan.conflicts[0].now, None);
    assert_eq!(plan.rest(), [1]);
}

#[test]
fn an_edit_that_is_accepted_over_a_gone_entry_goes_in_as_a_new_one() {
    let mut world = World::new();
    let over = [(1, super::over::nothing())].into();
    let edit = |text| change(1, Op::Edit, MemoryFile::Todo, "", "- [ ] ship", text);
    let all = proposal(vec![edit("- [ ] ship twice")]);
    // While it stands after all, it is not what was decided on.
    let back = world.plan_over(&all, &[(1, Decision::Accepted)], &over);
    assert_eq!(back.conflicts[0].now.as_deref(), Some("- [ ] ship"));
    let text = world.text(MemoryFile::Todo).replace("- [ ] ship\n", "");
    world.set(MemoryFile::Todo, text);
    let plan = world.plan_over(&all, &[(1, Decision::Accepted)], &over);
    assert_eq!((plan.applied.as_slice(), plan.rest()), (&[1][..], vec![]));
    assert!(plan.files[0].after.contains("- [ ] ship twice"));
    let [record] = plan.records.as_slice() else {
        panic!("{:?}", plan.records)
    };
    assert_eq!(
        (record.version, record.text.as_str()),
        (1, "- [ ] ship twice")
    );
}

#[test]
fn an_addition_that_stands_already_is_dropped_in_sight() {
    let world = World::new();
    let twin = change(1, Op::Add, MemoryFile::State, "Ports", "", "* web: 3000");
    let plan = world.plan(&proposal(vec![twin]), &[(1, Decision::Accepted)]);
    assert_eq!(
        (plan.already_there.as_slice(), plan.files.len()),
        (&[1][..], 0)
    );
    assert_eq!(plan.settled(), [1]);
}

#[test]
fn nothing_of_a_rest_is_applied_twice() {
    let mut world = World::new();
    let proposal = four_changes();
    let first = world.plan(
        &proposal,
        &[(1, Decision::Accepted), (2, Decision::Rejected)],
    );
    world.apply(&first);
    let entries = world.memory.entries();
    let matched = match_entries(entries, &world.records, &world.trust, now());
    let settled: BTreeSet<u32> = first.settled().into_iter().collect();
    let decisions = (1..=5).map(|n| (n, Decision::Accepted)).collect();
    let second = plan(&Inputs {
        proposal: &proposal,
        decisions: &decisions,
        over: &BTreeMap::new(),
        settled: &settled,
        memory: &world.memory,
        archive: None,
        matched: &matched,
        entries: &[],
        tombstones: &[],
        credentials: &|_| Vec::new(),
        limits: &Limits::default(),
        despite: None,
        by: By::Policy(Policy {
            occasion: Occasion::Command,
            lapses: Lapses::default(),
        }),
        now: now(),
    })
    .unwrap();
    assert_eq!(second.applied, [3, 4, 5]);
    let added = second
        .records
        .iter()
        .find(|r| r.file == MemoryFile::Decisions);
    let added = added.unwrap();
    assert!(
        added.accepted.is_none() && added.lapses.is_some(),
        "no person saw it"
    );
}

#[test]
fn a_file_without_frontmatter_gets_one_when_it_is_written() {
    let mut world = World::new();
    world.set(MemoryFile::Todo, "- [ ] ship\n".into());
    let add = change(1, Op::Add, MemoryFile::Todo, "", "", "- [ ] test");
    let plan = world.plan(&proposal(vec![add]), &[(1, Decision::Accepted)]);
    let after = &plan.files[0].after;
    assert!(
        after.starts_with("---\ntype: todo\nproject: app\n"),
        "{after}"
    );
    assert!(after.ends_with("- [ ] ship\n- [ ] test\n"), "{after}");
}

fn adopted(world: &World) -> Option<Proposal> {
    let entries = world.memory.entries();
    let matched = match_entries(entries, &world.records, &world.trust, now());
    let id: ProposalId = "0000000a".parse().unwrap();
    adopt::adopt(&"0123456789abcdef".parse().unwrap(), id, &matched, now())
}

#[test]
fn adopting_seals_what_stands_and_writes_nothing() {
    let mut world = World::new();
    assert_eq!(adopted(&world), None);
    let text = world.text(MemoryFile::State).replace("8080", "8081") + "\na new fact\n";
    world.set(MemoryFile::State, text);
    let text = world.text(MemoryFile::Todo).replace("- [ ] ship\n", "");
    world.set(MemoryFile::Todo, text);

    let proposal = adopted(&world).unwrap();
    let ops: Vec<_> = proposal.changes.iter().map(|c| c.op).collect();
    assert_eq!(ops, [Op::Edit, Op::Add, Op::Archive]);
    let base = adopt::base(&proposal, &world.memory);
    let stood = World::new();
    for doc in base.docs() {
        let texts = |m: &Memory| -> BTreeSet<String> {
            m.doc(doc.file())
                .entries()
                .iter()
                .map(|e| e.text.clone())
                .collect()
        };
        assert_eq!(texts(&base), texts(&stood.memory), "what was let in");
    }
    let all: Vec<_> = (1..=3).map(|n| (n, Decision::Accepted)).collect();
    let plan = world.plan(&proposal, &all);
    let paths: Vec<_> = plan.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(
        paths,
        ["archive/2026-11.md"],
        "only what is gone is kept somewhere"
    );
    assert_eq!(plan.counts.adopted, 2);
    world.apply(&plan);
    assert!(world.is_whole());
    assert_eq!(adopted(&world), None);
}

#[test]
fn where_all_that_was_decided_on_moved_on_no_commit_is_made() {
    let mut world = World::new();
    let stood = world.text(MemoryFile::State).to_owned();
    world.set(MemoryFile::State, stood.clone() + "\na new fact\n");
    let proposal = adopted(&world).unwrap();
    world.set(MemoryFile::State, stood);
    let plan = world.plan(&proposal, &[(1, Decision::Accepted)]);
    assert_eq!((plan.conflicts.len(), plan.files.len()), (1, 0));
    assert!(plan.is_quiet && plan.settled().is_empty());
    let other = change(1, Op::Add, MemoryFile::State, "Ports", "", "* db: 5432");
    let rejects = world.plan(&self::proposal(vec![other]), &[(1, Decision::Rejected)]);
    assert!(!rejects.is_quiet, "{}", rejects.message.subject);
}

#[test]
fn a_store_without_any_record_is_adopted_whole_or_in_part() {
    let mut world = World::new();
    world.records.clear();
    let proposal = adopted(&world).unwrap();
    assert_eq!(proposal.changes.len(), 5);
    assert!(proposal.changes.iter().all(|c| c.origin == Origin::Import));
    let edited = Decision::Edited("* api: 1".into());
    let plan = world.plan(&proposal, &[(1, edited), (2, Decision::Accepted)]);
    assert_eq!(plan.rest(), [3, 4, 5]);
    assert!(plan.files[0].after.contains("* api: 1\n* web: 3000\n"));
    world.apply(&plan);
    assert_eq!(adopted(&world).unwrap().changes.len(), 3);
}

#[test]
fn a_block_forbids_and_only_the_loss_guard_yields_to_a_reason() {
    let mut world = World::new();
    let long = format!("- {}", "an old fact that is long. ".repeat(60));
    let text = world.text(MemoryFile::State).to_owned() + "\n## Long\n\n" + long.trim_end() + "\n";
    world.set(MemoryFile::State, text);
    let shrink = change(
        1,
        Op::Edit,
        MemoryFile::State,
        "Long",
        long.trim_end(),
        "- short",
    );
    let escape = change(
        2,
        Op::Add,
        MemoryFile::State,
        "Ports",
        "",
        "* red: \u{1b}[31m1",
    );
    let proposal = proposal(vec![shrink, escape]);
    let blocked = |decided: &[u32], despite: Option<&str>| -> Vec<String> {
        let decisions = decided.iter().map(|n| (*n, Decision::Accepted)).collect();
        let entries = world.memory.entries();
        let matched = match_entries(entries, &world.records, &world.trust, now());
        let plan = plan(&Inputs {
            proposal: &proposal,
            decisions: &decisions,
            over: &BTreeMap::new(),
            settled: &BTreeSet::new(),
            memory: &world.memory,
            archive: None,
            matched: &matched,
            entries: &[],
            tombstones: &[],
            limits: &Limits::default(),
            credentials: &|_| Vec::new(),
            despite,
            by: By::Person,
            now: now(),
        });
        let plan = plan.unwrap();
        let given = despite.filter(|why| !why.trim().is_empty());
        assert_eq!(plan.despite.as_deref(), given);
        plan.blocked.into_iter().map(|b| b.verdict.guard).collect()
    };
    assert_eq!(blocked(&[1], None), [crate::guard::LOSS]);
    assert_eq!(blocked(&[1], Some("  ")), [crate::guard::LOSS]);
    assert_eq!(
        blocked(&[1], Some("it was all wrong")),
        Vec::<String>::new()
    );
    let both = blocked(&[1, 2], Some("it was all wrong"));
    assert!(
        !both.is_empty() && !both.contains(&crate::guard::LOSS.to_owned()),
        "{both:?}"
    );
}
