//! A project with accepted memory and a staged proposal, made through the library.

use crate::support::Home;
use jiff::Timestamp;
use memd::id::{EntryId, ProposalId};
use memd::memory::{Memory, MemoryFile, scaffold};
use memd::proposal::{Change, Kind, Op, Origin, Proposal, Target, Usage, Verdict};
use memd::store::{Project, Store};
use memd::text::TextHash;
use memd::trust::{Act, Record, Trust};
use std::path::PathBuf;

/// A project in a home.
pub struct Seed {
    pub root: PathBuf,
    pub store: Store,
    pub trust: Trust,
    pub project: Project,
}

impl Seed {
    /// A project of this name with fresh memory files.
    pub fn new(home: &Home, name: &str) -> Self {
        Self::new_at(home, name, Timestamp::now())
    }

    /// As [`Seed::new`], registered at another time.
    pub fn new_at(home: &Home, name: &str, now: Timestamp) -> Self {
        let root = home.folder(name);
        let memory = root.join(".memory");
        std::fs::create_dir_all(memory.join("archive")).unwrap();
        std::fs::create_dir_all(memory.join("inbox")).unwrap();
        let today = jiff::tz::TimeZone::UTC.to_datetime(now).date();
        for (file, text) in scaffold::files(name, today) {
            std::fs::write(memory.join(file.name()), text).unwrap();
        }
        let store = Store::open(&home.places()).unwrap();
        let trust = store.trust().unwrap();
        let project = store.ensure_project(&trust, &root, name, now).unwrap();
        Self {
            root,
            store,
            trust,
            project,
        }
    }

    /// What stands in a memory file.
    pub fn text(&self, file: MemoryFile) -> String {
        std::fs::read_to_string(self.root.join(".memory").join(file.name())).unwrap()
    }

    /// Adds a text to the end of a memory file, as a person's editor would.
    pub fn write(&self, file: MemoryFile, text: &str) {
        let path = self.root.join(".memory").join(file.name());
        let old = self.text(file);
        let kept: Vec<&str> = old.lines().filter(|l| !l.starts_with('_')).collect();
        std::fs::write(path, format!("{}\n\n{text}\n", kept.join("\n").trim_end())).unwrap();
    }

    /// Seals everything that stands on disk and is not sealed yet.
    pub fn accept_all(&self) {
        let memory = Memory::read(&self.root.join(".memory")).unwrap();
        let now = Timestamp::now();
        let known = self.store.records(&self.trust, &self.project.id).unwrap();
        let new = memory.entries().filter(|e| {
            !known
                .iter()
                .any(|r| r.text == e.text && r.section == e.section)
        });
        let records = new.map(|e| {
            Record::new(
                self.project.id.clone(),
                EntryId::random().unwrap(),
                e.file,
                e.section.clone(),
                e.text.clone(),
                Origin::User,
                now,
            )
        });
        let (project, records) = (&self.project.id, records.collect());
        self.store
            .put_records(
                &self.trust,
                project,
                Act::Adopt,
                records,
                serde_json::json!({}),
                now,
            )
            .unwrap();
    }

    /// Stages a proposal with these changes.
    pub fn stage(&self, changes: Vec<Change>) -> ProposalId {
        self.stage_at(changes, Timestamp::now())
    }

    /// As [`Seed::stage`], at another time.
    pub fn stage_at(&self, changes: Vec<Change>, now: Timestamp) -> ProposalId {
        let id = ProposalId::random().unwrap();
        let evidence = changes.iter().flat_map(|c| &c.evidence).copied();
        let lines = evidence.map(|n| {
            let line = serde_json::json!({
                "n": n, "role": "user", "text": "We decided this: the API listens on port 9090, retries are 3, the queue is SQLite.",
                "source": "/t.jsonl", "offset": 40 * n, "session": "7f3a91c2-1111",
                "at": "2026-09-30T14:02:00Z"
            });
            serde_json::from_value(line).unwrap()
        });
        let proposal = Proposal {
            id: id.clone(),
            project: self.project.id.clone(),
            back: None,
            kind: Kind::Distill,
            created: now,
            trigger: "manual".to_owned(),
            usage: Usage {
                backend: "builtin".to_owned(),
                calls: 1,
                ..Usage::default()
            },
            summary: "Ports and queue.".to_owned(),
            lines: lines.collect(),
            changes,
            spans: Vec::new(),
            notes: Vec::new(),
            coverage: Vec::new(),
            hits: Vec::new(),
            dropped: Vec::new(),
        };
        self.store.stage(&self.trust, &proposal, &[], now).unwrap();
        id
    }
}

/// An addition that rests on line `n`.
pub fn addition(n: u32, file: MemoryFile, text: &str) -> Change {
    Change {
        n,
        op: Op::Add,
        file,
        section: String::new(),
        target: None,
        text: text.to_owned(),
        reason: None,
        evidence: vec![n],
        origin: Origin::User,
        earlier: None,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

/// An edit of an entry that stands.
pub fn edit(n: u32, file: MemoryFile, old: &str, new: &str) -> Change {
    let target = Target {
        entry: None,
        text: old.to_owned(),
        hash: TextHash::of(old),
        ordinal: 0,
    };
    Change {
        op: Op::Edit,
        target: Some(target),
        ..addition(n, file, new)
    }
}

/// A change that a guardrail has something to say of.
pub fn flagged(change: Change, level: memd::proposal::Level) -> Change {
    let reason = "for the test".to_owned();
    let verdict = Verdict {
        guard: "test".to_owned(),
        level,
        reason,
    };
    Change {
        verdicts: vec![verdict],
        ..change
    }
}
