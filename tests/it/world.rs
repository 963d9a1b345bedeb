//! A home with one project whose memory is real: database, key, repository, proposals.

use jiff::{SignedDuration, Timestamp};
use memd::apply::{
    self, ApplyError, By, Confirmed, Done, Ground, Inputs, Plan, PlanError, Policy, Recovered,
    Staged, Wanted, Watch, Wish,
};
use memd::config::{Places, Settings};
use memd::digest::Line;
use memd::git::Repo;
use memd::id::{EntryId, ProposalId};
use memd::init::{self, Request};
use memd::lock::ProjectLock;
use memd::memory::{Memory, MemoryFile};
use memd::proposal::{
    Change, Decision, Fingerprint, Kind, Op, Origin, Proposal, Span, Target, Usage,
};
use memd::redact::Redactor;
use memd::store::{Project, QueueItem, Store};
use memd::text::TextHash;
use memd::trust::{Matched, Mode, Occasion, Trust, match_entries, verify_all};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The moment everything begins.
pub fn start() -> Timestamp {
    "2026-11-29T12:00:00Z".parse().unwrap()
}

pub struct World {
    pub places: Places,
    pub settings: Settings,
    pub root: PathBuf,
    pub memory: PathBuf,
    pub store: Store,
    pub trust: Trust,
    pub redactor: Redactor,
    pub project: Project,
    pub now: Timestamp,
}

impl World {
    /// Makes or opens the project `app` in this home.
    pub fn at(home: &Path) -> Self {
        let home = home.canonicalize().unwrap();
        let value = home.clone().into_os_string();
        let places = Places::from_env(|name| (name == "HOME").then(|| value.clone())).unwrap();
        let settings = Settings::defaults(&home);
        let root = home.join("app");
        std::fs::create_dir_all(&root).unwrap();
        let request = Request {
            path: root.clone(),
            named: true,
            name: None,
            global: false,
        };
        let plan = init::plan(&request, &settings, &places, start()).unwrap();
        let redactor = Redactor::new(&[], &[7; 32]).0;
        init::execute(&plan, &settings, &redactor, start()).unwrap();
        let store = Store::open(&places).unwrap();
        let trust = store.trust().unwrap();
        let project = store.ensure_project(&trust, &root, "app", start()).unwrap();
        Self {
            memory: root.join(".memory"),
            places,
            settings,
            root,
            store,
            trust,
            redactor,
            project,
            now: start(),
        }
    }

