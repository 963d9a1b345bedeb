//! A home with several projects, a curator that proposes one entry for each fact it reads, and what
//! many processes do there at once.

use crate::support::Home;
use crate::terminal::Terminal;
use crate::world::git;
use memd::lock::{PATIENCE, ProjectLock};
use memd::memory::{Memory, MemoryFile};
use memd::store::Store;
use memd::trust::match_entries;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What each fact begins with in a session; in memory it reads otherwise.
const SAID: &str = "We settled it: service ";

/// More questions than a review has here.
const MOST: usize = 300;

/// Projects of one home, and every fact that was said in a session of one.
pub struct Field {
    pub home: Home,
    pub projects: Vec<PathBuf>,
    said: Mutex<Vec<(usize, String)>>,
    next: AtomicU64,
}

impl Field {
    /// So many projects with memory.
    pub fn new(projects: usize) -> Self {
        let home = Home::new();
        let script = home.path().join("curator.sh");
        let config = json!({"curator_cmd": ["sh", script], "daily_calls": 0});
        std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
        std::fs::write(home.config(), config.to_string()).unwrap();
        // One addition for each fact of the digest, in its order.
        let of_each = r#"i=0; out=; for f in $(grep -o 'settled it: service [a-z]*' | sed 's/.* //'); do
            i=$((i+1)); out="$out${out:+,}{\"op\":\"add\",\"file\":\"state.md\",\"text\":\"- service $f stands settled\",\"evidence\":[$i]}"
            done; printf '{"version":2,"summary":"s","changes":[%s]}' "$out""#;
        std::fs::write(&script, of_each).unwrap();
        let projects: Vec<_> = (0..projects)
            .map(|n| home.folder(&format!("p{n}")))
            .collect();
        let field = Self {
            home,
            projects,
            said: Mutex::default(),
            next: AtomicU64::new(0),
        };
        for project in &field.projects {
            let init = field.memd(project, &["init"]);
            assert!(init.status.success(), "{init:?}");
        }
        field
    }

    /// memd in a project.
    pub fn memd(&self, project: &Path, args: &[&str]) -> Output {
        self.home.memd(project).args(args).output().unwrap()
    }

    /// A new fact is said in a session of a project.
    pub fn say(&self, project: usize) {
        let n = self.next.fetch_add(1, Relaxed);
        let fact = word(n);
        let root = &self.projects[project];
        let dir = self.home.folder(&format!(".claude/projects/-p{project}"));
        let row = json!({
            "type": "user", "uuid": format!("u{n}"), "sessionId": format!("s{n}"), "cwd": root,
            "timestamp": "2026-11-29T10:00:00Z", "version": "2.0.0",
            "message": {"role": "user", "content": format!("{SAID}{fact}"), "id": format!("u{n}")},
        });
        let mut file = std::fs::File::create(dir.join(format!("s{n}.jsonl"))).unwrap();
        writeln!(file, "{row}").unwrap();
        self.said.lock().unwrap().push((project, fact));
    }

    /// A person adds a line to todo.md, not in the very moment in which memd writes it: that would be a
    /// conflict, which only they can end.
    pub fn by_hand(&self, project: &Path, line: &str) {
        let places = self.home.places();
        let store = Store::open(&places).unwrap();
        let id = store.project_at(project).unwrap().unwrap().id;
        let _lock = ProjectLock::take(&places.locks(), &id, PATIENCE).unwrap();
        if store.is_applying(&id).unwrap() {
            return;
        }
        let todo = project.join(".memory/todo.md");
        let text = std::fs::read_to_string(&todo).unwrap();
        let beside = project.join(".todo");
        std::fs::write(&beside, text + line).unwrap();
        std::fs::rename(&beside, &todo).unwrap();
    }

