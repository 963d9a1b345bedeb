//! From memd 0.3 to this one: nothing that was distilled is distilled again, nothing unread is lost,
//! and a memory is taken over without losing a byte.

use crate::attacks::scene::{Scene, both};
use crate::support::{Home, fixture};
use crate::world::git;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A home that memd 0.3 kept, with sessions in every state that a cursor can be found in.
struct Old {
    scene: Scene,
    sessions: PathBuf,
    cursors: BTreeMap<String, u64>,
}

impl Old {
    fn new() -> Self {
        let home = Home::new();
        let root = home.folder("src/app");
        let mut old = Self {
            sessions: home.folder(".claude/projects/-src-app"),
            cursors: BTreeMap::new(),
            scene: Scene { home, root },
        };
        old.copy("config", old.scene.home.config().parent().unwrap());
        old.copy("state", &old.scene.home.state());
        old.copy("memory", &old.scene.root.join(".memory"));
        old.sessions();
        let memory = old.scene.root.join(".memory");
        let as_user = ["-c", "user.name=memd", "-c", "user.email=memd@localhost"];
        git(&memory, &["init", "-q"]);
        git(&memory, &["add", "-A"]);
        git(
            &memory,
            &[&as_user[..], &["commit", "-qm", "memd: sweep (haiku)"]].concat(),
        );
        old
    }

    /// Copies a part of the fixture, paths filled in.
    fn copy(&self, from: &str, to: &Path) {
        self.copy_dir(&fixture("memd-0.3").join(from), to);
    }

    fn copy_dir(&self, from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for item in std::fs::read_dir(from).unwrap() {
            let path = item.unwrap().path();
            let to = to.join(path.file_name().unwrap());
            if path.is_dir() {
                self.copy_dir(&path, &to);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let home = self.scene.home.path();
            let text = text.replace("@APP@", self.scene.root.to_str().unwrap());
            std::fs::write(to, text.replace("@HOME@", home.to_str().unwrap())).unwrap();
        }
    }

    /// Writes a session of these texts; the cursor stands behind the first `read` bytes of it.
    fn session(&mut self, name: &str, texts: &[&str], read: impl Fn(&[usize]) -> Option<u64>) {
        let mut all = String::new();
        let mut ends = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            let uuid = format!("{name}-{n}");
            let row = json!({
                "type": "user", "uuid": uuid, "sessionId": name, "cwd": self.scene.root,
                "timestamp": "2026-11-29T10:00:00Z", "version": "2.0.0",
                "message": {"role": "user", "content": text},
            });
            all += &format!("{row}\n");
            ends.push(all.len());
        }
        let path = self.sessions.join(format!("{name}.jsonl"));
        std::fs::write(&path, all).unwrap();
        if let Some(at) = read(&ends) {
            let path = path.to_str().unwrap().to_owned();
            self.cursors.insert(path, at);
        }
    }

    fn sessions(&mut self) {
        let end = |ends: &[usize]| Some(ends[ends.len() - 1] as u64);
        self.session("read", &["We decided on READ-ALL."], end);
        self.session(
            "grew",
            &["We decided on GREW-OLD.", "We decided on GREW-NEW."],
            |ends| Some(ends[0] as u64),
        );
        // Its second line was still being written when 0.3 passed it.
        self.session(
            "half",
            &["We decided on HALF-OLD.", "We decided on HALF-NEW."],
            |ends| Some(ends[0] as u64 + 40),
        );
        self.session("fresh", &["We decided on FRESH-NEW."], |_| None);
        self.session("shrunk", &["We decided on SHRUNK-NEW."], |_| Some(9_000));
        let gone = self
            .sessions
            .join("gone.jsonl")
            .to_str()
            .unwrap()
            .to_owned();
        self.cursors.insert(gone, 700);
        let db = self
            .scene
            .home
            .path()
            .join(".gemini/antigravity-cli/conversations/1.db");
        self.cursors.insert(db.to_str().unwrap().to_owned(), 12);
        let text = serde_json::to_string_pretty(&self.cursors).unwrap();
        std::fs::write(self.scene.home.state().join("cursors.json"), text).unwrap();
    }

    /// Every file that 0.3 left and memd reads, with its bytes.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let state = self.scene.home.state();
        let memory = self.scene.root.join(".memory");
        let names = ["state.md", "decisions.md", "mistakes.md", "todo.md"];
        let paths = ["cursors.json", "meta.json", "ag_index.json"]
            .map(|name| state.join(name))
            .into_iter()
            .chain(names.map(|name| memory.join(name)))
            .chain([memory.join("archive/2026-10.md"), self.scene.home.config()]);
        paths
            .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
            .collect()
    }
}

#[test]
fn the_first_command_takes_over_what_memd_03_knew_once_and_says_so_in_one_line() {
    let old = Old::new();
    let before = old.files();
    let out = old.scene.memd(&["status"]);
    let said = both(&out);
    let first: Vec<_> = said.lines().filter(|l| l.contains("memd 0.3:")).collect();
    assert_eq!(
        first,
        [
            "memd: memd 0.3: 1 project taken over, 3 sessions go on where it had read to; 1 session is shorter than what it had read, and is read anew; 1 project of the configuration is gone; memd review offers what stands in memory"
        ]
    );
    assert!(
        said.contains("session-end, memd 0.3 haiku: Invoices moved to port 7100."),
        "{said}"
    );
    assert!(said.contains("4 sessions with"), "{said}");
    assert!(said.contains("1 note"), "{said}");
    let again = both(&old.scene.memd(&["status"]));
    assert!(!again.contains("memd 0.3:"), "{again}");
    assert_eq!(old.files(), before, "nothing of 0.3's was touched");
}