    pub fn ground(&self) -> Ground<'_> {
        Ground {
            store: &self.store,
            trust: &self.trust,
            memory: &self.memory,
            git_commit: self.settings.git_commit,
            redactor: &self.redactor,
            now: self.now,
        }
    }

    pub fn lock(&self) -> ProjectLock {
        let wait = Duration::from_secs(30);
        ProjectLock::take(&self.places.locks(), &self.project.id, wait).unwrap()
    }

    pub fn matched(&self) -> Matched {
        let memory = Memory::read(&self.memory).unwrap();
        let records = self.store.all_records(&self.trust, &self.project.id);
        match_entries(memory.entries(), &records.unwrap(), &self.trust, self.now)
    }

    pub fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.memory.join(file)).unwrap_or_default()
    }

    /// All files of memory that are read or written, but the repository's own.
    pub fn snapshot(&self) -> Vec<(String, String)> {
        let mut names: Vec<String> = MemoryFile::ALL.map(|f| f.name().to_owned()).to_vec();
        for item in std::fs::read_dir(self.memory.join("archive")).unwrap() {
            let name = item.unwrap().file_name().into_string().unwrap();
            names.push(format!("archive/{name}"));
        }
        names.sort();
        names
            .into_iter()
            .map(|n| (n.clone(), self.text(&n)))
            .collect()
    }

    /// Stages a proposal of these changes, with a span of its own and an inbox note.
    pub fn stage(&self, changes: Vec<Change>) -> ProposalId {
        self.stage_on(changes, Vec::new())
    }

    /// As [`World::stage`], with the lines that the changes rest on.
    pub fn stage_on(&self, changes: Vec<Change>, lines: Vec<Line>) -> ProposalId {
        let id = ProposalId::random().unwrap();
        let note = format!("{id}.md");
        std::fs::write(self.memory.join("inbox").join(&note), "remember\n").unwrap();
        let proposal = Proposal {
            id: id.clone(),
            project: self.project.id.clone(),
            back: None,
            kind: Kind::Distill,
            created: self.now,
            trigger: "manual".into(),
            usage: Usage {
                backend: "builtin".into(),
                ..Usage::default()
            },
            summary: "what happened".into(),
            changes,
            spans: vec![Span {
                source: format!("/sessions/{id}.jsonl"),
                start: 0,
                end: 100,
                fingerprint: Fingerprint::default(),
            }],
            notes: vec![note],
            lines,
            coverage: Vec::new(),
            hits: Vec::new(),
            dropped: Vec::new(),
        };
        self.store
            .stage(&self.trust, &proposal, &[], self.now)
            .unwrap();
        id
    }

    pub fn decide(&self, id: &ProposalId, n: u32, decision: Decision) {
        let seen = self.store.decisions(&self.trust, id).unwrap().last;
        self.store
            .decide(&self.trust, id, n, decision, seen, self.now)
            .unwrap();
    }

    pub fn accept(&self, id: &ProposalId, numbers: impl IntoIterator<Item = u32>) {
        for n in numbers {
            self.decide(id, n, Decision::Accepted);
        }
    }

    pub fn plan(&self, id: &ProposalId) -> Result<Plan, PlanError> {
        let journal = self.store.decisions(&self.trust, id).unwrap();
        self.plan_by(id, By::Person, &journal.decisions)
    }

    /// As a policy applies it: all its changes, with no person looking.
    pub fn unattended(&self, changes: Vec<Change>) -> ProposalId {
        let numbers: Vec<u32> = changes.iter().map(|c| c.n).collect();
        let id = self.stage(changes);
        self.apply_unattended(&id, numbers);
        id
    }

    /// The same of these changes of a proposal that is staged.
    pub fn apply_unattended(&self, id: &ProposalId, numbers: impl IntoIterator<Item = u32>) {
        let (store, trust, project) = (&self.store, &self.trust, &self.project.id);
        if store.mode(trust, project).unwrap() == Mode::Stages {
            store.grant(trust, project, false, self.now).unwrap();
        }
        let accepted = numbers.into_iter().map(|n| (n, Decision::Accepted));
        let policy = By::Policy(Policy {
            occasion: Occasion::Command,
            lapses: self.settings.lapse_days,
        });
        let plan = self.plan_by(id, policy, &accepted.collect()).unwrap();
        self.execute(&plan, &mut apply::go_on).unwrap();
    }

    /// Offers what nobody reviewed, as a review does when it opens; the offers, as they are listed.
    pub fn offers(&self) -> Vec<Proposal> {
        let limits = &self.settings.limits;
        let (ground, lock) = (self.ground(), self.lock());
        apply::unreviewed::offer(ground, &lock, limits, &|_| Vec::new()).unwrap();
        let queue = self.store.queue(Some(&self.project.id), self.now).unwrap();
        let queue = queue.iter().filter(|q| q.kind == Kind::Unreviewed);
        let read = |q: &QueueItem| self.store.proposal(&self.trust, &q.id).unwrap();
        let mut offers: Vec<_> = queue.map(read).collect();
        offers.reverse();
        offers
    }

    fn plan_by(
        &self,
        id: &ProposalId,
        by: By,
        decisions: &BTreeMap<u32, Decision>,
    ) -> Result<Plan, PlanError> {
        let proposal = self.store.proposal(&self.trust, id).unwrap();
        let journal = self.store.decisions(&self.trust, id).unwrap();
        let memory = Memory::read(&self.memory).unwrap();
        let archive = std::fs::read_to_string(self.memory.join(Plan::archive_path(self.now))).ok();
        let matched = self.matched();
        apply::plan(&Inputs {
            proposal: &proposal,
            decisions,
            over: &journal.over,
            settled: &journal.settled,
            memory: &memory,
            archive: archive.as_deref(),
            matched: &matched,
            entries: &matched.known(),
            tombstones: &[],
            limits: &self.settings.limits,
            credentials: &|_| Vec::new(),
            despite: None,
            by,
            now: self.now,
        })
    }

    pub fn execute(&self, plan: &Plan, watch: &mut Watch<'_>) -> Result<Done, ApplyError> {
        let decided = self
            .store
            .decisions(&self.trust, &plan.proposal)
            .unwrap()
            .last;
        apply::execute(plan, decided, self.ground(), &self.lock(), watch)
    }

    pub fn apply(&self, id: &ProposalId) -> Done {
        let plan = self.plan(id).unwrap();
        self.execute(&plan, &mut apply::go_on).unwrap()
    }

    /// Stages the reverse of an applied proposal.
    pub fn reverse(&self, id: &ProposalId) -> Staged {
        let limits = &self.settings.limits;
        apply::reverse(self.ground(), &self.lock(), id, limits, &|_| Vec::new()).unwrap()
    }

    /// Stages memory, or a part of it, as it stood in a commit.
    pub fn restore(&self, wanted: &Wanted, commit: &str) -> Result<Staged, ApplyError> {
        let (ground, lock, limits) = (self.ground(), self.lock(), &self.settings.limits);
        apply::restore(ground, &lock, wanted, commit, limits, &|_| Vec::new())
    }

    /// Stages a person's own act.
    pub fn own(&self, wish: Wish) -> Result<Staged, ApplyError> {
        let limits = &self.settings.limits;
        apply::own(self.ground(), &self.lock(), wish, limits, &|_| Vec::new())
    }

    pub fn confirm(&self, entry: &EntryId) -> Result<Confirmed, ApplyError> {
        apply::confirm(self.ground(), &self.lock(), entry)
    }

    /// Accepts every change of what was staged, and applies it.
    pub fn take(&self, staged: &Staged) -> Done {
        let id = staged.id.as_ref().unwrap();
        self.accept(id, 1..=u32::try_from(staged.changes).unwrap());
        self.apply(id)
    }

    /// The entry that reads like this.
    pub fn entry(&self, text: &str) -> EntryId {
        let records = self.store.records(&self.trust, &self.project.id).unwrap();
        let found = records.into_iter().find(|r| r.text == text);
        found.unwrap_or_else(|| panic!("no {text:?}")).entry
    }

    /// What an agent may be given, entry by entry.
    pub fn given(&self) -> Vec<String> {
        let sealed = self.matched().sealed.into_iter();
        sealed.map(|s| s.entry.text).collect()
    }

    /// The last commit's id.
    pub fn head(&self) -> String {
        Repo::open(&self.memory).unwrap().log(1).unwrap()[0]
            .id
            .clone()
    }

    /// Records, manifest, chain, memory and commits agree.
    pub fn assert_verified(&self) {
        let mut evidence = self.store.evidence(&self.trust, None).unwrap();
        let memory = Memory::read(&self.memory).unwrap();
        evidence.projects[0].entries = Some(memory.entries().cloned().collect());
        let report = verify_all(&evidence, &self.trust, self.now, &str::to_owned);
        assert!(report.breaks.is_empty(), "{:?}", report.breaks);
        let redactor = crate::support::redactor();
        let sight = memd::browse::Sight {
            store: &self.store,
            trust: &self.trust,
            redactor: &redactor,
            now: self.now,
        };
        let archive = memd::browse::differences(sight, &self.project).unwrap();
        assert!(archive.all.is_empty(), "{:?}", archive.all);
    }

    pub fn recover(&self) -> Result<Recovered, ApplyError> {
        apply::recover(self.ground(), &self.lock())
    }

    pub fn later(&mut self, minutes: i64) {
        self.now += SignedDuration::from_mins(minutes);
    }
}

/// Plain git, without anybody's configuration.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let run = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned()
}

pub fn add(n: u32, file: MemoryFile, section: &str, text: &str) -> Change {
    change(n, Op::Add, file, section, None, text)
}

pub fn edit(n: u32, file: MemoryFile, section: &str, from: &str, to: &str) -> Change {
    change(n, Op::Edit, file, section, Some(from), to)
}

pub fn archive(n: u32, file: MemoryFile, section: &str, text: &str) -> Change {
    change(n, Op::Archive, file, section, Some(text), "")
}

fn change(
    n: u32,
    op: Op,
    file: MemoryFile,
    section: &str,
    target: Option<&str>,
    text: &str,
) -> Change {
    Change {
        n,
        op,
        file,
        section: section.into(),
        target: target.map(|text| Target {
            entry: None,
            text: text.into(),
            hash: TextHash::of(text),
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