    /// A person reviews on a terminal, accepts what is offered and applies it, until nothing is left
    /// or something is said that ends it. What the terminal showed.
    pub fn review(&self, project: &Path) -> String {
        let plain = [("NO_COLOR", "1")];
        let mut terminal = Terminal::start(&self.home, project, &["review", "--plain"], &plain);
        let mut asked = 0;
        while let Some(prompt) = terminal.next_of(&["?] ", "goes back: "]) {
            let text = terminal.since_last();
            let answer = match prompt {
                _ if asked > MOST => "q",
                1 => "y",
                // What is to be taken out is gone already.
                _ if text.contains("the entry is gone") => "r",
                // A page of a change asks about it, a flagged one twice; what follows the last does not.
                _ if text.contains("a again accepts") || text.contains("\n  [ ] ") => "a",
                _ if text.contains("accepted") || text.contains("rejected") => "w",
                _ => "q",
            };
            assert!(asked < 2 * MOST, "it asks for ever: {}", terminal.text());
            asked += 1;
            terminal.type_line(answer);
        }
        String::from_utf8_lossy(&terminal.finish().1).into_owned()
    }

    /// Everything that was said is distilled, reviewed and applied.
    pub fn drain(&self) {
        for project in &self.projects {
            for round in 0.. {
                let distilled = both(&self.memd(project, &["distill", "--all"]));
                let shown = self.review(project);
                let status =
                    both(&self.memd(project, &["status", "--porcelain", "--project", "."]));
                if distilled.contains("nothing new") && status.contains("staged=0") {
                    break;
                }
                assert!(round < 8, "{distilled}\n{shown}\n{status}");
            }
        }
    }

    /// What was done, counted by kind, for whoever looks on.
    pub fn acts(&self) -> String {
        let store = Store::open(&self.home.places()).unwrap();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for row in store.audit_rows().unwrap() {
            *counts.entry(row.act).or_default() += 1;
        }
        counts
            .iter()
            .map(|(act, n)| format!("{act} {n}, "))
            .collect()
    }

    /// What holds once all are done: each fact stands once, in memory, its history and the database.
    pub fn check(&self) {
        let verified = both(&self.memd(&self.projects[0], &["verify"]));
        assert!(verified.starts_with("all good"), "{verified}");
        let store = Store::open(&self.home.places()).unwrap();
        let trust = store.trust().unwrap();
        let mut facts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (project, fact) in self.said.lock().unwrap().iter() {
            facts.entry(*project).or_default().push(fact.clone());
        }
        for (n, root) in self.projects.iter().enumerate() {
            let dir = root.join(".memory");
            let known = store.project_at(root).unwrap().unwrap();
            let memory = Memory::read(&dir).unwrap();
            let records = store.all_records(&trust, &known.id).unwrap();
            let matched = match_entries(memory.entries(), &records, &trust, jiff::Timestamp::now());
            assert!(matched.is_whole(), "{root:?}: {matched:?}");
            assert_eq!(store.commits_owed(Some(&known.id)).unwrap().len(), 0);
            assert!(!store.is_applying(&known.id).unwrap());
            assert_eq!(git(&dir, &["status", "--porcelain"]), "", "{root:?}");
            assert_eq!(git(&dir, &["fsck", "--strict"]), "", "{root:?}");
            let disk = on_disk(&dir);
            let head = git(&dir, &["grep", "-h", "service", "HEAD"]);
            for fact in facts.get(&n).into_iter().flatten() {
                let line = format!("- service {fact} stands settled");
                for (place, text) in [("disk", &disk), ("history", &head)] {
                    assert_eq!(text.matches(&line).count(), 1, "{root:?} {place}: {fact}");
                }
            }
        }
    }
}

/// Letters for a number, three at least.
fn word(mut n: u64) -> String {
    let mut out = String::from("q");
    while n > 0 || out.len() < 5 {
        out.push(char::from(b'a' + u8::try_from(n % 26).unwrap()));
        n /= 26;
    }
    out
}

/// All that stands in a memory and its archive.
fn on_disk(dir: &Path) -> String {
    let files = MemoryFile::ALL.map(|file| dir.join(file.name()));
    let archive = std::fs::read_dir(dir.join("archive")).into_iter().flatten();
    let archive = archive.map(|item| item.unwrap().path());
    let texts = files.into_iter().chain(archive);
    texts
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

/// What both streams of a command hold.
pub fn both(out: &Output) -> String {
    String::from_utf8_lossy(&[&out.stdout[..], &out.stderr].concat()).into_owned()
}