#[test]
fn a_cursor_file_that_cannot_be_understood_is_named_and_nothing_is_read_twice() {
    let old = Old::new();
    let path = old.scene.home.state().join("cursors.json");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, "{\"/a\": 1,\n").unwrap();
    let out = old.scene.memd(&["distill"]);
    let said = both(&out);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(
        said.contains("cursors.json") && said.contains("line 2"),
        "{said}"
    );
    std::fs::write(&path, whole).unwrap();
    let said = both(&old.scene.memd(&["status"]));
    assert!(said.contains("1 project taken over"), "{said}");
}

#[test]
fn a_whole_switch_adopts_reads_on_and_takes_a_contract_1_reply() {
    let old = Old::new();
    let scene = &old.scene;
    let before: BTreeMap<_, _> = old.files().into_iter().collect();
    // What stands is offered, and nothing of it is given to an agent before.
    let said = both(&scene.memd(&["init"]));
    assert!(said.contains("7 entries stand there"), "{said}");
    assert!(!scene.brief().contains("7100"));
    scene.review(&["a"; 7]);
    let brief = scene.brief();
    for text in [
        "7100",
        "rendered on the server",
        "old invoice table",
        "Migration ran twice",
    ] {
        assert!(brief.contains(text), "{text}: {brief}");
    }
    let memory = scene.root.join(".memory");
    for name in [
        "state.md",
        "decisions.md",
        "mistakes.md",
        "todo.md",
        "archive/2026-10.md",
    ] {
        let path = memory.join(name);
        assert_eq!(
            std::fs::read(&path).unwrap(),
            before[&path],
            "{name} lost nothing"
        );
    }

    // A curator command of 0.3's: whole bodies, fenced, with a heading that stands already.
    let reply = json!({
        "summary": "Invoices moved again.",
        "state_body": "```markdown\n---\ntype: state\n---\n# State\n\n## Ports\n\n- Invoices listen on port 7200.\n- The admin page is on port 7101.\n\n## Versions\n\n- PostgreSQL 16 runs in docker.\n```",
        "decisions_body": null,
        "todo_body": "# Todo\n\n- [ ] Move the admin page behind the proxy\n",
        "mistakes_new_entries": ["### 2026-10-02 — Migration ran twice\n\nTold again."],
        "archive_entries": [{"source": "todo.md", "content": "- [ ] Delete the old invoice table"}],
    });
    scene.replies(&format!("Here it is:\n```json\n{reply}\n```\n"));
    let out = scene.memd(&["distill"]);
    let proposal = scene.proposal(&out);
    let prompt = scene.file("prompt");
    for new in [
        "GREW-NEW",
        "HALF-NEW",
        "FRESH-NEW",
        "SHRUNK-NEW",
        "ten years",
    ] {
        assert!(prompt.contains(new), "{new} was never read");
    }
    for distilled in ["READ-ALL", "GREW-OLD", "HALF-OLD"] {
        assert!(
            !prompt.contains(distilled),
            "{distilled} was distilled before"
        );
    }
    let ops: Vec<_> = proposal["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| {
            format!(
                "{} {}",
                c["op"].as_str().unwrap(),
                c["file"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(ops, ["edit state.md", "archive todo.md"], "{proposal}");
    assert_eq!(
        proposal["dropped"][0]["what"],
        "2026-10-02 — Migration ran twice"
    );

    // Neither rests on a line of the material, so each is accepted twice over.
    scene.review(&["a"; 4]);
    let text = |name: &str| std::fs::read_to_string(memory.join(name)).unwrap();
    assert!(
        text("state.md").contains("port 7200.") && text("state.md").contains("owner: platform")
    );
    assert!(!text("todo.md").contains("old invoice table"));
    assert_eq!(
        text("mistakes.md").as_bytes(),
        before[&memory.join("mistakes.md")]
    );
    assert!(text("archive/2026-10.md").contains("queue worker"));
    let archived = std::fs::read_dir(memory.join("archive"))
        .unwrap()
        .map(|item| {
            let path = item.unwrap().path();
            std::fs::read_to_string(path).unwrap()
        });
    assert!(
        archived
            .collect::<String>()
            .contains("- [ ] Delete the old invoice table")
    );
    let notes = std::fs::read_dir(memory.join("inbox")).unwrap().count();
    assert_eq!(notes, 1, "only .gitkeep: the note was used");
    assert!(scene.says(&["distill"]).contains("nothing new"));
    scene.says(&["verify"]);

    // The configuration is the same file, its unknown keys and all.
    let config: serde_json::Value =
        serde_json::from_str(&scene.file("config/memd/config.json")).unwrap();
    assert_eq!(config["my_own_key"], json!({"kept": [1, 2, 3]}));
    assert_eq!(
        config["projects"][scene.root.to_str().unwrap()]["name"],
        "billing"
    );
    assert_eq!(config["brief_decisions_days"], 60);
}
